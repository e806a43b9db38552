#include "algorithms/libraries/nccl/rates.h"

#include "algorithms/libraries/nccl/network.h"

#include <math.h>

static const double giga = 1e9;

enum cs_nccl_generation cs_nccl_family_of(const struct cs_site *site)
{
    return site->maker == CS_MAKER_NVIDIA ? cs_nccl_generation_of(site->generation)
                                          : CS_NCCL_HOPPER;
}

unsigned cs_nccl_nvls_rate(const struct cs_site *site)
{
    return cs_nccl_family_of(site) == CS_NCCL_BLACKWELL ? CS_NCCL_P_NVLS_RATE_BLACKWELL
                                                        : CS_NCCL_P_NVLS_RATE_HOPPER;
}

bool cs_nccl_is_new(const struct cs_site *site)
{
    return cs_nccl_family_of(site) >= CS_NCCL_HOPPER;
}

double cs_nccl_ramp(double bytes, double from, double to)
{
    if (bytes <= from)
        return 0;
    return bytes >= to ? 1 : log(bytes / from) / log(to / from);
}

double cs_nccl_round_max(double a, double b, double q)
{
    double high = fmax(a, b);
    double low = fmin(a, b);

    return high > 0 ? high * pow(1 + pow(low / high, q), 1 / q) : 0;
}

bool cs_nccl_by_links(const struct cs_site *site)
{
    return site->link_Bps > 0 && site->gpu_path <= CS_PATH_RELAY;
}

bool cs_nccl_staged(const struct cs_site *site)
{
    return !cs_nccl_by_links(site) && !site->peer_access;
}

double cs_nccl_step_times(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    return cs_nccl_by_links(site) && at->protocol == CS_NCCL_LL &&
                   cs_nccl_family_of(site) == CS_NCCL_BLACKWELL
               ? cs_nccl_value(at, CS_NCCL_P_LL_STEP_BLACKWELL)
               : 1;
}

/* Cycles a nanosecond of a board without NVLink, by its data sheet: V100 1.53, A100 1.41, RTX
 * 3090 1.7, RTX 4090 2.52, RTX 5090 2.41; H100 PCIe 1.755.  Others as the nearest of these. */
static double board_clock(const struct cs_site *site)
{
    if (site->generation >= 120)
        return 2.41;
    if (site->generation >= 90)
        return 1.755;
    if (site->generation >= 86)
        return site->generation >= 89 ? 2.52 : 1.7;
    return site->generation >= 80 ? 1.41 : 1.53;
}

/* A step of Simple over PCIe: barriers and fences of a thread block, by the clock. */
static double pcie_simple_step(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double step = cs_nccl_value(at, CS_NCCL_P_PCIE_SIMPLE_STEP);

    return site->maker == CS_MAKER_NVIDIA ? step * 1.53 / board_clock(site) : step;
}

/* A step without data: the medium's. */
static double empty_step(const struct cs_nccl_case *at)
{
    unsigned step = at->protocol == CS_NCCL_LL      ? CS_NCCL_P_LL_STEP
                    : at->protocol == CS_NCCL_LL128 ? CS_NCCL_P_LL128_STEP
                                                    : CS_NCCL_P_SIMPLE_STEP;

    if (cs_nccl_by_links(at->request->site))
        return cs_nccl_step_times(at) * cs_nccl_value(at, step);
    return at->protocol == CS_NCCL_LL ? cs_nccl_value(at, CS_NCCL_P_PCIE_LL_STEP)
                                      : pcie_simple_step(at);
}

/* The growth of a step with data: the thread blocks' work, on any medium. */
static double step_growth(const struct cs_nccl_case *at)
{
    unsigned ll = cs_nccl_is_new(at->request->site) ? CS_NCCL_P_LL_DATA_NEW : CS_NCCL_P_LL_DATA_OLD;

    return cs_nccl_value(at, at->protocol == CS_NCCL_LL      ? ll
                             : at->protocol == CS_NCCL_LL128 ? CS_NCCL_P_LL128_DATA
                                                             : CS_NCCL_P_SIMPLE_DATA);
}

