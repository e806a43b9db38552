#include "algorithms/libraries/nccl/comm.h"

#include <math.h>

enum {
    NCCL_MAX_CHANNELS = 64,
    NCCL_OLD_MAX_CHANNELS = 32, /* before 2.25 */
    NCCL_DIRECT_ARITY = 7,      /* peers of a CollNet head */
    NCCL_RATES_MAX = 21,
};

/* Rows of rates. */
enum graph_rates {
    RATES_AMPERE, /* and Volta */
    RATES_HOPPER,
    RATES_BLACKWELL,
    RATES_22,  /* 2.8 to 2.18: links of 22 GB/s */
    RATES_21,  /* up to 2.7: links of 21 GB/s */
    RATES_AMD, /* widths of xGMI links first, as in RCCL's prepared rings */
    RATES_SETS
};

/* GB/s per channel: NVIDIA/nccl src/graph/search.cc of 2.30.7, 2.12 and 2.7.
 * A row ends in 0. */
static const double inside_rates[RATES_SETS][NCCL_RATES_MAX] = {
    {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3},
    {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3},
    {90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18},
    {44, 30, 22, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3},
    {42, 24, 21, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, .24, .12},
    {48, 36, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3},
};
static const double across_rates[RATES_SETS][NCCL_RATES_MAX] = {
    {48, 30, 28, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, .24, .12},
    {48, 45, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, .24, .12},
    {96, 86, 80, 48, 45.1, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, .24, .12},
    {48, 30, 28, 24, 22, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, .24, .12},
    {42, 24, 21, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, .24, .12},
    {48, 30, 28, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, .24, .12},
};

/* A search of one pattern. */
struct graph_search {
    struct cs_nccl_limits limits;
    enum cs_nccl_pattern pattern;
    const double *rates;
    uint32_t rate_count;
    uint32_t least, most; /* channels */
    uint32_t capability;
};

static enum graph_rates rates_of(const struct cs_site *site, uint32_t version)
{
    if (site->maker == CS_MAKER_AMD)
        return RATES_AMD;
    if (site->generation >= 100)
        return RATES_BLACKWELL;
    if (site->generation >= 90)
        return RATES_HOPPER;
    if (!version || version >= 21900)
        return RATES_AMPERE;
    return version >= CS_NCCL_OLDEST ? RATES_22 : RATES_21;
}

static void read_rates(struct graph_search *at, enum graph_rates row)
{
    at->rates = at->limits.across ? across_rates[row] : inside_rates[row];
    while (at->rate_count < NCCL_RATES_MAX && at->rates[at->rate_count] > 0)
        at->rate_count++;
}

