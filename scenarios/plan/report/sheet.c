#include "scenarios/plan/report/report.h"

#define AT(member)   CS_AT(struct cs_plan_case, member)
#define LOAD(member) AT(member), CS_UNLESS(struct cs_plan_case, refusal)

static double million_usd(const void *row)
{
    return 1e6 * cs_plan_token_usd(row);
}

static const char *framework_name(const void *row)
{
    const struct cs_plan_case *one = row;

    return one->time.framework ? one->time.framework->name : NULL;
}

/* ---- every figure ---- */

/* A figure and the ends of its range. */
#define RANGED(name, title, unit, kind, figure, low, high)                                        \
    {name, title, (unit), (kind), LOAD(figure)}, {name "_low", "low", (unit), (kind), LOAD(low)}, \
    {                                                                                             \
        name "_high", "high", (unit), (kind), LOAD(high)                                          \
    }

static const struct cs_sheet_column all_columns[] = {
    {"node", "node", NULL, CS_SHEET_TEXT, AT(node)},
    {"fabric", "fabric", NULL, CS_SHEET_TEXT, AT(fabric)},
    {"link", "link", NULL, CS_SHEET_TEXT, AT(link), CS_OR_EMPTY},
    {"gpus", "GPUs", NULL, CS_SHEET_COUNT, AT(gpus)},
    {"nodes", "nodes", NULL, CS_SHEET_COUNT, AT(node_count)},
    {"spare_nodes", "spares", NULL, CS_SHEET_COUNT, AT(spares)},
    {"topology", "machine", NULL, CS_SHEET_TEXT, AT(topo)},
    {"refusal", "not answered", NULL, CS_SHEET_TEXT, AT(refusal)},
    {"setting", "setting", NULL, CS_SHEET_TEXT, LOAD(time.setting)},
    {"framework", "framework", NULL, CS_SHEET_TEXT, .text = framework_name},
    {"time_s", "time", NULL, CS_SHEET_SECONDS, LOAD(time.time_s)},
    {"low_s", "low", NULL, CS_SHEET_SECONDS, LOAD(time.low_s)},
    {"high_s", "high", NULL, CS_SHEET_SECONDS, LOAD(time.high_s)},
    {"lower_bound_s", "bound", NULL, CS_SHEET_SECONDS, LOAD(time.bound_s)},
    {"effective_s", "with failures", NULL, CS_SHEET_SECONDS, LOAD(effective_s)},
    {"effective_low_s", "low", NULL, CS_SHEET_SECONDS, LOAD(ranges.effective_s.low)},
    {"effective_high_s", "high", NULL, CS_SHEET_SECONDS, LOAD(ranges.effective_s.high)},
    {"rate", "rate", NULL, CS_SHEET_REAL, LOAD(time.rate)},
    {"tokens_per_s", "tokens/s", NULL, CS_SHEET_REAL, LOAD(time.tokens_per_s),
     .known = CS_IF_POSITIVE},
    {"efficiency", "efficiency", NULL, CS_SHEET_SHARE, LOAD(efficiency)},
    {"flops_share_of_peak", "FLOPs", NULL, CS_SHEET_SHARE, LOAD(time.flops_share)},
    {"largest_part", "largest part", NULL, CS_SHEET_TEXT, LOAD(time.largest)},
    {"memory_bytes", "memory", NULL, CS_SHEET_REAL, LOAD(time.memory_bytes)},
    {"switches", "switches", NULL, CS_SHEET_COUNT, LOAD(inventory.boxes)},
    {"cables", "cables", NULL, CS_SHEET_COUNT, LOAD(inventory.cables)},
    {"network_note", "spare nodes", NULL, CS_SHEET_TEXT, LOAD(spares_note)},
    {"network_usd", "network", "USD", CS_SHEET_COUNT, LOAD(cost.network_usd)},
    {"capital_usd", "capital", "USD", CS_SHEET_COUNT, LOAD(cost.capital_usd)},
    {"capital_low_usd", "low", "USD", CS_SHEET_COUNT, LOAD(ranges.capital_usd.low)},
    {"capital_high_usd", "high", "USD", CS_SHEET_COUNT, LOAD(ranges.capital_usd.high)},
    {"power_w", "power", "W", CS_SHEET_COUNT, LOAD(cost.watts)},
    {"power_low_w", "low", "W", CS_SHEET_COUNT, LOAD(ranges.watts.low)},
    {"power_high_w", "high", "W", CS_SHEET_COUNT, LOAD(ranges.watts.high)},
    RANGED("usd_per_h", "price per hour", "USD", CS_SHEET_REAL, cost.usd_per_h,
           ranges.usd_per_h.low, ranges.usd_per_h.high),
    RANGED("usd_per_step", "price per step", "USD", CS_SHEET_REAL, worth.usd_per_step,
           ranges.usd_per_step.low, ranges.usd_per_step.high),
    {"usd_per_million_tokens", "price per million tokens", "USD", CS_SHEET_REAL,
     .real = million_usd},
    RANGED("kwh_per_step", "energy per step", "kWh", CS_SHEET_REAL, worth.kwh_per_step,
           ranges.kwh_per_step.low, ranges.kwh_per_step.high),
    {"training_s", "training", NULL, CS_SHEET_SECONDS, LOAD(advice.training_s)},
    {"training_usd", "training", "USD", CS_SHEET_COUNT, LOAD(advice.training_usd)},
    {"rent_usd", "rented", "USD", CS_SHEET_REAL, LOAD(advice.rent_usd)},
    {"break_even_s", "to buy pays after", NULL, CS_SHEET_SECONDS, LOAD(advice.break_even_s)},
    {"over", "limit", NULL, CS_SHEET_TEXT, LOAD(advice.over)},
    {"usd_per_pflop_day", "price per PFLOP-day", "USD", CS_SHEET_REAL,
     LOAD(worth.usd_per_pflop_day)},
    {"interruption_s", "between interruptions", NULL, CS_SHEET_SECONDS, LOAD(goodput.interval_s)},
    {"checkpoint_interval_s", "between checkpoints", NULL, CS_SHEET_SECONDS,
     LOAD(goodput.checkpoint_s)},
    RANGED("goodput", "goodput", NULL, CS_SHEET_SHARE, goodput.share, ranges.goodput.low,
           ranges.goodput.high),
    {"pareto", "Pareto", NULL, CS_SHEET_BOOL, LOAD(pareto)},
    {"bought_gpus", "GPUs of the nodes", NULL, CS_SHEET_COUNT, AT(bought)},
};

