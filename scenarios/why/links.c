#include "scenarios/why/causes.h"

#include "topo/formats/source.h"
#include "topo/graph/equal_wires.h"

#include <string.h>

enum {
    WIRES_MAX = 1 << 14 /* of a machine that is searched */
};

static bool open_machine(const struct cs_scenario *given, struct cs_arena *arena,
                         struct cs_graph *graph)
{
    struct cs_scenario *scenario = cs_arena_alloc(arena, 1, sizeof(*scenario));
    struct cs_topo_request request = {0};
    struct cs_err ignored = {0};

    *scenario = *given;
    cs_cluster_finish(scenario);
    request.spec = scenario->topo;
    request.ranks = scenario->rank_count ? scenario->ranks[0] : 0;
    request.platform = scenario->machine.platform;
    request.gpu = scenario->machine.gpu;
    request.hosts = scenario->machine.hosts;
    return !cs_topo_open(&request, graph, arena, &ignored) && graph->wire_count <= WIRES_MAX;
}

/* The greatest rate of the equals; the rate itself where slower links are no
 * exception, but a quarter of the equals or more. */
static double rate_of_equals(const struct cs_graph *graph, uint32_t w)
{
    double rate = cs_wire_when_up(&graph->wires[w]), most = rate;
    uint32_t equals = 0, slower = 0;

    for (uint32_t v = 0; v < graph->wire_count; ++v)
        if (cs_wires_are_equal(graph, v, w) && cs_wire_when_up(&graph->wires[v]) > most)
            most = cs_wire_when_up(&graph->wires[v]);
    for (uint32_t v = 0; v < graph->wire_count && most > rate; ++v)
        if (cs_wires_are_equal(graph, v, w)) {
            ++equals;
            slower += cs_wire_when_up(&graph->wires[v]) < most * 0.999;
        }
    return 4 * slower < equals ? most : rate;
}

static bool add_boost(const struct cs_graph *graph, uint32_t w, double factor,
                      struct cs_arena *arena, struct cs_faults *faults)
{
    struct cs_wire wire = cs_graph_wire(graph, w);
    struct cs_fault *fault = &faults->item[faults->count];

    if (faults->count == CS_FAULTS_MAX)
        return false;
    fault->where =
        cs_arena_printf(arena, "%s-%s", graph->devices[wire.a].name, graph->devices[wire.b].name);
    fault->text = fault->where;
    fault->rate = factor;
    fault->at_ps = 0;
    fault->announced = true; /* faster links of the machine, planned with */
    ++faults->count;
    return true;
}

bool cs_why_slow_links(const struct cs_scenario *given, struct cs_arena *arena,
                       struct cs_faults *faults, const char **what)
{
    struct cs_graph graph;
    uint32_t slow = 0;

    *faults = (struct cs_faults){.count = 0};
    if (!open_machine(given, arena, &graph) || !graph.devices)
        return false;
    for (uint32_t w = 0; w < graph.wire_count; ++w) {
        double rate = cs_wire_when_up(&graph.wires[w]);
        double most = rate_of_equals(&graph, w);

        if (most <= rate * 1.001)
            continue;
        if (!add_boost(&graph, w, most / rate, arena, faults))
            return false;
        slow = w;
    }
    if (faults->count)
        *what =
            cs_arena_printf(arena,
                            faults->count > 1 ? "%u links slower than their equals, such as %s (%s)"
                                              : "%u link slower than its equals, %s (%s)",
                            faults->count, faults->item[faults->count - 1].where,
                            graph.wires[slow].class_name ? graph.wires[slow].class_name : "-");
    return faults->count > 0;
}

bool cs_why_class_links(const struct cs_scenario *given, const char *link, struct cs_arena *arena,
                        struct cs_faults *faults, const char **what)
{
    const char *open = strrchr(link, '('), *close = strrchr(link, ')');
    struct cs_graph graph;
    const char *class_name;

    *faults = (struct cs_faults){.count = 0};
    if (!open || !close || close < open || !open_machine(given, arena, &graph) || !graph.devices)
        return false;
    class_name = cs_arena_text_n(arena, open + 1, (size_t)(close - open - 1));
    for (uint32_t w = 0; w < graph.wire_count; ++w)
        if (graph.wires[w].class_name && !strcmp(graph.wires[w].class_name, class_name) &&
            !add_boost(&graph, w, 2, arena, faults))
            return false;
    *what = cs_arena_printf(
        arena, "the rate of the links of the bottleneck (%s; against twice the rate)", class_name);
    return faults->count > 0;
}
