#include "scenarios/run/record/record.h"

#include "sim/base/units.h"

#include <math.h>

/* The simulated network: that of the fold, where ranks were folded. */
static const struct cs_net *net_run(const struct cs_run *run)
{
    return run->fold ? &run->fold->net : &run->net;
}

/* The number of a link on the machine. */
static uint32_t link_number(const struct cs_run *run, uint32_t link)
{
    return run->fold ? run->fold->link[link] : link;
}

const char *cs_machine_link_name(const struct cs_run *run, uint32_t number)
{
    uint32_t wires = 2 * run->graph.wire_count;

    return number < wires ? cs_graph_link_name(&run->graph, number, run->arena)
                          : cs_transport_link_name(number - wires, run->arena);
}

const char *cs_run_link_name(const void *ctx, uint32_t link)
{
    const struct cs_run *run = ctx;

    return cs_machine_link_name(run, link_number(run, link));
}

bool cs_run_uses_link(const struct cs_run *run, uint32_t link)
{
    return run->fold ? cs_fold_uses(run->fold, link) : run->result.use[link].messages > 0;
}

/* Only links with messages: a large machine has mostly idle links. */
static void record_links(const struct cs_run *run, struct cs_record *record)
{
    const struct cs_net *net = net_run(run);
    struct cs_record_link *links = cs_arena_alloc(run->arena, net->link_count, sizeof(*links));

    for (uint32_t i = 0; i < net->link_count; i++) {
        const struct cs_link_use *use = &run->result.use[i];

        if (use->messages == 0)
            continue;
        links[record->link_count++] = (struct cs_record_link){
            .name = cs_run_link_name(run, i),
            .rate_Bps = net->links[i].rate_Bps,
            .latency_ps = net->links[i].latency_ps,
            .bytes = use->bytes,
            .messages = use->messages,
            .busy_ps = use->busy_ps,
        };
    }
    record->links = links;
}

/* Links on which messages can queue: every link, or only the ports of the parties,
 * whether these are simulated or folded. */
static bool *links_that_queue(const struct cs_run *run)
{
    const struct cs_net *net = net_run(run);
    bool all = !run->which->scenario->model->ports_only;
    bool *ports = cs_arena_alloc(run->arena, net->node_count, sizeof(bool));
    bool *queues = cs_arena_alloc(run->arena, net->link_count, sizeof(bool));

    for (uint32_t i = 0; i < run->all_net.party_count; i++)
        ports[cs_net_party_at(&run->all_net, i).node] = true;
    for (uint32_t i = 0; i < net->link_count; i++)
        queues[i] = all || ports[net->links[i].from] || ports[net->links[i].to];
    return queues;
}

/* The link of the resource that was busy longest; of equal links the one with the
 * lowest number on the machine, so that folding does not change the answer. */
static uint32_t run_record_busiest(const struct cs_run *run, const struct cs_net *net,
                                   const uint64_t *busy_ps)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < net->link_count; i++) {
        uint64_t is_ps = busy_ps[net->links[i].resource];
        uint64_t best_ps = busy_ps[net->links[best].resource];

        if (is_ps > best_ps || (is_ps == best_ps && link_number(run, i) < link_number(run, best)))
            best = i;
    }
    return best;
}

/* The resource that was busy longest limits the run; a run without bytes has no
 * bottleneck. */
static void record_bottleneck(const struct cs_run *run, struct cs_record *record)
{
    const struct cs_net *net = net_run(run);
    uint64_t *busy_ps = cs_arena_alloc(run->arena, net->resource_count, sizeof(*busy_ps));
    const bool *queues = links_that_queue(run);
    uint32_t best;

    record->bottleneck = "";
    if (run->result.messages == 0 || run->result.time_ps == 0 ||
        run->which->scenario->model->ignores_links)
        return;
    for (uint32_t i = 0; i < net->link_count; i++)
        if (queues[i])
            busy_ps[net->links[i].resource] += run->result.use[i].busy_ps;
    best = run_record_busiest(run, net, busy_ps);
    if (busy_ps[net->links[best].resource] == 0)
        return;
    record->bottleneck = cs_run_link_name(run, best);
    record->bottleneck_utilisation = (double)busy_ps[net->links[best].resource] /
                                     (double)(run->ended_ps ? run->ended_ps : run->result.time_ps);
}

/* After padding, the bytes that the program moves. */
static uint64_t run_record_vector_bytes(const struct cs_run *run)
{
    return run->call.elements * run->call.element_bytes;
}

static const char *agent_kind(const struct cs_run *run)
{
    if (run->program.agents == 0 || !run->which->algo)
        return "";
    return run->which->algo->agent_place == CS_AGENT_SERVER ? "server" : "switch";
}

