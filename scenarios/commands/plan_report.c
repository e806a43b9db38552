#include "scenarios/commands/plan_report.h"

#include "scenarios/commands/plan_sheet.h"
#include "sim/base/units_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the answer ---- */

static void put_question(const struct cs_plan *plan, struct cs_text *out)
{
    const struct cs_plan_options *options = plan->options;

    cs_text_add(out, "Question: which machine for ");
    if (options->mix.count) {
        for (uint32_t c = 0; c < options->mix.count; ++c) {
            const struct cs_mix_call *call = &options->mix.calls[c];
            char size[CS_UNITS_TEXT];

            cs_text_printf(out, "%s%u x %s of %s", c ? ", " : "", call->count,
                           call->collective->name,
                           cs_units_show_bytes(size, call->bytes));
        }
    } else {
        cs_text_printf(out, "training %s", plan->setup.model.name);
    }
    cs_text_printf(out, "? %u %s compared.", plan->count,
                   plan->count == 1 ? "case" : "cases");
}

static void put_usd(struct cs_text *out, double usd)
{
    if (usd >= 1e9)
        cs_text_printf(out, "$%.4g billion", usd * 1e-9);
    else if (usd >= 1e6)
        cs_text_printf(out, "$%.4g M", usd * 1e-6);
    else if (usd >= 100)
        cs_text_printf(out, "$%.0f", usd);
    else
        cs_text_printf(out, "$%.3g", usd);
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

static void put_case(const struct cs_plan *plan, uint32_t index,
                     struct cs_text *out)
{
    const struct cs_plan_case *one = &plan->cases[index];
    char text[CS_UNITS_TEXT];
    const char *what = plan->options->mix.count ? "the mix" : "a step";

    cs_text_printf(out, "%s GPUs of %s take ",
                   cs_units_show_count(text, one->gpus), one->name);
    cs_text_printf(out, "%s for %s",
                   cs_units_show_seconds(text, one->effective_s), what);
    cs_text_printf(
        out, " (90 %%: %s",
        cs_units_show_seconds(text, one->time.low_s / one->goodput.share));
    cs_text_printf(
        out, " to %s), failures included",
        cs_units_show_seconds(text, one->time.high_s / one->goodput.share));
    if (isfinite(one->cost.capital_usd)) {
        cs_text_add(out, "; capital ");
        put_usd(out, one->cost.capital_usd);
    }
    if (isfinite(one->cost.watts)) {
        cs_text_add(out, ", ");
        put_watts(out, one->cost.watts);
    }
    if (isfinite(one->usd_per_step)) {
        cs_text_add(out, ", ");
        put_usd(out, one->usd_per_step);
        cs_text_add(out, " each");
    }
    cs_text_add(out, ".");
}

/* Days and price of the whole training. */
static void put_training(const struct cs_plan *plan, uint32_t index,
                         struct cs_text *out)
{
    const struct cs_plan_case *one = &plan->cases[index];
    double seconds;

    if (!(plan->options->tokens > 0) || !(one->time.tokens_per_s > 0))
        return;
    seconds =
        plan->options->tokens / one->time.tokens_per_s / one->goodput.share;
    cs_text_printf(out, " %.3g tokens: %.3g days", plan->options->tokens,
                   seconds / 86400);
    if (isfinite(one->cost.usd_per_h)) {
        cs_text_add(out, ", ");
        put_usd(out, one->cost.usd_per_h * seconds / 3600);
    }
    cs_text_add(out, ".");
}

static void put_fastest(const struct cs_plan *plan, struct cs_text *out)
{
    cs_text_add(out, "Fastest: ");
    put_case(plan, plan->fastest, out);
    put_training(plan, plan->fastest, out);
}

static void put_cheapest(const struct cs_plan *plan, struct cs_text *out)
{
    cs_text_add(out, "Cheapest: ");
    if (plan->cheapest == UINT32_MAX) {
        cs_text_add(out, "a price is unknown; give --price "
                         "node=...,switch=...,cable=...");
    } else if (plan->cheapest == plan->fastest) {
        cs_text_add(out, "the same.");
    } else {
        put_case(plan, plan->cheapest, out);
        put_training(plan, plan->cheapest, out);
    }
}

void cs_plan_answer(const struct cs_plan *plan, struct cs_text *out)
{
    put_question(plan, out);
    cs_text_add(out, "\n");
    put_fastest(plan, out);
    cs_text_add(out, "\n");
    put_cheapest(plan, out);
    cs_text_add(out, "\n");
}

/* ---- the document ---- */

static void add_answer(const struct cs_plan *plan, struct cs_document *document)
{
    struct cs_text text = {0};

    put_question(plan, &text);
    cs_document_add(document, CS_BLOCK_ANSWER, "%s", cs_text_str(&text));
    cs_text_free(&text);
    put_fastest(plan, &text);
    cs_document_add(document, CS_BLOCK_ANSWER, "%s", cs_text_str(&text));
    cs_text_free(&text);
    put_cheapest(plan, &text);
    cs_document_add(document, CS_BLOCK_ANSWER, "%s", cs_text_str(&text));
    cs_text_free(&text);
}

static void add_table(struct cs_document *document, const char *caption,
                      const struct cs_plan *plan,
                      void (*fill)(const struct cs_plan *, struct cs_sheet *))
{
    struct cs_sheet sheet = {0};

    fill(plan, &sheet);
    cs_document_add_table(document, caption, &sheet);
    cs_sheet_free(&sheet);
}

/* The cases that nothing beats, in a sentence. */
static void add_pareto(const struct cs_plan *plan, struct cs_document *document)
{
    struct cs_text text = {0};

    for (uint32_t c = 0; c < plan->count; ++c)
        if (plan->cases[c].pareto)
            cs_text_printf(&text, "%s%u GPUs of %s", text.length ? "; " : "",
                           plan->cases[c].gpus, plan->cases[c].name);
    cs_document_add(document, CS_BLOCK_PARAGRAPH,
                    "Pareto front, no other case being faster, cheaper and "
                    "lower in power: %s.",
                    cs_text_str(&text));
    cs_text_free(&text);
}

void cs_plan_document(const struct cs_plan *plan, const char *command_line,
                      struct cs_document *document)
{
    struct cs_text title = {0};

    cs_text_printf(&title, "Capacity plan: %s",
                   plan->options->mix.count ? "collectives"
                                            : plan->setup.model.name);
    cs_document_begin(document, cs_text_str(&title));
    cs_text_free(&title);
    add_answer(plan, document);
    cs_document_add(document, CS_BLOCK_HEADING, "Sizes");
    add_table(document,
              "Time and efficiency against the smallest number of GPUs.", plan,
              cs_plan_sizing);
    add_table(document,
              "Price and power with spare nodes; price and energy of a step or "
              "of the mix (once) include failures.",
              plan, cs_plan_prices);
    add_pareto(plan, document);
    cs_plan_add_charts(plan, document);
    cs_plan_add_sizes(plan, document);
    cs_plan_add_variants(plan, document);
    cs_document_add(document, CS_BLOCK_HEADING, "Network");
    add_table(document,
              "Switches and cables; a switch beyond the ports of a box is a "
              "folded Clos of boxes that never blocks.",
              plan, cs_plan_network);
    cs_document_add(document, CS_BLOCK_HEADING, "Failures");
    add_table(document,
              "Share of time with progress, with checkpoints at Daly's "
              "interval.",
              plan, cs_plan_goodput);
    cs_plan_add_sensitivity(plan, document);
    cs_plan_add_sources(plan, command_line, document);
}