/* A step of LL is full at the 4 KiB of a channel from where NCCL takes another
 * (nccl/choice.c); of the others bytes over all channels count. */
double cs_nccl_local_step(const struct cs_nccl_case *at, double bytes)
{
    const double empty = 128; /* bytes of a step that count as none */
    bool ll = at->protocol == CS_NCCL_LL;
    double part = ll ? bytes / at->channels : bytes;
    double full = ll ? 4096 : 32768; /* bytes from which a step is full */
    double step = empty_step(at);

    if (cs_nccl_has(at, CS_EFFECT_STEPS))
        step += step_growth(at) * cs_nccl_ramp(part, empty, full);
    return step * cs_nccl_value(at, CS_NCCL_P_NODE_STEPS);
}

/* Whether the adapters' data pass through host memory; the socket transport
 * always does, and its parameters contain the copies. */
static bool net_staged(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    return !site->gdr && !cs_network_is_tcp(site->net) && cs_nccl_has(at, CS_EFFECT_STAGING);
}

/* Latency that the network adds to a step; 0 for verbs. */
static double plugin_latency(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    unsigned step = site->net == CS_NET_TCPXO && site->tcpxo == CS_SITE_SLOW
                        ? CS_NCCL_P_TCPX_STEP
                        : cs_nccl_network_of(site)->step;

    return step && cs_nccl_has(at, CS_EFFECT_PLUGIN) ? cs_nccl_value(at, step) : 0;
}

/* Whether a step waits for copies that GPUDirect spares: LL sends from host memory with it, too
 * (NVIDIA/nccl src/transport/net.cc, sendProxyConnect). */
static bool step_staged(const struct cs_nccl_case *at)
{
    return net_staged(at) && at->protocol != CS_NCCL_LL;
}

static bool plugin_flushes(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    return site->gdr && cs_nccl_network_of(site)->flushes;
}

double cs_nccl_plugin_step(const struct cs_nccl_case *at)
{
    return plugin_latency(at) +
           (step_staged(at) ? cs_nccl_value(at, CS_NCCL_P_STAGED_NET_STEP) : 0);
}

/* Growth of a step with data: the copies through host memory, or the plugin's. */
static double plugin_data(const struct cs_nccl_case *at)
{
    const struct cs_nccl_network *network = cs_nccl_network_of(at->request->site);

    if (step_staged(at))
        return cs_nccl_value(at, CS_NCCL_P_STAGED_NET_DATA);
    if (!(plugin_latency(at) > 0))
        return 0;
    return network->data
               ? cs_nccl_value(at, network->data)
               : cs_nccl_value(at, network->step) * cs_nccl_value(at, CS_NCCL_P_PLUGIN_DATA);
}

/* Whether a message is divided among queue pairs: always before 2.18, by
 * default to 2.19 (NCCL user guide, NCCL_IB_SPLIT_DATA_ON_QPS). */
static bool splits_messages(const struct cs_library_request *request)
{
    if (request->site->split != CS_SPLIT_BY_VERSION)
        return request->site->split == CS_SPLIT_YES;
    return request->version && request->version < 22000;
}

/* Microseconds of a post on a host of AMD beyond that on others, of which NCCL's tuner takes 2
 * and 1 (NVIDIA/nccl src/graph/tuning.cc, getNetOverhead). */
static double amd_post(const struct cs_nccl_case *at)
{
    return at->request->site->cpu_is_amd ? 1 : 0;
}

double cs_nccl_more_posts(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    return cs_network_is_verbs(site->net) && site->queue_pairs > 1 && splits_messages(at->request)
               ? (site->queue_pairs - 1) * (cs_nccl_value(at, CS_NCCL_P_P2P_POST) + amd_post(at))
               : 0;
}

