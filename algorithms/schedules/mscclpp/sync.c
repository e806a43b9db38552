#include "algorithms/schedules/mscclpp/state.h"
#include "sim/base/collections/vector.h"

enum {
    SIGNAL_BYTES = 8
};

static struct mscclpp_message *message_at(const struct mscclpp_run *run, uint32_t number)
{
    return &run->messages[number];
}

static uint32_t channel_of(const struct mscclpp_run *run, uint32_t gpu, uint8_t type,
                           uint32_t number)
{
    return run->plan->gpus[gpu].channel[type] + number;
}

/* The receiving end of channel `i` of a wait. */
static struct mscclpp_queue *awaited_at(const struct mscclpp_run *run, uint32_t i)
{
    return &run->channels[channel_of(run, run->walker->gpu, run->op->channel_type,
                                     run->plan->numbers[run->op->numbers + i])];
}

/* The number of semaphore `i` of an operation. */
static uint32_t semaphore_of(const struct mscclpp_run *run, const struct mscclpp_walker *walker,
                             const struct cs_mscclpp_op *op, uint32_t i)
{
    return run->plan->gpus[walker->gpu].semaphore + run->plan->numbers[op->numbers + i];
}

/* ---- queues */

/* Operations of several thread blocks on one end follow one another. */
static int check_turn(const struct mscclpp_run *run, uint32_t last, uint32_t last_epoch)
{
    if (last == CS_MSCCLPP_NONE || last == run->number ||
        run->walker->clock[cs_mscclpp_actor(run, last)] >= last_epoch)
        return 0;
    return cs_mscclpp_err(run->plan, run->op, run->err, CS_EANSWER,
                          "uses a channel that thread block %u of the GPU uses in no order: a "
                          "barrier or a semaphore is missing",
                          last - run->plan->gpus[run->walker->gpu].block);
}

static struct mscclpp_message *push_message(struct mscclpp_run *run, struct mscclpp_queue *queue)
{
    struct mscclpp_walker *walker = run->walker;
    uint32_t at = run->message_count;

    *CS_VECTOR_NEXT(run->messages, run->message_count, run->message_capacity) =
        (struct mscclpp_message){.op = walker->at,
                                 .walker = run->number,
                                 .met = walker->met,
                                 .port = CS_MSCCLPP_NONE,
                                 .clock = walker->clock,
                                 .behind = {CS_MSCCLPP_NONE, 0},
                                 .next = CS_MSCCLPP_NONE};
    if (queue->sends++)
        message_at(run, queue->last)->next = at;
    else
        queue->oldest = at;
    if (queue->waiting++ == 0)
        queue->first = at;
    queue->last = at;
    queue->last_sender = run->number;
    queue->sent_epoch = ++walker->epoch;
    return message_at(run, at);
}

static const struct mscclpp_message *pop_message(const struct mscclpp_run *run,
                                                 struct mscclpp_queue *queue)
{
    const struct mscclpp_message *message = message_at(run, queue->first);

    queue->first = message->next;
    queue->waiting--;
    queue->takes++;
    return message;
}

/* The walker hears what was over at a signal. */
static void hear(struct mscclpp_run *run, const struct mscclpp_message *message)
{
    cs_mscclpp_clock *heard = run->walker->heard;
    bool over = run->op->type->relaxed || message->relaxed;

    cs_mscclpp_clock_join(run, heard, message->clock, over);
    cs_mscclpp_clock_note(run, heard, cs_mscclpp_actor(run, message->walker), message->met, over);
    if (message->port != CS_MSCCLPP_NONE)
        cs_mscclpp_clock_note(run, heard, message->port, message->port_epoch, over);
    run->walker->acquired++;
}

/* ---- signals */

/* A signal of the first thread comes after the waits of that thread. */
static const cs_mscclpp_clock *clock_of_signal(struct mscclpp_run *run)
{
    const struct mscclpp_walker *walker = run->walker;
    cs_mscclpp_clock *clock;

    if (!walker->acquired || !walker->acquired_by_one || run->op->number_count != 1)
        return walker->clock;
    clock = cs_mscclpp_clock_copy(run, walker->clock);
    cs_mscclpp_clock_join(run, clock, walker->heard, false);
    return clock;
}

