#include "scenarios/options/unused.h"
#include "scenarios/commands.h"
#include "scenarios/plan/options.h"

#include <math.h>

/* The words of the log with the change; returns their number. */
static int plan_words(const struct cs_option_log *log, struct cs_option_change change, char **argv,
                      struct cs_arena *arena)
{
    int argc = 0;

    for (uint32_t i = 0; i < log->count; i++) {
        const struct cs_given *item = &log->items[i];
        const char *value = item == change.given ? change.value : item->value;

        if (value && !item->implied)
            argc += cs_given_words(item, value, &argv[argc], arena);
    }
    return argc;
}

static bool plan_figure_is(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool plan_case_is(const struct cs_plan_case *a, const struct cs_plan_case *b)
{
    return plan_figure_is(a->time.time_s, b->time.time_s) &&
           plan_figure_is(a->time.memory_bytes, b->time.memory_bytes) &&
           plan_figure_is(a->effective_s, b->effective_s) &&
           plan_figure_is(a->cost.watts, b->cost.watts) &&
           plan_figure_is(a->cost.capital_usd, b->cost.capital_usd) &&
           plan_figure_is(a->cost.usd_per_h, b->cost.usd_per_h);
}

/* Of struct cs_unused: all cases with the change. */
static enum cs_option_answer plan_answer(void *ctx, struct cs_option_change change)
{
    const struct cs_plan *plan = ctx;
    const struct cs_option_log *log = &plan->options->train.scenario.given;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    char **argv = cs_arena_alloc(&arena, 2 * (size_t)log->count + 1, sizeof(*argv));
    int argc = plan_words(log, change, argv, &arena);
    struct cs_plan_options options;
    struct cs_err err = {0};

    cs_plan_options_init(&options, &arena);
    if (cs_train_read_into(cs_command_plan.options, argc, argv, &options.train, sizeof(options),
                           &err) ||
        cs_plan_options_check(&options, &err))
        return CS_ANSWER_NONE;
    for (uint32_t c = 0; c < plan->count; c++) {
        struct cs_plan_case other = plan->cases[c];
        bool is_refused = cs_plan_case_compute(&options, &other, &err) != 0;

        if (is_refused != (other.refusal != NULL) ||
            (!is_refused && !plan_case_is(&plan->cases[c], &other)))
            return CS_ANSWER_OTHER;
    }
    return CS_ANSWER_SAME;
}

void cs_plan_unused_notes(const struct cs_plan *plan, struct cs_text *notes)
{
    const struct cs_option_log *log = &plan->options->train.scenario.given;
    struct cs_plan asked = *plan;
    const struct cs_unused check = {plan_answer, &asked, CS_TRIES_BOUNDS};

    for (uint32_t i = 0; i < log->count; i++) {
        const struct cs_option *option = log->items[i].option;

        if (!option->commands && option->use == CS_USE_COMPARED &&
            cs_option_is_unused(&check, &log->items[i]))
            cs_text_printf(notes, "note: --%s has no effect on the cases of this plan\n",
                           option->name);
    }
}
