#include "algorithms/libraries/nccl/tuning.h"

#include <math.h>

/* The cell under work, with what the formulas share. */
struct tuning_case {
    const struct cs_nccl_comm *comm;
    const struct cs_nccl_constants *constants;
    const struct cs_nccl_graph *graph;
    enum cs_nccl_func func;
    enum cs_nccl_engine engine;
    enum cs_nccl_protocol protocol;
    enum cs_nccl_generation generation;
    uint32_t column; /* of the limits: 1, 2 or more nodes */
    double per_node; /* ranks */
};

/* The graph that an engine uses. */
static const struct cs_nccl_graph *graph_of(const struct cs_nccl_comm *comm,
                                            enum cs_nccl_engine engine)
{
    switch (engine) {
    case CS_NCCL_RING:
        return &comm->ring;
    case CS_NCCL_COLLNET_DIRECT:
        return &comm->collnet_direct;
    case CS_NCCL_COLLNET_CHAIN:
        return &comm->collnet_chain;
    case CS_NCCL_NVLS:
    case CS_NCCL_NVLS_TREE:
        return &comm->nvls;
    default:
        return &comm->tree;
    }
}

uint32_t cs_nccl_log2(uint64_t number)
{
    uint32_t log = 0;

    while (number >>= 1)
        log++;
    return log;
}

static bool func_gathers(enum cs_nccl_func func)
{
    return func == CS_NCCL_ALL_GATHER || func == CS_NCCL_REDUCE_SCATTER;
}

/* Steps of a ring. */
static double ring_steps(const struct tuning_case *at)
{
    double ranks = at->comm->ranks;

    if (at->func == CS_NCCL_ALL_REDUCE)
        return 2 * (ranks - 1);
    return func_gathers(at->func) ? ranks - 1 : ranks;
}

/* PAT needs atomics of compute capability 6, one rank per node and a network
 * whose progress the host makes. */
static bool pat_runs(const struct cs_nccl_comm *comm)
{
    return comm->min_capability >= 60 && comm->nodes == comm->ranks && comm->nodes > 1 &&
           !comm->net_device;
}

static const char *nvls_refusal(const struct tuning_case *at)
{
    if (at->graph->channels < 2)
        return "it needs GPUs and NVSwitches of NVLink 4 or later, whose switches reduce, and two "
               "GPUs of a node";
    /* src/enqueue.cc, updateCollCostTable: localRanks over NCCL_MAX_NVLS_ARITY */
    if (at->func != CS_NCCL_ALL_REDUCE && at->comm->node_ranks > CS_NCCL_NVLS_HEADS)
        return "it gathers and scatters over at most 32 GPUs of a node";
    if (at->engine == CS_NCCL_NVLS_TREE)
        return at->comm->nodes > 1 ? NULL : "it joins nodes, and there is one";
    return at->comm->nodes == 1 || at->comm->has_collnet
               ? NULL
               : "over several nodes it needs a network that reduces, such as SHARP; nvls-tree "
                 "needs none";
}

static const char *collnet_refusal(const struct tuning_case *at)
{
    if (!at->comm->has_collnet)
        return "it needs a network that reduces, such as SHARP";
    return at->engine == CS_NCCL_COLLNET_DIRECT && !at->comm->has_switch ? "it needs NVSwitches"
                                                                         : NULL;
}

static const char *hardware_refusal(const struct tuning_case *at)
{
    const char *why = NULL;

    if (at->engine == CS_NCCL_NVLS || at->engine == CS_NCCL_NVLS_TREE)
        why = nvls_refusal(at);
    else if (at->engine == CS_NCCL_COLLNET_DIRECT || at->engine == CS_NCCL_COLLNET_CHAIN)
        why = collnet_refusal(at);
    else if (at->engine == CS_NCCL_PAT && !pat_runs(at->comm))
        why =
            "it needs several nodes, of one rank each, and a network whose progress the host makes";
    if (!why && !at->graph->channels)
        why = "no channel fits through its links";
    return why;
}

/* Why the engine does not serve the collective, or NULL. */
static const char *func_refusal(const struct tuning_case *at)
{
    bool all_reduce = at->func == CS_NCCL_ALL_REDUCE;

    switch (at->engine) {
    case CS_NCCL_RING:
        return NULL;
    case CS_NCCL_PAT:
        return func_gathers(at->func) ? NULL : "it is for all-gather and reduce-scatter";
    case CS_NCCL_COLLNET_DIRECT:
    case CS_NCCL_NVLS:
        return all_reduce || func_gathers(at->func)
                   ? NULL
                   : "it is for all-reduce, all-gather and reduce-scatter";
    default:
        return all_reduce ? NULL : "it is for all-reduce";
    }
}