/* A core of Grace takes 5.3 us for a chunk that leaves and one that arrives: 5.2 in an NVLSTree
 * of 20 racks (64 KiB), 5.5 in an all-to-all of two (128 KiB), by published tables of GB200 and
 * GB300.  Cores of x86 fill adapters of 400 Gb/s with chunks of 64 KiB. */
double cs_nccl_proxy_rate(const struct cs_nccl_case *at, double chunk_bytes)
{
    const double grace_us = 5.3;

    return at->request->site->cpu_is_arm && cs_nccl_has(at, CS_EFFECT_POST)
               ? chunk_bytes / (1e3 * grace_us)
               : INFINITY;
}

/* A step between nodes without what a plugin adds. */
static double verbs_step(const struct cs_nccl_case *at, double progress)
{
    bool tree = at->engine == CS_NCCL_TREE;
    unsigned other = tree ? CS_NCCL_P_NET_TREE_LL128 : CS_NCCL_P_NET_RING_LL128;
    unsigned step =
        at->protocol == CS_NCCL_LL ? CS_NCCL_P_NET_LL : other + at->protocol - CS_NCCL_LL128;
    unsigned data = tree ? CS_NCCL_P_NET_TREE_LL_DATA : CS_NCCL_P_NET_RING_LL_DATA;
    double growth = cs_nccl_has(at, CS_EFFECT_POST) ? cs_nccl_value(at, data + at->protocol) : 0;

    return cs_nccl_value(at, step) + amd_post(at) + growth * progress;
}

double cs_nccl_net_step(const struct cs_nccl_case *at, double progress)
{
    double times = at->protocol == CS_NCCL_SIMPLE && plugin_flushes(at) ? 2 : 1;

    return (verbs_step(at, progress) + times * cs_nccl_plugin_step(at) + cs_nccl_more_posts(at) +
            plugin_data(at) * progress) *
           cs_nccl_value(at, CS_NCCL_P_NET_STEPS);
}

double cs_nccl_net_turn(const struct cs_nccl_case *at, double progress)
{
    return cs_nccl_value(at, CS_NCCL_P_NET_TURN) * verbs_step(at, progress) *
           cs_nccl_value(at, CS_NCCL_P_NET_STEPS);
}

/* The share of the wires that NVLink rings reach. */
static double link_share(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    unsigned family = cs_nccl_family_of(site);
    double share = cs_nccl_value(at, family == CS_NCCL_BLACKWELL ? CS_NCCL_P_RING_RATE_BLACKWELL
                                                                 : CS_NCCL_P_RING_RATE);

    if (!site->has_switch && family == CS_NCCL_VOLTA)
        share *= cs_nccl_value(at, CS_NCCL_P_MESH_RATE);
    return share;
}

/* Largest bus rate of LL in a node by family (NVIDIA/nccl src/graph/tuning.cc,
 * llMaxBws). */
static double ll_limit(const struct cs_site *site)
{
    static const double limits[CS_NCCL_GENERATIONS] = {39, 87.7, 141, 282};

    return limits[cs_nccl_family_of(site)];
}

double cs_nccl_block_rate(const struct cs_nccl_case *at)
{
    const double ampere = 87.7; /* ll_limit */

    if (at->protocol == CS_NCCL_SIMPLE)
        return cs_nccl_value(at, CS_NCCL_P_BLOCK) * cs_nccl_thread_block(at->request->site) / 20;
    if (at->protocol != CS_NCCL_LL)
        return cs_nccl_value(at, CS_NCCL_P_BLOCK);
    return cs_nccl_value(at, CS_NCCL_P_LL_BLOCK) * fmax(1, ll_limit(at->request->site) / ampere);
}

double cs_nccl_thread_block(const struct cs_site *site)
{
    return site->generation >= 100 ? 40 : site->generation >= 90 ? 36.7 : 20;
}

