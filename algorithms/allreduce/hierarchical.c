/*
 * Hierarchical all-reduce: most of the data within the nodes, the rest across.
 *
 * n nodes of g ranks each, with consecutive numbers; p = n g.  A ring in every
 * node reduce-scatters; the ranks at the same position of their nodes (a rail)
 * all-reduce a g-th of the vector around a ring across the nodes; a ring in
 * every node all-gathers.  The bucket algorithm on a grid of g x n (bucket.h).
 *
 *     p = 4, nodes {0, 1} and {2, 3}, halves A and B of the vector:
 *
 *     rank 0:  A B     A01     A0123     A0123 B0123
 *     rank 1:  A B     B01     B0123     A0123 B0123
 *     rank 2:  A B     A23     A0123     A0123 B0123
 *     rank 3:  A B     B23     B0123     A0123 B0123
 *
 * Sends per rank: 2(g-1) of V/g bytes within the node and 2(n-1) of V/(g n)
 * out of the node, the minimum for g adapters of a node; a ring over all ranks
 * sends 2(p-1)/p V through one adapter, or with g rings 2(p-1)/(p g) V through
 * each.
 *
 * Chunks, and channels: the vector has c k parts, part (i, j) for chunk j of
 * channel i, and a part has p blocks.  Channel i uses line i of node_lines.h as
 * the ring of the node, so that wires of a node that one ring leaves idle carry
 * other channels.  With k > 1, each of the three phases has a lane of its own in
 * every channel, and takes chunk after chunk:
 *
 *     reduce-scatter   0 1 2 3
 *     rails              0 1 2 3
 *     all-gather           0 1 2 3
 *
 * so that adapters and wires within the nodes are busy at once.  With k = 1 a
 * channel has one lane.
 *
 * For k = 1 and one channel
 *
 *     T = 2(g-1) (alpha + V/g / beta) + (g-1) V/g gamma
 *       + 2(n-1) (alpha + V/p / beta) + (n-1) V/p gamma
 *
 * with the alpha and beta of the links within and between the nodes.  The
 * vector has p blocks; V/g is n of the largest, V/p one.  Exact for equal
 * blocks, and for an alpha above the time of an element: else a rank that is
 * ahead can delay a rank that is late.
 *
 * With chunks the form adds (k-1) s alpha, with s the steps of the longest
 * phase.  The bytes within the nodes and those between take ports of their own: of the
 * part that takes less time only the k-th for a chunk is not hidden.  With c
 * channels, w of them on a wire, the bytes within the nodes count w / c.  The best k is
 * sqrt((S - M) / (r s alpha)), with S the time of the bytes of all phases, M that
 * of the longest, and r ranks on an adapter, whose messages follow each other and
 * hide all but an r-th of what two chunks leave.  Without a machine's rings k is 1.
 */
#include "algorithms/shared/bucket.h"
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/rings/node_lines.h"

#include <math.h>

enum {
    PHASES = 3,
    CHANNELS_BEST = 4,    /* through switches; by trial */
    BLOCKS_BEST = 1 << 15 /* keeps the proof short */
};

/* A phase of a part, from the view of a rank. */
struct hierarchy {
    struct cs_node_line line;
    uint32_t rank, node, nodes;
    uint32_t first; /* block of the part */
};

static bool is_pipelined(const struct cs_call *call)
{
    return call->chunks > 1;
}

static uint32_t hierarchical_lanes(const struct cs_call *call)
{
    return cs_channel_lanes(call) * (is_pipelined(call) ? PHASES : 1);
}

static uint32_t hierarchical_blocks(const struct cs_call *call)
{
    return cs_channel_lanes(call) * call->chunks * call->ranks;
}

static int hierarchical_check(const struct cs_algo *algo, const struct cs_call *call,
                              struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);
    uint64_t blocks = (uint64_t)cs_channel_lanes(call) * call->chunks;

    if (!code)
        code = cs_channel_check(algo, call, err);
    if (!code && blocks * call->ranks > UINT32_MAX)
        code = cs_err_set(err, CS_EINPUT, "%u chunks are too many for %u ranks", call->chunks,
                          call->ranks);
    return code;
}

/* ---- parameters ---- */

/* Steps of a phase: 0 and 2 within the nodes, 1 along the rails. */
static uint32_t phase_steps(const struct cs_call *call, uint32_t phase)
{
    return phase == 1 ? 2 * (cs_nodes_of(call) - 1) : call->group - 1;
}

static uint32_t longest_phase_steps(const struct cs_call *call)
{
    uint32_t within = phase_steps(call, 0);
    uint32_t between = phase_steps(call, 1);

    return within > between ? within : between;
}

