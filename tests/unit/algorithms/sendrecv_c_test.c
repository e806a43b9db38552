/*
 * Send-receive: every rank to the next rank.
 */
#include "tests/trial.h"

static void a_ring_of_sends_takes_the_time_of_one_send(void **state)
{
    (void)state;
    trial_sweep("sendrecv", "ring", (struct cs_call){0});
}

static void every_rank_sends_its_vector(void **state)
{
    struct trial trial = trial_of(
        "sendrecv", "ring", (struct cs_call){.ranks = 8, .elements = 8000000, .element_bytes = 1});

    (void)state;
    assert_int_equal(trial.result.time_ps, 805000000);
    trial_traffic(&trial, 8, 64000000, 8000000);
    assert_int_equal(trial.proof.redundant_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_sends_takes_the_time_of_one_send),
        cmocka_unit_test(every_rank_sends_its_vector),
    };

    return cmocka_run_group_tests_name("sendrecv", tests, NULL, NULL);
}
