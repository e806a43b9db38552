/*
 * No simulation is quicker than the lower bound: random machines, every
 * algorithm, any seating.
 *
 * Models `fifo` and `packet` against the whole bound, `postal` against that of
 * the ports, for it lets all through what lies between.  The machine's bound, with
 * in-network reduction by its switches, is not above that of the algorithm, and
 * none is quicker than the bound over the links that messages take.
 */
#include "algorithms/bounds/used_links.h"
#include "topo/graph/check.h"
#include "topo/graph/in_fabric.h"
#include "topo/graph/in_switch.h"

#include "tests/fixture.h"

enum {
    RANKS_MAX = 12,
    MACHINES = 100,
    FORWARDERS_MAX = 4,
};

struct draw {
    struct cs_random *random;
    struct cs_arena arena;
    struct cs_graph graph;
    uint32_t forwarders[FORWARDERS_MAX];
    uint32_t forwarder_count;
    uint32_t order[RANKS_MAX + 1]; /* where parties are placed */
};

static uint64_t below(struct draw *draw, uint64_t limit)
{
    return cs_random_below(draw->random, limit);
}

/* One of few rates, so that groups of equal ones form, or any. */
static double draw_rate(struct draw *draw)
{
    static const double typical_Bps[] = {1e9, 5e9, 25e9, 100e9};

    if (below(draw, 4))
        return typical_Bps[below(draw, 4)];
    return 1e9 * (1 + 50 * cs_random_unit(draw->random));
}

static bool is_bus(const struct draw *draw, uint32_t device)
{
    return draw->graph.devices[device].kind == CS_DEVICE_BUS;
}

static void add_wire(struct draw *draw, uint32_t a, uint32_t b)
{
    struct cs_wire wire = {
        .a = a,
        .b = b,
        .class_name = "wire",
        .rate_Bps = draw_rate(draw),
        .efficiency = below(draw, 3) ? 1 : 0.8,
        .latency_ps = below(draw, 3) ? below(draw, 3000000) : 0,
        .duplex = below(draw, 3) ? CS_DUPLEX_FULL : CS_DUPLEX_HALF,
        .source = "drawn",
    };

    if (is_bus(draw, a) && is_bus(draw, b))
        return;
    if (is_bus(draw, a) || is_bus(draw, b))
        wire.duplex = CS_DUPLEX_BUS;
    cs_graph_add_wire(&draw->graph, wire);
}

static uint32_t add_device(struct draw *draw, enum cs_device_kind kind)
{
    uint32_t number = draw->graph.device_count;

    return cs_graph_add_device(&draw->graph,
                               (struct cs_device){
                                   .name = cs_arena_printf(&draw->arena, "d%u", number),
                                   .kind = kind,
                                   .host = CS_NO_HOST,
                                   .reduce_Bps = below(draw, 2) ? draw_rate(draw) : 0,
                                   .reduce_overhead_ps = below(draw, 4) ? 0 : below(draw, 100000),
                               });
}

/* A switch first, so that buses hang on to something. */
static void add_forwarders(struct draw *draw)
{
    draw->forwarder_count = 1 + (uint32_t)below(draw, FORWARDERS_MAX);
    for (uint32_t i = 0; i < draw->forwarder_count; i++) {
        bool bus = i > 0 && below(draw, 3) == 0;

        draw->forwarders[i] = add_device(draw, bus ? CS_DEVICE_BUS : CS_DEVICE_SWITCH);
        if (i > 0)
            add_wire(draw, draw->forwarders[i], draw->forwarders[bus ? 0 : below(draw, i)]);
    }
    /* Two buses cannot be joined, so a switch may still be alone. */
    for (uint32_t i = 1; i < draw->forwarder_count; i++)
        add_wire(draw, draw->forwarders[i], draw->forwarders[0]);
}

static uint32_t add_party(struct draw *draw, enum cs_device_kind kind)
{
    uint32_t device = add_device(draw, kind);
    uint32_t wires = 1 + (uint32_t)below(draw, 2);

    while (wires--)
        add_wire(draw, device, draw->forwarders[below(draw, draw->forwarder_count)]);
    return device;
}

