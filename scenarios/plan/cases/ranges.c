#include "scenarios/plan/cases/ranges.h"

#include "sim/base/units_show.h"

#include <math.h>
#include <stddef.h>

/* Inputs with a range of factors, all assumed, have low and high above 0; the
 * others have ranges of their own. */
static const struct {
    const char *name, *low_name, *high_name;
    double low, high;
} plan_inputs[CS_PLAN_INPUTS] = {
    [CS_INPUT_TIME] = {"predicted time", "low end", "high end of the interval", 0, 0},
    [CS_INPUT_FAILURES] = {"GPU-hours per interruption", NULL, NULL, 0, 0},
    [CS_INPUT_CHECKPOINT] = {"restart and checkpoint time", "half", "twice", 0.5, 2},
    [CS_INPUT_NODE_PRICE] = {"price of a node, or rent, USD", NULL, NULL, 0, 0},
    [CS_INPUT_NETWORK_PRICE] = {"price of switches and cables", "low end", "high end", 0, 0},
    [CS_INPUT_NODE_POWER] = {"power of a node, W", NULL, NULL, 0, 0},
    [CS_INPUT_NETWORK_POWER] = {"power of switches and cables", "low end", "high end", 0, 0},
    [CS_INPUT_ENERGY] = {"price of electricity", "half", "twice", 0.5, 2},
    [CS_INPUT_LIFETIME] = {"lifetime", "75 %", "125 %", 0.75, 1.25},
};

const char *cs_plan_input_name(enum cs_plan_input input)
{
    return plan_inputs[input].name;
}

static double end_of(struct cs_price_range range, enum cs_plan_end end)
{
    return end == CS_PLAN_HIGH ? range.high : range.low;
}

const char *cs_plan_input_end(const struct cs_plan_options *options, const struct cs_plan_case *one,
                              enum cs_plan_input input, enum cs_plan_end end)
{
    double value;

    switch (input) {
    case CS_INPUT_FAILURES:
        value = end_of(one->gpu_s, end) / 3600;
        break;
    case CS_INPUT_NODE_PRICE:
        value = end_of(one->prices.usd_range[one->is_rented ? CS_PRICE_RENT : CS_PRICE_NODE], end);
        if (one->is_rented)
            return cs_arena_printf(options->train.scenario.arena, "%.4g", value);
        break;
    case CS_INPUT_NODE_POWER:
        value = end_of(one->prices.watts_range[CS_PRICE_NODE], end);
        break;
    default:
        return end == CS_PLAN_HIGH ? plan_inputs[input].high_name : plan_inputs[input].low_name;
    }
    if (!isfinite(value))
        return "unknown";
    return cs_arena_text(options->train.scenario.arena,
                         cs_show_count((uint64_t)llround(value)).text);
}

struct cs_plan_case cs_plan_changed(const struct cs_plan_options *given,
                                    const struct cs_plan_case *one, enum cs_plan_input input,
                                    enum cs_plan_end end)
{
    struct cs_plan_options options = *given;
    struct cs_plan_case changed = *one;
    struct cs_price_list *prices = &changed.prices;
    struct cs_failures *failures = &changed.failures;
    struct cs_err unused = {0}; /* a network beyond four tiers keeps its boxes */
    double factor = end == CS_PLAN_HIGH ? plan_inputs[input].high : plan_inputs[input].low;

