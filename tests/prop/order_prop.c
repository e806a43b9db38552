/*
 * The replay refuses a program where its lanes may run in an order that is bad,
 * and only there: small programs, drawn at random, against all their orders.
 */
#include "sim/base/collections/disjoint.h"
#include "sim/program/lanes.h"
#include "sim/proof/races.h"
#include "sim/proof/replay.h"

#include "tests/prop/orders.h"

enum {
    PROGRAMS = 6000,
    STEPS_MAX = 16,
    LANES = 3,
    BLOCKS = 2,
};

struct draft {
    struct step steps[STEPS_MAX];
    struct script script;
    uint32_t rounds[3 * LANES];
    uint32_t ranks;
    bool joins; /* messages of one lane may share a round */
};

static uint32_t draw(struct cs_random *random, uint32_t limit)
{
    return (uint32_t)cs_random_below(random, limit);
}

static void add_step(struct draft *draft, uint32_t lane, struct cs_op op)
{
    draft->steps[draft->script.count++] =
        step_in_lane(lane / LANES, lane % LANES, draft->rounds[lane]++, op);
}

/* One end of a message: in a round of its own, or in the lane's last one. */
static void add_end(struct draft *draft, struct cs_random *random, uint32_t lane, struct cs_op op)
{
    const struct step *last = &draft->steps[draft->script.count];

    if (draft->joins && draw(random, 3) == 0)
        while (last-- > draft->steps)
            if (last->party == lane / LANES && last->lane == lane % LANES) {
                draft->rounds[lane] -= last->op.kind <= CS_OP_RECV_REDUCE;
                break;
            }
    add_step(draft, lane, op);
}

/* A message, by a channel that others may use, too. */
static void add_message(struct draft *draft, struct cs_random *random)
{
    uint32_t src = draw(random, draft->ranks);
    uint32_t dst = (src + 1 + draw(random, draft->ranks - 1)) % draft->ranks;
    struct cs_op send = send_to(dst, draw(random, BLOCKS));
    struct cs_op recv = recv_from(src, draw(random, BLOCKS));

    send.channel = recv.channel = 1 + draw(random, 3);
    if (draw(random, 3) == 0)
        recv.kind = CS_OP_RECV_REDUCE;
    add_end(draft, random, src * LANES + draw(random, LANES), send);
    add_end(draft, random, dst * LANES + draw(random, LANES), recv);
}

/* Copies, or waits for what another lane has done so far. */
static void add_local(struct draft *draft, struct cs_random *random)
{
    uint32_t lane = draw(random, draft->ranks * LANES);
    uint32_t other = draw(random, LANES);
    uint32_t at = lane - lane % LANES + other;

    if (draw(random, 4) == 0) {
        struct cs_op copy = op_of(CS_OP_COPY, 0, 0);

        copy.source = 1;
        copy.source_buffer = CS_OUTPUT;
        add_step(draft, lane, copy);
    } else if (at != lane && draft->rounds[at]) {
        add_step(draft, lane,
                 (struct cs_op){
                     .kind = CS_OP_WAIT, .peer = other, .source = draw(random, draft->rounds[at])});
    }
}

static struct cs_program draw_program(struct draft *draft, struct cs_random *random, bool joins)
{
    uint32_t size = 4 + draw(random, STEPS_MAX - 6);
    struct cs_program program;

    *draft = (struct draft){.ranks = 2 + draw(random, 2), .joins = joins};
    while (draft->script.count < size)
        if (draw(random, 2))
            add_message(draft, random);
        else
            add_local(draft, random);
    draft->script.steps = draft->steps;
    program = script_program(&draft->script, draft->ranks, 8);
    program.blocks = BLOCKS;
    program.lanes = LANES;
    program.moves_blocks = true;
    program.after = CS_NOTHING;
    return program;
}

static uint64_t one(const void *ctx, uint32_t rank, uint32_t block)
{
    (void)ctx;
    (void)rank;
    (void)block;
    return 1;
}

static bool add_any(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    (void)ctx;
    *sum = a + b;
    return true;
}

static void describe(const struct draft *draft)
{
    static const char *const kinds[] = {"send", "recv", "add", "copy", "re", "wait"};

    for (size_t i = 0; i < draft->script.count; i++) {
        const struct step *it = &draft->steps[i];

        print_message("  rank %u lane %u round %u: %s peer %u block %u channel %u source %u\n",
                      it->party, it->lane, it->round, kinds[it->op.kind], it->op.peer,
                      it->op.blocks.first, it->op.channel, it->op.source);
    }
}

struct tally {
    uint32_t good, bad, refused_good;
};

/* What the replay and all orders say of one program. */
/* As a proof does: a replay that groups the lanes, and one that looks for races. */
static int replay_twice(const struct cs_program *program, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_race_groups groups = {
        cs_arena_alloc(&arena, cs_lane_count(program), sizeof(*groups.near))};
    struct cs_algebra algebra = {.initial = one, .add = add_any, .groups = &groups};
    int code = 0;

    cs_disjoint_open(groups.near, cs_lane_count(program));
    for (; algebra.order_part < 2 && !code; algebra.order_part++) {
        struct cs_replay *replay;

        code = cs_replay_run(program, &algebra, (struct cs_replay_window){0, BLOCKS}, &replay, err);
        cs_replay_free(replay);
    }
    return code;
}

static void compare(const struct draft *draft, const struct cs_program *program,
                    struct tally *tally)
{
    struct cs_err err = {0};
    struct orders orders;
    enum verdict verdict;
    int code;

    assert_true(orders_open(&orders, program));
    verdict = orders_try_all(&orders);
    if (verdict == TOO_MANY_ORDERS)
        return;
    code = replay_twice(program, &err);
    tally->good += verdict == EVERY_ORDER_IS_FINE;
    tally->bad += verdict == SOME_ORDER_IS_BAD;
    tally->refused_good += verdict == EVERY_ORDER_IS_FINE && code;
    if (verdict == SOME_ORDER_IS_BAD ? code != 0 : code == 0 || draft->joins)
        return;
    describe(draft);
    fail_msg("COLLSIM_SEED=%" PRIu64 ": '%s', but of all orders: '%s'", fixture_seed(), err.text,
             orders.fault ? orders.fault : "fine");
}

static struct tally compare_many(const char *name, bool joins)
{
    struct cs_random *random = cs_random_open(fixture_seed(), name);
    struct tally tally = {0};

    for (uint32_t i = 0; i < PROGRAMS; i++) {
        struct draft draft;
        struct cs_program program = draw_program(&draft, random, joins);

        compare(&draft, &program, &tally);
    }
    cs_random_close(random);
    print_message("%u programs are right, of which %u are refused; %u wrong\n", tally.good,
                  tally.refused_good, tally.bad);
    assert_true(tally.good > PROGRAMS / 20 && tally.bad > PROGRAMS / 20);
    return tally;
}

TEST(the_replay_refuses_what_has_a_bad_order_and_nothing_else)
{
    assert_int_equal(compare_many("orders", false).refused_good, 0);
}

/* That one of several sends of a round is through the clocks do not know, and
 * ops of a round may disturb each other: it refuses more than it has to. */
TEST(the_replay_accepts_no_bad_order_of_rounds_of_several_ops)
{
    compare_many("rounds", true);
}
