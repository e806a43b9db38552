/*
 * A test of a unit or a property: a function that registers itself.
 *
 *     TEST(the_first_error_stays)
 *     {
 *         ...
 *     }
 *
 * A program runs its tests in the order of their lines, whatever order the
 * compiler gives to constructors.  `main` is in tests/support/main.c.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct test {
    struct CMUnitTest unit;
    int line;
    struct test *next;
};

/* `test` lives as long as the program does. */
void test_register(struct test *test);

/* `setup` fills *state and `teardown` frees it, for this test alone. */
#define TEST_BETWEEN(setup, teardown, name)                                                    \
    static void name(void **state);                                                            \
    __attribute__((constructor)) static void name##_registers(void)                            \
    {                                                                                          \
        static struct test name##_test = {                                                     \
            .unit = cmocka_unit_test_setup_teardown(name, setup, teardown), .line = __LINE__}; \
                                                                                               \
        test_register(&name##_test);                                                           \
    }                                                                                          \
    static void name(void **state __attribute__((unused)))

#define TEST(name) TEST_BETWEEN(NULL, NULL, name)

/* Fails with the message in *err of a call that must not fail. */
/* NOLINTNEXTLINE(readability-identifier-naming): as cmocka's */
#define assert_ok(call, err)             \
    do {                                 \
        if (call)                        \
            fail_msg("%s", (err)->text); \
    } while (0)
