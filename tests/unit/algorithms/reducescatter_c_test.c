/*
 * Reduce-scatters: time and bytes.
 */
#include "tests/trial.h"

/* Groups: exchanges node by node. */
TEST(direct_pays_a_latency_for_each_round_of_peers)
{
    for (uint32_t peers = 0; peers <= 7; peers++)
        trial_sweep("reduce-scatter", "direct", (struct cs_call){.peers = peers});
    trial_sweep("reduce-scatter", "direct", (struct cs_call){.peers = 3, .group = 4});
    trial_sweep("reduce-scatter", "direct", (struct cs_call){.group = 2});
}

TEST(ring_and_direct_take_p_minus_1_blocks)
{
    trial_sweep("reduce-scatter", "ring", (struct cs_call){0});
    trial_sweep("reduce-scatter", "direct", (struct cs_call){.peers = 1});
}

TEST(halving_takes_a_vector_in_log_p_rounds)
{
    trial_sweep("reduce-scatter", "halving", (struct cs_call){0});
    trial_sweep("reduce-scatter", "circulant", (struct cs_call){0});
    trial_sweep("reduce-scatter", "pat", (struct cs_call){0});
}

TEST(closed_forms_equal_the_known_times)
{
    /* 735 + 70, 715 + 70; 525 + 50, 515 + 50. */
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

TEST(every_contribution_moves_once)
{
    const char *const names[] = {"direct", "halving", "circulant"};
    const uint64_t messages[] = {56, 24, 24};

    for (int i = 0; i < 3; i++) {
        struct trial trial = trial_of("reduce-scatter", names[i], trial_calls[0]);

        trial_traffic(&trial, messages[i], 56000000, 7000000);
        assert_true(trial.proof.has_reduce_scatter);
        assert_int_equal(trial.proof.redundant_after_scatter_bytes, 56000000);
    }
}

TEST(halving_refuses_other_numbers_than_powers_of_two)
{
    trial_refused("reduce-scatter", "halving", (struct cs_call){.ranks = 6, .elements = 6},
                  "halving needs a power of two of ranks, not 6");
}
