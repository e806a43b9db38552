#include "scenarios/plan/scenario.h"

#include "scenarios/commands.h"
#include "scenarios/options/file.h"
#include "scenarios/plan/cases/given.h"

int cs_plan_set_scenario(void *target, const char *value, struct cs_err *err)
{
    struct cs_plan_options *options = target;

    options->scenario = value;
    return cs_options_read_file(cs_command_plan.options, value, options->train.scenario.arena,
                                target, err);
}
