#include "scenarios/run/run.h"

#include "algorithms/shared/rings.h"
#include "scenarios/options/unused.h"
#include "scenarios/run/memory_limit.h"
#include "scenarios/run/simulate.h"
#include "sim/base/random.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"
#include "topo/placement/placement.h"
#include "topo/placement/ring_order.h"

#include <stdio.h>
#include <string.h>

#define ENDLESS_BYTES (UINT64_C(1) << 50)

/* ---- the machine ---- */

/* Each once: a machine is read again for every fault at a time. */
static void pass_on_notes(const struct cs_run *run,
                          const struct cs_graph *graph)
{
    struct cs_text *notes = run->point->notes;
    uint32_t i;

    for (i = 0; i < graph->note_count && notes; i++)
        if (!strstr(cs_text_str(notes), graph->notes[i]))
            cs_text_printf(notes, "%s\n", graph->notes[i]);
}

/* Room for all there is: what virtual channels do against circles. */
static void widen_buffers(struct cs_graph *graph,
                          struct cs_packet_params *packet)
{
    if (packet->buffer_bytes || packet->loss != CS_PACKET_PFC)
        return;
    packet->buffer_bytes = ENDLESS_BYTES;
    cs_graph_note(graph, "buffers are without limit, in place of the virtual "
                         "channels that such machines have against circles "
                         "of full buffers; --buffer sets one");
}

/* Lowers a machine, with what the software adds to it. */
static void run_lower(struct cs_run *run, struct cs_graph *graph,
                      struct cs_net *net)
{
    const struct cs_scenario *scenario = run->point->scenario;

    if (scenario->transport)
        cs_transport_fit(&run->transport, graph);
    cs_lower(graph, net, run->arena);
    net->names = (struct cs_net_names){cs_run_link_name, run};
    run->params = (struct cs_model_params){.fifo = {scenario->peers.stores},
                                           .fluid = {scenario->flows.cap_Bps},
                                           .packet = scenario->flows.packets,
                                           .loggp = &scenario->peers.loggp};
    if (graph->circles)
        widen_buffers(graph, &run->params.packet);
    if (scenario->transport)
        cs_transport_extend(&run->transport, graph, net, run->arena);
}

static int apply_faults(struct cs_run *run, uint64_t at_ps,
                        struct cs_graph *graph)
{
    const struct cs_faults *faults = &run->point->scenario->faults;

    if (run->healthy || faults->count == 0)
        return 0;
    return cs_faults_apply(faults->item, faults->count, at_ps, graph, run->err);
}

static struct cs_topo_request request_of(const struct cs_run *run,
                                         uint32_t agents)
{
    const struct cs_scenario *scenario = run->point->scenario;

    return (struct cs_topo_request){
        .spec = scenario->topo,
        .ranks = run->point->ranks,
        .agents = agents,
        .agent_place = run->point->algo->agent_place,
        .platform = scenario->machine.platform,
        .gpu = scenario->machine.gpu,
        .routing = scenario->flows.routing,
        .seed = scenario->seed,
        .replicas_from = run->replicas_from,
    };
}

/* The machine as it is from some time on. */
static int open_at(struct cs_run *run, uint32_t agents, uint64_t at_ps,
                   struct cs_graph *graph, struct cs_net *net)
{
    struct cs_topo_request request = request_of(run, agents);
    int code = cs_topo_open(&request, graph, run->arena, run->err);

    if (!code)
        code = apply_faults(run, at_ps, graph);
    if (!code)
        run_lower(run, graph, net);
    return code;
}

static int order_slots(const struct cs_run *run, uint32_t *order)
{
    const struct cs_scenario *scenario = run->point->scenario;
    struct cs_random *random;

    switch (scenario->placement) {
    case CS_PLACE_PACKED:
        break;
    case CS_PLACE_ROUND_ROBIN:
        cs_placement_round_robin(&run->graph, order);
        break;
    case CS_PLACE_RANDOM:
        random = cs_random_open(scenario->seed, "placement");
        cs_random_shuffle(random, order, run->graph.rank_count);
        cs_random_close(random);
        break;
    case CS_PLACE_FILE:
        return cs_placement_read(scenario->slots, &run->graph, order, run->err);
    }
    return 0;
}

