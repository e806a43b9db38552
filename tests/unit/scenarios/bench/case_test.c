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
    const struct cs_bench_case bench = {"take", NULL, 7, take};
    struct cs_bench_timing timing;

    (void)state;
    assert_int_equal(cs_bench_time(&bench, &timing, NULL), 0);
    assert_int_equal(timing.figures.done, 7);
    assert_true(timing.figures.took_s == 2);
    assert_true(timing.grown_bytes > TAKEN / 2);
    assert_true(timing.peak_bytes >= timing.grown_bytes);
}

static void a_case_that_fails_or_ends_is_reported(void **state)
{
    const struct cs_bench_case wrong = {"wrong", NULL, 7, go_wrong};
    const struct cs_bench_case ending = {"end", NULL, 7, end};
    struct cs_bench_timing timing;
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_bench_time(&wrong, &timing, &err), CS_ECANNOT);
    assert_string_equal(err.text, "a benchmark did not finish");
    assert_int_equal(cs_bench_time(&ending, &timing, NULL), CS_ECANNOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_come_back_with_the_memory_that_was_taken),
        cmocka_unit_test(a_case_that_fails_or_ends_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
