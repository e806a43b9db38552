#include "algorithms/libraries/rccl/choice.h"

#include <math.h>

enum {
    SIZES = 27, /* powers of two of factors, from 64 B */
    TUNED = 2,  /* engines: the tree and the ring */
};

/* A protocol's range of bytes, of a rank's part but for all-reduce: above `over`,
 * up to `most`. */
struct range {
    double over, most;
};

/* Factors of trees and rings by protocol, and ranges by collective. */
struct model {
    uint32_t generation, since;
    const double *tree[CS_NCCL_PROTOCOLS], *ring[CS_NCCL_PROTOCOLS];
    struct range ll[CS_NCCL_FUNCS], ll128[CS_NCCL_FUNCS];
};

/* Engines in rows, protocols in columns: LL, LL128, Simple. */
static const double base_us[CS_NCCL_PROTOCOLS] = {12, 12, 17};
static const double link_us[TUNED][CS_NCCL_PROTOCOLS] = {{.9, .9, 2.3}, {.8, .8, 2.1}};
static const double net_us[TUNED][CS_NCCL_PROTOCOLS] = {{10.5, 10.5, 25}, {9.5, 9.5, 320}};
static const double two_nodes[TUNED][CS_NCCL_PROTOCOLS] = {{.06, .06, .11}, {.08, .08, 1}};
static const double more_nodes[TUNED][CS_NCCL_PROTOCOLS] = {{.06, .06, .59}, {.08, .08, 1}};

/* clang-format off */
static const double tree_ll[SIZES] = {
    .1, .1, .1, .1, .1, .1, 1, 1, 1, 1, 1, .6, 1, .9, 1, 1, .1, .1, .1, .1, .1,
    .1, .1, .1, .1, .1, .1};
static const double tree_ll128_950[SIZES] = {
    .1, .1, .1, .1, .1, .1, 1, 1, 1, 1, 1, .6, 1, .9, 1, 1, 1, 1, 1, 2, .1, .1,
    .1, .1, .1, .1, .1};
static const double tree_ll128_950_new[SIZES] = {
    .1, .1, .1, .1, .1, .1, 1, 1, 1, 1, 1, .6, 1, .9, 1, 1, 1, 1, 1, 2, 2, 1,
    .1, .9, .9, .1, .1};
static const double tree_simple_942[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .7, 1, 1, 1, 1,
    1, .7, .7, .5, .6, .6, .6};
static const double tree_simple_950[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .7, 1, .1, .1,
    .1, .9, .9, .7, .8, .6, .6, .6};
static const double tree_simple_950_new[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .7, 1, .1, .1,
    .1, .1, .1, .7, .15, .6, .1, .6};
static const double ring_ll[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 1, .2, 1, .4, .4, .1, .2, .2,
    .1, .1, .1, .1, .1, .1, .1, .1};
static const double ring_ll128_950[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 1, .2, 1, .4, .4, .1, .2, .1,
    .1, .1, .1, .1, .1, .1, .1, .1};
static const double ring_ll128_950_new[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 1, .2, 1, .4, .4, .1, .2, .1,
    .1, .1, .1, 5.5, .1, .1, 1, 1};
static const double ring_simple_942[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1,
    .1, .1, .1, 1, .8, 1, 1, 1};
static const double ring_simple_942_new[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1,
    .1, .1, .1, .7, .2, 1, 1, 1};
static const double ring_simple_950[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1,
    .1, .1, .1, 1, .8, .8, 1, 1};
static const double ring_simple_950_new[SIZES] = {
    .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1,
    .1, .9, .1, 1, .1, .6, 1, 1};

