#include "algorithms/schedules/goal/ranks.h"

#include "sim/base/collections/vector.h"
#include "sim/base/order.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int cs_goal_refuse(struct cs_goal_ranks *ranks, uint32_t line, const char *format, ...)
{
    char what[CS_ERR_TEXT_MAX / 2];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    if (ranks->is_binary)
        return cs_err_at(ranks->err, CS_EINPUT, ranks->file, 0, "rank %u, op %u: %s", ranks->rank,
                         line, what);
    return cs_err_at(ranks->err, CS_EINPUT, ranks->file, line, "%s", what);
}

void cs_goal_ranks_open(struct cs_goal_ranks *ranks, uint32_t count, struct cs_arena *arena)
{
    ranks->count = count;
    ranks->arena = arena;
    ranks->seen = cs_grow(NULL, count, sizeof(*ranks->seen));
    for (uint32_t i = 0; i < count; i++)
        ranks->seen[i] = false;
    ranks->most_bytes = 1;
    cs_schedule_open(&ranks->maker, count, arena);
}

void cs_goal_ranks_close(struct cs_goal_ranks *ranks)
{
    free(ranks->seen);
    free(ranks->ops);
    cs_goal_edges_free(&ranks->edges);
    cs_goal_edges_free(&ranks->starts);
    cs_schedule_close(&ranks->maker);
}

int cs_goal_ranks_begin(struct cs_goal_ranks *ranks, uint32_t rank, uint32_t line)
{
    if (ranks->seen[rank])
        return cs_err_at(ranks->err, CS_EINPUT, ranks->file, ranks->is_binary ? 0 : line,
                         "rank %u is defined twice", rank);
    ranks->seen[rank] = true;
    ranks->rank = rank;
    ranks->op_count = 0;
    ranks->edges.count = 0;
    ranks->starts.count = 0;
    return 0;
}

int cs_goal_ranks_add(struct cs_goal_ranks *ranks, const struct cs_goal_op *op)
{
    if (ranks->op_count == CS_GOAL_OPS_MAX)
        return cs_goal_refuse(ranks, op->line, "rank %u has more than %d ops", ranks->rank,
                              CS_GOAL_OPS_MAX);
    if (op->kind != CS_OP_WORK && op->peer == ranks->rank)
        return cs_goal_refuse(ranks, op->line, "rank %u is its own peer", ranks->rank);
    *CS_VECTOR_NEXT(ranks->ops, ranks->op_count, ranks->op_capacity) = *op;
    return 0;
}

int cs_goal_ranks_require(struct cs_goal_ranks *ranks, struct cs_goal_edges *edges,
                          struct cs_goal_edge edge, uint32_t line)
{
    if (edges->count == CS_GOAL_EDGES_MAX)
        return cs_goal_refuse(ranks, line, "rank %u has more than %d requirements", ranks->rank,
                              CS_GOAL_EDGES_MAX);
    cs_goal_edges_add(edges, edge);
    return 0;
}

/* ---- the schedule ---- */

/* Channels of a program start at 1; GOAL tags start at 0. */
static struct cs_op goal_op_of(const struct cs_goal_op *from)
{
    struct cs_op op = {.kind = from->kind, .amount = from->amount};

    if (from->kind == CS_OP_WORK)
        return op;
    op.buffer = CS_OUTPUT;
    op.peer = from->peer;
    op.channel = from->tag + 1;
    return op;
}

/* A round for each wait, then a round with the ops of the node. */
static void goal_write_node(struct cs_goal_ranks *ranks, const struct cs_goal_lanes *lanes,
                            const struct cs_goal_node *node)
{
    struct cs_schedule_maker *maker = &ranks->maker;
    const uint32_t *ops = lanes->ops + node->op;
    uint32_t line = ranks->ops[ops[0]].line;

    for (uint32_t i = node->wait; i < node->wait + node->waits; i++) {
        cs_schedule_round(maker, line);
        cs_ops_wait(&maker->ops, lanes->waits[i].lane, lanes->waits[i].round);
    }
    cs_schedule_round(maker, line);
    for (uint32_t i = 0; i < node->ops; i++)
        cs_ops_push(&maker->ops, goal_op_of(&ranks->ops[ops[i]]));
}

