/*
 * A faster machine, or fewer bytes, make no simulated run slower: random machines,
 * with a slow link or without, every algorithm and collective without agents, every
 * routing, models that queue, that share and of packets.
 *
 * Algorithms have the same parameters in both runs.  Routes and the order of messages
 * may change for the worse: such a run is one that the program names (service_log.h),
 * by the message that is the first to be late.
 */
#include "sim/watch/service_log.h"

#include "tests/fixture.h"

enum {
    FASTER_MACHINES = 120,
    FASTER_CALLS = 12, /* of a machine, each with all changes and models */
    FASTER_SPEC = 160,
};

struct faster_run {
    struct cs_random *random;
    char spec[FASTER_SPEC];
    enum cs_routing routing;
    struct cs_paths paths;
    struct machine machine;
    struct cs_net faster; /* of the machine with faster links */
    struct cs_graph graph;
    char change[FASTER_SPEC];
    uint32_t slower;
};

static uint32_t draw_below(struct faster_run *run, uint32_t limit)
{
    return (uint32_t)cs_random_below(run->random, limit);
}

static double draw_between(struct faster_run *run, double low, double high)
{
    return low + (high - low) * cs_random_unit(run->random);
}

/* ---- machines ---- */

static void draw_machine(struct faster_run *run)
{
    static const char *const shapes[] = {
        "switch:ranks=%u",
        "ring:ranks=%u",
        "bus:ranks=%u",
        "mesh:ranks=%u",
        "torus:dims=%ux3",
        "torus:dims=%ux2x2",
        "dgx-1",
        "mi210",
        "pcie-4gpu",
        "cluster:node=rtx3090,nodes=2,fabric=star",
        "perlmutter",
        "rtx4090",
        "cluster:node=dgx-1,nodes=2,fabric=fat-tree,radix=4,oversubscription=2",
        "cluster:node=perlmutter,nodes=3,fabric=star",
    };
    uint32_t shape = draw_below(run, sizeof(shapes) / sizeof(*shapes));
    uint32_t ranks = 2 + draw_below(run, shape >= 4 ? 4 : 8);
    int length = snprintf(run->spec, FASTER_SPEC, shapes[shape], ranks);

    if (shape < 6 && draw_below(run, 2))
        (void)snprintf(run->spec + length, (size_t)(FASTER_SPEC - length),
                       ",latency=%.2fus,bandwidth=%.1fGB/s,gamma=%.1fGB/s", draw_between(run, 0, 8),
                       draw_between(run, 1, 50), draw_between(run, 1, 400));
}

/* The machine's graph with wires of its own. */
static void copy_wires(struct faster_run *run, const struct cs_graph *graph, struct cs_graph *copy)
{
    struct cs_wire *wires =
        cs_arena_alloc(&run->machine.arena, graph->wire_count, sizeof(*graph->wires));

    memcpy(wires, graph->wires, graph->wire_count * sizeof(*wires));
    *copy = *graph;
    copy->wires = wires;
}

static void open_machine(struct faster_run *run)
{
    static const enum cs_paths_how hows[CS_ROUTINGS] = {
        [CS_ROUTING_SPRAY] = CS_PATHS_SPRAYED, [CS_ROUTING_ADAPTIVE] = CS_PATHS_LEAST_LOADED};
    struct cs_topo_request request = {.spec = run->spec, .seed = draw_below(run, 9)};
    struct cs_graph *graph = &run->machine.graph;

    run->routing = request.routing = (enum cs_routing)draw_below(run, CS_ROUTINGS);
    run->paths = (struct cs_paths){.how = hows[run->routing], .seed = request.seed};
    run->machine = (struct machine){0};
    assert_done_of(run->spec, cs_topo_open(&request, graph, &run->machine.arena, &err));
    if (!draw_below(run, 3)) { /* a slow link */
        copy_wires(run, graph, graph);
        graph->wires[draw_below(run, graph->wire_count)].rate_Bps *= draw_between(run, .05, .95);
    }
    cs_lower(graph, &run->machine.net, &run->machine.arena);
}

/* A link, links of one class, or all, with a greater rate or a shorter latency. */
static void draw_faster(struct faster_run *run)
{
    const struct cs_graph *graph = &run->machine.graph;
    uint32_t of = draw_below(run, graph->wire_count), which = draw_below(run, 3);
    double rate = draw_below(run, 2) ? draw_between(run, 1, 4) : 1;
    double latency = rate > 1 ? 1 : draw_below(run, 4) ? draw_between(run, 0, 1) : 0;

    copy_wires(run, graph, &run->graph);
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire *wire = &run->graph.wires[w];

        if ((which == 1 && strcmp(graph->wires[of].class_name, wire->class_name) != 0) ||
            (which == 2 && w != of))
            continue;
        wire->rate_Bps *= rate;
        wire->latency_ps = (uint64_t)((double)wire->latency_ps * latency);
    }
    cs_lower(&run->graph, &run->faster, &run->machine.arena);
    (void)snprintf(run->change, FASTER_SPEC, "%s rate x %.3g, latency x %.3g",
                   which ? graph->wires[of].class_name : "all", rate, latency);
}

/* ---- runs ---- */

/* The calls before and after, and the net after. */
struct faster_pair {
    const struct cs_algo *algo;
    const struct cs_call *before, *after;
    const struct cs_net *net;
    const char *model, *change;
};