static struct cs_op signal_op(enum cs_op_kind kind, uint32_t peer, uint32_t channel)
{
    return (struct cs_op){.kind = (uint8_t)kind,
                          .buffer = CS_OUTPUT,
                          .peer = peer,
                          .channel = channel,
                          .amount = SIGNAL_BYTES};
}

/* The lane and the round from which the signal follows the last put to `peer`
 * without anything in between, or the lane's own message. */
static void route_signal(struct mscclpp_run *run, struct mscclpp_source *source, uint32_t peer,
                         struct mscclpp_message *message)
{
    struct cs_mscclpp_lanes *lanes = &run->lanes;
    struct mscclpp_walker *walker = run->walker;
    uint32_t last = cs_mscclpp_lane_last(lanes, source->lane).round;
    const struct mscclpp_far *far = source->puts ? &source->puts[peer] : NULL;
    bool is_own = source == &walker->source;
    uint32_t lane = source->lane;

    /* Later puts follow the signal. */
    lanes->lane[lane].only_sends = false;
    if (far && far->lane && far->sent == last && last != CS_MSCCLPP_NO_ROUND) {
        message->behind = cs_mscclpp_lane_last(lanes, far->lane - 1);
        return;
    }
    if (is_own && !walker->signals)
        walker->signals = cs_mscclpp_lane_new(lanes, walker->gpu) + 1;
    if (is_own)
        lane = walker->signals - 1;
    message->channel = ++lanes->channels;
    cs_mscclpp_lane_wait(lanes, lane, cs_mscclpp_lane_last(lanes, walker->source.lane));
    if (!lanes->lane[lane].only_sends)
        cs_mscclpp_lane_open(lanes, lane);
    lanes->lane[lane].only_sends = is_own;
    cs_mscclpp_lane_add(lanes, lane, signal_op(CS_OP_SEND, peer, message->channel));
}

static int send_signal(struct mscclpp_run *run, uint32_t channel)
{
    const struct cs_mscclpp *plan = run->plan;
    const struct cs_mscclpp_op *op = run->op;
    uint32_t at = channel_of(run, run->walker->gpu, op->channel_type, channel);
    const struct cs_mscclpp_channel *end = &plan->channels[at];
    struct mscclpp_source *source = &run->walker->source;
    struct mscclpp_queue *queue;
    struct mscclpp_message *message;
    int code;

    if (end->mate == CS_MSCCLPP_NONE)
        return cs_mscclpp_err(
            plan, op, run->err, CS_EANSWER,
            "signals on a channel to GPU %u, which has no channel to GPU %u left to wait on",
            end->peer, run->walker->gpu);
    queue = &run->channels[channel_of(run, end->peer, op->channel_type, end->mate)];
    code = check_turn(run, queue->last_sender, queue->sent_epoch);
    if (code)
        return code;
    message = push_message(run, queue);
    message->relaxed = op->type->relaxed;
    message->clock = clock_of_signal(run);
    if (op->channel_type == CS_MSCCLPP_PORT) {
        source = &run->ports[at].source;
        message->port = run->ports[at].actor;
        message->port_epoch = run->ports[at].epoch;
    }
    route_signal(run, source, end->peer, message);
    return 0;
}

int cs_mscclpp_send_signals(struct mscclpp_run *run)
{
    int code = 0;

    for (uint32_t i = 0; i < run->op->number_count && !code; i++)
        code = send_signal(run, run->plan->numbers[run->op->numbers + i]);
    return code;
}

/* A message of its own is received; a signal behind a put comes with the put. */
static void take_signal(struct mscclpp_run *run, const struct mscclpp_message *message,
                        bool *is_open)
{
    uint32_t lane = run->walker->source.lane;

    if (message->behind.lane != CS_MSCCLPP_NONE) {
        cs_mscclpp_lane_wait(&run->lanes, lane, message->behind);
        *is_open = false;
        return;
    }
    if (!*is_open)
        cs_mscclpp_lane_open(&run->lanes, lane);
    *is_open = true;
    cs_mscclpp_lane_add(&run->lanes, lane,
                        signal_op(CS_OP_RECV, run->walkers[message->walker].gpu, message->channel));
}