    switch (input) {
    case CS_INPUT_TIME:
        changed.time.time_s = end == CS_PLAN_HIGH ? one->time.high_s : one->time.low_s;
        break;
    case CS_INPUT_FAILURES:
        failures->gpu_s = end_of(one->gpu_s, end);
        cs_plan_set_spares(given, &changed);
        cs_plan_buy(given, &changed, &unused);
        break;
    case CS_INPUT_CHECKPOINT:
        failures->restart_s *= factor;
        failures->checkpoint_s *= factor;
        break;
    case CS_INPUT_NODE_PRICE:
        prices->usd[CS_PRICE_NODE] = end_of(prices->usd_range[CS_PRICE_NODE], end);
        prices->usd[CS_PRICE_RENT] = end_of(prices->usd_range[CS_PRICE_RENT], end);
        break;
    case CS_INPUT_NETWORK_PRICE:
        prices->usd[CS_PRICE_SWITCH] = end_of(prices->usd_range[CS_PRICE_SWITCH], end);
        prices->usd[CS_PRICE_CABLE] = end_of(prices->usd_range[CS_PRICE_CABLE], end);
        break;
    case CS_INPUT_NODE_POWER:
        prices->watts[CS_PRICE_NODE] = end_of(prices->watts_range[CS_PRICE_NODE], end);
        break;
    case CS_INPUT_NETWORK_POWER:
        prices->watts[CS_PRICE_SWITCH] = end_of(prices->watts_range[CS_PRICE_SWITCH], end);
        prices->watts[CS_PRICE_CABLE] = end_of(prices->watts_range[CS_PRICE_CABLE], end);
        break;
    case CS_INPUT_ENERGY:
        options.prices.energy_usd *= factor;
        break;
    default:
        options.prices.lifetime_s *= factor;
    }
    changed.goodput = cs_goodput_of(failures, one->gpus);
    cs_plan_price(&options, &changed);
    return changed;
}

/* ---- headlines ---- */

enum headline {
    HEADLINE_TIME,
    HEADLINE_GOODPUT,
    HEADLINE_CAPITAL,
    HEADLINE_POWER,
    HEADLINE_HOUR,
    HEADLINE_STEP,
    HEADLINE_ENERGY,
    HEADLINES,
};

static void list_headlines(const struct cs_plan_case *one, double values[HEADLINES])
{
    values[HEADLINE_TIME] = one->effective_s;
    values[HEADLINE_GOODPUT] = one->goodput.share;
    values[HEADLINE_CAPITAL] = one->cost.capital_usd;
    values[HEADLINE_POWER] = one->cost.watts;
    values[HEADLINE_HOUR] = one->cost.usd_per_h;
    values[HEADLINE_STEP] = one->worth.usd_per_step;
    values[HEADLINE_ENERGY] = one->worth.kwh_per_step;
}

/* Squares of logarithms, downwards and upwards. */
struct spread {
    double down, up;
};

static void add_spread(struct spread *spread, double value, double changed)
{
    double step = log(changed / value);

    if (step < 0)
        spread->down += step * step;
    else
        spread->up += step * step;
}

static void find_ranges(const struct cs_plan_options *options, struct cs_plan_case *one)
{
    struct cs_plan_ranges *ranges = &one->ranges;
    struct cs_price_range *each[HEADLINES] = {
        &ranges->effective_s, &ranges->goodput,      &ranges->capital_usd, &ranges->watts,
        &ranges->usd_per_h,   &ranges->usd_per_step, &ranges->kwh_per_step};
    struct spread spreads[HEADLINES] = {{0}};
    double values[HEADLINES], changed[HEADLINES];

    list_headlines(one, values);
    for (int input = 0; input < CS_PLAN_INPUTS; ++input)
        for (int end = CS_PLAN_LOW; end <= CS_PLAN_HIGH; ++end) {
            struct cs_plan_case other =
                cs_plan_changed(options, one, (enum cs_plan_input)input, (enum cs_plan_end)end);

            list_headlines(&other, changed);
            for (int h = 0; h < HEADLINES; ++h)
                add_spread(&spreads[h], values[h], changed[h]);
        }
    for (int h = 0; h < HEADLINES; ++h) {
        each[h]->low = values[h] * exp(-sqrt(spreads[h].down));
        each[h]->high = values[h] * exp(sqrt(spreads[h].up));
    }
    ranges->goodput.high = fmin(ranges->goodput.high, 1);
}

void cs_plan_find_ranges(struct cs_plan *plan)
{
    for (uint32_t i = 0; i < plan->count; ++i)
        if (!plan->cases[i].refusal)
            find_ranges(plan->options, &plan->cases[i]);
}
