#include "scenarios/run/machine/machine.h"

#include "algorithms/bounds/used_links.h"
#include "topo/graph/lower.h"
#include "topo/graph/route.h"
#include "topo/placement/fault.h"

#include <stdlib.h>
#include <string.h>

/* A machine that was derived from an opening, for requests equal to this one. */
struct derived_machine {
    struct derived_machine *next;
    struct cs_machine_request request;
    bool replicated;
    struct cs_machine machine;
    int code; /* derived once, failed once: with the error */
    struct cs_err err;
};

/* The graph of a specification, as its source made it. */
struct machine_opening {
    struct machine_opening *next;
    struct cs_arena own;
    struct cs_arena *arena; /* `own`, or that of the run */
    struct cs_topo_request request;
    struct cs_graph graph;
    struct cs_graph full; /* of a replicated graph, when first requested */
    bool has_full;
    int code;
    struct cs_err err;
    struct derived_machine *derived;
};

struct cs_machines {
    const struct cs_scenario *scenario;
    struct cs_arena *arena;
    bool owns; /* openings have arenas of their own */
    struct machine_opening *openings;
    uint32_t opening_count;
    uint32_t widest; /* the largest number of ranks; UINT32_MAX: all */
};

static struct cs_machines *machines_new(const struct cs_scenario *scenario, struct cs_arena *arena,
                                        bool owns)
{
    struct cs_machines *machines = cs_arena_alloc(arena, 1, sizeof(*machines));

    *machines = (struct cs_machines){.scenario = scenario, .arena = arena, .owns = owns};
    return machines;
}

struct cs_machines *cs_machines_create(const struct cs_scenario *scenario, struct cs_arena *arena)
{
    return machines_new(scenario, arena, true);
}

struct cs_machines *cs_machines_of_run(const struct cs_scenario *scenario, struct cs_arena *arena)
{
    return machines_new(scenario, arena, false);
}

static void machines_free(struct machine_opening *opening)
{
    cs_arena_free(&opening->own);
    free(opening);
}

void cs_machines_destroy(struct cs_machines *machines)
{
    struct machine_opening *opening = machines->openings;

    while (opening) {
        struct machine_opening *next = opening->next;

        machines_free(opening);
        opening = next;
    }
    machines->openings = NULL;
}

static uint32_t machines_width(uint32_t ranks)
{
    return ranks ? ranks : UINT32_MAX;
}

void cs_machines_forget(struct cs_machines *machines, uint32_t ranks)
{
    struct machine_opening **at = &machines->openings;

    while (*at && machines->owns) {
        struct machine_opening *opening = *at;

        if (opening->request.ranks == ranks ||
            machines_width(opening->request.ranks) == machines->widest) {
            at = &opening->next;
            continue;
        }
        *at = opening->next;
        machines_free(opening);
    }
}

uint32_t cs_machines_openings(const struct cs_machines *machines)
{
    return machines->opening_count;
}

/* ---- openings ---- */

enum {
    REPLICAS_FROM = 1 << 11 /* ranks; below, all devices fit in memory */
};

uint32_t cs_machines_replicas_from(const struct cs_scenario *scenario)
{
    if (scenario->fold == CS_FOLD_OFF || scenario->memory || scenario->trace ||
        scenario->per_rank || scenario->transport || scenario->faults.count ||
        scenario->jitter.term_count || scenario->jitter.straggler_count ||
        scenario->other_jobs.count || scenario->model->ignores_links ||
        scenario->model->is_compat || scenario->placement != CS_PLACE_PACKED ||
        scenario->ring_order)
        return 0;
    /* Bounds of few ranks need the wires of every node. */
    return scenario->fold == CS_FOLD_ON ? CS_USED_LINKS_PARTIES + 1 : REPLICAS_FROM;
}

static struct cs_topo_request topo_request(const struct cs_machines *machines,
                                           const struct cs_machine_request *request,
                                           uint32_t agents)
{
    const struct cs_scenario *scenario = machines->scenario;

    return (struct cs_topo_request){
        .spec = scenario->topo,
        .ranks = request->ranks,
        .agents = agents,
        .agent_place = CS_AGENT_SERVER,
        .platform = scenario->machine.platform,
        .gpu = scenario->machine.gpu,
        .hosts = scenario->machine.hosts,
        .routing = request->routing,
        .seed = scenario->seed,
        .replicas_from = request->replicas_from,
    };
}

/* An opening in full serves a request for a replicated machine; a replicated
 * opening is expanded for a request in full. */
