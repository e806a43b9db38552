/*
 * MSCCL XML: an op is a step of a thread block.
 *
 * Steps of a thread block come one after the other, ops of a round start
 * together; so what may be under way at once is in different thread blocks:
 * one for each connection and direction (connections.h), one for what a lane
 * does by itself.  A step waits for all that ended the round before it; one such
 * wait it carries itself, others are nops in front.  As MSCCL wants it, no two
 * thread blocks of a GPU send to one peer by one channel, or receive from it.
 *
 * A program is in place where it never looks at its input again.  Where it
 * does it is out of place: the output is empty at first, so what is sent from
 * a chunk that was not written yet is sent from the input, and a sum into it
 * is `rrc` from the input.  A run of chunks that wraps is several steps at once.  A
 * sum into what is sent in the same round is received into scratch and added
 * when the send is done.
 */
#include "algorithms/schedules/connections.h"
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/walk.h"

#include <string.h>

enum step_type {
    TYPE_S,
    TYPE_R,
    TYPE_RRC,
    TYPE_CPY,
    TYPE_RE,
    TYPE_NOP,
};

struct msccl_writer_range {
    uint8_t buffer; /* enum cs_buffer */
    uint32_t first;
};

struct msccl_writer_step {
    enum step_type type;
    struct msccl_writer_range source, target;
    uint32_t count;
    uint32_t wait; /* the step waited for, or NONE */
    uint32_t tb;
    uint32_t number; /* in its thread block */
    uint32_t next;   /* of it, or NONE */
    bool waited_for;
};

enum {
    NONE = UINT32_MAX
};

struct numbers {
    uint32_t *item;
    uint32_t count, capacity;
};

static void numbers_add(struct numbers *numbers, uint32_t number)
{
    if (numbers->count == numbers->capacity) {
        numbers->capacity = 2 * numbers->capacity + 16;
        numbers->item =
            cs_grow(numbers->item, numbers->capacity, sizeof(*numbers->item));
    }
    numbers->item[numbers->count++] = number;
}

/* What goes by what thread block. */
struct msccl_writer_tb {
    uint32_t lane, kind, peer, nth, channel;
    uint32_t first, last, steps;
    uint32_t held; /* which part of the scratch behind the program's, from 1 */
};

struct msccl_writer {
    const struct cs_export *what;
    struct cs_text *out;
    struct cs_err *err;
    struct cs_connections connections;
    bool in_place;
    uint32_t rank;
    /* Of this rank. */
    struct msccl_writer_step *steps;
    uint32_t step_count, step_capacity;
    struct msccl_writer_tb *tbs;
    uint32_t tb_count, tb_capacity;
    bool *written;       /* by block of the output */
    struct numbers sent; /* in this round, in order */
    uint32_t next_sent;  /* the next of them to be visited */
    uint32_t held;       /* vectors of scratch behind the program's own */
    uint64_t total;
    const char *fault;
};

/* ---- thread blocks ---- */

static bool msccl_writer_is_message(const struct cs_op *op)
{
    return op->kind == CS_OP_SEND || op->kind == CS_OP_RECV ||
           op->kind == CS_OP_RECV_REDUCE;
}

/* 0 for sends, 1 for receives, 2 for the rest. */
static uint32_t msccl_writer_direction(const struct cs_op *op)
{
    if (op->kind == CS_OP_SEND)
        return 0;
    return msccl_writer_is_message(op) ? 1 : 2;
}

/* The thread block of a message by that channel, or for what the lane does by
 * itself. */
static struct msccl_writer_tb msccl_writer_key_of(
    const struct cs_walk_step *step, uint32_t channel)
{
    bool message = msccl_writer_is_message(step->op);

    return (struct msccl_writer_tb){
        .lane = step->lane,
        .kind = msccl_writer_direction(step->op),
        .peer = message ? step->op->peer : NONE,
        .channel = message ? channel : 0,
        .first = NONE,
    };
}

static bool same_tb(const struct msccl_writer_tb *a,
                    const struct msccl_writer_tb *b)
{
    return a->lane == b->lane && a->kind == b->kind && a->peer == b->peer &&
           a->nth == b->nth && a->channel == b->channel;
}