int cs_mscclpp_await_signals(struct mscclpp_run *run)
{
    struct mscclpp_walker *walker = run->walker;
    const struct cs_mscclpp_op *op = run->op;
    bool is_open = false;
    int code;

    for (uint32_t i = 0; i < op->number_count; i++)
        if (!awaited_at(run, i)->waiting)
            return CS_MSCCLPP_BLOCKED;
    for (uint32_t i = 0; i < op->number_count; i++) {
        struct mscclpp_queue *queue = awaited_at(run, i);
        const struct mscclpp_message *message;

        if (!queue->waiting)
            return cs_mscclpp_err(run->plan, op, run->err, CS_EANSWER,
                                  "waits twice on a channel at once");
        code = check_turn(run, queue->last_taker, queue->taken_epoch);
        if (code)
            return code;
        message = pop_message(run, queue);
        queue->last_taker = run->number;
        queue->taken_epoch = ++walker->epoch;
        hear(run, message);
        take_signal(run, message, &is_open);
    }
    walker->acquired_by_one = walker->acquired_by_one && op->number_count == 1;
    return 0;
}

void cs_mscclpp_flush(struct mscclpp_run *run)
{
    struct mscclpp_walker *walker = run->walker;

    for (uint32_t i = 0; i < run->op->number_count; i++) {
        const struct mscclpp_port *port = &run->ports[channel_of(
            run, walker->gpu, CS_MSCCLPP_PORT, run->plan->numbers[run->op->numbers + i])];

        cs_mscclpp_clock_note(run, walker->heard, port->actor, port->epoch, false);
        walker->acquired++;
        cs_mscclpp_lane_wait(&run->lanes, walker->source.lane,
                             cs_mscclpp_lane_last(&run->lanes, port->source.lane));
    }
    walker->acquired_by_one = false;
}

/* ---- within a GPU */

/* Counts a use of the semaphore by a thread block, of which `repeats` are
 * releases. */
static void count_user(struct mscclpp_queue *queue, uint32_t number, bool releases,
                       uint32_t repeats)
{
    uint32_t *only = releases ? &queue->senders : &queue->takers;

    queue->releases += releases ? repeats : 0;
    if (*only == 0)
        *only = number + 1;
    else if (*only != number + 1)
        *only = CS_MSCCLPP_NONE;
}

/* Counts who uses each semaphore, before the run. */
void cs_mscclpp_count_users(struct mscclpp_run *run, uint32_t number)
{
    const struct mscclpp_walker *walker = &run->walkers[number];
    uint32_t loop_end = walker->at;

    for (uint32_t i = walker->at; i < walker->end; i++) {
        const struct cs_mscclpp_op *op = &run->plan->ops[i];
        bool releases = op->type->kind == CS_MSCCLPP_RELEASE;

        if (op->type->kind == CS_MSCCLPP_LOOP)
            loop_end = i + 1 + op->id;
        if (!releases && op->type->kind != CS_MSCCLPP_ACQUIRE)
            continue;
        for (uint32_t k = 0; k < op->number_count; k++)
            count_user(&run->semaphores[semaphore_of(run, walker, op, k)], number, releases,
                       i < loop_end ? run->iterations : 1);
    }
}

void cs_mscclpp_release(struct mscclpp_run *run)
{
    for (uint32_t i = 0; i < run->op->number_count; i++) {
        struct mscclpp_message *message =
            push_message(run, &run->semaphores[semaphore_of(run, run->walker, run->op, i)]);

        message->behind = cs_mscclpp_lane_last(&run->lanes, run->walker->source.lane);
        message->clock = clock_of_signal(run);
    }
}