void cs_plan_sheet(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_fill(sheet, CS_ROWS("cases", all_columns, plan->cases, plan->count));
}

/* ---- for people ---- */

#define CASE_COLUMNS                                                  \
    {"machine", "node, fabric, link", NULL, CS_SHEET_TEXT, AT(name)}, \
    {                                                                 \
        "gpus", "GPUs", NULL, CS_SHEET_COUNT, AT(gpus)                \
    }

static const char *plan_note(const void *row)
{
    const struct cs_plan_case *one = row;

    return one->refusal ? one->refusal : one->time.setting;
}

static double tokens_a_step(const void *row)
{
    const struct cs_plan_case *one = row;

    return one->time.tokens_per_s * one->time.time_s;
}

static const struct cs_sheet_column sizing_columns[] = {
    CASE_COLUMNS,
    {"time_s", "time", NULL, CS_SHEET_SECONDS, LOAD(time.time_s)},
    {"low_s", "90 % from", NULL, CS_SHEET_SECONDS, LOAD(time.low_s)},
    {"high_s", "to", NULL, CS_SHEET_SECONDS, LOAD(time.high_s)},
    {"effective_s", "with failures", NULL, CS_SHEET_SECONDS, LOAD(effective_s)},
    {"tokens_per_step", "tokens", "a step", CS_SHEET_COUNT, .real = tokens_a_step,
     .known = CS_IF_POSITIVE},
    {"tokens_per_s", "tokens/s", "fault-free", CS_SHEET_COUNT, LOAD(time.tokens_per_s),
     .known = CS_IF_POSITIVE},
    {"efficiency", "efficiency", NULL, CS_SHEET_SHARE, LOAD(efficiency)},
    {"flops", "FLOPs", NULL, CS_SHEET_SHARE, LOAD(time.flops_share)},
    {"note", "setting, or why not", NULL, CS_SHEET_TEXT, .text = plan_note},
};

void cs_plan_sizing(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_fill(sheet, CS_ROWS("sizing", sizing_columns, plan->cases, plan->count));
}

/* ---- price ---- */

/* Prices of what is run `once`. */
#define PRICE_COLUMNS(once)                                                                        \
    {                                                                                              \
        CASE_COLUMNS, {"spares", "spare nodes", NULL, CS_SHEET_COUNT, AT(spares)},                 \
            {"capital_usd", "capital", "USD", CS_SHEET_COUNT, AT(cost.capital_usd)},               \
            {"power_w", "power", "W", CS_SHEET_COUNT, AT(cost.watts)},                             \
            {"usd_per_h", "an hour", "USD", CS_SHEET_REAL, AT(cost.usd_per_h)},                    \
            {"usd_per_step", once, "USD", CS_SHEET_REAL, AT(worth.usd_per_step)},                  \
            {"kwh_per_step", once, "kWh", CS_SHEET_REAL, AT(worth.kwh_per_step)},                  \
            {"training_usd", "training", "USD", CS_SHEET_COUNT, AT(advice.training_usd)},          \
            {"rent_usd", once ", rented", "USD", CS_SHEET_REAL, AT(advice.rent_usd)},              \
            {"usd_per_pflop_day", "PFLOP-day", "USD", CS_SHEET_REAL, AT(worth.usd_per_pflop_day)}, \
            {"pareto", "Pareto", NULL, CS_SHEET_BOOL, AT(pareto)},                                 \
    }
