#include "scenarios/run/machine/plan_cache.h"

struct kept_rings {
    struct kept_rings *next;
    uint32_t ranks, group;
    const struct cs_rings *rings;
};

struct kept_trees {
    struct kept_trees *next;
    uint32_t ranks;
    struct cs_tree_request request;
    const struct cs_trees *trees;
};

struct cs_plan_cache {
    struct cs_arena *arena;
    struct kept_rings *rings;
    struct kept_trees *trees;
};

struct cs_plan_cache *cs_plan_cache_new(struct cs_arena *arena)
{
    struct cs_plan_cache *cache = cs_arena_alloc(arena, 1, sizeof(*cache));

    cache->arena = arena;
    return cache;
}

const struct cs_rings *cs_plan_cache_rings(struct cs_plan_cache *cache, const struct cs_net *net,
                                           uint32_t ranks, uint32_t group)
{
    struct kept_rings *kept = cache->rings;

    while (kept && (kept->ranks != ranks || kept->group != group))
        kept = kept->next;
    if (!kept) {
        kept = cs_arena_alloc(cache->arena, 1, sizeof(*kept));
        *kept = (struct kept_rings){cache->rings, ranks, group,
                                    cs_rings_of_machine(net, ranks, group, cache->arena)};
        cache->rings = kept;
    }
    return kept->rings;
}

static bool same_request(const struct cs_tree_request *a, const struct cs_tree_request *b)
{
    return a->roots == b->roots && a->root == b->root && a->use == b->use &&
           a->is_quick == b->is_quick && a->group == b->group;
}

const struct cs_trees *cs_plan_cache_trees(struct cs_plan_cache *cache, const struct cs_net *net,
                                           uint32_t ranks, const struct cs_tree_request *request)
{
    struct kept_trees *kept = cache->trees;

    while (kept && (kept->ranks != ranks || !same_request(&kept->request, request)))
        kept = kept->next;
    if (!kept) {
        kept = cs_arena_alloc(cache->arena, 1, sizeof(*kept));
        *kept = (struct kept_trees){cache->trees, ranks, *request,
                                    cs_trees_of_machine(net, ranks, request, cache->arena)};
        cache->trees = kept;
    }
    return kept->trees;
}
