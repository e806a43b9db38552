#include "scenarios/commands/plan_scenario.h"

#include "scenarios/commands/command.h"
#include "scenarios/commands/options_file.h"
#include "scenarios/commands/plan_given.h"

int cs_plan_set_scenario(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    options->scenario = value;
    return cs_options_read_file(cs_command_plan.options, value,
                                options->train.scenario.arena, target, err);
}
