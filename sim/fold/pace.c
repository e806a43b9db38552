#include "sim/fold/request.h"

#include "sim/fold/walk_state.h"

#include <stdlib.h>

/* One op of the lane is done.  Of equal times the last one counts, as a receive
 * behind a send: the chain that follows a block is the one whose pieces are long
 * at the same time. */
static void op_ends(struct pace *pace, uint32_t lane, struct due due)
{
    struct walker *walker = &pace->walkers[lane];

    if (walker->ended++ > 0)
        cs_due_wait_for(pace, &due, &walker->end);
    walker->end = due;
    if (--walker->pending == 0)
        pace->ready[pace->ready_count++] = lane;
}

static uint32_t pace_new_parcel(struct pace *pace)
{
    if (cs_pool_is_full(&pace->pool))
        pace->parcels =
            cs_grow(pace->parcels, cs_pool_enlarge(&pace->pool), sizeof(*pace->parcels));
    return cs_pool_take(&pace->pool, &pace->parcels->next, sizeof(*pace->parcels));
}

static void pace_drop_parcel(struct pace *pace, uint32_t number)
{
    cs_pool_give(&pace->pool, number, &pace->parcels[number].next);
}

/* A message and its receive: done when both are posted, and the sum is computed.  Times of
 * the message are those of the sender's copies; a copy hears from the one at the
 * distance `from`, whose pieces are others by as many. */
static void pace_hand_over(struct pace *pace, uint32_t message, uint32_t receive)
{
    const struct pace_parcel *parcel = &pace->parcels[receive];
    uint32_t lane = parcel->lane;
    struct due due = pace->parcels[message].due;
    uint32_t by = parcel->from.row * pace->fold->group.orbits;

    cs_sum_move(&due.low, &pace->circle, by);
    if (due.apart)
        cs_sum_move(&due.high, &pace->circle, by);
    cs_due_wait_for(pace, &due, &parcel->due);
    cs_due_add_take(pace, &due, parcel);
    pace_drop_parcel(pace, message);
    pace_drop_parcel(pace, receive);
    op_ends(pace, lane, due);
}

static bool send_op(struct pace *pace, uint32_t lane, const struct cs_op *op,
                    const struct cs_op *folded)
{
    uint32_t lanes = pace->fold->program.lanes;
    struct pace_flow *flow = cs_flow_of(pace, lane, op);
    uint32_t piece = piece_of(&pace->quotient->sizes.cut, op->blocks);
    struct cs_mail_key key = {folded->peer, lane / lanes,
                              cs_op_channel(&pace->fold->program, lane % lanes, folded)};
    uint32_t number, receive;
    struct due due;

    if (!flow || !cs_flow_is_first(pace, flow))
        return false;
    flow->count[piece]++;
    due = pace->walkers[lane].start;
    cs_due_add_trip(pace, &due, flow, piece);
    number = pace_new_parcel(pace);
    pace->parcels[number].due = due;
    receive = cs_mailbox_arrive(&pace->box, &key, number);
    if (receive != CS_NONE)
        pace_hand_over(pace, number, receive);
    op_ends(pace, lane, due);
    return true;
}

/* Time of a reduction of that size on that rank. */
static uint64_t take_of(const struct pace *pace, uint32_t rank, uint64_t bytes)
{
    const struct cs_net_party *party = &pace->fold->net.parties[rank];

    return cs_slowed_ps(party,
                        cs_time_after(party->reduce_overhead_ps,
                                      cs_time_up((double)bytes * party->reduce_ps_per_byte)));
}

/* A receive, or an op within the rank.  False if its reducer serves another lane
 * as well, or twice in a round. */
static bool open_parcel(struct pace *pace, uint32_t lane, const struct cs_op *op,
                        struct pace_parcel *parcel)
{
    const struct sizes *sizes = &pace->quotient->sizes;
    uint32_t rank = lane / pace->fold->program.lanes;
    struct walker *walker = &pace->walkers[lane];