/* The faults that the plan of the run does not know, in a list. */
struct record_unplanned {
    const char *names;
    uint32_t count, of;
};

static void record_count_fault(const struct cs_fault *fault, struct record_unplanned *unplanned,
                               struct cs_arena *arena)
{
    unplanned->of++;
    if (fault->at_ps == 0 && !cs_fault_is_hidden(fault))
        return;
    unplanned->names = unplanned->count++
                           ? cs_arena_printf(arena, "%s, %s", unplanned->names, fault->text)
                           : fault->text;
}

/* "the machine without its faults". */
static const char *record_planned_for(const struct cs_run *run)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    struct record_unplanned unplanned = {.names = ""};

    for (uint32_t i = 0; i < faults->count && !run->healthy; i++)
        record_count_fault(&faults->item[i], &unplanned, run->arena);
    if (run->which->lost && !run->healthy)
        record_count_fault(run->which->lost, &unplanned, run->arena);
    if (unplanned.of == 0)
        return "";
    if (unplanned.count == 0)
        return "the machine with its faults";
    return unplanned.count == unplanned.of
               ? "the machine without its faults"
               : cs_arena_printf(run->arena, "the machine without %s", unplanned.names);
}

void cs_run_describe(const struct cs_run *run, struct cs_record *record)
{
    const struct cs_scenario *scenario = run->which->scenario;

    *record = (struct cs_record){
        .version = CS_VERSION,
        .topology = run->graph.name,
        .topology_spec = scenario->topo,
        .collective = run->call.collective->name,
        .algorithm = run->which->algo ? run->which->algo->name : "",
        .model = scenario->model->name,
        .dtype = scenario->dtype->name,
        .placement = cs_placement_names[scenario->placement],
        .parameters = cs_record_join(run->parameter, run->parameter_count, run->arena),
        .parameter = run->parameter,
        .parameter_count = run->parameter_count,
        .hypothetical = run->hypothetical ? run->hypothetical : "",
        .folding = "",
        .planned_for = record_planned_for(run),
        .unproved = "",
        .healthy_s = (double)NAN,
        .slowdown = (double)NAN,
        .healthy_bottleneck = "",
        .detour = "",
        .ranks = run->call.ranks,
        .agents = run->program.agents,
        .agent_kind = agent_kind(run),
        .bytes = run_record_vector_bytes(run),
        .seed = scenario->seed,
    };
}

double cs_run_closed_form_s(const struct cs_run *run, enum cs_textbook_looks looks)
{
    struct cs_textbook book = cs_run_closed_form(run, looks);

    return cs_algo_closed_form_of_nodes_s(run->which->algo, &run->call, &book.between,
                                          &book.within) +
           (double)run->machine->transport.launch_ps * 1e-12;
}

void cs_run_collect(struct cs_run *run, struct cs_record *record)
{
    const struct cs_exec_result *result = &run->result;
    const struct cs_collective *collective = run->which->algo->collective;
    struct cs_bounds bounds = cs_run_bounds(run);
    struct cs_bound reachable = cs_run_reachable(run, &bounds.own);

    record->time_ps = cs_time_after(result->time_ps, run->machine->transport.launch_ps);
    record->closed_form_s = cs_run_closed_form_s(run, CS_LOOKS_AT_ALL);
    cs_run_record_bounds(run, &bounds, &reachable, record);
    if (record->time_ps)
        record->algbw_Bps =
            (double)run_record_vector_bytes(run) / ((double)record->time_ps * 1e-12);
    record->busbw_Bps = record->algbw_Bps * cs_collective_bus_factor(collective, run->call.ranks);
    record->padded_bytes = run->padded_bytes;
    record->messages = result->messages;
    record->messages_resent = result->resent;
    record->packets_dropped = result->packets_dropped;
    record->packets_resent = result->packets_resent;
    record->bytes_sent_total = result->bytes_sent;
    record->bytes_sent_per_rank_max = result->bytes_sent_max;
    record->peak_extra_bytes_per_rank = result->extra_bytes_max;
    record->peak_bytes_per_agent = result->agent_bytes_max;
    record->latency_ps = result->path.latency_ps + run->machine->transport.launch_ps;
    record->bandwidth_ps = result->path.bandwidth_ps;
    record->reduction_ps = result->path.reduction_ps;
    record->wait_ps = result->path.wait_ps;
    record_bottleneck(run, record);
    record_links(run, record);
    if (run->which->scenario->per_rank)
        record->rank_done_ps = result->done_ps;
}

/* The command line of the record, without the contents of the machine's file. */
static void say_command(const struct cs_record *record, struct cs_text *out)
{
    cs_text_printf(out,
                   "collsim --topo '%s' --collective %s --algo %s --ranks %u --size %lluB --dtype "
                   "%s --link-model %s --placement %s --seed %llu",
                   record->topology_spec, record->collective, record->algorithm, record->ranks,
                   (unsigned long long)record->bytes, record->dtype, record->model,
                   record->placement, (unsigned long long)record->seed);
    if (record->parameters[0])
        cs_text_printf(out, " with %s", record->parameters);
    cs_text_printf(out, ", version %s", record->version);
}

