/*
 * Table: a line for each op, to execute a program on real hardware.
 *
 *     collsim-table 1
 *     algorithm ring          collective allreduce
 *     ranks 3   agents 0   lanes 1   blocks 3   parts 1      (a line each)
 *     chunks 0   shards 0   slices 1      parameters of the call, if known
 *     turn 0 1 2                          places of lanes and parties that begin rounds at
 *     order 1 2                           one time, where their numbers do not order them
 *     op 0 0 0 send 1 0 out 2 1
 *     op 0 0 0 add 2 0 out 1 1
 *     op 0 0 3 wait 1 2
 *     end
 *
 * An op has party, lane, round and action: `send`, `recv` or `add` (receive and
 * reduce) with peer, channel, buffer (in, out), first block and number of
 * blocks, and `met` or `behind` for a send that leaves so (enum cs_leaving); or
 * `wait` with lane and round.  Ops are sorted by party, lane and
 * round.  The table holds for any vector size, provided that the rounds do not
 * depend on the size.  validate/cuda/op_table.h reads the format, and so does
 * recipe/recipe.h, with loops and expressions.
 */
#include "algorithms/schedules/connections.h"
#include "algorithms/schedules/export.h"

#include <inttypes.h>

struct op_table_writer {
    const struct cs_export *what;
    struct cs_text *out;
    struct cs_err *err;
    uint32_t lines;
};

static int op_table_writer_refuse(const struct op_table_writer *writer, const char *why)
{
    return cs_err_set(writer->err, CS_EINPUT, "'%s' %s, which a table cannot express",
                      writer->what->algo->name, why);
}

static void op_table_note_move(void *moves, const struct cs_replay_move *move)
{
    *(bool *)moves |= move->from.blocks.first != move->to.blocks.first;
}

/* A table has no moves of blocks, no scratch and no empty output.  A schedule of a
 * file may move blocks: its messages are looked at. */
static int op_table_check_program(const struct op_table_writer *writer)
{
    const struct cs_program *program = writer->what->program;
    bool moves = program->moves_blocks && !writer->what->algo->schedule;
    int code = 0;

    if (!moves && program->scratch_blocks > 0)
        return op_table_writer_refuse(writer, "has scratch blocks");
    if (!moves && program->moves_blocks)
        code = cs_messages_follow(program, op_table_note_move, &moves, writer->err);
    if (code)
        return code;
    if (moves)
        return op_table_writer_refuse(writer, "moves blocks to other places");
    if (program->output_empty)
        return op_table_writer_refuse(writer, "starts with an empty output");
    return 0;
}

/* NULL: a table has no such operation. */
static const char *op_table_writer_word_of(const struct cs_op *op)
{
    switch (op->kind) {
    case CS_OP_SEND:
        return "send";
    case CS_OP_RECV:
        return "recv";
    case CS_OP_RECV_REDUCE:
        return "add";
    default:
        return NULL;
    }
}

/* A channel is written even if equal to the lane: readers need no default. */
static int op_table_write_op(struct op_table_writer *writer, uint32_t party, uint32_t lane,
                             uint64_t round, const struct cs_op *op)
{
    const char *word = op_table_writer_word_of(op);

    if (++writer->lines > CS_EXPORT_STEPS_MAX)
        return cs_err_set(writer->err, CS_EINPUT,
                          "the table has more than %d lines; take fewer ranks or chunks",
                          CS_EXPORT_STEPS_MAX);
    cs_text_printf(writer->out, "op %u %u %" PRIu64 " ", party, lane, round);
    if (op->kind == CS_OP_WAIT) {
        cs_text_printf(writer->out, "wait %u %u\n", op->peer, op->source);
        return 0;
    }
    if (!word)
        return op_table_writer_refuse(writer, "computes within a rank");
    if (op->blocks.count == 0)
        return op_table_writer_refuse(writer, "sends bytes outside the vector");
    cs_text_printf(writer->out, "%s %u %u %s %u %u", word, op->peer,
                   cs_op_channel(writer->what->program, lane, op),
                   op->buffer == CS_INPUT ? "in" : "out", op->blocks.first, op->blocks.count);
    if (op->kind == CS_OP_SEND && (writer->what->program->handshake || op->leaves))
        cs_text_add(writer->out, op->leaves == CS_LEAVES_IN_ORDER ? " behind" : " met");
    cs_text_add(writer->out, "\n");
    return 0;
}

static int op_table_write_lane(struct op_table_writer *writer, uint32_t party, uint32_t lane,
                               struct cs_ops *ops)
{
    const struct cs_program *program = writer->what->program;
    uint64_t rounds = cs_program_rounds(program, party, lane);
    int code = 0;

    for (uint64_t k = 0; k < rounds && !code; k++) {
        cs_program_read(program, (struct cs_at){party, lane, k}, ops);
        for (uint32_t i = 0; i < ops->count && !code; i++)
            code = op_table_write_op(writer, party, lane, k, &ops->op[i]);
    }
    return code;
}

static void op_table_write_head(const struct cs_export *what, struct cs_text *out)
{
    const struct cs_program *program = what->program;

    cs_text_printf(out,
                   "collsim-table 1\nalgorithm %s\ncollective %s\n"
                   "ranks %u\nagents %u\nlanes %u\nblocks %u\nparts %u\n",
                   cs_export_title(what), what->algo->collective->name, program->ranks,
                   program->agents, program->lanes, program->blocks, cs_program_parts(program));
    if (what->call)
        cs_text_printf(out, "chunks %u\nshards %u\nslices %u\n", what->call->chunks,
                       what->call->shards, what->call->slices);
}

/* A link serves first what began first; at one time the places decide. */
static void op_table_write_places(const struct cs_program *program, struct cs_text *out)
{
    for (uint32_t party = 0; program->turn && party < cs_program_parties(program); party++) {
        uint32_t place = program->order ? program->order(program->ctx, party) : party;

        if (place != party)
            cs_text_printf(out, "order %u %u\n", party, place);
        for (uint32_t lane = 0; lane < program->lanes; lane++) {
            place = program->turn(program->ctx, (struct cs_at){party, lane, 0});
            if (place != lane)
                cs_text_printf(out, "turn %u %u %u\n", party, lane, place);
        }
    }
}

static int table_write(const struct cs_export *what, struct cs_text *out, struct cs_err *err)
{
    struct op_table_writer writer = {.what = what, .out = out, .err = err};
    const struct cs_program *program = what->program;
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    int code = op_table_check_program(&writer);

    if (!code) {
        op_table_write_head(what, out);
        op_table_write_places(program, out);
    }
    for (uint32_t i = 0; i < lanes && !code; i++)
        code = op_table_write_lane(&writer, i / program->lanes, i % program->lanes, &ops);
    if (!code)
        cs_text_add(out, "end\n");
    return code;
}

const struct cs_exporter cs_exporter_table = {
    .name = "table",
    .about = "a line for each op, which collsim-cuda runs",
    .lacks = 1U << CS_LACK_SWITCHES,
    .write = table_write,
};
