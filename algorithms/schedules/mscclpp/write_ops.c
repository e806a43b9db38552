#include "algorithms/schedules/mscclpp/writer.h"

enum {
    NO_NUMBER = UINT32_MAX,
    SEMAPHORES_MAX = 16 /* MAX_DEVICE_SEMAPHORES of the executor */
};

/* The ops of a round, in writer->ops. */
static void read_round(struct cs_mscclpp_writer *writer, struct cs_at at)
{
    cs_program_read(writer->what->program, at, &writer->ops);
}

/* ---- messages ---- */

static uint32_t message_of(const struct cs_mscclpp_writer *writer, struct cs_at at, uint32_t place)
{
    return (uint32_t)(cs_connection_at(&writer->connections, at, place) -
                      writer->connections.connections);
}

/* `streams`: channels by sender x ranks + receiver, in the order of discovery. */
static void place_mail(struct cs_mscclpp_writer *writer, struct cs_number_list *streams,
                       struct cs_at at, uint32_t place)
{
    const struct cs_op *op = &writer->ops.op[place];
    uint32_t message;

    if (!cs_op_is_message(op))
        return;
    message = message_of(writer, at, place);
    if (op->kind == CS_OP_SEND) {
        size_t pair = (size_t)at.party * writer->what->program->ranks + op->peer;

        writer->mail[message].nth = cs_number_list_note(
            &streams[pair], writer->connections.connections[message].channel[0]);
        return;
    }
    writer->mail[message].slot = writer->scratch[at.party];
    writer->scratch[at.party] += op->blocks.count;
}

static void place_mails(struct cs_mscclpp_writer *writer, struct cs_number_list *streams,
                        struct cs_at at)
{
    const struct cs_program *program = writer->what->program;
    uint64_t rounds = cs_program_rounds(program, at.party, at.lane);

    for (at.round = 0; at.round < rounds; at.round++) {
        read_round(writer, at);
        for (uint32_t i = 0; i < writer->ops.count; i++)
            place_mail(writer, streams, at, i);
    }
}

/* Channels between two ranks serve both directions: the n-th stream of either is
 * on the n-th channel. */
void cs_mscclpp_write_mail(struct cs_mscclpp_writer *writer, struct cs_arena *arena)
{
    const struct cs_program *program = writer->what->program;
    size_t pairs = (size_t)program->ranks * program->ranks;
    struct cs_number_list *streams = cs_arena_alloc(arena, pairs, sizeof(*streams));

    writer->mail = cs_arena_alloc(arena, writer->connections.messages, sizeof(*writer->mail));
    writer->scratch = cs_arena_alloc(arena, program->ranks, sizeof(*writer->scratch));
    writer->channels = cs_arena_alloc(arena, pairs, sizeof(*writer->channels));
    writer->one_way = cs_arena_alloc(arena, pairs, sizeof(*writer->one_way));
    for (uint32_t a = 0; a < program->ranks; a++) {
        writer->scratch[a] = program->scratch_blocks;
        for (uint32_t b = 0; b < program->lanes; b++)
            place_mails(writer, streams, (struct cs_at){.party = a, .lane = b});
    }
    for (uint32_t a = 0; a < program->ranks; a++)
        for (uint32_t b = 0; b < program->ranks; b++) {
            uint32_t there = streams[a * program->ranks + b].count;
            uint32_t back = streams[b * program->ranks + a].count;

            writer->channels[a * program->ranks + b] = there > back ? there : back;
            writer->one_way[a * program->ranks + b] = there > 0 && back == 0;
        }
    for (uint32_t a = 0; a < pairs; a++)
        cs_number_list_free(&streams[a]);
}

/* The number of the n-th channel from the rank to a peer, among its channels. */
static uint32_t mscclpp_channel_at(const struct cs_mscclpp_writer *writer, uint32_t peer,
                                   uint32_t nth)
{
    const uint32_t *row = &writer->channels[(size_t)writer->rank * writer->what->program->ranks];
    uint32_t number = nth;

    for (uint32_t i = 0; i < peer; i++)
        number += row[i];
    return number;
}

