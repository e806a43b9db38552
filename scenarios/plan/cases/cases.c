#include "scenarios/plan/cases/cases.h"

#include "scenarios/train/command/machine.h"

#include "sim/base/divisor.h"
#include "sim/base/order.h"
#include "sim/engine/progress.h"
#include "topo/formats/source.h"
#include "topo/graph/fabric.h"
#include "topo/kinds/gpu_kind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double node_share = 0.999; /* of the time with enough nodes */

/* A larger node is a rack of trays, each repaired and rented by itself: GB200 and GB300 NVL72 have
 * 18 of 4 GPUs (NVIDIA).  Trays without ranks are spares. */
enum {
    NODE_MOST_GPUS = 16,
    TRAY_GPUS = 4
};

/* ---- the list ---- */

/* "fat-tree:radix=64,oversubscription=3" as parameters of a cluster. */
static void add_fabric_text(const char *fabric, struct cs_text *topo)
{
    const char *colon = strchr(fabric, ':');

    if (!colon)
        cs_text_printf(topo, ",fabric=%s", fabric);
    else
        cs_text_printf(topo, ",fabric=%.*s,%s", (int)(colon - fabric), fabric, colon + 1);
}

static void name_case(struct cs_plan_case *one, struct cs_arena *arena)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    cs_text_printf(
        &text, strchr(one->node, ',') ? "cluster:node=[%s],nodes=%u" : "cluster:node=%s,nodes=%u",
        one->node, one->node_count);
    if (one->each < one->node_gpus)
        cs_text_printf(&text, ",gpus=%u", one->each);
    add_fabric_text(one->fabric, &text);
    if (one->link)
        cs_text_printf(&text, ",link=%s", one->link);
    one->topo = one->node_count > 1 ? cs_text_keep(&text, arena) : one->node;
    one->name = cs_arena_printf(arena, "%s, %s%s%s", one->node, one->fabric, one->link ? ", " : "",
                                one->link ? one->link : "");
}

void cs_plan_case_open(const struct cs_plan_options *options, uint32_t gpus,
                       struct cs_plan_case *one)
{
    uint32_t each = cs_segment_each(one->node_gpus, gpus, options->train.segment);

    *one = (struct cs_plan_case){
        .node = one->node,
        .fabric = one->fabric,
        .link = one->link,
        .gpus = gpus,
        .each = each,
        .node_gpus = one->node_gpus,
        .node_count = (gpus + each - 1) / each,
        .bought = (gpus + each - 1) / each * one->node_gpus,
    };
    name_case(one, options->train.scenario.arena);
}

static int list_cases(const struct cs_plan_options *options, struct cs_plan *plan,
                      struct cs_err *err)
{
    struct cs_arena *arena = options->train.scenario.arena;
    uint32_t links = options->links.count ? options->links.count : 1;
    uint32_t all = options->nodes.count * options->fabrics.count * links * options->gpus.count;

    plan->cases = cs_arena_alloc(arena, all, sizeof(*plan->cases));
    for (uint32_t n = 0; n < options->nodes.count; ++n) {
        uint32_t ranks;
        int code = cs_segment_node_ranks(&options->train, options->nodes.item[n], &ranks, err);

        for (uint32_t f = 0; f < options->fabrics.count * links && !code; ++f)
            for (uint32_t g = 0; g < options->gpus.count && !code; ++g) {
                struct cs_plan_case *one = &plan->cases[plan->count++];

                *one = (struct cs_plan_case){
                    .node = options->nodes.item[n],
                    .fabric = options->fabrics.item[f / links],
                    .link = options->links.count ? options->links.item[f % links] : NULL,
                    .node_gpus = ranks};
                cs_plan_case_open(options, options->gpus.item[g], one);
            }
        if (code)
            return code;
    }
    return 0;
}

struct cs_train_options cs_plan_given(const struct cs_plan_options *options,
                                      const struct cs_plan_case *one)
{
    struct cs_train_options given = options->train;

    given.scenario.topo = one->topo;
    given.ranks = one->gpus % one->each ? one->gpus : 0;
    given.segment = 0;
    return given;
}