static struct cs_exec_result run_logged(const struct faster_run *run,
                                        const struct faster_pair *pair, bool is_after,
                                        struct cs_service_log *log, struct cs_arena *arena)
{
    const struct cs_net *net = is_after ? pair->net : &run->machine.net;
    struct cs_program program = cs_algo_program(pair->algo, is_after ? pair->after : pair->before);
    const struct cs_exec_watch watch = {.carried = cs_service_log_carried, .ctx = log};
    const struct cs_exec_request request = {.program = &program,
                                            .net = net,
                                            .model = cs_link_model_find(pair->model),
                                            .routing = &run->paths,
                                            .watch = log ? &watch : NULL};
    struct cs_exec_result result;

    if (log)
        cs_service_log_open(log, net, request.model);
    assert_done(cs_exec_run_watched(&request, arena, &result, &err));
    return result;
}

static enum cs_service_changed find_change(const struct faster_run *run,
                                           const struct faster_pair *pair, struct cs_arena *arena)
{
    CS_AT_END(cs_service_log_free) struct cs_service_log before, after;
    enum cs_service_changed what;

    run_logged(run, pair, false, &before, arena);
    run_logged(run, pair, true, &after, arena);
    what = cs_service_log_find(&before, &after).what;
    return what;
}

static void check_pair(struct faster_run *run, const struct faster_pair *pair)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_exec_result before = run_logged(run, pair, false, NULL, &arena);
    struct cs_exec_result after = run_logged(run, pair, true, NULL, &arena);
    bool flows = !strcmp(pair->model, "fluid") || !strcmp(pair->model, "simgrid");

    /* Services round monotonically; ends of flows are rounded at every change of rates. */
    if (after.time_ps > before.time_ps + (flows ? 1000 + 2 * after.messages : 0)) {
        run->slower++;
        if (!find_change(run, pair, &arena))
            fail_msg("%s, routing %d, %s, %s %s, chunks %u, %" PRIu64 " elements, then %" PRIu64
                     ", %s: %" PRIu64 " ps, then %" PRIu64 " (seed %" PRIu64 ")",
                     run->spec, run->routing, pair->model, pair->algo->collective->name,
                     pair->algo->name, pair->before->chunks, pair->before->elements,
                     pair->after->elements, pair->change, before.time_ps, after.time_ps,
                     fixture_seed());
    }
}

/* False for an algorithm that does not take the machine's ranks. */
static bool draw_call(struct faster_run *run, const struct cs_algo *algo, struct cs_call *call)
{
    struct cs_hockney hockney = {2e-6, 25e9, 0};
    uint64_t elements = (uint64_t)exp(draw_between(run, log(64), log(1e6)));

    *call = (struct cs_call){.ranks = run->machine.graph.rank_count,
                             .elements = elements,
                             .element_bytes = 4,
                             .chunks = draw_below(run, 2) ? 1 + draw_below(run, 8) : 0};
    if (cs_algo_check(algo, call, NULL) && algo->moves_blocks)
        call->elements -= elements % call->ranks;
    if (algo->agents || cs_algo_check(algo, call, NULL))
        return false;
    cs_algo_resolve(algo, call, &hockney);
    return !cs_algo_check(algo, call, NULL);
}

/* Fewer elements, with the blocks of the call. */
static bool draw_fewer(struct faster_run *run, const struct cs_algo *algo,
                       const struct cs_call *call, struct cs_call *fewer)
{
    uint64_t blocks = cs_algo_program(algo, call).blocks;
    uint64_t whole = call->elements / blocks;
    double share = draw_below(run, 4) ? cs_random_unit(run->random) : 0;

    *fewer = *call;
    fewer->elements = (1 + (uint64_t)((double)whole * share)) * blocks;
    if (!algo->moves_blocks && draw_below(run, 2)) /* blocks that differ by an element */
        fewer->elements += draw_below(run, (uint32_t)blocks);
    return fewer->elements <= call->elements && !cs_algo_check(algo, fewer, NULL);
}

static void check_call(struct faster_run *run, const struct cs_algo *algo)
{
    static const char *const models[] = {"postal", "fluid", "fifo", "packet", "simgrid"};
    struct cs_call call, fewer;
    bool shrinks;

    if (!draw_call(run, algo, &call))
        return;
    shrinks = draw_fewer(run, algo, &call, &fewer);
    draw_faster(run);
    for (size_t m = 0; m < sizeof(models) / sizeof(*models); m++) {
        check_pair(run,
                   &(struct faster_pair){algo, &call, &call, &run->faster, models[m], run->change});
        if (shrinks)
            check_pair(run, &(struct faster_pair){algo, &call, &fewer, &run->machine.net, models[m],
                                                  "fewer bytes"});
    }
}

TEST(faster_machines_and_fewer_bytes_slow_no_run)
{
    struct faster_run run = {.random = cs_random_open(fixture_seed(), "faster runs")};

    for (int m = 0; m < FASTER_MACHINES; m++) {
        draw_machine(&run);
        open_machine(&run);
        for (int c = 0; c < FASTER_CALLS; c++)
            check_call(&run, cs_algos[draw_below(&run, (uint32_t)cs_algo_count)]);
        machine_close(&run.machine);
    }
    cs_random_close(run.random);
    /* Orders that are worse are few, and some. */
    assert_true(run.slower > 0);
}
