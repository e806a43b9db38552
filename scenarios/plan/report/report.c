#include "scenarios/plan/report/report.h"

#include <math.h>

static void add_table(struct cs_document *document, const char *caption, const struct cs_plan *plan,
                      void (*fill)(const struct cs_plan *, struct cs_sheet *))
{
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    fill(plan, &sheet);
    cs_document_add_table(document, caption, &sheet);
}

/* Steps of different batches are compared by the sample. */
static bool batches_differ(const struct cs_plan *plan)
{
    double least = INFINITY, most = 0;

    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        if (one->refusal)
            continue;
        least = fmin(least, cs_plan_batch(plan, one));
        most = fmax(most, cs_plan_batch(plan, one));
    }
    return most > 1.001 * least;
}

/* The cases that nothing beats, in a sentence. */
static void add_pareto(const struct cs_plan *plan, struct cs_document *document)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    for (uint32_t c = 0; c < plan->count; ++c)
        if (plan->cases[c].pareto)
            cs_text_printf(&text, "%s%u GPUs of %s", text.length ? "; " : "", plan->cases[c].gpus,
                           plan->cases[c].name);
    if (batches_differ(plan))
        cs_document_add(document, CS_BLOCK_PARAGRAPH,
                        "The batch of a step grows with the GPUs: fastest, cheapest and the Pareto "
                        "front are by the sample. --global-batch gives every case the same step.");
    cs_document_add(document, CS_BLOCK_PARAGRAPH,
                    "Pareto front, no other case%s being faster, cheaper and lower in power: %s.",
                    plan->options->mix.count ? " with as many GPUs" : "", cs_text_str(&text));
}

void cs_plan_document(const struct cs_plan *plan, const char *command_line,
                      struct cs_document *document)
{
    CS_AT_END(cs_text_free) struct cs_text title = {0};

    cs_text_printf(&title, "Capacity plan: %s",
                   plan->options->mix.count ? "collectives" : plan->setup.model.name);
    cs_document_begin(document, cs_text_str(&title));
    cs_plan_add_answer(plan, document);
    cs_plan_add_headlines(plan, document);
    cs_document_add(document, CS_BLOCK_HEADING, "Sizes");
    add_table(document,
              "Time and efficiency: the rate of a GPU against its best among the numbers of GPUs.",
              plan, cs_plan_sizing);
    add_table(document,
              "Price and power with spare nodes; price and energy of a step or of the mix "
              "include failures.",
              plan, cs_plan_prices);
    add_pareto(plan, document);
    cs_plan_add_charts(plan, document);
    cs_plan_add_diagram(plan, document);
    cs_plan_add_sizes(plan, document);
    cs_plan_add_variants(plan, document);
    cs_document_add(document, CS_BLOCK_HEADING, "Network");
    add_table(document,
              "Switches and cables, spare nodes included; each rail or plane is a network of its "
              "own, and one beyond the ports of a box is a folded Clos of boxes.",
              plan, cs_plan_network);
    cs_plan_add_cables(plan, document);
    cs_document_add(document, CS_BLOCK_HEADING, "Failures");
    add_table(document, "Share of time with progress, with checkpoints at Daly's interval.", plan,
              cs_plan_goodput);
    cs_plan_add_sensitivity(plan, document);
    cs_plan_add_sources(plan, command_line, document);
}
