/*
 * Hierarchical broadcast and reduce: pieces of the vector through all ranks of the
 * root's node and along all their rails at the same time, pipelined in chunks.
 *
 * Any root.  n nodes of g ranks each, with consecutive numbers; nodes have levels, 0
 * for the root's, and the ranks with the root's position in the node have index 0.
 * The vector has c pieces of k chunks, each carried by one rank of every node.
 * Broadcast: carrier t of level 0 receives chunk j from the root, passes it to all
 * other ranks of the node and to carrier t of the next level, which does the same.
 * Reduce: carrier t of a node adds piece t of all ranks of the node and the sum from
 * the next level, and sends the sum one level up, at level 0 to the root.
 *
 *     n = 2, g = 3, c = 2, downwards, rank 0 the root:
 *
 *     piece 0    0 -> 1    1 -> 2, 4    4 -> 3, 5
 *     piece 1    0 -> 2    2 -> 1, 5    5 -> 3, 4
 *
 * Chunk j is passed on during the arrival of chunk j + 1.  In a single node
 * every wire of a mesh carries one piece, and the root sends the vector once.
 *
 * Carriers are all ranks of a node but that with the root's position, c = g - 1,
 * each with an adapter of its own.  Where many ranks share an adapter, further
 * carriers send nothing faster, and a chunk makes (g-1) c messages in a node:
 * there c is what fills the adapters (adapters.h), with even
 * distances, since neighbours share caches, sockets and adapters.
 *
 * The leader form is two_tree.c over nodes, in which one rank of each node
 * receives the vector and a chain in the node passes it on, or adds, pipelined as
 * well.
 *
 * Sends: V by the root of a broadcast, at most g/c V by a carrier; at most V by every
 * rank of a reduce.
 *
 * Level L has chunk j after j + L + 2 steps, so that about k + n steps of a
 * chunk make the time.  On one port a carrier has up to g chunks of m bytes in
 * a step:
 *
 *     T = (k + n) (alpha + g m / beta),    m = V / (c k)
 *
 * of which one chunk goes between nodes; an estimate, with 1 / beta + gamma for
 * 1 / beta in the reduce.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/pattern.h"

#include <assert.h>
#include <math.h>

/* The position of a rank. */
struct carrier {
    const struct cs_call *call;
    uint32_t group, nodes; /* g, n */
    uint32_t pieces;       /* c */
    uint32_t level, index;
    bool carries;
    uint32_t piece; /* of the rank, or of the carrier before it */
};

static uint32_t carrier_pieces(const struct cs_call *call)
{
    return call->carriers ? call->carriers : call->group - 1;
}

/* The index of the carrier of a piece. */
static uint32_t carrier_index(const struct carrier *carrier, uint32_t piece)
{
    assert(carrier->pieces > 0);
    return 1 + (uint32_t)((uint64_t)piece * (carrier->group - 1) / carrier->pieces);
}

/* The last piece whose index is not above; before the first one, of the last. */
static uint32_t carrier_piece(const struct carrier *carrier)
{
    if (carrier->index == 0)
        return carrier->pieces - 1;
    return (uint32_t)(((uint64_t)carrier->index * carrier->pieces - 1) / (carrier->group - 1));
}

static struct carrier carrier_of(const struct cs_call *call, uint32_t rank)
{
    uint32_t group = call->group;
    uint32_t nodes = call->ranks / group;
    uint32_t root = call->root;
    struct carrier carrier = {
        .call = call,
        .group = group,
        .nodes = nodes,
        .pieces = carrier_pieces(call),
        .level = cs_behind(rank / group, root / group, nodes),
        .index = cs_behind(rank % group, root % group, group),
    };

    carrier.piece = carrier_piece(&carrier);
    carrier.carries = carrier_index(&carrier, carrier.piece) == carrier.index;
    return carrier;
}

/* The rank at a level with an index. */
static uint32_t carrier_rank(const struct carrier *carrier, uint32_t level, uint32_t index)
{
    uint32_t group = carrier->group;
    uint32_t root = carrier->call->root;

    assert(group > 0);
    return cs_ahead(root / group, level, carrier->nodes) * group +
           cs_ahead(root % group, index, group);
}

