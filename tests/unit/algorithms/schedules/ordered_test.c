/* Ordered sums: waits between rounds of lanes that add to one block. */
#include "algorithms/schedules/ordered.h"

#include "tests/fixture.h"

enum {
    LANES = 2,
    ROUNDS = 2
};

/* Lane 0 adds to block 0, then to block 1; lane 1 to block 1, then to block 0, or to blocks of its
 * own. */
struct reducers {
    bool apart;
};

static uint64_t reducers_rounds(const void *ctx, struct cs_at at)
{
    (void)ctx;
    (void)at;
    return ROUNDS;
}

static void reducers_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct reducers *reducers = ctx;
    uint32_t block = at.lane == 0 ? (uint32_t)at.round : 1 - (uint32_t)at.round;

    if (reducers->apart)
        block += 2 * at.lane;
    cs_ops_recv_reduce(ops, 0, (struct cs_blocks){block, 1});
}

static bool order(const struct reducers *reducers, struct cs_program *ordered,
                  struct cs_arena *arena)
{
    struct cs_program *program = cs_arena_alloc(arena, 1, sizeof(*program));

    *program = (struct cs_program){.ranks = 1,
                                   .lanes = LANES,
                                   .blocks = 4,
                                   .ctx = reducers,
                                   .rounds = reducers_rounds,
                                   .round = reducers_round};
    return cs_ordered_of(program, arena, ordered);
}

ARENA_TEST(a_lane_waits_for_the_last_round_that_adds_to_its_block)
{
    static const struct reducers reducers = {.apart = false};
    struct cs_program ordered;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    /* Lane by lane a round each: 0 of lane 0 and of lane 1, then 1 of both, which wait. */
    assert_true(order(&reducers, &ordered, arena));
    for (uint32_t lane = 0; lane < LANES; lane++) {
        assert_int_equal(cs_program_rounds(&ordered, 0, lane), ROUNDS + 1);
        cs_program_read(&ordered, (struct cs_at){0, lane, 0}, &ops);
        assert_int_equal(ops.op[0].kind, CS_OP_RECV_REDUCE);
        cs_program_read(&ordered, (struct cs_at){0, lane, 1}, &ops);
        assert_int_equal(ops.count, 1);
        assert_int_equal(ops.op[0].kind, CS_OP_WAIT);
        assert_int_equal(ops.op[0].peer, 1 - lane);
        assert_int_equal(ops.op[0].source, 0);
        cs_program_read(&ordered, (struct cs_at){0, lane, 2}, &ops);
        assert_int_equal(ops.op[0].kind, CS_OP_RECV_REDUCE);
    }
}

ARENA_TEST(lanes_that_add_to_blocks_of_their_own_do_not_wait)
{
    static const struct reducers reducers = {.apart = true};
    struct cs_program ordered;

    assert_false(order(&reducers, &ordered, arena));
}