/* LL128 needs stores of 128 B that arrive whole, which NCCL assumes on NVLink
 * and up to some distance to the adapter; to 2.26 C2C counts as one through a CPU (CSCS
 * documentation, NCCL: on since 2.27). */
static bool ll128_allowed(const struct tuning_case *at)
{
    const struct cs_nccl_comm *comm = at->comm;
    uint32_t version = comm->version ? comm->version : CS_NCCL_NEWEST;
    uint32_t capability = comm->min_capability;
    enum cs_site_path farthest =
        capability >= 90 && version >= 21200 ? CS_PATH_PROXY : CS_PATH_BRIDGE;
    bool uniform = capability == comm->max_capability || (version >= 22900 && capability >= 90);

    if (!uniform || capability < 70 || at->graph->inter_path > farthest ||
        (at->graph->inter_path == CS_PATH_C2C && version < 22700))
        return false;
    if (version < CS_NCCL_TUNED_FROM)
        return at->graph->intra_path <= CS_PATH_LINKS && (capability == 70 || capability == 80);
    if (at->graph->intra_path > CS_PATH_RELAY)
        return false;
    return version >= 22300 || capability == 70 || capability == 80 || capability == 90;
}

/* Bandwidth of an NVLS channel.  All-reduce pipelines its two halves; a rank's
 * own part does not cross the switch in the others. */
static double nvls_channel(const struct tuning_case *at)
{
    const struct cs_nccl_constants *c = at->constants;
    const struct cs_nccl_graph *graph = at->graph;
    double intra = graph->intra_GBps;
    double inter = graph->inter_GBps;
    bool tree = at->engine == CS_NCCL_NVLS_TREE;
    bool few = at->comm->nodes <= 2;
    double others = (at->per_node - 1) / at->per_node;

    if (c->nvls_by_efficiency) {
        intra *= c->nvls_efficiency[at->generation] * (graph->channels - 1) / graph->channels;
        intra *= at->func == CS_NCCL_ALL_REDUCE ? 2 : others;
        intra = fmin(intra, inter * (few && tree ? 2 : 1));
        return tree ? fmin(intra, c->nvls_tree_GBps[at->generation][at->column]) : intra;
    }
    if (tree)
        return fmin(intra, few ? inter : inter / 2);
    if (func_gathers(at->func) && c->nvls_gather_share > 0)
        return fmin(intra * others, inter * c->nvls_gather_share);
    return fmin(intra, inter);
}

static double ll_max(const struct tuning_case *at)
{
    const struct cs_nccl_comm *comm = at->comm;
    bool amd = comm->cpu == CS_NCCL_CPU_AMD;

    /* The GPU limits one node, the CPU several. */
    return at->constants->ll_max_GBps[comm->nodes == 1 ? (int)at->generation
                                      : amd            ? CS_NCCL_AMPERE
                                                       : CS_NCCL_VOLTA][at->column];
}

static double ring_bus(const struct tuning_case *at, double bus)
{
    const struct cs_nccl_constants *c = at->constants;
    double channels = at->graph->channels;
    bool reduces = at->func == CS_NCCL_ALL_REDUCE || at->func == CS_NCCL_REDUCE;

    if (at->protocol == CS_NCCL_LL)
        return fmin(ll_max(at), bus * (at->comm->nodes > 1 || reduces ? c->ring_ll_share
                                                                      : c->ring_ll_copy_share));
    if (at->protocol == CS_NCCL_LL128) {
        double share = at->per_node < 2 ? c->ring_ll128_lone_share : c->ring_ll128_share;
        double limit =
            fmin(c->ring_ll128_GBps[at->generation][at->column], c->ring_ll128_func_GBps[at->func]);

        return fmin(bus * share, channels * limit);
    }
    return bus;
}

static double tree_bus(const struct tuning_case *at, double bus)
{
    const struct cs_nccl_constants *c = at->constants;
    double channels = at->graph->channels;
    bool wide = at->protocol == CS_NCCL_LL128 && at->comm->min_capability == 80;

    bus = fmin(bus * c->tree_share, channels * c->tree_GBps[at->generation][at->column]);
    bus = fmin(bus, c->tree_max_GBps[wide][at->column]);
    if (at->protocol == CS_NCCL_LL)
        bus = fmin(bus / 3.8, ll_max(at));
    if (at->protocol == CS_NCCL_LL128)
        bus = fmin(bus * (at->comm->nodes == 1 ? 7. / 9 : c->tree_ll128_share),
                   channels * c->tree_ll128_GBps[at->generation][at->column]);
    return at->graph->plain_tree ? bus * c->plain_tree_share : bus;
}

