#include "scenarios/plan/report/sheet.h"

#include <math.h>

#define COUNT(columns) (sizeof(columns) / sizeof(*(columns)))

static void add_known(struct cs_sheet *sheet, double value)
{
    if (isfinite(value))
        cs_sheet_u64(sheet, (uint64_t)llround(value));
    else
        cs_sheet_none(sheet);
}

static void add_positive(struct cs_sheet *sheet, double value)
{
    if (value > 0)
        cs_sheet_real(sheet, value);
    else
        cs_sheet_none(sheet);
}

static void add_range(struct cs_sheet *sheet, struct cs_price_range range)
{
    cs_sheet_real(sheet, range.low);
    cs_sheet_real(sheet, range.high);
}

/* ---- every figure ---- */

static const struct cs_sheet_column all_columns[] = {
    {"node", "node", NULL, CS_SHEET_TEXT},
    {"fabric", "fabric", NULL, CS_SHEET_TEXT},
    {"link", "link", NULL, CS_SHEET_TEXT},
    {"gpus", "GPUs", NULL, CS_SHEET_COUNT},
    {"nodes", "nodes", NULL, CS_SHEET_COUNT},
    {"spare_nodes", "spares", NULL, CS_SHEET_COUNT},
    {"topology", "machine", NULL, CS_SHEET_TEXT},
    {"refusal", "not answered", NULL, CS_SHEET_TEXT},
    {"setting", "setting", NULL, CS_SHEET_TEXT},
    {"time_s", "time", NULL, CS_SHEET_SECONDS},
    {"low_s", "low", NULL, CS_SHEET_SECONDS},
    {"high_s", "high", NULL, CS_SHEET_SECONDS},
    {"lower_bound_s", "bound", NULL, CS_SHEET_SECONDS},
    {"effective_s", "with failures", NULL, CS_SHEET_SECONDS},
    {"effective_low_s", "low", NULL, CS_SHEET_SECONDS},
    {"effective_high_s", "high", NULL, CS_SHEET_SECONDS},
    {"rate", "rate", NULL, CS_SHEET_REAL},
    {"tokens_per_s", "tokens/s", NULL, CS_SHEET_REAL},
    {"efficiency", "efficiency", NULL, CS_SHEET_SHARE},
    {"flops_share_of_peak", "FLOPs", NULL, CS_SHEET_SHARE},
    {"largest_part", "largest part", NULL, CS_SHEET_TEXT},
    {"memory_bytes", "memory", NULL, CS_SHEET_REAL},
    {"switches", "switches", NULL, CS_SHEET_COUNT},
    {"cables", "cables", NULL, CS_SHEET_COUNT},
    {"network_usd", "network", "USD", CS_SHEET_COUNT},
    {"capital_usd", "capital", "USD", CS_SHEET_COUNT},
    {"capital_low_usd", "low", "USD", CS_SHEET_COUNT},
    {"capital_high_usd", "high", "USD", CS_SHEET_COUNT},
    {"power_w", "power", "W", CS_SHEET_COUNT},
    {"power_low_w", "low", "W", CS_SHEET_COUNT},
    {"power_high_w", "high", "W", CS_SHEET_COUNT},
    {"usd_per_h", "price per hour", "USD", CS_SHEET_REAL},
    {"usd_per_h_low", "low", "USD", CS_SHEET_REAL},
    {"usd_per_h_high", "high", "USD", CS_SHEET_REAL},
    {"usd_per_step", "price per step", "USD", CS_SHEET_REAL},
    {"usd_per_step_low", "low", "USD", CS_SHEET_REAL},
    {"usd_per_step_high", "high", "USD", CS_SHEET_REAL},
    {"kwh_per_step", "energy per step", "kWh", CS_SHEET_REAL},
    {"kwh_per_step_low", "low", "kWh", CS_SHEET_REAL},
    {"kwh_per_step_high", "high", "kWh", CS_SHEET_REAL},
    {"usd_per_pflop_day", "price per PFLOP-day", "USD", CS_SHEET_REAL},
    {"interruption_s", "between interruptions", NULL, CS_SHEET_SECONDS},
    {"checkpoint_interval_s", "between checkpoints", NULL, CS_SHEET_SECONDS},
    {"goodput", "goodput", NULL, CS_SHEET_SHARE},
    {"goodput_low", "low", NULL, CS_SHEET_SHARE},
    {"goodput_high", "high", NULL, CS_SHEET_SHARE},
    {"pareto", "Pareto", NULL, CS_SHEET_BOOL},
};

