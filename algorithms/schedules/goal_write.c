/*
 * GOAL, written: an op is a line that requires all ends of the preceding round.
 *
 * Every party is a rank; agents follow the ranks.  Sizes are bytes of the
 * vector of the call.  The tag of a message is the channel of its connection
 * (connections.h).  A reduction with a cost is a calc after the receive, rounded
 * to nanoseconds.
 */
#include "algorithms/schedules/connections.h"
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/walk.h"

#include <inttypes.h>

struct goal_writer {
    const struct cs_export *what;
    struct cs_text *out;
    struct cs_cut cut;
    struct cs_connections connections;
    uint32_t party;
    uint32_t ops; /* labels of this rank */
    uint64_t steps;
};

/* Each requirement is a line and counts as a step of the file. */
static void goal_write_requires(struct goal_writer *writer, uint32_t label,
                                const struct cs_walk_step *step)
{
    uint32_t i;

    for (i = 0; i < step->after_count; i++)
        cs_text_printf(writer->out, "l%u requires l%u\n", label,
                       step->after[i]);
    writer->steps += step->after_count;
}

/* Duration of a computation or a reduction. */
static uint64_t goal_writer_calc_ns(const struct goal_writer *writer,
                                    const struct cs_op *op)
{
    double take_ps = (double)op->amount;

    if (op->kind != CS_OP_WORK)
        take_ps = (double)cs_op_bytes(&writer->cut, op) *
                      writer->what->reduce_ps_per_byte +
                  (double)writer->what->reduce_overhead_ps;
    return (uint64_t)(take_ps / 1000 + 0.5);
}

/* GOAL matches by tag, without the order of rounds. */
static uint32_t goal_writer_tag_of(const struct goal_writer *writer,
                                   const struct cs_walk_step *step)
{
    struct cs_op_place at = {writer->party, step->lane, step->round,
                             step->place};

    return cs_connection_at(&writer->connections, at)->channel[0];
}

/* A reduction is an op of its own, so the op that ends the step may be the
 * calc. */
static uint32_t goal_write_step(void *ctx, const struct cs_walk_step *step)
{
    struct goal_writer *writer = ctx;
    const struct cs_op *op = step->op;
    bool sends = op->kind == CS_OP_SEND;
    bool receives = op->kind == CS_OP_RECV || op->kind == CS_OP_RECV_REDUCE;
    uint32_t label = ++writer->ops;

    writer->steps++;
    if (!sends && !receives) {
        cs_text_printf(writer->out, "l%u: calc %" PRIu64 "\n", label,
                       goal_writer_calc_ns(writer, op));
        goal_write_requires(writer, label, step);
        return label;
    }
    cs_text_printf(writer->out, "l%u: %s %" PRIu64 "b %s %u tag %u\n", label,
                   sends ? "send" : "recv", cs_op_bytes(&writer->cut, op),
                   sends ? "to" : "from", op->peer,
                   goal_writer_tag_of(writer, step));
    goal_write_requires(writer, label, step);
    if (op->kind != CS_OP_RECV_REDUCE || goal_writer_calc_ns(writer, op) == 0)
        return label;
    cs_text_printf(writer->out, "l%u: calc %" PRIu64 "\nl%u requires l%u\n",
                   label + 1, goal_writer_calc_ns(writer, op), label + 1,
                   label);
    return ++writer->ops;
}

/* The limit is checked per rank, so that an oversized file stops early. */
static int goal_write_parties(struct goal_writer *writer, struct cs_err *err)
{
    const struct cs_program *program = writer->what->program;
    uint32_t parties = cs_program_parties(program);
    int code = 0;

    cs_text_printf(writer->out, "// %s %s, %u ranks\n",
                   writer->what->algo->name,
                   writer->what->algo->collective->name, program->ranks);
    if (program->agents)
        cs_text_printf(
            writer->out,
            "// ranks from %u: parameter servers or reducing switches\n",
            program->ranks);
    cs_text_printf(writer->out, "num_ranks %u\n", parties);
    for (; writer->party < parties && !code; writer->party++) {
        writer->ops = 0;
        cs_text_printf(writer->out, "\nrank %u {\n", writer->party);
        code = cs_walk(program, writer->party, goal_write_step, writer, err);
        cs_text_add(writer->out, "}\n");
        if (!code && writer->steps > CS_EXPORT_STEPS_MAX)
            code = cs_err_set(err, CS_EINPUT,
                              "the schedule has more than %d lines; take "
                              "fewer ranks or chunks",
                              CS_EXPORT_STEPS_MAX);
    }
    return code;
}

static int goal_write(const struct cs_export *what, struct cs_text *out,
                      struct cs_err *err)
{
    struct goal_writer writer = {
        .what = what, .out = out, .cut = cs_cut_of(what->program)};
    struct cs_arena arena = {0};
    int code =
        cs_connections_of(what->program, CS_WRAPS_WHOLE, CS_EXPORT_STEPS_MAX,
                          &arena, &writer.connections, err);

    if (!code)
        code = goal_write_parties(&writer, err);
    cs_arena_free(&arena);
    return code;
}

const struct cs_exporter cs_exporter_goal = {
    .name = "goal",
    .about = "GOAL text, for LogGOPSim and its descendants",
    .write = goal_write,
};
