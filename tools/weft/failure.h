/// \file failure.h
/// Why something failed, in one line that names the thing; and the tool's lines on stderr.
#pragma once

#include <stdbool.h>

struct failure {
    char text[512];
};

/// Writes the reason and returns false, so that a check can end with it.
bool failure_set(struct failure *failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Puts "`what`: " in front of the reason. Returns false.
bool failure_prefix(struct failure *failure, const char *what);

/// Exit codes of the tool.
enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/// "weft: ..." on stderr as one line, whatever the names in it hold. Returns EXIT_FAILED.
int say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// "weft: warning: ..." likewise.
void say_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