/* ---- price and goodput ---- */

/* A node of known price is not rented for want of its switches' price. */
static bool is_node_known(const struct cs_price_list *prices)
{
    return isfinite(prices->usd[CS_PRICE_NODE]) && isfinite(prices->watts[CS_PRICE_NODE]);
}

void cs_plan_price(const struct cs_plan_options *options, struct cs_plan_case *one)
{
    double step_h;

    one->cost = cs_plan_cost_of(&one->inventory, &one->prices, &options->prices);
    one->is_rented = !is_node_known(&one->prices) && !isfinite(one->cost.usd_per_h) &&
                     isfinite(one->prices.usd[CS_PRICE_RENT]);
    if (one->is_rented)
        one->cost.usd_per_h = one->prices.usd[CS_PRICE_RENT] * cs_plan_rented(one);
    one->effective_s = one->time.time_s / one->goodput.share;
    step_h = one->effective_s / 3600;
    one->worth.usd_per_step = one->cost.usd_per_h * step_h;
    one->worth.kwh_per_step = one->cost.watts * 1e-3 * step_h;
    one->worth.usd_per_pflop_day = one->time.flops > 0
                                       ? one->worth.usd_per_step / one->time.flops * (1e15 * 86400)
                                       : (double)NAN;
}

/* GPUs of what is repaired, and rented, by itself. */
static uint32_t part_gpus(const struct cs_plan_case *one)
{
    return one->node_gpus > NODE_MOST_GPUS ? TRAY_GPUS : one->node_gpus;
}

uint32_t cs_plan_rented(const struct cs_plan_case *one)
{
    uint32_t part = part_gpus(one);

    return (uint32_t)cs_divide_up(one->gpus, part) * part;
}

void cs_plan_set_spares(const struct cs_plan_options *options, struct cs_plan_case *one)
{
    uint32_t part = part_gpus(one);
    uint32_t parts = one->node_gpus / part;
    uint32_t idle = parts > 1 ? (one->bought - one->gpus) / part : 0;
    uint32_t needed = cs_goodput_spares(&one->failures, one->gpus, node_share);

    one->spares = options->failures.spares;
    if (one->spares == UINT32_MAX)
        one->spares = needed > idle ? (needed - idle + parts - 1) / parts : 0;
    one->failures.spares = one->spares * parts + idle;
}

int cs_plan_buy(const struct cs_plan_options *options, struct cs_plan_case *one, struct cs_err *err)
{
    struct cs_inventory inventory;
    int code = cs_inventory_of(&one->networks, one->spares, options->failures.planes,
                               one->prices.switch_ports, &inventory, err);

    if (!code)
        one->inventory = inventory;
    return code;
}

/* Spares whose ports need another tier, and how many do not. */
static const char *spares_note(const struct cs_plan_options *options,
                               const struct cs_plan_case *one)
{
    struct cs_plan_case fewer = *one;
    struct cs_err unused = {0};

    while (fewer.spares && fewer.inventory.tiers == one->inventory.tiers) {
        --fewer.spares;
        if (cs_plan_buy(options, &fewer, &unused))
            return "";
    }
    if (fewer.inventory.tiers == one->inventory.tiers)
        return "";
    return cs_arena_printf(options->train.scenario.arena,
                           "%u spare %s a tier: with %u, %llu %s and %llu cables", one->spares,
                           one->spares == 1 ? "node takes" : "nodes take", fewer.spares,
                           (unsigned long long)fewer.inventory.boxes,
                           fewer.inventory.boxes == 1 ? "switch" : "switches",
                           (unsigned long long)fewer.inventory.cables);
}

