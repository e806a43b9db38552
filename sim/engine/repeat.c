#include "sim/engine/repeat.h"

#include "sim/base/hash.h"

#include <string.h>

enum {
    PAIRS_MAX = 1 << 26, /* rounds whose ops are compared before a jump */
    UPDATE_ROUNDS = 1 << 16,
    FAILURES_MAX = 16,
};

/* The lane with most rounds left. */
static bool choose_pivot(struct cs_repeat *repeat, const struct exec *exec)
{
    uint64_t most = 1;

    for (uint32_t i = 0; i < exec->lanes.count; i++) {
        const struct cs_lane *lane = &exec->lanes.lane[i];

        if (lane->rounds - lane->round > most) {
            most = lane->rounds - lane->round;
            repeat->pivot = i;
        }
    }
    repeat->round = exec->lanes.lane[repeat->pivot].round;
    return most > 8;
}

/* A token bucket remembers a time before now, which a snapshot leaves out. */
static bool links_are_steady(const struct cs_net *net)
{
    for (uint32_t i = 0; i < net->link_count; i++)
        if (net->links[i].burst_ps > 0)
            return false;
    return true;
}

void cs_repeat_open(struct cs_repeat *repeat, const struct exec *exec, uint64_t rounds_min,
                    struct cs_arena *arena)
{
    repeat->is_on = rounds_min > 0 && exec->progress.rounds >= rounds_min && exec->model->repeats &&
                    !exec->watch && !exec->noise && !exec->change_count &&
                    !exec->traffic.processor_ps &&
                    (!exec->routing || cs_paths_are_fixed(exec->routing)) &&
                    links_are_steady(exec->net) && choose_pivot(repeat, exec);
    repeat->search.failures_max = FAILURES_MAX;
    if (repeat->is_on)
        repeat->hashes = cs_arena_alloc(arena, CS_REPEAT_HASHES, sizeof(*repeat->hashes));
}

void cs_repeat_close(struct cs_repeat *repeat)
{
    cs_period_free(&repeat->search);
    cs_ops_free(&repeat->ops[0]);
    cs_ops_free(&repeat->ops[1]);
}

/* ---- candidates ---- */

static void forget_hashes(struct cs_repeat *repeat)
{
    memset(repeat->hashes, 0, CS_REPEAT_HASHES * sizeof(*repeat->hashes));
    repeat->hash_count = 0;
}

/* Tests since the last one of equal hash, or 0.  Probes are linear, and short: the table is
 * emptied when it is half full. */
static uint32_t tests_since(struct cs_repeat *repeat, uint64_t hash)
{
    uint32_t i = cs_hash_slot(cs_hash_mix(0, hash)) & (CS_REPEAT_HASHES - 1);
    uint32_t since = 0;

    if (2 * repeat->hash_count >= CS_REPEAT_HASHES)
        forget_hashes(repeat);
    while (repeat->hashes[i].test && repeat->hashes[i].hash != hash)
        i = (i + 1) & (CS_REPEAT_HASHES - 1);
    if (repeat->hashes[i].test)
        since = repeat->search.tests + 1 - repeat->hashes[i].test;
    else
        repeat->hash_count++;
    repeat->hashes[i] = (struct cs_repeat_hash){hash, repeat->search.tests + 1};
    return since;
}

/* ---- ops of the rounds ahead ---- */

/* Rounds that the lane advances in a period. */
static uint64_t rounds_of_period(const struct cs_repeat *repeat, uint32_t lane)
{
    return repeat->search.shots[2].rounds[lane] - repeat->search.shots[1].rounds[lane];
}

/* Whether the op asks for what the one of the period before asked for.  A WAIT names a
 * round of another lane of the rank, which moves on by that lane's rounds of a period. */
static bool op_repeats(const struct cs_repeat *repeat, const struct exec *exec, uint32_t lane,
                       const struct cs_op *before, const struct cs_op *op)
{
    uint32_t first = lane - lane % exec->lanes.each;

    if (before->kind != op->kind)
        return false;
    if (op->kind == CS_OP_WAIT)
        return before->peer == op->peer &&
               op->source - before->source == rounds_of_period(repeat, first + op->peer);
    if (op->kind == CS_OP_WORK)
        return before->amount == op->amount;
    return before->peer == op->peer && before->leaves == op->leaves &&
           before->channel == op->channel &&
           (!exec->program->folded || op->kind != CS_OP_SEND || before->source == op->source) &&
           cs_op_bytes(&exec->cut, before) == cs_op_bytes(&exec->cut, op);
}

