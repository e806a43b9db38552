#include "scenarios/commands.h"
#include "scenarios/plan/options.h"

#include <string.h>

/* Worth a word. */
static const double framework_gain = 1.03;

/* Of 287 published steps on 16 H100 and more 231 are of NeMo, Megatron-Core or
 * Megatron-Bridge, of 80 on B200, GB200 and GB300 all; on A100 NeMo is the newest
 * (validate/data/training). */
static const char *const plan_frameworks[CS_PLAN_FRAMEWORKS] = {
    [CS_PLAN_AMPERE] = "nemo=24.01",
    [CS_PLAN_HOPPER] = "megatron-bridge",
    [CS_PLAN_EXPERTS] = "hai-llm",
};

/* The plan's words behind those of the framework; NULL: they contradict each other. */
static const struct cs_train_options *read_as(const struct cs_train_options *given,
                                              const char *framework)
{
    struct cs_arena *arena = given->scenario.arena;
    struct cs_plan_options *options = cs_arena_alloc(arena, 1, sizeof(*options));
    char **argv = cs_arena_alloc(arena, (size_t)given->argc + 1, sizeof(*argv));
    struct cs_err unused = {0};

    if (given->argc)
        memcpy(argv, given->argv, (size_t)given->argc * sizeof(*argv));
    argv[given->argc] = cs_arena_printf(arena, "--framework=%s", framework);
    cs_plan_options_init(options, arena);
    return cs_train_read_into(cs_command_plan.options, given->argc + 1, argv, &options->train,
                              sizeof(*options), &unused)
               ? NULL
               : &options->train;
}

void cs_plan_read_frameworks(struct cs_plan_options *options)
{
    const struct cs_train_options *train = &options->train;

    if (!train->model || train->framework || train->system)
        return;
    for (int f = 0; f < CS_PLAN_FRAMEWORKS; ++f)
        options->as[f] = read_as(train, plan_frameworks[f]);
}

void cs_plan_try_framework(struct cs_plan *plan)
{
    struct cs_arena *arena = plan->options->train.scenario.arena;
    struct cs_train_setup *setup = cs_arena_alloc(arena, 1, sizeof(*setup));
    struct cs_train_result *result = cs_arena_alloc(arena, 1, sizeof(*result));
    const struct cs_plan_case *one = &plan->cases[plan->fastest];
    struct cs_err unused = {0}; /* settings that do not suit the job */
    struct cs_plan_time time;

    if (!one->time.framework || !plan->options->as[CS_PLAN_EXPERTS] ||
        !plan->setup.model.transformer.experts)
        return;
    if (!cs_plan_time_training(cs_plan_as(plan->options, CS_PLAN_EXPERTS), one, setup, result,
                               &time, &unused) &&
        time.time_s * framework_gain < one->time.time_s)
        plan->faster = time;
}