static bool opening_serves(const struct machine_opening *opening,
                           const struct cs_topo_request *request)
{
    return opening->request.ranks == request->ranks && opening->request.agents == request->agents &&
           opening->request.routing == request->routing;
}

static struct machine_opening *machines_opening(struct cs_machines *machines,
                                                struct cs_topo_request request)
{
    struct machine_opening *opening = machines->openings;

    while (opening && !opening_serves(opening, &request))
        opening = opening->next;
    if (opening)
        return opening;
    if (machines->owns) {
        opening = cs_grow(NULL, 1, sizeof(*opening));
        memset(opening, 0, sizeof(*opening));
        opening->arena = &opening->own;
    } else {
        opening = cs_arena_alloc(machines->arena, 1, sizeof(*opening));
        opening->arena = machines->arena;
    }
    opening->request = request;
    opening->next = machines->openings;
    machines->openings = opening;
    machines->opening_count++;
    if (machines_width(request.ranks) > machines->widest)
        machines->widest = machines_width(request.ranks);
    opening->code = cs_topo_open(&opening->request, &opening->graph, opening->arena, &opening->err);
    return opening;
}

/* A replicated machine requires the permission of the request as well. */
static const struct cs_graph *opening_graph(struct machine_opening *opening, bool replicated)
{
    if (!opening->graph.replicated.count || replicated)
        return &opening->graph;
    if (!opening->has_full) {
        cs_graph_share(&opening->graph, &opening->full, opening->arena);
        cs_graph_expand(&opening->full);
        opening->has_full = true;
    }
    return &opening->full;
}

/* ---- agents in switches ---- */

/* Agents in switches may serve the first ranks only: routes then number the
 * parties as if no further ranks existed. */
struct partial_routes {
    cs_route_fn *route; /* between all ranks */
    void *route_ctx;
    cs_route_fn *inside; /* with agents */
    void *inside_ctx;
    uint32_t ranks, served;
};

static uint32_t partial_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct partial_routes *partial = ctx;
    uint32_t others = partial->ranks - partial->served;

    if (src < partial->ranks && dst < partial->ranks)
        return partial->route(partial->route_ctx, src, dst, links);
    return partial->inside(partial->inside_ctx, src < partial->ranks ? src : src - others,
                           dst < partial->ranks ? dst : dst - others, links);
}

/* In-switch routes keep a pointer to the graph: a separate graph with the served
 * ranks. */
static int place_partially(const struct cs_topo_request *request, uint32_t served,
                           struct cs_graph *graph, struct cs_err *err)
{
    struct cs_graph *few = cs_arena_alloc(graph->arena, 1, sizeof(*few));
    struct partial_routes *partial = cs_arena_alloc(graph->arena, 1, sizeof(*partial));
    int code;

    cs_routes_give(graph);
    *few = *graph;
    few->rank_count = served;
    code = cs_topo_place_agents(request, few, err);
    if (code)
        return code;
    *partial = (struct partial_routes){graph->route,   graph->route_ctx,  few->route,
                                       few->route_ctx, graph->rank_count, served};
    graph->agent_count = few->agent_count;
    graph->agent_device = few->agent_device;
    graph->route_max_hops = few->route_max_hops;
    graph->route = partial_route;
    graph->route_ctx = partial;
    return 0;
}

static int place_agents(const struct cs_topo_request *request, uint32_t served,
                        struct cs_graph *graph, struct cs_err *err)
{
    if (request->agents == 0)
        return 0;
    return request->agent_place != CS_AGENT_SERVER && served && served < graph->rank_count
               ? place_partially(request, served, graph, err)
               : cs_topo_place_agents(request, graph, err);
}

/* ---- from the graph to the network ---- */

/* Lowers the graph and adds the costs of the transport software. */
static void machine_lower(const struct cs_scenario *scenario, struct cs_machine *machine,
                          struct cs_arena *arena)
{
    struct cs_graph *graph = &machine->graph;
    struct cs_net *net = &machine->net;

    if (scenario->transport)
        cs_transport_fit(&machine->transport, graph);
    cs_lower(graph, net, arena);
    if (scenario->transport)
        cs_transport_extend(&machine->transport, graph, net, arena);
}

/* The faults of a request: the scenario's, and the one of a table of losses. */
struct machine_faults {
    struct cs_fault item[CS_FAULTS_MAX + 1];
    uint32_t count;
    bool has_hidden; /* known to no planner */
};