    *parcel = (struct pace_parcel){.due = walker->start, .lane = lane};
    parcel->piece = piece_of(&sizes->cut, op->blocks);
    if (op->kind == CS_OP_RECV)
        return true;
    parcel->take_ps[0] = take_of(pace, rank, short_bytes(sizes, op->blocks));
    parcel->take_ps[1] = take_of(pace, rank, long_bytes(sizes, op->blocks));
    parcel->take_ps[2] = parcel->take_ps[may_be_long(sizes, parcel->piece)];
    if (parcel->take_ps[1] == 0)
        return true;
    if ((pace->reducers[rank] && pace->reducers[rank] != lane + 1) ||
        walker->sums == walker->round + 1)
        return false;
    pace->reducers[rank] = lane + 1;
    walker->sums = walker->round + 1;
    return true;
}

static bool receive_op(struct pace *pace, uint32_t lane, const struct cs_op *op,
                       const struct cs_op *folded)
{
    uint32_t lanes = pace->fold->program.lanes;
    uint32_t number = pace_new_parcel(pace);
    struct cs_mail_key key = {lane / lanes, folded->peer,
                              cs_op_channel(&pace->fold->program, lane % lanes, folded)};
    uint32_t message;

    if (!open_parcel(pace, lane, op, &pace->parcels[number]))
        return false;
    pace->parcels[number].from = member_of(&pace->fold->group, op->peer).copy;
    message = cs_mailbox_post(&pace->box, &key, number);
    if (message != CS_NONE)
        pace_hand_over(pace, message, number);
    return true;
}

static bool local_op(struct pace *pace, uint32_t lane, const struct cs_op *op)
{
    struct pace_parcel parcel;

    if (!open_parcel(pace, lane, op, &parcel))
        return false;
    cs_due_add_take(pace, &parcel.due, &parcel);
    op_ends(pace, lane, parcel.due);
    return true;
}

static bool pace_start_op(struct pace *pace, uint32_t lane, uint32_t i)
{
    const struct cs_op *op = &pace->ops.op[i];
    const struct cs_op *folded = &pace->folded.op[i];

    if (!is_in_a_piece(&pace->quotient->sizes.cut, op->blocks) || op->leaves != CS_LEAVES_AT_ONCE)
        return false;
    switch (op->kind) {
    case CS_OP_SEND:
        return send_op(pace, lane, op, folded);
    case CS_OP_RECV:
    case CS_OP_RECV_REDUCE:
        return receive_op(pace, lane, op, folded);
    case CS_OP_COPY:
    case CS_OP_REDUCE:
        return local_op(pace, lane, op);
    default:
        return false;
    }
}

static void get_ops(struct pace *pace, uint32_t lane, uint64_t round)
{
    const struct cs_program *of = pace->quotient->of;
    const struct cs_program *program = &pace->fold->program;
    uint32_t rank = lane / program->lanes;

    pace->ops.count = pace->folded.count = 0;
    of->round(of->ctx, (struct cs_at){rank, lane % program->lanes, round}, &pace->ops);
    program->round(program->ctx, (struct cs_at){rank, lane % program->lanes, round}, &pace->folded);
}

/* The next round of the lane, and the next ones while they are empty. */
static bool pace_start_round(struct pace *pace, uint32_t lane)
{
    struct walker *walker = &pace->walkers[lane];

    for (; walker->round < walker->rounds; walker->round++) {
        pace->progress.rounds_begun++;
        get_ops(pace, lane, walker->round);
        if (pace->ops.count == 0)
            continue;
        walker->ended = 0;
        walker->pending = pace->ops.count;
        for (uint32_t i = 0; i < pace->ops.count; i++)
            if (!pace_start_op(pace, lane, i))
                return false;
        return true;
    }
    return true;
}