static void ops_of(struct cs_ops *ops, const struct exec *exec, uint32_t lane, uint64_t round)
{
    cs_program_read(exec->program,
                    (struct cs_at){lane / exec->lanes.each, lane % exec->lanes.each, round}, ops);
}

/* Whether the ops of the round are those of the round one period earlier. */
static bool round_repeats(struct cs_repeat *repeat, const struct exec *exec, uint32_t lane,
                          uint64_t round, bool is_next)
{
    uint64_t period = rounds_of_period(repeat, lane);
    struct cs_ops swap = repeat->ops[0];

    /* Of a period of one round, the ops read last are those of the round before. */
    repeat->ops[0] = repeat->ops[1];
    repeat->ops[1] = swap;
    if (period != 1 || !is_next)
        ops_of(&repeat->ops[0], exec, lane, round - period);
    ops_of(&repeat->ops[1], exec, lane, round);
    if (repeat->ops[0].count != repeat->ops[1].count)
        return false;
    for (uint32_t i = 0; i < repeat->ops[1].count; i++)
        if (!op_repeats(repeat, exec, lane, &repeat->ops[0].op[i], &repeat->ops[1].op[i]))
            return false;
    return true;
}

/* Of up to `most` periods, those in which the lane repeats its ops. */
static uint64_t lane_periods(struct cs_repeat *repeat, const struct exec *exec, uint32_t number,
                             uint64_t most)
{
    const struct cs_lane *lane = &exec->lanes.lane[number];
    uint64_t period = rounds_of_period(repeat, number);
    uint64_t left;

    if (period == 0 || most == 0)
        return most;
    /* The lane is in the midst of a round before the jump, and so it is after. */
    left = (lane->rounds - 1 - lane->round) / period;
    if (left > most)
        left = most;
    for (uint64_t k = 1; k <= left * period; k++)
        if (!round_repeats(repeat, exec, number, lane->round + k, k > 1))
            return (k - 1) / period;
    return left;
}

/* Periods that every lane repeats; fewer where rounds are too many to compare. */
static int count_periods(struct cs_repeat *repeat, struct exec *exec,
                         int (*update)(struct exec *exec), uint64_t *periods)
{
    uint64_t each = 1;
    uint64_t compared = 0;
    int code = 0;

    for (uint32_t i = 0; i < exec->lanes.count; i++)
        each += rounds_of_period(repeat, i);
    *periods = PAIRS_MAX / each;
    for (uint32_t i = 0; i < exec->lanes.count && *periods && !code; i++) {
        *periods = lane_periods(repeat, exec, i, *periods);
        compared += *periods * rounds_of_period(repeat, i);
        if (compared >= UPDATE_ROUNDS) {
            compared = 0;
            code = update(exec);
        }
    }
    return code;
}

/*
 * ---- the jump ----
 *
 * Two shots of one period say how much anything grows in it: times by the period itself,
 * rounds of lanes, totals and parts of paths by their differences.  All pending times move
 * by the same amount, so that the order of events remains.
 */

static void jump_paths(const struct cs_repeat *repeat, struct exec *exec, uint64_t periods)
{
    const struct cs_shot *shots = repeat->search.shots;

    for (uint32_t i = 0; i < shots[2].path_count; i++) {
        const struct cs_shot_path *at = &shots[2].paths[i];
        struct cs_path growth = cs_path_since(&at->path, &shots[1].paths[i].path);
        struct cs_path path = cs_path_after(at->path, &growth, periods);

        if (at->of == CS_PATH_OF_LANE)
            exec->lanes.lane[at->number].path = path;
        else if (at->of == CS_PATH_OF_RECEIVE)
            exec->receives[at->number].path = path;
        else
            exec->traffic.messages[at->number].path = path;
    }
}

static void jump_messages(const struct cs_repeat *repeat, struct exec *exec, uint64_t periods,
                          uint64_t ahead_ps)
{
    for (uint32_t i = 0; i < exec->message_pool.count; i++) {
        struct cs_message *message = &exec->traffic.messages[i];
        uint32_t lane = message->src * exec->lanes.each + message->lane;

        message->sent_ps += ahead_ps;
        message->head_ps += ahead_ps;
        message->tail_ps += ahead_ps;
        message->left_ps += ahead_ps;
        if (message->in_flight)
            message->round += periods * rounds_of_period(repeat, lane);
    }
}

