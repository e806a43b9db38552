#include "scenarios/train/command/assumptions.h"

#include "scenarios/commands.h"
#include "scenarios/options/unused.h"

#include <math.h>

/* The job without one of the options that are given. */
static void assumption_leave_out(const struct cs_train_result *result,
                                 const struct cs_given *implied, struct cs_assumption *assumption)
{
    const struct cs_train_options *given = result->given;
    struct cs_arena arena = {0};
    struct cs_train_options others;
    struct cs_train_setup setup = {0};
    struct cs_train_step step;
    struct cs_err err = {0};

    cs_train_options_init(&others, &arena);
    others.implied = given->implied;
    others.scenario.topo = given->scenario.topo;
    assumption->step_s = assumption->memory_bytes = (double)NAN;
    if (!cs_options_read_changed(cs_command_train.options, &given->scenario.given,
                                 (struct cs_option_change){implied, NULL}, &others) &&
        !cs_train_setup_on(&others, result->setup, &setup, &err) &&
        !setup.system->time(&setup.job, &step, &err)) {
        assumption->step_s = step.step_s;
        assumption->memory_bytes = step.memory_bytes;
    }
    cs_arena_free(&arena);
}

static const char *assumption_text(const struct cs_given *implied, struct cs_arena *arena)
{
    const char *name = implied->option->name;

    if (implied->cleared)
        return cs_options_negation(implied->option, arena);
    return cs_arena_printf(arena, implied->value[0] ? "--%s %s" : "--%s", name, implied->value);
}

uint32_t cs_train_assumptions(const struct cs_train_result *result,
                              struct cs_assumption assumptions[CS_ASSUMPTIONS_MAX])
{
    const struct cs_option_log *log = &result->given->scenario.given;
    uint32_t count = 0;

    for (uint32_t i = 0; i < log->count && count < CS_ASSUMPTIONS_MAX && !result->search; i++) {
        if (!log->items[i].implied)
            continue;
        assumptions[count].option = assumption_text(&log->items[i], result->given->scenario.arena);
        assumption_leave_out(result, &log->items[i], &assumptions[count++]);
    }
    return count;
}
