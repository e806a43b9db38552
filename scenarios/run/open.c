#include "scenarios/run/open.h"

#include "scenarios/run/case/closed_form.h"
#include "scenarios/run/case/memory_limit.h"
#include "scenarios/run/case/neighbours.h"
#include "scenarios/run/case/plan.h"
#include "scenarios/run/case/run.h"
#include "scenarios/run/case/unused.h"
#include "scenarios/run/record/record.h"
#include "sim/base/collections/disjoint.h"

#include <stdlib.h>
#include <string.h>

/* A buffer that never fills: more bytes than a run can send. */
#define ENDLESS_BYTES (UINT64_C(1) << 50)

/* Graphs of a machine at several times share most notes; duplicates are skipped. */
static void pass_on_notes(const struct cs_run *run, const struct cs_graph *graph)
{
    struct cs_text *notes = run->which->notes;

    for (uint32_t i = 0; i < graph->note_count && notes; i++)
        if (!strstr(cs_text_str(notes), graph->notes[i]))
            cs_text_printf(notes, "%s\n", graph->notes[i]);
}

/* ---- the machine of all jobs ---- */

/* The number of ranks of the opened machine: the main job's, or more for a job on
 * later ranks; 0: all of the machine's. */
static uint32_t ranks_of_all_jobs(const struct cs_run *run)
{
    const struct cs_other_jobs *others = &run->which->scenario->other_jobs;
    uint32_t ranks, i;

    if (run->main)
        run = run->main;
    for (ranks = run->which->ranks, i = 0; i < others->count && ranks; i++) {
        const struct cs_other_job *job = &others->item[i];

        if (job->count && job->first + job->count > ranks)
            ranks = job->first + job->count;
    }
    return ranks;
}

static struct cs_machine_request open_request(const struct cs_run *run, uint32_t agents,
                                              uint64_t at_ps)
{
    uint32_t all = ranks_of_all_jobs(run);

    return (struct cs_machine_request){
        .ranks = all,
        .agents = agents,
        .agent_place = agents ? run->which->algo->agent_place : CS_AGENT_SERVER,
        .agent_ranks = all == run->which->ranks ? 0 : run->which->ranks,
        .replicas_from = run->replicas_from,
        .routing = run->which->scenario->flows.routing,
        .healthy = run->healthy,
        .lost = run->healthy ? NULL : run->which->lost,
        .at_ps = at_ps,
    };
}

static int open_machine(const struct cs_run *run, const struct cs_machine_request *request,
                        const struct cs_machine **machine, struct cs_err *err)
{
    return cs_machines_open(run->machines, request, run->arena, machine, err);
}

/* The machine of an open run with a different routing. */
static int machine_routed(const struct cs_run *run, enum cs_routing routing,
                          const struct cs_machine **machine, struct cs_err *err)
{
    struct cs_machine_request request = open_request(run, run->program.agents, 0);

    request.routing = routing;
    return open_machine(run, &request, machine, err);
}

/* ---- the ranks of one job ---- */

/* A network of the machine with the ranks of all jobs in order. */
static struct cs_net net_of_all(const struct cs_run *run, struct cs_net net)
{
    net.names = (struct cs_net_names){cs_run_link_name, run};
    if (run->order)
        cs_net_reorder(&net, run->order, run->arena);
    return net;
}

/* The part of that network with the parties of this job. */
static struct cs_net net_of_job(const struct cs_run *run, const struct cs_net *all)
{
    struct cs_net net = *all;

    if (run->slots)
        cs_net_select(&net, run->slots, run->graph.rank_count + run->graph.agent_count, run->arena);
    return net;
}

/* The job's ranks, then the agents, which only the main job has. */
static void open_slots(struct cs_run *run, uint32_t ranks, uint32_t agents)
{
    uint32_t *slots = cs_arena_alloc(run->arena, ranks + agents, sizeof(*slots));

    for (uint32_t i = 0; i < ranks; i++)
        slots[i] = run->first + i;
    for (uint32_t i = 0; i < agents; i++)
        slots[ranks + i] = run->all_ranks + i;
    run->slots = slots;
}

/* Points the ranks of the job's graph at the devices of its parties. */
static void open_narrow_graph(struct cs_run *run)
{
    uint32_t *devices = cs_arena_alloc(run->arena, run->graph.rank_count, sizeof(*devices));

    for (uint32_t i = 0; i < run->graph.rank_count; i++)
        devices[i] = run->net.parties[i].node;
    run->graph.rank_device = devices;
}

/* Unlimited buffers replace virtual channels, which break circular waits. */
static void open_widen_buffers(struct cs_run *run)
{
    struct cs_packet_params *packet = &run->params.packet;

    if (!run->graph.circles || packet->buffer_bytes || packet->loss != CS_PACKET_PFC)
        return;
    packet->buffer_bytes = ENDLESS_BYTES;
    cs_graph_note(&run->graph, "buffers are unlimited, in place of the virtual channels with which "
                               "such machines avoid deadlock; --buffer sets a limit");
}

