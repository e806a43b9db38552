#include "algorithms/libraries/nccl/call.h"
#include "algorithms/libraries/nccl/comm.h"
#include "algorithms/libraries/nccl/network.h"
#include "algorithms/libraries/nccl/rates.h"

#include <math.h>

enum {
    KIB = 1024,
    MIB = 1 << 20,
    PEER_CHANNELS = 32, /* of a communicator's sends and receives */
    LEAST_PART = 64 * KIB,
    MOST_PART = 8 * MIB,
    CHUNK = 128 * KIB, /* of a channel between nodes */
};

/* The busiest GPU of a group of sends and receives: bytes to GPUs of its node
 * and of other nodes, and GPUs of a node that send as much. */
struct exchange {
    double inside, outside;
    double senders;
    bool is_full;   /* all ranks send to all */
    bool is_pair;   /* a rank sends to the next */
    double message; /* bytes to a single peer */
    double far;     /* messages of a GPU to other nodes */
};

/* A rate, and no more than the wires carry; wires of 0 are unknown. */
static double within_wires(double rate, double wires_Bps)
{
    return wires_Bps > 0 ? fmin(rate, wires_Bps / 1e9) : rate;
}

/* GB/s of a GPU inside its node: with all others while they do the same, alone
 * as a root, or to the next rank alone, which on a mesh are few links. */
static double near_rate(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    const struct cs_collective *collective = at->request->collective;
    double wires_Bps = collective == &cs_collective_sendrecv   ? site->next_Bps
                       : collective == &cs_collective_alltoall ? site->exchange_Bps
                                                               : site->root_Bps;

    wires_Bps *= cs_nccl_value(at, CS_NCCL_P_NODE_WIRES);
    if (!cs_nccl_by_links(site))
        return within_wires(cs_nccl_local_rate(at), wires_Bps);
    return within_wires(site->link_Bps / 1e9 * cs_nccl_value(at, CS_NCCL_P_NODE_WIRES), wires_Bps) *
           cs_nccl_value(at, CS_NCCL_P_P2P_RATE);
}

static bool over_nvlink(const struct cs_site *site)
{
    return cs_nccl_by_links(site) && site->maker == CS_MAKER_NVIDIA;
}

/* Channels that carry a message to a peer over NVLink: twice its links to the
 * peer, as a power of two, and a part of the communicator's for each rank
 * (NVIDIA/nccl src/graph/paths.cc, ncclTopoComputeP2pChannels); fewer where parts
 * were short, more while they are long (src/enqueue.cc, calcP2pChunkSize; the
 * sizes as the steps of NVIDIA/nccl-tests issue 331 show them: 55 GB/s to 64 MiB
 * on 8 channels, 73 from 128 MiB). */
static double long_channels(const struct cs_site *site, double bytes)
{
    const double link_Bps = site->generation >= 100 ? 40.1e9 : 20e9;
    double pair_Bps = site->has_switch ? site->link_Bps : site->next_Bps;
    double channels = 2;

    while (channels < 2 * pair_Bps / link_Bps && channels < PEER_CHANNELS)
        channels *= 2;
    while (channels * site->node_ranks > PEER_CHANNELS && channels > 1)
        channels /= 2;
    while (bytes > channels * MOST_PART && channels < PEER_CHANNELS)
        channels *= 2;
    return channels;
}

static double message_channels(const struct cs_nccl_case *at, double bytes)
{
    return fmin(at->message_channels, ceil(fmax(bytes, 1) / LEAST_PART));
}

/* Microseconds of a message inside the node on its channels, of which all but the
 * last have a part of the least size: the thread blocks of all channels together
 * fill the links of an A100, or of a faster GPU. */
static double message_us(const struct cs_nccl_case *at, double bytes)
{
    const double a100_Bps = 240e9;
    const struct cs_site *site = at->request->site;
    double block_Bps = fmax(a100_Bps, site->link_Bps) / PEER_CHANNELS;
    double part = fmax(bytes / message_channels(at, bytes), fmin(bytes, LEAST_PART));

    if (!over_nvlink(site))
        return 0;
    return part / (1e-6 * block_Bps * cs_nccl_value(at, CS_NCCL_P_P2P_RATE));
}

/* Start and end of the channels of a message, as of a ring's: of few channels the
 * slowest thread block is sooner done. */
static double drain_us(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    const double most = 24; /* channels of the machines behind the value */
    const struct cs_site *site = at->request->site;
    double peers = exchange->is_pair ? 1 : site->node_ranks - 1.0;
    unsigned drain = cs_nccl_is_new(site) ? CS_NCCL_P_DRAIN_NEW : CS_NCCL_P_DRAIN_OLD;

    if (!over_nvlink(site))
        return 0;
    return fmin(1, peers * message_channels(at, exchange->message) / most) *
           cs_nccl_value(at, drain) * cs_nccl_ramp(exchange->message, 64 * KIB, 4 * MIB);
}

