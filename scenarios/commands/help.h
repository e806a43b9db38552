/*
 * Help: what tables of options say, as text of --help, as part of the man page
 * and as data of the shell's completion.
 */
#ifndef CS_SCENARIOS_COMMANDS_HELP_H
#define CS_SCENARIOS_COMMANDS_HELP_H

#include "scenarios/commands/command.h"

enum cs_help_extent {
    CS_HELP_SCREEN, /* own options and the main group; names of other groups */
    CS_HELP_ALL,    /* the options of all groups */
};

/* `collsim COMMAND --help`. */
void cs_help_command(const struct cs_command *command,
                     enum cs_help_extent extent, struct cs_text *out);

/* `collsim COMMAND --help GROUP`: the group's options with full descriptions.
 * CS_EINPUT for a group that the command does not have. */
int cs_help_group(const struct cs_command *command, const char *name,
                  struct cs_text *out, struct cs_err *err);

/* For the man page in roff: the usage of all commands; their options. */
void cs_help_synopsis(struct cs_text *out);
void cs_help_manual(struct cs_text *out);

/*
 * The options of all commands for scenarios/collsim.bash:
 *
 *     _collsim_commands='run explain ...'
 *     _collsim_options='run --topo -t @topologies file
 *     ...'
 *
 * A line has command, option, letter ("-": none) and what completes its value:
 * see struct cs_option, and "?" for words that the program names when it
 * refuses a value, "!" for an option without a value.
 */
void cs_help_completion(struct cs_text *out);

#endif
