/*
 * What-if and sensitivity of a capacity report.
 */
#include "scenarios/commands/plan_report.h"

#include <math.h>

#define COUNT(columns) (sizeof(columns) / sizeof(*(columns)))

/* ---- what-if ---- */

static const struct cs_sheet_column variant_columns[] = {
    {"change", "change", NULL, CS_SHEET_TEXT},
    {"of", "of", NULL, CS_SHEET_TEXT},
    {"time_s", "time", NULL, CS_SHEET_SECONDS},
    {"gain", "rate", NULL, CS_SHEET_TIMES},
    {"fits", "fits the memory", NULL, CS_SHEET_BOOL},
};

static void add_variants_of_job(const struct cs_plan *plan,
                                struct cs_sheet *sheet)
{
    const struct cs_train_result *result = &plan->result;

    for (uint32_t v = 0; v < result->variant_count; ++v) {
        const struct cs_train_variant *variant = &result->variants[v];

        cs_sheet_text(sheet, variant->name);
        cs_sheet_text(sheet, variant->on_machine ? "the machine" : "the job");
        cs_sheet_real(sheet, variant->step_s);
        cs_sheet_real(sheet, variant->speedup);
        cs_sheet_bool(sheet, variant->memory_bytes <=
                                 plan->setup.job.gpu->memory_bytes);
    }
}

/* A mix with changed adapters: the library's time on a changed site. */
struct site_change {
    const char *name;
    double adapters, links; /* factors of rates */
};

static const struct site_change site_changes[] = {
    {"adapters twice as fast", 2, 1},
    {"links inside the node twice as fast", 1, 2},
    {"one of eight adapters lost", 7 / 8.0, 1},
    {"half of the adapters lost", 0.5, 1},
};

static int mix_on_site(const struct cs_plan *plan, const struct cs_site *site,
                       double *seconds, struct cs_err *err)
{
    const struct cs_mix *mix = &plan->options->mix;
    int code = 0;

    *seconds = 0;
    for (uint32_t c = 0; c < mix->count && !code; ++c) {
        struct cs_library_request request = {
            .site = site,
            .collective = mix->calls[c].collective,
            .bytes = mix->calls[c].bytes,
            .version = plan->setup.job.library_version,
            .device_buffers = site->maker != CS_MAKER_HOST,
            .effects = CS_EFFECTS_ALL};
        struct cs_library_time time;

        code = plan->setup.job.library->time(&request, &time, err);
        *seconds += code ? 0 : mix->calls[c].count * time.total_s;
    }
    return code;
}

static void add_variants_of_mix(const struct cs_plan *plan,
                                struct cs_sheet *sheet)
{
    const struct cs_site *site = &plan->setup.site;
    struct cs_err err = {0};
    double before_s;

    if (mix_on_site(plan, site, &before_s, &err))
        return;
    for (size_t i = 0; i < COUNT(site_changes); ++i) {
        struct cs_site changed = *site;
        double after_s;

        changed.adapter_Bps *= site_changes[i].adapters;
        changed.node_Bps *= site_changes[i].adapters;
        changed.link_Bps *= site_changes[i].links;
        changed.ring_Bps *= site_changes[i].links;
        changed.exchange_Bps *= site_changes[i].links;
        changed.next_Bps *= site_changes[i].links;
        changed.root_Bps *= site_changes[i].links;
        if (mix_on_site(plan, &changed, &after_s, &err))
            continue;
        cs_sheet_text(sheet, site_changes[i].name);
        cs_sheet_text(sheet, "the machine");
        cs_sheet_real(sheet, after_s);
        cs_sheet_real(sheet, before_s / after_s);
        cs_sheet_none(sheet);
    }
}

void cs_plan_add_variants(const struct cs_plan *plan,
                          struct cs_document *document)
{
    const struct cs_plan_case *one = &plan->cases[plan->fastest];
    struct cs_text caption = {0};
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "what_if", variant_columns, COUNT(variant_columns));
    if (plan->options->mix.count)
        add_variants_of_mix(plan, &sheet);
    else
        add_variants_of_job(plan, &sheet);
    cs_document_add(document, CS_BLOCK_HEADING, "What if");
    cs_text_printf(&caption,
                   "One change of the fastest case (%u GPUs of %s), each "
                   "computed; rate against the case.",
                   one->gpus, one->name);
    cs_document_add_table(document, cs_text_str(&caption), &sheet);
    cs_text_free(&caption);
    cs_sheet_free(&sheet);
}

/* ---- sensitivity ---- */

