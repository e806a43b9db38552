/*
 * On every machine of the library, and on clusters of two and four: the rings of the
 * machine pass every rank once and carry what their routes say, and multi-ring all-reduce
 * is never slower than the ring in the order of the ranks.
 */
#include "algorithms/shared/rings/machine_rings.h"

#include "tests/fixture.h"

enum {
    FLOOR_SIZES = 2
};

/* Ranks of the first host; 0 for ranks on hosts of their own. */
static uint32_t ranks_per_node(const struct cs_graph *graph)
{
    uint32_t host = cs_graph_device(graph, graph->rank_device[0]).host;
    uint32_t i = 0;

    while (i < graph->rank_count && cs_graph_device(graph, graph->rank_device[i]).host == host)
        i++;
    return host == CS_NO_HOST ? 0 : i;
}

static uint64_t floor_run(struct machine *machine, const char *name, uint64_t bytes)
{
    const struct cs_algo *algo = cs_algo_find(name, cs_collective_find("allreduce"));
    struct cs_call call = {
        .ranks = machine->graph.rank_count, .elements = bytes / 4, .element_bytes = 4};
    struct cs_program program;

    if (algo->takes_rings)
        call.rings = cs_rings_of_machine(&machine->net, call.ranks, ranks_per_node(&machine->graph),
                                         &machine->arena);
    cs_algo_resolve(algo, &call, &(struct cs_hockney){1, 1, 0});
    program = cs_algo_program(algo, &call);
    return machine_run(machine, &program, "fifo").time_ps;
}

/* Adds the seconds of a byte of a ring to the resources of its routes. */
static void add_ring(const struct machine *machine, const uint32_t *order, double *load_s)
{
    const struct cs_net *net = &machine->net;
    uint32_t ranks = machine->graph.rank_count;
    uint32_t *links = calloc(net->max_hops, sizeof(*links));

    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t hops = net->route(net->route_ctx, order[i], order[(i + 1) % ranks], links);

        for (uint32_t hop = 0; hop < hops; hop++) {
            struct cs_net_link link = cs_net_link_at(net, links[hop]);

            load_s[link.resource] += link.ps_per_byte * 1e-12;
        }
    }
    free(links);
}

/* Bytes per second of the first rings of an order of all ranks each. */
static double rate_of_routes(const struct machine *machine, uint32_t count, const uint32_t *order)
{
    double *load_s = calloc(machine->net.resource_count, sizeof(*load_s));
    double busiest_s = 0;

    for (uint32_t c = 0; c < count; c++)
        add_ring(machine, &order[(size_t)c * machine->graph.rank_count], load_s);
    for (uint32_t r = 0; r < machine->net.resource_count; r++)
        busiest_s = load_s[r] > busiest_s ? load_s[r] : busiest_s;
    free(load_s);
    return count / busiest_s;
}

static void check_passes_once(const char *spec, uint32_t ranks, const uint32_t *order)
{
    bool *passed = calloc(ranks, sizeof(*passed));

    for (uint32_t i = 0; i < ranks; i++) {
        if (order[i] >= ranks || passed[order[i]])
            fail_msg("%s: a ring does not pass rank %u once", spec, order[i]);
        passed[order[i]] = true;
    }
    free(passed);
}

static void check_rings(struct machine *machine, const char *spec)
{
    uint32_t ranks = machine->graph.rank_count;
    const struct cs_rings *rings =
        cs_rings_of_machine(&machine->net, ranks, ranks_per_node(&machine->graph), &machine->arena);
    double rate_Bps;

    if (!rings)
        return;
    for (uint32_t c = 0; c < rings->count; c++)
        check_passes_once(spec, ranks, &rings->order[(size_t)c * ranks]);
    rate_Bps = rate_of_routes(machine, rings->count, rings->order);
    if (!(fabs(cs_rings_rate_Bps(rings) / rate_Bps - 1) <= 1e-9))
        fail_msg("%s: the rings carry %g B/s, not %g", spec, rate_Bps, cs_rings_rate_Bps(rings));
}

static void check_floor(const char *spec)
{
    static const uint64_t sizes[FLOOR_SIZES] = {UINT64_C(64) << 20, UINT64_C(1) << 30};
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, 0, 0);
    check_rings(&machine, spec);
    for (size_t i = 0; i < FLOOR_SIZES; i++) {
        uint64_t ring_ps = floor_run(&machine, "ring", sizes[i]);
        uint64_t multi_ps = floor_run(&machine, "multi-ring", sizes[i]);

        if (multi_ps > ring_ps)
            fail_msg("%s, %" PRIu64 " bytes: multi-ring %" PRIu64 " ps, ring %" PRIu64 " ps", spec,
                     sizes[i], multi_ps, ring_ps);
    }
}

TEST(multi_ring_is_never_slower_than_ring)
{
    for (size_t i = 0; i < cs_machine_file_count; i++)
        check_floor(cs_machine_files[i].name);
}

static bool has_adapters(const char *name)
{
    CS_AT_END(machine_close) struct machine machine;
    bool found = false;

    machine_open(&machine, name, 0, 0);
    for (uint32_t i = 0; i < machine.graph.device_count; i++)
        found |= machine.graph.devices[i].kind == CS_DEVICE_NIC;
    return found && machine.graph.rank_count <= 16 &&
           ranks_per_node(&machine.graph) == machine.graph.rank_count;
}

TEST(multi_ring_is_never_slower_than_ring_on_clusters)
{
    char spec[96];

    for (size_t i = 0; i < cs_machine_file_count; i++)
        for (int nodes = 2; nodes <= 4; nodes += 2) {
            (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=%d", cs_machine_files[i].name,
                           nodes);
            if (has_adapters(cs_machine_files[i].name))
                check_floor(spec);
        }
}