static uint32_t find_tb(struct msccl_writer *writer, struct msccl_writer_tb key)
{
    uint32_t i;

    for (i = 0; i < writer->tb_count; i++)
        if (same_tb(&writer->tbs[i], &key))
            return i;
    if (writer->tb_count == writer->tb_capacity) {
        writer->tb_capacity = 2 * writer->tb_capacity + 16;
        writer->tbs =
            cs_grow(writer->tbs, writer->tb_capacity, sizeof(*writer->tbs));
    }
    writer->tbs[writer->tb_count] = key;
    return writer->tb_count++;
}

/* ---- steps ---- */

static uint32_t msccl_writer_add_step(struct msccl_writer *writer, uint32_t tb,
                                      struct msccl_writer_step step)
{
    struct msccl_writer_tb *it = &writer->tbs[tb];
    uint32_t index = writer->step_count;

    if (index == writer->step_capacity) {
        writer->step_capacity = 2 * writer->step_capacity + 64;
        writer->steps = cs_grow(writer->steps, writer->step_capacity,
                                sizeof(*writer->steps));
    }
    step.tb = tb;
    step.number = it->steps++;
    step.next = NONE;
    writer->steps[writer->step_count++] = step;
    if (it->first == NONE)
        it->first = index;
    else
        writer->steps[it->last].next = index;
    it->last = index;
    writer->total++;
    return index;
}

/* The last of those waits that are of one thread block. */
static bool is_last_of_its_tb(const struct msccl_writer *writer,
                              const struct cs_walk_step *step, uint32_t at)
{
    const struct msccl_writer_step *it = &writer->steps[step->after[at]];
    uint32_t i;

    for (i = 0; i < step->after_count; i++) {
        const struct msccl_writer_step *other = &writer->steps[step->after[i]];

        if (other->tb == it->tb && (other->number > it->number ||
                                    (other->number == it->number && i < at)))
            return false;
    }
    return true;
}

/* All waits but one become nops; that one is returned, or NONE. */
static uint32_t msccl_writer_add_waits(struct msccl_writer *writer, uint32_t tb,
                                       const struct cs_walk_step *step)
{
    uint32_t held = NONE;
    uint32_t i;

    for (i = 0; i < step->after_count; i++) {
        if (writer->steps[step->after[i]].tb == tb ||
            !is_last_of_its_tb(writer, step, i))
            continue;
        if (held != NONE)
            msccl_writer_add_step(
                writer, tb,
                (struct msccl_writer_step){.type = TYPE_NOP, .wait = held});
        held = step->after[i];
        writer->steps[held].waited_for = true;
    }
    return held;
}

/* Out of place: is the run still what the rank came with? */
static bool is_fresh(struct msccl_writer *writer, const struct cs_op *op)
{
    uint32_t i;
    uint32_t fresh = 0;

    if (writer->in_place || op->buffer != CS_OUTPUT)
        return false;
    for (i = 0; i < op->blocks.count; i++)
        fresh += !writer->written[op->blocks.first + i];
    if (fresh > 0 && fresh < op->blocks.count)
        writer->fault = "a run of chunks of which only some were written";
    return fresh > 0;
}

static void mark_written(struct msccl_writer *writer, const struct cs_op *op)
{
    if (op->buffer == CS_OUTPUT && op->kind != CS_OP_SEND)
        memset(writer->written + op->blocks.first, 1, op->blocks.count);
}

static struct msccl_writer_step msccl_writer_step_of(
    struct msccl_writer *writer, const struct cs_op *op)
{
    struct msccl_writer_range own = {op->buffer, op->blocks.first};
    struct msccl_writer_range from = {op->source_buffer, op->source};
    struct msccl_writer_step step = {
        .source = own, .target = own, .count = op->blocks.count};
    bool fresh = is_fresh(writer, op);

    switch (op->kind) {
    case CS_OP_SEND:
        step.type = TYPE_S;
        break;
    case CS_OP_RECV:
        step.type = TYPE_R;
        break;
    case CS_OP_RECV_REDUCE:
        step.type = TYPE_RRC;
        break;
    case CS_OP_COPY:
        step.type = TYPE_CPY;
        step.source = from;
        break;
    case CS_OP_REDUCE:
        step.type = TYPE_RE;
        step.source = from;
        if (fresh)
            writer->fault = "a sum within a rank into what it came with";
        return step;
    default:
        writer->fault = "work that is no sum";
        return step;
    }
    if (fresh && (step.type == TYPE_S || step.type == TYPE_RRC))
        step.source.buffer = CS_INPUT;
    return step;
}