/* A time below the bound is a defect of simulator or bound, so the message has
 * everything for a report. */
int cs_record_check_bound(const struct cs_record *record, struct cs_err *err)
{
    double time_s = (double)record->time_ps * 1e-12;
    /* Times are rounded up to picoseconds, bounds are doubles. */
    bool narrowed = cs_record_is_narrowed(record);
    double bound_s = narrowed ? record->reachable_s : record->lower_bound_s;
    double least_s = bound_s * (1 - 1e-12) - 1e-12;
    CS_AT_END(cs_text_free) struct cs_text command = {0};

    if (!(time_s < least_s))
        return 0;
    say_command(record, &command);
    cs_err_set(err, CS_EANSWER,
               "internal error: simulated %s is below the %s bound of %s (%s)%s; please report it "
               "with the machine's file and: %s",
               cs_show_time(record->time_ps).text, narrowed ? "reachable" : "lower",
               cs_show_seconds(bound_s).text, narrowed ? record->reachable : record->bound,
               record->verified == CS_VERIFIED_PROVED
                   ? ""
                   : ", unless the schedule, which is not proved, does less than the collective",
               cs_text_str(&command));
    return CS_EANSWER;
}

/* ---- notes ---- */

/* With noise the slowest run decides: a fault after it has no effect on any run. */
void cs_note_late_faults(const struct cs_run *run, const struct cs_record_spread *spread)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    double ended_ps = (double)(run->ended_ps ? run->ended_ps : run->result.time_ps);

    if (spread->runs > 1)
        ended_ps = spread->max * 1e12;
    for (uint32_t i = 0; i < faults->count && run->which->notes; i++)
        if ((double)faults->item[i].at_ps > ended_ps)
            cs_text_printf(run->which->notes, "fault %s has no effect: the run ended at %s\n",
                           faults->item[i].text, cs_show_seconds(ended_ps * 1e-12).text);
}

/* The defaults of LogGP are not those of the machine, and easily overlooked. */
static void note_loggp(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;

    if (run->which->notes && scenario->model->ignores_links && !scenario->peers.named)
        cs_text_printf(run->which->notes,
                       "model %s has no links, only the parameters of --loggp: LogGOPSim's own, "
                       "L=2500ns,o=1500ns,g=1000ns,G=6ns/B\n",
                       scenario->model->name);
}

/* Costs that closed forms do not contain. */
static void note_above_form(const struct cs_run *run, const struct cs_record *record)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_text *notes = run->which->notes;
    uint64_t overhead_ps = cs_run_reducers(run).overhead_ps;
    double above_s = (double)record->time_ps * 1e-12 - record->closed_form_s;

    if (!notes || !(above_s > 1e-6 * record->closed_form_s) || cs_run_is_noisy(run) ||
        scenario->other_jobs.count || scenario->faults.count)
        return;
    if (overhead_ps > 0)
        cs_text_printf(notes, "closed forms omit the overhead of reductions, %s each\n",
                       cs_show_seconds((double)overhead_ps * 1e-12).text);
    if (scenario->model->ignores_links)
        cs_text_printf(notes, "in closed forms ranks send and receive at once; in model loggp a "
                              "processor does one at a time\n");
}

void cs_note_closed_form(const struct cs_run *run, const struct cs_record *record)
{
    note_above_form(run, record);
    note_loggp(run);
}

/* Only faults that change a rate during the run are affected: a failed link loses
 * the message in every model. */
void cs_note_kept_rates(const struct cs_run *run)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    const struct cs_link_model *model = run->which->scenario->model;
    uint32_t i = 0;

    if (!run->which->notes || !model->queues_messages)
        return;
    while (i < faults->count &&
           (faults->item[i].at_ps == 0 || !(faults->item[i].rate > 0) || faults->item[i].rate >= 1))
        i++;
    if (i < faults->count)
        cs_text_printf(run->which->notes,
                       "in model %s a message that has begun to cross a link keeps its rate; in "
                       "fluid and packet the rate changes\n",
                       model->name);
}

void cs_note_queued_jobs(const struct cs_run *run)
{
    const struct cs_link_model *model = run->which->scenario->model;

    if (!run->which->notes || !model->queues_messages)
        return;
    cs_text_printf(
        run->which->notes,
        "in model %s a message waits until the whole messages before it are through, of "
        "other jobs too: with messages of unequal size the job with the smaller ones "
        "looks many times slower than it is; --link-model fluid or packet shares links\n",
        model->name);
}
