/*
 * What-if and sensitivity of a capacity report.
 */
#include "scenarios/commands/plan_ranges.h"
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
    {"kwh_low", "energy, low", "kWh", CS_SHEET_REAL},
    {"kwh_high", "energy, high", "kWh", CS_SHEET_REAL},
};

void cs_plan_add_sensitivity(const struct cs_plan *plan,
                             struct cs_document *document)
{
    const struct cs_plan_case *one = &plan->cases[plan->fastest];
    struct cs_text caption = {0};
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "sensitivity", sensitivity_columns,
                   COUNT(sensitivity_columns));
    for (int i = 0; i < CS_PLAN_INPUTS; ++i) {
        enum cs_plan_input input = (enum cs_plan_input)i;
        struct cs_plan_case low =
            cs_plan_changed(plan->options, one, input, CS_PLAN_LOW);
        struct cs_plan_case high =
            cs_plan_changed(plan->options, one, input, CS_PLAN_HIGH);

        cs_sheet_text(&sheet, cs_plan_input_name(input));
        cs_sheet_text(
            &sheet, cs_plan_input_end(plan->options, one, input, CS_PLAN_LOW));
        cs_sheet_text(
            &sheet, cs_plan_input_end(plan->options, one, input, CS_PLAN_HIGH));
        cs_sheet_real(&sheet, low.effective_s);
        cs_sheet_real(&sheet, high.effective_s);
        cs_sheet_real(&sheet, low.usd_per_step);
        cs_sheet_real(&sheet, high.usd_per_step);
        cs_sheet_real(&sheet, low.kwh_per_step);
        cs_sheet_real(&sheet, high.kwh_per_step);
    }
    cs_document_add(document, CS_BLOCK_HEADING, "Sensitivity");
    cs_text_printf(&caption,
                   "Time with failures, price and energy of a step or mix in "
                   "the fastest case (%u GPUs of %s) when one input changes; "
                   "the ranges of the headlines are the roots of the sums of "
                   "the squares of these changes.",
                   one->gpus, one->name);
    cs_document_add_table(document, cs_text_str(&caption), &sheet);
    cs_text_free(&caption);
    cs_sheet_free(&sheet);
}