/* GB/s of sends by one GPU to GPUs of other nodes: a GPU reaches its part of
 * the adapters, and one adapter at least; to a single peer, what the thread blocks of the
 * message's channels move, half of each, whose other half receives. */
static double gpu_net_rate(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    double rate = cs_nccl_gpu_net_rate(at) * cs_nccl_value(at, CS_NCCL_P_P2P_NET_RATE);

    return exchange->is_pair
               ? fmin(rate, at->far_channels * cs_nccl_thread_block(at->request->site) / 2)
               : fmin(rate, cs_nccl_proxy_rate(at, CHUNK));
}

/* Microseconds of the first chunk, of 128 KiB of a channel, in the buffers of the sender and of
 * the receiver: of a single peer a thread block copies it, of many the chunks of all wait for
 * each other. */
static double far_fill(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    double chunk = fmin(exchange->message / at->far_channels, CHUNK);

    return exchange->is_pair ? 2 * chunk / (1e3 * cs_nccl_thread_block(at->request->site))
                             : cs_nccl_value(at, CS_NCCL_P_P2P_FILL) *
                                   cs_nccl_ramp(exchange->message, 4 * KIB, 4 * MIB);
}

/* GB/s of all GPUs of a node together. */
static double host_rate(const struct cs_nccl_case *at)
{
    return cs_nccl_host_rate(at) * cs_nccl_value(at, CS_NCCL_P_P2P_NET_RATE);
}

/* All-to-all: a rank sends a p-th to each peer.  Gather and scatter: the root
 * alone receives or sends as much.  Send-receive: the whole vector to the next
 * rank. */
static struct exchange exchange_of(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    const struct cs_collective *collective = at->request->collective;
    double ranks = site->ranks;
    double bytes = (double)at->request->bytes;
    bool is_full = collective == &cs_collective_alltoall;

    if (collective == &cs_collective_sendrecv)
        return (struct exchange){.inside = site->node_ranks > 1 ? bytes : 0,
                                 .outside = site->nodes > 1 ? bytes : 0,
                                 .senders = 1,
                                 .is_pair = true,
                                 .message = bytes,
                                 .far = site->nodes > 1};
    return (struct exchange){.inside = bytes * (site->node_ranks - 1) / ranks,
                             .outside = bytes * (ranks - site->node_ranks) / ranks,
                             .senders = is_full ? site->node_ranks : 1,
                             .is_full = is_full,
                             .message = bytes / ranks,
                             .far = ranks - site->node_ranks};
}

/* Microseconds of the wire between the sockets: away ranks send all bytes for
 * other nodes over it and, without GPU links, those for the other ranks of the
 * node. */
static double socket_us(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    const struct cs_site *site = at->request->site;
    double near_ranks = (double)site->node_ranks - site->away_ranks;
    double each = exchange->outside;

    if (!(exchange->senders > 1) || !site->away_ranks || !(site->socket_Bps > 0))
        return 0;
    if (!cs_nccl_by_links(site))
        each += near_ranks * exchange->message;
    return site->away_ranks * each /
           (1e-6 * site->socket_Bps * cs_nccl_value(at, CS_NCCL_P_NODE_WIRES));
}

/* Microseconds of the switches between the nodes, where all ranks send to
 * all. */
static double fabric_us(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    double rate = at->request->site->fabric_Bps / 1e6 * cs_nccl_value(at, CS_NCCL_P_NET_WIRES) *
                  cs_nccl_value(at, CS_NCCL_P_P2P_NET_RATE);

    return exchange->is_full && rate > 0 ? exchange->outside / rate : 0;
}

/* Microseconds at which the links of a GPU, and the adapters of a node, carry
 * an exchange; the two work at once. */
static double exchange_us(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    const struct cs_site *site = at->request->site;
    double inside = exchange->inside > 0 ? fmax(exchange->inside / (1e3 * near_rate(at)),
                                                message_us(at, exchange->message))
                                         : 0;
    double share = fmax(1, fmin(site->adapters, site->node_ranks));
    double flows = fmax(1, exchange->senders / share);

    if (!(exchange->outside > 0))
        return inside;
    /* Without GPU links the lanes of the GPU carry both parts. */
    if (!cs_nccl_by_links(site) && site->pcie_Bps > 0)
        inside =
            fmax(inside, (exchange->inside + exchange->outside) /
                             (1e-6 * site->pcie_Bps * cs_nccl_value(at, CS_NCCL_P_NODE_WIRES)));
    inside = fmax(inside, socket_us(at, exchange));
    inside = fmax(inside, fabric_us(at, exchange));
    inside = fmax(inside, exchange->outside * exchange->senders / (1e3 * host_rate(at)));
    return fmax(inside, exchange->outside * flows / (1e3 * gpu_net_rate(at, exchange)));
}

