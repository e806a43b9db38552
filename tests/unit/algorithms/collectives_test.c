/*
 * Collectives but all-reduces and all-to-alls: time, bytes and reductions, for any root.
 */
#include "tests/trial.h"

#define VOLUME UINT64_C(8000000) /* of trial_calls[0] */

static const struct {
    const char *collective, *name;
} as_given[] = {
    {"all-gather", "ring"},
    {"all-gather", "doubling"},
    {"all-gather", "bruck"},
    {"all-gather", "circulant"},
    {"all-gather", "pat"},
    {"all-gather", "neighbour-exchange"},
    {"reduce-scatter", "ring"},
    {"reduce-scatter", "halving"},
    {"reduce-scatter", "circulant"},
    {"reduce-scatter", "pat"},
    {"sendrecv", "ring"},
    {"barrier", "dissemination"},
};

TEST(every_algorithm_takes_the_time_of_its_closed_form)
{
    for (int i = 0; i < COUNT(as_given); i++)
        trial_sweep(as_given[i].collective, as_given[i].name, (struct cs_call){0});
}

/* Groups: exchanges node by node. */
TEST(direct_pays_a_latency_for_each_round_of_peers)
{
    static const char *const blocks[] = {"all-gather", "reduce-scatter"};
    static const char *const pieces[] = {"gather", "scatter"};

    for (int c = 0; c < 2; c++) {
        for (uint32_t peers = 0; peers <= 7; peers++)
            trial_sweep(blocks[c], "direct", (struct cs_call){.peers = peers});
        trial_sweep(blocks[c], "direct", (struct cs_call){.peers = 3, .group = 4});
        trial_sweep(blocks[c], "direct", (struct cs_call){.group = 2});
        for (uint32_t peers = 1; peers <= 5; peers++)
            trial_sweep(pieces[c], "flat", (struct cs_call){.root = 1, .peers = peers});
    }
}

TEST(every_root_takes_the_time_of_the_closed_form)
{
    static const struct {
        const char *collective, *name;
        uint32_t chunks;
    } rooted[] = {
        {"broadcast", "flat", 0},   {"broadcast", "binomial", 0},
        {"broadcast", "chain", 1},  {"broadcast", "chain", 3},
        {"broadcast", "chain", 16}, {"broadcast", "scatter-allgather", 0},
        {"reduce", "flat", 0},      {"reduce", "binomial", 0},
        {"reduce", "chain", 1},     {"reduce", "chain", 3},
        {"reduce", "chain", 16},    {"reduce", "rabenseifner", 0},
        {"gather", "flat", 0},      {"gather", "binomial", 0},
        {"scatter", "flat", 0},     {"scatter", "binomial", 0},
    };

    for (int i = 0; i < COUNT(rooted); i++)
        trial_roots(rooted[i].collective, rooted[i].name, rooted[i].chunks);
}