/* Chunk j of a piece. */
static struct cs_blocks carrier_chunk(const struct carrier *carrier, uint32_t piece, uint32_t j)
{
    return cs_block(piece * carrier->call->chunks + j);
}

/* Whether a carrier passes chunks on, to the node or to the next level: the only other
 * rank of two ranks is the root. */
static bool carrier_passes_on(const struct carrier *carrier)
{
    return carrier->group > 2 || carrier->nodes > 1;
}

/* The rank of the level before that has the piece, or the root. */
static uint32_t carrier_before(const struct carrier *carrier)
{
    return carrier->level ? carrier_rank(carrier, carrier->level - 1, carrier->index)
                          : carrier->call->root;
}

/* ---- the call ---- */

/* k, and one more for a carrier that passes chunks on. */
static uint64_t carrier_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    struct carrier carrier;

    if (call->ranks < 2)
        return 0;
    carrier = carrier_of(call, at.party);
    return (uint64_t)call->chunks + (carrier.carries && carrier_passes_on(&carrier));
}

static int carrier_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code && (uint64_t)call->chunks * call->group > UINT32_MAX)
        code = cs_err_set(err, CS_EINPUT, "%u chunks are too many for nodes of %u ranks",
                          call->chunks, call->group);
    return code;
}

/* (k + n) (alpha + t / k) is least for k = sqrt(n t / alpha), where t is the
 * time of a piece: of one message between nodes, which is the slowest, or of g
 * messages on one port in a single node. */
static void carrier_settle(struct cs_call *call)
{
    double group = call->group;
    double nodes = group > 0 ? call->ranks / group : 1;
    double piece_s;

    if (call->group < 2)
        return;
    piece_s = cs_vector_bytes(call) / carrier_pieces(call) / call->hockney.beta_Bps;
    if (nodes < 2)
        piece_s *= group;
    cs_settle_chunks(call, call->elements / carrier_pieces(call),
                     call->hockney.alpha_s > 0 ? sqrt(nodes * piece_s / call->hockney.alpha_s)
                                               : INFINITY);
}

static uint32_t carrier_blocks(const struct cs_call *call)
{
    return call->group > 1 ? carrier_pieces(call) * call->chunks : 1;
}

static struct cs_cost carrier_steps(const struct cs_call *call, double rounds, double chunks)
{
    double steps = call->chunks + (double)call->ranks / call->group;
    double chunk = cs_longest_run_bytes(call, carrier_blocks(call), 1);

    return (struct cs_cost){rounds * steps, steps * chunks * chunk, 0};
}

static struct cs_cost carrier_cost(const struct cs_call *call)
{
    return cs_cost_with_sums(call, carrier_steps(call, 1, call->group));
}

static struct cs_cost carrier_local_cost(const struct cs_call *call)
{
    if (call->group == call->ranks)
        return carrier_cost(call);
    return cs_cost_with_sums(call, carrier_steps(call, 0, call->group - 1.0));
}

/* ---- broadcast ---- */

/* Chunk j of the own piece to the other ranks of the node that need the chunk,
 * and to the next level. */
static void broadcast_pass_on(const struct carrier *at, uint32_t j, struct cs_ops *ops)
{
    struct cs_blocks chunk = carrier_chunk(at, at->piece, j);

    if (at->level + 1 < at->nodes)
        cs_ops_send(ops, carrier_rank(at, at->level + 1, at->index), chunk);
    for (uint32_t s = 1; s < at->group; s++) {
        uint32_t to = cs_ahead(at->index, s, at->group);

        if (to > 0 || at->level > 0)
            cs_ops_send(ops, carrier_rank(at, at->level, to), chunk);
    }
}

