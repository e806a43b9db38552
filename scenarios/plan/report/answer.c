/*
 * The answer of a plan in lines, and the headlines with their ranges.
 */
#include "reports/results/json.h"
#include "scenarios/plan/report/report.h"
#include "sim/base/units_show.h"

#include <math.h>
#include <stdio.h>

#define COUNT(columns) (sizeof(columns) / sizeof(*(columns)))

/* ---- figures ---- */

typedef void figure_fn(struct cs_text *out, double value);

static void put_seconds(struct cs_text *out, double seconds)
{
    cs_text_add(out, cs_show_seconds(seconds).text);
}

static void put_share(struct cs_text *out, double share)
{
    cs_text_printf(out, "%.1f %%", 100 * share);
}

static void put_usd(struct cs_text *out, double usd)
{
    if (usd >= 1e9)
        cs_text_printf(out, "$%.4g billion", usd * 1e-9);
    else if (usd >= 1e6)
        cs_text_printf(out, "$%.4g M", usd * 1e-6);
    else if (usd >= 100)
        cs_text_printf(out, "$%s", cs_show_count((uint64_t)llround(usd)).text);
    else if (usd >= 1e-4 || !(usd > 0))
        cs_text_printf(out, "$%.3g", usd);
    else
        cs_text_printf(out, "$%.*f", 2 - (int)floor(log10(usd)), usd);
}

static void put_watts(struct cs_text *out, double watts)
{
    if (watts >= 1e9)
        cs_text_printf(out, "%.4g GW", watts * 1e-9);
    else if (watts >= 1e6)
        cs_text_printf(out, "%.4g MW", watts * 1e-6);
    else
        cs_text_printf(out, "%.4g kW", watts * 1e-3);
}

static void put_kwh(struct cs_text *out, double kwh)
{
    if (kwh >= 0.1)
        cs_text_printf(out, "%.3g kWh", kwh);
    else
        cs_text_printf(out, "%.3g Wh", kwh * 1e3);
}

/* "16,384 GPUs of dgx-h100" */
static void put_gpus(struct cs_text *out, uint32_t gpus, const char *machine)
{
    cs_text_printf(out, "%s %s of %s", cs_show_count(gpus).text, gpus == 1 ? "GPU" : "GPUs",
                   machine);
}

/* "4.07 s (3.1 s to 5.3 s)"; "unknown". */
static void put_range(struct cs_text *out, figure_fn *figure, double value,
                      struct cs_price_range range)
{
    if (!isfinite(value)) {
        cs_text_add(out, "unknown");
        return;
    }
    figure(out, value);
    cs_text_add(out, " (");
    figure(out, range.low);
    cs_text_add(out, " to ");
    figure(out, range.high);
    cs_text_add(out, ")");
}

/* ---- the answer ---- */

/* Whether the machines have one framework, the `first` or none. */
static bool is_one_framework(const struct cs_plan *plan, const struct cs_framework **first)
{
    const struct cs_plan_case *one = NULL;

    for (uint32_t c = 0; c < plan->count; ++c) {
        if (!cs_plan_is_first_of_node(plan, c))
            continue;
        if (one && one->time.framework != plan->cases[c].time.framework)
            return false;
        one = &plan->cases[c];
    }
    *first = one ? one->time.framework : NULL;
    return true;
}

/* " as run by megatron-bridge"; " as run by nemo (dgx), no framework's settings (mi300x)". */
static void put_frameworks(const struct cs_plan *plan, struct cs_text *out)
{
    const struct cs_framework *framework;
    const char *before = " as run by ";

    if (is_one_framework(plan, &framework)) {
        if (framework)
            cs_text_printf(out, "%s%s", before, framework->name);
        return;
    }
    for (uint32_t c = 0; c < plan->count; ++c) {
        if (!cs_plan_is_first_of_node(plan, c))
            continue;
        framework = plan->cases[c].time.framework;
        cs_text_printf(out, "%s%s (%s)", before,
                       framework ? framework->name : "no framework's settings",
                       plan->cases[c].node);
        before = ", ";
    }
}

static void put_question(const struct cs_plan *plan, struct cs_text *out)
{
    const struct cs_plan_options *options = plan->options;

    cs_text_add(out, "which machine for ");
    if (options->mix.count) {
        for (uint32_t c = 0; c < options->mix.count; ++c) {
            const struct cs_mix_call *call = &options->mix.calls[c];

            cs_text_printf(out, "%s%u x %s of %s", c ? ", " : "", call->count,
                           call->collective->name, cs_show_bytes(call->bytes).text);
        }
    } else {
        cs_text_printf(out, "training %s", plan->setup.model.name);
        put_frameworks(plan, out);
    }
    cs_text_printf(out, "? %u %s compared, failures included; 90 %% intervals in parentheses.",
                   plan->count, plan->count == 1 ? "case" : "cases");
}