/* ---- waits ---- */

/* A wait for a round that an earlier wait covers has no ticket. */
static bool is_covered(const struct cs_mscclpp_writer *writer, uint32_t lane, uint64_t round,
                       uint32_t waiter)
{
    for (uint32_t i = writer->ticket_count; i > 0; i--) {
        const struct cs_mscclpp_ticket *ticket = &writer->tickets[i - 1];

        if (ticket->waiter != waiter)
            return false;
        if (ticket->lane == lane)
            return ticket->round >= round;
    }
    return false;
}

static void collect_tickets(struct cs_mscclpp_writer *writer, uint32_t lane)
{
    const struct cs_program *program = writer->what->program;
    uint64_t rounds = cs_program_rounds(program, writer->rank, lane);

    for (uint64_t k = 0; k < rounds; k++) {
        const struct cs_op *op;

        read_round(writer, (struct cs_at){writer->rank, lane, k});
        op = writer->ops.op;
        if (writer->ops.count == 0 || op->kind != CS_OP_WAIT ||
            is_covered(writer, op->peer, op->source, lane))
            continue;
        *CS_VECTOR_NEXT(writer->tickets, writer->ticket_count, writer->ticket_capacity) =
            (struct cs_mscclpp_ticket){op->peer, op->source, lane, k, NO_NUMBER, NO_NUMBER, 0};
    }
}

/* Each pair of thread blocks has a semaphore, so that a semaphore has one
 * releasing and one acquiring block. */
static void number_semaphores(struct cs_mscclpp_writer *writer)
{
    uint32_t k;

    writer->semaphores = 0;
    for (uint32_t i = 0; i < writer->ticket_count; i++) {
        struct cs_mscclpp_ticket *ticket = &writer->tickets[i];

        for (k = 0; k < i; k++)
            if (writer->tickets[k].from == ticket->from && writer->tickets[k].to == ticket->to)
                break;
        ticket->semaphore = k < i ? writer->tickets[k].semaphore : writer->semaphores++;
    }
}

/* ---- rounds ---- */

static void add_step(struct cs_mscclpp_writer *writer, struct cs_mscclpp_step step)
{
    cs_mscclpp_blocks_add(&writer->blocks, step);
}

static void add_nop(struct cs_mscclpp_writer *writer)
{
    add_step(writer, (struct cs_mscclpp_step){.kind = CS_MSCCLPP_STEP_NOP});
}

/* Where a run wraps: at the end of its buffer, but the places of messages, behind
 * the scratch of the program, never do. */
static uint32_t end_of(const struct cs_mscclpp_writer *writer, struct cs_mscclpp_run_of run)
{
    const struct cs_program *program = writer->what->program;
    bool is_mail = run.buffer == CS_SCRATCH && run.first >= program->scratch_blocks;

    return is_mail ? UINT32_MAX : cs_program_extent(program, (enum cs_buffer)run.buffer);
}

/* A step without a wrap for each piece of one. */
static void add_pieces(struct cs_mscclpp_writer *writer, struct cs_mscclpp_step whole)
{
    uint32_t source_end = end_of(writer, whole.source);
    uint32_t target_end = end_of(writer, whole.target);
    struct cs_connection cut = cs_connection_cut(whole.count, source_end - whole.source.first,
                                                 target_end - whole.target.first);

    for (uint32_t i = 0; i < cut.pieces; i++) {
        struct cs_mscclpp_step step = whole;

        step.count = cut.start[i + 1] - cut.start[i];
        step.source.first = (whole.source.first + cut.start[i]) % source_end;
        step.target.first = (whole.target.first + cut.start[i]) % target_end;
        add_step(writer, step);
    }
}