static uint32_t write_run(struct msccl_writer *writer,
                          struct msccl_writer_tb key,
                          const struct cs_walk_step *step,
                          const struct cs_op *op)
{
    struct msccl_writer_step made = msccl_writer_step_of(writer, op);
    uint32_t tb = find_tb(writer, key);

    mark_written(writer, op);
    made.wait = msccl_writer_add_waits(writer, tb, step);
    return msccl_writer_add_step(writer, tb, made);
}

/* Where the op goes among those like it in its round. */
static uint32_t count_like(const struct cs_walk_step *step)
{
    const struct cs_op *op = step->op;
    uint32_t like = 0;
    uint32_t i;

    for (i = 1; i <= step->place; i++)
        if (msccl_writer_direction(op - i) == msccl_writer_direction(op) &&
            (msccl_writer_direction(op) == 2 || (op - i)->peer == op->peer))
            like++;
    return like;
}

/* The runs without a wrap that the op has at both its ends. */
static struct cs_connection msccl_writer_pieces_of(
    const struct msccl_writer *writer, const struct cs_walk_step *step)
{
    const struct cs_program *program = writer->what->program;
    const struct cs_op *op = step->op;
    struct cs_op_place at = {writer->rank, step->lane, step->round,
                             step->place};

    if (msccl_writer_is_message(op))
        return *cs_connection_at(&writer->connections, at);
    return cs_connection_cut(
        op->blocks.count,
        cs_blocks_before_end(program, (enum cs_buffer)op->buffer, op->blocks),
        cs_blocks_before_end(program, (enum cs_buffer)op->source_buffer,
                             (struct cs_blocks){op->source, op->blocks.count}));
}

static uint32_t block_in(const struct msccl_writer *writer, uint8_t buffer,
                         uint32_t block)
{
    const struct cs_program *program = writer->what->program;

    return block %
           (buffer == CS_SCRATCH ? program->scratch_blocks : program->blocks);
}

/* Does a run of `n` blocks, round its end, have a block of the other? */
static bool msccl_writer_meets(struct cs_blocks a, struct cs_blocks b,
                               uint32_t n)
{
    return (b.first + n - a.first) % n < a.count ||
           (a.first + n - b.first) % n < b.count;
}

/* Is what the op adds to sent in the same round? */
static bool is_sent_at_once(const struct msccl_writer *writer,
                            const struct cs_walk_step *step)
{
    const struct cs_op *op = step->op;
    uint32_t i;

    for (i = 0; i < step->round_ops && op->kind == CS_OP_RECV_REDUCE; i++) {
        const struct cs_op *other = op - step->place + i;

        if (other->kind == CS_OP_SEND && other->buffer == op->buffer &&
            msccl_writer_meets(other->blocks, op->blocks,
                               writer->what->program->blocks))
            return true;
    }
    return false;
}

/* Does another op of the round add to what this one adds to? */
static bool has_rival(const struct msccl_writer *writer,
                      const struct cs_walk_step *step)
{
    const struct cs_op *op = step->op;
    uint32_t i;

    for (i = 0; i < step->round_ops && op->kind == CS_OP_RECV_REDUCE; i++) {
        const struct cs_op *other = op - step->place + i;

        if (other != op && other->kind == CS_OP_RECV_REDUCE &&
            other->buffer == op->buffer &&
            msccl_writer_meets(other->blocks, op->blocks,
                               writer->what->program->blocks))
            return true;
    }
    return false;
}

static uint32_t write_piece(struct msccl_writer *writer,
                            struct msccl_writer_tb key,
                            const struct cs_walk_step *step,
                            struct cs_blocks part)
{
    struct cs_op op = *step->op;

    op.blocks.first = block_in(writer, op.buffer, op.blocks.first + part.first);
    op.blocks.count = part.count;
    if (!msccl_writer_is_message(&op))
        op.source = block_in(writer, op.source_buffer, op.source + part.first);
    if (has_rival(writer, step) && is_fresh(writer, &op))
        writer->fault = "several sums at once into what a rank came with";
    return write_run(writer, key, step, &op);
}

/* Scratch of the thread block, as long as the vector. */
static uint32_t held_at(struct msccl_writer *writer, struct msccl_writer_tb key)
{
    const struct cs_program *program = writer->what->program;
    struct msccl_writer_tb *tb = &writer->tbs[find_tb(writer, key)];

    if (tb->held == 0)
        tb->held = ++writer->held;
    return program->scratch_blocks + (tb->held - 1) * program->blocks;
}

