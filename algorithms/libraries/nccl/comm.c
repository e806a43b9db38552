#include "algorithms/libraries/nccl/comm.h"

#include "algorithms/libraries/nccl/network.h"
#include "algorithms/libraries/nccl/plugin_tuner.h"

#include <math.h>

enum {
    COMM_CHANNELS_MAX = 64,
    COMM_CHANNELS_MAX_OLD = 32, /* before 2.25 */
    COMM_CHANNELS_BLACKWELL = 16,
    COMM_CHANNELS_GFX950 = 112, /* ROCm/rccl CHANGELOG.md, RCCL 2.25.1 */
};

static uint32_t comm_capability(const struct cs_site *site)
{
    /* RCCL answers as compute capability 7.0 where NCCL's code asks. */
    if (site->maker == CS_MAKER_AMD)
        return 70;
    return site->generation ? site->generation : 80;
}

static enum cs_nccl_cpu comm_cpu(const struct cs_site *site)
{
    if (site->cpu_is_arm)
        return CS_NCCL_CPU_OTHER;
    return site->cpu_is_amd ? CS_NCCL_CPU_AMD : CS_NCCL_CPU_INTEL;
}

/* Rings are doubled after the search, and once more on Hopper and Blackwell
 * between nodes where few rings run fast. */
static uint32_t comm_channels(const struct cs_nccl_comm *comm)
{
    uint32_t version = comm->version ? comm->version : CS_NCCL_NEWEST;
    uint32_t most = version < 22500 ? COMM_CHANNELS_MAX_OLD : COMM_CHANNELS_MAX;
    uint32_t channels = 2 * comm->ring.channels;

    if (comm->min_capability >= 90 && comm->nodes > 1 && comm->ring.intra_GBps > 45 &&
        channels < 16)
        channels *= 2;
    /* Release notes of 2.28: at most 16 thread blocks on Blackwell. */
    if (comm->min_capability >= 100 && version >= 22800)
        most = COMM_CHANNELS_BLACKWELL;
    return channels < most ? channels : most;
}

/* Channels that pull from NVLS, src/transport/nvls.cc. */
static uint32_t comm_nvls_channels(const struct cs_nccl_comm *comm)
{
    uint32_t version = comm->version ? comm->version : CS_NCCL_NEWEST;

    if (!comm->nvls.channels)
        return 0;
    if (comm->min_capability < 100 || version < 22500)
        return 16;
    return version >= 22700 && comm->nodes == 1 ? 24 : 32;
}

/* KiB of a chunk of NVLSTree on Blackwell, of two nodes and of more. */
static uint32_t two_nodes_kib(uint32_t ranks, bool fast, bool near)
{
    if (ranks <= 4)
        return 256;
    return ranks >= 16 || (ranks <= 8 && near && !fast) ? 64 : 128;
}

static uint32_t more_nodes_kib(uint32_t ranks, bool fast, bool near)
{
    if (!fast)
        return near ? 64 : 128;
    if (ranks <= 8)
        return 256;
    return ranks < 32 ? 128 : 64;
}

/* Channels and chunks of NVLSTree, on Blackwell as 2.30 has them by nodes, GPUs, adapters of 400
 * or 800 Gb/s and the path to these (src/transport/nvls.cc, ncclNvlsTreeSm100Tuning). */
static void size_nvls_tree(const struct cs_site *site, struct cs_nccl_comm *comm)
{
    uint32_t version = comm->version ? comm->version : CS_NCCL_NEWEST;
    uint32_t ranks = comm->node_ranks;
    bool fast = site->adapter_Bps > 90e9;
    bool near = comm->nvls.inter_path <= CS_PATH_BRIDGE;

    comm->nvls_tree_bytes = (comm->nodes >= 4 ? 64 : 128) << 10;
    if (comm->min_capability < 100 || version < 23000 || comm->nodes < 2 ||
        site->adapter_Bps < 45e9)
        return;
    comm->nvls_channels = comm->nodes == 2 || (fast && ranks > 8) ? 32 : 24;
    comm->nvls_tree_bytes =
        (comm->nodes == 2 ? two_nodes_kib(ranks, fast, near) : more_nodes_kib(ranks, fast, near))
        << 10;
}

static uint32_t comm_heads(const struct cs_site *site)
{
    return site->adapters < site->node_ranks ? site->adapters : site->node_ranks;
}

/* Joins so many adapters into one device, whose slots add up, too. */
static void join_adapters(struct cs_site *site, double joined)
{
    double users = site->slot_adapters;

    site->adapters = site->node_ranks;
    site->adapter_Bps *= joined;
    if (!site->slot_adapters)
        return;
    site->slot_Bps *= fmax(1, joined / users);
    site->slot_adapters = (uint32_t)fmax(1, users / joined);
}

