/*
 * Reduce-scatters: time and bytes.
 */
#include "tests/trial.h"

/* Groups: exchanges node by node. */
static void direct_pays_a_latency_for_each_round_of_peers(void **state)
{
    (void)state;
    for (uint32_t peers = 0; peers <= 7; peers++)
        trial_sweep("reduce-scatter", "direct", (struct cs_call){.peers = peers});
    trial_sweep("reduce-scatter", "direct", (struct cs_call){.peers = 3, .group = 4});
    trial_sweep("reduce-scatter", "direct", (struct cs_call){.group = 2});
}

static void ring_and_direct_take_p_minus_1_blocks(void **state)
{
    (void)state;
    trial_sweep("reduce-scatter", "ring", (struct cs_call){0});
    trial_sweep("reduce-scatter", "direct", (struct cs_call){.peers = 1});
}

static void halving_takes_a_vector_in_log_p_rounds(void **state)
{
    (void)state;
    trial_sweep("reduce-scatter", "halving", (struct cs_call){0});
    trial_sweep("reduce-scatter", "circulant", (struct cs_call){0});
    trial_sweep("reduce-scatter", "pat", (struct cs_call){0});
}

static void closed_forms_equal_the_known_times(void **state)
{
    /* 735 + 70, 715 + 70; 525 + 50, 515 + 50. */
    (void)state;
    trial_vector("reduce-scatter", "ring", trial_calls[2], 124.286280);
    trial_vector("reduce-scatter", "direct", trial_calls[0], 715);
    trial_vector("reduce-scatter", "direct", trial_calls[1], 515);
    for (int i = 0; i < 2; i++) {
        struct cs_call one_peer = trial_calls[i];

        one_peer.peers = 1;
        trial_vector("reduce-scatter", "direct", one_peer, i ? 575 : 805);
    }
    trial_vector("reduce-scatter", "halving", trial_calls[0], 785);
    trial_vector("reduce-scatter", "circulant", trial_calls[0], 785);
    trial_vector("reduce-scatter", "circulant", trial_calls[1], 565);
}

static void every_contribution_moves_once(void **state)
{
    const char *const names[] = {"direct", "halving", "circulant"};
    const uint64_t messages[] = {56, 24, 24};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct trial trial = trial_of("reduce-scatter", names[i], trial_calls[0]);

        trial_traffic(&trial, messages[i], 56000000, 7000000);
        assert_true(trial.proof.has_reduce_scatter);
        assert_int_equal(trial.proof.redundant_after_scatter_bytes, 56000000);
    }
}

static void halving_refuses_other_numbers_than_powers_of_two(void **state)
{
    (void)state;
    trial_refused("reduce-scatter", "halving", (struct cs_call){.ranks = 6, .elements = 6},
                  "halving needs a power of two of ranks, not 6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direct_pays_a_latency_for_each_round_of_peers),
        cmocka_unit_test(ring_and_direct_take_p_minus_1_blocks),
        cmocka_unit_test(halving_takes_a_vector_in_log_p_rounds),
        cmocka_unit_test(closed_forms_equal_the_known_times),
        cmocka_unit_test(every_contribution_moves_once),
        cmocka_unit_test(halving_refuses_other_numbers_than_powers_of_two),
    };

    return cmocka_run_group_tests_name("reducescatter", tests, NULL, NULL);
}