static void goal_write_rank(struct cs_goal_ranks *ranks, const struct cs_goal_lanes *lanes)
{
    uint32_t node;

    cs_schedule_rank(&ranks->maker, ranks->rank);
    for (uint32_t lane = 0; lane < lanes->count; lane++) {
        cs_schedule_lane(&ranks->maker);
        for (node = lanes->first[lane]; node != CS_GOAL_NONE; node = lanes->nodes[node].next)
            goal_write_node(ranks, lanes, &lanes->nodes[node]);
    }
}

/* The maximum of bytes sent by a rank is the size of the vector: results per
 * byte need a size, and the ops are not parts of a vector. */
static int goal_count_bytes(struct cs_goal_ranks *ranks)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < ranks->op_count; i++) {
        if (ranks->ops[i].kind == CS_OP_SEND)
            bytes += ranks->ops[i].amount;
        if (bytes > CS_GOAL_AMOUNT_MAX)
            return cs_goal_refuse(ranks, ranks->ops[i].line, "rank %u sends more than 2^50 bytes",
                                  ranks->rank);
    }
    if (bytes > ranks->most_bytes)
        ranks->most_bytes = bytes;
    return 0;
}

static int goal_refuse_layout(struct cs_goal_ranks *ranks, struct cs_goal_result result)
{
    return cs_goal_refuse(
        ranks, ranks->ops[result.where].line, "%s",
        result.fault == CS_GOAL_CYCLE
            ? "circular dependency: the op requires itself, directly or through other ops"
            : "the requirements up to this op imply too many dependencies");
}

/* Simulator and prover have state per rank and lane. */
static int goal_check_lanes(struct cs_goal_ranks *ranks, uint32_t lanes)
{
    if ((uint64_t)lanes * ranks->count <= CS_SCHEDULE_LANES_MAX)
        return 0;
    return cs_err_at(ranks->err, CS_EINPUT, ranks->file, 0,
                     "%u ranks of %u independent chains of ops; at most %d chains in all",
                     ranks->count, lanes, CS_SCHEDULE_LANES_MAX);
}

/* ---- messages of one tag ---- */

/* By (kind, peer, tag), then in the order of the file. */
static int goal_compare_mail(const void *a, const void *b)
{
    const struct cs_goal_op *one = *(const struct cs_goal_op *const *)a;
    const struct cs_goal_op *two = *(const struct cs_goal_op *const *)b;

    return CS_ORDER({one->kind, two->kind}, {one->peer, two->peer}, {one->tag, two->tag},
                    {(uintptr_t)one, (uintptr_t)two});
}

static bool goal_is_same_mail(const struct cs_goal_op *a, const struct cs_goal_op *b)
{
    return a->kind == b->kind && a->peer == b->peer && a->tag == b->tag;
}

static int goal_compare_edges(const void *a, const void *b)
{
    const struct cs_goal_edge *one = a;
    const struct cs_goal_edge *two = b;

    return CS_ORDER({one->after, two->after}, {one->before, two->before});
}

/* Whether `after` starts behind `before`, by an irequires of its own; the list is
 * tidy. */
static bool goal_starts_after(const struct cs_goal_ranks *ranks, const struct cs_goal_op *after,
                              const struct cs_goal_op *before)
{
    const struct cs_goal_edges *starts = &ranks->starts;
    const struct cs_goal_edge edge = {(uint32_t)(after - ranks->ops),
                                      (uint32_t)(before - ranks->ops)};

    return starts->count &&
           bsearch(&edge, starts->edge, starts->count, sizeof(edge), goal_compare_edges);
}