/* Signals behind the sends of a round, or waits for its receives. */
static void add_signals(struct cs_mscclpp_writer *writer, struct cs_at at,
                        enum cs_mscclpp_step_kind kind)
{
    for (uint32_t i = 0; i < writer->ops.count; i++) {
        const struct cs_op *op = &writer->ops.op[i];

        if (cs_op_is_message(op) && (op->kind == CS_OP_SEND) == (kind == CS_MSCCLPP_STEP_SIGNAL))
            add_step(writer,
                     (struct cs_mscclpp_step){
                         .kind = (uint8_t)kind,
                         .id = mscclpp_channel_at(writer, op->peer,
                                                  writer->mail[message_of(writer, at, i)].nth)});
    }
}

static void add_sends(struct cs_mscclpp_writer *writer, struct cs_at at)
{
    bool sends = false;

    for (uint32_t i = 0; i < writer->ops.count; i++) {
        const struct cs_op *op = &writer->ops.op[i];

        if (op->kind != CS_OP_SEND)
            continue;
        sends = true;
        add_pieces(writer, (struct cs_mscclpp_step){
                               .kind = CS_MSCCLPP_STEP_PUT,
                               .source = {op->buffer, op->blocks.first},
                               .target = {CS_SCRATCH, writer->mail[message_of(writer, at, i)].slot},
                               .count = op->blocks.count,
                               .peer = op->peer});
    }
    if (sends)
        add_nop(writer);
    add_signals(writer, at, CS_MSCCLPP_STEP_SIGNAL);
}

/* Several sums into one block follow one another. */
static bool meets_earlier(const struct cs_mscclpp_writer *writer, uint32_t last)
{
    const struct cs_op *op = writer->ops.op;

    for (uint32_t i = 0; i < last; i++)
        if (op[i].kind != CS_OP_SEND && cs_ops_meet(writer->what->program, &op[i], &op[last]))
            return true;
    return false;
}

static void add_changes(struct cs_mscclpp_writer *writer, struct cs_at at)
{
    bool is_first = true;

    for (uint32_t i = 0; i < writer->ops.count; i++) {
        const struct cs_op *op = &writer->ops.op[i];
        bool adds = op->kind == CS_OP_RECV_REDUCE || op->kind == CS_OP_REDUCE;
        struct cs_mscclpp_step step = {.kind = adds ? CS_MSCCLPP_STEP_ADD : CS_MSCCLPP_STEP_COPY,
                                       .source = {op->source_buffer, op->source},
                                       .target = {op->buffer, op->blocks.first},
                                       .count = op->blocks.count};

        if (op->kind == CS_OP_SEND || op->kind > CS_OP_REDUCE)
            continue;
        if (!cs_op_is_local(op))
            step.source = (struct cs_mscclpp_run_of){CS_SCRATCH,
                                                     writer->mail[message_of(writer, at, i)].slot};
        if (is_first || meets_earlier(writer, i))
            add_nop(writer);
        is_first = false;
        add_pieces(writer, step);
    }
    if (!is_first)
        add_nop(writer);
}

/* The thread block hears of another, or another of this one. */
static void add_tickets(struct cs_mscclpp_writer *writer, uint32_t lane, uint64_t round,
                        enum cs_mscclpp_step_kind kind)
{
    bool acquires = kind == CS_MSCCLPP_STEP_ACQUIRE;

    for (uint32_t i = 0; i < writer->ticket_count; i++) {
        struct cs_mscclpp_ticket *ticket = &writer->tickets[i];

        if (acquires ? ticket->waiter != lane || ticket->waiter_round != round
                     : ticket->lane != lane || ticket->round != round)
            continue;
        if (!acquires)
            add_nop(writer);
        add_step(writer, (struct cs_mscclpp_step){.kind = (uint8_t)kind, .id = i});
        *(acquires ? &ticket->to : &ticket->from) = writer->blocks.count - 1;
        if (acquires)
            add_nop(writer);
    }
}

