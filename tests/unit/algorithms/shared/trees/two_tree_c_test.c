/*
 * Two trees: shape, timetable and programs.
 */
#include "algorithms/shared/trees/two_tree.h"
#include "tests/trial.h"

enum {
    RANKS_MAX = 600
};

TEST(a_childs_parent_has_it_as_a_child)
{
    for (uint32_t p = 2; p <= RANKS_MAX; p++)
        for (uint32_t tree = 0; tree < 2; tree++)
            for (uint32_t slot = 0; slot < p; slot++) {
                struct cs_tree_place place = cs_two_tree_place(p, tree, slot);

                assert_true(slot == 0 || place.parent < p);
                assert_true(slot > 0 || place.child_count == 1);
                for (uint32_t i = 0; i < place.child_count; i++)
                    assert_int_equal(cs_two_tree_place(p, tree, place.child[i]).parent, slot);
            }
}

TEST(a_slot_has_at_most_two_children_in_both_trees)
{
    for (uint32_t p = 2; p <= RANKS_MAX; p++)
        for (uint32_t slot = 0; slot < p; slot++)
            assert_true(cs_two_tree_place(p, 0, slot).child_count +
                            cs_two_tree_place(p, 1, slot).child_count <=
                        2);
}

/* Every edge except the first is used after the edge above. */
TEST(the_first_chunk_is_everywhere_after_twice_the_logarithm)
{
    for (uint32_t p = 2; p <= RANKS_MAX; p++)
        for (uint32_t tree = 0; tree < 2; tree++)
            for (uint32_t slot = 1; slot < p; slot++) {
                uint32_t step = cs_two_tree_first_step(p, tree, slot);
                uint32_t parent = cs_two_tree_place(p, tree, slot).parent;

                assert_true(step < 2 * cs_log2_up(p));
                assert_true(parent == 0 || cs_two_tree_first_step(p, tree, parent) < step);
            }
}

/* Even and odd steps have different arrivals and different sends. */
TEST(no_port_has_two_messages_in_a_step)
{
    for (uint32_t p = 2; p <= RANKS_MAX; p++)
        for (uint32_t slot = 0; slot < p; slot++) {
            uint32_t out[2] = {0, 0};

            if (slot > 0)
                assert_true(
                    (cs_two_tree_first_step(p, 0, slot) + cs_two_tree_first_step(p, 1, slot)) % 2);
            for (uint32_t tree = 0; tree < 2; tree++) {
                struct cs_tree_place place = cs_two_tree_place(p, tree, slot);

                for (uint32_t i = 0; i < place.child_count; i++)
                    out[cs_two_tree_first_step(p, tree, place.child[i]) % 2]++;
            }
            assert_true(out[0] <= 1 && out[1] <= 1);
        }
}

static void expect_closed_form(const char *collective)
{
    const uint32_t chunks[] = {1, 5, 16};

    for (uint32_t i = 0; i < 3; i++)
        trial_sweep(collective, "two-tree", (struct cs_call){.root = i, .chunks = chunks[i]});
}

TEST(a_broadcast_takes_no_longer_than_the_timetable)
{
    expect_closed_form("broadcast");
}

TEST(a_reduce_is_right_and_beats_no_bound)
{
    expect_closed_form("reduce");
}

/* With 60 chunks: up to a quarter longer than the timetable, where ranks send
 * before the step. */
TEST(a_reduce_takes_at_most_a_quarter_longer)
{
    for (uint32_t p = 2; p <= 64; p++) {
        struct trial trial = {
            .algo = trial_algo("reduce", "two-tree"),
            .call = {.ranks = p, .elements = 600000, .element_bytes = 4, .chunks = 60},
            .textbook = &textbooks[2]};

        trial_run(&trial, "fifo");
        if ((double)trial.result.time_ps > 1.25 * trial.closed_ps)
            trial_fail(&trial, "more than a quarter longer");
    }
}

/* 13 in either tree: sqrt(2 * 9e6 / (2 * 5e-6 * 1e10)). */
TEST(closed_forms_equal_the_known_times)
{
    const struct cs_call call = {.ranks = 8, .elements = 9000000, .element_bytes = 1};
    struct trial trial = trial_of("broadcast", "two-tree", call);

    assert_int_equal(trial.call.chunks, 26);
    trial_vector(
        "broadcast", "two-tree",
        (struct cs_call){.ranks = 8, .elements = 9000000, .element_bytes = 1, .chunks = 30},
        34 * (5 + 30.0));
    trial_vector(
        "reduce", "two-tree",
        (struct cs_call){.ranks = 8, .elements = 9000000, .element_bytes = 1, .chunks = 30},
        34 * (5 + 30.0 + 3.0));
}

TEST(every_slot_receives_the_vector_once)
{
    const uint64_t volume = 8000000;
    struct cs_call call = {
        .ranks = 9, .elements = volume, .element_bytes = 1, .root = 2, .chunks = 8};
    struct trial trial = trial_of("broadcast", "two-tree", call);

    trial_traffic(&trial, 64, 8 * volume, volume);
    trial = trial_of("reduce", "two-tree", call);
    trial_traffic(&trial, 64, 8 * volume, volume);
}