static const struct cs_sheet_column sensitivity_columns[] = {
    {"input", "input", NULL, CS_SHEET_TEXT},
    {"low", "low", NULL, CS_SHEET_TEXT},
    {"high", "high", NULL, CS_SHEET_TEXT},
    {"effective_low_s", "time, low", NULL, CS_SHEET_SECONDS},
    {"effective_high_s", "time, high", NULL, CS_SHEET_SECONDS},
    {"usd_low", "price, low", "USD", CS_SHEET_REAL},
    {"usd_high", "price, high", "USD", CS_SHEET_REAL},
};

enum plan_input {
    INPUT_TIME,
    INPUT_FAILURES,
    INPUT_CHECKPOINT,
    INPUT_NODE_PRICE,
    INPUT_NETWORK_PRICE,
    INPUT_ENERGY,
    INPUT_LIFETIME,
    INPUTS,
};

static const struct {
    const char *name, *low_name, *high_name;
    double low, high;
} plan_inputs[INPUTS] = {
    [INPUT_TIME] = {"predicted time", "low end", "high end of the interval", 0,
                    0},
    [INPUT_FAILURES] = {"GPU-hours per interruption", "half", "twice", 0.5, 2},
    [INPUT_CHECKPOINT] = {"restart and checkpoint time", "half", "twice", 0.5,
                          2},
    [INPUT_NODE_PRICE] = {"price of a node", "80 %", "120 %", 0.8, 1.2},
    [INPUT_NETWORK_PRICE] = {"price of switches and cables", "70 %", "130 %",
                             0.7, 1.3},
    [INPUT_ENERGY] = {"price of electricity", "half", "twice", 0.5, 2},
    [INPUT_LIFETIME] = {"lifetime", "75 %", "125 %", 0.75, 1.25},
};

/* The case with an input multiplied. */
static struct cs_plan_case changed_case(const struct cs_plan *plan,
                                        const struct cs_plan_case *one,
                                        enum plan_input input, bool is_high)
{
    struct cs_plan_options options = *plan->options;
    struct cs_plan_case changed = *one;
    struct cs_failures *failures = &options.failures;
    double factor = is_high ? plan_inputs[input].high : plan_inputs[input].low;

    failures->spares = one->spares;
    switch (input) {
    case INPUT_TIME:
        changed.time.time_s = is_high ? one->time.high_s : one->time.low_s;
        break;
    case INPUT_FAILURES:
        failures->gpu_s *= factor;
        break;
    case INPUT_CHECKPOINT:
        failures->restart_s *= factor;
        failures->checkpoint_s *= factor;
        break;
    case INPUT_NODE_PRICE:
        changed.prices.usd[CS_PRICE_NODE] *= factor;
        break;
    case INPUT_NETWORK_PRICE:
        changed.prices.usd[CS_PRICE_SWITCH] *= factor;
        changed.prices.usd[CS_PRICE_CABLE] *= factor;
        break;
    case INPUT_ENERGY:
        options.prices.energy_usd *= factor;
        break;
    default:
        options.prices.lifetime_s *= factor;
    }
    changed.goodput = cs_goodput_of(failures, one->gpus);
    cs_plan_price(&options, &changed);
    return changed;
}

void cs_plan_add_sensitivity(const struct cs_plan *plan,
                             struct cs_document *document)
{
    const struct cs_plan_case *one = &plan->cases[plan->fastest];
    struct cs_text caption = {0};
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "sensitivity", sensitivity_columns,
                   COUNT(sensitivity_columns));
    for (int input = 0; input < INPUTS; ++input) {
        struct cs_plan_case low =
            changed_case(plan, one, (enum plan_input)input, false);
        struct cs_plan_case high =
            changed_case(plan, one, (enum plan_input)input, true);

        cs_sheet_text(&sheet, plan_inputs[input].name);
        cs_sheet_text(&sheet, plan_inputs[input].low_name);
        cs_sheet_text(&sheet, plan_inputs[input].high_name);
        cs_sheet_real(&sheet, low.effective_s);
        cs_sheet_real(&sheet, high.effective_s);
        cs_sheet_real(&sheet, low.usd_per_step);
        cs_sheet_real(&sheet, high.usd_per_step);
    }
    cs_document_add(document, CS_BLOCK_HEADING, "Sensitivity");
    cs_text_printf(&caption,
                   "Time with failures and price of a step in the fastest case "
                   "(%u GPUs of %s) when one input changes.",
                   one->gpus, one->name);
    cs_document_add_table(document, cs_text_str(&caption), &sheet);
    cs_text_free(&caption);
    cs_sheet_free(&sheet);
}