static bool pace_go_on(struct pace *pace)
{
    const struct cs_monitor *monitor = pace->run->monitor;

    if (monitor && pace->progress.rounds_begun % CS_MONITOR_STEPS == 0 &&
        !monitor->update(monitor->ctx, &pace->progress))
        pace->stopped = true;
    return !pace->stopped;
}

/* Walks through all rounds; false if a wait or an unknown op prevents it.  Lanes go on in
 * any order, here the last one that is ready: no resource serves two lanes, so that no time
 * depends on which of them was first. */
static bool pace_walk(struct pace *pace)
{
    uint32_t lanes = pace->fold->program.ranks * pace->fold->program.lanes;

    for (uint32_t i = 0; i < lanes; i++)
        if (!pace_start_round(pace, i))
            return false;
    while (pace->ready_count > 0) {
        uint32_t lane = pace->ready[--pace->ready_count];
        struct walker *walker = &pace->walkers[lane];

        walker->start = walker->end;
        walker->round++;
        if (!pace_go_on(pace) || !pace_start_round(pace, lane))
            return false;
    }
    for (uint32_t i = 0; i < lanes; i++)
        if (pace->walkers[i].round < pace->walkers[i].rounds)
            return false;
    return true;
}

/* Not where more than the message itself on an idle machine decides when it arrives. */
bool cs_fold_keeps_pace(const struct cs_fold *fold, const struct cs_fold_run *run)
{
    const struct cs_link_model *model = run->model;

    return !fold->program.handshake && fold->program.main_lanes == 0 && !model->ignores_links &&
           !model->is_compat && !model->release && !(run->eager && model->takes_eager) &&
           !(model->shares_buffers && run->params && model->shares_buffers(run->params));
}

static void open_pace(struct pace *pace)
{
    const struct cs_program *program = &pace->fold->program;
    uint32_t lanes = program->ranks * program->lanes;

    pace->circle = (struct cs_circle_of_pieces){.pieces = pace->quotient->sizes.pieces,
                                                .longer = pace->quotient->sizes.cut.longer,
                                                .step = pace->quotient->sizes.orbits};
    pace->walkers = cs_arena_alloc(&pace->arena, lanes, sizeof(*pace->walkers));
    pace->flows = cs_arena_alloc(&pace->arena, CS_FLOWS_MAX, sizeof(*pace->flows));
    pace->users =
        cs_arena_alloc(&pace->arena, pace->fold->net.resource_count, sizeof(*pace->users));
    pace->reducers = cs_arena_alloc(&pace->arena, program->ranks, sizeof(*pace->reducers));
    pace->ready = cs_arena_alloc(&pace->arena, lanes, sizeof(*pace->ready));
    cs_mailbox_init(&pace->box);
    for (uint32_t i = 0; i < lanes; i++) {
        pace->walkers[i].rounds =
            cs_program_rounds(program, i / program->lanes, i % program->lanes);
        pace->walkers[i].flow = pace->walkers[i].last_flow = CS_NONE;
        pace->progress.rounds += pace->walkers[i].rounds;
    }
}

static void close_pace(struct pace *pace)
{
    free(pace->parcels);
    cs_ops_free(&pace->ops);
    cs_ops_free(&pace->folded);
    cs_mailbox_free(&pace->box);
    cs_arena_free(&pace->arena);
}

int cs_fold_pace(struct cs_fold *fold, const struct cs_fold_run *run, struct cs_exec_result *result,
                 struct cs_err *err)
{
    struct pace pace = {.fold = fold, .quotient = fold->quotient, .run = run};
    bool is_settled;

    open_pace(&pace);
    is_settled = pace_walk(&pace) && cs_pace_settle(&pace, result);
    close_pace(&pace);
    if (pace.stopped)
        return cs_err_set(err, CS_ESTOPPED, "stopped in the calculation of unequal blocks");
    return is_settled ? 0 : CS_FOLD_UNEVEN;
}
