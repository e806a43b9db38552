#include "algorithms/libraries/nccl/call.h"

#include "algorithms/libraries/nccl/comm.h"
#include "algorithms/libraries/nccl/rates.h"

#include <math.h>

enum {
    KIB = 1024,
    MIB = 1 << 20,
    LL_FULL = 16 * KIB,
    CHANNEL_BYTES = 32 * KIB, /* traffic that earns another channel */
};

static double bytes_of(const struct cs_nccl_case *at)
{
    return (double)at->request->bytes;
}

/* Bytes that a rank sends on a ring, over the vector's bytes. */
static double bus_factor(const struct cs_nccl_case *at)
{
    double share = 1 - 1.0 / at->request->site->ranks;

    switch (at->func) {
    case CS_NCCL_ALL_REDUCE:
        return 2 * share;
    case CS_NCCL_ALL_GATHER:
    case CS_NCCL_REDUCE_SCATTER:
        return share;
    default:
        return 1;
    }
}

/* Start of the kernel; LL synchronises less. */
static double base_of(const struct cs_nccl_case *at)
{
    return cs_nccl_value(at,
                         at->protocol == CS_NCCL_LL ? CS_NCCL_P_LL_BASE : CS_NCCL_P_SIMPLE_BASE);
}

/* Steps between nodes: of LL, whose kernels end without waiting, a series of calls has `nodes`
 * in each round, as the last block of a call ends a rank before that of the call before; of the
 * others one for each other node. */
static double ring_crossings(const struct cs_nccl_case *at, double steps)
{
    const struct cs_site *site = at->request->site;

    if (site->nodes < 2)
        return 0;
    return at->protocol == CS_NCCL_LL ? steps * site->nodes / site->ranks
                                      : steps * (site->nodes - 1.0) / (site->ranks - 1.0);
}

static bool is_chain(const struct cs_nccl_case *at)
{
    return at->func == CS_NCCL_BROADCAST || at->func == CS_NCCL_REDUCE;
}

/* The share of a ring's step between nodes that grows with data. */
static double ring_progress(const struct cs_nccl_case *at)
{
    double bytes = bytes_of(at) / at->request->site->ranks;

    return at->protocol == CS_NCCL_LL ? cs_nccl_ramp(bytes / at->channels, .5 * KIB, LL_FULL)
                                      : cs_nccl_ramp(bytes, .5 * KIB, .25 * MIB);
}

/* Latency of all steps of a ring. */
static double ring_latency(const struct cs_nccl_case *at, double steps)
{
    double bytes = bytes_of(at) / at->request->site->ranks;
    double crossings = ring_crossings(at, steps);
    double local = cs_nccl_local_step(at, bytes);
    double latency;

    /* A chunk of each step passes the proxy of the GPU at the adapter, on hosts of AMD as fast as
     * on others: 107 us of an all-gather of 64 KiB on four nodes of MI250X, ROCm/rccl issue 1490. */
    if (crossings > 0 && !is_chain(at))
        local = fmax(local, cs_nccl_value(at, CS_NCCL_P_P2P_POST));
    latency = (steps - crossings) * local;
    return crossings > 0 ? latency + crossings * cs_nccl_net_step(at, ring_progress(at)) : latency;
}

/* An all-gather out of place copies the own block beside the blocks that the
 * thread blocks forward.  The copy shows where the medium keeps the thread
 * blocks busy: from Ampere on, and not over PCIe or slow adapters. */
static double gather_rate(const struct cs_nccl_case *at, double rate)
{
    const double busy = 40; /* GB/s */
    const struct cs_site *site = at->request->site;
    double copy = 1 + cs_nccl_value(at, CS_NCCL_P_GATHER_COPY) / (site->ranks - 1.0);

    return at->func == CS_NCCL_ALL_GATHER && cs_nccl_family_of(site) >= CS_NCCL_AMPERE
               ? fmin(rate, fmax(busy, rate) / copy)
               : rate;
}

/* A size without equal blocks of 4 B elements is a round figure, of which
 * nccl-tests takes the next multiple below. */
bool cs_nccl_copies_by_element(const struct cs_library_request *request)
{
    enum cs_nccl_func func = cs_nccl_func_of(request->collective);
    uint64_t ranks = request->site->ranks;

    return (func == CS_NCCL_ALL_GATHER || func == CS_NCCL_REDUCE_SCATTER) && !request->padded &&
           request->bytes % (4 * ranks) == 0 && request->bytes % (16 * ranks) != 0;
}