/* Whether wires join all devices without a circle: one route between any two. */
static bool is_tree(const struct cs_graph *graph)
{
    uint32_t *up = cs_grow(NULL, graph->device_count, sizeof(*up));
    bool tree = graph->wire_count + 1 == graph->device_count && !graph->replicated.count;

    cs_disjoint_open(up, graph->device_count);
    for (uint32_t w = 0; tree && w < graph->wire_count; w++) {
        tree = cs_disjoint_root(up, graph->wires[w].a) != cs_disjoint_root(up, graph->wires[w].b);
        cs_disjoint_join(up, graph->wires[w].a, graph->wires[w].b);
    }
    free(up);
    return tree;
}

/* A hash by flow with the scenario's seed is the machine's own, as is the only route. */
static void open_routing(struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_flows *flows = &scenario->flows;

    run->routing = (struct cs_paths){
        .how = flows->routing == CS_ROUTING_SPRAY      ? CS_PATHS_SPRAYED
               : flows->routing == CS_ROUTING_ADAPTIVE ? CS_PATHS_LEAST_LOADED
                                                       : CS_PATHS_HASHED,
        .queue_pairs = flows->queue_pairs,
        .by_pair = flows->hash == CS_HASH_BY_PAIR ||
                   (flows->hash == CS_HASH_BY_NUMBER && flows->queue_pairs > 1),
        .seed = scenario->seed,
    };
    run->draws_routes =
        cs_routing_draws(flows->routing) &&
        (flows->routing != CS_ROUTING_ECMP || run->routing.by_pair || cs_run_is_noisy(run)) &&
        (flows->routing == CS_ROUTING_SPRAY || flows->queue_pairs > 1 || !is_tree(&run->graph));
}

static void open_model(struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;

    run->params = (struct cs_model_params){.fifo = {scenario->peers.stores},
                                           .fluid = {scenario->flows.cap_Bps},
                                           .packet = scenario->flows.packets,
                                           .loggp = &scenario->peers.loggp};
    open_widen_buffers(run);
    open_routing(run);
}

/* The switch of a node reduces for the node's own ranks, whose numbers are consecutive. */
static int open_check_nodes(const struct cs_run *run)
{
    uint32_t each = run->graph.agent_count ? run->call.group : 0;

    if (!each || !run->order || !run->which->algo ||
        !cs_agent_is_in_node(run->which->algo->agent_place))
        return 0;
    for (uint32_t r = 0; r < run->graph.rank_count; r++)
        if (run->order[r] / each != r / each)
            return cs_err_set(run->err, CS_EINPUT,
                              "%s needs the ranks of each node in their order, packed; rank %u is "
                              "on another node than ranks %u to %u; leave the placement out",
                              run->which->algo->name, r, r / each * each,
                              r / each * each + each - 1);
    return 0;
}

/* Takes the job's ranks out of the open machine. */
static int open_ranks(struct cs_run *run)
{
    uint32_t ranks = run->which->ranks;
    uint32_t *order;
    int code;

    cs_graph_share(&run->machine->graph, &run->graph, run->arena);
    run->all_ranks = run->graph.rank_count;
    run->slots = NULL;
    if (ranks && ranks < run->all_ranks) {
        run->graph.rank_count = ranks;
        open_slots(run, ranks, run->graph.agent_count);
    }
    if (run->main) {
        run->order = run->main->order;
    } else {
        code = cs_rank_order(run, &order);
        if (code)
            return code;
        run->order = order;
    }
    if (open_check_nodes(run))
        return CS_EINPUT;
    run->all_net = net_of_all(run, run->machine->net);
    run->net = run->plan_net = net_of_job(run, &run->all_net);
    if (run->machine->has_hidden) {
        struct cs_net all = net_of_all(run, run->machine->plan_net);

        run->plan_net = net_of_job(run, &all);
    }
    if (run->slots)
        open_narrow_graph(run);
    return 0;
}

static void open_note_eager(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;

    if (run->machine->transport.eager && run->which->notes && !scenario->model->takes_eager)
        cs_text_printf(run->which->notes,
                       "in model %s a send completes on delivery, although transport %s is eager\n",
                       scenario->model->name, run->machine->transport.name);
}

int cs_run_open_machine(struct cs_run *run, uint32_t agents)
{
    struct cs_machine_request request = open_request(run, agents, 0);
    int code = open_machine(run, &request, &run->machine, run->err);

    if (!code)
        code = open_ranks(run);
    if (code)
        return code;
    open_model(run);
    if (run->which->notes)
        cs_text_free(run->which->notes); /* of the opening without agents */
    pass_on_notes(run, &run->graph);
    open_note_eager(run);
    return 0;
}

