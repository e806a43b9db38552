#include "scenarios/run/case/fingerprint.h"

#include "tests/fixture.h"

/* One message from rank 0 to rank 1; `op` is what the sender does. */
static uint64_t one_round(const void *ctx, struct cs_at at)
{
    (void)ctx;
    return at.party == 0;
}

static void the_op(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    (void)at;
    cs_ops_push(ops, *(const struct cs_op *)ctx);
}

static uint64_t fingerprint_of(const struct cs_op *op)
{
    const struct cs_program program = {.ranks = 2,
                                       .lanes = 1,
                                       .blocks = 2,
                                       .elements = 8,
                                       .element_bytes = 4,
                                       .ctx = op,
                                       .rounds = one_round,
                                       .round = the_op};

    return cs_fingerprint_program(&program, (struct cs_fingerprint_sample){2, 1, 1});
}

TEST(every_field_of_an_op_reports_programs_apart)
{
    const struct cs_op send = {.kind = CS_OP_SEND, .peer = 1, .blocks = {0, 1}};
    struct cs_op others[10];

    for (size_t i = 0; i < 10; i++)
        others[i] = send;
    others[0].kind = CS_OP_RECV;
    others[1].buffer = CS_SCRATCH;
    others[2].source_buffer = CS_OUTPUT;
    others[3].leaves = CS_LEAVES_MET;
    others[4].peer = 0;
    others[5].blocks.first = 1;
    others[6].blocks.count = 2;
    others[7].source = 1;
    others[8].channel = 1;
    others[9].amount = 1;
    for (size_t i = 0; i < 10; i++)
        if (fingerprint_of(&others[i]) == fingerprint_of(&send))
            fail_msg("op %zu differs, and its fingerprint does not", i);
}

TEST(every_input_of_a_program_reports_programs_apart)
{
    const struct cs_op send = {.kind = CS_OP_SEND, .peer = 1, .blocks = {0, 1}};
    const struct cs_program program = {.ranks = 2,
                                       .lanes = 1,
                                       .blocks = 2,
                                       .elements = 8,
                                       .element_bytes = 4,
                                       .ctx = &send,
                                       .rounds = one_round,
                                       .round = the_op};
    const struct cs_fingerprint_sample sample = {2, 1, 1};
    const uint64_t is = cs_fingerprint_program(&program, sample);
    struct cs_program others[9];

    for (size_t i = 0; i < 9; i++)
        others[i] = program;
    others[0].elements = 9;
    others[1].element_bytes = 2;
    others[2].handshake = true;
    others[3].output_empty = true;
    others[4].root = 1;
    others[5].after = CS_OWN_BLOCK;
    others[6].scratch_blocks = 2;
    others[7].main_lanes = 1;
    others[8].idempotent = true;
    for (size_t i = 0; i < 9; i++)
        if (cs_fingerprint_program(&others[i], sample) == is)
            fail_msg("program %zu differs, and its fingerprint does not", i);
}