/* Receives into scratch, and adds that up when all that the lane sends in
 * this round is done. */
static uint32_t write_held(struct msccl_writer *writer,
                           struct msccl_writer_tb key,
                           const struct cs_walk_step *step)
{
    uint32_t place = held_at(writer, key) + step->op->blocks.first;
    struct cs_op receive = *step->op;
    struct cs_op add = {.kind = CS_OP_REDUCE,
                        .buffer = step->op->buffer,
                        .blocks = step->op->blocks,
                        .source_buffer = CS_SCRATCH,
                        .source = place};
    struct cs_walk_step next = {
        .lane = step->lane, .after = writer->sent.item, .op = &add};
    struct msccl_writer_tb reducer = msccl_writer_key_of(&next, 0);

    receive.kind = CS_OP_RECV;
    receive.buffer = CS_SCRATCH;
    receive.blocks.first = place;
    numbers_add(&writer->sent, write_run(writer, key, step, &receive));
    next.after = writer->sent.item;
    next.after_count = writer->sent.count--;
    reducer.nth = key.peer; /* sums of one round are side by side */
    return write_run(writer, reducer, &next, &add);
}

/* Any op, in one run or several that start together; the thread block of the
 * first waits for the others with nops. */
static uint32_t msccl_write_op(struct msccl_writer *writer,
                               const struct cs_walk_step *step)
{
    const struct cs_op *op = step->op;
    struct cs_connection pieces = msccl_writer_pieces_of(writer, step);
    struct msccl_writer_tb key = msccl_writer_key_of(step, pieces.channel[0]);
    uint32_t like = count_like(step);
    uint32_t number;
    uint32_t first;
    uint32_t i;

    if (op->blocks.count == 0 || op->kind == CS_OP_WORK)
        writer->fault = "bytes that are no chunks, or work that is no sum";
    if (is_sent_at_once(writer, step)) {
        if (like || pieces.pieces > 1)
            writer->fault = "several sums at once into what is sent";
        return write_held(writer, key, step);
    }
    key.nth = msccl_writer_is_message(op) ? 0 : CS_PIECES_MAX * like;
    first = find_tb(writer, key);
    number =
        write_piece(writer, key, step, (struct cs_blocks){0, pieces.start[1]});
    for (i = 1; i < pieces.pieces; i++) {
        struct cs_blocks part = {pieces.start[i],
                                 pieces.start[i + 1] - pieces.start[i]};
        uint32_t rest;

        key.channel = pieces.channel[i];
        key.nth += !msccl_writer_is_message(op);
        rest = write_piece(writer, key, step, part);
        writer->steps[rest].waited_for = true;
        number = msccl_writer_add_step(
            writer, first,
            (struct msccl_writer_step){.type = TYPE_NOP, .wait = rest});
    }
    return number;
}

/* What a round sends is written before all else of it. */
static void write_sends(struct msccl_writer *writer, struct cs_walk_step step)
{
    const struct cs_op *first = step.op;

    writer->sent.count = 0;
    writer->next_sent = 0;
    for (step.place = 0; step.place < step.round_ops; step.place++) {
        step.op = first + step.place;
        if (step.op->kind == CS_OP_SEND)
            numbers_add(&writer->sent, msccl_write_op(writer, &step));
    }
}

static uint32_t msccl_writer_visit(void *ctx, const struct cs_walk_step *step)
{
    struct msccl_writer *writer = ctx;

    if (step->place == 0)
        write_sends(writer, *step);
    if (step->op->kind == CS_OP_SEND)
        return writer->sent.item[writer->next_sent++];
    return msccl_write_op(writer, step);
}

/* Out of place: what a rank is owed and never wrote it copies from what it
 * came with. */
static bool is_left(const struct msccl_writer *writer, uint32_t block)
{
    const struct cs_program *program = writer->what->program;

    if (writer->written[block])
        return false;
    return writer->what->algo->collective != &cs_collective_allgather ||
           cs_block_owner(program, block) == writer->rank;
}