/* Everybody where they are. */
static uint32_t *any_order(const struct cs_run *run, const struct cs_net *net)
{
    uint32_t *order =
        cs_arena_alloc(run->arena, net->party_count, sizeof(*order));

    for (uint32_t i = 0; i < net->party_count; i++)
        order[i] = i;
    return order;
}

/* The algorithm has all rings of the file, so that ranks stay where they are. */
static bool takes_file_of_rings(const struct cs_run *run)
{
    const char *spec = run->point->scenario->ring_order;

    return run->point->algo->takes_rings && spec &&
           cs_ring_orders_are_rings(spec);
}

static int read_orders(const struct cs_run *run, struct cs_ring_orders *orders)
{
    int code = cs_ring_orders_read(run->point->scenario->ring_order,
                                   run->graph.rank_count, orders, run->arena,
                                   run->err);

    if (!code)
        cs_ring_orders_of_devices(&run->graph, orders);
    return code;
}

/* Ranks as the placement says, then as the ring's order does. */
static int run_slot(struct cs_run *run, struct cs_net *net)
{
    const struct cs_scenario *scenario = run->point->scenario;
    struct cs_ring_orders orders;
    uint32_t *order;
    int code;

    if (scenario->placement != CS_PLACE_PACKED) {
        order = any_order(run, net);
        code = order_slots(run, order);
        if (code)
            return code;
        cs_net_reseat(net, order, run->arena);
    }
    if (!scenario->ring_order || takes_file_of_rings(run))
        return 0;
    code = read_orders(run, &orders);
    if (code)
        return code;
    cs_ring_orders_report(&run->graph, scenario->ring_order, &orders);
    order = any_order(run, net);
    memcpy(order, orders.order, orders.ranks * sizeof(*order));
    cs_net_reseat(net, order, run->arena);
    return 0;
}

static int run_open_machine(struct cs_run *run, uint32_t agents)
{
    const char *transport = run->point->scenario->transport;
    int code = transport ? cs_transport_open(transport, &run->transport,
                                             run->arena, run->err)
                         : 0;

    if (!code)
        code = open_at(run, agents, 0, &run->graph, &run->net);
    if (!code)
        code = run_slot(run, &run->net);
    if (!code && run->point->notes)
        cs_text_free(run->point->notes); /* of an opening before this one */
    if (!code)
        pass_on_notes(run, &run->graph);
    if (!code && run->transport.eager && run->point->notes &&
        !run->point->scenario->model->takes_eager)
        cs_text_printf(
            run->point->notes,
            "in model %s a send is done when it is delivered, though "
            "transport %s is eager\n",
            run->point->scenario->model->name, run->transport.name);
    return code;
}

/* ---- faults at a time ---- */

/* The soonest fault after that time, or UINT64_MAX. */
static uint64_t next_fault_ps(const struct cs_faults *faults, uint64_t after_ps)
{
    uint64_t next_ps = UINT64_MAX;
    uint32_t i;

    for (i = 0; i < faults->count; i++)
        if (faults->item[i].at_ps > after_ps && faults->item[i].at_ps < next_ps)
            next_ps = faults->item[i].at_ps;
    return next_ps;
}

static void fit_to_changes(struct cs_net *net, uint32_t max_hops)
{
    net->max_hops = max_hops;
    cs_net_forget_ahead(net);
}

static void fit_all_to_changes(struct cs_run *run, struct cs_net *nets)
{
    uint32_t max_hops = run->net.max_hops;
    uint32_t i;

    for (i = 0; i < run->change_count; i++)
        if (nets[i].max_hops > max_hops)
            max_hops = nets[i].max_hops;
    fit_to_changes(&run->net, max_hops);
    for (i = 0; i < run->change_count; i++)
        fit_to_changes(&nets[i], max_hops);
}

