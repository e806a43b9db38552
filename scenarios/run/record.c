#include "scenarios/run/run.h"

#include "algorithms/bounds/bound.h"
#include "sim/base/units.h"
#include "sim/models/compat/loggp.h"

#include <math.h>

/* What was simulated, and what its links are called on the machine. */
static const struct cs_net *net_run(const struct cs_stage *stage)
{
    return stage->fold ? &stage->fold->net : &stage->net;
}

static uint32_t link_number(const struct cs_stage *stage, uint32_t link)
{
    return stage->fold ? stage->fold->link[link] : link;
}

const char *cs_stage_link_name(const void *ctx, uint32_t link)
{
    const struct cs_stage *stage = ctx;
    uint32_t wires = 2 * stage->graph.wire_count;
    uint32_t number = link_number(stage, link);

    return number < wires
               ? cs_graph_link_name(&stage->graph, number, stage->arena)
               : cs_transport_link_name(number - wires, stage->arena);
}

static void record_links(const struct cs_stage *stage, struct cs_record *record)
{
    const struct cs_net *net = net_run(stage);
    struct cs_record_link *links =
        cs_arena_alloc(stage->arena, net->link_count, sizeof(*links));
    uint32_t i;

    for (i = 0; i < net->link_count; i++) {
        const struct cs_link_use *use = &stage->result.use[i];

        if (use->messages == 0)
            continue;
        links[record->link_count++] = (struct cs_record_link){
            .name = cs_stage_link_name(stage, i),
            .rate_Bps = net->links[i].rate_Bps,
            .latency_ps = net->links[i].latency_ps,
            .bytes = use->bytes,
            .messages = use->messages,
            .busy_ps = use->busy_ps,
        };
    }
    record->links = links;
}

/* Links on which messages can stand in line: all, or those of the parties,
 * simulated or not. */
static bool *links_that_queue(const struct cs_stage *stage)
{
    const struct cs_net *net = net_run(stage);
    bool all = !stage->point->scenario->model->ports_only;
    bool *ports = cs_arena_alloc(stage->arena, net->node_count, sizeof(bool));
    bool *queues = cs_arena_alloc(stage->arena, net->link_count, sizeof(bool));
    uint32_t i;

    for (i = 0; i < stage->net.party_count; i++)
        ports[cs_net_party_at(&stage->net, i).node] = true;
    for (i = 0; i < net->link_count; i++)
        queues[i] = all || ports[net->links[i].from] || ports[net->links[i].to];
    return queues;
}

/* The link of the server that was busy longest; of equals the machine's
 * first, whether it was folded or not. */
static uint32_t run_record_busiest(const struct cs_stage *stage,
                                   const struct cs_net *net,
                                   const uint64_t *busy_ps)
{
    uint32_t best = 0;
    uint32_t i;

    for (i = 1; i < net->link_count; i++) {
        uint64_t is_ps = busy_ps[net->links[i].server];
        uint64_t best_ps = busy_ps[net->links[best].server];

        if (is_ps > best_ps ||
            (is_ps == best_ps &&
             link_number(stage, i) < link_number(stage, best)))
            best = i;
    }
    return best;
}

/* Where nothing has bytes, no link is in the way. */
static void record_bottleneck(const struct cs_stage *stage,
                              struct cs_record *record)
{
    const struct cs_net *net = net_run(stage);
    uint64_t *busy_ps =
        cs_arena_alloc(stage->arena, net->server_count, sizeof(*busy_ps));
    const bool *queues = links_that_queue(stage);
    uint32_t best;
    uint32_t i;

    record->bottleneck = "";
    if (stage->result.messages == 0 || stage->result.time_ps == 0 ||
        stage->point->scenario->model->is_flat)
        return;
    for (i = 0; i < net->link_count; i++)
        if (queues[i])
            busy_ps[net->links[i].server] += stage->result.use[i].busy_ps;
    best = run_record_busiest(stage, net, busy_ps);
    if (busy_ps[net->links[best].server] == 0)
        return;
    record->bottleneck = cs_stage_link_name(stage, best);
    record->bottleneck_utilisation =
        (double)busy_ps[net->links[best].server] /
        (double)(stage->ended_ps ? stage->ended_ps : stage->result.time_ps);
}

static uint64_t run_record_vector_bytes(const struct cs_stage *stage)
{
    return stage->call.elements * stage->call.element_bytes;
}

static const char *agent_kind(const struct cs_stage *stage)
{
    if (stage->program.agents == 0)
        return "";
    return stage->point->algo->agent_place == CS_AGENT_SERVER ? "server"
                                                              : "switch";
}

void cs_stage_question(const struct cs_stage *stage, struct cs_record *record)
{
    const struct cs_scenario *scenario = stage->point->scenario;

    *record = (struct cs_record){
        .version = CS_VERSION,
        .topology = stage->graph.name,
        .topology_spec = scenario->topo,
        .collective = stage->point->algo->collective->name,
        .algorithm = stage->point->algo->name,
        .model = scenario->model->name,
        .dtype = scenario->dtype->name,
        .placement = cs_placement_names[scenario->placement],
        .parameters = stage->parameters,
        .hypothetical = stage->hypothetical ? stage->hypothetical : "",
        .folding = "",
        .healthy_s = (double)NAN,
        .slowdown = (double)NAN,
        .healthy_bottleneck = "",
        .detour = "",
        .ranks = stage->call.ranks,
        .agents = stage->program.agents,
        .agent_kind = agent_kind(stage),
        .bytes = run_record_vector_bytes(stage),
        .seed = scenario->seed,
    };
}