static void copy_what_is_left(struct msccl_writer *writer)
{
    uint32_t blocks = writer->what->program->blocks;
    uint32_t i = 0;
    uint32_t end;

    while (i < blocks) {
        for (end = i; end < blocks && is_left(writer, end); end++)
            ;
        if (end > i)
            msccl_writer_add_step(
                writer,
                find_tb(writer, (struct msccl_writer_tb){.lane = NONE,
                                                         .kind = 2,
                                                         .peer = NONE,
                                                         .first = NONE}),
                (struct msccl_writer_step){.type = TYPE_CPY,
                                           .source = {CS_INPUT, i},
                                           .target = {CS_OUTPUT, i},
                                           .count = end - i,
                                           .wait = NONE});
        i = end + 1;
    }
}

/* ---- text ---- */

static void msccl_write_place(struct msccl_writer *writer, const char *name,
                              struct msccl_writer_range range)
{
    const struct cs_program *program = writer->what->program;
    const struct cs_collective *collective = writer->what->algo->collective;
    char letter = 's';
    uint32_t first = range.first;

    if (range.buffer == CS_INPUT) {
        letter = 'i';
        if (collective == &cs_collective_allgather)
            first -= writer->rank * (program->blocks / program->ranks);
    } else if (range.buffer == CS_OUTPUT) {
        letter = 'o';
        if (writer->in_place && collective != &cs_collective_allgather)
            letter = 'i';
    }
    cs_text_printf(writer->out, " %sbuf=\"%c\" %soff=\"%u\"", name, letter,
                   name, first);
}

static void msccl_write_step(struct msccl_writer *writer,
                             const struct msccl_writer_step *step)
{
    static const char *const names[] = {"s", "r", "rrc", "cpy", "re", "nop"};
    const struct msccl_writer_step *wait =
        step->wait == NONE ? NULL : &writer->steps[step->wait];

    cs_text_printf(writer->out, "      <step s=\"%u\" type=\"%s\"",
                   step->number, names[step->type]);
    if (step->type == TYPE_NOP) {
        cs_text_add(writer->out, " srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" "
                                 "dstoff=\"-1\"");
    } else {
        msccl_write_place(writer, "src", step->source);
        msccl_write_place(writer, "dst", step->target);
    }
    cs_text_printf(writer->out,
                   " cnt=\"%u\" depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>\n",
                   step->count, wait ? (int)wait->tb : -1,
                   wait ? (int)wait->number : -1, step->waited_for);
}

static void write_tb(struct msccl_writer *writer, uint32_t index)
{
    const struct msccl_writer_tb *tb = &writer->tbs[index];
    uint32_t i;

    cs_text_printf(writer->out,
                   "    <tb id=\"%u\" send=\"%d\" recv=\"%d\" chan=\"%u\">\n",
                   index, tb->kind == 0 ? (int)tb->peer : -1,
                   tb->kind == 1 ? (int)tb->peer : -1, tb->channel);
    for (i = tb->first; i != NONE; i = writer->steps[i].next)
        msccl_write_step(writer, &writer->steps[i]);
    cs_text_add(writer->out, "    </tb>\n");
}

static int write_gpu(struct msccl_writer *writer)
{
    const struct cs_program *program = writer->what->program;
    uint32_t blocks = program->blocks;
    bool gathers = writer->what->algo->collective == &cs_collective_allgather;
    uint32_t input = gathers ? blocks / program->ranks : blocks;
    uint32_t i;
    int code;

    writer->step_count = 0;
    writer->held = 0;
    writer->tb_count = 0;
    memset(writer->written, 0, blocks);
    code =
        cs_walk(program, writer->rank, msccl_writer_visit, writer, writer->err);
    if (!code && !writer->in_place)
        copy_what_is_left(writer);
    if (!code && writer->fault)
        code = cs_err_set(writer->err, CS_EINPUT,
                          "MSCCL has no way to say what %s %s does: %s",
                          writer->what->algo->name,
                          writer->what->algo->collective->name, writer->fault);
    if (!code && writer->total > CS_EXPORT_STEPS_MAX)
        code = cs_err_set(writer->err, CS_EINPUT,
                          "the schedule has more than %d steps; take fewer "
                          "ranks or chunks",
                          CS_EXPORT_STEPS_MAX);
    if (code)
        return code;
    cs_text_printf(writer->out,
                   "  <gpu id=\"%u\" i_chunks=\"%u\" o_chunks=\"%u\" "
                   "s_chunks=\"%u\">\n",
                   writer->rank, writer->in_place && gathers ? 0 : input,
                   writer->in_place && !gathers ? 0 : blocks,
                   program->scratch_blocks + writer->held * blocks);
    for (i = 0; i < writer->tb_count; i++)
        write_tb(writer, i);
    cs_text_add(writer->out, "  </gpu>\n");
    return 0;
}