static void jump_lanes(const struct cs_repeat *repeat, struct exec *exec, uint64_t periods)
{
    for (uint32_t i = 0; i < exec->lanes.count; i++) {
        struct cs_lane *lane = &exec->lanes.lane[i];

        lane->round += periods * rounds_of_period(repeat, i);
        if (lane->waits_for != CS_NO_LANE)
            lane->waits_round +=
                (uint32_t)(periods *
                           rounds_of_period(repeat, i - i % exec->lanes.each + lane->waits_for));
    }
}

static void jump_resources(struct exec *exec, uint64_t ahead_ps)
{
    for (uint32_t i = 0; i < exec->net->resource_count; i++)
        cs_traffic_shift_resource(&exec->traffic, i, ahead_ps);
    for (uint32_t i = 0; i < exec->lanes.count / exec->lanes.each; i++) {
        struct party *party = &exec->parties[i];

        party->reducer_free_ps += ahead_ps;
        party->tie.at_ps += ahead_ps;
        party->tie.sent_ps += ahead_ps;
    }
}

static void jump_totals(const struct cs_repeat *repeat, struct exec *exec, uint64_t periods)
{
    const struct cs_shot *from = &repeat->search.shots[1];
    const struct cs_shot *to = &repeat->search.shots[2];
    struct cs_exec_result *result = exec->result;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < exec->net->link_count; i++) {
        struct cs_link_use growth = cs_link_use_since(&to->use[i], &from->use[i]);

        cs_link_use_grow(&exec->traffic.use[i], &growth, periods);
    }
    for (uint32_t i = 0; i < exec->lanes.count / exec->lanes.each; i++)
        exec->parties[i].sent_bytes += periods * (to->sent_bytes[i] - from->sent_bytes[i]);
    if (__builtin_mul_overflow(periods, to->bytes_sent - from->bytes_sent, &bytes) ||
        __builtin_add_overflow(result->bytes_sent, bytes, &result->bytes_sent))
        exec->too_many_bytes = true;
    result->messages += periods * (to->messages - from->messages);
    result->waits += periods * (to->waits - from->waits);
    exec->delivered += periods * (to->delivered - from->delivered);
    exec->progress.rounds_begun += periods * (to->rounds_begun - from->rounds_begun);
    exec->traffic.events.added += periods * (to->added - from->added);
}

static int repeat_jump(struct cs_repeat *repeat, struct exec *exec,
                       int (*update)(struct exec *exec))
{
    uint64_t step_ps = repeat->search.shots[2].now_ps - repeat->search.shots[1].now_ps;
    uint64_t ahead_ps;
    uint64_t periods;
    int code = count_periods(repeat, exec, update, &periods);

    if (code)
        return code;
    if (periods == 0 || __builtin_mul_overflow(step_ps, periods, &ahead_ps) ||
        /* Pending events lie ahead of now, and must stay within the limit as well. */
        ahead_ps > CS_TIME_MAX_PS / 2 - exec->traffic.events.now_ps / 2) {
        cs_period_drop(&repeat->search);
        return 0;
    }
    jump_paths(repeat, exec, periods);
    jump_messages(repeat, exec, periods, ahead_ps);
    jump_lanes(repeat, exec, periods);
    jump_resources(exec, ahead_ps);
    jump_totals(repeat, exec, periods);
    cs_events_shift(&exec->traffic.events, ahead_ps);
    repeat->jumped +=
        periods * (repeat->search.shots[2].messages - repeat->search.shots[1].messages);
    cs_period_forget(&repeat->search);
    forget_hashes(repeat);
    return update(exec);
}

/* ---- tests ---- */

int cs_repeat_test(struct cs_repeat *repeat, struct exec *exec, int (*update)(struct exec *exec))
{
    const struct cs_lane *pivot = &exec->lanes.lane[repeat->pivot];
    uint64_t added = exec->traffic.events.added;
    uint32_t since;

    repeat->round = pivot->round;
    if (pivot->round == pivot->rounds) {
        repeat->is_on = choose_pivot(repeat, exec);
        cs_period_drop(&repeat->search);
        return 0;
    }
    /* A hash costs O(lanes): constant time for each of as many events. */
    if (added - repeat->added < exec->lanes.count / 4)
        return 0;
    repeat->added = added;
    repeat->search.tests++;
    since = tests_since(repeat, cs_snapshot_hash(exec));
    if (!cs_period_is_due(&repeat->search, since))
        return 0;
    cs_snapshot_take(cs_period_next(&repeat->search), exec);
    return cs_period_is_proven(&repeat->search) ? repeat_jump(repeat, exec, update) : 0;
}