static bool is_beyond(const struct cs_op *op)
{
    return op->kind == CS_OP_WORK || (op->kind != CS_OP_WAIT && op->blocks.count == 0);
}

static void write_round(struct cs_mscclpp_writer *writer, uint32_t lane, uint64_t round)
{
    struct cs_at at = {writer->rank, lane, round};

    read_round(writer, at);
    for (uint32_t i = 0; i < writer->ops.count; i++)
        if (is_beyond(&writer->ops.op[i])) {
            writer->fault = "messages without data, or computation other than a reduction";
            return;
        }
    cs_mscclpp_blocks_room(&writer->blocks, 3 * writer->ops.count + 4);
    add_tickets(writer, lane, round, CS_MSCCLPP_STEP_ACQUIRE);
    add_sends(writer, at);
    add_signals(writer, at, CS_MSCCLPP_STEP_WAIT);
    add_changes(writer, at);
    add_tickets(writer, lane, round, CS_MSCCLPP_STEP_RELEASE);
}

/* ---- the output out of place ---- */

/* What the program does to a block of the output: the blocks that it reads, or
 * never writes, begin as a copy of the input. */
static void note_output(const struct cs_mscclpp_writer *writer, bool *written, bool *needed)
{
    const struct cs_program *program = writer->what->program;

    for (uint32_t i = 0; i < writer->ops.count; i++) {
        const struct cs_op *op = &writer->ops.op[i];

        for (uint32_t k = 0; k < op->blocks.count; k++) {
            uint32_t block = (op->blocks.first + k) % program->blocks;
            uint32_t source = (op->source + k) % program->blocks;

            if (op->buffer == CS_OUTPUT && op->kind != CS_OP_SEND)
                written[block] = true;
            if (op->buffer == CS_OUTPUT && op->kind != CS_OP_RECV && op->kind != CS_OP_COPY)
                needed[block] = true;
            if (cs_op_is_local(op) && op->source_buffer == CS_OUTPUT)
                needed[source] = true;
        }
    }
}

static void add_copies(struct cs_mscclpp_writer *writer, const bool *copied)
{
    uint32_t blocks = writer->what->program->blocks;
    uint32_t i = 0;
    uint32_t end;

    while (i < blocks) {
        for (end = i; end < blocks && copied[end]; end++)
            ;
        if (end > i)
            add_step(writer, (struct cs_mscclpp_step){.kind = CS_MSCCLPP_STEP_COPY,
                                                      .source = {CS_INPUT, i},
                                                      .target = {CS_OUTPUT, i},
                                                      .count = end - i});
        i = end + 1;
    }
}

/* Marks the blocks to copy; true: there are any. */
static bool mark_copies(struct cs_mscclpp_writer *writer, bool *copied)
{
    const struct cs_program *program = writer->what->program;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    bool *written = cs_arena_alloc(&arena, program->blocks, sizeof(*written));
    bool *needed = cs_arena_alloc(&arena, program->blocks, sizeof(*needed));
    bool any = false;

    for (uint32_t lane = 0; lane < program->lanes; lane++)
        for (uint64_t k = 0; k < cs_program_rounds(program, writer->rank, lane); k++) {
            read_round(writer, (struct cs_at){writer->rank, lane, k});
            note_output(writer, written, needed);
        }
    for (uint32_t i = 0; i < program->blocks; i++) {
        bool has = program->before != CS_OWN_BLOCK || cs_block_owner(program, i) == writer->rank;

        copied[i] = has && (needed[i] || !written[i]);
        any |= copied[i];
    }
    return any;
}

/* ---- a rank ---- */

/* The first channel with each rank that hears of this one, or that this one hears
 * of, only. */
