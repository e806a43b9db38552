/*
 * Kernels: compute time of a block on a device.
 *
 *     product      FLOPs / (peak x share x w/(w+W) x k/(k+I)), w waves of tiles
 *                  of 128 x 128 over the multiprocessors, at least the time of its
 *                  operands at the memory's rate
 *     elementwise  bytes / (memory rate x share); of images and losses also
 *                  the instructions for each element
 *     launch       a pass over a block takes at least the host time of the
 *                  kernels: devices wait for the host
 *
 * The shares are estimates (kernels/parameters.def), a single set for every model;
 * runs on a single device show the error of compute alone.
 */
#pragma once

#include "scenarios/train/kernels/gpu_peak.h"
#include "scenarios/train/model/model.h"

enum cs_kernel_parameter {
#define PARAMETER(identifier, value, prior, spread, unit, cause) CS_KERNEL_##identifier,
#include "scenarios/train/kernels/parameters.def"
#undef PARAMETER
    CS_KERNEL_PARAMETERS
};

struct cs_kernel_parameter_info {
    const char *name;
    double value, prior, spread;
    const char *unit, *cause;
};

extern const struct cs_kernel_parameter_info cs_kernel_parameter_info[CS_KERNEL_PARAMETERS];

/* The values alone, by enum cs_kernel_parameter. */
extern const double cs_kernel_parameters[CS_KERNEL_PARAMETERS];

/* FLOPs of 16 bits in the time of an exponential: a multiprocessor has 16 a clock, 32 since B300
 * (arXiv 2603.05451; its kernel computes 10 to 25 % of them elsewhere).  Half of Blackwell's count by
 * cuDNN's rates: with all, GB300 would be 1.4 times as fast as GB200; it is 1.2 to 1.35 times. */
enum {
    CS_EXPONENTIAL_HOPPER = 4096 / 16,
    CS_EXPONENTIAL_BLACKWELL = 8192 / 16 / 2,
    CS_EXPONENTIAL_BLACKWELL_ULTRA = 8192 / 32 / 2,
};

/* A GPU at a precision, with the shares applied. */
struct cs_kernels {
    const double *parameters;
    double multiprocessors;
    double flops_per_s;        /* of a large product in a layer */
    double wide_flops_per_s;   /* of scores and heads: 16 bits where layers run in
                                8 or 4 */
    double ampere_flops_per_s; /* the same, with the instructions of Ampere */
    double minimal_gain;       /* of Winograd's algorithms over products */
    double odd_share;          /* of the rate above: products of 16 bits and odd sizes */
    bool outside_units;        /* products in fp32 */
    double memory_Bps;         /* of a streaming kernel */
    bool converts;             /* images, for matrix units */
    double unfused;            /* traffic of a layer, of that with fused kernels */
    double element_bytes;
    double element_s;   /* of the instructions for an element */
    double cast_bytes;  /* of an element that a product takes in 8 or 4 bits */
    double exponential; /* FLOPs of scores in its time; 0: hidden */
    bool blackwell;     /* of data centres, and later */
    bool ascend;        /* of no known generation */
    bool cdna;          /* MI300 and later */
    double host;        /* time of a launch, of that of LAUNCH_FORWARD */
};

/* A block's share on one device: degrees and samples of a micro batch. */
struct cs_kernel_split {
    uint32_t tensor, context;
    bool sequence_parallel; /* tensor ranks divide norms and sums, too */
    enum cs_attention attention;
    double samples;
    /* Ranks that divide the experts, and each expert; rows of the busiest rank of
     * experts, of their mean.  0: 1. */
    uint32_t expert, expert_tensor;
    double imbalance;
    bool padded;           /* a compiler pads sizes of products to even ones */
    bool graphs;           /* what tokens of experts do not size is launched as one graph */
    bool sorted;           /* an exchange puts tokens in the order of their ranks */
    double router_kernels; /* of experts, with what comes before an exchange */
    bool fused_experts;    /* gates and their casts are the products' */
    unsigned adapters;     /* as in job.h */
};

struct cs_block_time {
    double products_s; /* of forward: products with weights */
    double last_s;     /* of these: the last one */
    /* Of these, by half of a transformer's layer (attention, feed-forward part):
     * split by columns, whose input is gathered; and by rows, whose result is a
     * sum. */
    double columns_s[2], rows_s[2];
    /* Of backward: gradients of the inputs of both, and of the weights split by columns. */
    double columns_back_s[2], rows_back_s[2], weights_s[2];
    double forward_s, backward_s; /* device */
    double experts_s;             /* of forward: products of experts, and casts */
    double experts_host_s;        /* of forward: launches of the router and of experts */
    double scores_s;              /* of forward: attention scores */
    double other_s;               /* of forward: elementwise kernels */
    double traffic_s;             /* of both: elementwise, at the memory's rate */
    double forward_host_s, backward_host_s;
};

/* Device seconds of `count` products. */
double cs_kernel_matmul_s(const struct cs_kernels *kernels, const struct cs_matmul *matmul);

/* One of the block's repeats. */
struct cs_block_time cs_kernel_block(const struct cs_kernels *kernels,
                                     const struct cs_train_block *block,
                                     const struct cs_kernel_split *split);

/* The optimizer's step over `parameters` with `words` 32-bit states each: a kernel
 * of all, or one for each operation. */
double cs_kernel_optimizer_s(const struct cs_kernels *kernels, double parameters, double words,
                             bool fused);
