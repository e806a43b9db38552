#include "sim/base/cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/base/err.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int square(void *ctx, uint64_t number, void *result)
{
    (void)ctx;
    *(uint64_t *)result = number * number;
    return 0;
}

static int fail_at_7(void *ctx, uint64_t number, void *result)
{
    return number == 7 ? CS_EINPUT : square(ctx, number, result);
}

static int die_at_7(void *ctx, uint64_t number, void *result)
{
    if (number == 7)
        raise(SIGKILL);
    return square(ctx, number, result);
}

static bool stop(void *ctx, uint64_t finished)
{
    (void)ctx;
    (void)finished;
    return false;
}

static int pause_item(void *ctx, uint64_t number, void *result)
{
    pause();
    return square(ctx, number, result);
}

static void results_are_the_same_for_any_number_of_workers(void **state)
{
    (void)state;
    for (uint32_t workers = 1; workers < 6; ++workers) {
        uint64_t results[100];
        struct cs_cores cores = {workers, 100,  sizeof(*results),
                                 square,  NULL, NULL};

        assert_int_equal(cs_cores_run(&cores, results), 0);
        for (uint64_t i = 0; i < 100; ++i)
            assert_int_equal(results[i], i * i);
    }
}

static void failure_and_death_of_a_worker_are_reported(void **state)
{
    uint64_t results[100];
    struct cs_cores cores = {2, 100, sizeof(*results), fail_at_7, NULL, NULL};

    (void)state;
    assert_int_equal(cs_cores_run(&cores, results), CS_ECANNOT);
    cores.item = die_at_7;
    assert_int_equal(cs_cores_run(&cores, results), CS_ECANNOT);
}

static void stop_ends_workers_at_once(void **state)
{
    uint64_t results[4];
    struct cs_cores cores = {2, 4, sizeof(*results), pause_item, stop, NULL};

    (void)state;
    assert_int_equal(cs_cores_run(&cores, results), CS_ESTOPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_same_for_any_number_of_workers),
        cmocka_unit_test(failure_and_death_of_a_worker_are_reported),
        cmocka_unit_test(stop_ends_workers_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