/* GB/s of thread blocks that copy element by element; INFINITY for others. */
static double unaligned_rate(const struct cs_nccl_case *at)
{
    return at->by_element && at->protocol == CS_NCCL_SIMPLE && cs_nccl_has(at, CS_EFFECT_CHANNELS)
               ? at->ring_channels * cs_nccl_value(at, CS_NCCL_P_UNALIGNED_BLOCK)
               : INFINITY;
}

/* GB/s of the thread blocks of LL128, which store flags beside the data; INFINITY for the
 * other protocols and makers. */
static double ll128_blocks(const struct cs_nccl_case *at)
{
    return at->protocol == CS_NCCL_LL128 && at->request->site->maker == CS_MAKER_NVIDIA &&
                   cs_nccl_has(at, CS_EFFECT_CHANNELS)
               ? at->channels * cs_nccl_value(at, CS_NCCL_P_BLOCK)
               : INFINITY;
}

static double ring_rate(const struct cs_nccl_case *at)
{
    double rate = fmin(cs_nccl_local_rate(at), fmin(unaligned_rate(at), ll128_blocks(at)));

    if (at->request->site->nodes > 1)
        rate = fmin(rate, cs_nccl_net_rate(at));
    return gather_rate(at, rate);
}

/* Start and end of channels that are full: the slowest thread block of all
 * GPUs sets the end, of few channels sooner; between nodes also proxy threads
 * begin and end.  LL has no such end, and over PCIe and networks the steps contain
 * the same. */
static double drain_of(const struct cs_nccl_case *at)
{
    const double most = 24; /* channels of the machines behind the value */
    const struct cs_site *site = at->request->site;
    double share = site->nodes > 1 ? 1 : at->channels / most;
    unsigned drain = cs_nccl_is_new(site) ? CS_NCCL_P_DRAIN_NEW : CS_NCCL_P_DRAIN_OLD;

    return cs_nccl_by_links(site) && at->protocol != CS_NCCL_LL &&
                   cs_nccl_has(at, CS_EFFECT_CHANNELS)
               ? share * cs_nccl_value(at, drain) * cs_nccl_ramp(bytes_of(at), 64 * KIB, 4 * MIB)
               : 0;
}

/* Times that the thread blocks go round the ring; all channels of all ranks hold
 * a chunk at once. */
static double ring_rounds(const struct cs_nccl_case *at)
{
    double chunks = (double)at->request->site->ranks * at->channels;

    return at->chunk_bytes ? ceil(bytes_of(at) / (chunks * (double)at->chunk_bytes)) : 1;
}

/* Time of a step that no other transfer hides: in all rounds a thread block
 * waits for a chunk, copies and posts in turn (src/device/prims_simple.h,
 * genericOp), while the latency of the medium passes beside the other slice; between
 * nodes a proxy does so, too, of which the first round of the chunks shows. */
static double ring_step(const struct cs_nccl_case *at, double latency, double wire)
{
    double bytes = bytes_of(at) / at->request->site->ranks;
    double turn =
        cs_nccl_value(at, CS_NCCL_P_RING_TURN) * cs_nccl_local_step(at, bytes) * ring_rounds(at);
    double ratio = wire / (latency * cs_nccl_value(at, CS_NCCL_P_RING_HIDE));

    if (at->request->site->nodes > 1 && at->protocol != CS_NCCL_LL)
        turn = fmax(turn, cs_nccl_net_turn(at, ring_progress(at)));
    return cs_nccl_has(at, CS_EFFECT_FILL) ? fmax(latency / (1 + ratio * ratio), turn) : latency;
}

static struct cs_nccl_parts ring_parts(const struct cs_nccl_case *at)
{
    double ranks = at->request->site->ranks;
    double steps = (ranks - 1) * (at->func == CS_NCCL_ALL_REDUCE ? 2 : 1);
    double transfer = bytes_of(at) * bus_factor(at) / (1e3 * ring_rate(at));
    double each = ring_step(at, ring_latency(at, steps) / steps, transfer / steps);

    return (struct cs_nccl_parts){base_of(at), steps * each + drain_of(at), transfer};
}

/* Bytes of the channel of a chain that carries most: a call on fewer channels than there
 * are fills all but the last. */
static double chain_part(const struct cs_nccl_case *at, double channels)
{
    double even = bytes_of(at) / channels;

    return channels > 1 ? fmax(even, CHANNEL_BYTES) : even;
}

