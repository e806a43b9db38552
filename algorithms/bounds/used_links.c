#include "algorithms/bounds/used_links.h"

#include "sim/net/net.h"

struct used_links {
    const struct cs_graph *graph;
    const struct cs_net *net;
    bool *is_used;   /* by wire */
    uint32_t unused; /* wires in service */
};

static void used_links_mark(struct used_links *used, uint32_t wire)
{
    if (wire < used->graph->wire_count && !used->is_used[wire]) {
        used->is_used[wire] = true;
        used->unused -= !used->graph->wires[wire].down;
    }
}

static void used_links_begin(struct used_links *used, struct cs_arena *arena)
{
    const struct cs_graph *graph = used->graph;

    used->is_used = cs_arena_alloc(arena, graph->wire_count, sizeof(*used->is_used));
    for (uint32_t w = 0; w < graph->wire_count; w++)
        used->unused += !graph->wires[w].down;
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (graph->wires[w].duplex == CS_DUPLEX_BUS)
            used_links_mark(used, w);
}

/* Links beyond those of wires are costs of software. */
static void used_links_follow(struct used_links *used, struct cs_arena *arena)
{
    const struct cs_net *net = used->net;
    uint32_t *links = cs_arena_alloc(arena, net->max_hops, sizeof(*links));

    for (uint32_t a = 0; a < net->party_count; a++)
        for (uint32_t b = 0; b < net->party_count && used->unused; b++) {
            uint32_t hops = a == b ? 0 : net->route(net->route_ctx, a, b, links);

            for (uint32_t h = 0; h < hops; h++)
                used_links_mark(used, links[h] / 2);
        }
}

static void used_links_remove(const struct used_links *used, struct cs_graph *few,
                              struct cs_net *few_net, struct cs_arena *arena)
{
    const struct cs_graph *graph = used->graph;

    *few = *graph;
    few->wires = cs_arena_copy(arena, graph->wires, graph->wire_count, sizeof(*few->wires));
    *few_net = *used->net;
    few_net->links =
        cs_arena_copy(arena, used->net->links, used->net->link_count, sizeof(*few_net->links));
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_net_link *pair = &few_net->links[(size_t)2 * w];

        if (!used->is_used[w])
            few->wires[w].down = pair[0].down = pair[1].down = true;
    }
}

bool cs_used_links_of(const struct cs_graph *graph, const struct cs_net *net, struct cs_graph *few,
                      struct cs_net *few_net, struct cs_arena *arena)
{
    struct used_links used = {.graph = graph, .net = net};

    if (!net->links || !graph->wires || net->choice || net->party_count > CS_USED_LINKS_PARTIES ||
        net->link_count < 2 * graph->wire_count)
        return false;
    used_links_begin(&used, arena);
    used_links_follow(&used, arena);
    if (!used.unused)
        return false;
    used_links_remove(&used, few, few_net, arena);
    return true;
}
