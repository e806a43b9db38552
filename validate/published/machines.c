#include "validate/published/prediction.h"

#include "sim/base/text.h"
#include "topo/formats/source.h"
#include "topo/graph/link_family.h"

#include <math.h>

enum {
    /* From this number of ranks on, identical nodes are stored once. */
    MACHINES_REPLICAS_FROM = 256,
};

/* Rates of the wires of one rank's node. */
struct machine_rates {
    double links, slots, adapters;
    uint32_t node_gpus; /* computing devices of the node */
};

/* One end of a wire: `here` belongs to the node of the rank. */
static void machines_add_end(const struct cs_graph *graph, uint32_t here, uint32_t there,
                             const struct cs_wire *wire, struct machine_rates *rates)
{
    struct cs_device device = cs_graph_device(graph, here);
    uint32_t rank = graph->rank_device[0];
    bool leaves = cs_graph_device(graph, there).host != device.host || device.host == CS_NO_HOST;

    if (device.kind == CS_DEVICE_NIC && leaves)
        rates->adapters += wire->rate_Bps;
    if (here != rank)
        return;
    if (cs_link_families[wire->family].word)
        rates->links += wire->rate_Bps;
    else
        rates->slots += wire->rate_Bps;
}

static struct machine_rates machines_rates(const struct cs_graph *graph)
{
    uint32_t host = cs_graph_rank_host(graph, 0);
    struct machine_rates rates = {0};

    for (uint32_t i = 0; i < graph->wire_count; i = cs_graph_next_wire(graph, i)) {
        struct cs_wire wire = cs_graph_wire(graph, i);

        if (wire.a == graph->rank_device[0] ||
            (host != CS_NO_HOST && cs_graph_device(graph, wire.a).host == host))
            machines_add_end(graph, wire.a, wire.b, &wire, &rates);
        if (wire.b == graph->rank_device[0] ||
            (host != CS_NO_HOST && cs_graph_device(graph, wire.b).host == host))
            machines_add_end(graph, wire.b, wire.a, &wire, &rates);
    }
    for (uint32_t i = 0; i < graph->device_count && host != CS_NO_HOST; i++) {
        struct cs_device device = cs_graph_device(graph, i);

        rates.node_gpus += device.host == host && cs_device_computes(device.kind);
    }
    return rates;
}

/* A node lends its adapters in proportion: with one of eight GPUs in use, an
 * eighth of the adapters serves the ring. */
static double machines_port(const struct cs_graph *graph, const struct cs_site *site)
{
    struct machine_rates rates = machines_rates(graph);
    double port = rates.links > 0 ? rates.links : rates.slots;
    double used =
        rates.node_gpus > site->node_ranks ? (double)site->node_ranks / rates.node_gpus : 1;

    if (site->node_ranks == 1 && rates.slots > 0)
        port = rates.slots;
    if (site->nodes > 1 && rates.adapters > 0)
        port = fmin(port, rates.adapters * used);
    return port > 0 ? port : (double)INFINITY;
}

static void machines_open(struct cs_published_machine *machine, struct cs_arena *arena)
{
    struct cs_topo_request request = {
        .spec = machine->topo,
        .ranks = machine->topo_ranks,
        .replicas_from = MACHINES_REPLICAS_FROM,
    };
    struct cs_graph graph = {0};
    struct cs_err err = {0};
    int code;

    if (!machine->topo[0]) {
        machine->unknown = "the machine is not known well enough";
        return;
    }
    code = cs_topo_open(&request, &graph, arena, &err);
    if (!code)
        code = cs_site_read(&graph, arena, &machine->site, &err);
    if (code)
        machine->unknown = cs_arena_text(arena, err.text);
    else
        machine->port_Bps = machines_port(&graph, &machine->site);
}

const struct cs_published_machine *const *cs_published_machines(
    const struct cs_published *published, struct cs_arena *arena)
{
    struct cs_published_machine *all = cs_arena_alloc(arena, published->count, sizeof(*all));
    const struct cs_published_machine **of_table =
        cs_arena_alloc(arena, published->count, sizeof(struct cs_published_machine *));
    uint32_t count = 0;
    uint32_t k;

    for (uint32_t i = 0; i < published->count; i++) {
        const struct cs_published_table *table = &published->tables[i];

        for (k = 0; k < count; k++)
            if (cs_same(all[k].topo, table->topo) && all[k].topo_ranks == table->size.topo_ranks)
                break;
        if (k == count) {
            all[count] = (struct cs_published_machine){.topo = table->topo,
                                                       .topo_ranks = table->size.topo_ranks};
            machines_open(&all[count++], arena);
        }
        of_table[i] = &all[k];
    }
    return of_table;
}