/* Posts of a message: one, or of a plugin that joins the adapters of a GPU the control
 * message of the receiver, and a part of 128 KiB at least for each adapter
 * (aws/aws-ofi-nccl src/nccl_ofi_rdma.cpp; nccl_ofi_scheduler.cpp, get_num_stripes). */
static double message_posts(const struct cs_site *site, double bytes)
{
    double adapters = (double)site->adapters / site->node_ranks;

    if (!cs_nccl_network_of(site)->joins)
        return 1;
    return 1 + fmax(1, fmin(adapters, ceil(bytes / (128 * KIB))));
}

/* Peers of a GPU in its node. */
static double near_peers(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    return !(exchange->inside > 0) ? 0
           : exchange->is_pair     ? 1
                                   : at->request->site->node_ranks - 1.0;
}

/* Microseconds of a step between nodes, and of a proxy thread with the other
 * messages of its GPU. */
static double far_us(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    double step = cs_nccl_net_step(at, cs_nccl_ramp(exchange->message, KIB, MIB));

    if (!(exchange->far > 0))
        return 0;
    return cs_nccl_has(at, CS_EFFECT_POST)
               ? step + (exchange->far - 1) * (message_posts(at->request->site, exchange->message) *
                                                   cs_nccl_value(at, CS_NCCL_P_P2P_POST) +
                                               cs_nccl_more_posts(at))
               : step;
}

/* A kernel of sends and receives starts and ends as a ring's of a single step: with
 * LL to 16 KiB a message, with Simple above (NVIDIA/nccl src/enqueue.cc,
 * NCCL_P2P_LL_THRESHOLD). */
static double base_us(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    struct cs_nccl_case step = *at;

    if (at->request->site->maker != CS_MAKER_NVIDIA)
        return cs_nccl_value(at, CS_NCCL_P_RCCL_BASE);
    step.protocol = exchange->message <= 16 * KIB ? CS_NCCL_LL : CS_NCCL_SIMPLE;
    return cs_nccl_value(at,
                         step.protocol == CS_NCCL_LL ? CS_NCCL_P_LL_BASE : CS_NCCL_P_SIMPLE_BASE) +
           (exchange->far > 0 ? 0 : cs_nccl_local_step(&step, exchange->message));
}

/* Host time of a group: a kernel, and a work for each peer to 2.12 (release notes
 * of 2.13: latency of sends and receives). */
static double launch_us(const struct cs_nccl_case *at, const struct exchange *exchange)
{
    const uint32_t version = at->request->version;
    double peers = exchange->is_pair ? 1 : at->request->site->ranks;

    if (!version || version >= 21300)
        peers = 0;
    return cs_nccl_value(at, CS_NCCL_P_LAUNCH_GPU) +
           peers * cs_nccl_value(at, CS_NCCL_P_LAUNCH_PEER);
}

/* Channels of a message to another node, and one for each adapter of the GPU at least: from
 * 2.29 on one for 14 GB/s of the GPU's adapters (NCCL_P2P_PER_CHANNEL_NET_BW), two before, or from
 * 2.20 on one where all ranks would then have more than four on each channel (NVIDIA/nccl
 * src/graph/paths.cc, ncclTopoGetNchannels; issue 1272). */
static double far_channels(const struct cs_site *site, uint32_t version, uint32_t channels)
{
    double adapters = fmax(1, floor(site->adapters / fmax(1, site->node_ranks)));
    double peers = version >= 22000 && 2.0 * site->ranks > 4.0 * channels ? 1 : 2;

    if (!version || version >= 22900)
        peers = ceil(adapters * site->adapter_Bps / 14e9);
    return fmax(peers, adapters);
}

int cs_nccl_exchange_decide(struct cs_nccl_case *at, struct cs_err *err)
{
    const struct cs_library_request *request = at->request;
    struct cs_nccl_comm comm;
    int code = cs_nccl_comm_read(request->site, request->version, &comm, err);

    if (code)
        return code;
    at->message_channels = long_channels(request->site, exchange_of(at).message);
    at->far_channels = far_channels(request->site, request->version, comm.channels);
    return 0;
}

void cs_nccl_exchange_time(const struct cs_nccl_case *at, struct cs_library_time *time)
{
    struct exchange exchange = exchange_of(at);
    double fill = exchange.far > 0 ? far_fill(at, &exchange) : drain_us(at, &exchange);
    double work = near_peers(at, &exchange) * cs_nccl_value(at, CS_NCCL_P_PEER_WORK);
    struct cs_nccl_parts device = {base_us(at, &exchange), work + fill + far_us(at, &exchange),
                                   exchange_us(at, &exchange)};

    cs_nccl_set_time(at, device, launch_us(at, &exchange), time);
}
