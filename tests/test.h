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

#include "sim/base/err.h"
#include "sim/base/scope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A test of something that is empty at its start and closed at its end; it is `*at` to the
 * statements:
 *
 *     #define MACHINE_TEST(name) TEST_OF(struct machine, machine, machine_close, name)
 */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type and a parameter */
#define TEST_OF(type, at, close, name)     \
    static void name##_of(type *at);       \
    TEST(name)                             \
    {                                      \
        CS_AT_END(close) type empty = {0}; \
                                           \
        name##_of(&empty);                 \
    }                                      \
    static void name##_of(type *at)
/* NOLINTEND(bugprone-macro-parentheses) */

#define ARENA_TEST(name) TEST_OF(struct cs_arena, arena, cs_arena_free, name)
#define TEXT_TEST(name)  TEST_OF(struct cs_text, out, cs_text_free, name)

/* Fails with the message of a call that must not fail, of something that has a name or "". */
static inline void test_done(int code, const char *name, const struct cs_err *err, const char *file,
                             int line)
{
    if (!code)
        return;
    print_error("ERROR: %s%s%s\n", name, *name ? ": " : "", err->text);
    _fail(file, line);
}

/* NOLINTNEXTLINE(readability-identifier-naming): as cmocka's */
#define assert_ok(call, err) test_done(call, "", err, __FILE__, __LINE__)

/* The same of something that has a name, of a call that fills in `err`, which is the macro's own.
 */
/* NOLINTNEXTLINE(readability-identifier-naming): as cmocka's */
#define assert_done_of(name, call)                       \
    do {                                                 \
        struct cs_err err = {0};                         \
                                                         \
        test_done(call, name, &err, __FILE__, __LINE__); \
    } while (0)

/* The same without a name:
 *
 *     assert_done(cs_units_bytes(text, &bytes, &err));
 */
/* NOLINTNEXTLINE(readability-identifier-naming): as cmocka's */
#define assert_done(call) assert_done_of("", call)

/* Of a call that must fail with the code and say exactly this in `err`, the macro's own. */
/* NOLINTNEXTLINE(readability-identifier-naming): as cmocka's */
#define assert_refused(call, expected, sentence) \
    do {                                         \
        struct cs_err err = {0};                 \
                                                 \
        assert_int_equal(call, expected);        \
        assert_string_equal(err.text, sentence); \
    } while (0)

/* The same of a part of what it says. */
/* NOLINTNEXTLINE(readability-identifier-naming): as cmocka's */
#define assert_refused_with(call, expected, part)        \
    do {                                                 \
        struct cs_err err = {0};                         \
                                                         \
        assert_int_equal(call, expected);                \
        if (!strstr(err.text, part))                     \
            fail_msg("no '%s' in '%s'", part, err.text); \
    } while (0)

/* The items of an array, as a number that is constant. */
#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))