/* Data of a chunk on a channel of a chain; PCIe peers have smaller buffers. */
static double chain_chunk(const struct cs_nccl_case *at, double part)
{
    double limit = at->protocol == CS_NCCL_LL            ? 32 * KIB
                   : at->protocol == CS_NCCL_LL128       ? 576000
                   : cs_nccl_by_links(at->request->site) ? 512 * KIB
                                                         : 128 * KIB;

    return fmin(part, limit);
}

/* The first chunk along the chain, where the next call cannot begin before: a
 * Simple chunk passes every hop whole, LL and LL128 a line at a time inside a
 * node. */
static double chain_alone(const struct cs_nccl_case *at, double loop)
{
    const struct cs_site *site = at->request->site;
    double outside = site->nodes - 1.0;
    double inside = at->protocol == CS_NCCL_SIMPLE ? site->ranks - 1 - outside : 0;

    return loop / 1e3 *
           ((inside > 0 ? inside / cs_nccl_local_rate(at) : 0) + outside / cs_nccl_net_rate(at));
}

/* Thread blocks have a rate each on GPU links, and an adapter serves a channel. */
static double chain_rate(const struct cs_nccl_case *at, double channels)
{
    const struct cs_site *site = at->request->site;
    double rate = cs_nccl_local_rate(at);

    if (!cs_nccl_has(at, CS_EFFECT_CHANNELS))
        return ring_rate(at);
    if (cs_nccl_by_links(site))
        rate = fmin(rate, channels * cs_nccl_block_rate(at));
    return site->nodes > 1 ? fmin(rate, cs_nccl_channels_net_rate(at, channels)) : rate;
}

/* Broadcast and reduce: successive calls overlap on the chain, so that the
 * latency of a first chunk shows once in a series, of 20 calls in nccl-tests.
 * Between nodes the channels enter by different adapters in different orders: a
 * GPU is late in one chain and early in another, and its next kernel waits for
 * the late one. */
static bool chain_overlaps(const struct cs_nccl_case *at)
{
    return at->same_order || at->channels < 2 || at->request->site->nodes < 2;
}

/* The tables: abci_a100 and abci_v100, on 2 and 4 nodes, broadcast. */
const char *cs_nccl_chain_remark(const struct cs_nccl_case *at)
{
    return at->engine == CS_NCCL_RING && is_chain(at) && at->request->site->nodes > 1 &&
                   !at->same_order
               ? "calls of a series overlap on a chain of ranks while they have one channel; "
                 "further channels pass the ranks in other orders, and a call takes its whole "
                 "chain (published tables of ABCI rise 2.1 to 2.7 times there)"
               : NULL;
}

static struct cs_nccl_parts chain_parts(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double all = fmax(1, at->ring_channels);
    double channels = fmin(all, fmax(1, ceil(bytes_of(at) / CHANNEL_BYTES)));
    struct cs_nccl_case chain = *at;
    double rate, part, loop, steps, fill;

    chain.channels = (uint32_t)channels; /* whose chunks the threads of sockets move */
    rate = chain_rate(&chain, channels);
    part = chain_part(at, channels);
    loop = chain_chunk(at, part) * channels;
    steps = ring_latency(at, site->ranks - 1.0);
    fill = chain_alone(&chain, loop);

    if (chain_overlaps(at)) {
        steps *= cs_nccl_value(at, CS_NCCL_P_CHAIN_STEP);
        fill = (site->ranks - 1) * loop / (1e3 * rate) *
               cs_nccl_value(at, at->request->blocking ? CS_NCCL_P_CHAIN_FILL_ALONE
                                                       : CS_NCCL_P_CHAIN_FILL);
    }
    if (cs_nccl_has(at, CS_EFFECT_FILL))
        steps += fill;
    return (struct cs_nccl_parts){base_of(at), steps + drain_of(at),
                                  part * channels / (1e3 * rate)};
}

/* Start and end of the full channels of a tree between nodes, later than of a ring's: the half
 * of a thread block that spreads the sum waits for the half that builds it, at the far end of
 * the tree. */
static double tree_drain(const struct cs_nccl_case *at)
{
    return at->request->site->nodes > 1 && at->protocol != CS_NCCL_LL &&
                   cs_nccl_has(at, CS_EFFECT_CHANNELS)
               ? cs_nccl_value(at, CS_NCCL_P_TREE_DRAIN) *
                     cs_nccl_ramp(bytes_of(at), MIB, 16.0 * MIB)
               : 0;
}

