#include "validate/cuda/plan.h"

#include "sim/program/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE_LEAST = 16 << 10,
    SLICE_MOST = 256 << 10,
};

/* An end of a message.  The k-th send and the k-th receive of a connection are one
 * message. */
struct plan_end {
    uint32_t src, dst, channel;
    uint32_t receives; /* 0 or 1 */
    uint32_t op;
};

struct maker {
    const struct cs_op_table *table;
    struct cs_err *err;
    struct cs_gpu_plan *plan;
    struct plan_end *ends; /* sorted: links together, sends before receives */
    uint32_t end_count;
};

#define COMPLAIN(maker, op, ...)                                                           \
    cs_err_at((maker)->err, CS_EINPUT, (maker)->table->file, (maker)->table->ops[op].line, \
              __VA_ARGS__)

static int plan_order(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_links(const struct plan_end *a, const struct plan_end *b)
{
    int by = plan_order(a->src, b->src);

    if (!by)
        by = plan_order(a->dst, b->dst);
    return by ? by : plan_order(a->channel, b->channel);
}

static int compare_ends(const void *first, const void *second)
{
    const struct plan_end *a = first;
    const struct plan_end *b = second;
    int by = compare_links(a, b);

    if (!by)
        by = plan_order(a->receives, b->receives);
    return by ? by : plan_order(a->op, b->op);
}

static uint32_t lane_of(const struct maker *maker, uint32_t op)
{
    const struct cs_table_op *at = &maker->table->ops[op];

    return at->party * maker->table->lanes + at->lane;
}

static void list_ends(struct maker *maker)
{
    const struct cs_op_table *table = maker->table;

    for (uint32_t i = 0; i < table->op_count; i++) {
        const struct cs_table_op *op = &table->ops[i];
        bool receives = op->kind != CS_TABLE_SEND;

        if (op->kind == CS_TABLE_WAIT)
            continue;
        maker->ends[maker->end_count++] = (struct plan_end){
            .src = receives ? op->peer : op->party,
            .dst = receives ? op->party : op->peer,
            .channel = op->channel,
            .receives = receives,
            .op = i,
        };
    }
    if (maker->end_count > 0)
        qsort(maker->ends, maker->end_count, sizeof(*maker->ends), compare_ends);
}

/* ---- connections ---- */

/* Ends of a connection: sends, then as many receives. */
static int check_count(const struct maker *maker, const struct plan_end *first, uint32_t count,
                       uint32_t *sends)
{
    uint32_t s = 0;

    while (s < count && !first[s].receives)
        s++;
    *sends = s;
    if (2 * s == count)
        return 0;
    return COMPLAIN(maker, first[2 * s < count ? s : 0].op,
                    "party %u sends %u messages to party %u on channel %u, which receives %u",
                    first->src, s, first->dst, first->channel, count - s);
}

/* Each side of a connection is a single lane, and the blocks of messages match. */
static int check_pair(const struct maker *maker, const struct plan_end *first, uint32_t sends,
                      uint32_t k)
{
    const struct cs_table_op *ops = maker->table->ops;
    const struct cs_table_op *send = &ops[first[k].op];
    const struct cs_table_op *receive = &ops[first[sends + k].op];

    if (send->first != receive->first || send->count != receive->count)
        return COMPLAIN(maker, first[sends + k].op,
                        "blocks %u +%u are received, but %u +%u are sent in line %u",
                        receive->first, receive->count, send->first, send->count, send->line);
    for (uint32_t end = k; k > 0 && end < 2 * sends; end += sends) {
        if (lane_of(maker, first[end].op) != lane_of(maker, first[end - 1].op))
            return COMPLAIN(maker, first[end].op,
                            "two lanes of party %u share channel %u; they need one each",
                            ops[first[end].op].party, first->channel);
    }
    return 0;
}

/* In a round the second op waits for the first op and for all that the first op
 * waits for: a first op without bytes ends at once. */
static void put_behind(struct maker *maker, uint32_t first, uint32_t second)
{
    const struct cs_gpu_plan *plan = maker->plan;
    const struct cs_table_op *ops = maker->table->ops;
    uint32_t round = plan->rounds[lane_of(maker, first)] + ops[first].round;

    if (ops[first].round == ops[second].round)
        plan->ops[second].after = plan->ops[first].after | 1u << (first - plan->ops_of[round]);
}

static int make_link(struct maker *maker, const struct plan_end *first, uint32_t count)
{
    struct cs_gpu_plan *plan = maker->plan;
    uint32_t sends;
    int code = check_count(maker, first, count, &sends);

    for (uint32_t k = 0; k < sends && !code; k++)
        code = check_pair(maker, first, sends, k);
    if (code)
        return code;
    for (uint32_t k = 0; k < count; k++)
        plan->ops[first[k].op].link = plan->link_count;
    for (uint32_t k = 1; k < count; k++)
        if (k != sends)
            put_behind(maker, first[k - 1].op, first[k].op);
    plan->links[plan->link_count++] = (struct cs_plan_link){
        .sender = lane_of(maker, first[0].op),
        .receiver = lane_of(maker, first[sends].op),
    };
    return 0;
}

static int make_links(struct maker *maker)
{
    const struct plan_end *ends = maker->ends;
    uint32_t from = 0;
    int code = 0;

    while (from < maker->end_count && !code) {
        uint32_t to = from + 1;

        while (to < maker->end_count && compare_links(&ends[from], &ends[to]) == 0)
            to++;
        code = make_link(maker, &ends[from], to - from);
        from = to;
    }
    return code;
}

/* ---- rounds ---- */

/* Ends the rounds of a lane before `round`, at op `op`. */
static void fill_rounds(struct cs_gpu_plan *plan, uint32_t lane, uint32_t round, uint32_t op)
{
    while (plan->round_count < plan->rounds[lane] + round)
        plan->ops_of[plan->round_count++] = op;
}

static uint64_t plan_count_rounds(const struct cs_op_table *table)
{
    uint64_t rounds = 0;

    for (uint32_t i = 0; i < table->op_count; i++) {
        const struct cs_table_op *op = &table->ops[i];
        bool last = i + 1 == table->op_count || op[1].party != op->party || op[1].lane != op->lane;

        rounds += last ? (uint64_t)op->round + 1 : 0;
    }
    return rounds;
}

static struct cs_plan_op plan_op(const struct cs_op_table *table, const struct cs_table_op *op)
{
    if (op->kind == CS_TABLE_WAIT)
        return (struct cs_plan_op){
            .kind = op->kind, .link = op->party * table->lanes + op->peer, .first = op->channel};
    return (struct cs_plan_op){
        .kind = op->kind, .from_input = op->from_input, .first = op->first, .count = op->count};
}

static int make_rounds(struct maker *maker)
{
    const struct cs_op_table *table = maker->table;
    struct cs_gpu_plan *plan = maker->plan;
    uint32_t lane = 0;

    for (uint32_t i = 0; i < table->op_count; i++) {
        const struct cs_table_op *op = &table->ops[i];

        for (; lane < lane_of(maker, i); lane++)
            plan->rounds[lane + 1] = plan->round_count;
        fill_rounds(plan, lane, op->round + 1, i);
        if (i - plan->ops_of[plan->round_count - 1] == CS_PLAN_ROUND_OPS_MAX)
            return COMPLAIN(maker, i, "more than %d ops in one round", CS_PLAN_ROUND_OPS_MAX);
        plan->ops[plan->op_count++] = plan_op(table, op);
        plan->needs_input |= op->from_input;
    }
    for (; lane < plan->lane_count; lane++)
        plan->rounds[lane + 1] = plan->round_count;
    plan->ops_of[plan->round_count] = table->op_count;
    return 0;
}

/* ---- sums ---- */

static bool plan_overlap(const struct cs_gpu_plan *plan, const struct cs_plan_op *a,
                         const struct cs_plan_op *b)
{
    return (b->first + plan->blocks - a->first) % plan->blocks < a->count ||
           (a->first + plan->blocks - b->first) % plan->blocks < b->count;
}

/* An add waits for sends of the same blocks in its round. */
static void guard_sums(struct cs_gpu_plan *plan, uint32_t round)
{
    uint32_t first = plan->ops_of[round];
    uint32_t end = plan->ops_of[round + 1];

    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = first; k < end && plan->ops[i].kind == CS_TABLE_ADD; k++)
            if (plan->ops[k].kind == CS_TABLE_SEND && !plan->ops[k].from_input &&
                plan_overlap(plan, &plan->ops[k], &plan->ops[i]))
                plan->ops[i].behind |= 1u << (k - first);
}

