/*
 * Assumptions and sources of a capacity report.
 */
#include "scenarios/commands/plan_report.h"

#include <math.h>

static void add_price(struct cs_document *document,
                      const struct cs_price_list *prices,
                      enum cs_price_kind kind)
{
    const char *kind_name = cs_price_kind_names[kind];
    const char *name = *prices->name[kind] ? prices->name[kind] : "unknown";

    if (isfinite(prices->usd[kind]))
        cs_document_add(document, CS_BLOCK_ITEM,
                        "Price of a %s (%s): $%.0f, %s.", kind_name, name,
                        prices->usd[kind], prices->usd_source[kind]);
    else
        cs_document_add(document, CS_BLOCK_ITEM,
                        "Price of a %s (%s): unknown; --price %s=...USD.",
                        kind_name, name, kind_name);
    if (isfinite(prices->watts[kind]))
        cs_document_add(document, CS_BLOCK_ITEM,
                        "Power of a %s (%s): %.0f W, %s.", kind_name, name,
                        prices->watts[kind], prices->watts_source[kind]);
    else
        cs_document_add(document, CS_BLOCK_ITEM,
                        "Power of a %s (%s): unknown; --power %s=...W.",
                        kind_name, name, kind_name);
}

static void add_failures(const struct cs_plan *plan,
                         struct cs_document *document)
{
    const struct cs_failures *failures = &plan->options->failures;

    cs_document_add(
        document, CS_BLOCK_ITEM,
        "Failures: %.0f GPU-hours per interruption (Llama 3: "
        "50,700 on 16,384 H100; OPT-175B: 13,600 on 992 A100), "
        "restart %.0f s, checkpoint %.0f s, repair of a node "
        "%.1f h; %.0f %% of interruptions take a node away, %.1f %% "
        "come from switches and cables (Llama 3).",
        failures->gpu_s / 3600, failures->restart_s, failures->checkpoint_s,
        failures->repair_s / 3600, 100 * failures->hardware,
        100 * failures->network);
    cs_document_add(document, CS_BLOCK_ITEM,
                    "Price per hour: capital over %.3g years, electricity at "
                    "$%.3g/kWh, PUE %.3g. Buildings, staff, storage and "
                    "interest are not included.",
                    plan->options->prices.lifetime_s / 31557600.0,
                    plan->options->prices.energy_usd,
                    plan->options->prices.pue);
}

static void add_model(const struct cs_plan *plan, struct cs_document *document)
{
    const char *library =
        plan->setup.job.library ? plan->setup.job.library->name : "the library";

    if (plan->options->mix.count) {
        cs_document_add(
            document, CS_BLOCK_ITEM,
            "Times of collectives: cost model of %s; interval from "
            "published measurements ('collsim validate published'), "
            "never below the lower bound of the machine's links up "
            "to 2,048 GPUs.",
            library);
    } else {
        cs_document_add(document, CS_BLOCK_ITEM,
                        "Steps: model of kernels and of %s's collectives; nine "
                        "in ten published steps lie within a factor of 1.3 "
                        "('collsim validate training').%s",
                        library,
                        plan->options->train.sample_ps
                            ? " The compute time is the given one."
                            : "");
    }
    cs_document_add(document, CS_BLOCK_ITEM,
                    "Not modelled: other jobs in the fabric, collisions of "
                    "hashed routes, storage, data loading, evaluation, power "
                    "below the maximum. Ranks of a group lie next to each "
                    "other, so that an oversubscribed fabric costs rings and "
                    "trees nothing; an all-to-all pays for it.");
}

void cs_plan_add_sources(const struct cs_plan *plan, const char *command_line,
                         struct cs_document *document)
{
    const struct cs_price_list *prices = &plan->cases[plan->fastest].prices;

    cs_document_add(document, CS_BLOCK_HEADING, "Assumptions and sources");
    add_model(plan, document);
    for (int kind = 0; kind < CS_PRICE_KINDS; ++kind)
        add_price(document, prices, (enum cs_price_kind)kind);
    add_failures(plan, document);
    cs_document_add(document, CS_BLOCK_HEADING, "Repeat");
    cs_document_add(document, CS_BLOCK_CODE, "%s", command_line);
    cs_document_add(document, CS_BLOCK_PARAGRAPH, "collsim %s.", CS_VERSION);
}
