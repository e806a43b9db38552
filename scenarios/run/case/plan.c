#include "scenarios/run/case/plan.h"

#include "algorithms/shared/adapters.h"
#include "algorithms/shared/relays.h"
#include "algorithms/shared/rings/machine_rings.h"
#include "algorithms/shared/rings/rings.h"
#include "algorithms/shared/rings/torus.h"
#include "algorithms/shared/trees/machine_trees.h"
#include "algorithms/shared/trees/trees.h"
#include "scenarios/run/case/run.h"
#include "sim/base/collections/vector.h"
#include "sim/base/random.h"
#include "sim/base/units.h"
#include "topo/placement/placement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- rank order ---- */

/* The identity, agents included. */
static uint32_t *order_unchanged(const struct cs_run *run)
{
    uint32_t parties = run->machine->net.party_count;
    uint32_t *order = cs_arena_alloc(run->arena, parties, sizeof(*order));

    for (uint32_t i = 0; i < parties; i++)
        order[i] = i;
    return order;
}

/* Permutes the ranks of the whole machine, of which `order` is the identity. */
static int order_by_placement(const struct cs_run *run, uint32_t *order)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_graph *graph = &run->machine->graph;
    struct cs_random *random;

    switch (scenario->placement) {
    case CS_PLACE_PACKED:
        break;
    case CS_PLACE_ROUND_ROBIN:
        cs_placement_round_robin(graph, order);
        break;
    case CS_PLACE_RANDOM:
        random = cs_random_open(scenario->seed, "placement");
        cs_random_shuffle(random, order, graph->rank_count);
        cs_random_close(random);
        break;
    case CS_PLACE_FILE:
        return cs_placement_read(scenario->slots, graph, order, run->err);
    }
    return 0;
}

/* Whether the algorithm takes the rings of the ring order's file: ranks then keep
 * the machine's order. */
static bool rank_order_is_rings(const struct cs_run *run)
{
    const char *spec = run->which->scenario->ring_order;

    return run->which->algo->takes_rings && spec && !run->main && cs_ring_orders_are_rings(spec);
}

/* Reads the ring order's file for a number of ranks. */
static int rank_order_read(const struct cs_run *run, uint32_t ranks, struct cs_ring_orders *orders)
{
    int code =
        cs_ring_orders_read(run->which->scenario->ring_order, ranks, orders, run->arena, run->err);

    if (!code)
        cs_ring_orders_of_devices(&run->graph, orders);
    return code;
}

/* Placement and ring order exclude each other (scenario.c). */
int cs_rank_order(struct cs_run *run, uint32_t **order)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_ring_orders orders;
    int code = 0;

    *order = NULL;
    if (scenario->placement != CS_PLACE_PACKED) {
        *order = order_unchanged(run);
        return order_by_placement(run, *order);
    }
    if (!scenario->ring_order || rank_order_is_rings(run))
        return 0;
    code = rank_order_read(run, run->graph.rank_count, &orders);
    if (code)
        return code;
    cs_ring_orders_report(&run->graph, scenario->ring_order, &orders);
    *order = order_unchanged(run);
    memcpy(*order, orders.order, orders.ranks * sizeof(**order));
    return 0;
}

/* ---- parameters ---- */

/* Appends the parameter; an empty value is a switch. */
static void parameters_add(struct cs_run *run, const char *name, const char *value,
                           const char *chosen_by)
{
    *CS_VECTOR_NEXT_IN(run->arena, run->parameter, run->parameter_count, run->parameter_room) =
        (struct cs_record_parameter){name, cs_arena_text(run->arena, value), chosen_by};
}

static void parameters_add_dims(struct cs_run *run, const struct cs_call *given)
{
    CS_AT_END(cs_text_free) struct cs_text dims = {0};

    for (uint32_t i = 0; i < given->dim_count; i++)
        cs_text_printf(&dims, "%s%u", i ? "x" : "", given->dims[i]);
    if (given->dim_count)
        parameters_add(run, "dims", dims.data, "user");
}

/* The fault of a case stands behind those of the scenario, so that the rows are
 * those of a run with both. */
struct parameter_visit {
    struct cs_run *run;
    const struct cs_fault *lost; /* NULL: none, or added */
};

static void parameters_add_lost(struct parameter_visit *visit)
{
    if (visit->lost)
        parameters_add(visit->run, "fault", visit->lost->text, "user");
    visit->lost = NULL;
}

static const struct cs_option *parameter_fault_option(void)
{
    const struct cs_option *option = cs_scenario_options;

    while (option->group || !cs_same(option->name, "fault"))
        option++;
    return option;
}

