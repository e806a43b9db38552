/*
 * What topo export writes gives the same answer when read back: every format
 * that has a reader, over the machines of the library, single and as two nodes of
 * a cluster.
 *
 * A ring, rings over all wires, a hierarchy of nodes and an all-to-all take the same
 * time to the picosecond, with messages that queue and that share, or a note of the
 * writer says what the file lacks: "in this file" with amounts, or links that are left
 * out.  The own format (yaml) lacks nothing: routes as well are those of the machine, and
 * calls of libraries take the same time.
 * No run beats the lower bound.
 */
#include "algorithms/shared/rings/machine_rings.h"
#include "topo/formats/read_back.h"
#include "topo/graph/fabric.h"

#include "tests/site.h"
#include "topo/documents/doc.h"

/* Ranks of a node, 0 for machines with none or with nodes that differ. */
static uint32_t group_of(const struct cs_graph *graph)
{
    uint32_t group = 0;

    while (group < graph->rank_count && graph->devices[graph->rank_device[group]].host ==
                                            graph->devices[graph->rank_device[0]].host)
        group++;
    return group && graph->rank_count % group == 0 ? group : 0;
}

struct read_back_run {
    const char *collective, *algo, *model;
    uint32_t chunks; /* 0: as many as the algorithm takes */
};

/* 0 where the call has no such algorithm. */
static uint64_t time_of(struct machine *machine, const struct read_back_run *run)
{
    const char *collective = run->collective, *name = run->algo;
    const struct cs_algo *algo = cs_algo_find(name, cs_collective_find(collective));
    struct cs_call call = {.ranks = machine->graph.rank_count,
                           .elements = UINT64_C(720720) * 64,
                           .element_bytes = 4,
                           .group = group_of(&machine->graph),
                           .chunks = run->chunks};
    struct cs_program program;
    uint64_t time_ps;

    if (algo->takes_rings)
        call.rings = cs_rings_of_machine(&machine->net, call.ranks, call.group, &machine->arena);
    if (cs_algo_check(algo, &call, NULL))
        return 0;
    cs_algo_resolve(algo, &call, &(struct cs_hockney){1, 1, 0});
    program = cs_algo_program(algo, &call);
    time_ps = machine_run(machine, &program, run->model).time_ps;
    if ((double)time_ps + 1e4 < 1e12 * machine_bound(machine, algo, &call).time_s)
        fail_msg("%s: %s beats the lower bound", machine->graph.name, name);
    return time_ps;
}

/* Every library that calls the machine's devices chooses the same, and as fast. */
static void compare_calls(struct machine *machine, struct machine *back)
{
    static const uint64_t sizes[] = {1 << 10, 1 << 20, 64 << 20};
    struct cs_site of, read;

    if (cs_site_read(&machine->graph, &machine->arena, &of, NULL))
        return;
    read = machine_site(back, "read back");
    for (size_t i = 0; i < cs_library_count * 3; i++) {
        const struct cs_library *library = cs_libraries[i / 3];
        struct cs_library_request request = {.site = &of,
                                             .collective = &cs_collective_allreduce,
                                             .bytes = sizes[i % 3],
                                             .effects = CS_EFFECTS_ALL};
        struct cs_library_time time, back_time;

        if (library->time(&request, &time, NULL))
            continue;
        request.site = &read;
        assert_int_equal(library->time(&request, &back_time, NULL), 0);
        /* Rates are written as decimal numbers and divided by efficiencies. */
        if (!(fabs(time.total_s - back_time.total_s) <= 1e-12 * time.total_s) ||
            strcmp(time.engine, back_time.engine) != 0)
            fail_msg("%s as yaml: %s takes %.9g s by %s, read back %.9g s by %s",
                     machine->graph.name, library->name, time.total_s, time.engine,
                     back_time.total_s, back_time.engine);
    }
}

