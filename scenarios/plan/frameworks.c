#include "scenarios/plan/frameworks.h"

#include "scenarios/commands.h"
#include "scenarios/plan/options.h"
#include "scenarios/train/command/framework.h"

#include <string.h>

/* Worth a word. */
static const double framework_gain = 1.03;

/* Of large models on NVIDIA's GPUs today; the second, of experts. */
static const char *const plan_frameworks[] = {"megatron-bridge", "hai-llm"};

/* The plan's words behind those of the framework. */
static int time_as(const struct cs_plan *plan, const char *framework, struct cs_plan_time *time,
                   struct cs_err *err)
{
    const struct cs_train_options *given = &plan->options->train;
    struct cs_arena *arena = given->scenario.arena;
    struct cs_plan_options *options = cs_arena_alloc(arena, 1, sizeof(*options));
    char **argv = cs_arena_alloc(arena, (size_t)given->argc + 1, sizeof(*argv));
    struct cs_train_setup *setup = cs_arena_alloc(arena, 1, sizeof(*setup));
    struct cs_train_result *result = cs_arena_alloc(arena, 1, sizeof(*result));
    int code;

    if (given->argc)
        memcpy(argv, given->argv, (size_t)given->argc * sizeof(*argv));
    argv[given->argc] = cs_arena_printf(arena, "--framework=%s", framework);
    cs_plan_options_init(options, arena);
    code = cs_train_read_into(cs_command_plan.options, given->argc + 1, argv, &options->train,
                              sizeof(*options), err);
    return code ? code
                : cs_plan_time_training(options, &plan->cases[plan->fastest], setup, result, time,
                                        err);
}

void cs_plan_try_frameworks(struct cs_plan *plan)
{
    const struct cs_transformer *dims = &plan->setup.model.transformer;
    double best_s = plan->options->mix.count ? 0 : plan->cases[plan->fastest].time.time_s;

    if (plan->options->train.framework || !dims->layers || plan->setup.site.nodes < 2 ||
        plan->setup.site.maker != CS_MAKER_NVIDIA)
        return;
    best_s /= framework_gain;
    for (size_t f = 0; f < 1 + (size_t)(dims->experts > 0); ++f) {
        struct cs_err unused = {0}; /* settings that do not suit the job */
        struct cs_plan_time time;

        if (time_as(plan, plan_frameworks[f], &time, &unused) || !(time.time_s < best_s))
            continue;
        best_s = time.time_s;
        plan->framework = plan_frameworks[f];
        plan->framework_time = time;
    }
}
