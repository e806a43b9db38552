#include "algorithms/bounds/case.h"

#include "algorithms/bounds/exact_rate.h"

struct rate_sum {
    cs_exact_rate exact;
    bool endless; /* a link without cost is part of the sum */
};

struct cs_groups cs_groups_of(const struct cs_net *net, struct cs_arena *arena)
{
    struct cs_groups groups = {.net = net};

    if (!net->links)
        return groups;
    groups.counted = cs_arena_alloc(arena, net->resource_count, sizeof(uint32_t));
    groups.rate_Bps = cs_arena_alloc(arena, net->resource_count, sizeof(double));
    return groups;
}

static bool groups_leaves(const struct cs_islands *islands, const struct cs_net_link *link)
{
    uint32_t from = cs_island_at(islands, link->from);

    return from != CS_NO_ISLAND && cs_island_at(islands, link->to) != from;
}

static bool groups_enters(const struct cs_islands *islands, const struct cs_net_link *link)
{
    uint32_t to = cs_island_at(islands, link->to);

    return to != CS_NO_ISLAND && cs_island_at(islands, link->from) != to;
}

/* A link inside an island, or between nodes without ranks, limits no group. */
static bool groups_counts(const struct cs_islands *islands, const struct cs_net_link *link,
                          uint32_t group, enum cs_groups_side side)
{
    bool all = group == CS_GROUPS_ALL;
    bool out = !link->down && groups_leaves(islands, link) &&
               (all || cs_island_at(islands, link->from) == group);
    bool in = !link->down && groups_enters(islands, link) &&
              (all || cs_island_at(islands, link->to) == group);

    return ((side & CS_GROUPS_OUT) && out) || ((side & CS_GROUPS_IN) && in);
}

/* The groups that a link leaves or enters. */
static uint32_t groups_ends(const struct cs_islands *islands, const struct cs_net *net, uint32_t i,
                            uint32_t ends[2])
{
    struct cs_net_link link = cs_net_link_at(net, i);
    uint32_t count = 0;

    if (groups_leaves(islands, &link))
        ends[count++] = cs_island_at(islands, link.from);
    if (groups_enters(islands, &link))
        ends[count++] = cs_island_at(islands, link.to);
    return count;
}

/* The links that end at each group, in order: counted, then filled from behind. */
void cs_groups_sort(struct cs_groups *groups, const struct cs_islands *islands,
                    struct cs_arena *arena)
{
    const struct cs_net *net = groups->net;
    uint32_t *first = cs_arena_alloc(arena, islands->count + 1, sizeof(*first));
    uint32_t *links;

    for (uint32_t i = 0; i < net->link_count; i++) {
        uint32_t ends[2];
        uint32_t count = groups_ends(islands, net, i, ends);

        for (uint32_t k = 0; k < count; k++)
            first[ends[k]]++;
    }
    for (uint32_t g = 0; g < islands->count; g++)
        first[g + 1] += first[g];
    links = cs_arena_alloc(arena, first[islands->count], sizeof(*links));
    for (uint32_t i = net->link_count; i-- > 0;) {
        uint32_t ends[2];
        uint32_t count = groups_ends(islands, net, i, ends);

        for (uint32_t k = 0; k < count; k++)
            links[--first[ends[k]]] = i;
    }
    groups->first = first;
    groups->links = links;
}

/* Adds `weight` links equal to `link`, less the server's present part of the
 * sum. */
static void groups_add_rate(struct cs_groups *groups, const struct cs_net_link *link,
                            uint32_t weight, struct rate_sum *sum)
{
    double before_Bps = 0;

    if (isinf(link->rate_Bps)) {
        sum->endless = true;
        return;
    }
    if (groups->net->links) {
        if (groups->counted[link->resource] == groups->stamp)
            before_Bps = groups->rate_Bps[link->resource];
        if (link->rate_Bps <= before_Bps)
            return;
        groups->counted[link->resource] = groups->stamp;
        groups->rate_Bps[link->resource] = link->rate_Bps;
    }
    sum->exact += (cs_exact_rate_of(link->rate_Bps) - cs_exact_rate_of(before_Bps)) * weight;
}

struct cs_groups_capacity cs_groups_capacity(struct cs_groups *groups,
                                             const struct cs_islands *islands, uint32_t group,
                                             enum cs_groups_side side)
{
    struct cs_groups_capacity capacity = {0, UINT64_MAX};
    struct rate_sum sum = {0};
    const struct cs_net *net = groups->net;
    bool by_kind = group == CS_GROUPS_ALL;
    uint32_t i = by_kind ? 0 : groups->first[group];
    uint32_t end = by_kind ? net->link_count : groups->first[group + 1];

    groups->stamp++;
    for (; i < end; i = by_kind ? cs_net_next_link(net, i) : i + 1) {
        uint32_t at = by_kind ? i : groups->links[i];
        struct cs_net_link link = cs_net_link_at(net, at);

        if (!groups_counts(islands, &link, group, side))
            continue;
        if (link.latency_ps < capacity.latency_ps)
            capacity.latency_ps = link.latency_ps;
        groups_add_rate(groups, &link, by_kind ? cs_net_link_weight(net, i) : 1, &sum);
    }
    capacity.rate_Bps = sum.endless ? (double)INFINITY : cs_exact_rate_round(sum.exact);
    return capacity;
}

bool cs_groups_touch(const struct cs_groups *groups, const struct cs_islands *islands)
{
    const struct cs_net *net = groups->net;

    for (uint32_t i = 0; i < net->link_count; i = cs_net_next_link(net, i)) {
        struct cs_net_link link = cs_net_link_at(net, i);

        if (!link.down && groups_leaves(islands, &link) && groups_enters(islands, &link))
            return true;
    }
    return false;
}
