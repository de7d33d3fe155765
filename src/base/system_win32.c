#include "base/system.h"

#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

void *wf_base_heap_alloc(size_t size, size_t align)
{
    return _aligned_malloc(size, align > 16 ? align : 16);
}

void wf_base_heap_free(void *ptr)
{
    _aligned_free(ptr);
}

void *wf_base_pages_reserve(uint64_t size)
{
    return size > SIZE_MAX ? NULL : VirtualAlloc(NULL, (SIZE_T)size, MEM_RESERVE, PAGE_READWRITE);
}

void wf_base_pages_release(void *pages, uint64_t size)
{
    (void)size;
    (void)VirtualFree(pages, 0, MEM_RELEASE);
}

bool wf_base_pages_commit(void *pages, size_t size)
{
    return VirtualAlloc(pages, size, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

void wf_base_pages_decommit(void *pages, size_t size)
{
    (void)VirtualFree(pages, size, MEM_DECOMMIT);
}

/// Never from the directory that the process happens to be in.
void *wf_base_library_open(const char *name)
{
    return LoadLibraryExA(name, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
}

void *wf_base_library_symbol(void *library, const char *name)
{
    const FARPROC function = GetProcAddress(library, name);
    void *symbol;
    memcpy(&symbol, &function, sizeof symbol);
    return symbol;
}

/// Once opened, it stays: drivers leave threads behind.
void wf_base_library_close(void *library)
{
    (void)library;
}

// ---- files: names are UTF-8, as everywhere in Weft ---------------------------------------------

/// NULL: no UTF-8, or no memory. Freed by free().
static wchar_t *wide(const char *text)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *out = length > 0 ? malloc((size_t)length * sizeof *out) : NULL;
    if (out)
        (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, out, length);
    return out;
}

FILE *wf_base_file_open(const char *path)
{
    wchar_t *name = wide(path);
    FILE *file = name ? _wfopen(name, L"rb") : NULL;
    free(name);
    return file;
}

uint64_t wf_base_file_size(FILE *file)
{
    LARGE_INTEGER size;
    HANDLE native = (HANDLE)_get_osfhandle(fileno(file)); // NOLINT(performance-no-int-to-ptr)
    const bool plain = GetFileType(native) == FILE_TYPE_DISK && GetFileSizeEx(native, &size);
    return plain ? (uint64_t)size.QuadPart : 0;
}

/// A new file, for writing: fopen()'s "x" is not known to every C library of Windows.
static FILE *create(const wchar_t *name)
{
    const int flags = _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY;
    const int descriptor = _wopen(name, flags, _S_IREAD | _S_IWRITE);
    FILE *file = descriptor >= 0 ? _fdopen(descriptor, "wb") : NULL;
    if (!file && descriptor >= 0) {
        (void)_close(descriptor);
        (void)_wremove(name);
    }
    return file;
}

/// The process and the tick make a name of their own.
FILE *wf_base_file_create_beside(const char *path, char *name, size_t size)
{
    FILE *file = NULL;
    for (unsigned i = 0; i < 64 && !file; i++) {
        const unsigned own = (unsigned)(GetCurrentProcessId() * 2654435761u + GetTickCount() + i);
        (void)snprintf(name, size, "%s.%06x", path, own & 0xffffffu);
        wchar_t *native = wide(name);
        file = native ? create(native) : NULL;
        free(native);
    }
    return file;
}

bool wf_base_file_replace(const char *name, const char *path)
{
    wchar_t *from = wide(name), *to = wide(path);
    const bool fine = from && to && MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING);
    free(from);
    free(to);
    return fine;
}

void wf_base_file_remove(const char *path)
{
    wchar_t *name = wide(path);
    if (name)
        (void)DeleteFileW(name);
    free(name);
}

// ---- the machine -------------------------------------------------------------------------------

uint64_t wf_base_physical_memory(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : UINT64_C(1) << 30;
}

void wf_base_processor_name(char *out, size_t size)
{
    DWORD length = (DWORD)size;
    out[0] = 0;
    if (RegGetValueA(HKEY_LOCAL_MACHINE, "HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                     "ProcessorNameString", RRF_RT_REG_SZ, NULL, out, &length) != ERROR_SUCCESS)
        out[0] = 0;
}

uint32_t wf_base_cpu_count(void)
{
    DWORD_PTR ours = 0, all = 0;
    const bool known = GetProcessAffinityMask(GetCurrentProcess(), &ours, &all) && ours;
    return known ? (uint32_t)__builtin_popcountll(ours) : 1;
}

bool wf_base_wait_readable(int descriptor, int timeout_ms)
{
    (void)descriptor, (void)timeout_ms;
    return false;
}
