/*
 * Assumptions and sources of a capacity report.
 */
#include "scenarios/plan/report/report.h"

#include "sim/base/file.h"
#include "sim/base/hash.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

enum {
    INPUT_BYTES_MAX = 64 << 20
};

static void add_rent(struct cs_document *document, const struct cs_plan_case *one)
{
    const struct cs_price_list *prices = &one->prices;
    struct cs_price_range range = prices->usd_range[CS_PRICE_RENT];

    if (isfinite(prices->usd[CS_PRICE_RENT]))
        cs_document_add(document, CS_BLOCK_ITEM,
                        "Rent of a GPU for an hour (%s): $%.4g (%.4g to %.4g), %s.", one->node,
                        prices->usd[CS_PRICE_RENT], range.low, range.high,
                        prices->usd_source[CS_PRICE_RENT]);
}

/* A price or a power of what is bought, with range and source. */
static void add_figure(struct cs_document *document, const struct cs_plan_case *one,
                       enum cs_price_kind kind, bool is_price)
{
    const struct cs_price_list *prices = &one->prices;
    const char *kind_name = cs_price_kind_names[kind];
    const char *name = kind == CS_PRICE_NODE ? one->node : prices->name[kind];
    const char *what = is_price ? "Price" : "Power";
    double value = is_price ? prices->usd[kind] : prices->watts[kind];
    struct cs_price_range range = is_price ? prices->usd_range[kind] : prices->watts_range[kind];

    if (isfinite(value))
        cs_document_add(document, CS_BLOCK_ITEM, "%s of a %s (%s): %s%.0f%s (%.0f to %.0f), %s.",
                        what, kind_name, name, is_price ? "$" : "", value, is_price ? "" : " W",
                        range.low, range.high,
                        is_price ? prices->usd_source[kind] : prices->watts_source[kind]);
    else
        cs_document_add(document, CS_BLOCK_ITEM, "%s of a %s (%s): unknown; --%s %s=...%s.", what,
                        kind_name, name, is_price ? "price" : "power",
                        kind == CS_PRICE_NODE ? name : kind_name, is_price ? "USD" : "W");
}

/* Whether the case is the first with its node, or with its kind of switch or cable. */
static bool is_first_with(const struct cs_plan *plan, uint32_t c, enum cs_price_kind kind)
{
    if (kind == CS_PRICE_NODE)
        return cs_plan_is_first_of_node(plan, c);
    for (uint32_t o = 0; o < c; ++o)
        if (!plan->cases[o].refusal &&
            plan->cases[o].prices.name[kind] == plan->cases[c].prices.name[kind])
            return false;
    return !plan->cases[c].refusal;
}

static void add_figures(const struct cs_plan *plan, struct cs_document *document)
{
    for (int f = 0; f < 2 * CS_PRICE_RENT; ++f) {
        enum cs_price_kind kind = (enum cs_price_kind)(f / 2);

        for (uint32_t c = 0; c < plan->count; ++c)
            if (is_first_with(plan, c, kind))
                add_figure(document, &plan->cases[c], kind, f % 2 == 0);
    }
    for (uint32_t c = 0; c < plan->count; ++c)
        if (cs_plan_is_first_of_node(plan, c))
            add_rent(document, &plan->cases[c]);
}

static void add_frameworks(const struct cs_plan *plan, struct cs_document *document)
{
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_framework *framework = plan->cases[c].time.framework;

        if (framework && cs_plan_is_first_of_node(plan, c))
            cs_document_add(document, CS_BLOCK_ITEM, "Settings on %s: %s %s (%s), %s.",
                            plan->cases[c].node, framework->name, framework->release,
                            framework->options, framework->source);
    }
}

static void add_rates(const struct cs_plan *plan, struct cs_document *document)
{
    for (uint32_t c = 0; c < plan->count; ++c) {
        const struct cs_plan_case *one = &plan->cases[c];

        if (cs_plan_is_first_of_node(plan, c))
            cs_document_add(document, CS_BLOCK_ITEM,
                            "Failures of %s: %.0f GPU-hours per interruption (%.0f to %.0f), %s.",
                            one->node, one->failures.gpu_s / 3600, one->gpu_s.low / 3600,
                            one->gpu_s.high / 3600, one->failures_source);
    }
}

