/*
 * What-if and sensitivity of a capacity report.
 */
#include "algorithms/libraries/engines.h"
#include "algorithms/libraries/site/site.h"
#include "algorithms/libraries/slower_call.h"
#include "scenarios/plan/cases/ranges.h"
#include "scenarios/plan/report/report.h"
#include "sim/base/units_show.h"

#include <math.h>

#define COUNT(columns) (sizeof(columns) / sizeof(*(columns)))

/* ---- what-if ---- */

struct change_row {
    const char *name, *of;
    double step_s, speedup;
    bool is_of_job, fits; /* a mix needs no memory */
};

#define AT(member) CS_AT(struct change_row, member)
static const struct cs_sheet_column variant_columns[] = {
    {"change", "change", NULL, CS_SHEET_TEXT, AT(name)},
    {"of", "of", NULL, CS_SHEET_TEXT, AT(of)},
    {"time_s", "time", NULL, CS_SHEET_SECONDS, AT(step_s)},
    {"gain", "rate", NULL, CS_SHEET_TIMES, AT(speedup)},
    {"fits", "fits the memory", NULL, CS_SHEET_BOOL, AT(fits),
     CS_WHEN(struct change_row, is_of_job)},
};

/* Changes of the machine for the worse, by a decision of the library. */
static void note_variants_of_job(const struct cs_plan *plan, struct cs_text *notes)
{
    const struct cs_train_result *result = &plan->result;

    for (uint32_t v = 0; v < result->variant_count; ++v) {
        const struct cs_train_variant *variant = &result->variants[v];

        if (variant->by_decision)
            cs_text_printf(notes,
                           "%s%s: the step is longer since %s decides otherwise on this machine; "
                           "decided as before, it would take %s",
                           notes->length ? ". " : "", variant->name, plan->setup.job.library->name,
                           cs_show_seconds(variant->kept_s).text);
    }
}

static void add_variants_of_job(const struct cs_plan *plan, struct cs_sheet *sheet)
{
    const struct cs_train_result *result = &plan->result;

    if (plan->faster.framework)
        cs_sheet_row(
            sheet,
            &(struct change_row){
                .name = cs_arena_printf(plan->options->train.scenario.arena, "--framework %s: %s",
                                        plan->faster.framework->name, plan->faster.setting),
                .of = "the framework",
                .step_s = plan->faster.time_s,
                .speedup = plan->cases[plan->fastest].time.time_s / plan->faster.time_s,
                .is_of_job = true,
                .fits = true,
            });
    for (uint32_t v = 0; v < result->variant_count; ++v) {
        const struct cs_train_variant *variant = &result->variants[v];

        cs_sheet_row(sheet, &(struct change_row){
                                .name = variant->name,
                                .of = variant->on_machine ? "the machine" : "the job",
                                .step_s = variant->step_s,
                                .speedup = variant->speedup,
                                .is_of_job = true,
                                .fits = variant->memory_bytes <= plan->setup.job.gpu->memory_bytes,
                            });
    }
}

/* A mix on a changed machine: the library's time on a changed site. */
struct site_change {
    const char *name;
    double adapters, links, fabric; /* factors of rates; adapters 0: without one */
};

static const struct site_change site_changes[] = {
    {"adapters twice as fast, or twice as many", 2, 1, 1},
    {"links inside the node twice as fast", 1, 2, 1},
    {"half of the adapters lost", 0.5, 1, 1},
    {"half of the links above the leaf switches", 1, 1, 0.5},
    {NULL, 0, 1, 1}, /* or the switch of a rail */
};

/* A call of the mix by an engine that the library does not choose. */
struct forced_call {
    uint32_t call; /* UINT32_MAX: none */
    const char *engine;
};

static const struct forced_call not_forced = {UINT32_MAX, NULL};

static int mix_on_site(const struct cs_plan *plan, const struct cs_site *site,
                       struct forced_call forced, double *seconds)
{
    const struct cs_mix *mix = &plan->options->mix;
    struct cs_err ignored = {0};
    int code = 0;