double cs_nccl_by_channels(const struct cs_nccl_case *at, double rate)
{
    const struct cs_site *site = at->request->site;
    double most = at->most_channels;
    double share;

    if (!at->most_channels || at->most_channels >= at->ring_channels)
        return rate;
    share = rate * most / at->ring_channels;
    return site->maker == CS_MAKER_NVIDIA && at->protocol != CS_NCCL_LL
               ? fmin(rate, fmax(share, most * cs_nccl_thread_block(site)))
               : share;
}

static double link_rate(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double rate =
        cs_nccl_by_channels(at, site->ring_Bps / giga) * cs_nccl_value(at, CS_NCCL_P_NODE_WIRES);

    if (cs_nccl_has(at, CS_EFFECT_CAPS))
        rate *= link_share(at);
    if (at->protocol == CS_NCCL_LL)
        return fmin(ll_limit(site), rate / 2);
    return at->protocol == CS_NCCL_LL128 ? .92 * rate : rate;
}

/* A thread block that only writes to host memory, or only reads there, against one that
 * does both in turn. */
static unsigned two_staged(const struct cs_nccl_case *at)
{
    return at->func == CS_NCCL_BROADCAST || at->func == CS_NCCL_REDUCE
               ? CS_NCCL_P_STAGED_RATE_ONE_WAY
               : CS_NCCL_P_STAGED_RATE_BOTH_WAYS;
}

/* The share of the lanes' rate.  EPYC forwards peers at the full rate of PCIe 4, 25.6 GB/s
 * (p2pBandwidthLatencyTest, eight RTX 4090 on EPYC 7542), and at 38 GB/s of PCIe 5 (two
 * switches on EPYC 9575F, voipmonitor/rtx6kpro). */
static double pcie_share(const struct cs_nccl_case *at)
{
    const double epyc_Bps = 38e9;
    const struct cs_site *site = at->request->site;

    if (cs_nccl_staged(site))
        return cs_nccl_value(at,
                             site->node_ranks > 2 ? CS_NCCL_P_STAGED_RATE_MANY : two_staged(at));
    if (site->gpu_path != CS_PATH_HOST)
        return cs_nccl_value(at, CS_NCCL_P_PEER_RATE_SWITCH);
    return site->cpu_is_amd ? fmin(1, epyc_Bps / site->pcie_Bps)
                            : cs_nccl_value(at, CS_NCCL_P_PEER_RATE_HOST);
}

/* A link of a switch carries the data of every GPU below, which meet in the CPU, in both
 * directions, as the lanes of a GPU do. */
static double uplinks_Bps(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    return site->ring_uplink_Bps * (cs_nccl_has(at, CS_EFFECT_STAGING) && site->node_ranks > 2
                                        ? cs_nccl_value(at, CS_NCCL_P_STAGED_RATE_MANY)
                                        : 1);
}

/* GB/s between two sockets: the link's by peers; through host memory a GPU at the end of a socket
 * writes, and the next reads. */
static double between_sockets(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    if (site->gpu_path != CS_PATH_SOCKET || !cs_nccl_has(at, CS_EFFECT_CAPS))
        return INFINITY;
    if (site->sockets_staged)
        return site->pcie_Bps / giga * cs_nccl_value(at, CS_NCCL_P_STAGED_RATE_ONE_WAY);
    return site->socket_Bps > 0
               ? site->socket_Bps / giga * cs_nccl_value(at, CS_NCCL_P_PEER_RATE_SOCKETS)
               : INFINITY;
}

/* What a GPU reads or writes through an IOMMU that translates each page: 1.58, 1.60, 1.70, 2.12
 * twice and 2.60 GB/s between three RTX A6000 (p2pBandwidthLatencyTest, stas00/ml-engineering
 * issue 1), their middle. */