/* Of trial_calls; 0: has none. */
TEST(closed_forms_equal_the_known_times)
{
    static const struct {
        const char *collective, *name;
        uint32_t peers;
        double time_us[3];
    } known[] = {
        {"all-gather", "ring", 0, {0, 0, 115.714800}},
        {"all-gather", "direct", 0, {705, 505, 0}},
        {"all-gather", "direct", 1, {735, 525, 0}},
        {"all-gather", "doubling", 0, {715, 0, 0}},
        {"all-gather", "bruck", 0, {715, 515, 0}},
        {"all-gather", "circulant", 0, {0, 515, 0}},
        {"all-gather", "pat", 0, {715, 515, 0}},
        /* 4 alpha + 7/8 V/beta: 20 + 700 us */
        {"all-gather", "neighbour-exchange", 0, {720, 0, 0}},
        /* 735 + 70, 715 + 70; 525 + 50, 515 + 50. */
        {"reduce-scatter", "ring", 0, {0, 0, 124.286280}},
        {"reduce-scatter", "direct", 0, {715, 515, 0}},
        {"reduce-scatter", "direct", 1, {805, 575, 0}},
        {"reduce-scatter", "halving", 0, {785, 0, 0}},
        {"reduce-scatter", "circulant", 0, {785, 565, 0}},
        {"broadcast", "flat", 0, {5635, 3025, 630.0018}},
        {"broadcast", "binomial", 0, {2415, 1815, 315.0009}},
        {"broadcast", "scatter-allgather", 0, {1450, 1040, 216.4293}},
        /* 5 + 7 * 800 + 80, 5 + 5 * 600 + 60, 5 + 6 * 100.0003 + 10.00003. */
        {"reduce", "flat", 0, {5685, 3065, 615.00183}},
        {"reduce", "binomial", 0, {2655, 1995, 345.00099}},
        /* 6 * 5 + 1400 + 70; 5 * 5 + 1500 + 105. */
        {"reduce", "rabenseifner", 0, {1500, 1630, 0}},
        {"gather", "flat", 0, {705, 505, 90.7145}},
        {"gather", "binomial", 0, {715, 515, 100.7145}},
        {"scatter", "flat", 1, {735, 525, 115.7145}},
        {"scatter", "flat", 0, {705, 505, 90.7145}},
        {"scatter", "binomial", 0, {715, 515, 100.7145}},
        {"sendrecv", "ring", 0, {805, 0, 0}},
        {"barrier", "dissemination", 0, {0, 15, 0}},
    };

    for (int k = 0; k < COUNT(known); k++)
        for (int i = 0; i < 3; i++) {
            struct cs_call call = trial_calls[i];

            call.peers = known[k].peers;
            if (known[k].time_us[i] > 0)
                trial_vector(known[k].collective, known[k].name, call, known[k].time_us[i]);
        }
}

/* Of trial_calls[0].  A tree to one root: 4 ranks send an eighth, 2 a quarter, one a half;
 * rabenseifner: 3 halvings of 8 ranks before. */
TEST(each_algorithm_sends_its_messages_and_bytes)
{
    static const struct {
        const char *collective, *name;
        uint32_t root, chunks;
        uint64_t messages, bytes, most_bytes;
    } sent[] = {
        {"all-gather", "direct", 0, 0, 56, 7 * VOLUME, 7 * VOLUME / 8},
        {"all-gather", "doubling", 0, 0, 24, 7 * VOLUME, 7 * VOLUME / 8},
        {"all-gather", "bruck", 0, 0, 24, 7 * VOLUME, 7 * VOLUME / 8},
        {"all-gather", "circulant", 0, 0, 24, 7 * VOLUME, 7 * VOLUME / 8},
        {"all-gather", "pat", 0, 0, 56, 7 * VOLUME, 7 * VOLUME / 8},
        {"all-gather", "neighbour-exchange", 0, 0, 32, 7 * VOLUME, 7 * VOLUME / 8},
        {"reduce-scatter", "direct", 0, 0, 56, 7 * VOLUME, 7 * VOLUME / 8},
        {"reduce-scatter", "halving", 0, 0, 24, 7 * VOLUME, 7 * VOLUME / 8},
        {"reduce-scatter", "circulant", 0, 0, 24, 7 * VOLUME, 7 * VOLUME / 8},
        {"broadcast", "flat", 5, 0, 7, 7 * VOLUME, 7 * VOLUME},
        {"broadcast", "binomial", 5, 0, 7, 7 * VOLUME, 3 * VOLUME},
        {"broadcast", "chain", 5, 4, 28, 7 * VOLUME, VOLUME},
        {"broadcast", "scatter-allgather", 5, 4, 7 + 56, 17 * VOLUME / 2, 14 * VOLUME / 8},
        {"reduce", "flat", 3, 0, 7, 7 * VOLUME, VOLUME},
        {"reduce", "binomial", 3, 0, 7, 7 * VOLUME, VOLUME},
        {"reduce", "chain", 3, 4, 28, 7 * VOLUME, VOLUME},
        {"reduce", "rabenseifner", 0, 0, 24 + 7, 17 * VOLUME / 2, 11 * VOLUME / 8},
        {"gather", "flat", 6, 0, 7, 7 * VOLUME / 8, VOLUME / 8},
        {"gather", "binomial", 6, 0, 7, 3 * VOLUME / 2, VOLUME / 2},
        {"scatter", "flat", 6, 0, 7, 7 * VOLUME / 8, 7 * VOLUME / 8},
        {"scatter", "binomial", 6, 0, 7, 3 * VOLUME / 2, 7 * VOLUME / 8},
        {"sendrecv", "ring", 0, 0, 8, 8 * VOLUME, VOLUME},
        {"barrier", "dissemination", 0, 0, 24, 0, 0},
    };

    for (int i = 0; i < COUNT(sent); i++) {
        bool scatters = strcmp(sent[i].collective, "reduce-scatter") == 0;
        bool gathers = strcmp(sent[i].collective, "all-gather") == 0;
        struct cs_call call = trial_calls[0];
        struct trial trial;

        call.root = sent[i].root;
        call.chunks = sent[i].chunks;
        trial = trial_of(sent[i].collective, sent[i].name, call);
        trial_traffic(&trial, sent[i].messages, sent[i].bytes, sent[i].most_bytes);
        if (gathers || strcmp(sent[i].collective, "sendrecv") == 0)
            assert_int_equal(trial.proof.redundant_bytes, gathers ? 7 * VOLUME : 0);
        assert_int_equal(trial.proof.has_reduce_scatter, scatters);
        if (scatters)
            assert_int_equal(trial.proof.redundant_after_scatter_bytes, 7 * VOLUME);
    }
}

