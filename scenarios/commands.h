/*
 * Commands: the registry behind `collsim NAME ...` (commands.def).
 */
#pragma once

#include "scenarios/options/command.h"

#define COMMAND(name) extern const struct cs_command cs_command_##name;
#include "scenarios/commands.def"
#undef COMMAND

/* In the order of listings; the first is the default. */
extern const struct cs_command *const cs_commands[];
extern const size_t cs_command_count;
