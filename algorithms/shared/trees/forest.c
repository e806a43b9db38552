#include "algorithms/shared/trees/forest.h"

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/trees/trees.h"

#include <math.h>

enum {
    STREAMS_MIN = 2, /* lanes of a tree in one direction, */
    STREAMS_MAX = 8,
    UNPLANNED_MAX = 4, /* lanes where the trees are not planned for the machine, */
    LANES = 64,        /* and about of all such trees */
    SLACK = 4,         /* rounds that a stream is ahead beyond those on the way */
    FULL = 32          /* chunks for each level: a pipeline fills in 3 % of the time */
};

/* A tree as a rank sees the tree: of the table, or the tree of pattern `forest.h`
 * whose children are the next ranks, but for one. */
struct forest_place {
    uint32_t parent; /* CS_TREE_ABSENT: the root */
    uint32_t child_count;
    const uint32_t *child; /* NULL: by number, see forest_child */
    uint32_t rank, ranks;
    uint32_t left_out;     /* steps from the rank to a rank that is no child */
    uint32_t first, units; /* of the share */
};

/* The chunks of one stream through a rank: every chunk whose number leaves the stream's after a
 * division by the number of streams. */
struct forest_flow {
    struct forest_place place;
    uint32_t chunks; /* of the tree */
    uint32_t stream, streams;
    uint32_t up_lane; /* of the stream; up and down */
    uint32_t ahead;   /* rounds that the stream may be up before it is down */
};

/* Up and then down: an all-reduce. */
static bool forest_goes_both(const struct cs_call *call)
{
    return call->collective->before == CS_EVERY_RANK && call->collective->after == CS_EVERY_RANK;
}

static bool forest_goes_up(const struct cs_call *call)
{
    return call->collective->before == CS_EVERY_RANK;
}

static bool forest_has_root(const struct cs_call *call)
{
    return call->collective->before == CS_ROOT || call->collective->after == CS_ROOT;
}

static uint32_t forest_trees(const struct cs_call *call)
{
    if (call->trees)
        return call->trees->count;
    return forest_has_root(call) && call->ranks > 1 ? call->ranks - 1 : call->ranks;
}

static uint32_t forest_units(const struct cs_call *call)
{
    return call->trees ? call->trees->units : forest_trees(call);
}

/* Units through the busiest link, in units of the slowest link in use; without
 * a table, through a port. */
static double forest_contention(const struct cs_call *call)
{
    if (call->trees)
        return call->trees->load_s_per_byte * call->trees->slowest_Bps;
    return (call->ranks - 1.0) * (forest_goes_both(call) ? 2 : 1);
}

static uint32_t forest_streams_max(const struct cs_call *call)
{
    uint32_t most = LANES / forest_trees(call);

    if (call->trees)
        return STREAMS_MAX;
    most = most > UNPLANNED_MAX ? UNPLANNED_MAX : most;
    return most < STREAMS_MIN ? STREAMS_MIN : most;
}

/* Chunks of every tree that the busiest link carries in the latency of a message. */
static double forest_hidden(const struct cs_call *call)
{
    double chunk = cs_vector_bytes(call) / forest_units(call) / call->chunks;
    double busy_s = forest_contention(call) * chunk / call->hockney.beta_Bps;

    return busy_s > 0 ? call->hockney.alpha_s / busy_s : 0;
}

/* Chunks of a tree on their way from rank to rank at once: of all trees together as many as
 * hide the latency of a message behind others. */
static uint32_t forest_streams(const struct cs_call *call)
{
    double hidden = ceil(forest_hidden(call));
    uint32_t most = forest_streams_max(call);

    most = call->chunks < most ? call->chunks : most;
    if (most <= STREAMS_MIN || hidden < STREAMS_MIN)
        return STREAMS_MIN;
    return hidden + 1 < most ? (uint32_t)hidden + 1 : most;
}

static uint32_t forest_depth(const struct cs_call *call)
{
    if (call->trees)
        return call->trees->depth;
    return forest_has_root(call) && call->ranks > 2 ? 2 : 1;
}

/* A chunk is on its way up and down for the latencies and, at each level, for the chunks of all
 * trees before it.  A sum that is further ahead takes a wire from one that is due. */
static uint32_t forest_ahead(const struct cs_call *call, uint32_t streams)
{
    double chunks = 2.0 * forest_depth(call) * (1 + forest_hidden(call));

    return (uint32_t)fmin(ceil(chunks / streams) + SLACK, call->chunks + 1.0);
}

/* Of rank t to all others. */
static struct forest_place forest_star(const struct cs_call *call, uint32_t t, uint32_t rank)
{
    uint32_t p = call->ranks;

