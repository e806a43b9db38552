/*
 * Reduce-scatters: time and bytes.
 */
#include "tests/trial.h"

static void a_hierarchical_reduce_scatter_takes_at_most_the_sum_of_its_lanes(
    void **state)
{
    (void)state;
    for (uint32_t group = 2; group <= 4; group++)
        for (uint32_t nodes = 1; nodes <= 5; nodes++)
            for (uint32_t chunks = 1; chunks <= 3; chunks++)
                trial_sizes("reduce-scatter", "hierarchical",
                            (struct cs_call){.ranks = group * nodes,
                                             .group = group,
                                             .chunks = chunks});
    trial_refused("reduce-scatter", "hierarchical",
                  (struct cs_call){.ranks = 6, .elements = 6, .group = 4},
                  "hierarchical needs nodes that are full: 6 ranks are not a "
                  "multiple of --group 4");
}

/* Each node receives every block of other nodes once. */
static void a_hierarchical_reduce_scatter_sends_each_block_to_a_node_once(
    void **state)
{
    struct trial trial = trial_of("reduce-scatter", "hierarchical",
                                  (struct cs_call){.ranks = 12,
                                                   .elements = 1200,
                                                   .element_bytes = 1,
                                                   .group = 4,
                                                   .chunks = 5});

    (void)state;
    /* 2 nodes x 5 chunks along the rail, 3 ranks x (10 chunks + own block). */
    trial_traffic(&trial, UINT64_C(12) * (10 + 3 * 11), UINT64_C(12) * 1100,
                  1100);
}

/* 3 nodes of 4 ranks, 2 chunks of 8 of the 16 blocks of a node: 2 blocks of each
 * rank.  A node has 3 messages from the leader and 9 of own blocks, 2 x 2 to the
 * next leader and 3 x 4 along the chain; a leader sends 4 x 200 bytes to the next
 * leader and 3 x 100, another rank 4 x 200 along the chain and 3 x 100. */
static void leaders_of_a_reduce_scatter_send_for_their_node(void **state)
{
    struct trial trial = trial_of("reduce-scatter", "hierarchical-leader",
                                  (struct cs_call){.ranks = 12,
                                                   .elements = 1200,
                                                   .element_bytes = 1,
                                                   .group = 4,
                                                   .chunks = 2});

    (void)state;
    trial_traffic(&trial, UINT64_C(3) * (3 + 9 + 4 + 12),
                  UINT64_C(3) * (300 + 900 + 800 + 2400), 1100);
}

static void leaders_of_a_reduce_scatter_serve_nodes_of_any_size(void **state)
{
    (void)state;
    for (uint32_t group = 2; group <= 5; group++)
        for (uint32_t nodes = 1; nodes <= 5; nodes++)
            for (uint32_t chunks = 0; chunks <= 7; chunks++)
                trial_sizes("reduce-scatter", "hierarchical-leader",
                            (struct cs_call){.ranks = group * nodes,
                                             .group = group,
                                             .chunks = chunks});
    trial_refused("reduce-scatter", "hierarchical-leader",
                  (struct cs_call){.ranks = 6, .elements = 6, .group = 4},
                  "hierarchical-leader needs nodes that are full: 6 ranks are "
                  "not a multiple of --group 4");
}

/* Groups: exchanges node by node. */
static void direct_pays_a_latency_for_each_round_of_peers(void **state)
{
    (void)state;
    for (uint32_t peers = 0; peers <= 7; peers++)
        trial_sweep("reduce-scatter", "direct",
                    (struct cs_call){.peers = peers});
    trial_sweep("reduce-scatter", "direct",
                (struct cs_call){.peers = 3, .group = 4});
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

static const struct cs_call calls[] = {
    {.ranks = 8, .elements = 8000000, .element_bytes = 1},
    {.ranks = 6, .elements = 6000000, .element_bytes = 1},
    {.ranks = 7, .elements = 1000003, .element_bytes = 1},
};

static void closed_forms_equal_the_known_times(void **state)
{
    /* 735 + 70, 715 + 70; 525 + 50, 515 + 50. */
    (void)state;
    trial_vector("reduce-scatter", "ring", calls[2], 124.286280);
    trial_vector("reduce-scatter", "direct", calls[0], 715);
    trial_vector("reduce-scatter", "direct", calls[1], 515);
    for (int i = 0; i < 2; i++) {
        struct cs_call one_peer = calls[i];

        one_peer.peers = 1;
        trial_vector("reduce-scatter", "direct", one_peer, i ? 575 : 805);
    }
    trial_vector("reduce-scatter", "halving", calls[0], 785);
    trial_vector("reduce-scatter", "circulant", calls[0], 785);
    trial_vector("reduce-scatter", "circulant", calls[1], 565);
}

static void every_contribution_moves_once(void **state)
{
    const char *const names[] = {"direct", "halving", "circulant"};
    const uint64_t messages[] = {56, 24, 24};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct trial trial = trial_of("reduce-scatter", names[i], calls[0]);

        trial_traffic(&trial, messages[i], 56000000, 7000000);
        assert_true(trial.proof.has_reduce_scatter);
        assert_int_equal(trial.proof.redundant_after_scatter_bytes, 56000000);
    }
}

static void halving_refuses_other_numbers_than_powers_of_two(void **state)
{
    (void)state;
    trial_refused("reduce-scatter", "halving",
                  (struct cs_call){.ranks = 6, .elements = 6},
                  "halving needs a power of two of ranks, not 6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_hierarchical_reduce_scatter_takes_at_most_the_sum_of_its_lanes),
        cmocka_unit_test(
            a_hierarchical_reduce_scatter_sends_each_block_to_a_node_once),
        cmocka_unit_test(leaders_of_a_reduce_scatter_send_for_their_node),
        cmocka_unit_test(leaders_of_a_reduce_scatter_serve_nodes_of_any_size),
        cmocka_unit_test(direct_pays_a_latency_for_each_round_of_peers),
        cmocka_unit_test(ring_and_direct_take_p_minus_1_blocks),
        cmocka_unit_test(halving_takes_a_vector_in_log_p_rounds),
        cmocka_unit_test(closed_forms_equal_the_known_times),
        cmocka_unit_test(every_contribution_moves_once),
        cmocka_unit_test(halving_refuses_other_numbers_than_powers_of_two),
    };

    return cmocka_run_group_tests_name("reducescatter", tests, NULL, NULL);
}