static void add_announcements(struct cs_mscclpp_writer *writer, enum cs_mscclpp_step_kind kind)
{
    uint32_t ranks = writer->what->program->ranks;
    uint32_t own = writer->rank;

    if (writer->launches < CS_MSCCLPP_ANNOUNCED)
        return;
    for (uint32_t peer = 0; peer < ranks; peer++)
        if (writer->one_way[kind == CS_MSCCLPP_STEP_SIGNAL ? (size_t)peer * ranks + own
                                                           : (size_t)own * ranks + peer])
            add_step(writer, (struct cs_mscclpp_step){.kind = (uint8_t)kind,
                                                      .id = mscclpp_channel_at(writer, peer, 0)});
}

/* `copied`: blocks to copy first, or NULL. */
static void write_lane(struct cs_mscclpp_writer *writer, uint32_t lane, const bool *copied,
                       const struct cs_mscclpp_step *barrier)
{
    const struct cs_program *program = writer->what->program;
    uint64_t rounds = cs_program_rounds(program, writer->rank, lane);
    bool is_first = writer->blocks.count == 0;

    cs_mscclpp_blocks_begin(&writer->blocks);
    if (is_first)
        add_announcements(writer, CS_MSCCLPP_STEP_SIGNAL);
    if (copied && lane == 0) {
        add_copies(writer, copied);
        add_nop(writer);
    }
    if (copied && barrier->blocks > 1)
        add_step(writer, *barrier);
    for (uint64_t k = 0; k < rounds && !writer->fault; k++)
        write_round(writer, lane, k);
    if (is_first)
        add_announcements(writer, CS_MSCCLPP_STEP_WAIT);
    cs_mscclpp_blocks_finish(&writer->blocks);
}

static void write_lanes(struct cs_mscclpp_writer *writer, const bool *copied)
{
    const struct cs_program *program = writer->what->program;
    struct cs_mscclpp_step barrier = {.kind = CS_MSCCLPP_STEP_BARRIER};

    for (uint32_t lane = 0; lane < program->lanes; lane++)
        barrier.blocks += lane == 0 || cs_program_rounds(program, writer->rank, lane) > 0;
    if (copied && barrier.blocks > 1)
        writer->blocks.barriers = 1;
    for (uint32_t lane = 0; lane < program->lanes && !writer->fault; lane++)
        if (cs_program_rounds(program, writer->rank, lane) > 0 || (lane == 0 && copied))
            write_lane(writer, lane, copied, &barrier);
}

static int check_limits(const struct cs_mscclpp_writer *writer)
{
    const char *name = writer->what->algo->name;
    const char *collective = writer->what->algo->collective->name;

    if (writer->fault)
        return cs_err_set(writer->err, CS_EINPUT, "MSCCL++ cannot express %s %s: %s", name,
                          collective, writer->fault);
    if (writer->blocks.barriers > CS_MSCCLPP_BARRIERS)
        return cs_err_set(writer->err, CS_EINPUT,
                          "%s %s needs %u barriers between thread blocks of %d operations; MSCCL++ "
                          "has %d, take fewer ranks or chunks",
                          name, collective, writer->blocks.barriers, CS_MSCCLPP_OPS,
                          CS_MSCCLPP_BARRIERS);
    if (writer->semaphores > SEMAPHORES_MAX)
        return cs_err_set(
            writer->err, CS_EINPUT,
            "%s %s needs %u semaphores; MSCCL++ has %d, take fewer channels or chunks", name,
            collective, writer->semaphores, SEMAPHORES_MAX);
    return 0;
}

int cs_mscclpp_write_ops(struct cs_mscclpp_writer *writer)
{
    const struct cs_program *program = writer->what->program;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    bool *copied = cs_arena_alloc(&arena, program->blocks, sizeof(*copied));
    bool copies = !writer->in_place && !program->output_empty && mark_copies(writer, copied);

    cs_mscclpp_blocks_clear(&writer->blocks);
    writer->ticket_count = 0;
    for (uint32_t lane = 0; lane < program->lanes; lane++)
        collect_tickets(writer, lane);
    write_lanes(writer, copies ? copied : NULL);
    number_semaphores(writer);
    return check_limits(writer);
}
