#include "support/test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct test_case *first_case;
static size_t case_count;

void test_register(struct test_case *test)
{
    struct test_case **link = &first_case;
    while (*link && strcmp((*link)->name, test->name) < 0)
        link = &(*link)->next;
    test->next = *link;
    *link = test;
    case_count++;
}

void test_fail(const char *file, int line, const char *format, ...)
{
    char message[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    print_error("%s\n", message);
    _fail(file, line);
    abort(); // _fail() jumps back to the runner
}

void test_skip(const char *why)
{
    print_message("skipped: %s\n", why);
    skip();
}

void test_expect_eq(const char *file, int line, const char *what, int64_t got, int64_t wanted)
{
    if (got != wanted)
        test_fail(file, line, "%s is %lld (0x%llx), not %lld (0x%llx)", what, (long long)got,
                  (unsigned long long)got, (long long)wanted, (unsigned long long)wanted);
}

void test_expect_near(const char *file, int line, const char *what, double got, double wanted,
                      double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance))
        test_fail(file, line, "%s is %.9g, not %.9g within %g", what, got, wanted, tolerance);
}

void test_expect_str(const char *file, int line, const char *what, const char *got,
                     const char *wanted)
{
    if (!got || strcmp(got, wanted) != 0)
        test_fail(file, line, "%s is \"%s\", not \"%s\"", what, got ? got : "(null)", wanted);
}

void test_expect_mem(const char *file, int line, const char *what, const void *got,
                     const void *wanted, size_t size)
{
    const unsigned char *g = got;
    const unsigned char *w = wanted;
    for (size_t i = 0; i < size; i++) {
        if (g[i] != w[i])
            test_fail(file, line, "%s: byte %zu is 0x%02x, not 0x%02x", what, i, g[i], w[i]);
    }
}

static void run_case(void **state)
{
    const struct test_case *test = *state;
    test->run();
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        (void)fprintf(stderr, "usage: %s [PATTERN]\n", argv[0]);
        return 2;
    }
    if (argc == 2)
        cmocka_set_test_filter(argv[1]);

    struct CMUnitTest *tests = calloc(case_count + 1, sizeof *tests);
    if (!tests)
        return 1;
    size_t count = 0;
    for (struct test_case *test = first_case; test; test = test->next)
        tests[count++] = (struct CMUnitTest){test->name, run_case, NULL, NULL, test};
    const int failed = _cmocka_run_group_tests(argv[0], tests, count, NULL, NULL);
    free(tests);
    return failed == 0 ? 0 : 1;
}