/* The machine as NCCL sees it: nodes of one NVLink domain count as one, and
 * Amazon's plugin joins the EFA adapters of a GPU into one device. */
static struct cs_site fused_site(const struct cs_site *site)
{
    struct cs_site fused = *site;

    if (cs_network_is_links(site->net)) {
        fused.nodes = 1;
        fused.node_ranks = site->ranks;
    }
    if (cs_nccl_network_of(site)->joins && site->adapters > site->node_ranks)
        join_adapters(&fused, (double)site->adapters / site->node_ranks);
    return fused;
}

static void search_graphs(const struct cs_site *site, struct cs_nccl_comm *comm)
{
    /* Two GPUs of a node: not in 2.27 (src/transport/nvls.cc, ncclNvlsInit), but in a log of
     * 2.29.2 (waynehacking8/nccl-collectives-bench, scaling_attributed/g2_auto.log). */
    uint32_t least = comm->version && comm->version < 22900 ? 3 : 2;
    bool has_nvls = site->has_nvls && comm->min_capability >= 90 && site->node_ranks >= least &&
                    site->has_switch;

    comm->ring = cs_nccl_graph_search(site, comm->version, CS_NCCL_PATTERN_RING, 0);
    comm->tree =
        cs_nccl_graph_search(site, comm->version, CS_NCCL_PATTERN_TREE, comm->ring.channels);
    if (has_nvls)
        comm->nvls = cs_nccl_graph_search(site, comm->version, CS_NCCL_PATTERN_NVLS, 0);
}

int cs_nccl_comm_read(const struct cs_site *site, uint32_t version, struct cs_nccl_comm *comm,
                      struct cs_err *err)
{
    struct cs_site fused = fused_site(site);

    if (site->maker != CS_MAKER_NVIDIA && site->maker != CS_MAKER_AMD)
        return cs_err_set(err, CS_ECANNOT,
                          "NCCL and RCCL run on GPUs of NVIDIA and AMD; this machine has none");
    *comm = (struct cs_nccl_comm){
        .version = version,
        .ranks = fused.ranks,
        .nodes = fused.nodes,
        .node_ranks = fused.node_ranks,
        .min_capability = comm_capability(site),
        .max_capability = comm_capability(site),
        .cpu = comm_cpu(site),
        .has_switch = site->has_switch,
        .heads = comm_heads(site),
        .buffer_bytes =
            site->buffer_bytes ? site->buffer_bytes : cs_nccl_network_of(site)->buffer_bytes,
        .threads = site->block_threads,
        .tuner = cs_nccl_tuner_of(site, version),
    };
    search_graphs(&fused, comm);
    comm->ring.inter_latency_us = comm->tree.inter_latency_us = comm->nvls.inter_latency_us =
        cs_nccl_network_of(site)->stated_us;
    comm->channels = comm_channels(comm);
    if (comm->channels < site->least_channels)
        comm->channels = site->least_channels;
    if (site->maker == CS_MAKER_AMD && site->generation == 950 && comm->nodes == 1 &&
        comm->ranks == 8)
        comm->channels = COMM_CHANNELS_GFX950;
    comm->nvls_channels = comm_nvls_channels(comm);
    size_nvls_tree(&fused, comm);
    return 0;
}

void cs_nccl_comm_add_collnet(const struct cs_site *site, struct cs_nccl_comm *comm)
{
    struct cs_site fused = fused_site(site);

    comm->has_collnet = true;
    comm->collnet_chain =
        cs_nccl_graph_search(&fused, comm->version, CS_NCCL_PATTERN_TREE, comm->ring.channels);
    comm->collnet_direct = cs_nccl_graph_search(&fused, comm->version, CS_NCCL_PATTERN_COLLNET, 0);
}

enum cs_nccl_func cs_nccl_func_of(const struct cs_collective *collective)
{
    static const struct {
        const struct cs_collective *collective;
        enum cs_nccl_func func;
    } funcs[] = {
        {&cs_collective_broadcast, CS_NCCL_BROADCAST},
        {&cs_collective_reduce, CS_NCCL_REDUCE},
        {&cs_collective_allgather, CS_NCCL_ALL_GATHER},
        {&cs_collective_reducescatter, CS_NCCL_REDUCE_SCATTER},
        {&cs_collective_allreduce, CS_NCCL_ALL_REDUCE},
    };

    for (size_t i = 0; i < sizeof(funcs) / sizeof(*funcs); i++)
        if (funcs[i].collective == collective)
            return funcs[i].func;
    return CS_NCCL_FUNCS;
}