int cs_run_expand(struct cs_run *run)
{
    struct cs_machine_request request = open_request(run, run->program.agents, 0);
    int code;

    if (!run->graph.replicated.count)
        return 0;
    request.replicas_from = 0;
    code = open_machine(run, &request, &run->machine, run->err);
    return code ? code : open_ranks(run);
}

/* The machine as timed faults leave it at at_ps, and its networks. */
struct run_nets {
    struct cs_net all, own;
};

static int open_at(const struct cs_run *run, uint64_t at_ps, const struct cs_machine **machine,
                   struct run_nets *nets)
{
    struct cs_machine_request request = open_request(run, run->program.agents, at_ps);
    int code = open_machine(run, &request, machine, run->err);

    if (code)
        return code;
    nets->all = net_of_all(run, (*machine)->net);
    nets->own = net_of_job(run, &nets->all);
    return 0;
}

/* ---- timed faults ---- */

/* The time of the earliest fault after after_ps, or UINT64_MAX. */
static uint64_t next_fault_ps(const struct cs_faults *faults, uint64_t after_ps)
{
    uint64_t next_ps = UINT64_MAX;

    for (uint32_t i = 0; i < faults->count; i++)
        if (faults->item[i].at_ps > after_ps && faults->item[i].at_ps < next_ps)
            next_ps = faults->item[i].at_ps;
    return next_ps;
}

/* Look-ahead assumes fixed routes. */
static void fit_to_changes(struct cs_net *net, uint32_t max_hops)
{
    net->max_hops = max_hops;
    cs_net_forget_ahead(net);
}

/* Routes change during the run: the longest route is the longest of every network,
 * and look-ahead is not possible. */
static void fit_all_to_changes(struct cs_run *run, struct run_nets *nets)
{
    uint32_t max_hops = run->net.max_hops;

    for (uint32_t i = 0; i < run->change_count; i++)
        if (nets[i].own.max_hops > max_hops)
            max_hops = nets[i].own.max_hops;
    fit_to_changes(&run->net, max_hops);
    fit_to_changes(&run->all_net, max_hops);
    for (uint32_t i = 0; i < run->change_count; i++) {
        fit_to_changes(&nets[i].own, max_hops);
        fit_to_changes(&nets[i].all, max_hops);
    }
}

/* Opens the machine after the faults up to at_ps; the last machine decides whether
 * ranks remain disconnected. */
static int open_change(struct cs_run *run, uint64_t at_ps, struct run_nets *nets)
{
    const struct cs_machine *machine;
    int code = open_at(run, at_ps, &machine, nets);

    if (code)
        return code;
    pass_on_notes(run, &machine->graph);
    run->cut = machine->graph.cut;
    run->all_changes[run->change_count] = (struct cs_net_change){at_ps, &nets->all};
    run->changes[run->change_count++] = (struct cs_net_change){at_ps, &nets->own};
    return 0;
}

static int check_changes(const struct cs_run *run)
{
    const struct cs_link_model *model = run->which->scenario->model;

    if (!model->lose)
        return cs_err_set(
            run->err, CS_EINPUT,
            "model %s does not support timed faults; models fifo, fluid, packet and postal do",
            model->name);
    if (model->shares_buffers && model->shares_buffers(&run->params))
        return cs_err_set(run->err, CS_EINPUT,
                          "timed faults require separate buffers for each message; leave --buffer "
                          "and --loss out");
    if (run->graph.neighbours_only)
        return cs_err_set(run->err, CS_EINPUT,
                          "timed faults need detours, and no rank of this machine passes messages "
                          "on; leave the time out");
    return 0;
}

/* Faults at time 0 are part of the machine, and the healthy machine has none. */
static int timed_faults_open(struct cs_run *run)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    uint64_t at_ps = next_fault_ps(faults, 0);
    struct run_nets *nets;
    int code;

    if (run->healthy || at_ps == UINT64_MAX)
        return 0;
    code = check_changes(run);
    if (code)
        return code;
    run->changes = cs_arena_alloc(run->arena, CS_FAULTS_MAX, sizeof(*run->changes));
    run->all_changes = cs_arena_alloc(run->arena, CS_FAULTS_MAX, sizeof(*run->changes));
    nets = cs_arena_alloc(run->arena, CS_FAULTS_MAX, sizeof(*nets));
    for (; at_ps != UINT64_MAX && !code; at_ps = next_fault_ps(faults, at_ps))
        code = open_change(run, at_ps, &nets[run->change_count]);
    if (!code)
        fit_all_to_changes(run, nets);
    return code;
}

/* ---- routing ---- */

