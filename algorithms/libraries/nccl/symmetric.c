#include "algorithms/libraries/nccl/symmetric.h"

#include <math.h>
#include <stddef.h>

enum {
    SYMMETRIC_BLOCKS = 64,
    SYMMETRIC_LL_FACTOR = 9, /* bytes on the bus per byte of LL */
};

/* NCCL counts GB of 2^30 bytes per second, here bytes per microsecond. */
static const double symmetric_gbps = 1073741824. / 1e6;

/* Bytes that a kernel moves. */
enum symmetric_bus {
    BUS_ALL_LL,   /* every vector to every rank, with flags */
    BUS_TWO_SHOT, /* reduce-scatter and all-gather: 2 n (p-1)/p */
    BUS_SWITCH,   /* n/p up and n down by multicast */
    BUS_OTHERS,   /* the parts of the other ranks */
};

static const struct symmetric_kernel {
    const char *name;
    enum cs_nccl_func func;
    enum symmetric_bus bus;
    bool is_ll, multicasts;
} symmetric_kernels[] = {
    {"AllReduce_AGxLL_R", CS_NCCL_ALL_REDUCE, BUS_ALL_LL, true, false},
    {"AllReduce_AGxLLMC_R", CS_NCCL_ALL_REDUCE, BUS_ALL_LL, true, true},
    {"AllReduce_RSxLD_AGxST", CS_NCCL_ALL_REDUCE, BUS_TWO_SHOT, false, false},
    {"AllReduce_RSxLDMC_AGxSTMC", CS_NCCL_ALL_REDUCE, BUS_SWITCH, false, true},
    {"AllGather_LL", CS_NCCL_ALL_GATHER, BUS_ALL_LL, true, false},
    {"AllGather_LLMC", CS_NCCL_ALL_GATHER, BUS_ALL_LL, true, true},
    {"AllGather_ST", CS_NCCL_ALL_GATHER, BUS_OTHERS, false, false},
    {"AllGather_STMC", CS_NCCL_ALL_GATHER, BUS_OTHERS, false, true},
    {"ReduceScatter_LL", CS_NCCL_REDUCE_SCATTER, BUS_ALL_LL, true, false},
    {"ReduceScatter_LD", CS_NCCL_REDUCE_SCATTER, BUS_OTHERS, false, false},
    {"ReduceScatter_LDMC", CS_NCCL_REDUCE_SCATTER, BUS_OTHERS, false, true},
};

/* A smooth min(x, ceiling). */
static double soft_min(double x, double ceiling, double softness)
{
    return ceiling - softness * log1p((exp(ceiling / softness) - 1) * exp(-x / softness));
}

/* A smooth max(0, x). */
static double soft_plus(double x)
{
    return x >= 100 ? x : log1p(exp(x));
}

static double bus_bytes(const struct symmetric_kernel *kernel,
                        const struct cs_nccl_symmetric_call *call)
{
    double ranks = call->ranks;
    double bytes = (double)call->bytes;

    switch (kernel->bus) {
    case BUS_ALL_LL:
        return ranks * bytes * SYMMETRIC_LL_FACTOR;
    case BUS_TWO_SHOT:
        return 2 * bytes * (ranks - 1) / ranks;
    case BUS_SWITCH:
        return bytes / ranks + bytes;
    default:
        return (ranks - 1) * bytes;
    }
}

/* Multicast moves more bytes than a thread block issues. */
static double bus_multiplier(const struct symmetric_kernel *kernel, uint32_t ranks)
{
    if (!kernel->multicasts)
        return 1;
    if (kernel->is_ll)
        return 1.1;
    return kernel->bus == BUS_SWITCH ? ranks : .55 * ranks;
}

static double base_latency_us(const struct symmetric_kernel *kernel, uint32_t capability)
{
    bool reduces_all = kernel->func == CS_NCCL_ALL_REDUCE;

    if (capability < 100)
        return kernel->is_ll ? 4.5 : 7.8;
    if (kernel->is_ll)
        return kernel->func == CS_NCCL_ALL_GATHER ? 8.5 : 11;
    return reduces_all ? 19.5 : 13;
}

static double kernel_us(const struct symmetric_kernel *kernel,
                        const struct cs_nccl_symmetric_call *call, uint32_t blocks)
{
    bool old = call->capability < 100;
    bool reduces_all = kernel->func == CS_NCCL_ALL_REDUCE;
    bool switched = kernel->bus == BUS_SWITCH;
    double block = (old ? (reduces_all ? 65 : 44) : 55) * symmetric_gbps;
    double peak = (old ? (switched ? 480 : 320) : (switched ? 1000 : 600)) * symmetric_gbps;
    double rate = soft_min(blocks * block * bus_multiplier(kernel, call->ranks), peak, block);

    return base_latency_us(kernel, call->capability) +
           soft_plus(bus_bytes(kernel, call) / rate - 1);
}

/* The fewest blocks within 2.5 % of the time of the most. */
static uint32_t fewest_blocks(const struct symmetric_kernel *kernel,
                              const struct cs_nccl_symmetric_call *call)
{
    uint32_t nvls = call->capability < 100 ? 16 : 32;
    uint32_t most = kernel->multicasts && !kernel->is_ll ? (nvls + call->ranks - 1) / call->ranks
                                                         : SYMMETRIC_BLOCKS;
    double best = kernel_us(kernel, call, most);

    for (uint32_t blocks = 1; blocks < most; blocks++)
        if (kernel_us(kernel, call, blocks) <= 1.025 * best)
            return blocks;
    return most;
}

/* LL counts elements in 32 bits, other kernels units of 32 B. */
static bool kernel_applies(const struct symmetric_kernel *kernel,
                           const struct cs_nccl_symmetric_call *call)
{
    uint64_t parts = call->func == CS_NCCL_ALL_REDUCE ? 1 : call->ranks;
    uint64_t limit = kernel->is_ll ? 2ull << 30 : 64ull << 30;

    return kernel->func == call->func && (call->has_multicast || !kernel->multicasts) &&
           call->bytes < limit / parts;
}

struct cs_nccl_symmetric cs_nccl_symmetric_choose(const struct cs_nccl_symmetric_call *call)
{
    /* A thread block more must gain 2.5 % of time. */
    const double block_penalty = .025;
    struct cs_nccl_symmetric best = {.time_s = INFINITY};
    double least = INFINITY;
    size_t count = sizeof(symmetric_kernels) / sizeof(*symmetric_kernels);

    for (size_t i = 0; i < count && call->ranks > 1; i++) {
        const struct symmetric_kernel *kernel = &symmetric_kernels[i];
        uint32_t blocks = fewest_blocks(kernel, call);
        double time_us = kernel_us(kernel, call, blocks);
        double weighed = time_us * (1 + block_penalty * blocks);

        if (!kernel_applies(kernel, call) || weighed >= least)
            continue;
        least = weighed;
        best.kernel = kernel->name;
        best.blocks = blocks;
        best.time_s = time_us * 1e-6;
    }
    return best;
}
