#include "algorithms/schedules/msccl/write_ops.h"

#include <string.h>

/* Reductions on arrival are receives: the reduction belongs to the step. */
static enum cs_msccl_direction msccl_direction(const struct cs_op *op)
{
    if (op->kind == CS_OP_SEND)
        return CS_MSCCL_SENDING;
    return cs_op_is_message(op) ? CS_MSCCL_RECEIVING : CS_MSCCL_COMPUTING;
}

/* The thread block of a message on a channel, or of the lane's local ops. */
static struct cs_msccl_block msccl_key_of(const struct cs_walk_step *step, uint32_t channel)
{
    bool message = cs_op_is_message(step->op);

    return (struct cs_msccl_block){
        .lane = step->at.lane,
        .direction = msccl_direction(step->op),
        .peer = message ? step->op->peer : CS_MSCCL_NONE,
        .channel = message ? channel : 0,
        .first = CS_MSCCL_NONE,
    };
}

/* ---- steps ---- */

/* Whether the blocks of the op still hold the input of the rank, out of
 * place. */
static bool msccl_is_fresh(struct cs_msccl_writer *writer, const struct cs_op *op)
{
    uint32_t fresh = 0;

    if (writer->in_place || op->buffer != CS_OUTPUT)
        return false;
    for (uint32_t i = 0; i < op->blocks.count; i++)
        fresh += !writer->written[op->blocks.first + i];
    if (fresh > 0 && fresh < op->blocks.count)
        writer->fault = "a run of chunks that is only partly written";
    return fresh > 0;
}

/* Only the output starts empty; scratch and input need no record. */
static void msccl_mark_written(struct cs_msccl_writer *writer, const struct cs_op *op)
{
    if (op->buffer == CS_OUTPUT && op->kind != CS_OP_SEND)
        memset(writer->written + op->blocks.first, 1, op->blocks.count);
}

/* Maps an op without a wrap to a step type, and replaces unwritten chunks by
 * chunks of the input. */
static struct cs_msccl_entry msccl_step_of(struct cs_msccl_writer *writer, const struct cs_op *op)
{
    struct cs_msccl_range own = {op->buffer, op->blocks.first};
    struct cs_msccl_range from = {op->source_buffer, op->source};
    struct cs_msccl_entry step = {.source = own, .target = own, .count = op->blocks.count};
    bool fresh = msccl_is_fresh(writer, op);

    switch (op->kind) {
    case CS_OP_SEND:
        step.type = CS_MSCCL_S;
        break;
    case CS_OP_RECV:
        step.type = CS_MSCCL_R;
        break;
    case CS_OP_RECV_REDUCE:
        step.type = CS_MSCCL_RRC;
        break;
    case CS_OP_COPY:
        step.type = CS_MSCCL_CPY;
        step.source = from;
        break;
    case CS_OP_REDUCE:
        step.type = CS_MSCCL_RE;
        step.source = from;
        if (fresh)
            writer->fault = "a local reduction into an input chunk";
        return step;
    default:
        writer->fault = "computation other than a reduction";
        return step;
    }
    if (fresh && (step.type == CS_MSCCL_S || step.type == CS_MSCCL_RRC))
        step.source.buffer = CS_INPUT;
    return step;
}

/* The step is chosen before the blocks count as written: a reduction reads the
 * old contents. */
static uint32_t msccl_write_run(struct cs_msccl_writer *writer, struct cs_msccl_block key,
                                const struct cs_walk_step *step, const struct cs_op *op)
{
    struct cs_msccl_entry made = msccl_step_of(writer, op);
    uint32_t block = cs_msccl_find_block(&writer->gpu, key);

    msccl_mark_written(writer, op);
    made.wait = cs_msccl_add_waits(&writer->gpu, block, step);
    return cs_msccl_add_step(&writer->gpu, block, made);
}

/* ---- pieces ---- */

/* The number of earlier ops of the round with equal peer and direction. */
static uint32_t msccl_count_like(const struct cs_walk_step *step)
{
    const struct cs_op *op = step->op;
    enum cs_msccl_direction direction = msccl_direction(op);
    uint32_t like = 0;

    for (uint32_t i = 1; i <= step->place; i++)
        if (msccl_direction(op - i) == direction &&
            (direction == CS_MSCCL_COMPUTING || (op - i)->peer == op->peer))
            like++;
    return like;
}

/* Cuts the op into runs without a wrap at source or target. */
static struct cs_connection msccl_pieces_of(const struct cs_msccl_writer *writer,
                                            const struct cs_walk_step *step)
{
    const struct cs_program *program = writer->what->program;
    const struct cs_op *op = step->op;

    if (cs_op_is_message(op))
        return *cs_connection_at(&writer->connections, step->at, step->place);
    return cs_connection_cut(
        op->blocks.count, cs_blocks_before_end(program, (enum cs_buffer)op->buffer, op->blocks),
        cs_blocks_before_end(program, (enum cs_buffer)op->source_buffer,
                             (struct cs_blocks){op->source, op->blocks.count}));
}

