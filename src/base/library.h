/// Libraries that are opened at run time: what a build must not depend on.
#ifndef WF_BASE_LIBRARY_H
#define WF_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#define WF_BASE_LIBRARY_REASON 128

/// What a table FUNCTION(result, name, arguments) becomes: the members of a structure, and their
/// names.
// NOLINTNEXTLINE(bugprone-macro-parentheses): types and arguments stand in no parentheses
#define WF_BASE_FUNCTION_MEMBER(result, name, arguments) result(*name) arguments;
#define WF_BASE_FUNCTION_NAME(result, name, arguments)   #name,

/// Opens a library and takes symbols from it: one pointer each, in the order of `names`, which are
/// `count`. It stays open. False: `reason` names what is not there, without a full stop.
bool wf_base_library_load(const char *library, const char *const *names, size_t count,
                          void *symbols, char reason[WF_BASE_LIBRARY_REASON]);

#endif
