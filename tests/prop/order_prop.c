/*
 * The replay refuses a program where its lanes may run in an order that is bad,
 * and only there: small programs, drawn at random, against all their orders.
 */
#include "sim/replay.h"

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
    add_step(draft, src * LANES + draw(random, LANES), send);
    add_step(draft, dst * LANES + draw(random, LANES), recv);
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
                 (struct cs_op){.kind = CS_OP_WAIT,
                                .peer = other,
                                .source = draw(random, draft->rounds[at])});
    }
}

static struct cs_program draw_program(struct draft *draft,
                                      struct cs_random *random)
{
    uint32_t size = 4 + draw(random, STEPS_MAX - 6);
    struct cs_program program;

    *draft = (struct draft){.ranks = 2 + draw(random, 2)};
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
    static const char *const kinds[] = {"send", "recv", "add",
                                        "copy", "re",   "wait"};

    for (size_t i = 0; i < draft->script.count; i++) {
        const struct step *it = &draft->steps[i];

        print_message("  rank %u lane %u round %u: %s peer %u block %u channel "
                      "%u source %u\n",
                      it->party, it->lane, it->round, kinds[it->op.kind],
                      it->op.peer, it->op.blocks.first, it->op.channel,
                      it->op.source);
    }
}

static void the_replay_refuses_what_has_a_bad_order_and_nothing_else(
    void **state)
{
    static const struct cs_algebra algebra = {.initial = one, .add = add_any};
    struct cs_random *random = cs_random_open(fixture_seed(), "orders");
    uint32_t good = 0;
    uint32_t bad = 0;

    (void)state;
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        struct draft draft;
        struct cs_program program = draw_program(&draft, random);
        struct orders orders;
        struct cs_replay *replay;
        struct cs_err err = {0};
        enum verdict verdict;
        int code;

        assert_true(orders_open(&orders, &program));
        verdict = orders_try_all(&orders);
        if (verdict == TOO_MANY_ORDERS)
            continue;
        code =
            cs_replay_run(&program, &algebra,
                          (struct cs_replay_window){0, BLOCKS}, &replay, &err);
        cs_replay_free(replay);
        good += verdict == EVERY_ORDER_IS_FINE;
        bad += verdict == SOME_ORDER_IS_BAD;
        if ((code == 0) == (verdict == EVERY_ORDER_IS_FINE))
            continue;
        describe(&draft);
        fail_msg("COLLSIM_SEED=%" PRIu64 ", program %u: '%s', but of all "
                 "orders: '%s'",
                 fixture_seed(), i, err.text,
                 orders.fault ? orders.fault : "fine");
    }
    cs_random_close(random);
    print_message("%u programs are right, %u wrong\n", good, bad);
    assert_true(good > PROGRAMS / 20 && bad > PROGRAMS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            the_replay_refuses_what_has_a_bad_order_and_nothing_else),
    };

    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