/* A cs_option_visit, in the order of the table. */
static void parameters_add_option(void *ctx, const struct cs_option *option, const char *value)
{
    struct parameter_visit *visit = ctx;

    if (option > parameter_fault_option())
        parameters_add_lost(visit);
    parameters_add(visit->run, option->name, value, "user");
}

void cs_run_add_parameters(struct cs_run *run, const struct cs_call *call)
{
    const struct cs_call *given = cs_run_given(run);
    const struct cs_rings *rings =
        run->which->algo->rings_of_nodes && !call->rings_by_node ? NULL : call->rings;
    const struct {
        const char *name;
        uint32_t value;
        uint32_t known; /* from the machine, and not listed */
        uint32_t given;
    } numbers[] = {
        {"root", call->root, 0, given->root},
        {"chunks", call->chunks, 0, given->chunks},
        {"carriers", call->carriers, 0, 0},
        {"slices", call->slices, 0, given->slices},
        {"channels", call->channels, 0, given->channels},
        {"rings", rings ? rings->count : 0, rings ? call->channels : 0, 0},
        {"peers", call->peers, 0, given->peers},
        {"trees", call->trees ? call->trees->count : 0, 0, 0},
        {"radix", call->radix, 0, given->radix},
        {"shards", call->shards, 0, given->shards},
        {"group", call->group, given->group ? 0 : run->call.group, given->group},
    };
    struct parameter_visit visit = {run, run->which->lost};
    bool is_searched = run->which->scenario->is_searched;
    char number[16];

    run->parameter_count = 0;
    if (call->server == CS_SERVER_COLOCATED)
        parameters_add(run, "colocated", "", "user");
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        snprintf(number, sizeof(number), "%u", numbers[i].value);
        if (numbers[i].value != numbers[i].known)
            parameters_add(run, numbers[i].name, number,
                           numbers[i].given && !is_searched ? "user" : "algorithm");
    }
    cs_scenario_each_of_key(run->which->scenario, CS_KEY_PARAMETER,
                            (struct cs_option_visit){parameters_add_option, &visit});
    parameters_add_lost(&visit);
    parameters_add_dims(run, given);
}

/* The ranks per node where nodes hold equally many ranks, in order; else 0. */
static uint32_t ranks_of_node(const struct cs_graph *graph)
{
    uint32_t first = cs_graph_rank_host(graph, 0);
    uint32_t each = 1;

    if (first == CS_NO_HOST)
        return 0;
    while (each < graph->rank_count && cs_graph_rank_host(graph, each) == first)
        each++;
    for (uint32_t i = each; i < graph->rank_count; i++) {
        uint32_t host = cs_graph_rank_host(graph, i);
        uint32_t before = cs_graph_rank_host(graph, i - 1);

        if ((host == before) != (i % each != 0))
            return 0;
    }
    return graph->rank_count % each ? 0 : each;
}

/* Whether ranks follow one another as the machine numbers them. */
static bool is_in_order(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;

    return scenario->placement == CS_PLACE_PACKED && !scenario->ring_order;
}

/* Whether the ranks are those of the machine, in order. */
static bool has_all_ranks_in_order(const struct cs_run *run)
{
    return !run->main && !run->slots && is_in_order(run);
}

/* ---- rings ---- */

static void plan_note_rings(const struct cs_run *run)
{
    const struct cs_rings *rings = run->call.rings;
    const struct cs_scenario *scenario = run->which->scenario;
    char shown[CS_UNITS_TEXT];

    if (!rings || !run->which->notes || scenario->choice != CS_CHOICE_NAMED)
        return;
    cs_units_show_rate(shown, 1 / rings->load_s_per_byte[rings->count - 1]);
    if (rank_order_is_rings(run) && scenario->ring_order)
        cs_text_printf(run->which->notes, "%u rings of %s, %s each when all run at once\n",
                       rings->count, scenario->ring_order + strcspn(scenario->ring_order, ":") + 1,
                       shown);
    else if (rings->direct)
        cs_text_printf(run->which->notes, "%u ring%s with lanes of %s own, %s each\n", rings->count,
                       rings->count > 1 ? "s" : "", rings->count > 1 ? "their" : "its", shown);
    if (rings->count < rings->wanted)
        cs_text_printf(run->which->notes,
                       "the torus has %u rings without a common lane, of which the search found "
                       "%u\n",
                       rings->wanted, rings->count);
}