static int open_change(struct cs_run *run, uint64_t at_ps, struct cs_net *net)
{
    struct cs_graph graph;
    int code = open_at(run, run->program.agents, at_ps, &graph, net);

    if (!code)
        code = run_slot(run, net);
    if (!code)
        pass_on_notes(run, &graph);
    run->cut = graph.cut;
    run->changes[run->change_count++] = (struct cs_net_change){at_ps, net};
    return code;
}

static int open_changes(struct cs_run *run)
{
    const struct cs_scenario *scenario = run->point->scenario;
    uint64_t at_ps = next_fault_ps(&scenario->faults, 0);
    struct cs_net *nets;
    int code = 0;

    if (run->healthy || at_ps == UINT64_MAX)
        return 0;
    if (!scenario->model->lose)
        return cs_err_set(run->err, CS_EINPUT,
                          "model %s does not take faults at a time; models "
                          "fifo, fluid, packet and postal do",
                          scenario->model->name);
    if (scenario->model->shares_buffers &&
        scenario->model->shares_buffers(&run->params))
        return cs_err_set(run->err, CS_EINPUT,
                          "faults at a time need buffers of each message's "
                          "own; leave --buffer and --loss out");
    run->changes =
        cs_arena_alloc(run->arena, CS_FAULTS_MAX, sizeof(*run->changes));
    nets = cs_arena_alloc(run->arena, CS_FAULTS_MAX, sizeof(*nets));
    for (; at_ps != UINT64_MAX && !code;
         at_ps = next_fault_ps(&scenario->faults, at_ps))
        code = open_change(run, at_ps, &nets[run->change_count]);
    if (!code)
        fit_all_to_changes(run, nets);
    return code;
}

/* ---- setting up ---- */

static uint32_t host_of_rank(const struct cs_graph *graph, uint32_t rank)
{
    return cs_graph_device(graph, graph->rank_device[rank]).host;
}

/* Ranks of a node where all nodes hold as many, in order; else 0. */
static uint32_t ranks_of_node(const struct cs_graph *graph)
{
    uint32_t first = host_of_rank(graph, 0);
    uint32_t each = 1;
    uint32_t i;

    if (first == CS_NO_HOST)
        return 0;
    while (each < graph->rank_count && host_of_rank(graph, each) == first)
        each++;
    for (i = each; i < graph->rank_count; i++) {
        uint32_t host = host_of_rank(graph, i);
        uint32_t before = host_of_rank(graph, i - 1);

        if ((host == before) != (i % each != 0))
            return 0;
    }
    return graph->rank_count % each ? 0 : each;
}

/* ---- rings ---- */

static void note_rings(const struct cs_run *run)
{
    const struct cs_rings *rings = run->call.rings;
    const struct cs_scenario *scenario = run->point->scenario;
    char shown[CS_UNITS_TEXT];

    if (!rings || !run->point->notes || scenario->choice != CS_CHOICE_NAMED)
        return;
    cs_units_show_rate(shown, 1 / rings->load_s_per_byte[rings->count - 1]);
    if (takes_file_of_rings(run))
        cs_text_printf(
            run->point->notes, "%u rings of %s, %s each where all go at once\n",
            rings->count, strchr(scenario->ring_order, ':') + 1, shown);
    else if (rings->direct)
        cs_text_printf(run->point->notes,
                       "%u ring%s with lanes of %s own, %s each\n",
                       rings->count, rings->count > 1 ? "s" : "",
                       rings->count > 1 ? "their" : "its", shown);
}