/* A single lane of a party adds to a block: two lanes would race.  `reducer` holds a
 * lane, from 1, for each block. */
static int check_reducer(const struct maker *maker, uint32_t op, uint32_t *reducer)
{
    const struct cs_table_op *add = &maker->table->ops[op];

    for (uint32_t i = 0; i < add->count; i++) {
        uint32_t block = (add->first + i) % maker->plan->blocks;

        if (reducer[block] && reducer[block] != add->lane + 1)
            return COMPLAIN(maker, op,
                            "lanes %u and %u of party %u both add to block %u; a device needs one "
                            "lane for each block",
                            reducer[block] - 1, add->lane, add->party, block);
        reducer[block] = add->lane + 1;
    }
    return 0;
}

static int check_sums(const struct maker *maker)
{
    const struct cs_op_table *table = maker->table;
    size_t bytes = table->blocks * sizeof(uint32_t);
    uint32_t *reducer = cs_grow(NULL, bytes, 1);
    uint64_t marks = 0;
    int code = 0;

    for (uint32_t i = 0; i < table->op_count && !code; i++) {
        if (i == 0 || table->ops[i].party != table->ops[i - 1].party) {
            memset(reducer, 0, bytes);
            marks += table->blocks;
        }
        if (table->ops[i].kind != CS_TABLE_ADD)
            continue;
        marks += table->ops[i].count;
        code = marks > CS_PLAN_MARKS_MAX
                   ? COMPLAIN(maker, i, "more than %d blocks are reduced", CS_PLAN_MARKS_MAX)
                   : check_reducer(maker, i, reducer);
    }
    free(reducer);
    return code;
}