/* Days and price of the whole training. */
static void put_training(const struct cs_plan *plan, uint32_t index, struct cs_text *out)
{
    const struct cs_plan_case *one = &plan->cases[index];
    const struct cs_price_range *times = &one->ranges.effective_s;
    const struct cs_price_range *prices = &one->ranges.usd_per_step;
    double steps = cs_plan_steps(plan, one);
    bool is_large = plan->options->tokens >= 1e12, is_short = one->advice.training_s < 2 * 86400;
    double unit_s = is_short ? 3600 : 86400;

    if (!isfinite(steps))
        return;
    cs_text_printf(out, " %.4g %s tokens: %.3g %s (%.3g to %.3g)",
                   plan->options->tokens * (is_large ? 1e-12 : 1e-9),
                   is_large ? "trillion" : "billion", one->advice.training_s / unit_s,
                   is_short ? "hours" : "days", steps * times->low / unit_s,
                   steps * times->high / unit_s);
    if (isfinite(one->worth.usd_per_step)) {
        cs_text_add(out, ", ");
        put_range(out, put_usd, one->advice.training_usd,
                  (struct cs_price_range){steps * prices->low, steps * prices->high});
    }
    cs_text_add(out, ".");
}

/* " for a step of 4,194,304 tokens (1,028,783 tokens/s with failures)". */
static void put_load(const struct cs_plan *plan, const struct cs_plan_case *one,
                     struct cs_text *out)
{
    bool has_tokens = one->time.tokens_per_s > 0;
    double rate = has_tokens ? one->time.tokens_per_s : one->time.rate;
    const char *unit = has_tokens ? "tokens" : "samples";

    if (plan->options->mix.count) {
        cs_text_add(out, " for the mix");
        return;
    }
    rate *= one->time.time_s;
    cs_text_printf(out, " for a step of %s %s", cs_show_count((uint64_t)llround(rate)).text, unit);
    cs_text_printf(out, " (%s %s/s with failures)",
                   cs_show_count((uint64_t)llround(rate / one->effective_s)).text, unit);
}

static void put_case(const struct cs_plan *plan, uint32_t index, struct cs_text *out)
{
    const struct cs_plan_case *one = &plan->cases[index];
    const struct cs_plan_ranges *ranges = &one->ranges;

    put_gpus(out, one->gpus, one->name);
    cs_text_add(out, one->gpus == 1 ? " takes " : " take ");
    put_range(out, put_seconds, one->effective_s, ranges->effective_s);
    put_load(plan, one, out);
    if (isfinite(one->cost.capital_usd) && !one->is_rented) {
        cs_text_add(out, "; capital ");
        put_range(out, put_usd, one->cost.capital_usd, ranges->capital_usd);
    }
    if (one->is_rented)
        cs_text_printf(out,
                       "; rented at $%.4g a GPU-hour, for the node's price or power is unknown",
                       one->prices.usd[CS_PRICE_RENT]);
    if (isfinite(one->cost.watts)) {
        cs_text_add(out, ", ");
        put_range(out, put_watts, one->cost.watts, ranges->watts);
    }
    if (isfinite(one->worth.usd_per_step)) {
        cs_text_add(out, ", ");
        put_range(out, put_usd, one->worth.usd_per_step, ranges->usd_per_step);
        cs_text_add(out, plan->options->mix.count ? " a mix" : " a step");
    }
    if (isfinite(cs_plan_token_usd(one))) {
        cs_text_add(out, ", ");
        put_usd(out, 1e6 * cs_plan_token_usd(one));
        cs_text_add(out, " a million tokens");
    }
    cs_text_add(out, ".");
    put_training(plan, index, out);
}

/* "64 GPUs: dgx-h100, rail, 30.5 ms (24.9 ms to 37.2 ms)" for each number. */
static void put_each(const struct cs_plan *plan, bool is_price, struct cs_text *out)
{
    for (uint32_t b = 0; b < plan->best_count; ++b) {
        const struct cs_plan_best *best = &plan->best[b];
        uint32_t index = is_price ? best->cheapest : best->fastest;

        cs_text_printf(out, "%s%s GPUs: ", b ? "; " : "", cs_show_count(best->gpus).text);
        if (index == UINT32_MAX) {
            cs_text_add(out, "price unknown");
            continue;
        }
        cs_text_printf(out, "%s, ", plan->cases[index].name);
        if (is_price)
            put_range(out, put_usd, plan->cases[index].worth.usd_per_step,
                      plan->cases[index].ranges.usd_per_step);
        else
            put_range(out, put_seconds, plan->cases[index].effective_s,
                      plan->cases[index].ranges.effective_s);
    }
    cs_text_add(out, ".");
}

