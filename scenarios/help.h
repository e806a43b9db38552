/*
 * Help: tables of options as text of --help, as sections of the man page and as
 * data for the completion of the shell.
 */
#pragma once

#include "scenarios/options/command.h"

enum cs_help_extent {
    CS_HELP_SCREEN, /* the first group and the main one; names of other groups */
    CS_HELP_ALL,    /* the options of every group */
};

/* `collsim COMMAND --help`. */
void cs_help_command(const struct cs_command *command, enum cs_help_extent extent,
                     struct cs_text *out);

/* `collsim --help`: commands, groups of options. */
void cs_help_program(struct cs_text *out);

/* `collsim COMMAND --help GROUP`: the group's options with full descriptions.
 * CS_EINPUT for a group that the command does not have. */
int cs_help_group(const struct cs_command *command, const char *name, struct cs_text *out,
                  struct cs_err *err);

/* For the man page, in roff: the usage lines, and the options. */
void cs_help_synopsis(struct cs_text *out);
void cs_help_manual(struct cs_text *out);

/*
 * The options of every command for scenarios/collsim.bash:
 *
 *     _collsim_commands='run explain ...'
 *     _collsim_options='run --topo -t @topologies file
 *     ...'
 *
 * A line has command, option, letter ("-": none) and the completion of the
 * value: see struct cs_option; "?": the words in the message about an invalid
 * value; "!": no value.
 */
void cs_help_completion(struct cs_text *out);
