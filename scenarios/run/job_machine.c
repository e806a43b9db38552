#include "scenarios/run/job_machine.h"

#include "scenarios/run/case/rank_order.h"
#include "scenarios/run/record/record.h"

#include <string.h>

/* A buffer that never fills: more bytes than a run can send. */
#define ENDLESS_BYTES (UINT64_C(1) << 50)

/* Graphs of a machine at several times share most notes; duplicates are skipped. */
void cs_run_pass_on_notes(const struct cs_run *run, const struct cs_graph *graph)
{
    struct cs_text *notes = run->which->notes;
    uint32_t i;

    for (i = 0; i < graph->note_count && notes; i++)
        if (!strstr(cs_text_str(notes), graph->notes[i]))
            cs_text_printf(notes, "%s\n", graph->notes[i]);
}

/* ---- the machine of all jobs ---- */

uint32_t cs_run_ranks_of_all_jobs(const struct cs_run *run)
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
    uint32_t all = cs_run_ranks_of_all_jobs(run);

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

int cs_run_machine_routed(const struct cs_run *run, enum cs_routing routing,
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
    uint32_t i;

    for (i = 0; i < ranks; i++)
        slots[i] = run->first + i;
    for (i = 0; i < agents; i++)
        slots[ranks + i] = run->all_ranks + i;
    run->slots = slots;
}

/* Points the ranks of the job's graph at the devices of its parties. */
static void open_narrow_graph(struct cs_run *run)
{
    uint32_t *devices = cs_arena_alloc(run->arena, run->graph.rank_count, sizeof(*devices));
    uint32_t i;

    for (i = 0; i < run->graph.rank_count; i++)
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

/* A hash by flow with the scenario's seed is the machine's own. */
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
        (flows->routing != CS_ROUTING_ECMP || run->routing.by_pair || cs_run_is_noisy(run));
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
    cs_run_pass_on_notes(run, &run->graph);
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

int cs_run_open_at(const struct cs_run *run, uint64_t at_ps, const struct cs_machine **machine,
                   struct cs_run_nets *nets)
{
    struct cs_machine_request request = open_request(run, run->program.agents, at_ps);
    int code = open_machine(run, &request, machine, run->err);

    if (code)
        return code;
    nets->all = net_of_all(run, (*machine)->net);
    nets->own = net_of_job(run, &nets->all);
    return 0;
}
