/*
 * Barriers: every rank learns of every rank, without bytes.
 */
#include "tests/trial.h"

TEST(dissemination_takes_log_p_latencies)
{
    trial_sweep("barrier", "dissemination", (struct cs_call){0});
}

TEST(a_barrier_moves_no_bytes_at_any_size)
{
    struct trial trial =
        trial_of("barrier", "dissemination",
                 (struct cs_call){.ranks = 6, .elements = 1 << 20, .element_bytes = 4});

    assert_int_equal(trial.result.time_ps, 15000000);
    trial_traffic(&trial, 18, 0, 0);
}
