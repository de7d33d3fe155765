/// What tests/support/test_main.c takes of cmocka, where that library is not there.
#pragma once

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
    void *setup, *teardown;
    void *initial_state;
};

#define print_message(...) (void)printf(__VA_ARGS__)
#define print_error(...)   (void)fprintf(stderr, __VA_ARGS__)

enum { PLAIN_FAILED = 1, PLAIN_SKIPPED };

static jmp_buf plain_end;
static const char *plain_filter;

static inline _Noreturn void _fail(const char *file, int line)
{
    print_error("%s:%d: error: Failure!\n", file, line);
    longjmp(plain_end, PLAIN_FAILED);
}

static inline _Noreturn void skip(void)
{
    longjmp(plain_end, PLAIN_SKIPPED);
}

static inline void cmocka_set_test_filter(const char *pattern)
{
    plain_filter = pattern;
}

/// `*` and `?` are wildcards.
static inline bool plain_matches(const char *pattern, const char *name)
{
    const char *star = NULL, *from = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            from = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++, name++;
        } else if (star) {
            pattern = star;
            name = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static inline int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests,
                                          size_t count, void *setup, void *teardown)
{
    static size_t i, passed, failed;
    (void)group, (void)setup, (void)teardown;
    for (i = 0; i < count; i++) {
        if (plain_filter && !plain_matches(plain_filter, tests[i].name))
            continue;
        void *state = tests[i].initial_state;
        const int end = setjmp(plain_end);
        if (end == 0)
            tests[i].run(&state);
        passed += end == 0;
        failed += end == PLAIN_FAILED;
        printf("[%s] %s\n",
               end == 0              ? "  OK  "
               : end == PLAIN_FAILED ? "FAILED"
                                     : " SKIP ",
               tests[i].name);
        (void)fflush(stdout);
    }
    printf("%d passed, %d failed\n", (int)passed, (int)failed);
    return (int)failed;
}