static void put_fastest(const struct cs_plan *plan, struct cs_text *out)
{
    if (plan->best_count > 1)
        put_each(plan, false, out);
    else
        put_case(plan, plan->fastest, out);
}

/* Why a case has no price of a step. */
struct lack {
    const char *advised, *cheapest;
};

static struct lack lack_of(const struct cs_plan_case *one)
{
    static const struct lack price = {"its price is unknown", "a price is unknown; give --price "
                                                              "node=...,switch=...,cable=..."},
                             power = {"its power is unknown", "a power is unknown; give --power "
                                                              "node=...,switch=...,cable=..."},
                             time = {"failures leave no time with progress",
                                     "none; failures leave no time with progress"};

    if (!isfinite(one->cost.capital_usd))
        return price;
    return isfinite(one->cost.watts) ? time : power;
}

/* " (--price switch=USD, --power dgx=W)": what would give the case a price. */
static void put_missing(const struct cs_plan_case *one, struct cs_text *out)
{
    const bool is_bought[CS_PRICE_RENT] = {true, one->inventory.boxes > 0,
                                           one->inventory.cables > 0};
    const char *before = " (";

    for (int f = 0; f < 2 * CS_PRICE_RENT; ++f) {
        int kind = f / 2;
        double figure = f % 2 ? one->prices.watts[kind] : one->prices.usd[kind];

        if (!is_bought[kind] || isfinite(figure))
            continue;
        cs_text_printf(out, "%s--%s %s=%s", before, f % 2 ? "power" : "price",
                       kind == CS_PRICE_NODE ? one->node : cs_price_kind_names[kind],
                       f % 2 ? "W" : "USD");
        before = ", ";
    }
    cs_text_add(out, ")");
}

/* Machines without a price, of which none can be the cheapest. */
static void put_unpriced(const struct cs_plan *plan, struct cs_text *out)
{
    const struct cs_plan_case *last = NULL;

    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        if (one->refusal || isfinite(one->cost.usd_per_h) ||
            (last && cs_same(last->name, one->name)))
            continue;
        cs_text_printf(out, "%s%s",
                       last ? "; " : " Without a known price or power, and left out: ", one->name);
        put_missing(one, out);
        last = one;
    }
    if (last)
        cs_text_add(out, ".");
}

static void put_cheapest(const struct cs_plan *plan, struct cs_text *out)
{
    const struct cs_plan_best *best = &plan->best[0];
    bool is_known = false;

    for (uint32_t b = 0; b < plan->best_count; ++b)
        is_known |= plan->best[b].cheapest != UINT32_MAX;
    if (!is_known) {
        cs_text_add(out, lack_of(&plan->cases[plan->advised]).cheapest);
        return;
    }
    if (plan->best_count > 1)
        put_each(plan, true, out);
    else if (best->cheapest == best->fastest)
        cs_text_add(out, "the same.");
    else
        put_case(plan, best->cheapest, out);
    put_unpriced(plan, out);
}

static const char *over_of(const struct cs_plan_case *one)
{
    return one->refusal ? NULL : one->advice.over;
}

/* Whether all cases over a budget are within it while they are rented. */
static bool are_rentable(const struct cs_plan *plan, const char *over)
{
    bool are = plan->options->tokens > 0 && cs_same(over, cs_plan_over_budget);

    for (uint32_t c = 0; c < plan->count && are; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        if (over_of(one) == over)
            are = !one->is_rented &&
                  cs_plan_steps(plan, one) * one->advice.rent_usd <= plan->options->budget_usd;
    }
    return are;
}

/* How many cases exceed a limit, by the limit that each exceeds most. */
static void put_over(const struct cs_plan *plan, struct cs_text *out)
{
    for (uint32_t c = 0; c < plan->count; ++c) {
        const char *over = over_of(&plan->cases[c]);
        uint32_t before = 0, same = 0;

        for (uint32_t o = 0; o < plan->count && over; ++o) {
            same += over_of(&plan->cases[o]) == over;
            before += o < c && over_of(&plan->cases[o]) == over;
        }
        if (over && !before)
            cs_text_printf(out, " Out: %u %s (%s%s).", same, same == 1 ? "case" : "cases", over,
                           are_rentable(plan, over) ? "; rented, the training costs less" : "");
    }
}