    return (struct forest_place){
        .parent = rank == t ? CS_TREE_ABSENT : t,
        .child_count = rank == t ? p - 1 : 0,
        .rank = rank,
        .ranks = p,
        .left_out = p,
        .first = t,
        .units = 1,
    };
}

/* Of the root to one rank, and of this one to all others. */
static struct forest_place forest_hub(const struct cs_call *call, uint32_t t, uint32_t rank)
{
    uint32_t p = call->ranks;
    uint32_t root = call->root;
    uint32_t hub = cs_ahead(root, t + 1, p);
    struct forest_place place = {
        .parent = rank == hub ? root : hub,
        .child_count = rank == hub ? p - 2 : 0,
        .rank = rank,
        .ranks = p,
        .left_out = cs_behind(root, rank, p),
        .first = t,
        .units = 1,
    };

    if (rank == root) {
        place.parent = CS_TREE_ABSENT;
        place.child_count = 1;
        place.rank = cs_ahead(root, t, p);
        place.left_out = p;
    }
    return place;
}

static struct forest_place forest_place_of(const struct cs_call *call, uint32_t t, uint32_t rank)
{
    const struct cs_tree *tree;

    if (!call->trees)
        return forest_has_root(call) ? forest_hub(call, t, rank) : forest_star(call, t, rank);
    tree = &call->trees->tree[t];
    return (struct forest_place){
        .parent = tree->parent[rank],
        .child_count = tree->first_child[rank + 1] - tree->first_child[rank],
        .child = &tree->child[tree->first_child[rank]],
        .first = tree->first,
        .units = tree->units,
    };
}

static uint32_t forest_child(const struct forest_place *place, uint32_t i)
{
    if (place->child)
        return place->child[i];
    return cs_ahead(place->rank, i + 1 + (i + 1 >= place->left_out), place->ranks);
}

/* ---- rounds ---- */

/* Chunks of a stream, at most; a stream of fewer has a round without ops. */
static uint32_t forest_rounds_of(uint32_t chunks, uint32_t streams)
{
    return chunks / streams + (chunks % streams > 0);
}

static bool forest_has(const struct forest_flow *flow, uint32_t j)
{
    return j * flow->streams + flow->stream < flow->chunks;
}

/* Chunk j of the stream. */
static struct cs_blocks forest_chunk(const struct forest_flow *flow, uint32_t j)
{
    uint32_t number = j * flow->streams + flow->stream;

    return (struct cs_blocks){flow->place.first * flow->chunks + number * flow->place.units,
                              flow->place.units};
}

static void forest_send_down(const struct forest_flow *flow, uint32_t j, struct cs_ops *ops)
{
    for (uint32_t i = 0; i < flow->place.child_count && forest_has(flow, j); i++)
        cs_ops_send(ops, forest_child(&flow->place, i), forest_chunk(flow, j));
}

static void forest_up(const struct forest_flow *flow, uint32_t j, struct cs_ops *ops)
{
    if (j > 0 && forest_has(flow, j - 1) && flow->place.parent != CS_TREE_ABSENT)
        cs_ops_send(ops, flow->place.parent, forest_chunk(flow, j - 1));
    for (uint32_t i = 0; i < flow->place.child_count && forest_has(flow, j); i++)
        cs_ops_recv_reduce(ops, forest_child(&flow->place, i), forest_chunk(flow, j));
}

static void forest_down(const struct forest_flow *flow, uint32_t j, struct cs_ops *ops)
{
    if (flow->place.parent == CS_TREE_ABSENT) {
        forest_send_down(flow, j, ops);
        return;
    }
    if (forest_has(flow, j))
        cs_ops_recv(ops, flow->place.parent, forest_chunk(flow, j));
    if (j > 0)
        forest_send_down(flow, j - 1, ops);
}

/* ---- up and down ---- */

/* The round of chunk j: from `ahead` on there is a wait before each. */
static uint64_t forest_up_round(const struct forest_flow *flow, uint64_t j)
{
    return j < flow->ahead ? j : 2 * j - flow->ahead + 1;
}

/* No more than `ahead` chunks are up and not down. */
static void forest_up_before(const struct forest_flow *flow, uint64_t k, struct cs_ops *ops)
{
    uint64_t j = k < flow->ahead ? k : (k + flow->ahead) / 2;

    if (k == forest_up_round(flow, j))
        forest_up(flow, (uint32_t)j, ops);
    else if (forest_has(flow, (uint32_t)j - flow->ahead))
        cs_ops_wait(ops, flow->up_lane + 1, 2 * ((uint32_t)j - flow->ahead) + 1);
}

/* A chunk comes down only after the rank's part of the sum has gone up: at the
 * root in round j of the upward lane, elsewhere sent in round j + 1. */