/* CollNetDirect has its full rate only with an adapter per GPU. */
static double collnet_direct_bus(const struct tuning_case *at, double bus)
{
    double factor = at->per_node / at->graph->channels;

    if (func_gathers(at->func))
        return at->per_node * fmin(at->graph->intra_GBps, .9 * at->graph->inter_GBps);
    factor -= (factor - 1) / 2;
    bus /= factor;
    return at->comm->min_capability >= 90 ? .85 * bus : bus;
}

static double case_bus(const struct tuning_case *at)
{
    const struct cs_nccl_graph *graph = at->graph;
    bool collnet = at->engine == CS_NCCL_COLLNET_DIRECT || at->engine == CS_NCCL_COLLNET_CHAIN;
    double channel = at->comm->nodes <= 2 || collnet ? graph->intra_GBps : graph->inter_GBps;
    double bus;

    if (at->engine == CS_NCCL_NVLS || at->engine == CS_NCCL_NVLS_TREE)
        channel = nvls_channel(at);
    bus = fmin(graph->channels * channel, at->constants->bus_max_GBps[at->generation]);
    if (at->engine == CS_NCCL_RING)
        return ring_bus(at, bus);
    if (at->engine == CS_NCCL_TREE)
        return tree_bus(at, bus);
    if (at->engine == CS_NCCL_PAT)
        return bus * at->constants->pat_share;
    if (at->engine == CS_NCCL_COLLNET_DIRECT)
        return collnet_direct_bus(at, bus);
    return bus;
}

/* Algorithm bandwidth over bus bandwidth. */
static double case_ratio(const struct tuning_case *at)
{
    const struct cs_nccl_constants *c = at->constants;
    bool nvls = at->engine == CS_NCCL_NVLS || at->engine == CS_NCCL_NVLS_TREE;
    double nodes = at->comm->nodes;

    if (at->engine == CS_NCCL_RING)
        return at->comm->ranks / ring_steps(at);
    if (func_gathers(at->func))
        return nvls && !c->nvls_by_efficiency ? c->nvls_gather_ratio : 1;
    if (!nvls)
        return .5;
    if (c->nvls_by_efficiency)
        return at->comm->ranks / ring_steps(at);
    if (at->engine == CS_NCCL_NVLS_TREE && c->nvls_tree_by_nodes)
        return .7 * nodes / (2 * (nodes - 1));
    return c->nvls_ratio;
}

/* Between nodes all-gather and reduce-scatter through the network's switches
 * need an adapter for every rank. */
static bool heads_suffice(const struct tuning_case *at)
{
    bool in_network = at->engine == CS_NCCL_NVLS || at->engine == CS_NCCL_COLLNET_DIRECT;

    return !in_network || !func_gathers(at->func) || at->comm->nodes == 1 ||
           at->comm->node_ranks <= at->comm->heads;
}

/* Why NCCL has no such case, by collective, protocol, version and hardware; or
 * NULL. */
static const char *case_refusal(const struct tuning_case *at)
{
    bool takes_all = at->engine == CS_NCCL_RING || at->engine == CS_NCCL_TREE;
    const char *why = func_refusal(at);

    if (!why && !cs_nccl_engine_since(at->engine, at->comm->version))
        why = "it came with a later version";
    if (!why)
        why = hardware_refusal(at);
    if (!why && at->protocol != CS_NCCL_SIMPLE && !takes_all)
        why = "it runs with protocol simple alone";
    if (!why && !heads_suffice(at))
        why = "between nodes it needs an adapter for each GPU";
    if (!why && at->protocol == CS_NCCL_LL128 && !ll128_allowed(at))
        why = "ll128 needs NVLink between equal GPUs, of a generation that the version knows, and "
              "adapters near them";
    return why;
}

static double case_bandwidth(const struct tuning_case *at)
{
    return case_refusal(at) ? 0 : case_bus(at) * case_ratio(at);
}

static double hop_us(const struct tuning_case *at, enum cs_nccl_hop hop, enum cs_nccl_engine engine)
{
    /* NCCL favours trees on POWER (tuning.cc, De-penalize). */
    if (at->comm->cpu == CS_NCCL_CPU_POWER && hop == CS_NCCL_HOP_PCI && engine == CS_NCCL_TREE &&
        at->protocol == CS_NCCL_SIMPLE)
        engine = CS_NCCL_RING;
    return at->constants->hop_us[hop][engine][at->protocol];
}

