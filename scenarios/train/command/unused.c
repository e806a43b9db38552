#include "scenarios/train/command/unused.h"

#include "scenarios/commands.h"
#include "scenarios/options/unused.h"
#include "scenarios/train/command/calibration.h"
#include "scenarios/train/search/search.h"

#include <math.h>

struct unused_of_job {
    const struct cs_train_options *given;
    const struct cs_train_setup *setup;
    const struct cs_train_step *step;
};

/* The step of a job, or of the fastest that a search finds. */
static int unused_step(const struct cs_train_setup *setup, struct cs_train_step *step,
                       struct cs_err *err)
{
    struct cs_search search = {0};
    int code;

    if (!setup->system->searches)
        return setup->system->time(&setup->job, step, err);
    code = cs_train_search(&setup->job, &search, err);
    if (!code)
        *step = search.best[0].step;
    return code;
}

/* Of struct cs_unused: the step of the changed job, in time and memory. */
static enum cs_option_answer unused_answer(void *ctx, struct cs_option_change change)
{
    const struct unused_of_job *asked = ctx;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_setup changed = *asked->setup;
    struct cs_train_options given;
    struct cs_train_step other;
    struct cs_err err = {0};
    enum cs_option_answer answer = CS_ANSWER_NONE;

    cs_train_options_init(&given, &arena);
    given.implied = asked->given->implied;
    given.system = asked->given->system; /* a search where the user named none */
    cs_train_calibrate_as(asked->given, &given);
    changed.job.model = &changed.model;
    changed.job.site = &changed.site;
    if (!cs_options_read_changed(cs_command_train.options, &asked->given->scenario.given, change,
                                 &given) &&
        !cs_train_setup_job(&given, &changed, &err) && !unused_step(&changed, &other, &err))
        answer =
            other.step_s == asked->step->step_s && other.memory_bytes == asked->step->memory_bytes
                ? CS_ANSWER_SAME
                : CS_ANSWER_OTHER;
    return answer;
}

/* Dedicated servers beyond one for each worker: the workers' ports are the limit. */
static void unused_servers_note(const struct cs_cli *cli, const struct cs_train_setup *setup,
                                const struct cs_train_step *step)
{
    const struct cs_site *site = setup->job.site;
    uint32_t workers = site->nodes > 1 ? site->nodes : site->ranks;
    struct cs_train_job fewer = setup->job;
    struct cs_train_step other;
    struct cs_err err = {0};

    fewer.servers.count = workers;
    if (setup->job.servers.place == CS_PS_DEDICATED && setup->job.servers.count > workers &&
        !setup->system->time(&fewer, &other, &err) && other.step_s <= 1.01 * step->step_s)
        fprintf(cli->messages,
                "note: %u servers are as fast as %u, within 1 %%: pushes and pulls are limited by "
                "the ports of the %u workers\n",
                workers, setup->job.servers.count, workers);
}

bool cs_train_is_unused(const struct cs_train_options *given, const struct cs_train_setup *setup,
                        const struct cs_train_step *step, const struct cs_given *of)
{
    const struct cs_option_log *log = &given->scenario.given;
    struct unused_of_job asked = {given, setup, step};
    const struct cs_unused check = {unused_answer, &asked, CS_TRIES_BOUNDS};
    uint32_t i = 0;

    while (i < log->count && log->items[i].option != of->option)
        i++;
    if (i == log->count || log->items[i].value != of->value)
        return i < log->count && of->option->use != CS_USE_FORM;
    return !of->option->commands && of->option->use == CS_USE_COMPARED &&
           cs_option_is_unused(&check, &log->items[i]);
}

void cs_train_unused_notes(const struct cs_cli *cli, const struct cs_train_options *given,
                           const struct cs_train_setup *setup)
{
    const struct cs_option_log *log = &given->scenario.given;
    struct cs_train_step step;
    struct cs_err err = {0};

    /* The job of a setup that searched is the fastest that it found. */
    if (setup->system->time(&setup->job, &step, &err))
        return;
    for (uint32_t i = 0; i < log->count; i++)
        if (cs_train_is_unused(given, setup, &step, &log->items[i]))
            fprintf(cli->messages, "note: --%s has no effect on this job (%s, %s)\n",
                    log->items[i].option->name, setup->model.name, setup->system->name);
    unused_servers_note(cli, setup, &step);
}

/* ---- assumptions of a framework ---- */

/* The job without one of the options that are given. */
static void assumption_leave_out(const struct cs_train_result *result,
                                 const struct cs_given *implied, struct cs_assumption *assumption)
{
    const struct cs_train_options *given = result->given;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_options others;
    struct cs_train_setup setup = {0};
    struct cs_train_step step;
    struct cs_err err = {0};

    cs_train_options_init(&others, &arena);
    others.implied = given->implied;
    cs_train_calibrate_as(given, &others);
    others.scenario.topo = given->scenario.topo;
    assumption->step_s = assumption->memory_bytes = (double)NAN;
    if (!cs_options_read_changed(cs_command_train.options, &given->scenario.given,
                                 (struct cs_option_change){implied, NULL}, &others) &&
        !cs_train_setup_on(&others, result->setup, &setup, &err) &&
        !setup.system->time(&setup.job, &step, &err)) {
        assumption->step_s = step.step_s;
        assumption->memory_bytes = step.memory_bytes;
    }
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
