#include "algorithms/libraries/nccl/constants.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* NVIDIA/nccl@5067397c (2.30.7) src/graph/tuning.cc. */
static const struct cs_nccl_constants nccl_newest = {
    .base_us =
        {{6.8, 14, 8.4}, {6.6, 14, 8.4}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {8, 8, 8}},
    .hop_us =
        {{{.6, 1.25, 4},
          {.6, 1.9, 3.4},
          {0, 0, 3.7},
          {0, 0, 2.8},
          {0, 0, 25},
          {0, 0, 25},
          {0, 0, 4}},
         {{1, 1.9, 4}, {1, 2.5, 5.7}, {0, 0, 3.7}, {0, 0, 2.8}, {0, 0, 0}, {0, 0, 0}, {0, 0, 4}},
         {{5, 8.5, 14},
          {2.7, 4, 14},
          {0, 0, 31},
          {0, 0, 30},
          {0, 0, 18},
          {0, 0, 20.9},
          {0, 0, 14}}},
    .ll_max_GBps = {{39, 39, 20.4}, {87.7, 22.5, 19}, {141, 45, 35}, {282, 90, 70}},
    .ring_ll128_GBps = {{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 36.7}, {40, 40, 40}},
    .tree_ll128_GBps = {{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 29}, {55.6, 31.67, 20}},
    .tree_GBps = {{26.5, 18.5, 10}, {24, 23.6, 17.8}, {38.7, 41.4, 36}, {70, 42.8, 24}},
    .nvls_tree_GBps = {{26.5, 18.5, 10}, {24, 23.6, 17.8}, {0, 57.7, 45.5}, {0, 96, 80}},
    .nvls_efficiency = {0, 0, .85, .74},
    .bus_max_GBps = {INFINITY, INFINITY, INFINITY, INFINITY},
    .ring_ll128_func_GBps = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    .tree_max_GBps = {{INFINITY, INFINITY, INFINITY}, {INFINITY, INFINITY, INFINITY}},
    .ring_ll_share = .5,
    .ring_ll_copy_share = .5,
    .ring_ll128_share = .92,
    .ring_ll128_lone_share = .92,
    .tree_share = .92,
    .tree_ll128_share = 120. / 128,
    .pat_share = .75,
    .plain_tree_share = .85,
    .ll_intra_factor = 1,
    .nvls_by_efficiency = true,
    .lone_tree_latency = true,
    .net_overhead = true,
    .tree_correction = {{1,  1,  1,  1,  .9, .8, .7, .7, .7, .7, .6, .5,
                         .4, .4, .5, .6, .7, .8, .9, 1,  1,  1,  1,  1},
                        {1,  1,  1,  1,  1,  .9, .8, .8, .8, .7, .6, .6,
                         .6, .6, .6, .6, .8, .9, .9, .9, .9, 1,  1,  1},
                        {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
                         .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}},
    .tree_sizes = 23,
};

static void set_row(double row[CS_NCCL_NODE_COLUMNS], double one, double two, double more)
{
    row[0] = one;
    row[1] = two;
    row[2] = more;
}

static void set_steps(double steps[CS_NCCL_PROTOCOLS], double ll, double ll128, double simple)
{
    steps[CS_NCCL_LL] = ll;
    steps[CS_NCCL_LL128] = ll128;
    steps[CS_NCCL_SIMPLE] = simple;
}

static void take_back_2_30(struct cs_nccl_constants *c)
{
    c->nvls_tree_GBps[CS_NCCL_BLACKWELL][2] = 43.8;
}

static void take_back_2_29(struct cs_nccl_constants *c)
{
    c->hop_us[CS_NCCL_HOP_NET][CS_NCCL_NVLS_TREE][CS_NCCL_SIMPLE] = 14;
    set_row(c->ring_ll128_GBps[CS_NCCL_BLACKWELL], 73.4, 34.6, 73.4);
    c->nvls_tree_GBps[CS_NCCL_BLACKWELL][2] = 43.1;
}

/* Before 2.28 an NVLS graph counts with its smaller bandwidth, and Blackwell
 * with twice the limits of Hopper. */
static void take_back_2_28(struct cs_nccl_constants *c)
{
    c->nvls_by_efficiency = false;
    c->nvls_ratio = 5. / 6;
    c->nvls_gather_ratio = 1;
    c->nvls_gather_share = .9;
    for (int i = 0; i < CS_NCCL_NODE_COLUMNS; i++) {
        c->ring_ll128_GBps[CS_NCCL_BLACKWELL][i] = 2 * c->ring_ll128_GBps[CS_NCCL_HOPPER][i];
        c->tree_ll128_GBps[CS_NCCL_BLACKWELL][i] = 2 * c->tree_ll128_GBps[CS_NCCL_HOPPER][i];
        c->tree_GBps[CS_NCCL_BLACKWELL][i] = 2 * c->tree_GBps[CS_NCCL_HOPPER][i];
    }
}

