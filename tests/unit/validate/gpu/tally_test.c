/* Tallies: the counts of programs that can be counted by hand. */
#include "tests/unit/validate/synthetic.h"
#include "validate/gpu/machine.h"

enum {
    RANKS = 4,
    BLOCK = 1 << 16, /* bytes of a rank's block */
};

static struct cs_gpu_tally tally(const char *algorithm, uint64_t slice_bytes,
                                 struct cs_arena *arena)
{
    struct cs_gpu_query query = {.algorithm = algorithm,
                                 .transport = "device",
                                 .ranks = RANKS,
                                 .channels = 1,
                                 .bytes = (uint64_t)RANKS * BLOCK,
                                 .element_bytes = 4,
                                 .slice_bytes = slice_bytes};
    struct cs_gpu_resolved resolved;

    assert_done(cs_gpu_query_resolve(&query, &resolved, &err));
    return cs_gpu_tally_of(&query, &resolved.program, arena);
}

/* 2(p-1) rounds of a block from every rank; the first p-1 rounds add. */
ARENA_TEST(a_ring_sends_a_block_a_round_and_adds_in_half_of_them)
{
    struct cs_gpu_tally ring = tally("ring", BLOCK, arena);

    assert_true(ring.sends == 2 * (RANKS - 1) * RANKS);
    assert_true(ring.sending_rounds == 2 * (RANKS - 1));
    assert_true(ring.adds == (RANKS - 1) * RANKS);
    assert_true(ring.adding_rounds == RANKS - 1);
    assert_true(ring.reducers == RANKS);
    assert_true(ring.moved == 2.0 * BLOCK * ring.sends);
    /* An add reads the slot's vector and writes it: one access more. */
    assert_true(ring.touched == ring.moved + BLOCK * ring.adds);
    assert_true(ring.largest == BLOCK);
    assert_true(ring.received_alone == 0);
}

ARENA_TEST(a_block_of_four_slices_takes_three_more_passes_a_round)
{
    struct cs_gpu_tally whole = tally("ring", BLOCK, arena);
    struct cs_gpu_tally cut = tally("ring", BLOCK / 4, arena);

    assert_true(whole.ports[0].passes == 0);
    assert_true(cut.ports[0].passes == 3 * 2 * (RANKS - 1));
    assert_true(cut.slices == 4 * whole.slices);
}

/* Two rounds: to every other rank, and from every other rank. */
ARENA_TEST(messages_of_a_round_queue_at_both_ports)
{
    struct cs_gpu_tally ring = tally("ring", BLOCK, arena);
    struct cs_gpu_tally twoshot = tally("twoshot", BLOCK, arena);

    assert_true(ring.ports[0].queued == 0);
    assert_true(twoshot.ports[0].queued == 2 * 2 * (RANKS - 2));
}

ARENA_TEST(a_tree_receives_in_rounds_without_a_send)
{
    struct cs_gpu_tally tree = tally("tree", BLOCK, arena);

    assert_true(tree.received_alone > 0);
    assert_true(tree.received + tree.received_alone == 2.0 * (RANKS - 1) * RANKS * BLOCK);
}
