#include "scenarios/bench/case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

enum {
    TAKEN = 64 << 20,
    PAGE = 4096,
};

static struct cs_bench_figures take(const struct cs_bench_case *bench)
{
    volatile char *memory = malloc(TAKEN);
    struct cs_bench_figures figures = {.done = bench->ranks, .took_s = 2};

    for (size_t i = 0; i < TAKEN; i += PAGE)
        memory[i] = 1;
    figures.good = memory[0];
    free((char *)memory);
    return figures;
}

static struct cs_bench_figures go_wrong(const struct cs_bench_case *bench)
{
    return (struct cs_bench_figures){.done = bench->ranks};
}

static struct cs_bench_figures end(const struct cs_bench_case *bench)
{
    _exit((int)bench->ranks);
}

static void figures_come_back_with_the_memory_that_was_taken(void **state)
{
    const struct cs_bench_case bench = {.what = "take", .ranks = 7, .run = take};
    struct cs_bench_timing timing;

    (void)state;
    assert_int_equal(cs_bench_time("/bin/sh", &bench, &timing, NULL), 0);
    assert_int_equal(timing.figures.done, 7);
    assert_true(timing.figures.took_s == 2);
    assert_true(timing.grown_bytes > TAKEN / 2);
    assert_true(timing.peak_bytes >= timing.grown_bytes);
}

static void a_case_that_fails_or_ends_is_reported(void **state)
{
    const struct cs_bench_case wrong = {.what = "wrong", .ranks = 7, .run = go_wrong};
    const struct cs_bench_case ending = {.what = "end", .ranks = 7, .run = end};
    const struct cs_bench_case words = {.what = "words", .words = {"-c", "exit 3"}};
    const struct cs_bench_case answer = {.what = "words", .words = {"-c", "exit 1"}, .runs = 2};
    struct cs_bench_timing timing;
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_bench_time("/bin/sh", &wrong, &timing, &err), CS_ECANNOT);
    assert_string_equal(err.text, "the benchmark 'wrong' did not finish");
    assert_int_equal(cs_bench_time("/bin/sh", &ending, &timing, NULL), CS_ECANNOT);
    assert_int_equal(cs_bench_time("/bin/sh", &words, &timing, NULL), CS_ECANNOT);
    assert_int_equal(cs_bench_time("/bin/sh", &answer, &timing, NULL), 0);
    assert_true(timing.figures.took_s > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_come_back_with_the_memory_that_was_taken),
        cmocka_unit_test(a_case_that_fails_or_ends_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
