/* Channel use: plain channels are the channels of the connections. */

#include "algorithms/schedules/connections.h"
#include "tests/fixture.h"

enum {
    OPS_MAX = 100000
};

static struct cs_program program_of(const struct cs_algo *algo, struct cs_call *call)
{
    static const struct cs_hockney hockney = {5e-6, 10e9, 0};

    cs_algo_resolve(algo, call, &hockney);
    return cs_algo_program(algo, call);
}

static bool is_message(const struct cs_op *op)
{
    return op->kind == CS_OP_SEND || op->kind == CS_OP_RECV || op->kind == CS_OP_RECV_REDUCE;
}

/* The channel of every message, by both. */
static void expect_channels(const struct cs_program *program, const char *name)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_connections connections;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    struct cs_at at;

    assert_done_of(name,
                   cs_connections_of(program, CS_WRAPS_WHOLE, OPS_MAX, &arena, &connections, &err));
    for (at.party = 0; at.party < cs_program_parties(program); at.party++)
        for (at.lane = 0; at.lane < program->lanes; at.lane++)
            for (at.round = 0; at.round < cs_program_rounds(program, at.party, at.lane);
                 at.round++) {
                cs_program_read(program, at, &ops);
                for (uint32_t i = 0; i < ops.count; i++) {
                    const struct cs_op *op = &ops.op[i];

                    if (is_message(op) && op->peer != at.party)
                        assert_int_equal(cs_connection_at(&connections, at, i)->channel[0],
                                         cs_op_channel(program, at.lane, op));
                }
            }
}

TEST(plain_channels_are_those_of_the_connections)
{
    static const uint32_t ranks[] = {2, 3, 8, 12};
    uint32_t uses[3] = {0};

    for (size_t a = 0; a < cs_algo_count; a++)
        for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
            struct cs_call call = {.ranks = ranks[i], .elements = 12252240, .element_bytes = 4};
            struct cs_program program;
            enum cs_channel_use use;

            if (cs_algo_check(cs_algos[a], &call, NULL))
                continue;
            program = program_of(cs_algos[a], &call);
            if (cs_algo_check(cs_algos[a], &call, NULL))
                continue;
            use = cs_channel_use_of(&program);
            uses[use]++;
            if (use != CS_CHANNELS_SHARED)
                expect_channels(&program, cs_algos[a]->name);
            else
                print_message("shared: %s %s, p = %u\n", cs_algos[a]->name,
                              cs_algos[a]->collective->name, ranks[i]);
        }
    assert_true(uses[CS_CHANNELS_PLAIN] > 4 * uses[CS_CHANNELS_SHARED]);
}
