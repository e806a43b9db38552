/*
 * Islands, against those that are found by spreading marks over every wire of
 * the machine in full.
 */
#include "algorithms/bounds/islands.h"

#include "tests/fixture.h"

static const char *const specs[] = {
    "switch:ranks=12",
    "ring:ranks=6",
    "bus:ranks=4",
    "dgx-1",
    "gbe-4",
    "cluster:node=hgx-h200,nodes=5",
    "cluster:node=hgx-h200,nodes=5,fabric=rail",
    "cluster:node=hgx-a100-4,nodes=3,rails=2",
    "cluster:node=mi300x,nodes=3,fabric=fat-tree",
    "cluster:node=dgx-h100,nodes=9,fabric=fat-tree,radix=8",
    "cluster:node=dgx-h100+dgx-a100,nodes=2+3,link=ib-hdr",
    "fat-tree:ranks=16,radix=4,oversubscription=3",
    "dragonfly:ranks=24",
    "torus:dims=2x3,node=dgx-h100,rails=8",
};

static void open_machine(const char *spec, uint32_t replicas_from, struct cs_arena *arena,
                         struct cs_graph *graph)
{
    struct cs_topo_request request = {.spec = spec, .replicas_from = replicas_from};
    struct cs_err err;

    if (cs_topo_open(&request, graph, arena, &err))
        fail_msg("%s: %s", spec, err.text);
}

/* Marks what the least marked rank reaches, until all have a mark: the island
 * of each device, or CS_NO_ISLAND.  Returns how many there are. */
static uint32_t spread(const struct cs_graph *graph, double rate_Bps, uint32_t *mark)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        mark[d] = CS_NO_ISLAND;
    for (uint32_t r = 0; r < graph->rank_count; r++) {
        bool spreads = mark[graph->rank_device[r]] == CS_NO_ISLAND;

        if (spreads)
            mark[graph->rank_device[r]] = count++;
        while (spreads) {
            spreads = false;
            for (uint32_t w = 0; w < graph->wire_count; w++) {
                const struct cs_wire *wire = &graph->wires[w];
                uint32_t a = mark[wire->a];
                uint32_t b = mark[wire->b];

                if (a == b || cs_wire_effective(wire) <= rate_Bps)
                    continue;
                mark[wire->a] = mark[wire->b] = a < b ? a : b;
                spreads = true;
            }
        }
    }
    return count;
}

static void expect_islands(const char *spec, const struct cs_graph *graph, double rate_Bps,
                           const struct cs_graph *full, const uint32_t *mark, uint32_t count)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_islands islands = cs_islands_of(graph, rate_Bps, &arena);
    uint32_t *ranks = cs_arena_alloc(&arena, count, sizeof(*ranks));

    assert_int_equal(islands.count, count);
    for (uint32_t d = 0; d < full->device_count; d++)
        if (cs_island_at(&islands, d) != mark[d])
            fail_msg("%s, wires over %g B/s: device %u is on %d, not %d", spec, rate_Bps, d,
                     (int)cs_island_at(&islands, d), (int)mark[d]);
    /* A node that is no device. */
    assert_true(cs_island_at(&islands, full->device_count) == CS_NO_ISLAND);
    for (uint32_t r = 0; r < full->rank_count; r++)
        ranks[mark[full->rank_device[r]]]++;
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(islands.ranks[i], ranks[i]);
    assert_int_equal(cs_island_at(&islands, full->device_count), CS_NO_ISLAND);
}

static void cut(const char *spec, const struct cs_graph *full, const struct cs_graph *replicated,
                double rate_Bps)
{
    uint32_t *mark = calloc(full->device_count, sizeof(*mark));
    uint32_t count = spread(full, rate_Bps, mark);

    expect_islands(spec, full, rate_Bps, full, mark, count);
    expect_islands(spec, replicated, rate_Bps, full, mark, count);
    free(mark);
}

/* Cut at each rate there is, nowhere, and everywhere; in full and replicated. */
TEST(islands_are_what_wires_still_join)
{
    for (size_t i = 0; i < COUNT(specs); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_graph full, replicated;

        open_machine(specs[i], 0, &arena, &full);
        open_machine(specs[i], 1, &arena, &replicated);
        cut(specs[i], &full, &replicated, 0);
        cut(specs[i], &full, &replicated, INFINITY);
        for (uint32_t w = 0; w < replicated.wire_count; w = cs_graph_next_wire(&replicated, w)) {
            struct cs_wire wire = cs_graph_wire(&replicated, w);

            cut(specs[i], &full, &replicated, cs_wire_effective(&wire));
        }
    }
}

ARENA_TEST(where_all_is_cut_each_rank_is_the_island_of_its_number)
{
    struct cs_graph graph;
    struct cs_islands islands;

    open_machine("cluster:node=hgx-h200,nodes=5", 1, arena, &graph);
    assert_int_equal(graph.replicated.count, 5);
    islands = cs_islands_of(&graph, INFINITY, arena);
    assert_int_equal(islands.count, 40);
    for (uint32_t r = 0; r < 40; r++)
        assert_int_equal(cs_island_at(&islands, graph.rank_device[r]), r);
}
