/*
 * Cases with faster links that take longer by decisions of the library.
 */
#include "scenarios/plan/cases/cases.h"
#include "scenarios/train/systems/variants.h"
#include "sim/base/units_show.h"
#include "topo/kinds/link_kind.h"

enum {
    DECISIONS_NAMED = 4 /* a case is timed again for each */
};

static const double decisions_rounding = 1e-6;

/* Whether the links of `fast` are no worse in rate and latency than those of `slow`. */
static bool has_faster_links(const struct cs_plan_case *fast, const struct cs_plan_case *slow)
{
    const struct cs_link_kind *a, *b;

    if (!fast->link || !slow->link || cs_same(fast->link, slow->link))
        return false;
    a = cs_link_kind_get(fast->link);
    b = cs_link_kind_get(slow->link);
    return a && b && a->rate_Bps * a->efficiency >= b->rate_Bps * b->efficiency &&
           a->latency_ps <= b->latency_ps;
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

    return !cs_plan_time_training(plan->options, one, setup, &result, &time, &ignored);
}

static void decisions_put(const struct cs_plan *plan, const struct cs_plan_case *one,
                          const struct cs_plan_case *other, struct cs_text *notes)
{
    struct cs_train_setup *before =
        cs_arena_alloc(plan->options->train.scenario.arena, 2, sizeof(*before));
    struct cs_train_setup *after = before + 1;
    struct cs_train_job divided;
    double kept_s;

    if (!decisions_setup(plan, other, before) || !decisions_setup(plan, one, after))
        return;
    divided = after->job;
    divided.degrees = before->job.degrees;
    if (cs_train_is_slower_by_decision(after->system, &before->job, &divided, &kept_s))
        cs_text_printf(
            notes,
            "note: %s, %u GPUs: the step is longer than with %s since %s decides otherwise on "
            "this machine; decided and divided as there, it would take %s\n",
            one->name, one->gpus, other->link, after->job.library->name,
            cs_show_seconds(kept_s).text);
}

void cs_plan_note_decisions(const struct cs_plan *plan, struct cs_text *notes)
{
    uint32_t named = 0;

    for (uint32_t c = 0; c < plan->count && !plan->options->mix.count; ++c) {
        const struct cs_plan_case *other = decisions_faster(plan, &plan->cases[c]);

        if (other && named++ < DECISIONS_NAMED)
            decisions_put(plan, &plan->cases[c], other, notes);
    }
}
