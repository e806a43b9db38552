/*
 * Barriers: every rank learns of every rank, without bytes.
 */
#include "tests/trial.h"

static void dissemination_takes_log_p_latencies(void **state)
{
    (void)state;
    trial_sweep("barrier", "dissemination", (struct cs_call){0});
}

static void a_barrier_moves_no_bytes_at_any_size(void **state)
{
    struct trial trial =
        trial_of("barrier", "dissemination",
                 (struct cs_call){.ranks = 6, .elements = 1 << 20, .element_bytes = 4});

    (void)state;
    assert_int_equal(trial.result.time_ps, 15000000);
    trial_traffic(&trial, 18, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dissemination_takes_log_p_latencies),
        cmocka_unit_test(a_barrier_moves_no_bytes_at_any_size),
    };

    return cmocka_run_group_tests_name("barrier", tests, NULL, NULL);
}