static double hierarchical_best_chunks(const struct cs_call *call)
{
    double volume_s = cs_vector_bytes(call) / call->hockney.beta_Bps;
    double within_s = phase_steps(call, 0) * volume_s / call->group;
    double between_s = phase_steps(call, 1) * volume_s / call->ranks;
    double rest_s = 2 * within_s + between_s - fmax(within_s, between_s);

    double best = sqrt(rest_s / (longest_phase_steps(call) * call->hockney.alpha_s));

    return fmax(fmin(best, 2), best / sqrt(fmax(1, call->sharing)));
}

/* Wires carry a channel for each ring.  Through a switch one channel has the
 * rate of all, and a few hide each other's latencies. */
static uint32_t hierarchical_best_channels(const struct cs_call *call)
{
    uint32_t lines = cs_node_lines_count(call);

    if (cs_node_lines_are_wired(call))
        return lines;
    if (!call->rings_by_node || call->ranks == call->group)
        return 1;
    return lines < CHANNELS_BEST ? lines : CHANNELS_BEST;
}

static void hierarchical_settle(struct cs_call *call)
{
    uint64_t most = 1;
    uint64_t blocks;

    cs_node_lines_settle(call);
    if (call->channels == 0)
        call->channels = hierarchical_best_channels(call);
    blocks = (uint64_t)cs_channel_lanes(call) * call->ranks;
    if (call->rings_by_node && call->ranks > call->group) {
        most = blocks < BLOCKS_BEST ? BLOCKS_BEST / blocks : 1;
        if (most > call->elements / blocks)
            most = call->elements / blocks;
    }
    cs_settle_chunks(call, most, hierarchical_best_chunks(call));
}

/* ---- rounds ---- */

static struct cs_blocks run_of(const struct hierarchy *of, uint32_t index)
{
    return (struct cs_blocks){of->first + index * of->nodes, of->nodes};
}

/* The rank of this node `behind` slots behind, and the index of the rank in the
 * node. */
static uint32_t rank_behind(const struct hierarchy *of, uint32_t behind)
{
    uint32_t g = of->line.group;
    uint32_t slot = cs_node_line_slot(&of->line, of->rank);

    return cs_node_line_rank(&of->line, of->node, cs_behind(slot, behind % g, g));
}

static struct cs_blocks run_behind(const struct hierarchy *of, uint32_t behind)
{
    return run_of(of, rank_behind(of, behind) % of->line.group);
}

static void within_step(const struct hierarchy *of, bool scatters, uint32_t k, struct cs_ops *ops)
{
    uint32_t shift = scatters ? k + 1 : k;

    cs_ops_send(ops, rank_behind(of, of->line.group - 1), run_behind(of, shift));
    if (scatters)
        cs_ops_recv_reduce(ops, rank_behind(of, 1), run_behind(of, shift + 1));
    else
        cs_ops_recv(ops, rank_behind(of, 1), run_behind(of, shift + 1));
}

/* The ring over the nodes on the blocks of the rail: block a belongs to node
 * a. */
static void rail_step(const struct hierarchy *of, uint32_t k, struct cs_ops *ops)
{
    uint32_t n = of->nodes;
    uint32_t index = of->rank % of->line.group;
    uint32_t first = of->first + index * n;
    bool scatters = k < n - 1;
    uint32_t shift = scatters ? k + 1 : k - (n - 1);
    uint32_t to = cs_ahead(of->node, 1, n) * of->line.group + index;
    uint32_t from = cs_behind(of->node, 1, n) * of->line.group + index;
    struct cs_blocks sent = cs_block(first + cs_behind(of->node, shift, n));
    struct cs_blocks taken = cs_block(first + cs_behind(of->node, shift + 1, n));

    cs_ops_send(ops, to, sent);
    if (scatters)
        cs_ops_recv_reduce(ops, from, taken);
    else
        cs_ops_recv(ops, from, taken);
}

static void hierarchy_step(const struct hierarchy *of, uint32_t phase, uint32_t k,
                           struct cs_ops *ops)
{
    if (phase == 1)
        rail_step(of, k, ops);
    else
        within_step(of, phase == 0, k, ops);
}

static struct hierarchy hierarchy_of(const struct cs_call *call, uint32_t rank, uint32_t share,
                                     uint32_t chunk)
{
    return (struct hierarchy){
        .line = cs_node_line_of(call, share / call->slices),
        .rank = rank,
        .node = rank / call->group,
        .nodes = cs_nodes_of(call),
        .first = (share * call->chunks + chunk) * call->ranks,
    };
}

/* The lane before, in which the chunk is done first; a single node has no
 * rails. */
static uint32_t phase_before(const struct cs_call *call, uint32_t phase)
{
    return phase == 2 && cs_nodes_of(call) < 2 ? 0 : phase - 1;
}

