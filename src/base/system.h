/// What is asked of the operating system beyond threads: memory, libraries, files that take
/// another's place, and what the machine has. One file for each system.
#ifndef WF_BASE_SYSTEM_H
#define WF_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- memory ------------------------------------------------------------------------------------

/// `align` is a power of two. NULL: there is none.
void *wf_base_heap_alloc(size_t size, size_t align);
void wf_base_heap_free(void *ptr);

/// A range of addresses; `size` is a multiple of 64 KiB. NULL: the system refuses.
void *wf_base_pages_reserve(uint64_t size);
void wf_base_pages_release(void *pages, uint64_t size);
/// Part of a range gets memory, zeroed, which the system gives when it is touched. False: the
/// system refuses.
bool wf_base_pages_commit(void *pages, size_t size);
/// Its memory is the system's again. Where the system promises no more than it has (POSIX), the
/// part reads as zeros from here on, without another commit; on Windows it must not be touched.
void wf_base_pages_decommit(void *pages, size_t size);

// ---- libraries ---------------------------------------------------------------------------------

/// NULL: it cannot be opened.
void *wf_base_library_open(const char *name);
/// NULL: it has none of this name. A function's pointer is copied out of it.
void *wf_base_library_symbol(void *library, const char *name);
/// The library may stay in memory all the same.
void wf_base_library_close(void *library);

// ---- files -------------------------------------------------------------------------------------

// Names are UTF-8.

/// To read bytes. NULL: it cannot be opened.
FILE *wf_base_file_open(const char *path);
/// Bytes of a plain file; 0: it is none, or empty.
uint64_t wf_base_file_size(FILE *file);

#define WF_BASE_FILE_BESIDE ".XXXXXX"

/// Creates a file beside `path`, which can take its place. `name` gets its name: room for `path`
/// and WF_BASE_FILE_BESIDE.
FILE *wf_base_file_create_beside(const char *path, char *name, size_t size);
/// The file takes the place of `path` at once. False: `path` is as it was.
bool wf_base_file_replace(const char *name, const char *path);
void wf_base_file_remove(const char *path);

// ---- the machine -------------------------------------------------------------------------------

uint64_t wf_base_physical_memory(void);
/// The processor's name as the system tells it; "" if it does not.
void wf_base_processor_name(char *out, size_t size);
/// CPUs that this process may use, by its affinity mask; at least 1.
uint32_t wf_base_cpu_count(void);

/// Waits until a socket or pipe has something to read. Where there are no descriptors: false.
bool wf_base_wait_readable(int descriptor, int timeout_ms);

#endif