/* Rings of the ring order's file, or of the machine. */
static int plan_rings(struct cs_run *run)
{
    uint32_t ranks = run->call.ranks;
    struct cs_ring_orders orders;
    int code = 0;

    if (!run->which->algo->takes_rings || ranks < 2 ||
        (run->which->algo->rings_of_nodes && run->call.group < 2))
        return 0;
    if (rank_order_is_rings(run)) {
        code = rank_order_read(run, ranks, &orders);
        if (!code)
            run->call.rings =
                cs_rings_of_orders(&run->plan_net, ranks, orders.count, orders.order, run->arena);
    } else if (has_all_ranks_in_order(run)) {
        run->call.rings = cs_plan_cache_rings(run->machine->plans, &run->plan_net, ranks,
                                              ranks_of_node(&run->graph));
    } else {
        run->call.rings =
            cs_rings_of_machine(&run->plan_net, ranks,
                                is_in_order(run) ? ranks_of_node(&run->graph) : ranks, run->arena);
    }
    plan_note_rings(run);
    return code;
}

/* ---- trees ---- */

static void plan_note_trees(const struct cs_run *run)
{
    const struct cs_trees *trees = run->call.trees;
    char shown[CS_UNITS_TEXT];

    if (!trees || !run->which->notes || run->which->scenario->choice != CS_CHOICE_NAMED)
        return;
    cs_units_show_rate(shown, 1 / cs_trees_s_per_byte(trees));
    cs_text_printf(run->which->notes, "%u trees of depth %u, %s of the vector together",
                   trees->count, trees->depth, shown);
    if (trees->limit_s_per_byte > 0)
        cs_text_printf(run->which->notes, ", %.1f %% of the best on these routes",
                       100 * fmin(trees->limit_s_per_byte / cs_trees_s_per_byte(trees), 1));
    cs_text_add(run->which->notes, "\n");
}

/* The trees that the collective needs: the contents before and after say which
 * ranks the vector comes from and goes to. */
static struct cs_tree_request plan_tree_request(const struct cs_collective *collective,
                                                uint32_t root)
{
    struct cs_tree_request request = {.roots = CS_TREES_OF_ANY, .root = root, .use = CS_TREES_BOTH};

    if (collective->before == CS_EVERY_RANK && collective->after == CS_EVERY_RANK)
        return request;
    request.use = collective->after == CS_EVERY_RANK ? CS_TREES_DOWN : CS_TREES_UP;
    request.roots = collective->before == CS_ROOT || collective->after == CS_ROOT ? CS_TREES_OF_ROOT
                                                                                  : CS_TREES_OF_ALL;
    return request;
}

static void plan_trees(struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;
    struct cs_tree_request request = plan_tree_request(algo->collective, run->call.root);

    if (!algo->takes_trees || run->call.root >= run->call.ranks ||
        (run->call.ranks > CS_TREES_RANKS_LISTED &&
         run->which->scenario->choice != CS_CHOICE_NAMED))
        return;
    if (is_in_order(run))
        request.group = ranks_of_node(&run->graph);
    request.is_quick = run->which->scenario->choice == CS_CHOICE_AUTO;
    run->call.trees =
        has_all_ranks_in_order(run)
            ? cs_plan_cache_trees(run->machine->plans, &run->plan_net, run->call.ranks, &request)
            : cs_trees_of_machine(&run->plan_net, run->call.ranks, &request, run->arena);
    plan_note_trees(run);
}

/* `auto` tries every algorithm, and is to answer soon. */
int cs_plan_check_trees(const struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;

    if (!algo->takes_trees || run->call.trees || run->which->scenario->choice != CS_CHOICE_AUTO ||
        run->call.ranks <= CS_TREES_RANKS_SEARCHED)
        return 0;
    return cs_err_set(
        run->err, CS_EINPUT,
        "trees of more than %d ranks without equal nodes are packed with --algo %s only",
        CS_TREES_RANKS_SEARCHED, algo->name);
}

static struct cs_call plan_given(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_call call = *cs_run_given(run);

    call.collective = run->which->algo->collective;
    call.ranks = run->graph.rank_count;
    call.schedule = run->which->algo->schedule;
    if (call.slices == 0 && run->which->algo->sliced)
        call.slices = run->machine->transport.slices;
    if (run->which->algo->vector_bytes) {
        call.elements = run->which->algo->vector_bytes;
        call.element_bytes = 1;
    } else {
        call.elements = run->which->bytes / scenario->dtype->bytes;
        call.element_bytes = scenario->dtype->bytes;
    }
    /* An element is not cut. */
    if (call.chunks > call.elements && call.elements > 0)
        call.chunks = (uint32_t)call.elements;
    if (call.group == 0)
        call.group = ranks_of_node(&run->graph);
    return call;
}

static void plan_adapters(struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;
    struct cs_adapters adapters;

    if (!algo->takes_sharing && !algo->takes_carriers)
        return;
    adapters = cs_adapters_of_machine(&run->plan_net, run->call.ranks, run->call.group, run->arena);
    if (algo->takes_sharing)
        run->call.sharing = adapters.sharing;
    if (algo->takes_carriers)
        run->call.carriers = adapters.carriers;
}