/* Vectors that the busiest node sends in a double binary tree of the nodes, half a vector over each
 * edge in each direction: of two nodes one; of three, two chains, each node but one is the middle of
 * one and an end of the other (NVIDIA/nccl src/graph/trees.cc, ncclGetDtree); of more, three edges
 * of one tree and a leaf of the other. */
static double tree_vectors(const struct cs_nccl_case *at)
{
    uint32_t nodes = at->request->site->nodes;

    return nodes > 3 ? 2 : nodes == 3 ? 1.5 : 1;
}

/* A chain inside each node, a double binary tree between the nodes.  The whole
 * call is in every hop inside a node; the first chunks pass every hop before the
 * others follow at the rate of the slowest. */
static struct cs_nccl_parts tree_parts(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double inside_hops = 2 * (site->node_ranks - 1.0);
    double hops = 2 * floor(log2(site->nodes));
    double full_hops = at->protocol == CS_NCCL_SIMPLE ? inside_hops : 0;
    double local = inside_hops * cs_nccl_local_step(at, bytes_of(at));
    double inside = cs_nccl_local_rate(at) / 2 * .92;
    double loop = fmin(bytes_of(at), (double)at->channels * (double)at->chunk_bytes);
    /* NCCL's tuner has 1.8 empty steps, of those before Blackwell (tuning.cc, intraLat of LL
     * between nodes). */
    double more = at->protocol == CS_NCCL_LL ? .8 / cs_nccl_step_times(at) : 0;
    double rate = inside;
    double fill = 0;

    if (site->nodes > 1) {
        double progress = cs_nccl_ramp(bytes_of(at), 4 * KIB, 2.0 * MIB);
        double outside = cs_nccl_net_rate(at) * cs_nccl_value(at, CS_NCCL_P_TREE_RATE);

        local +=
            inside_hops * more * cs_nccl_local_step(at, 0) + hops * cs_nccl_net_step(at, progress);
        rate = fmin(inside, outside / tree_vectors(at));
        /* Half of a block's threads build the sum, of two children beyond three nodes, while
         * the others spread it. */
        rate = fmin(rate, ll128_blocks(at) / (2 * tree_vectors(at)));
        fill = hops / outside;
    }
    fill = loop * fmax(0, full_hops / inside + fill - 1 / rate) / 1e3;
    local += tree_drain(at);
    return (struct cs_nccl_parts){base_of(at), local + (cs_nccl_has(at, CS_EFFECT_FILL) ? fill : 0),
                                  bytes_of(at) / (1e3 * rate)};
}

/* Algorithm rate of NVLS: the wires' rate times an efficiency.  In an all-reduce a rank's port
 * carries its vector and a head's part of the sum, with at most 32 heads (NVIDIA/nccl
 * src/include/device.h, NCCL_MAX_NVLS_ARITY); an all-gather or reduce-scatter moves the other
 * ranks' part. */
static double nvls_rate(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double heads = fmin(site->node_ranks, CS_NCCL_NVLS_HEADS);
    bool reduces = at->func == CS_NCCL_ALL_REDUCE;

    return cs_nccl_by_channels(at, site->link_Bps / 1e9) * cs_nccl_value(at, CS_NCCL_P_NODE_WIRES) *
           (reduces ? heads / (heads + 1) : 1 - 1. / site->node_ranks) *
           cs_nccl_value(at, cs_nccl_nvls_rate(site));
}

/* Bytes of the chunks that all channels of all heads hold at once. */
static double nvls_loop(const struct cs_nccl_case *at)
{
    double chunks = (double)at->request->site->node_ranks * at->channels;

    return cs_nccl_has(at, CS_EFFECT_FILL) ? fmin(bytes_of(at), chunks * (double)at->chunk_bytes)
                                           : 0;
}

/* NVLS: a chunk is scattered to the heads, reduced and spread by the switch,
 * and gathered; two of the three stages of the first chunks are not hidden, nor
 * is the turn of the thread blocks at every chunk. */
static struct cs_nccl_parts nvls_parts(const struct cs_nccl_case *at)
{
    double rate = nvls_rate(at);
    double loop = nvls_loop(at);
    double turns = loop > 0 ? ceil(bytes_of(at) / loop) : 0;

    return (struct cs_nccl_parts){cs_nccl_value(at, CS_NCCL_P_NVLS_BASE),
                                  2 * loop / (1e3 * rate) +
                                      turns * cs_nccl_value(at, CS_NCCL_P_NVLS_TURN),
                                  bytes_of(at) / (1e3 * rate)};
}