static void forest_down_after(const struct forest_flow *flow, uint64_t k, struct cs_ops *ops)
{
    uint32_t j = (uint32_t)(k / 2);

    if (k % 2 || j == forest_rounds_of(flow->chunks, flow->streams))
        forest_down(flow, j, ops);
    else if (forest_has(flow, j))
        cs_ops_wait(
            ops, flow->up_lane,
            (uint32_t)forest_up_round(flow, flow->place.parent == CS_TREE_ABSENT ? j : j + 1));
}

uint64_t cs_forest_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t streams = forest_streams(call);
    struct forest_flow flow = {.ahead = forest_ahead(call, streams)};
    uint64_t rounds = forest_rounds_of(call->chunks, streams);

    if (call->ranks < 2)
        return 0;
    if (!forest_goes_both(call))
        return rounds + 1;
    return at.lane % 2 ? 2 * rounds + 1 : forest_up_round(&flow, rounds) + 1;
}

void cs_forest_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    bool both = forest_goes_both(call);
    uint32_t number = both ? at.lane / 2 : at.lane;
    uint32_t streams = forest_streams(call);
    struct forest_flow flow = {
        .place = forest_place_of(call, number % forest_trees(call), at.party),
        .chunks = call->chunks,
        .stream = number / forest_trees(call),
        .streams = streams,
        .up_lane = at.lane - at.lane % 2,
        .ahead = forest_ahead(call, streams),
    };

    if (both && at.lane % 2)
        forest_down_after(&flow, at.round, ops);
    else if (both)
        forest_up_before(&flow, at.round, ops);
    else if (forest_goes_up(call))
        forest_up(&flow, (uint32_t)at.round, ops);
    else
        forest_down(&flow, (uint32_t)at.round, ops);
}

uint32_t cs_forest_lanes(const struct cs_call *call)
{
    return forest_trees(call) * forest_streams(call) * (forest_goes_both(call) ? 2 : 1);
}

uint32_t cs_forest_blocks(const struct cs_call *call)
{
    return forest_units(call) * call->chunks;
}

uint32_t cs_forest_parts(const struct cs_call *call)
{
    return forest_units(call) / call->ranks * call->chunks;
}

int cs_forest_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    if (call->ranks <= CS_TREES_RANKS_MAX || call->trees)
        return 0;
    return cs_err_set(err, CS_EINPUT, "%s packs trees of at most %d ranks, not of %u", algo->name,
                      CS_TREES_RANKS_MAX, call->ranks);
}

/* ---- cost ---- */

/* Units that a rank reduces. */
static double forest_fan_in(const struct cs_call *call)
{
    if (!forest_goes_up(call))
        return 0;
    return call->trees ? call->trees->fan_in : call->ranks - 1.0;
}

static double forest_levels(const struct cs_call *call)
{
    return forest_depth(call) * (forest_goes_both(call) ? 2.0 : 1.0);
}

/* The closed form has the latency of every chunk; streams hide it while a chunk takes as long on
 * the links, until the pipeline fills in a small share of the time. */
void cs_forest_settle(struct cs_call *call)
{
    uint32_t units = forest_units(call);
    uint64_t most = call->elements / units;
    uint32_t blocks = cs_trees_blocks(call->ranks);
    double link_s = forest_contention(call) / call->hockney.beta_Bps;
    double sum_s = forest_fan_in(call) * call->hockney.gamma_s_per_byte;
    double work_s = fmax(link_s, sum_s) * cs_vector_bytes(call) / units;

    if (most > blocks / units)
        most = blocks / units;
    cs_settle_chunks(call, most,
                     fmax(sqrt(forest_levels(call) * work_s / call->hockney.alpha_s),
                          fmin((call->trees ? STREAMS_MAX - 1 : 1) * work_s / call->hockney.alpha_s,
                               FULL * forest_levels(call))));
}

struct cs_cost cs_forest_cost(const struct cs_call *call)
{
    double levels = forest_levels(call);
    double steps = levels + call->chunks - 1.0;
    double chunk = cs_longest_run_bytes(call, cs_forest_blocks(call), 1);
    double bytes = forest_contention(call) * chunk;
    double reduced = forest_fan_in(call) * chunk;
    double busy_s = fmax(bytes / call->hockney.beta_Bps, reduced * call->hockney.gamma_s_per_byte);
    double rounds = call->hockney.alpha_s <= (forest_streams(call) - 1) * busy_s ? levels : steps;

    if (reduced * call->hockney.gamma_s_per_byte * call->hockney.beta_Bps <= bytes)
        return (struct cs_cost){rounds, steps * bytes, forest_depth(call) * reduced};
    return (struct cs_cost){rounds, levels * bytes, steps * reduced};
}