static void compare(struct machine *machine, struct machine *back, const char *format,
                    const char *notes)
{
    static const struct read_back_run runs[] = {{"all-reduce", "ring", "fifo", 0},
                                                {"all-reduce", "multi-ring", "fifo", 0},
                                                {"all-to-all", "pairwise", "fifo", 0},
                                                {"all-reduce", "multi-ring", "fluid", 8},
                                                {"all-reduce", "hierarchical", "fluid", 8}};
    bool is_own = !strcmp(format, "yaml");
    bool is_noted = strstr(notes, "in this file") || strstr(notes, "links are omitted");

    if (back->graph.rank_count != machine->graph.rank_count)
        fail_msg("%s as %s: %u ranks, not %u", machine->graph.name, format, back->graph.rank_count,
                 machine->graph.rank_count);
    if (is_own && is_noted)
        fail_msg("%s as yaml: %s", machine->graph.name, notes);
    if (is_own)
        compare_calls(machine, back);
    for (size_t i = 0; i < (is_own ? sizeof(runs) / sizeof(*runs) : 3); i++) {
        uint64_t of_ps = time_of(machine, &runs[i]);
        uint64_t back_ps = time_of(back, &runs[i]);

        if (of_ps != back_ps && !is_noted)
            fail_msg("%s as %s: %s %" PRIu64 " ps, read back %" PRIu64
                     " ps, and no note says so: %s",
                     machine->graph.name, format, runs[i].algo, of_ps, back_ps, notes);
    }
}

/* 1 when the format can hold the machine. */
static uint32_t check_format(struct machine *machine, const struct cs_writer *writer)
{
    struct cs_topo_request request = {.spec = writer->prefix};
    CS_AT_END(cs_text_free) struct cs_text text = {0}, notes = {0};
    struct machine back = {0};
    struct cs_err err = {0};
    int code = cs_read_back_write(writer, &machine->graph, &text, &notes, &err);

    if (!code) {
        if (cs_topo_read(&request, (struct cs_doc_text){"written", cs_text_str(&text), text.length},
                         &back.graph, &back.arena, &err))
            fail_msg("%s as %s: %s", machine->graph.name, writer->name, err.text);
        cs_lower(&back.graph, &back.net, &back.arena);
        compare(machine, &back, writer->name, cs_text_str(&notes));
        machine_close(&back);
    }
    assert_true(code == 0 || (code == CS_EINPUT && *err.text));
    return code == 0;
}

/* Machines of two ranks or more, and few enough for a short test. */
static uint32_t check_machine(const char *spec)
{
    enum {
        RANKS_MAX = 36
    };
    struct cs_topo_request request = {.spec = spec};
    CS_AT_END(machine_close) struct machine machine = {0};
    uint32_t held = 0;

    if (!cs_topo_open(&request, &machine.graph, &machine.arena, NULL) &&
        machine.graph.rank_count > 1 && machine.graph.rank_count <= RANKS_MAX) {
        cs_lower(&machine.graph, &machine.net, &machine.arena);
        for (size_t w = 0; w < cs_writer_count; w++)
            if (cs_writers[w]->prefix)
                held += check_format(&machine, cs_writers[w]);
    }
    return held;
}

TEST(a_machine_reads_back_to_the_same_times)
{
    uint32_t held = 0;

    for (size_t i = 0; i < cs_machine_file_count; i++)
        if (fixture_takes(i))
            held += check_machine(cs_machine_files[i].name);
    assert_true(held > fixture_trials(200));
}

/* A third of the library, another one with another seed, on each fabric in turn. */
TEST(clusters_read_back_to_the_same_times)
{
    uint32_t held = 0;
    char spec[160];

    for (size_t i = fixture_seed() % 3, f = fixture_seed(); i < cs_machine_file_count; i += 3) {
        const char *fabric = cs_fabric_kinds[f++ % cs_fabric_kind_count]->name;
        uint32_t nodes = i % 2 ? 2 : 4;

        (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=%u,fabric=%s",
                       cs_machine_files[i].name, nodes, fabric);
        if (!strcmp(fabric, "torus"))
            (void)snprintf(spec + strlen(spec), 40, ",dims=%u", nodes);
        held += check_machine(spec);
    }
    assert_true(held > 50);
}

TEST(generated_machines_read_back_to_the_same_times)
{
    static const char *const specs[] = {
        "switch:ranks=6,gamma=7GB/s,overhead=1us",
        "switch:ranks=5,duplex=half",
        "bus:ranks=4",
        "mesh:ranks=5",
        "ring:ranks=7",
        "fat-tree:ranks=16,radix=4",
        "dragonfly:ranks=24",
        "torus:dims=3x4",
        "hypercube:ranks=8",
        "cluster:node=p5en,nodes=2,fabric=hypercube", /* ports of two NICs, between NICs */
    };

    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++)
        assert_true(check_machine(specs[i]) >= 2);
}

