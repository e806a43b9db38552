#include "sim/program/lanes.h"

#include "tests/fixture.h"

enum {
    RANKS = 2,
    LANES = 3,
};

static uint64_t rounds_by_lane(const void *ctx, struct cs_at at)
{
    (void)ctx;
    return 10 * at.party + at.lane;
}

static struct cs_lanes open_lanes(struct cs_lane *room, uint64_t *rounds)
{
    const struct cs_program program = {.ranks = RANKS, .lanes = LANES, .rounds = rounds_by_lane};

    return cs_lanes_open(&program, room, rounds);
}

TEST(every_lane_has_the_rounds_of_the_program)
{
    struct cs_lane room[RANKS * LANES];
    uint64_t rounds;
    struct cs_lanes lanes = open_lanes(room, &rounds);

    assert_int_equal(lanes.count, RANKS * LANES);
    assert_int_equal(rounds, 0 + 1 + 2 + 10 + 11 + 12);
    assert_int_equal(lanes.lane[4].rounds, 11);
    assert_int_equal(cs_lanes_waiting(&lanes), CS_NO_LANE);
}

TEST(a_round_is_over_when_its_last_op_is_done)
{
    struct cs_lane lane = {.pending = 2, .rounds = 1};

    assert_false(cs_lane_op_done(&lane));
    assert_int_equal(lane.round, 0);
    assert_true(cs_lane_op_done(&lane));
    assert_int_equal(lane.round, 1);
}

TEST(a_wait_for_a_finished_round_is_over_at_once)
{
    struct cs_lane room[RANKS * LANES];
    uint64_t rounds;
    struct cs_lanes lanes = open_lanes(room, &rounds);
    const struct cs_op wait = {.kind = CS_OP_WAIT, .peer = 2, .source = 5};

    lanes.lane[5].round = 6;
    assert_true(cs_lanes_wait(&lanes, 3, &wait));
    assert_int_equal(cs_lanes_waiting(&lanes), CS_NO_LANE);
}

TEST(a_wait_ends_with_the_round_that_it_names)
{
    struct cs_lane room[RANKS * LANES];
    uint64_t rounds;
    struct cs_lanes lanes = open_lanes(room, &rounds);
    const struct cs_op wait = {.kind = CS_OP_WAIT, .peer = 2, .source = 5};

    lanes.lane[5].round = 5;
    assert_false(cs_lanes_wait(&lanes, 3, &wait));
    assert_int_equal(cs_lanes_waiting(&lanes), 3);
    assert_int_equal(cs_lanes_take_waiter(&lanes, 5, 0), CS_NO_LANE);
    lanes.lane[5].round = 6;
    assert_int_equal(cs_lanes_take_waiter(&lanes, 5, 0), 3);
    assert_int_equal(cs_lanes_take_waiter(&lanes, 5, 0), CS_NO_LANE);
}

/* Lane 2 of each rank is waited for; only the lanes of its own rank go on. */
TEST(lanes_wait_within_their_party_only)
{
    struct cs_lane room[RANKS * LANES];
    uint64_t rounds;
    struct cs_lanes lanes = open_lanes(room, &rounds);
    const struct cs_op wait = {.kind = CS_OP_WAIT, .peer = 2, .source = 0};

    assert_false(cs_lanes_wait(&lanes, 0, &wait));
    assert_false(cs_lanes_wait(&lanes, 1, &wait));
    assert_false(cs_lanes_wait(&lanes, 3, &wait));
    assert_int_equal(lanes.lane[2].waiters, 2);
    assert_int_equal(lanes.lane[5].waiters, 1);
    lanes.lane[2].round = 1;
    assert_int_equal(cs_lanes_take_waiter(&lanes, 2, 0), 0);
    assert_int_equal(cs_lanes_take_waiter(&lanes, 2, 1), 1);
    assert_int_equal(cs_lanes_take_waiter(&lanes, 2, 2), CS_NO_LANE);
    assert_int_equal(lanes.lane[2].waiters, 0);
    assert_int_equal(cs_lanes_waiting(&lanes), 3);
}
