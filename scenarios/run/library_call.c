#include "scenarios/run/library_call.h"

#include "algorithms/libraries/profile.h"
#include "algorithms/libraries/settings.h"
#include "algorithms/libraries/site/node.h"
#include "scenarios/run/case/closed_form.h"
#include "scenarios/run/open.h"
#include "scenarios/run/open_settings.h"
#include "scenarios/run/record/record.h"
#include "sim/base/random.h"
#include "sim/base/units.h"
#include "topo/graph/equal_wires.h"

#include <math.h>
#include <string.h>

/* ---- request ---- */

enum {
    HOST_GPUS_MAX = 16, /* an NVLink domain of more GPUs has several hosts */
};

/* nccl-tests on a node is one process by habit (-g 8); mpirun starts a process
 * per GPU on several.  A rank of MPI or Gloo is a process. */
static bool call_is_one_process(const struct cs_scenario *scenario, const struct cs_site *site)
{
    enum cs_call_launch launch = scenario->launch;

    if (launch == CS_CALL_ONE_PROCESS || launch == CS_CALL_PROCESS_PER_GPU)
        return launch == CS_CALL_ONE_PROCESS;
    return scenario->by.library->launches_kernels && site->nodes == 1 &&
           site->node_ranks <= HOST_GPUS_MAX;
}

static enum cs_call_launch call_launch(const struct cs_scenario *scenario,
                                       const struct cs_site *site)
{
    if (scenario->launch != CS_CALL_BY_NODES)
        return scenario->launch;
    return call_is_one_process(scenario, site) ? CS_CALL_ONE_PROCESS : CS_CALL_PROCESS_PER_GPU;
}

struct cs_library_request cs_library_calls_request(const struct cs_library_calls *calls,
                                                   uint64_t bytes, const char *engine)
{
    const struct cs_scenario *scenario = calls->run.which->scenario;
    struct cs_library_request request = {
        .site = &calls->site,
        .plan = calls->run.machine->has_hidden ? &calls->planned : NULL,
        .collective = scenario->collective,
        .bytes = bytes,
        .version = scenario->by.version,
        .engine = engine,
        .protocol = scenario->protocol,
        .graph = scenario->launch == CS_CALL_GRAPH,
        .one_process = call_is_one_process(scenario, &calls->site),
        .blocking = scenario->launch == CS_CALL_BLOCKING,
        .device_buffers = calls->site.maker != CS_MAKER_HOST,
        .effects = CS_EFFECTS_ALL,
    };

    cs_profile_apply(scenario->by.profile, &request);
    return request;
}

/* ---- bound ---- */

/* NVLS and CollNet reduce inside switches, which moves fewer bytes than the
 * bound of schedules of ranks alone. */
static bool call_is_in_network(const char *engine)
{
    return !strncmp(engine, "nvls", strlen("nvls")) ||
           !strncmp(engine, "collnet", strlen("collnet"));
}

static struct cs_bounds call_bounds(const struct cs_library_calls *calls, const char *engine)
{
    static const struct cs_bound none = {0, "buffers in host memory use no link of a GPU"};
    struct cs_bounds bounds;

    if (calls->leaves_gpus)
        return (struct cs_bounds){none, none};
    bounds = cs_run_bounds(&calls->run);
    if (call_is_in_network(engine))
        bounds.own = bounds.machine;
    return bounds;
}

/* A cost model has rates and latencies of many machines: on one with slower
 * links, or with calls that overlap in nccl-tests, a single call takes the bound.
 * The difference counts as transfer, and the interval ends as far above the time as it
 * did.  That of other calls may begin below the bound: some measured machines are faster
 * than described. */
static bool call_raise(const struct cs_bound *bound, struct cs_library_time *time)
{
    if (!(time->total_s < bound->time_s))
        return false;
    time->transfer_s += bound->time_s - time->total_s;
    time->high_s *= bound->time_s / time->total_s;
    time->low_s = fmax(time->low_s, bound->time_s);
    time->total_s = bound->time_s;
    return true;
}

/* ---- record ---- */

static uint64_t call_ps(double seconds)
{
    return seconds > 0 ? (uint64_t)llround(seconds * 1e12) : 0;
}

/* Equal calls of equal machines have equal figures, whatever the name of the
 * machine's file; 0 is "not computed". */
static uint64_t call_fingerprint(const struct cs_library_time *time, double bound_s)
{
    const double figures[] = {time->total_s, time->low_s, time->high_s, (double)time->channels,
                              bound_s};
    uint64_t hash = 1;

    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
        uint64_t bits;

        memcpy(&bits, &figures[i], sizeof(bits));
        hash = cs_mix64(hash ^ cs_mix64(bits));
    }
    return hash ? hash : 1;
}