static double pcie_rate(const struct cs_nccl_case *at)
{
    const double translated = 1.9; /* GB/s */
    const struct cs_site *site = at->request->site;
    bool staged = cs_nccl_staged(site);
    /* Where some neighbours have links, two rings share the lanes (site/rings.c). */
    double lanes_Bps = site->link_Bps > 0 ? fmax(site->pcie_Bps, site->ring_Bps) : site->pcie_Bps;
    double rate = cs_nccl_by_channels(at, lanes_Bps / giga);

    if (cs_nccl_has(at, staged ? CS_EFFECT_STAGING : CS_EFFECT_CAPS))
        rate *= pcie_share(at);
    if (staged && site->ring_uplink_Bps > 0)
        rate = fmin(rate, uplinks_Bps(at) / giga);
    /* A link between sockets may be slower than the lanes of the GPUs. */
    if (site->ring_Bps > 0)
        rate = fmin(rate, site->ring_Bps / giga);
    if (!staged)
        rate = fmin(rate, between_sockets(at));
    if (staged && site->iommu == CS_SITE_SLOW)
        rate = fmin(rate, translated);
    rate *= cs_nccl_value(at, CS_NCCL_P_NODE_WIRES);
    return at->protocol == CS_NCCL_LL ? rate / 2 : rate;
}

double cs_nccl_local_rate(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    if (site->node_ranks < 2)
        return INFINITY;
    return cs_nccl_by_links(site) ? link_rate(at) : pcie_rate(at);
}

/* GPUs of a node by which data leave it: of a ring with one order a GPU for each
 * adapter, else one for each channel. */
static double leaving_gpus(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    if (at->request->collective == &cs_collective_alltoall)
        return site->node_ranks;
    return fmin(at->same_order || !at->ring_channels ? site->adapters : at->ring_channels,
                site->node_ranks);
}

/* GB/s of the threads of so many GPUs that move data between sockets and
 * buffers: a GPU's progress thread in both directions, or helper threads of every
 * connection in one direction each, over their sockets. */
static double socket_threads(const struct cs_nccl_case *at, double gpus)
{
    const struct cs_site *site = at->request->site;
    double thread = cs_nccl_value(at, CS_NCCL_P_SOCKET_THREAD);
    double flows = fmax(1, site->sockets) * cs_nccl_value(at, CS_NCCL_P_SOCKET_FLOW);
    double leaving = leaving_gpus(at);

    if (at->channels && at->channels < gpus) /* each by one GPU */
        gpus = at->channels;
    if (site->socket_threads)
        return gpus / leaving * fmax(leaving, at->ring_channels) * site->socket_threads *
               fmin(2 * thread, flows);
    return fmax(1, gpus) * thread;
}

const char *cs_nccl_socket_remark(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;

    return cs_network_is_tcp(site->net) && cs_nccl_has(at, CS_EFFECT_SOCKETS) &&
                   socket_threads(at, leaving_gpus(at)) < site->node_Bps / giga
               ? "kernel TCP: the threads of NCCL that copy to and from sockets are slower than "
                 "the "
                 "adapters; NCCL_SOCKET_NTHREADS and NCCL_NSOCKS_PERTHREAD add some"
               : NULL;
}

/* What a node sends and what it receives is written and read there. */
double cs_nccl_host_rate(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double memory = site->cpus * site->host_Bps / giga;

    return net_staged(at) && memory > 0 ? memory / 4 * cs_nccl_value(at, CS_NCCL_P_NET_WIRES)
                                        : INFINITY;
}

/* A channel leaves the node by the adapters of one GPU. */
static double by_doors(const struct cs_nccl_case *at, double rate)
{
    const struct cs_site *site = at->request->site;
    uint32_t doors = site->adapters < site->node_ranks ? site->adapters : site->node_ranks;

    return at->most_channels && at->most_channels < doors
               ? fmin(rate, site->node_Bps / giga * at->most_channels / doors)
               : rate;
}

/* Processes of so many GPUs by which data leave a node: of a ring others receive, and a GPU
 * alone in its node does both. */