static void take_back_2_27(struct cs_nccl_constants *c)
{
    c->nvls_gather_share = 0;
}

/* Before 2.25 Blackwell is a Hopper. */
static void take_back_2_25(struct cs_nccl_constants *c)
{
    c->pat_share = .85;
    memcpy(c->ll_max_GBps[CS_NCCL_BLACKWELL], c->ll_max_GBps[CS_NCCL_HOPPER],
           sizeof(c->ll_max_GBps[0]));
    memcpy(c->ring_ll128_GBps[CS_NCCL_BLACKWELL], c->ring_ll128_GBps[CS_NCCL_HOPPER],
           sizeof(c->ll_max_GBps[0]));
    memcpy(c->tree_ll128_GBps[CS_NCCL_BLACKWELL], c->tree_ll128_GBps[CS_NCCL_HOPPER],
           sizeof(c->ll_max_GBps[0]));
    memcpy(c->tree_GBps[CS_NCCL_BLACKWELL], c->tree_GBps[CS_NCCL_HOPPER],
           sizeof(c->ll_max_GBps[0]));
}

static void take_back_2_23(struct cs_nccl_constants *c)
{
    c->base_us[CS_NCCL_TREE][CS_NCCL_SIMPLE] = 0;
    for (int hop = 0; hop < CS_NCCL_HOPS; hop++)
        c->hop_us[hop][CS_NCCL_TREE][CS_NCCL_SIMPLE] = 28;
    c->ring_inter_twice = true;
    c->ring_ll_share = 1. / 4;
    c->ring_ll_copy_share = 1. / 3;
    c->ring_ll128_lone_share = .7;
    c->lone_tree_latency = false;
    c->nvls_gather_ratio = 5. / 6;
}

/* 2.20 as read: 23 us for NVLS, and LL on Hopper limited as on Ampere. */
static void take_back_2_21(struct cs_nccl_constants *c)
{
    c->hop_us[CS_NCCL_HOP_NVLINK][CS_NCCL_NVLS][CS_NCCL_SIMPLE] = 23;
    c->hop_us[CS_NCCL_HOP_NVLINK][CS_NCCL_NVLS_TREE][CS_NCCL_SIMPLE] = 23;
    memcpy(c->ll_max_GBps[CS_NCCL_HOPPER], c->ll_max_GBps[CS_NCCL_AMPERE],
           sizeof(c->ll_max_GBps[0]));
}

static void take_back_2_19(struct cs_nccl_constants *c)
{
    c->hop_us[CS_NCCL_HOP_NVLINK][CS_NCCL_TREE][CS_NCCL_SIMPLE] = 4;
    c->hop_us[CS_NCCL_HOP_PCI][CS_NCCL_TREE][CS_NCCL_SIMPLE] = 6;
    c->hop_us[CS_NCCL_HOP_NET][CS_NCCL_TREE][CS_NCCL_SIMPLE] = 14;
    c->base_us[CS_NCCL_NVLS][CS_NCCL_SIMPLE] = 23;
    c->hop_us[CS_NCCL_HOP_NVLINK][CS_NCCL_NVLS][CS_NCCL_SIMPLE] = 0;
    c->nvls_tree_by_nodes = true;
}

/* 2.12 to 2.17: the latencies of 2.8, and limits of the whole bus. */
static void take_back_2_18(struct cs_nccl_constants *c)
{
    set_steps(c->base_us[CS_NCCL_TREE], 4.4, 4.4, 0);
    set_steps(c->base_us[CS_NCCL_RING], 3.6, 10, 8.4);
    set_steps(c->hop_us[CS_NCCL_HOP_NVLINK][CS_NCCL_TREE], .52, 1.25, 28);
    set_steps(c->hop_us[CS_NCCL_HOP_NVLINK][CS_NCCL_RING], .47, 1.9, 3.4);
    c->hop_us[CS_NCCL_HOP_PCI][CS_NCCL_TREE][CS_NCCL_SIMPLE] = 28;
    c->hop_us[CS_NCCL_HOP_NET][CS_NCCL_TREE][CS_NCCL_SIMPLE] = 28;
    c->hop_us[CS_NCCL_HOP_NET][CS_NCCL_RING][CS_NCCL_SIMPLE] = 28;
    c->bus_max_GBps[CS_NCCL_AMPERE] = 235;
    c->bus_max_GBps[CS_NCCL_HOPPER] = 370;
    set_row(c->tree_ll128_GBps[CS_NCCL_HOPPER], 36.7, 36.7, 36.7);
    c->net_overhead = false;
    c->plain_tree_share = 1;
}