/* The launch of a library that starts kernels, the settings and the faults as
 * given. */
static void call_add_parameters(const struct cs_library_calls *calls, struct cs_record *record)
{
    const struct cs_scenario *scenario = calls->run.which->scenario;
    const struct cs_settings *settings = scenario->settings;
    const struct cs_faults *faults = &scenario->faults;
    uint32_t set = settings ? settings->count : 0;
    struct cs_arena *arena = calls->run.arena;
    struct cs_record_parameter *all = cs_arena_alloc(arena, 1 + set + faults->count, sizeof(*all));
    uint32_t count = 0;

    if (scenario->by.library->launches_kernels)
        all[count++] = (struct cs_record_parameter){
            "launch", cs_call_launch_names[call_launch(scenario, &calls->site) - CS_CALL_GRAPH],
            scenario->launch == CS_CALL_BY_NODES ? "library" : "user"};
    for (uint32_t i = 0; i < set; i++)
        all[count++] = (struct cs_record_parameter){
            settings->items[i].setting->name, strchr(settings->items[i].text, '=') + 1, "user"};
    for (uint32_t i = 0; i < faults->count; i++)
        all[count++] = (struct cs_record_parameter){"fault", faults->item[i].text, "user"};
    record->parameter = all;
    record->parameter_count = count;
    record->parameters = cs_record_join(all, count, arena);
}

static void call_add_rates(const struct cs_run *run, double total_s, struct cs_record *record)
{
    record->algbw_Bps = total_s > 0 ? (double)record->bytes / total_s : 0;
    record->busbw_Bps =
        record->algbw_Bps * cs_collective_bus_factor(run->call.collective, run->call.ranks);
}

static const char *call_network(const struct cs_library_calls *calls,
                                const struct cs_library_time *time)
{
    const struct cs_site *site = &calls->site;
    bool is_tcp = time->protocol && cs_same(time->protocol, "tcp");
    const struct cs_network_kind *network =
        &cs_networks[is_tcp ? cs_networks[site->net].tcp : site->net];

    return site->net == CS_NET_NONE
               ? ""
               : cs_arena_printf(calls->run.arena, "%s: %s%s", network->name, network->about,
                                 site->net_is_assumed ? ", assumed from the latency" : "");
}

static void call_record(const struct cs_library_calls *calls, const struct cs_library_time *time,
                        const struct cs_bounds *bounds, struct cs_record *record)
{
    const struct cs_run *run = &calls->run;

    cs_run_describe(run, record);
    record->library = run->which->scenario->library_name;
    record->model = record->library; /* figures have a curve per model */
    record->algorithm = time->engine;
    record->protocol = time->protocol;
    record->library_channels = time->channels;
    record->time_ps = call_ps(time->total_s);
    record->launch_ps = call_ps(time->launch_s);
    record->step_latency_ps = call_ps(time->latency_s);
    record->transfer_ps = call_ps(time->transfer_s);
    record->low_s = fmin(time->low_s, (double)record->time_ps * 1e-12); /* equal: of whole ps */
    record->high_s = time->high_s;
    record->own_estimate_s = time->by_plugin ? (double)NAN : time->tuner_s;
    record->unmodelled = time->unmodelled ? time->unmodelled : "";
    record->network = call_network(calls, time);
    record->closed_form_s = (double)NAN;
    cs_run_record_bounds(run, bounds, NULL, record);
    record->bottleneck = "";
    record->fingerprint = call_fingerprint(time, bounds->own.time_s);
    call_add_parameters(calls, record);
    call_add_rates(run, time->total_s, record);
}

/* ---- notes ---- */

static void call_note_version(const struct cs_library_choice *by, struct cs_text *notes)
{
    const struct cs_library *library = by->library;
    const char *note = library->note ? library->note(by->version) : NULL;

    if (note)
        cs_text_printf(notes, "%s\n", note);
    else if (by->version / 100 > library->newest / 100)
        cs_text_printf(notes, "%s of this version counts as %u.%u\n", library->name,
                       library->newest / 10000, library->newest / 100 % 100);
}

/* A fit says little about calls of other kinds. */
static void call_note_coverage(const struct cs_library_calls *calls, uint64_t bytes)
{
    const struct cs_scenario *scenario = calls->run.which->scenario;
    const struct cs_profile *profile = scenario->by.profile;
    struct cs_text *notes = calls->run.which->notes;
    const struct cs_profile_calls call = {scenario->collective, calls->site.nodes, bytes, bytes};

    if (!notes || cs_profile_covers(profile, &call))
        return;
    cs_text_printf(notes, "%s was fitted to other calls: ", profile->file);
    cs_profile_put_calls(profile->calls, profile->call_count, notes);
    cs_text_add(notes, "\n");
}