static double processes(const struct cs_site *site, double gpus)
{
    return site->node_ranks > 1 ? gpus : gpus / 2;
}

/* GB/s of adapters without GPUDirect within the limits of what copies through host memory. */
static double staged_rate(const struct cs_nccl_case *at, double rate, double gpus)
{
    const struct cs_site *site = at->request->site;
    const struct cs_nccl_network *network = cs_nccl_network_of(site);

    if (network->process)
        rate = fmin(rate, processes(site, gpus) * cs_nccl_value(at, network->process));
    /* The thread blocks of a GPU alone in its node write what leaves and read what arrives. */
    if (site->node_ranks == 1 && site->pcie_Bps > 0)
        rate = fmin(rate, site->pcie_Bps / giga * cs_nccl_value(at, two_staged(at)));
    return rate;
}

/* GB/s of adapters that read the memory of so many GPUs of another socket: 6.1 each through an EPYC
 * 7452, whose writes reach the lanes' 14.3 (V100, ConnectX-6; stackoverflow.com/questions/59277346),
 * and 11 elsewhere (A30 with a path SYS, linux-rdma/perftest issue 241). */
static double far_rate(const struct cs_nccl_case *at, double rate, double gpus)
{
    const struct cs_site *site = at->request->site;

    return site->gdr && site->far == CS_SITE_SLOW
               ? fmin(rate, fmax(1, gpus) * (site->cpu_is_amd ? 6.1 : 11))
               : rate;
}

/* GB/s of a share of the node's adapters, by so many GPUs. */
static double share_rate(const struct cs_nccl_case *at, double share, double gpus)
{
    const struct cs_site *site = at->request->site;
    const struct cs_nccl_network *network = cs_nccl_network_of(site);
    double rate = by_doors(at, cs_nccl_by_channels(at, site->node_Bps / giga));

    rate *= share;
    if (!cs_nccl_has(at, CS_EFFECT_PAYLOAD) && site->payload_share > 0)
        rate /= site->payload_share;
    if (cs_nccl_has(at, CS_EFFECT_CAPS))
        rate *= cs_nccl_value(at, network->rate);
    if (net_staged(at))
        rate = staged_rate(at, rate * cs_nccl_value(at, CS_NCCL_P_STAGED_NET_RATE), gpus);
    rate = far_rate(at, rate, gpus);
    if (cs_network_is_tcp(site->net) && cs_nccl_has(at, CS_EFFECT_SOCKETS))
        rate = fmin(rate, socket_threads(at, gpus));
    return rate * cs_nccl_value(at, CS_NCCL_P_NET_WIRES);
}

static double protocol_rate(const struct cs_nccl_case *at, double rate)
{
    if (at->protocol == CS_NCCL_LL)
        return rate / 2;
    return at->protocol == CS_NCCL_LL128 ? rate * 120 / 128 : rate;
}

double cs_nccl_net_rate(const struct cs_nccl_case *at)
{
    return protocol_rate(at, fmin(share_rate(at, 1, leaving_gpus(at)), cs_nccl_host_rate(at)));
}

double cs_nccl_channels_net_rate(const struct cs_nccl_case *at, double channels)
{
    const struct cs_site *site = at->request->site;
    double adapters =
        fmax(1, cs_nccl_network_of(site)->joins ? fmin(site->adapters, site->node_ranks)
                                                : site->adapters);
    double leaving = leaving_gpus(at);
    double used = fmin(channels, adapters);
    double gpus = fmin(leaving, fmax(used, leaving * used / adapters));

    return protocol_rate(at, fmin(share_rate(at, used / adapters, gpus), cs_nccl_host_rate(at)));
}

double cs_nccl_gpu_net_rate(const struct cs_nccl_case *at)
{
    const struct cs_site *site = at->request->site;
    double parts = fmax(1, fmin(site->adapters, site->node_ranks));

    return protocol_rate(at, share_rate(at, 1 / parts, leaving_gpus(at) / parts));
}