/* 2.8 to 2.11, read at NVIDIA/nccl@01afd20a. */
static void take_back_2_12(struct cs_nccl_constants *c)
{
    static const double ring_ll128[CS_NCCL_FUNCS] = {18.8, 12, 18.3, 15.2, 16.7};
    static const double correction[2][22] = {
        {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .5, .6, .6, .7, .7, .8, .9, .9, 1},
        {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .5, .5, .6, .6, .7, .8, .9}};

    c->hop_us[CS_NCCL_HOP_NET][CS_NCCL_RING][CS_NCCL_SIMPLE] = 9.6;
    c->ll_intra_factor = 1.8;
    c->ring_inter_twice = false;
    c->bus_max_GBps[CS_NCCL_HOPPER] = INFINITY;
    c->tree_share = .9;
    c->tree_ll128_share = .915;
    c->plateau_by_ranks = true;
    for (int g = 0; g < CS_NCCL_GENERATIONS; g++) {
        double all_reduce = ring_ll128[CS_NCCL_ALL_REDUCE] * 7 / 9;

        set_row(c->ll_max_GBps[g], INFINITY, INFINITY, INFINITY);
        set_row(c->ring_ll128_GBps[g], INFINITY, INFINITY, INFINITY);
        set_row(c->tree_GBps[g], INFINITY, INFINITY, INFINITY);
        set_row(c->tree_ll128_GBps[g], all_reduce, all_reduce, all_reduce);
    }
    memcpy(c->ring_ll128_func_GBps, ring_ll128, sizeof(ring_ll128));
    set_row(c->tree_max_GBps[0], 110, 110, 80);
    set_row(c->tree_max_GBps[1], 130, 130, 105);
    memcpy(c->tree_correction[CS_NCCL_LL128], correction[0], sizeof(correction[0]));
    memcpy(c->tree_correction[CS_NCCL_SIMPLE], correction[1], sizeof(correction[1]));
    c->tree_sizes = 22;
}

void cs_nccl_constants_read(uint32_t version, struct cs_nccl_constants *constants)
{
    /* Newest first: a change stands on the tables of the version after. */
    static const struct {
        uint32_t since;
        void (*take_back)(struct cs_nccl_constants *);
    } changes[] = {
        {23000, take_back_2_30}, {22900, take_back_2_29}, {22800, take_back_2_28},
        {22700, take_back_2_27}, {22500, take_back_2_25}, {22300, take_back_2_23},
        {22100, take_back_2_21}, {21900, take_back_2_19}, {21800, take_back_2_18},
        {21200, take_back_2_12},
    };

    *constants = nccl_newest;
    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++)
        if (version && version < changes[i].since)
            changes[i].take_back(constants);
}

const char *cs_nccl_constants_note(uint32_t version)
{
    if (!version || (version >= 22800 && version <= CS_NCCL_NEWEST) ||
        (version >= 22000 && version < 22100))
        return NULL;
    if (version > CS_NCCL_NEWEST)
        return "tables of NCCL 2.30.7; the cost models that 2.32 adds for symmetric kernels and "
               "pipelines are not modelled";
    if (version < CS_NCCL_OLDEST)
        return "tables of NCCL 2.8, the oldest that are known; older versions may differ";
    return "tables from the known differences between NCCL's versions; details of this one may "
           "differ";
}

const char *cs_nccl_unmodelled(uint32_t version)
{
    return version > CS_NCCL_NEWEST ? "an engine of 2.31 or newer" : NULL;
}

bool cs_nccl_engine_since(enum cs_nccl_engine engine, uint32_t version)
{
    static const uint32_t since[CS_NCCL_ENGINES] = {
        [CS_NCCL_COLLNET_DIRECT] = 21400, [CS_NCCL_COLLNET_CHAIN] = 21400, [CS_NCCL_NVLS] = 21700,
        [CS_NCCL_NVLS_TREE] = 21800,      [CS_NCCL_PAT] = 22300,
    };

    return !version || version >= since[engine];
}

const char *cs_nccl_engine_name(enum cs_nccl_engine engine)
{
    static const char *const names[CS_NCCL_ENGINES] = {
        "tree", "ring", "collnet-direct", "collnet-chain", "nvls", "nvls-tree", "pat"};

    return names[engine];
}

const char *cs_nccl_protocol_name(enum cs_nccl_protocol protocol)
{
    static const char *const names[CS_NCCL_PROTOCOLS] = {"ll", "ll128", "simple"};

    return names[protocol];
}

enum cs_nccl_generation cs_nccl_generation_of(uint32_t capability)
{
    if (capability >= 100)
        return CS_NCCL_BLACKWELL;
    if (capability >= 90)
        return CS_NCCL_HOPPER;
    return capability >= 80 ? CS_NCCL_AMPERE : CS_NCCL_VOLTA;
}