static void call_note(const struct cs_run *run, const struct cs_library_time *time, bool is_raised)
{
    struct cs_text *notes = run->which->notes;
    const struct cs_library *library = run->which->scenario->by.library;
    const char *name = library->name;

    if (!notes)
        return;
    cs_text_printf(
        notes, "a cost model of %s gives the times, no simulation; %s\n", name,
        library->is_untested
            ? "no published measurement tests the model, and the interval is assumed"
            : "90 % of published measurements that the model has not seen lie from low to high");
    call_note_version(&run->which->scenario->by, notes);
    if (time->unmodelled)
        cs_text_printf(notes, "%s may choose %s, which is not modelled\n", name, time->unmodelled);
    if (time->remark)
        cs_text_printf(notes, "%s\n", time->remark);
    if (is_raised)
        cs_text_printf(notes, "a time of the cost model was below the lower bound of the machine's "
                              "links, and is the bound\n");
}

/* ---- calls ---- */

/* A cost model has no time at which a link could fail. */
static int call_check_faults(const struct cs_scenario *scenario, struct cs_err *err)
{
    for (uint32_t i = 0; i < scenario->faults.count; i++)
        if (scenario->faults.item[i].at_ps)
            return cs_err_set(err, CS_EINPUT,
                              "--fault %s: a cost model of a library has no point in time; "
                              "expected a fault without '@'",
                              scenario->faults.item[i].text);
    return 0;
}

static int calls_open(const struct cs_case *which, bool healthy, struct cs_arena *arena,
                      struct cs_library_calls *calls, struct cs_err *err)
{
    const struct cs_scenario *scenario = which->scenario;
    int code;

    *calls =
        (struct cs_library_calls){.run = {.which = which,
                                          .arena = arena,
                                          .err = err,
                                          .healthy = healthy,
                                          .replicas_from = cs_machines_replicas_from(scenario)}};
    calls->run.machines =
        scenario->machines ? scenario->machines : cs_machines_of_run(scenario, arena);
    cs_machines_forget(calls->run.machines, which->ranks);
    code = call_check_faults(scenario, err);
    if (!code)
        code = cs_run_open_machine(&calls->run, 0);
    if (code)
        return code;
    calls->run.call = (struct cs_call){
        .collective = scenario->collective,
        .ranks = calls->run.graph.rank_count,
        .element_bytes = scenario->dtype->bytes,
    };
    code = cs_slowed_site_read(&calls->run, &calls->planned, &calls->site);
    calls->leaves_gpus = scenario->buffers == CS_BUFFERS_HOST && calls->site.maker != CS_MAKER_HOST;
    if (calls->leaves_gpus)
        calls->site.maker = calls->planned.maker = CS_MAKER_HOST;
    if (!code && scenario->settings) {
        cs_settings_apply(scenario->settings, CS_EFFECTS_ALL, &calls->site);
        cs_settings_apply(scenario->settings, CS_EFFECTS_ALL, &calls->planned);
    }
    return code;
}

int cs_library_calls_open(const struct cs_case *which, struct cs_arena *arena,
                          struct cs_library_calls *calls, struct cs_err *err)
{
    return calls_open(which, false, arena, calls, err);
}

int cs_library_call_time(struct cs_library_calls *calls, uint64_t bytes, const char *engine,
                         struct cs_library_answer *answer)
{
    struct cs_run *run = &calls->run;
    const struct cs_library *library = run->which->scenario->by.library;
    struct cs_library_request request = cs_library_calls_request(calls, bytes, engine);
    int code = library->time(&request, &answer->time, run->err);

    if (code)
        return code;
    run->call.elements = bytes / run->call.element_bytes;
    answer->bounds = call_bounds(calls, answer->time.engine);
    answer->is_raised = call_raise(&answer->bounds.own, &answer->time);
    return 0;
}

static void call_add_open(const struct cs_library_calls *calls, uint64_t bytes, const char *engine,
                          const struct cs_library_answer *answer, struct cs_record *record)
{
    struct cs_library_request request = cs_library_calls_request(calls, bytes, engine);
    const char *open[CS_OPEN_SETTINGS] = {"", ""};

    if (!answer->is_raised)
        cs_open_settings(calls->run.which->scenario, &request, answer->time.total_s,
                         calls->run.arena, open);
    record->matters_most = open[0];
    record->matters_next = open[1];
}

/* An engine that the faults take away has no time without them. */
static void call_add_healthy(struct cs_library_calls *calls, uint64_t bytes, const char *engine,
                             struct cs_record *record)
{
    struct cs_run *run = &calls->run;
    struct cs_library_answer answer;
    struct cs_err *ignored;
    struct cs_case *which;