    *seconds = 0;
    for (uint32_t c = 0; c < mix->count && !code; ++c) {
        struct cs_library_request request =
            cs_plan_mix_request(plan->options, &plan->setup, site, c);
        struct cs_library_time time;

        request.engine = forced.call == c ? forced.engine : NULL;

        code = plan->setup.job.library->time(&request, &time, &ignored);
        *seconds += code ? 0 : mix->calls[c].count * time.total_s;
    }
    return code;
}

static void add_change(struct cs_sheet *sheet, const char *name, const char *of, double before_s,
                       double after_s)
{
    cs_sheet_row(sheet,
                 &(struct change_row){
                     .name = name, .of = of, .step_s = after_s, .speedup = before_s / after_s});
}

/* Calls that a faster machine slows, by a decision of the library. */
static void note_site_change(const struct cs_plan *plan, const struct cs_site *changed,
                             const char *name, struct cs_text *notes)
{
    const struct cs_library *library = plan->setup.job.library;

    for (uint32_t c = 0; c < plan->options->mix.count; ++c) {
        struct cs_library_request before =
            cs_plan_mix_request(plan->options, &plan->setup, NULL, c);
        struct cs_library_request after =
            cs_plan_mix_request(plan->options, &plan->setup, changed, c);
        struct cs_slower_call call;

        if (cs_slower_call_find(library, &before, &after, &call, NULL) ||
            call.is != CS_SLOWER_BY_DECISION)
            continue;
        cs_text_printf(notes, "%s%s, %s: ", notes->length ? ". " : "", name,
                       before.collective->name);
        cs_slower_call_put(library, &call, notes);
    }
}

static void add_site_change(const struct cs_plan *plan, const struct site_change *change,
                            double before_s, struct cs_sheet *sheet, struct cs_text *notes)
{
    struct cs_site changed = plan->setup.site;
    const char *name = change->name;
    double after_s, adapters = change->adapters;

    if (!(adapters > 0)) {
        adapters = (changed.adapters - 1.) / changed.adapters;
        name = cs_arena_printf(plan->options->train.scenario.arena,
                               "one of %u adapters or rails lost", changed.adapters);
    }
    changed.adapter_Bps *= adapters;
    changed.node_Bps *= adapters;
    cs_site_scale_links(&changed, change->links);
    changed.fabric_Bps *= change->fabric;
    if (mix_on_site(plan, &changed, not_forced, &after_s))
        return;
    add_change(sheet, name, "the machine", before_s, after_s);
    note_site_change(plan, &changed, name, notes);
}

/* A machine without uplinks, or without adapters in use, has none to change. */
static bool is_effective(const struct cs_site *site, const struct site_change *change)
{
    if (change->fabric < 1)
        return site->fabric_Bps > 0;
    return change->links > 1 || (site->nodes > 1 && (change->adapters > 0 || site->adapters > 1));
}

/* The fastest other engine of a call. */
static void add_engine(const struct cs_plan *plan, uint32_t call, double before_s,
                       struct cs_sheet *sheet)
{
    const struct cs_plan_time *time = &plan->cases[plan->fastest].time;
    const char *library = plan->setup.job.library->name, *best = NULL;
    double best_s = INFINITY;

    for (size_t e = 0; e < cs_engine_count; ++e) {
        struct forced_call forced = {call, cs_engines[e].name};
        double after_s;

        if (!cs_same(cs_engines[e].library, library) ||
            cs_same(forced.engine, time->parts[call].about) ||
            mix_on_site(plan, &plan->setup.site, forced, &after_s) || !(after_s < best_s))
            continue;
        best = forced.engine;
        best_s = after_s;
    }
    if (best)
        add_change(sheet,
                   cs_arena_printf(plan->options->train.scenario.arena, "%s by %s in place of %s",
                                   time->parts[call].name, best, time->parts[call].about),
                   "the library", before_s, best_s);
}

static void add_variants_of_mix(const struct cs_plan *plan, struct cs_sheet *sheet,
                                struct cs_text *notes)
{
    double before_s;