/* Newest first. */
static const struct model models[] = {
    {.generation = 942, .since = 22700,
     .tree = {tree_ll, tree_ll, tree_simple_942},
     .ring = {ring_ll, ring_ll, ring_simple_942_new},
     .ll = {[CS_NCCL_REDUCE_SCATTER] = {0, 655360},
            [CS_NCCL_ALL_GATHER] = {0, 98304},
            [CS_NCCL_ALL_REDUCE] = {0, 524288}},
     .ll128 = {[CS_NCCL_REDUCE_SCATTER] = {131072, 3211264},
               [CS_NCCL_ALL_GATHER] = {98304, 5046272},
               [CS_NCCL_ALL_REDUCE] = {524288, 4415057}}},
    {.generation = 942, .since = 22203,
     .tree = {tree_ll, tree_ll, tree_simple_942},
     .ring = {ring_ll, ring_ll, ring_simple_942},
     .ll = {[CS_NCCL_REDUCE_SCATTER] = {0, 655360},
            [CS_NCCL_ALL_GATHER] = {0, 98304},
            [CS_NCCL_ALL_REDUCE] = {0, 1048576}},
     .ll128 = {[CS_NCCL_REDUCE_SCATTER] = {131072, 3211264},
               [CS_NCCL_ALL_GATHER] = {98304, 5046272},
               [CS_NCCL_ALL_REDUCE] = {1048576, 9437184}}},
    {.generation = 950, .since = 22700,
     .tree = {tree_ll, tree_ll128_950_new, tree_simple_950_new},
     .ring = {ring_ll, ring_ll128_950_new, ring_simple_950_new},
     .ll = {[CS_NCCL_REDUCE_SCATTER] = {0, 65536},
            [CS_NCCL_ALL_GATHER] = {0, 65536},
            [CS_NCCL_ALL_REDUCE] = {0, 262144}},
     .ll128 = {[CS_NCCL_REDUCE_SCATTER] = {65536, 8388608},
               [CS_NCCL_ALL_GATHER] = {65536, 8388608},
               [CS_NCCL_ALL_REDUCE] = {262144, 70640910}}},
    {.generation = 950, .since = 22203,
     .tree = {tree_ll, tree_ll128_950, tree_simple_950},
     .ring = {ring_ll, ring_ll128_950, ring_simple_950},
     .ll = {[CS_NCCL_REDUCE_SCATTER] = {0, 131071},
            [CS_NCCL_ALL_GATHER] = {0, 7},
            [CS_NCCL_ALL_REDUCE] = {0, 131071}},
     .ll128 = {[CS_NCCL_REDUCE_SCATTER] = {131071, 4194304},
               [CS_NCCL_ALL_GATHER] = {7, 8388608},
               [CS_NCCL_ALL_REDUCE] = {131071, 17660227}}},
};
/* clang-format on */

static const struct model *model_of(const struct cs_nccl_comm *comm, uint32_t generation)
{
    if (comm->nodes < 2)
        return NULL;
    for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++)
        if (models[i].generation == generation &&
            (!comm->version || comm->version >= models[i].since))
            return &models[i];
    return NULL;
}

/* Microseconds of an AMD's post to the network; of Simple three. */
static double post_us(const struct cs_nccl_comm *comm, int protocol)
{
    double post = comm->cpu == CS_NCCL_CPU_AMD ? 2 : 1;

    return protocol == CS_NCCL_SIMPLE ? 3 * post : post;
}

static double tree_us(const struct cs_nccl_comm *comm, int protocol)
{
    uint32_t others = comm->ranks / comm->nodes - 1;

    return 2 * (others * link_us[0][protocol] + cs_nccl_log2(comm->nodes) * net_us[0][protocol]);
}

static double ring_us(const struct cs_nccl_comm *comm, double rounds, int protocol)
{
    double steps = rounds * (comm->ranks - 1);
    double crossings = rounds * (comm->nodes - 1);

    return (steps - crossings) * fmax(link_us[1][protocol], post_us(comm, protocol)) +
           crossings * net_us[1][protocol];
}

