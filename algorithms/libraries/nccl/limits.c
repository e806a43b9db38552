#include "algorithms/libraries/nccl/comm.h"
#include "sim/base/divisor.h"

#include <math.h>

/* No limit; small enough to be doubled. */
static const uint32_t limits_none = UINT32_MAX / 2;

/* PCIe x16 as NCCL counts: 12 GB/s in generation 3, doubling (topo.cc).  Faster
 * than generation 6 is a link inside the package, C2C. */
static double counted_pcie(double Bps)
{
    const double generation_6 = 96e9;

    if (Bps > 1.2 * generation_6)
        return Bps * 1e-9;
    return Bps > 0 ? 12 * exp2(round(log2(Bps * 1e-9 / 12.6))) : 0;
}

/* Plugins report the nominal rate of a port; a site holds the payload. */
static double counted_adapter(double Bps)
{
    static const double nominal_gbps[] = {1, 10, 25, 40, 50, 100, 200, 400, 800};
    double rate = Bps * 1e-9;

    for (size_t i = 0; i < sizeof(nominal_gbps) / sizeof(*nominal_gbps); i++) {
        double nominal = nominal_gbps[i] / 8;

        if (rate <= nominal * 1.001 && rate > .8 * nominal)
            return nominal;
    }
    return rate;
}

/* AMD's sockets count 16 GB/s, since NCCL 2.30.5 24 from Zen 3 on and 32 from Zen 5 on
 * (NVIDIA/nccl issue 2441, RCCL not).  A site holds no CPU model: xGMI-3 is Zen 4's or later, a
 * CPU with the memory of Turin Zen 5's; xGMI-2 is taken for Zen 2's. */
static double counted_xgmi(const struct cs_site *site, uint32_t version)
{
    const double xgmi3_Bps = 40e9;
    const double turin_Bps = 550e9; /* 12 channels of DDR5-6000: 576 GB/s */

    if (site->maker != CS_MAKER_NVIDIA || (version && version < 23005) ||
        site->socket_Bps < xgmi3_Bps)
        return 16;
    return site->host_Bps >= turin_Bps ? 32 : 24;
}

/* Rate between two sockets by CPU (topo.h: ARM, AMD, and Intel from Emerald
 * Rapids back to Broadwell).  A site holds no CPU model, so Intel's follows from
 * the payload. */
static double counted_socket(const struct cs_site *site, uint32_t version)
{
    double rate_Bps = site->socket_Bps;

    if (site->gpu_path != CS_PATH_SOCKET || rate_Bps <= 0)
        return INFINITY;
    if (site->cpu_is_arm)
        return 6;
    if (site->cpu_is_amd)
        return counted_xgmi(site, version);
    if (rate_Bps >= 40e9)
        return 40;
    if (rate_Bps >= 22e9)
        return 22;
    return rate_Bps >= 10e9 ? 10 : 6;
}

static bool site_has_links(const struct cs_site *site)
{
    return site->link_Bps > 0 && (site->gpu_path <= CS_PATH_RELAY || site->node_ranks == 1);
}

/* One link of a GPU, topo.h of NVIDIA/nccl and ROCm/rccl. */
static double one_link(const struct cs_site *site)
{
    uint32_t generation = site->generation;

    if (site->maker == CS_MAKER_AMD) {
        if (generation >= 940)
            return 48;
        return generation >= 910 ? 36 : 24;
    }
    if (generation >= 100)
        return 40.1;
    if (generation >= 90)
        return 20.6;
    if (generation == 86)
        return 12;
    return generation >= 70 ? 20 : 18;
}

/* Between two GPUs of a mesh: the links of a GPU spread over its peers where
 * these divide, else one link. */
static double mesh_pair(const struct cs_site *site, double link)
{
    double one = one_link(site);
    double peers = site->node_ranks > 1 ? site->node_ranks - 1 : 1;
    double even = link / peers / one;

    if (even >= .999 && fabs(even - round(even)) < .01)
        return link / peers;
    return fmin(one, link);
}

/* NVLink 2 and 3 count 20 GB/s a link since 2.19, 22 before and 21 up to 2.7. */
static double old_link_scale(const struct cs_site *site, uint32_t version)
{
    uint32_t generation = site->generation;

    if (site->maker != CS_MAKER_NVIDIA || !version || version >= 21900 || generation < 70 ||
        generation >= 90 || generation == 86)
        return 1;
    return version >= 20800 ? 22. / 20 : 21. / 20;
}

/* Whether neighbours of a ring meet in a CPU's root port: where GPUs do not
 * read each other's memory, also those under one PCIe switch. */
static bool crosses_host(const struct cs_site *site)
{
    return site->gpu_path == CS_PATH_HOST ||
           (site->gpu_path == CS_PATH_SOCKET && !site->peer_access);
}