/* ---- routings ---- */

enum {
    PAIRS = 64, /* of ranks, drawn */
    SERVERS = 3,
};

static void open_routed(struct machine *machine, const struct cs_topo_request *request,
                        const struct cs_text *file)
{
    struct cs_err err = {0};
    int code = file ? cs_topo_read(request,
                                   (struct cs_doc_text){"written", cs_text_str(file), file->length},
                                   &machine->graph, &machine->arena, &err)
                    : cs_topo_open(request, &machine->graph, &machine->arena, &err);

    if (code)
        fail_msg("%s: %s", request->spec, err.text);
    cs_lower(&machine->graph, &machine->net, &machine->arena);
}

/* Routes of drawn pairs, each of several where messages may choose. */
static void compare_routes(struct machine *of, struct machine *back, struct cs_random *random)
{
    uint32_t *links[2] = {
        cs_arena_alloc(&of->arena, of->net.max_hops + 1, sizeof(uint32_t)),
        cs_arena_alloc(&of->arena, back->net.max_hops + 1, sizeof(uint32_t)),
    };

    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t src = (uint32_t)cs_random_below(random, of->graph.rank_count);
        uint32_t dst = (uint32_t)cs_random_below(random, of->graph.rank_count);
        uint32_t hops;

        if (of->net.choice)
            *of->net.choice = *back->net.choice =
                (struct cs_route_choice){.by = CS_CHOOSE_NUMBER, .number = i};
        hops = of->net.route(of->net.route_ctx, src, dst, links[0]);
        assert_int_equal(back->net.route(back->net.route_ctx, src, dst, links[1]), hops);
        assert_memory_equal(links[0], links[1], hops * sizeof(**links));
    }
}

/* Above the ranks of which routes are written: the same machine for every routing, with
 * its servers. */
TEST(large_generated_machines_read_back_for_every_routing)
{
    static const char *const specs[] = {
        "cluster:node=dgx-h100,nodes=66,fabric=rail,pxn=off",
        "cluster:node=mi300x,nodes=72,fabric=dragonfly+",
        "cluster:node=dgx-a100+hgx-a100-4,nodes=64+8,link=ib-hdr,fabric=fat-tree,radix=32",
        "fat-tree:ranks=600,radix=16",
        "dragonfly:ranks=600",
        "switch:ranks=513,gamma=7GB/s",
    };
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("routings");

    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
        struct machine machine = {0}, back = {0};
        CS_AT_END(cs_text_free) struct cs_text text = {0}, notes = {0};
        struct cs_topo_request request = {.spec = specs[i]};

        open_routed(&machine, &request, NULL);
        assert_done(cs_read_back_write(cs_writers[0], &machine.graph, &text, &notes, &err));
        assert_string_equal(cs_text_str(&notes), "");
        machine_close(&machine);
        machine = (struct machine){0};
        request.routing = (enum cs_routing)cs_random_below(random, CS_ROUTINGS);
        request.agents = SERVERS;
        open_routed(&machine, &request, NULL);
        request.spec = "yaml:";
        open_routed(&back, &request, &text);
        assert_int_equal(back.graph.rank_count, machine.graph.rank_count);
        assert_memory_equal(back.graph.agent_device, machine.graph.agent_device,
                            SERVERS * sizeof(uint32_t));
        compare_routes(&machine, &back, random);
        machine_close(&back);
        machine_close(&machine);
    }
}

/* A file of few ranks lists them, and a note has what it lacks. */
MACHINE_TEST(a_list_of_a_generated_machine_names_the_generator)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0}, notes = {0};

    machine_open(machine, "cluster:node=dgx-h100,nodes=4,fabric=rail", 0, 0);
    assert_done(cs_read_back_write(cs_writers[0], &machine->graph, &text, &notes, &err));
    assert_non_null(strstr(cs_text_str(&notes), "no routes for --routing ecmp"));
    assert_non_null(
        strstr(cs_text_str(&notes), "--topo 'cluster:node=dgx-h100,nodes=4,fabric=rail'"));
}