/* A mix is no smaller job on fewer GPUs. */
static bool is_by_size(const struct cs_plan *plan)
{
    return plan->best_count > 1 && !cs_plan_is_limited(plan->options);
}

/* Every limit that the nearest case exceeds. */
static void put_near(const struct cs_plan *plan, const struct cs_plan_case *one,
                     struct cs_text *out)
{
    cs_text_printf(out, "which %s", one->advice.over);
    for (size_t a = 0; a < COUNT(one->advice.also) && one->advice.also[a]; ++a)
        cs_text_printf(out, " and %s", one->advice.also[a]);
    if (one->spares && cs_plan_fits_bare(plan, one))
        cs_text_add(out, "; with --spares 0 it is within");
    cs_text_add(out, ".");
}

static void put_advised(const struct cs_plan *plan, struct cs_text *out)
{
    const struct cs_plan_options *options = plan->options;
    const struct cs_plan_case *one = &plan->cases[plan->advised];

    if (is_by_size(plan)) {
        cs_text_add(out, "by the number of GPUs that the mix needs, as below.");
        return;
    }
    if (plan->is_near)
        cs_text_add(out, "no case is within the limits; the nearest has ");
    put_gpus(out, one->gpus, one->name);
    cs_text_add(out, ", ");
    if (one->is_rented && !plan->is_near)
        cs_text_add(out, "rented, ");
    if (plan->is_near)
        put_near(plan, one, out);
    else if (!isfinite(one->worth.usd_per_step))
        cs_text_printf(out, "the fastest; %s.", lack_of(one).advised);
    else if (options->deadline_s > 0)
        cs_text_add(out, "the cheapest within the limits.");
    else if (cs_plan_is_limited(options))
        cs_text_add(out, "the fastest within the limits.");
    else
        cs_text_add(out, "the fastest within 10 % of the least price.");
    put_over(plan, out);
}

/* Bought and rented, of the advised case. */
static void put_rent(const struct cs_plan *plan, struct cs_text *out)
{
    const struct cs_plan_case *one = &plan->cases[plan->advised];
    double steps = cs_plan_steps(plan, one);
    double times = isfinite(steps) ? steps : 1;

    if (!isfinite(one->prices.usd[CS_PRICE_RENT])) {
        cs_text_printf(out, "none is known of %s; give --price rent=2.5.", one->node);
        return;
    }
    if (!isfinite(one->advice.rent_usd)) {
        cs_text_printf(out, "%s.", lack_of(one).cheapest);
        return;
    }
    cs_text_printf(out, "at $%.3g a GPU-hour %s on ", one->prices.usd[CS_PRICE_RENT],
                   isfinite(steps)            ? "the training"
                   : plan->options->mix.count ? "the mix"
                                              : "a step");
    put_gpus(out, one->gpus, one->node);
    if (cs_plan_rented(one) > one->gpus)
        cs_text_printf(out, " (%s rented, whole nodes)", cs_show_count(cs_plan_rented(one)).text);
    cs_text_add(out, " costs ");
    put_usd(out, times * one->advice.rent_usd);
    if (isfinite(one->worth.usd_per_step) && !one->is_rented) {
        cs_text_add(out, ", bought ");
        put_usd(out, times * one->worth.usd_per_step);
    }
    if (isfinite(one->advice.break_even_s))
        cs_text_printf(out, "; to buy pays after %.3g months of use",
                       one->advice.break_even_s / (31557600.0 / 12));
    cs_text_add(out, ".");
}

struct answer_line {
    const char *title, *name; /* for people; in JSON */
    void (*put)(const struct cs_plan *plan, struct cs_text *out);
};

static const struct answer_line answer_lines[] = {{"Question", "question", put_question},
                                                  {"Recommended", "recommended", put_advised},
                                                  {"Fastest", "fastest", put_fastest},
                                                  {"Cheapest", "cheapest", put_cheapest},
                                                  {"Rent", "rent", put_rent}};

static void put_line(const struct cs_plan *plan, const struct answer_line *line,
                     struct cs_text *out)
{
    cs_text_printf(out, "%s: ", line->title);
    line->put(plan, out);
}

void cs_plan_answer(const struct cs_plan *plan, struct cs_text *out)
{
    for (size_t line = 0; line < COUNT(answer_lines); ++line) {
        put_line(plan, &answer_lines[line], out);
        cs_text_add(out, "\n");
    }
}

void cs_plan_add_answer(const struct cs_plan *plan, struct cs_document *document)
{
    for (size_t line = 0; line < COUNT(answer_lines); ++line) {
        CS_AT_END(cs_text_free) struct cs_text text = {0};

        put_line(plan, &answer_lines[line], &text);
        cs_document_add(document, CS_BLOCK_ANSWER, "%s", cs_text_str(&text));
    }
}

