/*
 * Broadcasts: time and bytes, for any root.
 */
#include "tests/trial.h"

TEST(a_flat_broadcast_takes_p_minus_1_vectors)
{
    trial_roots("broadcast", "flat", 0);
}

TEST(a_binomial_broadcast_takes_log_p_vectors)
{
    trial_roots("broadcast", "binomial", 0);
}

TEST(a_chain_takes_the_time_of_chunks_and_hops)
{
    trial_roots("broadcast", "chain", 1);
    trial_roots("broadcast", "chain", 3);
    trial_roots("broadcast", "chain", 16);
}

TEST(a_scatter_and_all_gather_take_two_vectors)
{
    trial_roots("broadcast", "scatter-allgather", 0);
}

TEST(closed_forms_equal_the_known_times)
{
    const double flat_us[] = {5635, 3025, 630.0018};
    const double binomial_us[] = {2415, 1815, 315.0009};
    const double scattered_us[] = {1450, 1040, 216.4293};

    for (int i = 0; i < 3; i++) {
        trial_vector("broadcast", "flat", trial_calls[i], flat_us[i]);
        trial_vector("broadcast", "binomial", trial_calls[i], binomial_us[i]);
        trial_vector("broadcast", "scatter-allgather", trial_calls[i], scattered_us[i]);
    }
}

/* 37 (5 + 8e6/31/1e4), 26 (5 + 6e6/22/1e4), 15 (5 + 100000.3/1e4), with what
 * the longest chunk has more than V/k. */
TEST(a_chain_takes_the_best_number_of_chunks)
{
    const double chain_us[] = {1139.838710, 839.090909, 225.000450};
    const uint32_t chunks[] = {31, 22, 10};

    for (int i = 0; i < 3; i++) {
        struct trial trial = trial_of("broadcast", "chain", trial_calls[i]);
        double hops = trial_calls[i].ranks - 2.0;

        assert_int_equal(trial.call.chunks, chunks[i]);
        assert_true(trial.closed_ps >= 1e6 * chain_us[i] - 1);
        assert_true(trial.closed_ps <= 1e6 * chain_us[i] + 100 * hops);
    }
}

TEST(open_chunks_are_no_more_than_elements)
{
    struct cs_call call = {.ranks = 100, .elements = 3, .element_bytes = 4};
    struct cs_hockney free = {0, 1e9, 0};

    cs_algo_resolve(trial_algo("broadcast", "chain"), &call, &free);
    assert_int_equal(call.chunks, 3);
    call.chunks = 7;
    cs_algo_resolve(trial_algo("broadcast", "chain"), &call, &free);
    assert_int_equal(call.chunks, 7);
    call = (struct cs_call){.ranks = 2, .elements = 1 << 20};
    cs_algo_resolve(trial_algo("broadcast", "chain"), &call, &free);
    assert_in_range(call.chunks, 1, 65536);
}

TEST(every_rank_but_the_root_is_sent_the_vector_once)
{
    const uint64_t volume = 8000000;
    struct cs_call call = trial_calls[0];
    struct trial trial;

    call.root = 5;
    trial = trial_of("broadcast", "flat", call);
    trial_traffic(&trial, 7, 7 * volume, 7 * volume);
    trial = trial_of("broadcast", "binomial", call);
    trial_traffic(&trial, 7, 7 * volume, 3 * volume);
    call.chunks = 4;
    trial = trial_of("broadcast", "chain", call);
    trial_traffic(&trial, 28, 7 * volume, volume);
    trial = trial_of("broadcast", "scatter-allgather", call);
    trial_traffic(&trial, 7 + 56, 7 * volume + 3 * volume / 2, 14 * volume / 8);
}