/* What an acquire hears, which is certain only with one releasing block: the
 * release that it takes; with several acquiring blocks the first release.  With
 * several releasing blocks, the one acquiring block hears of all at the last of
 * them. */
static void hear_release(struct mscclpp_run *run, const struct mscclpp_queue *queue,
                         const struct mscclpp_message *taken)
{
    bool one_sender = queue->senders != CS_MSCCLPP_NONE;
    bool one_taker = queue->takers != CS_MSCCLPP_NONE;
    bool is_last = queue->takes == queue->releases;
    uint32_t i = queue->oldest;

    if (one_sender && !one_taker)
        taken = message_at(run, i);
    else if (!one_sender && !(one_taker && is_last))
        return;
    for (; i != CS_MSCCLPP_NONE; i = message_at(run, i)->next) {
        const struct mscclpp_message *message = message_at(run, i);

        if (one_sender && message != taken)
            continue;
        hear(run, message);
        cs_mscclpp_lane_wait(&run->lanes, run->walker->source.lane, message->behind);
    }
}

int cs_mscclpp_acquire(struct mscclpp_run *run)
{
    struct mscclpp_walker *walker = run->walker;

    for (uint32_t i = 0; i < run->op->number_count; i++) {
        uint32_t at = semaphore_of(run, walker, run->op, i);

        if (run->plan->numbers[at] + run->semaphores[at].sends <= run->semaphores[at].takes)
            return CS_MSCCLPP_BLOCKED;
    }
    for (uint32_t i = 0; i < run->op->number_count; i++) {
        uint32_t at = semaphore_of(run, walker, run->op, i);
        struct mscclpp_queue *queue = &run->semaphores[at];

        if (queue->takes < run->plan->numbers[at])
            queue->takes++;
        else if (queue->waiting)
            hear_release(run, queue, pop_message(run, queue));
    }
    walker->acquired_by_one = walker->acquired_by_one && run->op->number_count == 1;
    return 0;
}

static bool is_at_barrier(const struct mscclpp_run *run, const struct mscclpp_walker *walker)
{
    return walker->at_barrier && run->plan->ops[walker->at].id == run->op->id;
}

/* All blocks of the barrier know what any of them knew. */
static void pass_barrier(struct mscclpp_run *run)
{
    const struct cs_mscclpp_gpu *gpu = &run->plan->gpus[run->walker->gpu];
    uint32_t hub = run->walker->source.lane;
    cs_mscclpp_clock *clock = cs_mscclpp_clock_copy(run, NULL);

    for (uint32_t i = gpu->block; i < gpu->block + gpu->blocks; i++) {
        const struct mscclpp_walker *walker = &run->walkers[i];

        if (!is_at_barrier(run, walker))
            continue;
        cs_mscclpp_meet(run, i);
        cs_mscclpp_clock_join(run, clock, walker->clock, false);
        cs_mscclpp_clock_note(run, clock, cs_mscclpp_actor(run, i), walker->met, false);
        cs_mscclpp_lane_wait(&run->lanes, hub,
                             cs_mscclpp_lane_last(&run->lanes, walker->source.lane));
    }
    for (uint32_t i = gpu->block; i < gpu->block + gpu->blocks; i++) {
        struct mscclpp_walker *walker = &run->walkers[i];

        if (!is_at_barrier(run, walker))
            continue;
        walker->clock = clock;
        walker->at_barrier = false;
        walker->at++;
        cs_mscclpp_lane_wait(&run->lanes, walker->source.lane,
                             cs_mscclpp_lane_last(&run->lanes, hub));
    }
}

int cs_mscclpp_barrier(struct mscclpp_run *run)
{
    const struct cs_mscclpp_gpu *gpu = &run->plan->gpus[run->walker->gpu];
    uint32_t come = 0;

    run->walker->at_barrier = true;
    for (uint32_t i = gpu->block; i < gpu->block + gpu->blocks; i++)
        come += is_at_barrier(run, &run->walkers[i]);
    if (come < run->op->count)
        return CS_MSCCLPP_BLOCKED;
    pass_barrier(run);
    return 0;
}