/* The place of a case in "cases"; null: none, or one for each number of GPUs. */
static void add_place(const char *name, uint32_t index, bool is_one, struct cs_json *json)
{
    cs_json_key(json, name);
    if (is_one && index != UINT32_MAX)
        cs_json_u64(json, index);
    else
        cs_json_null(json);
}

void cs_plan_json(const struct cs_plan *plan, struct cs_text *out)
{
    struct cs_json json = {.out = out};
    bool is_one = plan->best_count == 1;
    CS_AT_END(cs_sheet_free) struct cs_sheet cases = {0};

    cs_json_object(&json);
    cs_json_key(&json, "answer");
    cs_json_object(&json);
    for (size_t line = 0; line < COUNT(answer_lines); ++line) {
        CS_AT_END(cs_text_free) struct cs_text text = {0};

        answer_lines[line].put(plan, &text);
        cs_json_key_text(&json, answer_lines[line].name, cs_text_str(&text));
    }
    add_place("recommended_case", plan->advised, !is_by_size(plan), &json);
    add_place("fastest_case", plan->fastest, is_one, &json);
    add_place("cheapest_case", plan->best[0].cheapest, is_one, &json);
    cs_json_end(&json);
    cs_plan_sheet(plan, &cases);
    cs_sheet_json(&cases, &json);
    cs_json_end(&json);
}

/* ---- headlines ---- */

enum {
    HEADLINE_FIGURES = 6
};

struct headline_row {
    const char *answer, *machine;
    uint32_t gpus;
    struct cs_text figures[HEADLINE_FIGURES];
};

#define AT(member)     CS_AT(struct headline_row, member)
#define FIGURE(number) CS_AT(struct headline_row, figures[number].data)
static const struct cs_sheet_column headline_columns[] = {
    {"answer", "answer", NULL, CS_SHEET_TEXT, AT(answer)},
    {"gpus", "GPUs", NULL, CS_SHEET_COUNT, AT(gpus)},
    {"machine", "node, fabric, link", NULL, CS_SHEET_TEXT, AT(machine)},
    {"effective_s", "time with failures", NULL, CS_SHEET_TEXT, FIGURE(0)},
    {"goodput", "goodput", NULL, CS_SHEET_TEXT, FIGURE(1)},
    {"capital_usd", "capital", NULL, CS_SHEET_TEXT, FIGURE(2)},
    {"power_w", "power", NULL, CS_SHEET_TEXT, FIGURE(3)},
    {"usd_per_step", "price, once", NULL, CS_SHEET_TEXT, FIGURE(4)},
    {"kwh_per_step", "energy, once", NULL, CS_SHEET_TEXT, FIGURE(5)},
};

static void add_headline(const struct cs_plan_case *one, const char *answer, struct cs_sheet *sheet)
{
    const struct cs_plan_ranges *ranges = &one->ranges;
    struct headline_row row = {.answer = answer, .machine = one->name, .gpus = one->gpus};

    put_range(&row.figures[0], put_seconds, one->effective_s, ranges->effective_s);
    put_range(&row.figures[1], put_share, one->goodput.share, ranges->goodput);
    put_range(&row.figures[2], put_usd, one->cost.capital_usd, ranges->capital_usd);
    put_range(&row.figures[3], put_watts, one->cost.watts, ranges->watts);
    put_range(&row.figures[4], put_usd, one->worth.usd_per_step, ranges->usd_per_step);
    put_range(&row.figures[5], put_kwh, one->worth.kwh_per_step, ranges->kwh_per_step);
    cs_sheet_row(sheet, &row);
    for (int f = 0; f < HEADLINE_FIGURES; f++)
        cs_text_free(&row.figures[f]);
}

void cs_plan_add_headlines(const struct cs_plan *plan, struct cs_document *document)
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "headlines", CS_COLUMNS(headline_columns));
    for (uint32_t b = 0; b < plan->best_count; ++b) {
        const struct cs_plan_best *best = &plan->best[b];
        bool is_same = best->cheapest == best->fastest;

        add_headline(&plan->cases[best->fastest], is_same ? "fastest, cheapest" : "fastest",
                     &sheet);
        if (!is_same && best->cheapest != UINT32_MAX)
            add_headline(&plan->cases[best->cheapest], "cheapest", &sheet);
    }
    cs_document_add_table(document,
                          "Headlines with their 90 % intervals: of the prediction, and of prices, "
                          "powers and rates of failures (see Sensitivity).",
                          &sheet);
}
