#include "scenarios/commands/train_scenario.h"

#include "scenarios/commands/command.h"
#include "scenarios/commands/options_file.h"
#include "scenarios/commands/train_given.h"

int cs_train_set_scenario(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;

    bool asked = given->cases_asked;
    int code = cs_options_read_file(cs_command_train.options, value,
                                    given->scenario.arena, target, err);

    given->cases_asked = asked;
    return code;
}
