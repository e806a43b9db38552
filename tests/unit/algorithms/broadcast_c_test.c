/*
 * Broadcasts: time and bytes, for any root.
 */
#include "tests/trial.h"

/* The last two ranks as roots make runs of blocks wrap. */
static void expect_closed_form(const char *name, uint32_t chunks)
{
    for (uint32_t back = 0; back < 3; back++)
        trial_sweep("broadcast", name,
                    (struct cs_call){.root = back, .chunks = chunks});
}

static void a_flat_broadcast_takes_p_minus_1_vectors(void **state)
{
    (void)state;
    expect_closed_form("flat", 0);
}

static void a_binomial_broadcast_takes_log_p_vectors(void **state)
{
    (void)state;
    expect_closed_form("binomial", 0);
}

static void a_chain_takes_the_time_of_chunks_and_hops(void **state)
{
    (void)state;
    expect_closed_form("chain", 1);
    expect_closed_form("chain", 3);
    expect_closed_form("chain", 16);
}

static void a_scatter_and_all_gather_take_two_vectors(void **state)
{
    (void)state;
    expect_closed_form("scatter-allgather", 0);
}

static const struct cs_call calls[] = {
    {.ranks = 8, .elements = 8000000, .element_bytes = 1},
    {.ranks = 6, .elements = 6000000, .element_bytes = 1},
    {.ranks = 7, .elements = 1000003, .element_bytes = 1},
};

static void closed_forms_equal_the_known_times(void **state)
{
    const double flat_us[] = {5635, 3025, 630.0018};
    const double binomial_us[] = {2415, 1815, 315.0009};
    const double scattered_us[] = {1450, 1040, 216.4293};

    (void)state;
    for (int i = 0; i < 3; i++) {
        trial_vector("broadcast", "flat", calls[i], flat_us[i]);
        trial_vector("broadcast", "binomial", calls[i], binomial_us[i]);
        trial_vector("broadcast", "scatter-allgather", calls[i],
                     scattered_us[i]);
    }
}

/* 37 (5 + 8e6/31/1e4), 26 (5 + 6e6/22/1e4), 15 (5 + 100000.3/1e4), with what
 * the longest chunk has more than V/k. */
static void a_chain_takes_the_best_number_of_chunks(void **state)
{
    const double chain_us[] = {1139.838710, 839.090909, 225.000450};
    const uint32_t chunks[] = {31, 22, 10};

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct trial trial = trial_of("broadcast", "chain", calls[i]);
        double hops = calls[i].ranks - 2.0;

        assert_int_equal(trial.call.chunks, chunks[i]);
        assert_true(trial.closed_ps >= 1e6 * chain_us[i] - 1);
        assert_true(trial.closed_ps <= 1e6 * chain_us[i] + 100 * hops);
    }
}

static void open_chunks_are_no_more_than_elements(void **state)
{
    struct cs_call call = {.ranks = 100, .elements = 3, .element_bytes = 4};
    struct cs_hockney free = {0, 1e9, 0};

    (void)state;
    cs_algo_resolve(trial_algo("broadcast", "chain"), &call, &free);
    assert_int_equal(call.chunks, 3);
    call.chunks = 7;
    cs_algo_resolve(trial_algo("broadcast", "chain"), &call, &free);
    assert_int_equal(call.chunks, 7);
    call = (struct cs_call){.ranks = 2, .elements = 1 << 20};
    cs_algo_resolve(trial_algo("broadcast", "chain"), &call, &free);
    assert_in_range(call.chunks, 1, 65536);
}

static void every_rank_but_the_root_is_sent_the_vector_once(void **state)
{
    const uint64_t volume = 8000000;
    struct cs_call call = calls[0];
    struct trial trial;

    (void)state;
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

/* Nodes of any number and size, and every root: proven, above the bound. */
static void a_hierarchical_broadcast_is_proven_for_every_root(void **state)
{
    (void)state;
    for (uint32_t group = 2; group <= 4; group++)
        for (uint32_t nodes = 1; nodes <= 3; nodes++)
            for (uint32_t root = 0; root < group * nodes; root++)
                trial_sizes("broadcast", "hierarchical",
                            (struct cs_call){.ranks = group * nodes,
                                             .group = group,
                                             .root = root,
                                             .chunks = 1 + root % 3});
    trial_refused("broadcast", "hierarchical",
                  (struct cs_call){.ranks = 4, .elements = 6},
                  "hierarchical needs nodes of several ranks, equally "
                  "many in each; --group says how many");
}

/* 3 nodes of 4, 2 chunks of each of 3 pieces: of each chunk one message from or
 * to the root, 2 within its node, 2 between nodes, and 3 within each other. */
static void a_hierarchical_broadcast_moves_a_vector_once_for_each_rank(
    void **state)
{
    struct trial trial = trial_of("broadcast", "hierarchical",
                                  (struct cs_call){.ranks = 12,
                                                   .elements = 6000,
                                                   .element_bytes = 1,
                                                   .root = 6,
                                                   .group = 4,
                                                   .chunks = 2});

    (void)state;
    trial_traffic(&trial, UINT64_C(6) * (1 + 2 + 2 + 6), UINT64_C(11) * 6000,
                  8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hierarchical_broadcast_is_proven_for_every_root),
        cmocka_unit_test(
            a_hierarchical_broadcast_moves_a_vector_once_for_each_rank),
        cmocka_unit_test(a_flat_broadcast_takes_p_minus_1_vectors),
        cmocka_unit_test(a_binomial_broadcast_takes_log_p_vectors),
        cmocka_unit_test(a_chain_takes_the_time_of_chunks_and_hops),
        cmocka_unit_test(a_scatter_and_all_gather_take_two_vectors),
        cmocka_unit_test(closed_forms_equal_the_known_times),
        cmocka_unit_test(a_chain_takes_the_best_number_of_chunks),
        cmocka_unit_test(open_chunks_are_no_more_than_elements),
        cmocka_unit_test(every_rank_but_the_root_is_sent_the_vector_once),
    };

    return cmocka_run_group_tests_name("broadcast", tests, NULL, NULL);
}
