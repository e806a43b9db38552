/*
 * Cases with faster links that take longer by decisions of the library.
 */
#include "algorithms/libraries/slower_call.h"
#include "scenarios/plan/cases/cases.h"
#include "scenarios/train/systems/variants.h"
#include "sim/base/units_show.h"
#include "topo/kinds/link_kind.h"

enum {
    DECISIONS_NAMED = 4,
    DECISIONS_TRIED = 8, /* two cases are timed again for each */
};

static const double decisions_rounding = 1e-6;

/* Whether the links of `fast` have at least the rate of those of `slow`.  Their latency may be a
 * little longer, as NDR's than HDR's: a case that it alone slows gets no note. */
static bool has_faster_links(const struct cs_plan_case *fast, const struct cs_plan_case *slow)
{
    const struct cs_link_kind *a, *b;

    if (!fast->link || !slow->link || cs_same(fast->link, slow->link))
        return false;
    a = cs_link_kind_get(fast->link);
    b = cs_link_kind_get(slow->link);
    return a && b && a->rate_Bps * a->efficiency >= b->rate_Bps * b->efficiency;
}

/* The fastest case with slower links that takes less time, all else the same. */
static const struct cs_plan_case *decisions_faster(const struct cs_plan *plan,
                                                   const struct cs_plan_case *one)
{
    const struct cs_plan_case *found = NULL;
    double least_s = one->time.time_s / (1 + decisions_rounding);

    for (uint32_t c = 0; c < plan->count && !one->refusal; ++c) {
        const struct cs_plan_case *other = &plan->cases[c];

        if (!other->refusal && other->gpus == one->gpus && cs_same(other->node, one->node) &&
            cs_same(other->fabric, one->fabric) && other->time.time_s < least_s &&
            has_faster_links(one, other)) {
            found = other;
            least_s = other->time.time_s;
        }
    }
    return found;
}

static bool decisions_setup(const struct cs_plan *plan, const struct cs_plan_case *one,
                            struct cs_train_setup *setup)
{
    struct cs_train_result result;
    struct cs_plan_time time;
    struct cs_err ignored = {0};

    return plan->options->mix.count
               ? !cs_plan_time_mix(plan->options, one, setup, &time, &ignored)
               : !cs_plan_time_training(plan->options, one, setup, &result, &time, &ignored);
}

/* Two cases of which the one with faster links takes longer. */
struct decisions_pair {
    const struct cs_plan_case *fast, *slow;
    struct cs_train_setup *after, *before; /* in this order */
};

static void decisions_put_step(const struct decisions_pair *pair, struct cs_text *notes)
{
    struct cs_train_job divided = pair->after->job;
    double kept_s;

    divided.degrees = pair->before->job.degrees;
    if (cs_train_is_slower_by_decision(pair->after->system, &pair->before->job, &divided, &kept_s))
        cs_text_printf(
            notes,
            "note: %s, %u GPUs: the step is longer than with %s since %s decides otherwise on "
            "this machine; decided and divided as there, it would take %s\n",
            pair->fast->name, pair->fast->gpus, pair->slow->link, divided.library->name,
            cs_show_seconds(kept_s).text);
}

static void decisions_put_call(const struct cs_plan_options *options,
                               const struct decisions_pair *pair, uint32_t c, struct cs_text *notes)
{
    const struct cs_library *library = pair->after->job.library;
    struct cs_library_request before = cs_plan_mix_request(options, pair->before, NULL, c);
    struct cs_library_request after = cs_plan_mix_request(options, pair->after, NULL, c);
    struct cs_slower_call call;

    if (cs_slower_call_find(library, &before, &after, &call, NULL) ||
        call.is != CS_SLOWER_BY_DECISION)
        return;
    cs_text_printf(notes, "note: %s, %u GPUs: %s takes longer than with %s: ", pair->fast->name,
                   pair->fast->gpus, after.collective->name, pair->slow->link);
    cs_slower_call_put(library, &call, notes);
    cs_text_add(notes, "\n");
}

static void decisions_put(const struct cs_plan *plan, const struct cs_plan_case *one,
                          const struct cs_plan_case *other, struct cs_text *notes)
{
    const struct cs_plan_options *options = plan->options;
    struct cs_train_setup *setups =
        cs_arena_alloc(options->train.scenario.arena, 2, sizeof(*setups));
    struct decisions_pair pair = {
        .fast = one, .slow = other, .after = setups, .before = setups + 1};

    if (!decisions_setup(plan, other, pair.before) || !decisions_setup(plan, one, pair.after))
        return;
    if (!options->mix.count)
        decisions_put_step(&pair, notes);
    for (uint32_t c = 0; c < options->mix.count; ++c)
        decisions_put_call(options, &pair, c, notes);
}

void cs_plan_note_decisions(const struct cs_plan *plan, struct cs_text *notes)
{
    uint32_t named = 0, tried = 0;

    for (uint32_t c = 0; c < plan->count && named < DECISIONS_NAMED; ++c) {
        const struct cs_plan_case *other = decisions_faster(plan, &plan->cases[c]);
        size_t length = notes->length;

        if (other && tried++ < DECISIONS_TRIED)
            decisions_put(plan, &plan->cases[c], other, notes);
        named += notes->length > length;
    }
}
