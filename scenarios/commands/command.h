/*
 * Commands: what `collsim NAME ...` can do.
 *
 * A command is a file cmd_NAME.c with one const struct and a line in
 * commands.def.  It alone prints; what is below the roof returns errors.
 */
#ifndef CS_SCENARIOS_COMMANDS_COMMAND_H
#define CS_SCENARIOS_COMMANDS_COMMAND_H

#include "reports/results/sheet.h"
#include "scenarios/options/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Where a command reads and writes; main fills it from the environment. */
struct cs_cli {
    FILE *out;
    FILE *messages;
    enum cs_style style; /* colour on a terminal, unless NO_COLOR is set */
    bool terminal;       /* messages go to one: progress may be shown */
    const char *program; /* path of this program, to start it again */
};

/* Prints a sheet in that format. */
void cs_cli_sheet(const struct cs_cli *cli, const struct cs_sheet *sheet,
                  enum cs_format format);

/* Writes the text into that file, or where the program prints for NULL.
 * CS_EINPUT for a file that cannot be opened, CS_ECANNOT where writing
 * fails. */
int cs_cli_write(const struct cs_cli *cli, const char *path,
                 const struct cs_text *text, struct cs_err *err);

struct cs_command {
    const char *name;
    const char *usage; /* "collsim run [OPTION ...]" */
    const char *about; /* one line */
    struct cs_option_tables options;
    const char *notes; /* behind the options in --help, or NULL */
    /* Appends what of the help is read off a registry; or NULL. */
    void (*add_help)(struct cs_text *out);
    /* Runs with the arguments behind the name; 0 or an error code. */
    int (*run)(const struct cs_cli *cli, int argc, char **argv,
               struct cs_err *err);
};

#define COMMAND(name) extern const struct cs_command cs_command_##name;
#include "scenarios/commands/commands.def"
#undef COMMAND

extern const struct cs_command *const cs_commands[];
extern const size_t cs_command_count;

#endif