/* Chunk j of the pieces of the node's other carriers. */
static void broadcast_receive(const struct carrier *at, uint32_t j, struct cs_ops *ops)
{
    for (uint32_t s = 0; s < at->pieces; s++) {
        uint32_t piece = cs_behind(at->piece, s, at->pieces);
        uint32_t from = carrier_index(at, piece);

        if (from != at->index)
            cs_ops_recv(ops, carrier_rank(at, at->level, from), carrier_chunk(at, piece, j));
    }
}

static void broadcast_carry(const struct carrier *at, uint32_t j, struct cs_ops *ops)
{
    if (j > 0 && carrier_passes_on(at)) {
        broadcast_pass_on(at, j - 1, ops);
        broadcast_receive(at, j - 1, ops);
    }
    if (j < at->call->chunks)
        cs_ops_recv(ops, carrier_before(at), carrier_chunk(at, at->piece, j));
}

/* ---- reduce ---- */

/* Chunk j of the own piece from the other ranks of the node, except the root,
 * and from the next level. */
static void reduce_collect(const struct carrier *at, uint32_t j, struct cs_ops *ops)
{
    struct cs_blocks chunk = carrier_chunk(at, at->piece, j);

    for (uint32_t s = 1; s < at->group; s++) {
        uint32_t from = cs_behind(at->index, s, at->group);

        if (from > 0 || at->level > 0)
            cs_ops_recv_reduce(ops, carrier_rank(at, at->level, from), chunk);
    }
    if (at->level + 1 < at->nodes)
        cs_ops_recv_reduce(ops, carrier_rank(at, at->level + 1, at->index), chunk);
}

/* Chunk j of the pieces of the node's other carriers. */
static void reduce_contribute(const struct carrier *at, uint32_t j, struct cs_ops *ops)
{
    for (uint32_t s = 1; s <= at->pieces; s++) {
        uint32_t piece = cs_ahead(at->piece, s % at->pieces, at->pieces);
        uint32_t to = carrier_index(at, piece);

        if (to != at->index)
            cs_ops_send(ops, carrier_rank(at, at->level, to), carrier_chunk(at, piece, j));
    }
}

static void reduce_carry(const struct carrier *at, uint32_t j, struct cs_ops *ops)
{
    uint32_t late = carrier_passes_on(at); /* a round behind the chunk's arrivals */

    if (j >= late)
        cs_ops_send(ops, carrier_before(at), carrier_chunk(at, at->piece, j - late));
    if (late && j < at->call->chunks) {
        reduce_contribute(at, j, ops);
        reduce_collect(at, j, ops);
    }
}

/* ---- both ---- */

static void carrier_mirror_round(const void *ctx, struct cs_at here, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct carrier at = carrier_of(call, here.party);
    bool down = cs_leaves_root(call);
    uint32_t j = (uint32_t)here.round;

    if (at.level == 0 && at.index == 0)
        for (uint32_t piece = 0; piece < at.pieces; piece++)
            cs_mirror_message(call, down, carrier_rank(&at, 0, carrier_index(&at, piece)),
                              carrier_chunk(&at, piece, j), ops);
    else if (at.carries)
        (down ? broadcast_carry : reduce_carry)(&at, j, ops);
    else
        (down ? broadcast_receive : reduce_contribute)(&at, j, ops);
}

#define CARRIERS                                                                               \
    .name = "hierarchical", .about = "pieces through all ranks of a node and along all rails", \
    .exactness = CS_COST_ROUGHLY, .takes_carriers = true, .check = carrier_check,              \
    .settle = carrier_settle, .blocks = carrier_blocks, .rounds = carrier_rounds,              \
    .round = carrier_mirror_round, .cost = carrier_cost, .local_cost = carrier_local_cost

const struct cs_algo cs_algo_broadcast_hierarchical = {
    CARRIERS,
    .collective = &cs_collective_broadcast,
    .formula = "(k+n) (alpha + g/c V/k/beta), n nodes of g ranks, c carriers",
};

const struct cs_algo cs_algo_reduce_hierarchical = {
    CARRIERS,
    .collective = &cs_collective_reduce,
    .formula = "(k+n) (alpha + g/c V/k (1/beta + gamma)), n nodes of g ranks, c carriers",
};
