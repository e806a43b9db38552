#include "sim/engine/state.h"

#include "sim/base/collections/vector.h"
#include "sim/engine/fan_in.h"
#include "sim/engine/message.h"

#include <assert.h>

enum {
    LARGE_MAILBOX = 1 << 13 /* slots: 256 KiB */
};

void cs_exec_arrive(struct exec *exec, uint32_t lane)
{
    uint32_t party = lane / exec->lanes.each;
    const struct cs_program *program = exec->program;
    uint64_t late_ps = 0;

    if (program->start_ps)
        late_ps =
            program->start_ps(program->ctx, (struct cs_at){party, lane % exec->lanes.each, 0});
    if (exec->noise && party < exec->program->ranks)
        late_ps = cs_time_after(late_ps, cs_noise_rank_ps(exec->noise, party));
    if (late_ps == 0) {
        cs_min_set_add(exec->ready, cs_exec_place(exec, lane));
        return;
    }
    exec->lanes.lane[lane].path.wait_ps = late_ps;
    cs_events_add(&exec->traffic.events, late_ps, CS_EVENT_COME, lane);
}

/* Continues the lanes whose WAIT ends with the finished rounds of the lane. */
static void wake_lanes(struct exec *exec, uint32_t lane)
{
    uint32_t waiter = 0;

    if (exec->lanes.lane[lane].waiters == 0)
        return;
    for (;; waiter++) {
        waiter = cs_lanes_take_waiter(&exec->lanes, lane, waiter);
        if (waiter == CS_NO_LANE)
            return;
        cs_exec_op_done(exec, waiter, &exec->lanes.lane[lane].path);
    }
}

/* Whether the SEND begins after the rounds of its time. */
static bool defer_send(struct exec *exec, uint32_t lane, const struct cs_op *op)
{
    uint32_t served = cs_exec_served(exec, lane, op);
    uint32_t place;

    if (served == CS_NONE)
        return false;
    place = cs_exec_place(exec, op->peer * exec->lanes.each + served);
    exec->deferred = cs_vector_room(exec->deferred, exec->deferred_count + 1, &exec->deferred_room,
                                    sizeof(*exec->deferred));
    exec->deferred_at[place] = exec->deferred_count;
    exec->deferred[exec->deferred_count++] =
        (struct deferred){lane, (uint32_t)(op - exec->ops.op), *op};
    cs_min_set_add(&exec->served, place);
    return true;
}

int cs_exec_serve(struct exec *exec)
{
    struct cs_min_set_taken taken = {0};
    uint32_t place;
    int code = 0;

    while (!code && cs_min_set_next(&exec->served, &taken, &place)) {
        const struct deferred *send = &exec->deferred[exec->deferred_at[place]];

        /* The place that the op had in its round. */
        exec->ops.op[send->number] = send->op;
        code = cs_exec_send(exec, send->lane / exec->lanes.each, send->lane,
                            &exec->ops.op[send->number]);
    }
    exec->deferred_count = 0;
    return code;
}

static int start_op(struct exec *exec, uint32_t party, uint32_t lane, const struct cs_op *op)
{
    switch (op->kind) {
    case CS_OP_SEND:
        assert(op->peer < cs_program_parties(exec->program));
        if (defer_send(exec, lane, op))
            return 0;
        return cs_exec_send(exec, party, lane, op);
    case CS_OP_COPY:
    case CS_OP_REDUCE:
        cs_exec_reduce_local(exec, lane, op);
        return 0;
    case CS_OP_WAIT:
        if (cs_lanes_wait(&exec->lanes, lane, op))
            cs_exec_op_done(exec, lane, &exec->lanes.lane[lane].path);
        return 0;
    case CS_OP_WORK:
        cs_exec_compute(exec, lane, op);
        return 0;
    default:
        assert(op->peer < cs_program_parties(exec->program));
        return cs_exec_receive(exec, party, lane, op);
    }
}

/* Lanes of the job whose time is the result, not of concurrent jobs. */
static bool is_main_lane(const struct exec *exec, uint32_t lane)
{
    const struct cs_program *program = exec->program;

    return program->main_lanes == 0 || lane % exec->lanes.each < program->main_lanes;
}

static void finish_lane(struct exec *exec, uint32_t lane)
{
    struct cs_exec_result *result = exec->result;
    const struct cs_path *path = &exec->lanes.lane[lane].path;
    uint64_t *done_ps = &result->done_ps[lane / exec->lanes.each];
    uint64_t at_ps = cs_path_ps(path);

    result->lane_done_ps[lane] = at_ps;
    if (at_ps > *done_ps)
        *done_ps = at_ps;
    if (!is_main_lane(exec, lane) || !cs_path_is_later(path, &result->path))
        return;
    result->time_ps = at_ps;
    result->path = *path;
}

/* The slots of all ops of a round are fetched together from a large mailbox. */
static void prefetch_mail(const struct exec *exec, uint32_t party, uint32_t lane)
{
    uint32_t own = lane - party * exec->lanes.each;

    if (cs_mailbox_room(&exec->box) < LARGE_MAILBOX)
        return;
    for (uint32_t i = 0; i < exec->ops.count; i++) {
        const struct cs_op *op = &exec->ops.op[i];
        bool sends = op->kind == CS_OP_SEND;
        struct cs_mail_key key = {sends ? op->peer : party, sends ? party : op->peer,
                                  cs_op_channel(exec->program, own, op)};

        if (cs_op_is_message(op))
            cs_mailbox_prefetch(&exec->box, &key);
    }
}

int cs_exec_start_rounds(struct exec *exec, uint32_t number)
{
    const struct cs_program *program = exec->program;
    struct cs_lane *lane = &exec->lanes.lane[number];
    uint32_t party = number / exec->lanes.each;
    int code;

    for (; lane->round < lane->rounds; lane->round++) {
        exec->ops.count = 0;
        exec->joined = CS_NONE;
        exec->sends_pack = exec->receives_fan_in = false;
        exec->progress.rounds_begun++;
        program->round(program->ctx,
                       (struct cs_at){party, number - party * exec->lanes.each, lane->round},
                       &exec->ops);
        /* One above the number of ops, so that no op ends the round before the
         * last op has started. */
        lane->pending = exec->ops.count + 1;
        if (exec->ops.count >= CS_EXEC_FAN_IN && exec->packed.is_on)
            cs_fan_in_begin(exec);
        prefetch_mail(exec, party, number);
        for (uint32_t i = 0; i < exec->ops.count; i++) {
            code = start_op(exec, party, number, &exec->ops.op[i]);
            if (code)
                return code;
        }
        if (--lane->pending > 0) {
            wake_lanes(exec, number);
            return 0;
        }
    }
    wake_lanes(exec, number);
    exec->unfinished--;
    finish_lane(exec, number);
    return 0;
}