/* Those of the file, or of the machine. */
static int find_rings(struct cs_run *run)
{
    const struct cs_scenario *scenario = run->point->scenario;
    uint32_t ranks = run->call.ranks;
    bool in_order =
        scenario->placement == CS_PLACE_PACKED && !scenario->ring_order;
    struct cs_ring_orders orders;
    int code = 0;

    if (!run->point->algo->takes_rings || ranks < 2)
        return 0;
    if (takes_file_of_rings(run)) {
        code = read_orders(run, &orders);
        if (!code)
            run->call.rings = cs_rings_of_orders(&run->net, ranks, orders.count,
                                                 orders.order, run->arena);
    } else {
        run->call.rings = cs_rings_of_machine(
            &run->net, ranks, in_order ? ranks_of_node(&run->graph) : ranks,
            run->arena);
    }
    note_rings(run);
    return code;
}

static struct cs_call call_of(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->point->scenario;
    struct cs_call call = scenario->call;

    call.ranks = run->graph.rank_count;
    call.schedule = run->point->algo->schedule;
    if (run->point->algo->vector_bytes) {
        call.elements = run->point->algo->vector_bytes;
        call.element_bytes = 1;
    } else {
        call.elements = run->point->bytes / scenario->dtype->bytes;
        call.element_bytes = scenario->dtype->bytes;
    }
    /* An element is not cut. */
    if (call.chunks > call.elements && call.elements > 0)
        call.chunks = (uint32_t)call.elements;
    if (call.group == 0)
        call.group = ranks_of_node(&run->graph);
    return call;
}

/* Appends "name=value", or the name alone. */
static void run_say(struct cs_text *text, const char *name, const char *value)
{
    cs_text_printf(text, "%s%s%s%s", text->length ? " " : "", name,
                   *value ? "=" : "", value);
}

static void say_dims(const struct cs_call *given, struct cs_text *text)
{
    struct cs_text dims = {0};
    uint32_t i;

    for (i = 0; i < given->dim_count; i++)
        cs_text_printf(&dims, "%s%u", i ? "x" : "", given->dims[i]);
    if (given->dim_count)
        run_say(text, "dims", dims.data);
    cs_text_free(&dims);
}

/* A cs_option_visit. */
static void run_say_option(void *ctx, const struct cs_option *option,
                           const char *value)
{
    run_say(ctx, option->name, value);
}

/* What the user gave and what the algorithm chose, for people. */
static const char *run_describe(struct cs_run *run, const struct cs_call *call)
{
    const struct cs_call *given = &run->point->scenario->call;
    const struct {
        const char *name;
        uint32_t value;
        uint32_t known; /* the machine's, no news */
    } numbers[] = {
        {"root", call->root, 0},
        {"chunks", call->chunks, 0},
        {"slices", call->slices, 0},
        {"channels", call->channels, 0},
        {"rings", call->rings ? call->rings->count : 0,
         call->rings ? call->channels : 0},
        {"radix", call->radix, 0},
        {"shards", call->shards, 0},
        {"group", call->group, given->group ? 0 : run->call.group},
    };
    struct cs_text text = {0};
    char number[16];
    const char *kept;
    size_t i;

    if (call->server == CS_SERVER_COLOCATED)
        run_say(&text, "colocated", "");
    for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        snprintf(number, sizeof(number), "%u", numbers[i].value);
        if (numbers[i].value != numbers[i].known)
            run_say(&text, numbers[i].name, number);
    }
    cs_scenario_each_of_key(run->point->scenario, CS_KEY_PARAMETER,
                            (struct cs_option_visit){run_say_option, &text});
    say_dims(given, &text);
    kept = cs_arena_text(run->arena, cs_text_str(&text));
    cs_text_free(&text);
    return kept;
}

static void run_settle(struct cs_run *run, const struct cs_hockney *hockney)
{
    const struct cs_algo *algo = run->point->algo;
    struct cs_call chosen = run->call;

    if (algo->settle && chosen.ranks > 1)
        algo->settle(&chosen, hockney);
    run->parameters = run_describe(run, &chosen);
    cs_algo_resolve(algo, &run->call, hockney);
}