/* Runs wrap at the end of the buffer. */
static uint32_t msccl_block_in(const struct cs_msccl_writer *writer, uint8_t buffer, uint32_t block)
{
    return block % cs_program_extent(writer->what->program, (enum cs_buffer)buffer);
}

/* Whether an op of `kind` in the round touches the target blocks of a
 * reduction. */
static bool msccl_has_concurrent(const struct cs_msccl_writer *writer,
                                 const struct cs_walk_step *step, enum cs_op_kind kind)
{
    const struct cs_op *op = step->op;

    for (uint32_t i = 0; i < step->round_ops && op->kind == CS_OP_RECV_REDUCE; i++) {
        const struct cs_op *other = op - step->place + i;

        if (other != op && other->kind == kind && cs_ops_meet(writer->what->program, other, op))
            return true;
    }
    return false;
}

static uint32_t msccl_write_piece(struct cs_msccl_writer *writer, struct cs_msccl_block key,
                                  const struct cs_walk_step *step, struct cs_blocks part)
{
    struct cs_op op = *step->op;

    op.blocks.first = msccl_block_in(writer, op.buffer, op.blocks.first + part.first);
    op.blocks.count = part.count;
    if (!cs_op_is_message(&op))
        op.source = msccl_block_in(writer, op.source_buffer, op.source + part.first);
    return msccl_write_run(writer, key, step, &op);
}

/* ---- ops ---- */

/* First block of the scratch vector of the thread block.  A whole
 * vector keeps the offset of a chunk. */
static uint32_t msccl_held_at(struct cs_msccl_writer *writer, struct cs_msccl_block key)
{
    const struct cs_program *program = writer->what->program;
    struct cs_msccl_block *block = &writer->gpu.blocks[cs_msccl_find_block(&writer->gpu, key)];

    if (block->held == 0)
        block->held = ++writer->held;
    return program->scratch_blocks + (block->held - 1) * program->blocks;
}

/* Receives into scratch, and reduces from scratch after the sends of the
 * lane's round: a send must read the chunk before the reduction. */
static uint32_t msccl_write_held(struct cs_msccl_writer *writer, struct cs_msccl_block key,
                                 const struct cs_walk_step *step)
{
    uint32_t place = msccl_held_at(writer, key) + step->op->blocks.first;
    struct cs_op receive = *step->op;
    struct cs_op add = {.kind = CS_OP_REDUCE,
                        .buffer = step->op->buffer,
                        .blocks = step->op->blocks,
                        .source_buffer = CS_SCRATCH,
                        .source = place};
    struct cs_walk_step next = {.at.lane = step->at.lane, .after = writer->sent.item, .op = &add};
    struct cs_msccl_block reducer = msccl_key_of(&next, 0);

    receive.kind = CS_OP_RECV;
    receive.buffer = CS_SCRATCH;
    receive.blocks.first = place;
    cs_number_list_add(&writer->sent, msccl_write_run(writer, key, step, &receive));
    next.after = writer->sent.item;
    next.after_count = writer->sent.count--;
    reducer.nth = key.peer; /* reductions of a round run concurrently */
    return msccl_write_run(writer, reducer, &next, &add);
}

/* Writes an op as concurrent runs.  The thread block of the first run waits for
 * the others with nops; the last nop ends the op. */
static uint32_t msccl_write_op(struct cs_msccl_writer *writer, const struct cs_walk_step *step)
{
    const struct cs_op *op = step->op;
    struct cs_connection pieces = msccl_pieces_of(writer, step);
    struct cs_msccl_block key = msccl_key_of(step, pieces.channel[0]);
    uint32_t like = msccl_count_like(step);
    uint32_t number;
    uint32_t first;

    if (op->blocks.count == 0 || op->kind == CS_OP_WORK)
        writer->fault = "bytes outside the vector, or computation other than a reduction";
    if (msccl_has_concurrent(writer, step, CS_OP_SEND)) {
        if (like || pieces.pieces > 1)
            writer->fault = "concurrent reductions into chunks that are being sent";
        return msccl_write_held(writer, key, step);
    }
    key.nth = cs_op_is_message(op) ? 0 : CS_PIECES_MAX * like;
    first = cs_msccl_find_block(&writer->gpu, key);
    number = msccl_write_piece(writer, key, step, (struct cs_blocks){0, pieces.start[1]});
    for (uint32_t i = 1; i < pieces.pieces; i++) {
        struct cs_blocks part = {pieces.start[i], pieces.start[i + 1] - pieces.start[i]};
        uint32_t rest;

        key.channel = pieces.channel[i];
        key.nth += !cs_op_is_message(op);
        rest = msccl_write_piece(writer, key, step, part);
        writer->gpu.steps[rest].waited_for = true;
        number = cs_msccl_add_step(&writer->gpu, first,
                                   (struct cs_msccl_entry){.type = CS_MSCCL_NOP, .wait = rest});
    }
    return number;
}

