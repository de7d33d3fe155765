/// A thin layer over cmocka: tests register themselves, and an expectation is an expression.
///
///     TEST(buffer, zero_size_is_refused)
///     {
///         EXPECT(weft_buffer_create(dev, &desc, &buf) == WEFT_ERROR_USAGE);
///     }
///
/// An executable runs every test linked into it, in order of their names, or those that match the
/// pattern on its command line ("buffer.*"; `*` and `?` are wildcards). A failed expectation ends
/// its test at once, so expectations belong on the thread that runs the test.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct test_case {
    const char *name;
    void (*run)(void);
    struct test_case *next;
};

void test_register(struct test_case *test);

/// Ends the running test as failed with a message about `file`:`line`.
_Noreturn void test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Ends the running test as skipped: for what this machine cannot show.
void test_skip(const char *why);

void test_expect_eq(const char *file, int line, const char *what, int64_t got, int64_t wanted);
void test_expect_near(const char *file, int line, const char *what, double got, double wanted,
                      double tolerance);
void test_expect_str(const char *file, int line, const char *what, const char *got,
                     const char *wanted);
void test_expect_mem(const char *file, int line, const char *what, const void *got,
                     const void *wanted, size_t size);

#define TEST(suite, fact)                                                                          \
    static void test_##suite##_##fact(void);                                                       \
    __attribute__((constructor)) static void register_##suite##_##fact(void)                       \
    {                                                                                              \
        static struct test_case test = {#suite "." #fact, test_##suite##_##fact, NULL};            \
        test_register(&test);                                                                      \
    }                                                                                              \
    static void test_##suite##_##fact(void)

#define EXPECT(condition)                                                                          \
    ((condition) ? (void)0 : test_fail(__FILE__, __LINE__, "expected %s", #condition))

/// Integers, enums and booleans, compared as 64 bits.
#define EXPECT_EQ(got, wanted)                                                                     \
    test_expect_eq(__FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(wanted))

#define EXPECT_NEAR(got, wanted, tolerance)                                                        \
    test_expect_near(__FILE__, __LINE__, #got, (got), (wanted), (tolerance))

#define EXPECT_STR(got, wanted) test_expect_str(__FILE__, __LINE__, #got, (got), (wanted))

#define EXPECT_MEM(got, wanted, size)                                                              \
    test_expect_mem(__FILE__, __LINE__, #got, (got), (wanted), (size))
