/*
 * All-gathers: time and bytes.
 */
#include "tests/trial.h"

/* Groups: exchanges node by node. */
TEST(direct_pays_a_latency_for_each_round_of_peers)
{
    for (uint32_t peers = 0; peers <= 7; peers++)
        trial_sweep("all-gather", "direct", (struct cs_call){.peers = peers});
    trial_sweep("all-gather", "direct", (struct cs_call){.peers = 3, .group = 4});
    trial_sweep("all-gather", "direct", (struct cs_call){.group = 2});
}

TEST(ring_and_direct_take_p_minus_1_blocks)
{
    trial_sweep("all-gather", "ring", (struct cs_call){0});
    trial_sweep("all-gather", "direct", (struct cs_call){.peers = 1});
}

TEST(doubling_takes_a_vector_in_log_p_rounds)
{
    trial_sweep("all-gather", "doubling", (struct cs_call){0});
    trial_sweep("all-gather", "bruck", (struct cs_call){0});
    trial_sweep("all-gather", "circulant", (struct cs_call){0});
    trial_sweep("all-gather", "pat", (struct cs_call){0});
}

TEST(neighbour_exchange_takes_half_the_rounds_of_a_ring)
{
    trial_sweep("all-gather", "neighbour-exchange", (struct cs_call){0});
    /* 4 alpha + 7/8 V/beta: 20 + 700 us */
    trial_vector("all-gather", "neighbour-exchange", trial_calls[0], 720);
    trial_refused("all-gather", "neighbour-exchange", (struct cs_call){.ranks = 7, .elements = 7},
                  "neighbour-exchange pairs ranks and needs an even number of them, not 7");
}

TEST(closed_forms_equal_the_known_times)
{
    trial_vector("all-gather", "ring", trial_calls[2], 115.714800);
    trial_vector("all-gather", "direct", trial_calls[0], 705);
    trial_vector("all-gather", "direct", trial_calls[1], 505);
    for (int i = 0; i < 2; i++) {
        struct cs_call one_peer = trial_calls[i];

        one_peer.peers = 1;
        trial_vector("all-gather", "direct", one_peer, i ? 525 : 735);
    }
    trial_vector("all-gather", "doubling", trial_calls[0], 715);
    trial_vector("all-gather", "bruck", trial_calls[0], 715);
    trial_vector("all-gather", "bruck", trial_calls[1], 515);
    trial_vector("all-gather", "circulant", trial_calls[1], 515);
    trial_vector("all-gather", "pat", trial_calls[0], 715);
    trial_vector("all-gather", "pat", trial_calls[1], 515);
}

TEST(every_block_reaches_every_rank_once)
{
    const char *const names[] = {"direct",    "doubling", "bruck",
                                 "circulant", "pat",      "neighbour-exchange"};
    const uint64_t messages[] = {56, 24, 24, 24, 56, 32};

    for (int i = 0; i < 6; i++) {
        struct trial trial = trial_of("all-gather", names[i], trial_calls[0]);

        trial_traffic(&trial, messages[i], 56000000, 7000000);
        assert_int_equal(trial.proof.redundant_bytes, 56000000);
    }
}

TEST(doubling_refuses_other_numbers_than_powers_of_two)
{
    trial_refused("all-gather", "doubling", (struct cs_call){.ranks = 12, .elements = 12},
                  "doubling needs a power of two of ranks, not 12");
}