static void add_failures(const struct cs_plan *plan, struct cs_document *document)
{
    const struct cs_failures *failures = &plan->options->failures;

    add_rates(plan, document);
    cs_document_add(
        document, CS_BLOCK_ITEM,
        "An interruption: restart %.0f s, checkpoint %.0f s, repair of a node %.1f h; %.0f %% "
        "of interruptions take a node away, %.1f %% come from switches and cables (Llama 3).",
        failures->restart_s, failures->checkpoint_s, failures->repair_s / 3600,
        100 * failures->hardware, 100 * failures->network);
    cs_document_add(document, CS_BLOCK_ITEM,
                    "Price per hour: capital over %.3g years, electricity at $%.3g/kWh, PUE %.3g. "
                    "Buildings, staff, storage and interest are not included.",
                    plan->options->prices.lifetime_s / 31557600.0, plan->options->prices.energy_usd,
                    plan->options->prices.pue);
    cs_document_add(
        document, CS_BLOCK_ITEM,
        "Ranges: prices from the lowest to the highest published, else 20 %% about a node's and 30 "
        "%% about a switch's and a cable's (assumed); power of a node from 76 %% of its maximum (8 "
        "H100 in training, arXiv 2506.14551) to the maximum, of switches and cables 20 %% "
        "(assumed); interruptions as above, with the spare nodes for each; "
        "restart, checkpoint and electricity half to twice, lifetime 25 %% (assumed). Figures "
        "given by the user for prices and power are exact.");
}

static void add_model(const struct cs_plan *plan, struct cs_document *document)
{
    const char *library = plan->setup.job.library ? plan->setup.job.library->name : "the library";

    if (plan->options->mix.count) {
        cs_document_add(document, CS_BLOCK_ITEM,
                        "Times of collectives: cost model of %s; interval from published "
                        "measurements ('collsim validate published'), never below the lower bound "
                        "of the machine's links up to 2,048 GPUs.",
                        library);
    } else {
        cs_document_add(
            document, CS_BLOCK_ITEM,
            "Steps: model of kernels and of %s's collectives; nine in ten published steps lie "
            "within a factor of 1.3 ('collsim validate training').%s",
            library,
            plan->options->train.job.sample_s > 0 ? " The compute time is the given one." : "");
    }
    cs_document_add(
        document, CS_BLOCK_ITEM, "Not modelled: %s%sstorage, data loading, evaluation. %s",
        plan->options->scattered ? "" : "other jobs in the fabric (--scattered), ",
        plan->options->routing == CS_PLAN_ECMP ? ""
                                               : "collisions of hashed routes (--routing ecmp), ",
        plan->options->scattered
            ? "The nodes of the job lie anywhere in the fabric: all flows of a leaf go up."
            : "Ranks of a group lie next to each other, so that an oversubscribed fabric costs "
              "rings and trees nothing; an all-to-all pays for it.");
}

/* A file of the plan with its hash; a name of the library is none. */
static void add_input(struct cs_document *document, const char *path)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_err ignored = {0};

    if (path && !access(path, R_OK) && !cs_file_read(path, INPUT_BYTES_MAX, &text, &ignored))
        cs_document_add(document, CS_BLOCK_ITEM, "Input %s: %zu bytes, FNV-1a %016" PRIx64 ".",
                        path, text.length,
                        cs_hash_bytes(CS_HASH_START, cs_text_str(&text), text.length));
}

static void add_inputs(const struct cs_plan_options *options, struct cs_document *document)
{
    add_input(document, options->scenario);
    add_input(document, options->train.model);
    for (uint32_t n = 0; n < options->nodes.count; ++n)
        add_input(document, options->nodes.item[n]);
    cs_document_add(document, CS_BLOCK_PARAGRAPH, "collsim %s; no random numbers, so no seed.",
                    CS_VERSION);
}

void cs_plan_add_sources(const struct cs_plan *plan, const char *command_line,
                         struct cs_document *document)
{
    cs_document_add(document, CS_BLOCK_HEADING, "Assumptions and sources");
    add_model(plan, document);
    add_frameworks(plan, document);
    add_figures(plan, document);
    add_failures(plan, document);
    cs_document_add(document, CS_BLOCK_HEADING, "Repeat");
    cs_document_add(document, CS_BLOCK_CODE, "%s", command_line);
    add_inputs(plan->options, document);
}
