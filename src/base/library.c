#include "base/library.h"

#include "base/system.h"

#include <stdio.h>
#include <string.h>

bool wf_base_library_load(const char *library, const char *const *names, size_t count,
                          void *symbols, char reason[WF_BASE_LIBRARY_REASON])
{
    void *const handle = wf_base_library_open(library);
    if (!handle) {
        (void)snprintf(reason, WF_BASE_LIBRARY_REASON, "%s cannot be opened", library);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        // A function's pointer comes as an object's: the copy is what POSIX promises to work.
        void *const symbol = wf_base_library_symbol(handle, names[i]);
        if (!symbol) {
            (void)snprintf(reason, WF_BASE_LIBRARY_REASON, "%s has no %s", library, names[i]);
            return false;
        }
        memcpy((char *)symbols + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return true;
}