/* Where links do not count, with a net that says what parties can do. */
static struct cs_bound bound_of(const struct cs_stage *stage)
{
    const struct cs_link_model *model = stage->point->scenario->model;
    struct cs_bound_ask ask = {.collective = stage->point->algo->collective,
                               .vector_bytes =
                                   (double)run_record_vector_bytes(stage),
                               .root = stage->call.root,
                               .element_bytes = stage->call.element_bytes,
                               .ports_only = model->ports_only};
    struct cs_net flat;

    if (model->unbounded)
        return (struct cs_bound){0, model->unbounded};
    if (!model->is_flat)
        return cs_bound_of(&stage->graph, &stage->net, &ask, stage->arena);
    cs_loggp_bound_net(&stage->net, &flat, stage->arena);
    return cs_bound_of(&stage->graph, &flat, &ask, stage->arena);
}

/* A bound that is met is above the time by what doubles round by. */
static double rounded_down(double bound_s, double time_s)
{
    return bound_s > time_s && bound_s <= time_s * (1 + 1e-12) ? time_s
                                                               : bound_s;
}

void cs_stage_answer(struct cs_stage *stage, struct cs_record *record)
{
    const struct cs_exec_result *result = &stage->result;
    const struct cs_collective *collective = stage->point->algo->collective;
    struct cs_bound bound = bound_of(stage);
    struct cs_textbook book = cs_stage_textbook(stage);

    record->time_ps =
        cs_time_after(result->time_ps, stage->transport.launch_ps);
    record->closed_form_s =
        cs_algo_closed_form_of_nodes_s(stage->point->algo, &stage->call,
                                       &book.between, &book.within) +
        (double)stage->transport.launch_ps * 1e-12;
    record->lower_bound_s =
        rounded_down(bound.time_s + (double)stage->transport.launch_ps * 1e-12,
                     (double)record->time_ps * 1e-12);
    record->bound = bound.why;
    if (record->time_ps)
        record->algbw_Bps = (double)run_record_vector_bytes(stage) /
                            ((double)record->time_ps * 1e-12);
    record->busbw_Bps = record->algbw_Bps *
                        cs_collective_bus_factor(collective, stage->call.ranks);
    record->messages = result->messages;
    record->messages_resent = result->resent;
    record->packets_dropped = result->packets_dropped;
    record->packets_resent = result->packets_resent;
    record->bytes_sent_total = result->bytes_sent;
    record->bytes_sent_per_rank_max = result->bytes_sent_max;
    record->peak_extra_bytes_per_rank = result->extra_bytes_max;
    record->peak_bytes_per_agent = result->agent_bytes_max;
    record->latency_ps = result->path.latency_ps + stage->transport.launch_ps;
    record->bandwidth_ps = result->path.bandwidth_ps;
    record->reduction_ps = result->path.reduction_ps;
    record->wait_ps = result->path.wait_ps;
    record_bottleneck(stage, record);
    record_links(stage, record);
    if (stage->point->scenario->per_rank)
        record->rank_done_ps = result->done_ps;
}

/* Everything but the machine's file, as options. */
static void say_command(const struct cs_record *record, struct cs_text *out)
{
    cs_text_printf(out,
                   "collsim --topo '%s' --collective %s --algo %s --ranks %u "
                   "--size %lluB --dtype %s --model %s --placement %s --seed "
                   "%llu",
                   record->topology_spec, record->collective, record->algorithm,
                   record->ranks, (unsigned long long)record->bytes,
                   record->dtype, record->model, record->placement,
                   (unsigned long long)record->seed);
    if (record->parameters[0])
        cs_text_printf(out, " with %s", record->parameters);
    cs_text_printf(out, ", version %s", record->version);
}

int cs_record_check_bound(const struct cs_record *record, struct cs_err *err)
{
    double time_s = (double)record->time_ps * 1e-12;
    /* Times are rounded up to picoseconds, bounds are doubles. */
    double least_s = record->lower_bound_s * (1 - 1e-12) - 1e-12;
    char time[CS_UNITS_TEXT];
    char bound[CS_UNITS_TEXT];
    struct cs_text command = {0};

    if (!(time_s < least_s))
        return 0;
    say_command(record, &command);
    cs_err_set(err, CS_EANSWER,
               "internal error: simulated %s is below the lower bound of %s "
               "(%s)%s; please report it with the machine's file and: %s",
               cs_units_show_time(time, record->time_ps),
               cs_units_show_seconds(bound, record->lower_bound_s),
               record->bound,
               record->verified == CS_VERIFIED_PROVED
                   ? ""
                   : ", unless the schedule, which is not proved, does less "
                     "than the collective",
               cs_text_str(&command));
    cs_text_free(&command);
    return CS_EANSWER;
}
