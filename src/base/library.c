#include "base/library.h"

#include <stdio.h>

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#include <string.h>

bool wf_base_library_load(const char *library, const char *const *names, size_t count,
                          void *symbols, char reason[WF_BASE_LIBRARY_REASON])
{
    void *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        (void)snprintf(reason, WF_BASE_LIBRARY_REASON, "%s cannot be opened", library);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        // A function's pointer comes as an object's: the copy is what POSIX promises to work.
        void *const symbol = dlsym(handle, names[i]);
        if (!symbol) {
            (void)snprintf(reason, WF_BASE_LIBRARY_REASON, "%s has no %s", library, names[i]);
            return false;
        }
        memcpy((char *)symbols + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return true;
}
#else
bool wf_base_library_load(const char *library, const char *const *names, size_t count,
                          void *symbols, char reason[WF_BASE_LIBRARY_REASON])
{
    (void)names, (void)count, (void)symbols;
    (void)snprintf(reason, WF_BASE_LIBRARY_REASON, "%s is not for this system", library);
    return false;
}
#endif