enum {
    PARTIES_SEEN = 64, /* between which routes are compared */
};

static bool same_route(const struct cs_net *a, const struct cs_net *b, uint32_t src, uint32_t dst,
                       uint32_t *links)
{
    uint32_t hops = a->route(a->route_ctx, src, dst, links);
    uint32_t *others = links + a->max_hops;

    return b->route(b->route_ctx, src, dst, others) == hops &&
           memcmp(links, others, hops * sizeof(*links)) == 0;
}

/* Between parties evenly spread. */
static bool same_routes(const struct cs_net *a, const struct cs_net *b)
{
    uint32_t step = a->party_count / PARTIES_SEEN + 1;
    uint32_t *links = cs_grow(NULL, a->max_hops + (size_t)b->max_hops, sizeof(*links));
    bool same = true;

    for (uint32_t src = 0; src < a->party_count && same; src += step)
        for (uint32_t dst = 0; dst < a->party_count && same; dst += step)
            same = src == dst || same_route(a, b, src, dst, links);
    free(links);
    return same;
}

/* Whether some pair of parties evenly spread has several shortest routes. */
static bool has_alternatives(const struct cs_net *net)
{
    uint32_t step = net->party_count / PARTIES_SEEN + 1;
    uint32_t *links = cs_grow(NULL, net->max_hops, sizeof(*links));
    struct cs_route_choice *choice = net->choice;

    choice->paths = 1;
    for (uint32_t src = 0; src < net->party_count; src += step)
        for (uint32_t dst = 0; dst < net->party_count && choice->paths == 1; dst += step)
            if (src != dst) {
                choice->by = CS_CHOOSE_NUMBER;
                choice->number = 0;
                (void)net->route(net->route_ctx, src, dst, links);
            }
    choice->by = CS_CHOOSE_NOTHING;
    free(links);
    return choice->paths > 1;
}

static void note_single_routes(const struct cs_run *run)
{
    if (!has_alternatives(&run->net))
        cs_text_printf(
            run->which->notes,
            "--routing %s has no effect: there is one shortest route between any two ranks\n",
            cs_routing_names[run->which->scenario->flows.routing]);
}

void cs_note_unused_routing(const struct cs_run *run)
{
    enum cs_routing routing = run->which->scenario->flows.routing;
    const struct cs_machine *typical;
    struct cs_err err = {0};

    if (routing == CS_ROUTING_STATIC || !run->which->notes)
        return;
    if ((run->draws_routes || routing == CS_ROUTING_ADAPTIVE) && run->net.choice) {
        note_single_routes(run);
        return;
    }
    if (machine_routed(run, CS_ROUTING_STATIC, &typical, &err) == 0 &&
        !typical->graph.replicated.count == !run->graph.replicated.count &&
        same_routes(&run->machine->net, &typical->net))
        cs_text_printf(run->which->notes,
                       "--routing %s has no effect: the routes are those of spread\n",
                       cs_routing_names[routing]);
}

/* ---- opening ---- */

/* Machine and call; the number of ranks is the machine's where none was given. */
static int open_call(struct cs_run *run)
{
    struct cs_progress_line *display = run->which->display;
    int code = cs_run_open_machine(run, 0);

    if (!code)
        code = cs_progress_line_check(display, run->err);
    if (code)
        return code;
    run->plan_net.monitor = cs_progress_line_begin(display, "planning");
    code = cs_progress_line_end(display, cs_plan_call(run), run->err);
    run->plan_net.monitor = NULL;
    return code;
}

/* The machine comes first without agents, for its number of ranks, on which the
 * number of agents may depend. */
int cs_run_open(struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_textbook near;
    int code;

    cs_progress_line_note(run->which->display, NULL);
    run->machines =
        scenario->machines ? scenario->machines : cs_machines_of_run(scenario, run->arena);
    if (!run->main)
        cs_machines_forget(run->machines, ranks_of_all_jobs(run));
    code = open_call(run);
    if (!code) /* no algorithm has such a root */
        code = cs_algo_check_root(&run->call, run->err);
    if (code)
        return code;
    near = cs_run_neighbours(run);
    run->call.between = near.between;
    cs_plan_settle(run, &near.within);
    if (cs_algo_check(algo, &run->call, run->err) || cs_plan_check_trees(run))
        return CS_SIMULATE_REFUSED;
    run->program = cs_algo_program(algo, &run->call);
    if (cs_room_check(run) || cs_neighbours_check(run))
        return CS_SIMULATE_REFUSED;
    if (run->program.agents && !run->main &&
        (cs_run_open_machine(run, run->program.agents) || cs_plan_check_switches(run)))
        return CS_SIMULATE_REFUSED;
    cs_unused_note(run, &near.within);
    return timed_faults_open(run);
}
