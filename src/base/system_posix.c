// What Linux has beyond POSIX is asked for as well.
#define _GNU_SOURCE // NOLINT(readability-identifier-naming): libc's name; for madvise and affinity
#include "base/system.h"

#include "base/bits.h"

#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void *wf_base_heap_alloc(size_t size, size_t align)
{
    if (align <= alignof(max_align_t))
        return malloc(size);
    if (size > SIZE_MAX - (align - 1))
        return NULL;
    return aligned_alloc(align, (size_t)wf_base_align_up(size, align));
}

void wf_base_heap_free(void *ptr)
{
    free(ptr);
}

void *wf_base_pages_reserve(uint64_t size)
{
    if (size > SIZE_MAX)
        return NULL;
    void *memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void wf_base_pages_release(void *pages, uint64_t size)
{
    (void)munmap(pages, (size_t)size);
}

bool wf_base_pages_commit(void *pages, size_t size)
{
    (void)pages, (void)size; // NORESERVE: it is there when it is touched
    return true;
}

void wf_base_pages_decommit(void *pages, size_t size)
{
    if (madvise(pages, size, MADV_DONTNEED) != 0)
        memset(pages, 0, size);
}

void *wf_base_library_open(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

void *wf_base_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

void wf_base_library_close(void *library)
{
    (void)dlclose(library);
}

FILE *wf_base_file_open(const char *path)
{
    // a pipe without a writer would block: only regular files are opened
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
}

uint64_t wf_base_file_size(FILE *file)
{
    struct stat about;
    const bool plain = fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode);
    return plain ? (uint64_t)about.st_size : 0;
}

FILE *wf_base_file_create_beside(const char *path, char *name, size_t size)
{
    (void)snprintf(name, size, "%s" WF_BASE_FILE_BESIDE, path);
    const int file = mkstemp(name);
    FILE *out = file >= 0 ? fdopen(file, "wb") : NULL;
    if (file >= 0 && !out) {
        (void)close(file);
        (void)remove(name);
    }
    return out;
}

bool wf_base_file_replace(const char *name, const char *path)
{
    return rename(name, path) == 0;
}

void wf_base_file_remove(const char *path)
{
    (void)remove(path);
}

uint64_t wf_base_physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_C(1) << 30;
}

void wf_base_processor_name(char *out, size_t size)
{
    char line[256];
    out[0] = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !out[0] && fgets(line, sizeof line, file)) {
        const char *colon = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (colon)
            (void)snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (file)
        (void)fclose(file);
}

uint32_t wf_base_cpu_count(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        const int count = CPU_COUNT(&set);
        return count > 0 ? (uint32_t)count : 1;
    }
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

bool wf_base_wait_readable(int descriptor, int timeout_ms)
{
    struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
    return poll(&wanted, 1, timeout_ms) > 0;
}