/* The dimensions of the machine's torus, unless others are given. */
static void plan_dims(struct cs_run *run)
{
    struct cs_call *call = &run->call;
    struct cs_torus torus;

    if (!run->which->algo->takes_dims)
        return;
    torus = cs_torus_of_net(&run->plan_net, call->ranks);
    if (torus.count && !call->dim_count) {
        uint32_t *dims = cs_arena_alloc(run->arena, torus.count, sizeof(*dims));

        memcpy(dims, torus.sides, torus.count * sizeof(*dims));
        call->dims = dims;
        call->dim_count = torus.count;
    }
    call->dims_are_wires = torus.count && torus.count == call->dim_count &&
                           !memcmp(call->dims, torus.sides, torus.count * sizeof(*call->dims));
}

static void plan_relays(struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;
    enum cs_relays_kind kind = algo->relays_in_rows ? CS_RELAYS_ANY : CS_RELAYS_ONE;

    if (!algo->takes_relays)
        return;
    run->call.relays =
        has_all_ranks_in_order(run)
            ? cs_plan_cache_relays(run->machine->plans, &run->plan_net, run->call.ranks, kind)
            : cs_relays_of_machine(&run->plan_net, run->call.ranks, kind, run->arena);
}

int cs_plan_call(struct cs_run *run)
{
    run->call = plan_given(run);
    plan_dims(run);
    plan_relays(run);
    plan_adapters(run);
    plan_trees(run);
    return plan_rings(run);
}

static void plan_parameters(struct cs_run *run, const struct cs_hockney *hockney)
{
    const struct cs_algo *algo = run->which->algo;
    struct cs_call chosen = run->call;

    chosen.hockney = *hockney;
    if (algo->settle && chosen.ranks > 1)
        algo->settle(&chosen);
    cs_run_add_parameters(run, &chosen);
    cs_algo_resolve(algo, &run->call, hockney);
}

/* Algorithms that exchange blocks require blocks of equal size: the vector is
 * padded, as users of MPI_Alltoall do, whose counts are per block. */
static void plan_pad(struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;
    uint64_t blocks = algo->moves_blocks ? algo->blocks(&run->call) : 1;
    uint64_t over = run->call.elements % blocks;

    if (over == 0 || run->call.ranks == 1)
        return;
    run->call.elements += blocks - over;
    if (run->which->notes)
        cs_text_printf(run->which->notes,
                       "%s requires %llu equal blocks: the vector is padded by %llu B\n",
                       algo->collective->name, (unsigned long long)blocks,
                       (unsigned long long)(blocks - over) * run->call.element_bytes);
}

void cs_plan_settle(struct cs_run *run, const struct cs_hockney *hockney)
{
    plan_parameters(run, hockney);
    plan_pad(run);
}

/* What the first of missing abilities is; or NULL. */
static const char *missing_ability(unsigned missing)
{
    static const struct {
        unsigned ability;
        const char *what;
    } abilities[] = {
        {CS_SWITCH_REDUCES,
         "reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)"},
        {CS_SWITCH_MULTIMEM, "have NVLink SHARP, which NVSwitches of NVLink 4 and later have"},
        {CS_SWITCH_MULTICASTS, "copy a message to all ports"},
    };

    for (size_t i = 0; i < sizeof(abilities) / sizeof(*abilities); i++)
        if (missing & abilities[i].ability)
            return abilities[i].what;
    return NULL;
}

/* `auto` chooses among algorithms that the machine is known to support; a named
 * algorithm is simulated hypothetically. */
int cs_plan_check_switches(struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;
    const unsigned *abilities;
    const char *what = NULL;
    uint32_t i;

    if (!algo->needs)
        return 0;
    abilities = cs_graph_abilities(&run->graph, run->arena);
    for (i = 0; i < run->program.agents && !what; i++) {
        bool is_between =
            algo->agent_place == CS_AGENT_NODE_FABRIC && i >= run->call.ranks / run->call.group;

        what = missing_ability((is_between ? CS_SWITCH_REDUCES : algo->needs) &
                               ~abilities[run->graph.agent_device[i]]);
    }
    if (!what)
        return 0;
    run->hypothetical = cs_arena_printf(
        run->arena, "%s is not known to %s",
        cs_graph_name(&run->graph, run->graph.agent_device[i - 1], run->arena), what);
    if (run->which->scenario->choice == CS_CHOICE_AUTO)
        return cs_err_set(run->err, CS_EINPUT, "%s", run->hypothetical);
    if (run->which->notes)
        cs_text_printf(run->which->notes, "%s is hypothetical here: %s\n", algo->name,
                       run->hypothetical);
    return 0;
}