/* The user's rate of interruptions, half to twice (assumed), or that of the GPU. */
static void set_failures(const struct cs_plan_options *options, const struct cs_graph *graph,
                         struct cs_plan_case *one)
{
    struct cs_device device = cs_graph_device(graph, graph->rank_device[0]);
    const char *model = device.model ? device.model->name : "these devices";
    const struct cs_failure_rate *rate = cs_failure_rate_of(model);
    double gpu_s = options->failures.gpu_s;

    one->failures = options->failures;
    one->failures_source = gpu_s > 0 ? "given by the user"
                           : cs_same(rate->gpu, model)
                               ? rate->source
                               : cs_arena_printf(options->train.scenario.arena,
                                                 "no rate of %s is published; as %s: %s", model,
                                                 rate->gpu, rate->source);
    one->gpu_s = (struct cs_price_range){gpu_s / 2, gpu_s * 2};
    if (!(gpu_s > 0)) {
        one->failures.gpu_s = rate->hours * 3600;
        one->gpu_s = (struct cs_price_range){rate->low * 3600, rate->high * 3600};
    }
    cs_plan_set_spares(options, one);
}

/* Boxes that are built have no other size; where they have two, no list price is that of all. */
static struct cs_price_list case_prices(const struct cs_plan_options *options,
                                        const struct cs_plan_case *one,
                                        const struct cs_fabric *built)
{
    struct cs_price_options prices = options->prices;
    struct cs_price_list list;

    if (built)
        prices.switch_ports =
            built->chassis && built->chassis != built->radix ? UINT32_MAX : built->radix;
    list = cs_price_list_of(&prices, one->node, one->port_Bps);
    if (built)
        list.switch_ports = built->radix;
    return list;
}

static int plan_inventory(const struct cs_plan_options *options, const struct cs_graph *graph,
                          struct cs_plan_case *one, struct cs_err *err)
{
    int code;

    if (graph->built && options->prices.switch_ports)
        return cs_err_set(err, CS_EINPUT,
                          "--switch-ports has no effect on %s, whose switches have radix= and "
                          "chassis= ports; leave it out",
                          one->fabric);
    set_failures(options, graph, one);
    one->goodput = cs_goodput_of(&one->failures, one->gpus);
    one->port_Bps = cs_inventory_port_Bps(graph);
    one->prices = case_prices(options, one, graph->built);
    one->networks = cs_switch_networks_of(graph, options->train.scenario.arena);
    one->networks.nodes = one->node_count; /* a node may have several hosts */
    one->networks.gpus = one->bought;
    code = cs_plan_buy(options, one, err);
    if (!code)
        one->spares_note = spares_note(options, one);
    return code;
}

/* ---- all ---- */

int cs_plan_case_compute(const struct cs_plan_options *options, struct cs_plan_case *one,
                         struct cs_err *err)
{
    struct cs_train_setup setup;
    struct cs_train_result result;
    int code = options->mix.count
                   ? cs_plan_time_mix(options, one, &setup, &one->time, err)
                   : cs_plan_time_training(options, one, &setup, &result, &one->time, err);

    if (!code)
        code = plan_inventory(options, &setup.graph, one, err);
    if (code)
        return code;
    cs_plan_price(options, one);
    return 0;
}

static bool is_first(const struct cs_plan *plan, uint32_t c, bool of_size)
{
    const struct cs_plan_case *one = &plan->cases[c];

    for (uint32_t o = 0; o < c; ++o)
        if (!plan->cases[o].refusal && plan->cases[o].node == one->node &&
            (!of_size || plan->cases[o].gpus == one->gpus))
            return false;
    return !one->refusal;
}

bool cs_plan_is_first_of_node(const struct cs_plan *plan, uint32_t c)
{
    return is_first(plan, c, false);
}

bool cs_plan_is_first_of_size(const struct cs_plan *plan, uint32_t c)
{
    return is_first(plan, c, true);
}

static bool is_below(double a, double b)
{
    return isfinite(a) && isfinite(b) && a < b;
}

/* Batches may differ between cases with a model: time and price count by the
 * sample. */