static uint32_t fewest(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The most channels of these rates, up to at->most. */
static uint32_t channels_fit(const struct graph_search *at, double inside, double across)
{
    static uint32_t (*const fits[CS_NCCL_PATTERNS])(const struct cs_nccl_limits *, double) = {
        [CS_NCCL_PATTERN_RING] = cs_nccl_rings_inside,
        [CS_NCCL_PATTERN_TREE] = cs_nccl_trees_inside,
        [CS_NCCL_PATTERN_NVLS] = cs_nccl_heads_inside,
        [CS_NCCL_PATTERN_COLLNET] = cs_nccl_collnet_inside,
    };
    const struct cs_nccl_limits *limits = &at->limits;
    uint32_t count = fewest(at->most, fits[at->pattern](limits, inside));

    return limits->across ? fewest(count, cs_nccl_channels_across(limits, across)) : count;
}

static bool is_better(const struct graph_search *at, uint32_t channels, double inside,
                      double across, const struct cs_nccl_graph *best)
{
    if (channels < at->least || channels == 0)
        return false;
    if (at->pattern == CS_NCCL_PATTERN_NVLS) /* channels are heads */
        return channels > best->channels ||
               channels * across > best->channels * best->inter_GBps + 1e-9;
    return channels * inside > best->channels * best->intra_GBps + 1e-9;
}

static bool search_try(const struct graph_search *at, double inside, double across,
                       struct cs_nccl_graph *best)
{
    uint32_t channels = channels_fit(at, inside, across);

    if (!is_better(at, channels, inside, across, best))
        return false;
    best->channels = channels;
    best->intra_GBps = inside;
    best->inter_GBps = across;
    return true;
}

/* The fastest path of a GPU limits a channel, all its links all channels. */
static double fastest_path(const struct graph_search *at)
{
    const struct cs_nccl_limits *limits = &at->limits;

    if (!limits->across)
        return limits->link_GBps;
    return limits->pcie_GBps > 0 ? fmin(limits->adapter_GBps, limits->pcie_GBps)
                                 : limits->adapter_GBps;
}

/* First pass: rates downwards while half of the found rate is not reached. */
static void search_down(const struct graph_search *at, struct cs_nccl_graph *best)
{
    uint32_t gpus = at->limits.gpus;
    double total = fmax(at->limits.link_GBps, at->limits.pcie_GBps);
    double shared =
        at->pattern == CS_NCCL_PATTERN_RING || gpus < 2 ? total : total * gpus / (gpus - 1);
    uint32_t i = 0;

    while (i + 1 < at->rate_count &&
           (at->rates[i] > fastest_path(at) || at->rates[i] * at->least > shared))
        i++;
    for (;;) {
        if (search_try(at, at->rates[i], at->rates[i], best) && best->channels == at->most)
            return;
        if (best->channels * best->inter_GBps >= total)
            return;
        if (i + 1 == at->rate_count ||
            (best->channels && at->rates[i + 1] / best->inter_GBps <= .49))
            return;
        i++;
    }
}

/* Two channels of half the rate keep two thread blocks busy (search.cc,
 * ncclTopoDupChannels). */
static void double_channels(const struct graph_search *at, struct cs_nccl_graph *best)
{
    uint32_t doubled = fewest(2 * best->channels, at->most);
    double parts;

    if (!best->channels || at->pattern == CS_NCCL_PATTERN_NVLS || best->intra_GBps < 25 ||
        (at->capability > 80 && best->intra_GBps < 50 && best->channels > 4))
        return;
    parts = ceil((double)doubled / best->channels);
    best->intra_GBps /= parts;
    best->inter_GBps /= parts;
    best->channels = doubled;
}

static void search_up_across(const struct graph_search *at, uint32_t i, struct cs_nccl_graph *best)
{
    double inside = best->intra_GBps;
    double across = at->rates[i];

    while (i > 0 && across == best->inter_GBps && across < 2 * inside) {
        across = at->rates[--i];
        if (!at->limits.across || cs_nccl_channels_across(&at->limits, across) >= best->channels)
            best->inter_GBps = across;
    }
}

/* Second pass: rings rise as a whole, trees inside the node, NVLS outside. */
static void search_up(struct graph_search *at, struct cs_nccl_graph *best)
{
    double inside, across;
    uint32_t i = 0;

    while (i + 1 < at->rate_count && at->rates[i] > best->inter_GBps)
        i++;
    inside = across = at->rates[i];
    at->least = best->channels;
    if (at->pattern == CS_NCCL_PATTERN_RING) {
        while (i-- > 0)
            search_try(at, at->rates[i], at->rates[i], best);
        return;
    }
    at->most = best->channels;
    if (at->pattern == CS_NCCL_PATTERN_NVLS) {
        search_up_across(at, i, best);
        return;
    }
    while (i > 0 && inside == best->intra_GBps && inside < 2 * across) {
        inside = at->rates[--i];
        search_try(at, inside, across, best);
    }
}

/* NCCL's simple order where a search finds nothing. */
static void fall_back(struct cs_nccl_graph *best)
{
    best->channels = 1;
    best->intra_GBps = best->inter_GBps = .1;
    best->intra_path = best->inter_path = CS_PATH_SOCKET;
}

static void limit_channels(struct graph_search *at, uint32_t channels)
{
    if (at->pattern == CS_NCCL_PATTERN_TREE) {
        at->least = at->most = channels;
    } else if (at->pattern == CS_NCCL_PATTERN_NVLS) {
        at->most = fewest(CS_NCCL_NVLS_HEADS, at->limits.gpus);
        /* A single node pulls from all GPUs evenly. */
        at->least = at->limits.across ? 1 : at->most;
    } else if (at->pattern == CS_NCCL_PATTERN_COLLNET) {
        at->most = fewest(NCCL_DIRECT_ARITY + 1, at->limits.gpus);
    }
}

/* Adapters without GPUDirect lie behind the CPU for NCCL, however near they are
 * (src/graph/paths.cc, ncclTopoComputePaths). */
static enum cs_site_path path_across(const struct cs_site *site)
{
    if (site->nodes < 2)
        return CS_PATH_SWITCH;
    return site->gdr || site->net_path > CS_PATH_HOST ? site->net_path : CS_PATH_HOST;
}

struct cs_nccl_graph cs_nccl_graph_search(const struct cs_site *site, uint32_t version,
                                          enum cs_nccl_pattern pattern, uint32_t channels)
{
    struct graph_search at = {
        .limits = cs_nccl_limits_read(site, version),
        .pattern = pattern,
        .least = 1,
        .most = version && version < 22500 ? NCCL_OLD_MAX_CHANNELS / 2 : NCCL_MAX_CHANNELS / 2,
        .capability = site->maker == CS_MAKER_NVIDIA ? site->generation : 70,
    };
    bool whole = site->has_switch || !at.limits.has_links;
    struct cs_nccl_graph best = {
        .intra_path = site->node_ranks > 1 ? site->gpu_path : CS_PATH_LOCAL,
        .inter_path = path_across(site),
        .plain_tree = pattern == CS_NCCL_PATTERN_TREE && site->node_ranks == 1,
    };

    read_rates(&at, rates_of(site, version));
    limit_channels(&at, channels);
    search_down(&at, &best);
    double_channels(&at, &best);
    if (best.channels)
        search_up(&at, &best);
    else if (pattern == CS_NCCL_PATTERN_RING || pattern == CS_NCCL_PATTERN_TREE)
        fall_back(&best);
    /* Several adapters have several orders, trees of two GPUs two. */
    best.same_channels =
        best.channels == 1 || (whole && (site->nodes == 1 || site->adapters <= 1) &&
                               !(pattern == CS_NCCL_PATTERN_TREE && site->node_ranks == 2));
    return best;
}
