/* Walks: predecessors of ops over rounds and waits. */
#include "algorithms/schedules/walk.h"

#include "tests/fixture.h"

/* Lane 0: two ops, then one.  Lane 1: a wait for lane 0's first round (or for
 * round `waits_for` of lane 0), then one op. */
struct lanes {
    uint32_t waits_for;
};

static uint64_t lanes_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return 2;
}

static void lanes_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct lanes *lanes = ctx;
    struct cs_op work = {.kind = CS_OP_WORK, .amount = 1};

    if (at.lane == 1 && at.round == 0) {
        cs_ops_wait(ops, 0, lanes->waits_for);
        return;
    }
    cs_ops_push(ops, work);
    if (at.lane == 0 && at.round == 0)
        cs_ops_push(ops, work);
}

struct visits {
    uint32_t count;
    uint32_t after_count[8]; /* by visit */
    uint32_t lane[8];
};

static uint32_t visits_note(void *ctx, const struct cs_walk_step *step)
{
    struct visits *visits = ctx;

    visits->after_count[visits->count] = step->after_count;
    visits->lane[visits->count] = step->at.lane;
    return visits->count++;
}

static int walk_lanes(uint32_t waits_for, struct visits *visits, struct cs_err *err)
{
    struct lanes lanes = {waits_for};
    struct cs_program program = {.ranks = 1,
                                 .lanes = 2,
                                 .blocks = 1,
                                 .ctx = &lanes,
                                 .rounds = lanes_rounds,
                                 .round = lanes_round};

    *visits = (struct visits){0};
    return cs_walk(&program, 0, visits_note, visits, err);
}

TEST(an_op_follows_all_ops_of_the_round_before)
{
    struct visits visits;

    assert_int_equal(walk_lanes(0, &visits, NULL), 0);
    assert_int_equal(visits.count, 4);
    assert_int_equal(visits.after_count[0], 0);
    assert_int_equal(visits.after_count[1], 0);
    assert_int_equal(visits.after_count[2], 2);
}

TEST(an_op_after_a_wait_follows_the_round_waited_for)
{
    struct visits visits;

    assert_int_equal(walk_lanes(0, &visits, NULL), 0);
    assert_int_equal(visits.lane[3], 1);
    assert_int_equal(visits.after_count[3], 2);
    assert_int_equal(walk_lanes(1, &visits, NULL), 0);
    assert_int_equal(visits.after_count[3], 1);
}

TEST(a_wait_without_end_is_a_deadlock)
{
    struct visits visits;

    assert_refused(walk_lanes(2, &visits, &err), CS_EANSWER,
                   "deadlock between the lanes of party 0");
}