double cs_plan_batch(const struct cs_plan *plan, const struct cs_plan_case *one)
{
    return plan->options->mix.count ? 1 : one->time.rate * one->time.time_s;
}

double cs_plan_seconds(const struct cs_plan *plan, const struct cs_plan_case *one)
{
    return one->effective_s / cs_plan_batch(plan, one);
}

double cs_plan_usd(const struct cs_plan *plan, const struct cs_plan_case *one)
{
    return one->worth.usd_per_step / cs_plan_batch(plan, one);
}

double cs_plan_token_usd(const struct cs_plan_case *one)
{
    double tokens = one->time.tokens_per_s * one->time.time_s;

    return tokens > 0 ? one->worth.usd_per_step / tokens : (double)NAN;
}

/* Equal steps keep equal times: rounding of the division by the batch. */
static bool is_shorter(double a, double b)
{
    return a < b * (1 - 1e-12);
}

static bool have_prices(const struct cs_plan_case *one, const struct cs_plan_case *other)
{
    return isfinite(one->cost.capital_usd) && isfinite(other->cost.capital_usd);
}

/* The capital, or GPUs of one kind of node where a price is unknown. */
static double price_measure(const struct cs_plan_case *one, const struct cs_plan_case *other)
{
    return have_prices(one, other) ? one->cost.capital_usd : one->gpus;
}

static bool is_beaten(const struct cs_plan *plan, const struct cs_plan_case *one,
                      const struct cs_plan_case *by)
{
    double price = price_measure(one, by), by_price = price_measure(by, one);
    double time = cs_plan_seconds(plan, one), by_time = cs_plan_seconds(plan, by);
    bool no_worse = !is_shorter(time, by_time) && !is_below(price, by_price) &&
                    !is_below(one->cost.watts, by->cost.watts);

    return no_worse && (is_shorter(by_time, time) || is_below(by_price, price) ||
                        is_below(by->cost.watts, one->cost.watts));
}

static bool are_compared(const struct cs_plan *plan, const struct cs_plan_case *one,
                         const struct cs_plan_case *other)
{
    return (!plan->options->mix.count || one->gpus == other->gpus) &&
           (have_prices(one, other) || cs_same(one->node, other->node));
}

static void mark_pareto(struct cs_plan *plan)
{
    for (uint32_t c = 0; c < plan->count; ++c) {
        struct cs_plan_case *one = &plan->cases[c];

        one->pareto = !one->refusal;
        for (uint32_t o = 0; o < plan->count && one->pareto; ++o)
            if (!plan->cases[o].refusal && are_compared(plan, one, &plan->cases[o]) &&
                is_beaten(plan, one, &plan->cases[o]))
                one->pareto = false;
    }
}

static bool is_faster(const struct cs_plan *plan, const struct cs_plan_case *one,
                      const struct cs_plan_case *than)
{
    double time = cs_plan_seconds(plan, one), other = cs_plan_seconds(plan, than);

    return is_shorter(time, other) ||
           (!is_shorter(other, time) && is_below(one->cost.capital_usd, than->cost.capital_usd));
}

/* The best of the cases with `gpus` GPUs; false where none is answered. */
static bool best_of(const struct cs_plan *plan, uint32_t gpus, struct cs_plan_best *best)
{
    *best = (struct cs_plan_best){gpus, UINT32_MAX, UINT32_MAX};
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        if (one->refusal || (gpus && one->gpus != gpus))
            continue;
        if (best->fastest == UINT32_MAX || is_faster(plan, one, &plan->cases[best->fastest]))
            best->fastest = c;
        if (isfinite(one->worth.usd_per_step) &&
            (best->cheapest == UINT32_MAX ||
             cs_plan_usd(plan, one) < cs_plan_usd(plan, &plan->cases[best->cheapest])))
            best->cheapest = c;
    }
    return best->fastest != UINT32_MAX;
}

static int compare_best(const void *a, const void *b)
{
    return cs_order(((const struct cs_plan_best *)a)->gpus, ((const struct cs_plan_best *)b)->gpus);
}