/* Rounds of a chunk in the lane of a phase: a wait, and the steps.  Without
 * steps the lane has no rounds. */
static uint32_t phase_rounds(const struct cs_call *call, uint32_t phase)
{
    return phase_steps(call, phase) + (phase > 0);
}

static uint64_t allreduce_hierarchical_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (is_pipelined(call))
        return phase_steps(call, at.lane % PHASES)
                   ? (uint64_t)phase_rounds(call, at.lane % PHASES) * call->chunks
                   : 0;
    return 2 * (uint64_t)phase_steps(call, 0) + phase_steps(call, 1);
}

static void pipelined_round(const struct cs_call *call, uint32_t rank, uint32_t lane, uint64_t k,
                            struct cs_ops *ops)
{
    uint32_t phase = lane % PHASES;
    uint32_t each = phase ? phase_rounds(call, phase) : call->group - 1;
    uint32_t chunk = (uint32_t)(k / each);
    uint32_t step = (uint32_t)(k % each);
    uint32_t before = phase ? phase_before(call, phase) : 0;
    struct hierarchy of = hierarchy_of(call, rank, lane / PHASES, chunk);

    if (phase == 0)
        hierarchy_step(&of, phase, step, ops);
    else if (step > 0)
        hierarchy_step(&of, phase, step - 1, ops);
    else
        cs_ops_wait(ops, lane - phase + before, (chunk + 1) * phase_rounds(call, before) - 1);
}

static void allreduce_hierarchical_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct hierarchy of;
    uint32_t phase = 0;

    if (is_pipelined(call)) {
        pipelined_round(call, at.party, at.lane, at.round, ops);
        return;
    }
    of = hierarchy_of(call, at.party, at.lane, 0);
    while (at.round >= phase_steps(call, phase))
        at.round -= phase_steps(call, phase++);
    hierarchy_step(&of, phase, (uint32_t)at.round, ops);
}

/* ---- cost ---- */

static enum cs_exactness hierarchical_exactness(const struct cs_call *call)
{
    uint32_t blocks = hierarchical_blocks(call);

    return blocks > call->ranks || call->elements % blocks ? CS_COST_ROUGHLY : CS_COST_EXACT;
}

/* The latencies of further chunks, in the phase with the most steps. */
static double later_rounds(const struct cs_call *call)
{
    return is_pipelined(call) ? (call->chunks - 1.0) * longest_phase_steps(call) : 0;
}

/* The rings in the nodes: channels on separate wires run beside each other. */
static struct cs_cost allreduce_hierarchical_local_cost(const struct cs_call *call)
{
    struct cs_grid ring = cs_grid_of_sides(&call->group, 1);
    struct cs_cost cost = cs_bucket_cost(&ring, 1, call);

    if (call->channels > 1)
        cost.bytes *= (double)cs_node_lines_contention(call) / call->channels;
    if (longest_phase_steps(call) == phase_steps(call, 0))
        cost.rounds += later_rounds(call);
    return cost;
}

/* All but the first chunk. */
static double hierarchical_overlap(const struct cs_call *call)
{
    return is_pipelined(call) ? 1 - 1.0 / call->chunks : 0;
}

static struct cs_cost allreduce_hierarchical_cost(const struct cs_call *call)
{
    const uint32_t sides[] = {call->group, cs_nodes_of(call)};
    struct cs_grid grid = cs_grid_of_sides(sides, 2);
    struct cs_grid ring = cs_grid_of_sides(sides, 1);
    struct cs_cost all = cs_bucket_cost(&grid, 1, call);
    struct cs_cost rings = cs_bucket_cost(&ring, 1, call);
    struct cs_cost within = allreduce_hierarchical_local_cost(call);

    return (struct cs_cost){all.rounds + later_rounds(call), all.bytes - rings.bytes + within.bytes,
                            all.reduced_bytes};
}

const struct cs_algo cs_algo_allreduce_hierarchical = {
    .name = "hierarchical",
    .collective = &cs_collective_allreduce,
    .about = "rings within the nodes and on every rail, chunk after chunk",
    .formula = "2(g+n-2) alpha + 2(p-1)/p V/beta + (p-1)/p V gamma, n nodes of g ranks, 1 chunk",
    .exactness_of = hierarchical_exactness,
    .takes_sharing = true,
    .takes_rings = true,
    .rings_of_nodes = true,
    .check = hierarchical_check,
    .settle = hierarchical_settle,
    .lanes = hierarchical_lanes,
    .blocks = hierarchical_blocks,
    .rounds = allreduce_hierarchical_rounds,
    .round = allreduce_hierarchical_round,
    .scatters = true,
    .cost = allreduce_hierarchical_cost,
    .local_cost = allreduce_hierarchical_local_cost,
    .overlap = hierarchical_overlap,
};
