#include "scenarios/commands.h"

const struct cs_command *const cs_commands[] = {
#define COMMAND(name) &cs_command_##name,
#include "scenarios/commands.def"
#undef COMMAND
};

const size_t cs_command_count = sizeof(cs_commands) / sizeof(*cs_commands);