/* Sends of a round are written first: msccl_write_held() lets reductions wait
 * for sends. */
static void msccl_write_sends(struct cs_msccl_writer *writer, struct cs_walk_step step)
{
    const struct cs_op *first = step.op;

    writer->sent.count = 0;
    writer->next_sent = 0;
    for (step.place = 0; step.place < step.round_ops; step.place++) {
        step.op = first + step.place;
        if (step.op->kind == CS_OP_SEND)
            cs_number_list_add(&writer->sent, msccl_write_op(writer, &step));
    }
}

static bool msccl_is_sum(const struct cs_op *op)
{
    return op->kind == CS_OP_RECV_REDUCE || op->kind == CS_OP_REDUCE;
}

/* A sum also follows the earlier sums of the round into its blocks; the last one
 * into the same blocks follows those before. */
static struct cs_walk_step msccl_behind_sums(struct cs_msccl_writer *writer,
                                             struct cs_walk_step step)
{
    const struct cs_op *op = step.op;

    if (!msccl_is_sum(op))
        return step;
    writer->after.count = 0;
    for (uint32_t i = 0; i < step.after_count; i++)
        cs_number_list_add(&writer->after, step.after[i]);
    for (uint32_t i = step.place; i-- > 0;) {
        const struct cs_op *other = op - step.place + i;

        if (!msccl_is_sum(other) || !cs_ops_meet(writer->what->program, other, op))
            continue;
        cs_number_list_add(&writer->after, writer->done.item[i]);
        if (other->blocks.first == op->blocks.first && other->blocks.count == op->blocks.count)
            break;
    }
    step.after = writer->after.item;
    step.after_count = writer->after.count;
    return step;
}

/* Sends were written at the first op of the round; the visit returns their
 * steps in order. */
static uint32_t msccl_visit_op(void *ctx, const struct cs_walk_step *step)
{
    struct cs_msccl_writer *writer = ctx;
    struct cs_walk_step next;
    uint32_t number;

    if (step->place == 0) {
        msccl_write_sends(writer, *step);
        writer->done.count = 0;
    }
    next = msccl_behind_sums(writer, *step);
    number = step->op->kind == CS_OP_SEND ? writer->sent.item[writer->next_sent++]
                                          : msccl_write_op(writer, &next);
    cs_number_list_add(&writer->done, number);
    return number;
}

/* Whether the output lacks a block of the input; the input of an all-gather is
 * the rank's own piece. */
static bool msccl_is_unwritten(const struct cs_msccl_writer *writer, uint32_t block)
{
    const struct cs_program *program = writer->what->program;

    if (writer->written[block])
        return false;
    return writer->what->algo->collective != &cs_collective_allgather ||
           cs_block_owner(program, block) == writer->rank;
}

/* Out of place, the output of MSCCL starts empty; a program may rely on a copy
 * of the input.  Copies the blocks without a write. */
static void msccl_copy_unwritten(struct cs_msccl_writer *writer)
{
    uint32_t blocks = writer->what->program->blocks;
    uint32_t i = 0;
    uint32_t end;

    while (i < blocks) {
        for (end = i; end < blocks && msccl_is_unwritten(writer, end); end++)
            ;
        if (end > i)
            cs_msccl_add_step(
                &writer->gpu,
                cs_msccl_find_block(&writer->gpu,
                                    (struct cs_msccl_block){.lane = CS_MSCCL_NONE,
                                                            .direction = CS_MSCCL_COMPUTING,
                                                            .peer = CS_MSCCL_NONE,
                                                            .first = CS_MSCCL_NONE}),
                (struct cs_msccl_entry){.type = CS_MSCCL_CPY,
                                        .source = {CS_INPUT, i},
                                        .target = {CS_OUTPUT, i},
                                        .count = end - i,
                                        .wait = CS_MSCCL_NONE});
        i = end + 1;
    }
}

int cs_msccl_write_ops(struct cs_msccl_writer *writer)
{
    int code;

    writer->held = 0;
    cs_msccl_gpu_clear(&writer->gpu);
    memset(writer->written, 0, writer->what->program->blocks);
    code = cs_walk(writer->what->program, writer->rank, msccl_visit_op, writer, writer->err);
    if (!code && !writer->in_place)
        msccl_copy_unwritten(writer);
    writer->total += writer->gpu.step_count;
    if (!code && writer->fault)
        code = cs_err_set(writer->err, CS_EINPUT, "MSCCL cannot express %s %s: %s",
                          writer->what->algo->name, writer->what->algo->collective->name,
                          writer->fault);
    if (!code && writer->total > CS_EXPORT_STEPS_MAX)
        code = cs_err_set(writer->err, CS_EINPUT,
                          "the schedule has more than %d steps; take fewer ranks or chunks",
                          CS_EXPORT_STEPS_MAX);
    return code;
}