/* Where blocks change places they are of one size: the vector is filled up,
 * as a user of MPI_Alltoall, who counts by block, would have to. */
static void run_pad(struct cs_run *run)
{
    const struct cs_algo *algo = run->point->algo;
    uint64_t blocks = algo->moves_blocks ? algo->blocks(&run->call) : 1;
    uint64_t over = run->call.elements % blocks;

    if (over == 0 || run->call.ranks == 1)
        return;
    run->call.elements += blocks - over;
    if (run->point->notes)
        cs_text_printf(run->point->notes,
                       "%s needs %llu equal blocks: the vector is filled up by "
                       "%llu B\n",
                       algo->collective->name, (unsigned long long)blocks,
                       (unsigned long long)(blocks - over) *
                           run->call.element_bytes);
}

int cs_run_expand(struct cs_run *run)
{
    if (!run->graph.replicated.count)
        return 0;
    cs_graph_expand(&run->graph);
    run_lower(run, &run->graph, &run->net);
    return run_slot(run, &run->net);
}

/* What the program's agents need and the switch is not known to do; or NULL. */
static const char *missing_ability(const struct cs_run *run, uint32_t device)
{
    static const struct {
        unsigned ability;
        const char *what;
    } abilities[] = {
        {CS_SWITCH_REDUCES, "reduce messages in the network, as SHARP does "
                            "(`adds: yes` in a machine's file)"},
        {CS_SWITCH_MULTIMEM, "have NVLink SHARP, which NVSwitches of NVLink 4 "
                             "and later have"},
        {CS_SWITCH_MULTICASTS, "copy a message to all ports"},
    };
    unsigned missing =
        run->point->algo->needs & ~cs_graph_abilities(&run->graph, device);
    size_t i;

    for (i = 0; i < sizeof(abilities) / sizeof(*abilities); i++)
        if (missing & abilities[i].ability)
            return abilities[i].what;
    return NULL;
}

/* `auto` takes what the machine is known to be able to run; what was named runs
 * all the same, and is marked. */
static int run_check_switches(struct cs_run *run)
{
    const struct cs_algo *algo = run->point->algo;
    const char *what = NULL;
    uint32_t i;

    for (i = 0; i < run->program.agents && algo->needs && !what; i++)
        what = missing_ability(run, run->graph.agent_device[i]);
    if (!what)
        return 0;
    run->hypothetical = cs_arena_printf(
        run->arena, "%s is not known to %s",
        cs_graph_name(&run->graph, run->graph.agent_device[i - 1], run->arena),
        what);
    if (run->point->scenario->choice == CS_CHOICE_AUTO)
        return cs_err_set(run->err, CS_EINPUT, "%s", run->hypothetical);
    if (run->point->notes)
        cs_text_printf(run->point->notes, "%s is hypothetical here: %s\n",
                       algo->name, run->hypothetical);
    return 0;
}

/* The machine comes first without servers, for its number of ranks. */
int cs_run_open(struct cs_run *run)
{
    const struct cs_algo *algo = run->point->algo;
    struct cs_hockney hockney;
    int code = run_open_machine(run, 0);

    if (!code)
        code = cs_progress_line_check(run->point->display, run->err);
    if (code)
        return code;
    run->call = call_of(run);
    code = find_rings(run);
    if (!code)
        code = cs_progress_line_check(run->point->display, run->err);
    if (code)
        return code;
    hockney = cs_run_neighbours(run);
    run_settle(run, &hockney);
    run_pad(run);
    if (cs_algo_check(algo, &run->call, run->err))
        return CS_SIMULATE_REFUSED;
    run->program = cs_algo_program(algo, &run->call);
    if (cs_room_check(run))
        return CS_SIMULATE_REFUSED;
    if (run->program.agents) {
        if (run_open_machine(run, run->program.agents) ||
            run_check_switches(run))
            return CS_SIMULATE_REFUSED;
    }
    cs_unused_note(run, &hockney);
    return open_changes(run);
}