/* Ranks, some of them wired to each other, and a device for a server. */
static void draw_machine(struct draw *draw, struct cs_random *random)
{
    uint32_t ranks = 2 + (uint32_t)cs_random_below(random, RANKS_MAX - 1);

    *draw = (struct draw){.random = random};
    cs_graph_init(&draw->graph, &draw->arena);
    draw->graph.name = "drawn";
    draw->graph.file = "";
    draw->graph.agent_device = cs_arena_alloc(&draw->arena, 1, sizeof(uint32_t));
    add_forwarders(draw);
    draw->graph.rank_device = cs_arena_alloc(&draw->arena, ranks, sizeof(uint32_t));
    draw->graph.rank_count = ranks;
    for (uint32_t i = 0; i < ranks; i++)
        draw->graph.rank_device[i] = add_party(draw, CS_DEVICE_HOST);
    draw->graph.agent_device[0] = add_party(draw, CS_DEVICE_CPU);
    for (uint32_t i = below(draw, 2) ? (uint32_t)below(draw, ranks + 10) : 0; i > 0; i--) {
        uint32_t a = (uint32_t)below(draw, ranks);
        uint32_t b = (uint32_t)below(draw, ranks);

        if (a != b)
            add_wire(draw, draw->graph.rank_device[a], draw->graph.rank_device[b]);
    }
    for (uint32_t i = 0; i <= ranks; i++)
        draw->order[i] = i;
    if (below(draw, 2))
        cs_random_shuffle(random, draw->order, ranks);
    assert_done(cs_graph_check(&draw->graph, &err));
}

/* ---- a run against its bound ---- */

struct checked {
    const struct cs_algo *algo;
    const struct cs_call *call;
    const char *model;
    uint64_t time_ps;
};

/* Times are rounded up, so that nothing is quicker than it can be; the bound is
 * a double, whose last digits are not to count. */
static void expect_slower(const struct checked *run, const struct cs_bound *bound, const char *what)
{
    if ((double)(run->time_ps + 1) < bound->time_s * 1e12 * (1 - 1e-14))
        fail_msg("COLLSIM_SEED=%" PRIu64 ": %s %s of %" PRIu64 " x %u B, p = %u, %s: %" PRIu64
                 " ps, but the bound %s is %.0f ps: %s",
                 fixture_seed(), run->algo->collective->name, run->algo->name, run->call->elements,
                 run->call->element_bytes, run->call->ranks, run->model, run->time_ps, what,
                 bound->time_s * 1e12, bound->why);
}

static void check_bounds(const struct checked *run, const struct cs_graph *graph,
                         const struct cs_net *net, struct cs_arena *arena)
{
    const struct cs_call *call = run->call;
    struct cs_bound_request request = {.collective = run->algo->collective,
                                       .vector_bytes = (double)call->elements * call->element_bytes,
                                       .root = call->root,
                                       .element_bytes = call->element_bytes,
                                       .ports_only = cs_link_model_find(run->model)->ports_only};
    struct cs_bounds bounds = cs_bounds_of(graph, net, &request, arena);
    struct cs_graph few;
    struct cs_net few_net;

    expect_slower(run, &bounds.own, "of the algorithm");
    assert_true(bounds.machine.time_s <= bounds.own.time_s);
    if (cs_used_links_of(graph, net, &few, &few_net, arena)) {
        struct cs_bound reachable = cs_bound_of(&few, &few_net, &request, arena);

        expect_slower(run, &reachable, "over the links that messages take");
    }
}

static void check_run(const struct cs_graph *graph, const struct cs_net *net,
                      const struct cs_algo *algo, const struct cs_call *call, const char *model)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_program program = cs_algo_program(algo, call);
    struct cs_exec_result result;

    assert_done(cs_exec_run(&program, net, cs_link_model_find(model), &arena, &result, &err));
    check_bounds(&(struct checked){algo, call, model, result.time_ps}, graph, net, &arena);
}

static uint64_t draw_elements(struct draw *draw)
{
    switch (below(draw, 4)) {
    case 0:
        return 1 + below(draw, (uint64_t)2 * RANKS_MAX);
    case 1:
        return 27720 * (1 + below(draw, 10)); /* all up to 12 divide it */
    default:
        return 1 + below(draw, 1000000);
    }
}