static struct machine_faults machine_faults_of(const struct cs_scenario *scenario,
                                               const struct cs_machine_request *request)
{
    struct machine_faults all = {.count = 0};

    if (!request->healthy)
        all.count = scenario->faults.count;
    memcpy(all.item, scenario->faults.item, all.count * sizeof(*all.item));
    if (request->lost)
        all.item[all.count++] = *request->lost;
    for (uint32_t i = 0; i < all.count; i++)
        all.has_hidden = all.has_hidden ||
                         (request->at_ps ? cs_fault_is_slow : cs_fault_is_hidden)(&all.item[i]);
    return all;
}

/* What a machine is derived from. */
struct machine_origin {
    const struct cs_machines *machines;
    const struct cs_graph *from;
    const struct cs_machine_request *request;
    struct cs_arena *arena;
    struct cs_err *err;
};

/* Routes are those of a graph with the same wires. */
static void machine_route_as(const struct cs_graph *routed, struct cs_graph *graph)
{
    struct cs_graph given = *routed;

    cs_routes_give(&given);
    graph->route = given.route;
    graph->route_ctx = given.route_ctx;
    graph->route_max_hops = given.route_max_hops;
}

/* Derives the graph and the network with these faults, and with the routes of another graph, or
 * NULL. */
static int machine_derive_with(const struct machine_origin *origin,
                               const struct machine_faults *faults, const struct cs_graph *routed,
                               struct cs_machine *machine)
{
    const struct cs_scenario *scenario = origin->machines->scenario;
    const struct cs_machine_request *request = origin->request;
    struct cs_topo_request agents = topo_request(origin->machines, request, 0);
    struct cs_graph *graph = &machine->graph;
    int code = 0;

    agents.agents = origin->from->agent_count ? 0 : request->agents;
    agents.agent_place = request->agent_place;
    if (scenario->transport)
        code =
            cs_transport_open(scenario->transport, &machine->transport, origin->arena, origin->err);
    (scenario->transport || faults->count ? cs_graph_copy : cs_graph_share)(origin->from, graph,
                                                                            origin->arena);
    if (!code)
        code = place_agents(&agents, request->agent_ranks, graph, origin->err);
    if (!code && faults->count)
        code = cs_faults_apply(faults->item, faults->count, request->at_ps, graph, origin->err);
    if (!code && routed)
        machine_route_as(routed, graph);
    if (!code)
        machine_lower(scenario, machine, origin->arena);
    return code;
}

/* The machine as planners see it, who do not see every fault; routes in switches keep a pointer to
 * its graph. */
static int machine_derive_plan(const struct machine_origin *origin, struct machine_faults faults,
                               struct cs_machine *machine)
{
    struct cs_machine *planned = cs_arena_alloc(origin->arena, 1, sizeof(*planned));
    int code;

    for (uint32_t i = 0; i < faults.count; i++)
        faults.item[i] = cs_fault_planned(faults.item[i]);
    code = machine_derive_with(origin, &faults, NULL, planned);
    machine->plan_graph = planned->graph;
    machine->plan_net = planned->net;
    return code;
}

static int machine_derive(const struct machine_origin *origin, struct cs_machine *machine)
{
    struct machine_faults faults = machine_faults_of(origin->machines->scenario, origin->request);
    int code;

    machine->plans = cs_plan_cache_new(origin->arena);
    machine->partitions = cs_partitions_new(origin->arena);
    machine->has_hidden = faults.has_hidden;
    if (faults.has_hidden) {
        code = machine_derive_plan(origin, faults, machine);
        return code ? code : machine_derive_with(origin, &faults, &machine->plan_graph, machine);
    }
    code = machine_derive_with(origin, &faults, NULL, machine);
    machine->plan_graph = machine->graph;
    machine->plan_net = machine->net;
    return code;
}

/* ---- requests ---- */

static bool machine_requests_equal(const struct cs_machine_request *a,
                                   const struct cs_machine_request *b)
{
    return a->ranks == b->ranks && a->agents == b->agents &&
           (a->agents == 0 ||
            (a->agent_place == b->agent_place && a->agent_ranks == b->agent_ranks)) &&
           a->routing == b->routing && a->healthy == b->healthy && a->lost == b->lost &&
           a->at_ps == b->at_ps;
}