/* RCCL's estimate in seconds. */
static double estimate_s(const struct model *model, const struct cs_nccl_comm *comm,
                         const struct cs_nccl_call *call, struct cs_nccl_choice pair)
{
    bool tree = pair.engine == CS_NCCL_TREE;
    const struct cs_nccl_graph *graph = tree ? &comm->tree : &comm->ring;
    const double(*shares)[CS_NCCL_PROTOCOLS] = comm->nodes <= 2 ? two_nodes : more_nodes;
    uint32_t power = cs_nccl_log2(call->bytes / 64);
    uint32_t size = power < SIZES ? power : SIZES - 1;
    double rounds = call->func == CS_NCCL_ALL_REDUCE ? 2 : 1;
    double channel = comm->nodes <= 2 ? graph->intra_GBps : graph->inter_GBps;
    double rate = graph->channels * channel * shares[!tree][pair.protocol];
    double factor =
        tree ? model->tree[pair.protocol][size] / 2
             : model->ring[pair.protocol][size] * comm->ranks / (rounds * (comm->ranks - 1));
    double latency = tree ? tree_us(comm, pair.protocol) : ring_us(comm, rounds, pair.protocol);

    return 1e-6 * (base_us[pair.protocol] + latency + (double)call->bytes / (1e3 * rate * factor));
}

static bool pair_serves(const struct cs_nccl_comm *comm, const struct cs_nccl_call *call,
                        struct cs_nccl_allowed allowed, struct cs_nccl_choice pair)
{
    return (!allowed.engines || allowed.engines >> pair.engine & 1) &&
           (!allowed.protocols || allowed.protocols >> pair.protocol & 1) &&
           !cs_nccl_refusal(comm, call->func, pair.engine, pair.protocol);
}

static bool range_has(struct range range, double bytes)
{
    return bytes > range.over && bytes <= range.most;
}

/* The protocol of a size.  LL128 reaches further over more than two nodes. */
static enum cs_nccl_protocol protocol_of(const struct model *model, const struct cs_nccl_comm *comm,
                                         const struct cs_nccl_call *call,
                                         enum cs_nccl_engine engine)
{
    bool all_reduce = call->func == CS_NCCL_ALL_REDUCE;
    double bytes = all_reduce ? (double)call->bytes : (double)call->bytes / comm->ranks;
    struct range ll128 = model->ll128[call->func];

    if (all_reduce && comm->nodes > 2)
        ll128.most *= 3.8;
    if (range_has(ll128, bytes) && !cs_nccl_refusal(comm, call->func, engine, CS_NCCL_LL128))
        return CS_NCCL_LL128;
    return range_has(model->ll[call->func], bytes) ? CS_NCCL_LL : CS_NCCL_SIMPLE;
}

void cs_rccl_choose(const struct cs_nccl_comm *comm, const struct cs_nccl_table *table,
                    const struct cs_nccl_call *call, struct cs_nccl_allowed allowed,
                    uint32_t generation, struct cs_nccl_choice *choice)
{
    const struct model *model = model_of(comm, generation);
    struct cs_nccl_choice best = {.time_s = INFINITY};

    if (!model || model->ll[call->func].most <= 0)
        return;
    for (int e = CS_NCCL_TREE; e <= CS_NCCL_RING; e++)
        for (int p = 0; p < CS_NCCL_PROTOCOLS; p++) {
            struct cs_nccl_choice pair = {.engine = (enum cs_nccl_engine)e,
                                          .protocol = (enum cs_nccl_protocol)p};

            if (!pair_serves(comm, call, allowed, pair))
                continue;
            pair.time_s = estimate_s(model, comm, call, pair);
            if (pair.time_s < best.time_s)
                best = pair;
        }
    if (!(best.time_s < INFINITY))
        return;
    if (!allowed.protocols) {
        best.protocol = protocol_of(model, comm, call, best.engine);
        best.time_s = estimate_s(model, comm, call, best);
    }
    cs_nccl_size_call(comm, table, call, &best);
    *choice = best;
}