/* NVLS inside the nodes and a tree over them: the first chunks pass NVLS up and
 * down and two hops a level, the others follow at the rate of the slowest. */
static struct cs_nccl_parts nvls_tree_parts(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double hops = 2 * floor(log2(site->nodes));
    double step = (cs_nccl_value(at, CS_NCCL_P_NET_NVLS) + cs_nccl_plugin_step(at)) *
                  cs_nccl_value(at, CS_NCCL_P_NET_STEPS);
    double inside = nvls_rate(at) * cs_nccl_value(at, CS_NCCL_P_NET_NVLS_SHARE);
    double net = fmin(cs_nccl_net_rate(at), fmin(site->node_ranks, CS_NCCL_NVLS_HEADS) *
                                                cs_nccl_proxy_rate(at, (double)at->chunk_bytes));
    double rate = fmin(inside, net / tree_vectors(at));
    double loop = nvls_loop(at);
    double fill = loop * (2 / inside + hops / net - 1 / rate) / 1e3;

    return (struct cs_nccl_parts){8 + cs_nccl_value(at, CS_NCCL_P_NVLS_BASE) / 2,
                                  hops * step + fill, bytes_of(at) / (1e3 * rate)};
}

/* PAT: a step of Simple per level, with data as in rings, and work for each
 * rank (NCCL's own estimate of 2.8 us). */
static struct cs_nccl_parts pat_parts(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double part = bytes_of(at) / site->ranks;
    double step = cs_nccl_net_step(at, cs_nccl_ramp(part, .5 * KIB, .25 * MIB));

    return (struct cs_nccl_parts){base_of(at), log2(site->nodes) * step + 2.8 * site->ranks,
                                  bytes_of(at) * bus_factor(at) / (1e3 * cs_nccl_net_rate(at))};
}

static struct cs_nccl_parts device_parts(const struct cs_nccl_case *at)
{
    switch (at->engine) {
    case CS_NCCL_TREE:
    case CS_NCCL_COLLNET_CHAIN:
    case CS_NCCL_COLLNET_DIRECT:
        return tree_parts(at);
    case CS_NCCL_NVLS:
        return at->request->site->nodes > 1 ? nvls_tree_parts(at) : nvls_parts(at);
    case CS_NCCL_NVLS_TREE:
        return nvls_tree_parts(at);
    case CS_NCCL_PAT:
        return pat_parts(at);
    default:
        return is_chain(at) ? chain_parts(at) : ring_parts(at);
    }
}

/* GPUs whose kernels a thread starts one after the other. */
static double gpus_of_thread(const struct cs_library_request *request)
{
    return request->one_process ? request->site->node_ranks : 1;
}

void cs_nccl_set_time(const struct cs_nccl_case *at, struct cs_nccl_parts device, double launch_us,
                      struct cs_library_time *time)
{
    double host = launch_us * gpus_of_thread(at->request);
    double busy = device.base + device.steps + device.transfer;
    double total = busy;

    if (at->request->graph)
        total = fmax(busy / 2, busy - cs_nccl_value(at, CS_NCCL_P_GRAPH_GAIN));
    else if (cs_nccl_has(at, CS_EFFECT_LAUNCH))
        total = at->request->blocking
                    ? busy + cs_nccl_value(at, CS_NCCL_P_LAUNCH_ALONE)
                    : cs_nccl_round_max(host, busy, cs_nccl_value(at, CS_NCCL_P_LAUNCH_CORNER));
    time->transfer_s = device.transfer * 1e-6;
    time->latency_s = device.steps * 1e-6;
    time->launch_s = (total - device.steps - device.transfer) * 1e-6;
    time->total_s = total * 1e-6;
}

/* Whether thread blocks fetch the work of their channel, all but the first, from
 * a queue of the channel in host memory: to 2.12 (src/collectives/device/common.h;
 * 2.13 has one queue). */
static bool fetches_work(const struct cs_library_request *request)
{
    return request->version && request->version < 21300;
}

void cs_nccl_call_time(const struct cs_nccl_case *at, uint32_t channels,
                       struct cs_library_time *time)
{
    struct cs_nccl_parts device = device_parts(at);

    if (cs_nccl_has(at, CS_EFFECT_CHANNELS) && fetches_work(at->request))
        device.base += cs_nccl_value(at, CS_NCCL_P_CHANNEL_WORK) * (channels - 1.0);
    cs_nccl_set_time(at, device, cs_nccl_value(at, CS_NCCL_P_LAUNCH_GPU), time);
}