static const struct cs_sheet_column step_columns[] = PRICE_COLUMNS("a step");
static const struct cs_sheet_column mix_columns[] = PRICE_COLUMNS("a mix");

static void add_answered(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    for (uint32_t c = 0; c < plan->count; ++c)
        if (!plan->cases[c].refusal)
            cs_sheet_row(sheet, &plan->cases[c]);
}

void cs_plan_prices(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    if (plan->options->mix.count)
        cs_sheet_begin(sheet, "prices", CS_COLUMNS(mix_columns));
    else
        cs_sheet_begin(sheet, "prices", CS_COLUMNS(step_columns));
    add_answered(plan, sheet);
}

/* ---- network ---- */

static double network_of_gpu(const void *row)
{
    const struct cs_plan_case *one = row;

    return one->cost.network_usd / one->gpus;
}

static double network_share(const void *row)
{
    const struct cs_plan_case *one = row;

    return one->cost.network_usd / one->cost.capital_usd;
}

static const struct cs_sheet_column network_columns[] = {
    CASE_COLUMNS,
    {"tiers", "tiers", NULL, CS_SHEET_COUNT, AT(inventory.tiers)},
    {"switches", "switches", NULL, CS_SHEET_COUNT, AT(inventory.boxes)},
    {"cables", "cables", NULL, CS_SHEET_COUNT, AT(inventory.cables)},
    {"network_usd", "network", "USD", CS_SHEET_COUNT, AT(cost.network_usd)},
    {"network_usd_per_gpu", "per GPU", "USD", CS_SHEET_COUNT, .real = network_of_gpu},
    {"network_share", "of the capital", NULL, CS_SHEET_SHARE, .real = network_share},
    {"network_w", "network", "W", CS_SHEET_COUNT, AT(cost.network_watts)},
    {"network_note", "note", NULL, CS_SHEET_TEXT, AT(spares_note)},
};

void cs_plan_network(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "network", CS_COLUMNS(network_columns));
    add_answered(plan, sheet);
}

/* ---- failures ---- */

struct goodput_row {
    const char *node;
    uint32_t gpus, spares;
    double rate_h, interruption_h, young_min, daly_min;
    double share, without_spares, two_planes;
};

#undef AT
#define AT(member) CS_AT(struct goodput_row, member)
static const struct cs_sheet_column goodput_columns[] = {
    {"node", "node", NULL, CS_SHEET_TEXT, AT(node)},
    {"gpus", "GPUs", NULL, CS_SHEET_COUNT, AT(gpus)},
    {"gpu_hours", "GPU-hours per interruption", NULL, CS_SHEET_COUNT, AT(rate_h)},
    {"interruption_h", "between interruptions", "h", CS_SHEET_REAL, AT(interruption_h)},
    {"young_min", "Young's interval", "min", CS_SHEET_REAL, AT(young_min)},
    {"daly_min", "Daly's interval", "min", CS_SHEET_REAL, AT(daly_min)},
    {"spares", "spare nodes", NULL, CS_SHEET_COUNT, AT(spares)},
    {"goodput", "goodput", NULL, CS_SHEET_SHARE, AT(share)},
    {"without_spares", "without spares", NULL, CS_SHEET_SHARE, AT(without_spares)},
    {"two_planes", "two planes", NULL, CS_SHEET_SHARE, AT(two_planes)},
};

void cs_plan_goodput(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "goodput", CS_COLUMNS(goodput_columns));
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];
        struct cs_failures bare = one->failures, planes = one->failures;

        if (!cs_plan_is_first_of_size(plan, c))
            continue;
        bare.spares = 0;
        planes.planes = planes.planes > 1 ? planes.planes : 2;
        cs_sheet_row(sheet, &(struct goodput_row){
                                .node = one->node,
                                .gpus = one->gpus,
                                .spares = one->spares,
                                .rate_h = one->failures.gpu_s / 3600,
                                .interruption_h = one->goodput.interval_s / 3600,
                                .young_min = one->goodput.young_s / 60,
                                .daly_min = one->goodput.checkpoint_s / 60,
                                .share = one->goodput.share,
                                .without_spares = cs_goodput_of(&bare, one->gpus).share,
                                .two_planes = cs_goodput_of(&planes, one->gpus).share,
                            });
    }
}