static void add_load(struct cs_sheet *sheet, const struct cs_plan_case *one)
{
    const struct cs_plan_time *time = &one->time;

    cs_sheet_text(sheet, time->setting);
    cs_sheet_real(sheet, time->time_s);
    cs_sheet_real(sheet, time->low_s);
    cs_sheet_real(sheet, time->high_s);
    cs_sheet_real(sheet, time->bound_s);
    cs_sheet_real(sheet, one->effective_s);
    add_range(sheet, one->ranges.effective_s);
    cs_sheet_real(sheet, time->rate);
    add_positive(sheet, time->tokens_per_s);
    cs_sheet_real(sheet, one->efficiency);
    cs_sheet_real(sheet, time->flops_share);
    cs_sheet_text(sheet, time->largest);
    cs_sheet_real(sheet, time->memory_bytes);
}

static void add_price(struct cs_sheet *sheet, const struct cs_plan_case *one)
{
    cs_sheet_u64(sheet, one->inventory.boxes);
    cs_sheet_u64(sheet, one->inventory.cables);
    add_known(sheet, one->cost.network_usd);
    add_known(sheet, one->cost.capital_usd);
    add_known(sheet, one->ranges.capital_usd.low);
    add_known(sheet, one->ranges.capital_usd.high);
    add_known(sheet, one->cost.watts);
    add_known(sheet, one->ranges.watts.low);
    add_known(sheet, one->ranges.watts.high);
    cs_sheet_real(sheet, one->cost.usd_per_h);
    add_range(sheet, one->ranges.usd_per_h);
    cs_sheet_real(sheet, one->usd_per_step);
    add_range(sheet, one->ranges.usd_per_step);
    cs_sheet_real(sheet, one->kwh_per_step);
    add_range(sheet, one->ranges.kwh_per_step);
    cs_sheet_real(sheet, one->usd_per_pflop_day);
    cs_sheet_real(sheet, one->goodput.interval_s);
    cs_sheet_real(sheet, one->goodput.checkpoint_s);
    cs_sheet_real(sheet, one->goodput.share);
    add_range(sheet, one->ranges.goodput);
    cs_sheet_bool(sheet, one->pareto);
}

void cs_plan_sheet(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "cases", all_columns, COUNT(all_columns));
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        cs_sheet_text(sheet, one->node);
        cs_sheet_text(sheet, one->fabric);
        cs_sheet_text(sheet, one->link ? one->link : "");
        cs_sheet_u64(sheet, one->gpus);
        cs_sheet_u64(sheet, one->node_count);
        cs_sheet_u64(sheet, one->spares);
        cs_sheet_text(sheet, one->topo);
        if (!one->refusal) {
            cs_sheet_none(sheet);
            add_load(sheet, one);
            add_price(sheet, one);
            continue;
        }
        cs_sheet_text(sheet, one->refusal);
        while (sheet->cell_count % sheet->column_count)
            cs_sheet_none(sheet);
    }
}

/* ---- for people ---- */

#define CASE_COLUMNS                                        \
    {"machine", "node, fabric, link", NULL, CS_SHEET_TEXT}, \
    {                                                       \
        "gpus", "GPUs", NULL, CS_SHEET_COUNT                \
    }

static void begin_case(struct cs_sheet *sheet, const struct cs_plan_case *one)
{
    cs_sheet_text(sheet, one->name);
    cs_sheet_u64(sheet, one->gpus);
}

static const struct cs_sheet_column sizing_columns[] = {
    CASE_COLUMNS,
    {"time_s", "time", NULL, CS_SHEET_SECONDS},
    {"low_s", "90 % from", NULL, CS_SHEET_SECONDS},
    {"high_s", "to", NULL, CS_SHEET_SECONDS},
    {"effective_s", "with failures", NULL, CS_SHEET_SECONDS},
    {"tokens_per_s", "tokens/s", NULL, CS_SHEET_COUNT},
    {"efficiency", "efficiency", NULL, CS_SHEET_SHARE},
    {"flops", "FLOPs", NULL, CS_SHEET_SHARE},
    {"note", "setting, or why not", NULL, CS_SHEET_TEXT},
};

static void add_sizing(struct cs_sheet *sheet, const struct cs_plan_case *one)
{
    const struct cs_plan_time *time = &one->time;

    cs_sheet_real(sheet, time->time_s);
    cs_sheet_real(sheet, time->low_s);
    cs_sheet_real(sheet, time->high_s);
    cs_sheet_real(sheet, one->effective_s);
    if (time->tokens_per_s > 0)
        cs_sheet_u64(sheet, (uint64_t)llround(time->tokens_per_s));
    else
        cs_sheet_none(sheet);
    cs_sheet_real(sheet, one->efficiency);
    cs_sheet_real(sheet, time->flops_share);
    cs_sheet_text(sheet, time->setting);
}