TEST(numbers_of_ranks_that_do_not_fit_are_refused)
{
    trial_refused("all-gather", "neighbour-exchange", (struct cs_call){.ranks = 7, .elements = 7},
                  "neighbour-exchange pairs ranks and needs an even number of them, not 7");
    trial_refused("all-gather", "doubling", (struct cs_call){.ranks = 12, .elements = 12},
                  "doubling needs a power of two of ranks, not 12");
    trial_refused("reduce-scatter", "halving", (struct cs_call){.ranks = 6, .elements = 6},
                  "halving needs a power of two of ranks, not 6");
}

/* ---- chains and uneven pieces ---- */

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

/* No neighbouring number is better, and reductions do not set the pace. */
TEST(a_reducing_chain_takes_the_best_number_of_chunks)
{
    const struct cs_algo *algo = trial_algo("reduce", "chain");

    for (int i = 0; i < 3; i++)
        for (int t = 0; t < COUNT(textbooks) - 1; t++) {
            const struct cs_hockney *hockney = &textbooks[t].hockney;
            struct cs_call best = trial_calls[i];
            struct cs_call other;
            double time_s;

            cs_algo_resolve(algo, &best, hockney);
            time_s = cs_algo_closed_form_s(algo, &best, hockney);
            other = best;
            other.chunks = best.chunks * 2;
            assert_true(cs_algo_closed_form_s(algo, &other, hockney) > time_s);
            other.chunks = best.chunks / 2;
            assert_true(cs_algo_closed_form_s(algo, &other, hockney) > time_s);
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

/* Chunks that differ by an element: the reduction of a longer chunk is slower
 * than the send, the reduction of a shorter chunk is faster. */
TEST(a_chain_of_uneven_chunks_takes_the_longest_route)
{
    for (uint32_t i = 0; i < 12 * 12 * 2 * COUNT(textbooks); i++) {
        struct trial trial = {.algo = trial_algo("reduce", "chain"),
                              .call = {.ranks = 5,
                                       .elements = 1 + i / 2 % 12,
                                       .element_bytes = 4000,
                                       .chunks = 1 + i / 24 % 12,
                                       .root = i % 2},
                              .textbook = &textbooks[i / 288]};

        trial_run(&trial, "fifo");
        trial_check(&trial);
    }
}

/* Ranks 1, 2 and 3 have the longer pieces: a path other than the root's is the
 * longest. */
TEST(uneven_pieces_take_the_longest_path_of_every_root)
{
    for (uint32_t p = 2; p <= 13; p++)
        for (uint32_t root = 0; root < p; root++)
            for (uint32_t elements = 1; elements <= 2 * p; elements++)
                trial_of(
                    "scatter", "binomial",
                    (struct cs_call){
                        .ranks = p, .root = root, .elements = elements, .element_bytes = 8000});
}
