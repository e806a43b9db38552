/*
 * Messages that are packed (sim/engine/packed.h) change no result: random programs
 * with rounds with fan-in on random nets, once as they are and once with a watch that
 * asks for nothing, with which no message is packed.
 *
 * Rounds of few sends stand between them; of the messages of a round many go
 * to one rank, or each to another one; ranks lag behind and receive late.  Routes share
 * servers, some links have no latency, and many heads tie.  In some programs an op is
 * missing: both runs say so in the same words.
 */
#include "tests/prop/world.h"

enum {
    RUNS = 600,
    ROUNDS = 4,
    LANES = 2,
    PAIRS_MAX = 1000, /* messages of a round of a lane */
};

struct pair {
    uint32_t src, dst;
    uint64_t bytes;
};

/* What is missing of a program. */
enum gap {
    NO_GAP,
    NO_SEND,
    NO_RECEIVE,
    GAPS = 10, /* one program in so many has the one, one the other */
};

struct fan_ins {
    struct pair pairs[LANES][ROUNDS][PAIRS_MAX];
    uint32_t counts[LANES][ROUNDS];
    uint64_t late_ps[PARTIES];
    bool reduces;
    enum gap gap;
    uint32_t gap_lane, gap_round, gap_pair;
};

/* ---- the program ---- */

static uint64_t fan_ins_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return ROUNDS;
}

/* Without blocks, so that each message has a size of its own. */
static void fan_ins_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct fan_ins *fan_ins = ctx;
    uint32_t kind = fan_ins->reduces ? CS_OP_RECV_REDUCE : CS_OP_RECV;

    for (uint32_t i = 0; i < fan_ins->counts[at.lane][at.round]; i++) {
        const struct pair *pair = &fan_ins->pairs[at.lane][at.round][i];
        bool is_gap = at.lane == fan_ins->gap_lane && at.round == fan_ins->gap_round &&
                      i == fan_ins->gap_pair;

        if (pair->src == at.party && !(is_gap && fan_ins->gap == NO_SEND))
            cs_ops_push(
                ops, (struct cs_op){.kind = CS_OP_SEND, .peer = pair->dst, .amount = pair->bytes});
        if (pair->dst == at.party && !(is_gap && fan_ins->gap == NO_RECEIVE))
            cs_ops_push(ops, (struct cs_op){
                                 .kind = (uint8_t)kind, .peer = pair->src, .amount = pair->bytes});
    }
}

static uint64_t fan_ins_start_ps(const void *ctx, struct cs_at at)
{
    return ((const struct fan_ins *)ctx)->late_ps[at.party];
}

static void draw_round(struct world *world, struct fan_ins *fan_ins, uint32_t lane, uint32_t k)
{
    uint32_t one_in = (uint32_t)below(world, 4); /* messages to one rank in a row */
    uint64_t bytes = draw_bytes(world);
    uint32_t dst = 0;

    fan_ins->counts[lane][k] =
        below(world, 4) ? 400 + (uint32_t)below(world, 600) : (uint32_t)below(world, 40);
    for (uint32_t i = 0; i < fan_ins->counts[lane][k]; i++) {
        uint32_t src = i % PARTIES;

        if (one_in == 0 || below(world, UINT64_C(20) * one_in) == 0)
            dst = (uint32_t)below(world, PARTIES);
        if (below(world, 50) == 0)
            bytes = draw_bytes(world);
        fan_ins->pairs[lane][k][i] =
            (struct pair){src, dst == src ? (src + 1) % PARTIES : dst, bytes};
    }
}

static void fan_ins_draw(struct world *world, struct fan_ins *fan_ins)
{
    fan_ins->reduces = below(world, 2);
    for (uint32_t rank = 0; rank < PARTIES; rank++) {
        fan_ins->late_ps[rank] = below(world, 2) ? below(world, 20000000) : 0;
        world->parties[rank].reduce_ps_per_byte = below(world, 2) ? 50 : 0;
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t k = 0; k < ROUNDS; k++)
            draw_round(world, fan_ins, lane, k);
    fan_ins->gap = (enum gap)below(world, GAPS);
    fan_ins->gap_lane = (uint32_t)below(world, LANES);
    fan_ins->gap_round = (uint32_t)below(world, ROUNDS);
    fan_ins->gap_pair =
        (uint32_t)below(world, fan_ins->counts[fan_ins->gap_lane][fan_ins->gap_round] + 1);
}

/* ---- what must hold ---- */

static struct cs_exec_result fan_ins_run(struct world *world, const struct cs_program *program,
                                         const struct cs_exec_watch *watch, struct cs_err *err)
{
    const struct cs_exec_request request = {.program = program,
                                            .net = &world->net,
                                            .model = cs_link_model_find("fifo"),
                                            .watch = watch};
    struct cs_exec_result result;

    (void)cs_exec_run_watched(&request, &world->arena, &result, err);
    return result;
}

static void expect_equal(const struct world *world, const struct cs_exec_result *packed,
                         const struct cs_exec_result *plain, uint32_t number)
{
    expect(packed->time_ps == plain->time_ps, number, "another time");
    expect(packed->messages == plain->messages, number, "another number of messages");
    expect(packed->bytes_sent == plain->bytes_sent, number, "other bytes");
    expect(packed->extra_bytes_max == plain->extra_bytes_max, number, "another memory");
    expect(packed->waits == plain->waits, number, "another number of waits");
    expect(packed->events == plain->events, number, "another number of events");
    expect(cs_path_equals(&packed->path, &plain->path), number, "another critical path");
    for (uint32_t i = 0; i < PARTIES * LANES; i++)
        expect(packed->lane_done_ps[i] == plain->lane_done_ps[i], number, "a lane ends otherwise");
    for (uint32_t i = 0; i < world->net.link_count; i++)
        expect(memcmp(&packed->use[i], &plain->use[i], sizeof(plain->use[i])) == 0, number,
               "a link carries something else");
}

TEST(packing_changes_no_result)
{
    static const struct cs_exec_watch nothing = {0};
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("packed");
    struct world *world = malloc(sizeof(*world));
    struct fan_ins *fan_ins = malloc(sizeof(*fan_ins));

    assert_non_null(world);
    assert_non_null(fan_ins);
    for (uint32_t i = 0; i < RUNS; i++) {
        struct cs_program program = {.ranks = PARTIES,
                                     .lanes = LANES,
                                     .blocks = 1,
                                     .elements = 1,
                                     .element_bytes = 1,
                                     .ctx = fan_ins,
                                     .rounds = fan_ins_rounds,
                                     .round = fan_ins_round,
                                     .start_ps = fan_ins_start_ps};
        struct cs_exec_result packed, plain;
        struct cs_err packed_err = {0};
        struct cs_err plain_err = {0};

        world_draw(world, random);
        fan_ins_draw(world, fan_ins);
        packed = fan_ins_run(world, &program, NULL, &packed_err);
        plain = fan_ins_run(world, &program, &nothing, &plain_err);
        if (fan_ins->gap == NO_GAP || fan_ins->gap > NO_RECEIVE)
            expect(!packed_err.code, i, packed_err.text);
        expect(strcmp(packed_err.text, plain_err.text) == 0, i, packed_err.text);
        if (!packed_err.code)
            expect_equal(world, &packed, &plain, i);
        cs_arena_free(&world->arena);
    }
    free(world);
    free(fan_ins);
}
