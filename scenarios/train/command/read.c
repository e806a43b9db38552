#include "scenarios/train/command/read.h"

#include "scenarios/commands.h"

int cs_train_read(int argc, char **argv, struct cs_arena *arena, struct cs_train_options *given,
                  struct cs_err *err)
{
    cs_train_options_init(given, arena);
    return cs_options_read(cs_command_train.options, argc, argv, given, err);
}