/* GPUs below a switch that do not read each other's memory meet in the CPU, and
 * the link of the switch carries the data of each, to the CPU and back
 * (NVIDIA/nccl issue 1086). */
static double counted_uplink(const struct cs_site *site)
{
    return site->peer_access || site->ring_uplink_Bps <= 0 ? INFINITY
                                                           : site->ring_uplink_Bps * 1e-9;
}

struct cs_nccl_limits cs_nccl_limits_read(const struct cs_site *site, uint32_t version)
{
    struct cs_nccl_limits limits = {
        .gpus = site->node_ranks,
        .adapters = site->adapters ? site->adapters : 1,
        .across = site->nodes > 1,
        .has_links = site_has_links(site),
        .has_switch = site->has_switch,
        .intel_peers = crosses_host(site) && !site->cpu_is_amd && !site->cpu_is_arm,
        .pcie_GBps = counted_pcie(site->pcie_Bps),
        .socket_GBps = counted_socket(site, version),
        .uplink_GBps = counted_uplink(site),
        .adapter_GBps = counted_adapter(site->adapter_Bps),
        .slot_GBps = site->slot_adapters ? counted_pcie(site->slot_Bps) : INFINITY,
        .slot_adapters = site->slot_adapters ? site->slot_adapters : 1,
    };
    double scale = limits.has_links ? old_link_scale(site, version) : 1;
    double link = limits.has_links ? site->link_Bps * 1e-9 : limits.pcie_GBps;
    bool mesh = limits.has_links && !site->has_switch;

    limits.link_GBps = scale * link;
    limits.pair_GBps = scale * (mesh ? mesh_pair(site, link) : link);
    limits.rings_GBps = scale * (mesh ? fmin(site->ring_Bps * 1e-9, link) : link);
    return limits;
}

/* NCCL rounds the rates left on a link to .001 while it packs. */
static uint32_t fit_count(double room, double rate)
{
    double count = floor((room + 1e-3) / rate);

    return count > limits_none ? limits_none : (uint32_t)count;
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t cs_nccl_rings_inside(const struct cs_nccl_limits *limits, double rate_GBps)
{
    /* Traffic through an Intel root port travels in small packets: 6/5 of the
     * rate (topo.h, INTEL_P2P_OVERHEAD). */
    double load = limits->intel_peers ? rate_GBps * 6 / 5 : rate_GBps;

    if (limits->gpus == 1)
        return limits_none;
    if (limits->has_links && !limits->has_switch)
        return fit_count(limits->rings_GBps, limits->pair_GBps) *
               fit_count(limits->pair_GBps, rate_GBps);
    if (limits->has_links)
        return fit_count(limits->link_GBps, rate_GBps);
    return least_of(fit_count(fmin(limits->link_GBps, limits->uplink_GBps), load),
                    fit_count(limits->socket_GBps, rate_GBps));
}

uint32_t cs_nccl_trees_inside(const struct cs_nccl_limits *limits, double rate_GBps)
{
    uint32_t rings = cs_nccl_rings_inside(limits, rate_GBps);

    /* A chain of two GPUs uses one direction, so that two chains share a
     * path. */
    return limits->gpus == 2 ? 2 * rings : rings;
}

uint32_t cs_nccl_heads_inside(const struct cs_nccl_limits *limits, double rate_GBps)
{
    uint32_t loads = fit_count(limits->link_GBps, rate_GBps);

    /* The head of a channel passes twice its rate through the switch, every
     * other GPU once. */
    return loads > 1 ? loads - 1 : 0;
}

uint32_t cs_nccl_collnet_inside(const struct cs_nccl_limits *limits, double rate_GBps)
{
    return limits->gpus == 1 ? limits_none : fit_count(limits->link_GBps, rate_GBps);
}

uint32_t cs_nccl_channels_across(const struct cs_nccl_limits *limits, double rate_GBps)
{
    uint32_t by_adapter = limits->adapters * fit_count(limits->adapter_GBps, rate_GBps);
    uint32_t by_port = limits->pcie_GBps > 0
                           ? limits->gpus * fit_count(limits->pcie_GBps, rate_GBps)
                           : limits_none;
    uint32_t slots = (uint32_t)cs_divide_up(limits->adapters, limits->slot_adapters);
    uint32_t by_slot =
        isinf(limits->slot_GBps) ? limits_none : slots * fit_count(limits->slot_GBps, rate_GBps);

    /* A ring enters by an adapter, its slot and its GPU, and leaves by those of
     * the next node's side; every GPU has one PCIe link. */
    return least_of(least_of(by_adapter, by_slot), by_port);
}