static double ring_latency(const struct tuning_case *at, double intra, double inter)
{
    const struct cs_nccl_comm *comm = at->comm;
    double nodes = comm->nodes;
    double crossings = nodes - 1;
    double steps = ring_steps(at);

    if (comm->nodes > 1 && at->constants->net_overhead) {
        double post = comm->cpu == CS_NCCL_CPU_AMD ? 2 : 1;

        intra = fmax(intra, at->protocol == CS_NCCL_SIMPLE ? 3 * post : post);
    }
    if (at->func == CS_NCCL_ALL_REDUCE)
        crossings = 2 * (at->constants->ring_inter_twice ? nodes : nodes - 1);
    if (comm->nodes == 1)
        crossings = 0;
    return (steps - crossings) * intra + crossings * inter;
}

/* Broadcast and reduce on rings: chunks follow one another, so that only one
 * step shows, unless channels have different orders. */
static double rooted_latency(const struct tuning_case *at, enum cs_nccl_hop inside)
{
    enum cs_nccl_hop hop = at->comm->nodes > 1 ? CS_NCCL_HOP_NET : inside;
    bool simple = at->protocol == CS_NCCL_SIMPLE;

    if (at->graph->same_channels)
        return hop_us(at, hop, CS_NCCL_RING);
    return ring_steps(at) * hop_us(at, hop, simple ? CS_NCCL_TREE : CS_NCCL_RING);
}

static double case_latency(const struct tuning_case *at)
{
    const struct cs_nccl_comm *comm = at->comm;
    enum cs_nccl_hop inside =
        at->graph->intra_path == CS_PATH_LINKS ? CS_NCCL_HOP_NVLINK : CS_NCCL_HOP_PCI;
    bool lone = at->per_node == 1 && at->constants->lone_tree_latency;
    uint32_t peers = comm->ranks / comm->nodes - 1;
    double others = peers;
    double levels = cs_nccl_log2(comm->nodes);
    double base = at->constants->base_us[at->engine][at->protocol];
    double intra = hop_us(at, inside, at->engine);
    double inter = hop_us(at, CS_NCCL_HOP_NET, lone ? CS_NCCL_TREE : at->engine) +
                   at->graph->inter_latency_us * (at->protocol == CS_NCCL_SIMPLE ? 2 : 1);

    if (comm->nodes > 1 && at->protocol == CS_NCCL_LL)
        intra *= at->constants->ll_intra_factor;
    switch (at->engine) {
    case CS_NCCL_RING:
        if (at->func == CS_NCCL_BROADCAST || at->func == CS_NCCL_REDUCE)
            return base + rooted_latency(at, inside);
        return base + ring_latency(at, intra, inter);
    case CS_NCCL_TREE:
        return base + 2 * (others * intra + levels * inter);
    case CS_NCCL_COLLNET_DIRECT: /* .4 us for each further GPU */
        return base + 2 * (fmin(1, others) * intra + .4 * others) + inter;
    case CS_NCCL_COLLNET_CHAIN:
        return base + 2 * others * intra + inter;
    case CS_NCCL_NVLS:
        return base + intra + (comm->nodes > 1 ? inter : 0);
    case CS_NCCL_NVLS_TREE:
        return base + intra + 2 * levels * inter;
    default: /* PAT: a logarithmic and a linear part */
        return base + levels * inter / 3.5 + 2.8 * comm->ranks;
    }
}

const char *cs_nccl_refusal(const struct cs_nccl_comm *comm, enum cs_nccl_func func,
                            enum cs_nccl_engine engine, enum cs_nccl_protocol protocol)
{
    const struct tuning_case at = {.comm = comm,
                                   .graph = graph_of(comm, engine),
                                   .func = func,
                                   .engine = engine,
                                   .protocol = protocol};

    return case_refusal(&at);
}

void cs_nccl_table_fill(const struct cs_nccl_comm *comm, struct cs_nccl_table *table)
{
    struct cs_nccl_constants constants;
    struct tuning_case at = {
        .comm = comm,
        .constants = &constants,
        .generation = cs_nccl_generation_of(comm->min_capability),
        .column = comm->nodes <= 2 ? comm->nodes - 1 : 2,
        .per_node = (double)comm->ranks / comm->nodes,
    };

    cs_nccl_constants_read(comm->version, &constants);
    for (int f = 0; f < CS_NCCL_FUNCS; f++)
        for (int e = 0; e < CS_NCCL_ENGINES; e++)
            for (int p = 0; p < CS_NCCL_PROTOCOLS; p++) {
                at.func = (enum cs_nccl_func)f;
                at.engine = (enum cs_nccl_engine)e;
                at.protocol = (enum cs_nccl_protocol)p;
                at.graph = graph_of(comm, at.engine);
                table->cells[f][e][p].latency_us = case_latency(&at);
                table->cells[f][e][p].bandwidth_GBps = comm->ranks > 1 ? case_bandwidth(&at) : 0;
            }
}