    if (mix_on_site(plan, &plan->setup.site, not_forced, &before_s))
        return;
    for (size_t i = 0; i < COUNT(site_changes); ++i)
        if (is_effective(&plan->setup.site, &site_changes[i]))
            add_site_change(plan, &site_changes[i], before_s, sheet, notes);
    for (uint32_t c = 0; c < plan->options->mix.count; ++c)
        add_engine(plan, c, before_s, sheet);
}

void cs_plan_add_variants(const struct cs_plan *plan, struct cs_document *document)
{
    const struct cs_plan_case *one = &plan->cases[plan->fastest];
    CS_AT_END(cs_text_free) struct cs_text caption = {0}, notes = {0};
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "what_if", CS_COLUMNS(variant_columns));
    if (plan->options->mix.count) {
        add_variants_of_mix(plan, &sheet, &notes);
    } else {
        add_variants_of_job(plan, &sheet);
        note_variants_of_job(plan, &notes);
    }
    cs_document_add(document, CS_BLOCK_HEADING, "What if");
    cs_text_printf(
        &caption,
        "One change of the fastest case (%u GPUs of %s), each computed; rate against the case.",
        one->gpus, one->name);
    cs_document_add_table(document, cs_text_str(&caption), &sheet);
    if (notes.length)
        cs_document_add(document, CS_BLOCK_PARAGRAPH, "Note: %s.", cs_text_str(&notes));
}

/* ---- sensitivity ---- */

struct input_row {
    const char *name, *from, *to;
    struct cs_plan_case low, high;
};

#undef AT
#define AT(member) CS_AT(struct input_row, member)
static const struct cs_sheet_column sensitivity_columns[] = {
    {"input", "input", NULL, CS_SHEET_TEXT, AT(name)},
    {"low", "low", NULL, CS_SHEET_TEXT, AT(from)},
    {"high", "high", NULL, CS_SHEET_TEXT, AT(to)},
    {"effective_low_s", "time, low", NULL, CS_SHEET_SECONDS, AT(low.effective_s)},
    {"effective_high_s", "time, high", NULL, CS_SHEET_SECONDS, AT(high.effective_s)},
    {"usd_low", "price, low", "USD", CS_SHEET_REAL, AT(low.worth.usd_per_step)},
    {"usd_high", "price, high", "USD", CS_SHEET_REAL, AT(high.worth.usd_per_step)},
    {"kwh_low", "energy, low", "kWh", CS_SHEET_REAL, AT(low.worth.kwh_per_step)},
    {"kwh_high", "energy, high", "kWh", CS_SHEET_REAL, AT(high.worth.kwh_per_step)},
};

void cs_plan_add_sensitivity(const struct cs_plan *plan, struct cs_document *document)
{
    const struct cs_plan_case *one = &plan->cases[plan->fastest];
    CS_AT_END(cs_text_free) struct cs_text caption = {0};
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "sensitivity", CS_COLUMNS(sensitivity_columns));
    for (int i = 0; i < CS_PLAN_INPUTS; ++i) {
        enum cs_plan_input input = (enum cs_plan_input)i;

        cs_sheet_row(&sheet, &(struct input_row){
                                 .name = cs_plan_input_name(input),
                                 .from = cs_plan_input_end(plan->options, one, input, CS_PLAN_LOW),
                                 .to = cs_plan_input_end(plan->options, one, input, CS_PLAN_HIGH),
                                 .low = cs_plan_changed(plan->options, one, input, CS_PLAN_LOW),
                                 .high = cs_plan_changed(plan->options, one, input, CS_PLAN_HIGH),
                             });
    }
    cs_document_add(document, CS_BLOCK_HEADING, "Sensitivity");
    cs_text_printf(&caption,
                   "Time with failures, price and energy of a step or mix in the fastest case (%u "
                   "GPUs of %s) when one input changes; the ranges of the headlines are the roots "
                   "of the sums of the squares of these changes.",
                   one->gpus, one->name);
    cs_document_add_table(document, cs_text_str(&caption), &sheet);
}