static int machines_derive(const struct cs_machines *machines, struct machine_opening *opening,
                           const struct cs_machine_request *request, struct cs_arena *arena,
                           const struct cs_machine **machine, struct cs_err *err)
{
    struct derived_machine *derived = opening->derived;
    bool replicated =
        opening->graph.replicated.count && request->replicas_from && request->agents == 0;

    while (derived && !(derived->replicated == replicated &&
                        machine_requests_equal(&derived->request, request)))
        derived = derived->next;
    if (!derived) {
        if (!request->lost)
            arena = opening->arena;
        derived = cs_arena_alloc(arena, 1, sizeof(*derived));
        derived->request = *request;
        derived->replicated = replicated;
        derived->code =
            machine_derive(&(struct machine_origin){machines, opening_graph(opening, replicated),
                                                    request, arena, &derived->err},
                           &derived->machine);
        if (!request->lost) {
            derived->next = opening->derived;
            opening->derived = derived;
        }
    }
    *machine = &derived->machine;
    if (derived->code < 0 && err)
        *err = derived->err;
    return derived->code;
}

/* Agents take existing places of the machine; without enough places the source is
 * opened again with the required number. */
int cs_machines_open(struct cs_machines *machines, const struct cs_machine_request *request,
                     struct cs_arena *arena, const struct cs_machine **machine, struct cs_err *err)
{
    struct machine_opening *opening =
        machines_opening(machines, topo_request(machines, request, 0));
    int code = opening->code;

    if (!code)
        code = machines_derive(machines, opening, request, arena, machine, err);
    if (code == CS_TOPO_REOPEN) {
        opening = machines_opening(machines, topo_request(machines, request, request->agents));
        code = opening->code;
        if (!code)
            code = machines_derive(machines, opening, request, arena, machine, err);
    }
    if (opening->code && err)
        *err = opening->err;
    return code;
}

/* ---- plans ---- */

struct kept_rings {
    struct kept_rings *next;
    uint32_t ranks, group;
    const struct cs_rings *rings;
};

struct kept_trees {
    struct kept_trees *next;
    uint32_t ranks;
    struct cs_tree_request request;
    const struct cs_trees *trees;
};

struct kept_relays {
    struct kept_relays *next;
    uint32_t ranks;
    enum cs_relays_kind kind;
    const struct cs_relays *relays;
};

struct cs_plan_cache {
    struct cs_arena *arena;
    struct kept_relays *relays;
    struct kept_rings *rings;
    struct kept_trees *trees;
};

struct cs_plan_cache *cs_plan_cache_new(struct cs_arena *arena)
{
    struct cs_plan_cache *cache = cs_arena_alloc(arena, 1, sizeof(*cache));

    cache->arena = arena;
    return cache;
}

const struct cs_rings *cs_plan_cache_rings(struct cs_plan_cache *cache, const struct cs_net *net,
                                           uint32_t ranks, uint32_t group)
{
    struct kept_rings *kept = cache->rings;

    while (kept && (kept->ranks != ranks || kept->group != group))
        kept = kept->next;
    if (!kept) {
        kept = cs_arena_alloc(cache->arena, 1, sizeof(*kept));
        *kept = (struct kept_rings){cache->rings, ranks, group,
                                    cs_rings_of_machine(net, ranks, group, cache->arena)};
        cache->rings = kept;
    }
    return kept->rings;
}

static bool same_request(const struct cs_tree_request *a, const struct cs_tree_request *b)
{
    return a->roots == b->roots && a->root == b->root && a->use == b->use &&
           a->is_quick == b->is_quick && a->group == b->group;
}

const struct cs_trees *cs_plan_cache_trees(struct cs_plan_cache *cache, const struct cs_net *net,
                                           uint32_t ranks, const struct cs_tree_request *request)
{
    struct kept_trees *kept = cache->trees;

    while (kept && (kept->ranks != ranks || !same_request(&kept->request, request)))
        kept = kept->next;
    if (!kept) {
        kept = cs_arena_alloc(cache->arena, 1, sizeof(*kept));
        *kept = (struct kept_trees){cache->trees, ranks, *request,
                                    cs_trees_of_machine(net, ranks, request, cache->arena)};
        cache->trees = kept;
    }
    return kept->trees;
}

const struct cs_relays *cs_plan_cache_relays(struct cs_plan_cache *cache, const struct cs_net *net,
                                             uint32_t ranks, enum cs_relays_kind kind)
{
    struct kept_relays *kept = cache->relays;

    while (kept && (kept->ranks != ranks || kept->kind != kind))
        kept = kept->next;
    if (!kept) {
        kept = cs_arena_alloc(cache->arena, 1, sizeof(*kept));
        *kept = (struct kept_relays){cache->relays, ranks, kind,
                                     cs_relays_of_machine(net, ranks, kind, cache->arena)};
        cache->relays = kept;
    }
    return kept->relays;
}
