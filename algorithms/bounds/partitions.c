#include "algorithms/bounds/partitions.h"

#include "algorithms/bounds/case.h"
#include "algorithms/bounds/rates/pairs.h"
#include "algorithms/bounds/request.h"
#include "algorithms/bounds/strength.h"
#include "sim/base/random.h"

struct kept_partition {
    struct kept_partition *next;
    enum cs_cut_direction direction;
    uint64_t ranks; /* a hash of their devices, in order, and of the host apart */
    struct cs_partition partition;
};

struct kept_cut {
    struct kept_cut *next;
    cs_cut_search *search;
    enum cs_cut_direction direction;
    uint64_t ranks; /* as of partitions, and of the agents */
    struct cs_found_cut cut;
};

struct kept_shift {
    struct kept_shift *next;
    uint64_t ranks;
    struct cs_shift shift;
};

struct cs_partitions {
    struct cs_arena *arena;
    struct kept_partition *first;
    struct kept_cut *first_cut;
    struct kept_shift *first_shift;
};

struct cs_partitions *cs_partitions_new(struct cs_arena *arena)
{
    struct cs_partitions *partitions = cs_arena_alloc(arena, 1, sizeof(*partitions));

    partitions->arena = arena;
    return partitions;
}

static uint64_t hash_ranks(const struct cs_graph *graph, uint32_t apart)
{
    uint64_t hash = cs_mix64(apart);

    for (uint32_t r = 0; r < graph->rank_count; r++)
        hash = cs_mix64(hash ^ graph->rank_device[r]);
    return hash;
}

static struct cs_partition search_partition(const struct cs_graph *graph,
                                            const struct cs_cells *cells,
                                            enum cs_cut_direction direction, struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_network network = cs_network_of(graph, cells, direction, &scratch);
    struct cs_strength strength = {0};
    struct cs_partition partition = {0};

    if (network.rank_cells <= CS_BOUND_PARTITION_RANKS)
        strength = cs_strength_of(&network, &scratch);
    if (strength.groups > 1)
        partition = (struct cs_partition){.groups = strength.groups,
                                          .rate_Bps = strength.rate_Bps,
                                          .latency_ps = strength.latency_ps,
                                          .why = cs_why_partition(&network, &strength, arena)};
    return partition;
}

struct cs_partition cs_partitions_find(struct cs_partitions *partitions,
                                       const struct cs_graph *graph, const struct cs_cells *cells,
                                       uint32_t apart, enum cs_cut_direction direction)
{
    uint64_t ranks = hash_ranks(graph, apart);
    struct kept_partition *kept = partitions->first;

    while (kept && (kept->direction != direction || kept->ranks != ranks))
        kept = kept->next;
    if (!kept) {
        kept = cs_arena_alloc(partitions->arena, 1, sizeof(*kept));
        *kept =
            (struct kept_partition){partitions->first, direction, ranks,
                                    search_partition(graph, cells, direction, partitions->arena)};
        partitions->first = kept;
    }
    return kept->partition;
}

/* ---- cuts ---- */

/* Agents forward, and keep their hosts from others of the kind. */
static uint64_t hash_parties_of(const struct cs_graph *graph, uint32_t root)
{
    uint64_t hash = hash_ranks(graph, root);

    for (uint32_t i = 0; i < graph->agent_count; i++)
        hash = cs_mix64(hash ^ graph->agent_device[i]);
    return cs_mix64(hash ^ graph->agent_count);
}

static struct cs_found_cut search_cut(struct cs_network *network, uint32_t root,
                                      cs_cut_search *search, struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_flow_cut cut = search(network, root, &scratch);
    struct cs_found_cut found = {0};

    if (cut.inside)
        found = (struct cs_found_cut){cut.rate_Bps, cut.latency_ps, cut.ranks,
                                      cs_cut_has(network, &cut, root),
                                      cs_why_cut(network, &cut, arena)};
    return found;
}

struct cs_found_cut cs_partitions_cut(struct cs_partitions *partitions,
                                      const struct cs_graph *graph, const struct cs_cells *cells,
                                      uint32_t root, enum cs_cut_direction direction,
                                      cs_cut_search *search)
{
    uint64_t ranks = hash_parties_of(graph, root);
    struct kept_cut *kept = partitions->first_cut;

    while (kept && (kept->search != search || kept->direction != direction || kept->ranks != ranks))
        kept = kept->next;
    if (!kept) {
        CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
        struct cs_network network = cs_network_of(graph, cells, direction, &scratch);

        kept = cs_arena_alloc(partitions->arena, 1, sizeof(*kept));
        *kept = (struct kept_cut){partitions->first_cut, search, direction, ranks,
                                  search_cut(&network, root, search, partitions->arena)};
        partitions->first_cut = kept;
    }
    return kept->cut;
}

/* ---- shifts ---- */

static uint64_t hash_parties(const struct cs_net *net, uint32_t ranks)
{
    uint64_t hash = cs_mix64(ranks);

    for (uint32_t r = 0; r < ranks; r++)
        hash = cs_mix64(hash ^ cs_net_party_at(net, r).node);
    return hash;
}

/* A shift is not the same for exchanged hosts: prices that are equal in merged
 * hosts can miss the best, and hosts of few ranks are not merged. */
static struct cs_shift search_shift(const struct cs_graph *graph, const struct cs_net *net,
                                    struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_cells cells = graph->rank_count <= CS_PAIRS_FEW
                                ? cs_cells_single(graph, &scratch)
                                : cs_cells_of(graph, CS_NO_CELL, &scratch);
    struct cs_lengths lengths = cs_lengths_of(graph, &cells, &scratch);
    struct cs_demand demand = cs_demand_of_shift(&lengths, graph, net, &scratch);
    struct cs_pairs pairs = cs_pairs_of(&demand, &scratch);
    struct cs_shift shift = {pairs.seconds_per_byte, pairs.latency_s, ""};

    if (pairs.seconds_per_byte > 0)
        shift.why = cs_why_pairs(graph, &demand, &pairs, arena);
    return shift;
}

struct cs_shift cs_partitions_shift(struct cs_partitions *partitions, const struct cs_graph *graph,
                                    const struct cs_net *net)
{
    uint64_t ranks = hash_parties(net, graph->rank_count);
    struct kept_shift *kept = partitions->first_shift;

    while (kept && kept->ranks != ranks)
        kept = kept->next;
    if (!kept) {
        kept = cs_arena_alloc(partitions->arena, 1, sizeof(*kept));
        *kept = (struct kept_shift){partitions->first_shift, ranks,
                                    search_shift(graph, net, partitions->arena)};
        partitions->first_shift = kept;
    }
    return kept->shift;
}
