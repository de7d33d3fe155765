#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/// Names come from files and command lines: a control character must not break the line.
static void make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

/// As vsnprintf(), in one place.
static void format_line(char *out, size_t size, const char *format, va_list args)
{
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): a false alarm, every caller has begun it
    (void)vsnprintf(out, size, format, args);
    make_printable(out);
}

bool failure_set(struct failure *failure, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    format_line(failure->text, sizeof failure->text, format, args);
    va_end(args);
    return false;
}

bool failure_prefix(struct failure *failure, const char *what)
{
    char text[sizeof failure->text];
    memcpy(text, failure->text, sizeof text);
    return failure_set(failure, "%s: %s", what, text);
}

static void say(const char *kind, const char *format, va_list args)
{
    char text[1024];
    format_line(text, sizeof text, format, args);
    (void)fprintf(stderr, "weft: %s%s\n", kind, text);
}

int say_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    return EXIT_FAILED;
}

void say_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning: ", format, args);
    va_end(args);
}