static void check_algorithm(struct draw *draw, const struct cs_algo *algo)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct cs_call call = {.ranks = draw->graph.rank_count,
                           .elements = draw_elements(draw),
                           .element_bytes = below(draw, 2) ? 4 : 1,
                           .server = below(draw, 2) ? CS_SERVER_COLOCATED : CS_SERVER_APART,
                           .root = (uint32_t)below(draw, draw->graph.rank_count)};
    struct cs_program program;
    struct cs_net net;

    if (cs_algo_check(algo, &call, NULL))
        return;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    if (program.agents && (program.agents > 1 || algo->agent_place != CS_AGENT_SERVER))
        return;
    draw->graph.agent_count = program.agents;
    cs_lower(&draw->graph, &net, &draw->arena);
    cs_net_reorder(&net, draw->order, &draw->arena);
    check_run(&draw->graph, &net, algo, &call, "fifo");
    check_run(&draw->graph, &net, algo, &call, "packet");
    check_run(&draw->graph, &net, algo, &call, "postal");
}

TEST(no_algorithm_beats_the_bound_on_any_machine)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("bound");
    struct draw draw;

    for (uint32_t i = 0; i < fixture_trials(MACHINES); i++) {
        draw_machine(&draw, random);
        for (size_t a = 0; a < cs_algo_count; a++)
            check_algorithm(&draw, cs_algos[a]);
        cs_arena_free(&draw.arena);
    }
}

/* ---- made machines, servers and agents inside switches ---- */

static void check_made(const char *spec, const struct cs_algo *algo, uint32_t ranks)
{
    struct cs_call call = {.ranks = ranks, .elements = 720720, .element_bytes = 4};
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    bool inside = algo->agent_place == CS_AGENT_SWITCH;
    struct cs_program program;
    struct machine machine;

    if (cs_algo_check(algo, &call, NULL))
        return;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    machine_open(&machine, spec, ranks, inside ? 0 : program.agents);
    if (!inside || !cs_graph_place_inside(&machine.graph, program.agents, NULL)) {
        cs_lower(&machine.graph, &machine.net, &machine.arena);
        check_run(&machine.graph, &machine.net, algo, &call, "fifo");
        check_run(&machine.graph, &machine.net, algo, &call, "packet");
    }
    machine_close(&machine);
}

TEST(no_algorithm_beats_the_bound_on_made_machines)
{
    static const char *const specs[] = {"switch:", "switch:duplex=half,gamma=10GB/s",
                                        "bus:", "ring:latency=9ns", "mesh:gamma=100GB/s"};

    for (size_t s = 0; s < 5; s++)
        for (size_t a = 0; a < cs_algo_count; a++)
            for (uint32_t p = 2; p < 17; p++)
                if (p < 6 || fixture_takes((s * cs_algo_count + a) * 17 + p))
                    check_made(specs[s], cs_algos[a], p);
}

/* ---- one-way wires, which agents inside switches meet as well ---- */

/* Both directions between a device and what is above it, as one wire or as two
 * of different rates. */
static void join_above(struct draw *draw, uint32_t device, uint32_t above)
{
    uint32_t first = draw->graph.wire_count;
    struct cs_wire back;

    add_wire(draw, device, above);
    if (below(draw, 3) == 0)
        return;
    draw->graph.wires[first].backwards = true; /* above -> device */
    back = draw->graph.wires[first];
    back.a = above;
    back.b = device;
    back.rate_Bps = draw_rate(draw);
    cs_graph_add_wire(&draw->graph, back); /* device -> above */
}

/* Leaves of two ranks and a switch above; for one leaf that is idle. */
static void draw_tree(struct draw *draw, struct cs_random *random)
{
    uint32_t leaves = 1 + (uint32_t)cs_random_below(random, 4);
    uint32_t top;

    *draw = (struct draw){.random = random};
    cs_graph_init(&draw->graph, &draw->arena);
    draw->graph.name = "drawn";
    draw->graph.file = "";
    top = add_device(draw, CS_DEVICE_SWITCH);
    for (uint32_t i = 0; i < leaves; i++) {
        uint32_t leaf = add_device(draw, CS_DEVICE_SWITCH);

        join_above(draw, leaf, top);
        for (uint32_t r = 0; r < 2; r++)
            join_above(draw, add_device(draw, CS_DEVICE_GPU), leaf);
    }
    cs_graph_place_all(&draw->graph);
    for (uint32_t i = 0; i < draw->graph.rank_count; i++)
        draw->order[i] = i;
}

static int place_in_switches(const struct cs_algo *algo, uint32_t agents, struct cs_graph *graph)
{
    if (algo->agent_place == CS_AGENT_SWITCH_TREE)
        return cs_graph_place_tree(graph, agents, NULL);
    if (algo->agent_place == CS_AGENT_FABRIC)
        return cs_graph_place_fabric(graph, agents, NULL);
    if (algo->agent_place == CS_AGENT_NODE_FABRIC)
        return cs_graph_place_nodes_and_fabric(graph, agents, NULL);
    if (algo->agent_place == CS_AGENT_SWITCH_NODE)
        return cs_graph_place_nodes(graph, agents, NULL);
    return cs_graph_place_inside(graph, agents, NULL);
}

