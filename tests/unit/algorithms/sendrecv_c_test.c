/*
 * Send-receive: every rank to the next rank.
 */
#include "tests/trial.h"

TEST(a_ring_of_sends_takes_the_time_of_one_send)
{
    trial_sweep("sendrecv", "ring", (struct cs_call){0});
}

TEST(every_rank_sends_its_vector)
{
    struct trial trial = trial_of(
        "sendrecv", "ring", (struct cs_call){.ranks = 8, .elements = 8000000, .element_bytes = 1});

    assert_int_equal(trial.result.time_ps, 805000000);
    trial_traffic(&trial, 8, 64000000, 8000000);
    assert_int_equal(trial.proof.redundant_bytes, 0);
}
