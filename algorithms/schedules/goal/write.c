/*
 * GOAL, written: an op is a line that requires all ends of the preceding round.
 *
 * Every party is a rank; agents follow the ranks.  Sizes are bytes of the
 * vector of the call.  The tag of a message is the channel of its connection
 * (connections.h).  A reduction with a cost is a calc after the receive, rounded
 * to nanoseconds.  A part of the text is a rank.
 */
#include "algorithms/schedules/connections.h"
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/walk.h"

struct goal_writer {
    const struct cs_export *what;
    struct cs_text *out;
    struct cs_cut cut;
    struct cs_connections connections; /* unless the connections are plain */
    bool is_plain;
    uint32_t first_tag; /* channel of tag 0 */
    uint32_t party;
    bool is_begun;
    uint32_t ops; /* labels of this rank */
};

/* ---- lines ---- */

static void goal_put(struct goal_writer *writer, const char *text)
{
    cs_text_add(writer->out, text);
}

static void goal_put_number(struct goal_writer *writer, uint64_t number)
{
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    cs_text_add_n(writer->out, digits + at, sizeof(digits) - at);
}

/* "l5 requires l3" */
static void goal_put_requires(struct goal_writer *writer, uint32_t label, uint32_t before)
{
    goal_put(writer, "l");
    goal_put_number(writer, label);
    goal_put(writer, " requires l");
    goal_put_number(writer, before);
    goal_put(writer, "\n");
}

/* "l5: calc 100" */
static void goal_put_calc(struct goal_writer *writer, uint32_t label, uint64_t ns)
{
    goal_put(writer, "l");
    goal_put_number(writer, label);
    goal_put(writer, ": calc ");
    goal_put_number(writer, ns);
    goal_put(writer, "\n");
}

static void goal_write_requires(struct goal_writer *writer, uint32_t label,
                                const struct cs_walk_step *step)
{
    for (uint32_t i = 0; i < step->after_count; i++)
        goal_put_requires(writer, label, step->after[i]);
}

/* ---- ops ---- */

/* Duration of a computation or a reduction. */
static uint64_t goal_writer_calc_ns(const struct goal_writer *writer, const struct cs_op *op)
{
    double take_ps = (double)op->amount;

    if (op->kind != CS_OP_WORK)
        take_ps = (double)cs_op_bytes(&writer->cut, op) * writer->what->reduce_ps_per_byte +
                  (double)writer->what->reduce_overhead_ps;
    return (uint64_t)(take_ps / 1000 + 0.5);
}

/* GOAL matches by tag, without the order of rounds. */
static uint32_t goal_writer_tag_of(const struct goal_writer *writer,
                                   const struct cs_walk_step *step)
{
    if (writer->is_plain)
        return cs_op_channel(writer->what->program, step->at.lane, step->op) - writer->first_tag;
    return cs_connection_at(&writer->connections, step->at, step->place)->channel[0];
}

/* "l5: send 64b to 3 tag 0" */
static void goal_put_message(struct goal_writer *writer, uint32_t label,
                             const struct cs_walk_step *step)
{
    const struct cs_op *op = step->op;
    bool sends = op->kind == CS_OP_SEND;

    goal_put(writer, "l");
    goal_put_number(writer, label);
    goal_put(writer, sends ? ": send " : ": recv ");
    goal_put_number(writer, cs_op_bytes(&writer->cut, op));
    goal_put(writer, sends ? "b to " : "b from ");
    goal_put_number(writer, op->peer);
    goal_put(writer, " tag ");
    goal_put_number(writer, goal_writer_tag_of(writer, step));
    goal_put(writer, "\n");
}

/* A reduction is an op of its own, so the op that ends the step may be the
 * calc. */
static uint32_t goal_write_step(void *ctx, const struct cs_walk_step *step)
{
    struct goal_writer *writer = ctx;
    const struct cs_op *op = step->op;
    uint32_t label = ++writer->ops;
    uint64_t ns;

    if (!cs_op_is_message(op)) {
        goal_put_calc(writer, label, goal_writer_calc_ns(writer, op));
        goal_write_requires(writer, label, step);
        return label;
    }
    goal_put_message(writer, label, step);
    goal_write_requires(writer, label, step);
    if (op->kind != CS_OP_RECV_REDUCE)
        return label;
    ns = goal_writer_calc_ns(writer, op);
    if (ns == 0)
        return label;
    goal_put_calc(writer, label + 1, ns);
    goal_put_requires(writer, label + 1, label);
    return ++writer->ops;
}

/* ---- parts ---- */

static void goal_write_head(const struct goal_writer *writer)
{
    const struct cs_program *program = writer->what->program;

    cs_text_printf(writer->out, "// %s %s, %u ranks\n", writer->what->algo->name,
                   writer->what->algo->collective->name, program->ranks);
    if (program->agents)
        cs_text_printf(writer->out, "// ranks from %u: parameter servers or reducing switches\n",
                       program->ranks);
    cs_text_printf(writer->out, "num_ranks %u\n", cs_program_parties(program));
}

static int goal_part(void *ctx, struct cs_text *out, struct cs_err *err)
{
    struct goal_writer *writer = ctx;
    const struct cs_program *program = writer->what->program;
    int code;

    writer->out = out;
    if (!writer->is_begun)
        goal_write_head(writer);
    writer->is_begun = true;
    if (writer->party == cs_program_parties(program))
        return 0;
    writer->ops = 0;
    cs_text_printf(out, "\nrank %u {\n", writer->party);
    code = cs_walk(program, writer->party, goal_write_step, writer, err);
    cs_text_add(out, "}\n");
    writer->party++;
    return code;
}

static int goal_open(const struct cs_export *what, struct cs_arena *arena, void **made,
                     struct cs_err *err)
{
    struct goal_writer *writer = cs_arena_alloc(arena, 1, sizeof(*writer));
    enum cs_channel_use use = cs_channel_use_of(what->program);

    *writer = (struct goal_writer){
        .what = what, .cut = cs_cut_of(what->program), .is_plain = use != CS_CHANNELS_SHARED};
    *made = writer;
    if (use == CS_CHANNELS_NAMED)
        writer->first_tag = what->program->lanes;
    if (writer->is_plain)
        return 0;
    return cs_connections_of(what->program, CS_WRAPS_WHOLE, CS_EXPORT_STEPS_MAX, arena,
                             &writer->connections, err);
}

static int goal_write(const struct cs_export *what, struct cs_text *out, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    void *writer = NULL;
    size_t before;
    int code = goal_open(what, &arena, &writer, err);

    do {
        before = out->length;
        if (!code)
            code = goal_part(writer, out, err);
    } while (!code && out->length > before);
    return code;
}

const struct cs_exporter cs_exporter_goal = {
    .name = "goal",
    .about = "GOAL text, for LogGOPSim and its descendants",
    .lacks = 1U << CS_LACK_MEETING | 1U << CS_LACK_WAITS | 1U << CS_LACK_FORKS |
             1U << CS_LACK_NANOSECONDS | 1U << CS_LACK_AGENTS,
    .write = goal_write,
    .open = goal_open,
    .part = goal_part,
};