void cs_plan_sizing(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "sizing", sizing_columns, COUNT(sizing_columns));
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        begin_case(sheet, one);
        if (!one->refusal) {
            add_sizing(sheet, one);
            continue;
        }
        while ((sheet->cell_count + 1) % sheet->column_count)
            cs_sheet_none(sheet);
        cs_sheet_text(sheet, one->refusal);
    }
}

/* ---- price ---- */

static const struct cs_sheet_column price_columns[] = {
    CASE_COLUMNS,
    {"spares", "spare nodes", NULL, CS_SHEET_COUNT},
    {"capital_usd", "capital", "USD", CS_SHEET_COUNT},
    {"power_w", "power", "W", CS_SHEET_COUNT},
    {"usd_per_h", "an hour", "USD", CS_SHEET_REAL},
    {"usd_per_step", "once", "USD", CS_SHEET_REAL},
    {"kwh_per_step", "once", "kWh", CS_SHEET_REAL},
    {"usd_per_pflop_day", "PFLOP-day", "USD", CS_SHEET_REAL},
    {"pareto", "Pareto", NULL, CS_SHEET_BOOL},
};

void cs_plan_prices(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "prices", price_columns, COUNT(price_columns));
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        if (one->refusal)
            continue;
        begin_case(sheet, one);
        cs_sheet_u64(sheet, one->spares);
        add_known(sheet, one->cost.capital_usd);
        add_known(sheet, one->cost.watts);
        cs_sheet_real(sheet, one->cost.usd_per_h);
        cs_sheet_real(sheet, one->usd_per_step);
        cs_sheet_real(sheet, one->kwh_per_step);
        cs_sheet_real(sheet, one->usd_per_pflop_day);
        cs_sheet_bool(sheet, one->pareto);
    }
}

/* ---- network ---- */

static const struct cs_sheet_column network_columns[] = {
    CASE_COLUMNS,
    {"tiers", "tiers of", "a switch", CS_SHEET_COUNT},
    {"switches", "switches", NULL, CS_SHEET_COUNT},
    {"cables", "cables", NULL, CS_SHEET_COUNT},
    {"network_usd", "network", "USD", CS_SHEET_COUNT},
    {"network_usd_per_gpu", "per GPU", "USD", CS_SHEET_COUNT},
    {"network_share", "of the capital", NULL, CS_SHEET_SHARE},
    {"network_w", "network", "W", CS_SHEET_COUNT},
};

void cs_plan_network(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "network", network_columns, COUNT(network_columns));
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        if (one->refusal)
            continue;
        begin_case(sheet, one);
        cs_sheet_u64(sheet, one->inventory.tiers);
        cs_sheet_u64(sheet, one->inventory.boxes);
        cs_sheet_u64(sheet, one->inventory.cables);
        add_known(sheet, one->cost.network_usd);
        add_known(sheet, one->cost.network_usd / one->gpus);
        cs_sheet_real(sheet, one->cost.network_usd / one->cost.capital_usd);
        add_known(sheet, one->cost.network_watts);
    }
}

/* ---- failures ---- */

static const struct cs_sheet_column goodput_columns[] = {
    {"gpus", "GPUs", NULL, CS_SHEET_COUNT},
    {"interruption_h", "between interruptions", "h", CS_SHEET_REAL},
    {"young_min", "Young's interval", "min", CS_SHEET_REAL},
    {"daly_min", "Daly's interval", "min", CS_SHEET_REAL},
    {"spares", "spare nodes", NULL, CS_SHEET_COUNT},
    {"goodput", "goodput", NULL, CS_SHEET_SHARE},
    {"without_spares", "without spares", NULL, CS_SHEET_SHARE},
    {"two_planes", "two planes", NULL, CS_SHEET_SHARE},
};

void cs_plan_goodput(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    cs_sheet_begin(sheet, "goodput", goodput_columns, COUNT(goodput_columns));
    for (uint32_t g = 0; g < plan->options->gpus.count; ++g) {
        const struct cs_plan_case *one = &plan->cases[g];
        struct cs_failures failures = plan->options->failures;

        cs_sheet_u64(sheet, one->gpus);
        cs_sheet_real(sheet, one->goodput.interval_s / 3600);
        cs_sheet_real(sheet, one->goodput.young_s / 60);
        cs_sheet_real(sheet, one->goodput.checkpoint_s / 60);
        cs_sheet_u64(sheet, one->spares);
        cs_sheet_real(sheet, one->goodput.share);
        failures.spares = 0;
        cs_sheet_real(sheet, cs_goodput_of(&failures, one->gpus).share);
        failures.spares = one->spares;
        failures.planes = failures.planes > 1 ? failures.planes : 2;
        cs_sheet_real(sheet, cs_goodput_of(&failures, one->gpus).share);
    }
}