/* A WAIT names an existing round. */
static int check_waits(const struct maker *maker)
{
    const struct cs_gpu_plan *plan = maker->plan;

    for (uint32_t i = 0; i < plan->op_count; i++) {
        const struct cs_plan_op *op = &plan->ops[i];

        if (op->kind == CS_TABLE_WAIT &&
            op->first >= plan->rounds[op->link + 1] - plan->rounds[op->link])
            return COMPLAIN(maker, i, "lane %u has no round %u to wait for", op->link % plan->lanes,
                            op->first);
    }
    return 0;
}

int cs_plan_make(const struct cs_op_table *table, struct cs_arena *arena, struct cs_gpu_plan *plan,
                 struct cs_err *err)
{
    struct maker maker = {.table = table, .err = err, .plan = plan};
    uint32_t lanes = cs_op_table_parties(table) * table->lanes;
    uint64_t rounds = plan_count_rounds(table);
    int code;

    if (rounds > CS_PLAN_ROUNDS_MAX)
        return cs_err_at(err, CS_EINPUT, table->file, 0, "more than %d rounds in all",
                         CS_PLAN_ROUNDS_MAX);
    *plan = (struct cs_gpu_plan){
        .parties = cs_op_table_parties(table),
        .ranks = table->ranks,
        .lanes = table->lanes,
        .blocks = table->blocks,
        .parts = table->parts,
        .lane_count = lanes,
    };
    plan->rounds = cs_arena_alloc(arena, lanes + 1, sizeof(*plan->rounds));
    plan->ops_of = cs_arena_alloc(arena, rounds + 1, sizeof(*plan->ops_of));
    plan->ops = cs_arena_alloc(arena, table->op_count, sizeof(*plan->ops));
    plan->links = cs_arena_alloc(arena, table->op_count / 2 + 1, sizeof(*plan->links));
    maker.ends = cs_grow(NULL, (size_t)table->op_count + 1, sizeof(struct plan_end));
    code = make_rounds(&maker);
    for (uint32_t k = 0; k < plan->round_count && !code; k++)
        guard_sums(plan, k);
    if (!code)
        code = check_sums(&maker);
    if (!code)
        code = check_waits(&maker);
    list_ends(&maker);
    if (!code)
        code = make_links(&maker);
    free(maker.ends);
    return code;
}

uint64_t *cs_plan_starts(const struct cs_gpu_plan *plan, uint64_t elements, uint32_t element_bytes,
                         struct cs_arena *arena)
{
    struct cs_program program = {.blocks = plan->blocks,
                                 .parts = plan->parts,
                                 .elements = elements,
                                 .element_bytes = element_bytes};
    struct cs_cut cut = cs_cut_of(&program);
    uint64_t *starts = cs_arena_alloc(arena, (size_t)plan->blocks + 1, sizeof(*starts));

    for (uint32_t block = 0; block <= plan->blocks; block++)
        starts[block] = cs_cut_start(&cut, block);
    assert(starts[plan->blocks] == elements * element_bytes);
    return starts;
}

uint32_t cs_plan_channels(const struct cs_gpu_plan *plan, uint64_t bytes, uint32_t most,
                          uint64_t least_bytes)
{
    uint64_t worth = bytes / plan->blocks / least_bytes;

    if (most > worth)
        most = (uint32_t)worth;
    return most > 0 ? most : 1;
}

uint32_t cs_plan_slice(uint64_t l2_bytes, uint32_t thread_blocks, uint32_t depth)
{
    uint64_t slots = (uint64_t)thread_blocks * depth;
    uint32_t slice = SLICE_MOST;

    while (slice > SLICE_LEAST && slots * slice > l2_bytes / 2)
        slice /= 2;
    return slice;
}
