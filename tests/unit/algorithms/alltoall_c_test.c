/*
 * All-to-alls: time and bytes.
 */
#include "tests/trial.h"

/* Sizes are multiples of the number of ranks; one has a single element per
 * rank. */
static void expect_closed_form(const char *name, uint32_t radix)
{
    for (uint32_t p = 1; p <= 33; p++)
        for (uint64_t each = 1; each <= 1009; each += 1008)
            for (int t = 0; t < COUNT(textbooks); t++) {
                struct trial trial = {
                    .algo = trial_algo("alltoall", name),
                    .call = {.ranks = p, .elements = p * each, .element_bytes = 2, .radix = radix},
                    .textbook = &textbooks[t]};
                struct cs_err err;

                assert_true(trial_settle(&trial, &err));
                trial_run(&trial, "fifo");
                trial_check(&trial);
            }
}

static void many_ranks(const char *name, uint32_t radix)
{
    const uint32_t ranks[] = {64, 70, 100, 128};

    for (int i = 0; i < 4; i++)
        trial_of("alltoall", name,
                 (struct cs_call){.ranks = ranks[i],
                                  .elements = (uint64_t)100 * ranks[i],
                                  .element_bytes = 4,
                                  .radix = radix});
}

TEST(a_pairwise_exchange_takes_p_minus_1_blocks)
{
    expect_closed_form("pairwise", 0);
    many_ranks("pairwise", 0);
}

static void expect_closed_form_of_peers(uint32_t p, struct cs_call call)
{
    call.ranks = p;
    call.elements = (uint64_t)1009 * p;
    call.element_bytes = 2;
    trial_of("alltoall", "direct", call);
}

TEST(a_direct_exchange_pays_a_latency_for_each_round_of_peers)
{
    for (uint32_t p = 2; p <= 40; p++) {
        for (uint32_t peers = 0; peers <= 9; peers += 3)
            expect_closed_form_of_peers(p, (struct cs_call){.peers = peers});
        expect_closed_form_of_peers(p, (struct cs_call){.group = 4});
    }
}

TEST(bruck_sends_a_block_for_each_digit)
{
    expect_closed_form("bruck", 2);
    many_ranks("bruck", 2);
}

TEST(bruck_accepts_any_radix)
{
    expect_closed_form("bruck", 3);
    expect_closed_form("bruck", 4);
    expect_closed_form("bruck", 7);
    expect_closed_form("bruck", 40);
    many_ranks("bruck", 10);
}

/* Rounds and blocks counted digit by digit. */
TEST(bruck_has_the_steps_and_blocks_of_the_digits)
{
    for (uint32_t radix = 2; radix <= 5; radix++)
        for (uint32_t p = 2; p <= 40; p++) {
            struct cs_call call = {.ranks = p, .elements = p, .element_bytes = 1, .radix = radix};
            struct cs_cost cost = trial_algo("alltoall", "bruck")->cost(&call);
            double rounds = 0;
            double blocks = 0;

            for (uint32_t place = 1; place < p; place *= radix) {
                uint32_t digits = (p - 1) / place;

                rounds += digits < radix - 1 ? digits : radix - 1;
                for (uint32_t i = 0; i < p; i++)
                    blocks += i / place % radix != 0;
            }
            assert_true(cost.rounds == rounds);
            assert_true(cost.bytes == blocks);
        }
}

/* 1215 us and 715 us, and packing: twice 12 (9) blocks of 1 MB. */
TEST(closed_forms_equal_the_known_times)
{
    const struct cs_call calls[] = {
        {.ranks = 8, .elements = 8000000, .element_bytes = 1},
        {.ranks = 6, .elements = 6000000, .element_bytes = 1},
    };

    trial_vector("alltoall", "pairwise", calls[0], 735);
    trial_vector("alltoall", "pairwise", calls[1], 525);
    trial_vector("alltoall", "bruck", calls[0], 1215 + 240);
    trial_vector("alltoall", "bruck", calls[1], 715 + 140);
}

TEST(every_block_is_sent_once_or_once_for_each_digit)
{
    const struct cs_call call = {.ranks = 8, .elements = 8000000, .element_bytes = 1};
    struct trial trial = trial_of("alltoall", "pairwise", call);

    trial_traffic(&trial, 56, 56000000, 7000000);
    assert_int_equal(trial.proof.redundant_bytes, 0);
    trial = trial_of("alltoall", "bruck", call);
    trial_traffic(&trial, 24, 96000000, 12000000);
}

TEST(unequal_blocks_are_refused)
{
    trial_refused("alltoall", "pairwise",
                  (struct cs_call){.ranks = 3, .elements = 10, .element_bytes = 4},
                  "pairwise all-to-all cuts the vector into 3 equal blocks, but 10 elements do not "
                  "divide; a multiple of 12 B does");
}

/* Chunks (divisors of the node) and nodes at once, given or settled. */
TEST(rails_take_at_most_the_sum_of_both_lanes)
{
    static const uint32_t shapes[][4] = {{1, 2, 0, 0}, {2, 2, 0, 0},  {3, 2, 2, 2},
                                         {2, 5, 5, 0}, {4, 4, 2, 3},  {9, 3, 1, 8},
                                         {8, 8, 4, 3}, {35, 2, 0, 0}, {5, 6, 3, 9}};

    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
        for (uint64_t each = 1; each <= 10000; each += 9999) {
            uint32_t ranks = shapes[i][0] * shapes[i][1];

            trial_of("alltoall", "rails",
                     (struct cs_call){.ranks = ranks,
                                      .elements = ranks * each,
                                      .element_bytes = 4,
                                      .chunks = shapes[i][2],
                                      .peers = shapes[i][3],
                                      .group = shapes[i][1]});
        }
}

/* 4 nodes of 8 ranks: 3 x 8 blocks of 4 bytes per rank leave the node in 3
 * messages (in 12 with 4 chunks), 4 x 7 blocks are sent within. */
TEST(rails_join_the_blocks_of_a_node_in_one_message)
{
    struct cs_call call = {
        .ranks = 32, .elements = 32, .element_bytes = 4, .chunks = 1, .peers = 3, .group = 8};
    struct trial trial = trial_of("alltoall", "rails", call);

    trial_traffic(&trial, 992, 6656, 208);
    call.chunks = 4;
    trial = trial_of("alltoall", "rails", call);
    trial_traffic(&trial, 1280, 6656, 208);
}

/* One step for a short vector, and a chunk of every rank for a long vector. */
TEST(rails_have_more_steps_for_longer_vectors)
{
    const struct cs_hockney machine = {5e-6, 50e9, 0};
    const struct cs_algo *rails = trial_algo("alltoall", "rails");
    struct cs_call small = {.ranks = 64, .elements = 6400, .element_bytes = 4, .group = 8};
    struct cs_call large = {.ranks = 64, .elements = 64000000, .element_bytes = 4, .group = 8};

    cs_algo_resolve(rails, &small, &machine);
    assert_int_equal(small.chunks, 1);
    assert_int_equal(small.peers, 7);
    cs_algo_resolve(rails, &large, &machine);
    assert_int_equal(large.chunks, 4);
    assert_int_equal(large.peers, 1);
}

TEST(rails_refuse_chunks_that_do_not_divide_a_node)
{
    trial_refused(
        "alltoall", "rails",
        (struct cs_call){.ranks = 16, .elements = 16, .element_bytes = 4, .chunks = 3, .group = 8},
        "rails sends the blocks of a node in equal chunks: the 8 ranks of a node do not divide "
        "into 3");
}
