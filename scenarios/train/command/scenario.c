#include "scenarios/train/command/scenario.h"

#include "scenarios/commands.h"
#include "scenarios/options/file.h"
#include "scenarios/train/command/given.h"

int cs_train_set_scenario(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;

    bool asked = given->cases_asked;
    int code =
        cs_options_read_file(cs_command_train.options, value, given->scenario.arena, target, err);

    given->cases_asked = asked;
    return code;
}
