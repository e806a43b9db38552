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

/* Wires that are equal: one of them, and the rates of all. */
struct why_equals {
    uint32_t one;
    double most;
    uint32_t count, slower;
};

struct why_roles {
    struct why_equals *role;
    uint32_t count;
    uint32_t *of; /* by wire */
};

/* The roles are few, so that each wire is compared with one wire of each. */
static struct why_roles why_read_roles(const struct cs_graph *graph, struct cs_arena *arena)
{
    struct why_roles roles = {
        .role = cs_arena_alloc(arena, graph->wire_count, sizeof(*roles.role)),
        .of = cs_arena_alloc(arena, graph->wire_count, sizeof(*roles.of)),
    };

    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        double rate = cs_wire_when_up(&graph->wires[w]);
        uint32_t i = 0;

        while (i < roles.count && !cs_wires_are_equal(graph, roles.role[i].one, w))
            ++i;
        if (i == roles.count)
            roles.role[roles.count++] = (struct why_equals){.one = w};
        roles.of[w] = i;
        ++roles.role[i].count;
        if (rate > roles.role[i].most)
            roles.role[i].most = rate;
    }
    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        struct why_equals *role = &roles.role[roles.of[w]];

        role->slower += cs_wire_when_up(&graph->wires[w]) < role->most * 0.999;
    }
    return roles;
}

/* The greatest rate of the equals; the rate itself where slower links are no
 * exception, but a quarter of the equals or more. */
static double rate_of_equals(const struct why_equals *equals, double rate)
{
    return 4 * equals->slower < equals->count ? equals->most : rate;
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
    struct why_roles roles;
    uint32_t slow = 0;

    *faults = (struct cs_faults){.count = 0};
    if (!open_machine(given, arena, &graph) || !graph.devices)
        return false;
    roles = why_read_roles(&graph, arena);
    for (uint32_t w = 0; w < graph.wire_count; ++w) {
        double rate = cs_wire_when_up(&graph.wires[w]);
        double most = rate_of_equals(&roles.role[roles.of[w]], rate);

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