static void check_tree(struct draw *draw, const struct cs_algo *algo)
{
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct cs_call call = {.ranks = draw->graph.rank_count,
                           .elements = draw_elements(draw),
                           .element_bytes = 4,
                           .group = 2};
    struct cs_graph graph = draw->graph;
    struct cs_program program;
    struct cs_net net;

    if (cs_algo_check(algo, &call, NULL) || (algo->agents && algo->agent_place == CS_AGENT_SERVER))
        return;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    if (program.agents && place_in_switches(algo, program.agents, &graph))
        return;
    cs_lower(&graph, &net, &draw->arena);
    check_run(&graph, &net, algo, &call, "fifo");
    check_run(&graph, &net, algo, &call, "fluid");
}

TEST(no_algorithm_beats_the_bound_over_one_way_wires)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("one-way");
    struct draw draw;

    for (uint32_t i = 0; i < fixture_trials(MACHINES / 2); i++) {
        draw_tree(&draw, random);
        for (size_t a = 0; a < cs_algo_count; a++)
            check_tree(&draw, cs_algos[a]);
        cs_arena_free(&draw.arena);
    }
}

TEST(no_algorithm_beats_the_bound_in_the_library)
{
    for (size_t i = 0; i < cs_machine_file_count; i++) {
        struct machine machine;
        uint32_t ranks;

        machine_open(&machine, cs_machine_files[i].name, 0, 0);
        ranks = machine.graph.rank_count;
        machine_close(&machine);
        /* A machine of one GPU is a node for clusters. */
        for (size_t a = 0; a < cs_algo_count && ranks > 1; a++)
            if (!cs_algos[a]->agents && fixture_takes(i * cs_algo_count + a)) {
                check_made(cs_machine_files[i].name, cs_algos[a], ranks > 8 ? 8 : ranks);
                check_made(cs_machine_files[i].name, cs_algos[a], ranks > 3 ? 3 : 2);
            }
    }
}

/* The bound of a machine is one, whatever runs: agents in its switches or none. */
static double machine_bound_of(const char *spec, const char *name)
{
    const struct cs_algo *algo = cs_algo_find(name, &cs_collective_allreduce);
    struct cs_call call = {.ranks = 8, .elements = 720720, .element_bytes = 4};
    struct cs_bound_request request = {.collective = algo->collective,
                                       .vector_bytes = 4 * 720720.0};
    struct cs_program program;
    CS_AT_END(machine_close) struct machine machine;
    struct cs_bounds bounds;

    program = cs_algo_program(algo, &call);
    machine_open(&machine, spec, 8, 0);
    if (program.agents)
        assert_int_equal(cs_graph_place_inside(&machine.graph, program.agents, NULL), 0);
    cs_lower(&machine.graph, &machine.net, &machine.arena);
    bounds = cs_bounds_of(&machine.graph, &machine.net, &request, &machine.arena);
    if (program.agents)
        assert_true(bounds.own.time_s <= bounds.machine.time_s * (1 + 1e-12));
    return bounds.machine.time_s;
}

TEST(the_bound_of_a_machine_is_that_of_every_algorithm)
{
    static const char *const specs[] = {"dgx-h100", "dgx-b200", "gb200-nvl72", "bus:"};

    for (size_t s = 0; s < 4; s++) {
        double ring_s = machine_bound_of(specs[s], "ring");
        double nvls_s = machine_bound_of(specs[s], "nvls");

        if (!(fabs(ring_s - nvls_s) <= 1e-12 * ring_s))
            fail_msg("%s: %.12g s for ring, %.12g s for nvls", specs[s], ring_s, nvls_s);
    }
}

/* Beyond ten ranks, where cuts between hosts bind. */
TEST(no_algorithm_beats_the_bound_on_clusters)
{
    static const char *const specs[] = {"cluster:node=dgx-1,nodes=2", "cluster:node=mi250x,nodes=2",
                                        "cluster:node=hgx-a100-4,nodes=4"};

    for (size_t s = 0; s < 3; s++)
        for (size_t a = 0; a < cs_algo_count; a++)
            if (!cs_algos[a]->agents)
                check_made(specs[s], cs_algos[a], 16);
}