    if (!run->which->scenario->faults.count)
        return;
    if (!calls->healthy) {
        ignored = cs_arena_alloc(run->arena, 1, sizeof(*ignored));
        which = cs_arena_alloc(run->arena, 1, sizeof(*which));
        *which = *run->which;
        which->notes = NULL;
        calls->healthy = cs_arena_alloc(run->arena, 1, sizeof(*calls->healthy));
        if (calls_open(which, true, run->arena, calls->healthy, ignored))
            return;
    }
    if (!calls->healthy->run.call.collective ||
        cs_library_call_time(calls->healthy, bytes, engine, &answer))
        return;
    record->healthy_s = answer.time.total_s;
    record->slowdown = (double)record->time_ps / (double)call_ps(answer.time.total_s);
}

int cs_library_call(struct cs_library_calls *calls, uint64_t bytes, const char *engine,
                    struct cs_record *record)
{
    struct cs_library_answer answer;
    int code = cs_library_call_time(calls, bytes, engine, &answer);

    if (code)
        return code;
    call_record(calls, &answer.time, &answer.bounds, record);
    call_add_open(calls, bytes, engine, &answer, record);
    call_add_healthy(calls, bytes, engine, record);
    call_note(&calls->run, &answer.time, answer.is_raised);
    call_note_coverage(calls, bytes);
    return 0;
}

/* ---- slowed sites ---- */

/* Marks the wires of the route between two ranks. */
static void slowed_mark_route(const struct cs_run *run, uint32_t src, uint32_t dst, uint32_t *links,
                              bool *used)
{
    const struct cs_net *net = &run->plan_net;
    uint32_t hops = net->route(net->route_ctx, src, dst, links);

    for (uint32_t i = 0; i < hops; i++)
        if (links[i] / 2 < run->graph.wire_count)
            used[links[i] / 2] = true;
}

/* The wires of a library's traffic: between neighbours, between equal GPUs of
 * neighbouring nodes, and the GPU links of the ranks. */
static bool *slowed_used_wires(const struct cs_run *run, uint32_t node_ranks)
{
    const struct cs_graph *graph = &run->graph;
    uint32_t ranks = graph->rank_count;
    uint32_t *links = cs_arena_alloc(run->arena, run->plan_net.max_hops + 1, sizeof(*links));
    bool *computes = cs_arena_alloc(run->arena, graph->device_count, sizeof(*computes));
    bool *used = cs_arena_alloc(run->arena, graph->wire_count, sizeof(*used));

    for (uint32_t r = 0; r < ranks; r++) {
        computes[graph->rank_device[r]] = true;
        slowed_mark_route(run, r, (r + 1) % ranks, links, used);
        slowed_mark_route(run, r, (r + node_ranks) % ranks, links, used);
    }
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        used[w] = used[w] || (cs_site_is_link(wire) && (computes[wire->a] || computes[wire->b]));
    }
    return used;
}

/* Gives every wire the least share of the equal wires in use. */
static void slowed_spread(const struct cs_run *run, const bool *used, struct cs_graph *graph)
{
    double *share = cs_arena_alloc(run->arena, graph->wire_count, sizeof(*share));
    uint32_t v, w;

    for (w = 0; w < graph->wire_count; w++)
        share[w] = 1;
    for (w = 0; w < graph->wire_count; w++) {
        double least =
            run->graph.wires[w].efficiency / run->machine->plan_graph.wires[w].efficiency;

        for (v = 0; used[w] && least < share[w] && v < graph->wire_count; v++)
            if (least < share[v] && cs_wires_are_equal(graph, v, w) && v != w)
                share[v] = least;
        if (used[w] && least < share[w])
            share[w] = least;
    }
    /* The rate, as the efficiency also counts as the share of payload. */
    for (w = 0; w < graph->wire_count; w++)
        graph->wires[w].rate_Bps *= share[w];
}

int cs_slowed_site_read(const struct cs_run *run, struct cs_site *planned, struct cs_site *site)
{
    struct cs_graph graph, slowed;
    int code;

    if (!run->machine->has_hidden) {
        code = cs_site_read(&run->graph, run->arena, site, run->err);
        *planned = *site;
        return code;
    }
    cs_graph_share(&run->machine->plan_graph, &graph, run->arena);
    graph.rank_count = run->graph.rank_count;
    graph.rank_device = run->graph.rank_device;
    code = cs_site_read(&graph, run->arena, planned, run->err);
    if (code)
        return code;
    cs_graph_copy(&graph, &slowed, run->arena);
    slowed_spread(run, slowed_used_wires(run, planned->node_ranks), &slowed);
    return cs_site_read(&slowed, run->arena, site, run->err);
}