static int goal_refuse_mail(struct cs_goal_ranks *ranks, const struct cs_goal_op *first,
                            const struct cs_goal_op *second)
{
    bool sends = first->kind == CS_OP_SEND;
    bool is_late = goal_starts_after(ranks, first, second);

    return cs_goal_refuse(
        ranks, second->line,
        "a %s of %llu bytes %s rank %u with tag %u, as that of %llu bytes in %s %u: %s",
        sends ? "send" : "receive", (unsigned long long)second->amount, sends ? "to" : "from",
        second->peer, second->tag, (unsigned long long)first->amount,
        ranks->is_binary ? "op" : "line", first->line,
        is_late ? "it starts before that, and has to stand before it"
                : "nothing says which is first; expected 'requires' or 'irequires' between them, "
                  "or two tags");
}

/* Messages of a sorted run, of one tag: of one size, or each behind the one
 * before. */
static int goal_check_mail(struct cs_goal_ranks *ranks, const struct cs_goal_op *const *mail,
                           uint32_t count)
{
    bool differ = false;

    for (uint32_t i = 1; i < count; i++)
        differ |= mail[i]->amount != mail[0]->amount;
    for (uint32_t i = 1; differ && i < count; i++)
        if (!goal_starts_after(ranks, mail[i], mail[i - 1]))
            return goal_refuse_mail(ranks, mail[i - 1], mail[i]);
    return 0;
}

/* Messages of a node start together. */
static int goal_check_node(struct cs_goal_ranks *ranks, const uint32_t *ops, uint32_t count,
                           const struct cs_goal_op **mail)
{
    uint32_t found = 0;
    uint32_t first = 0;
    int code = 0;

    for (uint32_t i = 0; i < count; i++)
        if (ranks->ops[ops[i]].kind != CS_OP_WORK)
            mail[found++] = &ranks->ops[ops[i]];
    qsort(mail, found, sizeof(*mail), goal_compare_mail);
    for (uint32_t i = 1; i <= found && !code; i++)
        if (i == found || !goal_is_same_mail(mail[i], mail[first])) {
            code = goal_check_mail(ranks, &mail[first], i - first);
            first = i;
        }
    return code;
}

static int goal_check_nodes(struct cs_goal_ranks *ranks, const struct cs_goal_lanes *lanes,
                            struct cs_arena *arena)
{
    const struct cs_goal_op **mail = cs_arena_alloc(arena, ranks->op_count, sizeof(*mail));
    int code = 0;

    if (ranks->starts.count)
        cs_goal_edges_tidy(&ranks->starts);
    for (uint32_t lane = 0; lane < lanes->count; lane++)
        for (uint32_t i = lanes->first[lane]; i != CS_GOAL_NONE && !code; i = lanes->nodes[i].next)
            if (lanes->nodes[i].ops > 1)
                code = goal_check_node(ranks, lanes->ops + lanes->nodes[i].op, lanes->nodes[i].ops,
                                       mail);
    return code;
}

int cs_goal_ranks_end(struct cs_goal_ranks *ranks)
{
    CS_AT_END(cs_arena_free) struct cs_arena work = {0};
    struct cs_goal_lanes lanes;
    struct cs_goal_result result;
    int code = goal_count_bytes(ranks);

    if (code)
        return code;
    result = cs_goal_layout(ranks->op_count, &ranks->edges, &ranks->starts, &lanes, &work);
    if (result.fault)
        code = goal_refuse_layout(ranks, result);
    if (!code)
        code = goal_check_lanes(ranks, lanes.count);
    if (!code)
        code = goal_check_nodes(ranks, &lanes, &work);
    if (!code)
        goal_write_rank(ranks, &lanes);
    return code;
}

void cs_goal_ranks_finish(struct cs_goal_ranks *ranks, struct cs_algo *algo)
{
    struct cs_schedule *schedule = cs_arena_alloc(ranks->arena, 1, sizeof(*schedule));

    *schedule =
        (struct cs_schedule){.file = ranks->file, .blocks = 1, .numbers_ops = ranks->is_binary};
    cs_schedule_end(&ranks->maker, ranks->count, schedule);
    *algo = cs_schedule_algo(schedule);
    algo->collective = &cs_collective_custom;
    algo->vector_bytes = ranks->most_bytes;
}