static void find_best(struct cs_plan *plan)
{
    const struct cs_plan_options *options = plan->options;
    uint32_t groups = options->mix.count ? options->gpus.count : 1;

    for (uint32_t g = 0; g < groups; ++g)
        plan->best_count += best_of(plan, options->mix.count ? options->gpus.item[g] : 0,
                                    &plan->best[plan->best_count]);
    qsort(plan->best, plan->best_count, sizeof(*plan->best), compare_best);
    plan->fastest = plan->best[plan->best_count - 1].fastest;
}

/* With a model the batch is divided over the GPUs, with a mix every GPU has the
 * whole size. */
static double rate_of_gpu(const struct cs_plan *plan, const struct cs_plan_case *one)
{
    return plan->options->mix.count ? 1 / one->time.time_s : one->time.rate / one->gpus;
}

static void find_efficiency(struct cs_plan *plan)
{
    for (uint32_t c = 0; c < plan->count; ++c) {
        struct cs_plan_case *one = &plan->cases[c];
        double best;

        if (one->refusal)
            continue;
        best = rate_of_gpu(plan, one);
        for (uint32_t o = 0; o < plan->count; ++o)
            if (!plan->cases[o].refusal && cs_same(plan->cases[o].name, one->name))
                best = fmax(best, rate_of_gpu(plan, &plan->cases[o]));
        one->efficiency = rate_of_gpu(plan, one) / best;
    }
}

/* The fastest case again, for its parts and variants. */
static int repeat_fastest(const struct cs_plan_options *options, struct cs_plan *plan,
                          struct cs_err *err)
{
    struct cs_plan_time time;
    int code;

    if (options->mix.count) {
        struct cs_train_options *given =
            cs_arena_alloc(options->train.scenario.arena, 1, sizeof(*given));

        *given = cs_plan_given(options, &plan->cases[plan->fastest]);
        return cs_train_setup_machine(given, &plan->setup, err);
    }
    code = cs_plan_time_training(options, &plan->cases[plan->fastest], &plan->setup, &plan->result,
                                 &time, err);
    if (!code)
        plan->result.variant_count =
            cs_train_variants(plan->setup.system, &plan->setup.job, plan->result.variants);
    return code;
}

/* The reason of the first case; with its machine where another has its own. */
static int refuse_all(const struct cs_plan *plan, struct cs_err *err)
{
    const char *why = plan->cases[0].refusal;

    for (uint32_t c = 1; c < plan->count; ++c)
        if (!cs_same(plan->cases[c].refusal, why))
            return cs_err_set(err, CS_EINPUT, "%s: %s", plan->cases[0].topo, why);
    return cs_err_set(err, CS_EINPUT, "%s", why);
}

int cs_plan_compute(const struct cs_plan_options *given, struct cs_plan *plan, struct cs_err *err)
{
    struct cs_arena *arena = given->train.scenario.arena;
    struct cs_plan_options *options = cs_arena_alloc(arena, 1, sizeof(*options));
    uint32_t answered = 0;
    int code = 0;

    *options = *given;
    *plan = (struct cs_plan){.options = options};
    if (!options->gpus.count)
        code = cs_plan_size(options, err);
    if (!code)
        code = list_cases(options, plan, err);
    for (uint32_t c = 0; c < plan->count && !code; ++c) {
        struct cs_err inner = {0};

        if (cs_plan_case_compute(options, &plan->cases[c], &inner))
            plan->cases[c].refusal = cs_arena_text(arena, inner.text);
        else
            ++answered;
        if (!cs_monitor_count(options->monitor, c + 1, plan->count))
            code = cs_err_set(err, CS_ESTOPPED, "stopped");
    }
    if (!code && !answered)
        return refuse_all(plan, err);
    if (code)
        return code;
    find_best(plan);
    find_efficiency(plan);
    mark_pareto(plan);
    cs_plan_advise(plan);
    return repeat_fastest(options, plan, err);
}