/* ---- the whole ---- */

struct msccl_writer_survey {
    bool reads_input;
};

static uint32_t msccl_writer_look(void *ctx, const struct cs_walk_step *step)
{
    struct msccl_writer_survey *survey = ctx;
    const struct cs_op *op = step->op;

    if (op->buffer == CS_INPUT ||
        (!msccl_writer_is_message(op) && op->source_buffer == CS_INPUT))
        survey->reads_input = true;
    return 0;
}

static int take_survey(const struct cs_export *what,
                       struct msccl_writer_survey *survey, struct cs_err *err)
{
    uint32_t rank;
    int code = 0;

    *survey = (struct msccl_writer_survey){0};
    for (rank = 0; rank < what->program->ranks && !code; rank++)
        code = cs_walk(what->program, rank, msccl_writer_look, survey, err);
    if (!code && what->program->agents)
        code = cs_err_set(err, CS_EINPUT,
                          "MSCCL knows no servers beside the GPUs, and %s has "
                          "%u",
                          what->algo->name, what->program->agents);
    if (!code && what->algo->collective->is_signal)
        code = cs_err_set(err, CS_EINPUT,
                          "MSCCL's messages carry something, and those of a %s "
                          "nothing",
                          what->algo->collective->name);
    if (!code && survey->reads_input &&
        what->algo->collective == &cs_collective_reducescatter)
        code = cs_err_set(err, CS_EINPUT,
                          "MSCCL's output of a reduce-scatter has no room for "
                          "what %s does in it",
                          what->algo->name);
    return code;
}

/* As MSCCL calls it; what it has no name for promises nothing there. */
static const char *collective_name(const struct cs_collective *collective)
{
    if (collective == &cs_collective_reducescatter)
        return "reduce_scatter";
    if (collective == &cs_collective_allgather)
        return "allgather";
    if (collective == &cs_collective_allreduce ||
        collective == &cs_collective_alltoall ||
        collective == &cs_collective_broadcast ||
        collective == &cs_collective_reduce)
        return collective->name;
    return "custom";
}

static void msccl_write_head(struct msccl_writer *writer, uint32_t channels)
{
    const struct cs_export *what = writer->what;

    cs_text_printf(
        writer->out,
        "<algo name=\"%s_%s\" proto=\"Simple\" nchannels=\"%u\" "
        "nchunksperloop=\"%u\" ngpus=\"%u\" coll=\"%s\" inplace=\"%d\" "
        "outofplace=\"%d\" minBytes=\"0\" maxBytes=\"1099511627776\">\n",
        what->algo->collective->name,
        strchr(what->algo->name, ':') ? "imported" : what->algo->name, channels,
        what->program->blocks, what->program->ranks,
        collective_name(what->algo->collective), writer->in_place,
        !writer->in_place);
}

static int write_gpus(struct msccl_writer *writer)
{
    const struct cs_program *program = writer->what->program;
    int code = 0;

    writer->written = cs_grow(NULL, program->blocks, sizeof(bool));
    msccl_write_head(writer, writer->connections.channels);
    for (; writer->rank < program->ranks && !code; writer->rank++)
        code = write_gpu(writer);
    cs_text_add(writer->out, "</algo>\n");
    free(writer->steps);
    free(writer->tbs);
    free(writer->written);
    free(writer->sent.item);
    return code;
}

static int msccl_write(const struct cs_export *what, struct cs_text *out,
                       struct cs_err *err)
{
    struct msccl_writer writer = {.what = what, .out = out, .err = err};
    struct cs_arena arena = {0};
    struct msccl_writer_survey survey;
    int code = take_survey(what, &survey, err);

    if (!code)
        code =
            cs_connections_of(what->program, CS_WRAPS_CUT, CS_EXPORT_STEPS_MAX,
                              &arena, &writer.connections, err);
    writer.in_place = !survey.reads_input && !what->program->output_empty;
    if (!code)
        code = write_gpus(&writer);
    cs_arena_free(&arena);
    return code;
}

const struct cs_exporter cs_exporter_msccl = {
    .name = "msccl",
    .about = "MSCCL XML, for MSCCL, RCCL and their simulators",
    .write = msccl_write,
};
