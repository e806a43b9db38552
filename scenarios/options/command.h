/*
 * Command: what `collsim NAME ...` runs, and where its output goes.
 *
 * A command is a folder NAME with command.c, which has a const struct, and a line
 * in commands.def.  Only commands and main print; lower folders return errors.
 */
#pragma once

#include "reports/results/sheet.h"
#include "scenarios/options/options.h"
#include "scenarios/options/progress_line.h"

#include <stdbool.h>
#include <stdio.h>

/* Output and its properties, from the environment; filled by main. */
struct cs_cli {
    FILE *out;
    FILE *messages;
    enum cs_style style; /* colour on a terminal, unless NO_COLOR is set */
    uint32_t width;      /* columns of the terminal; 0: not one */
    bool terminal;       /* messages go to a terminal: progress lines are allowed */
    const char *program; /* path of this executable, for child processes; NULL: a host's process */
    struct cs_progress_line *progress; /* of long commands; NULL: none */
};

/* The monitor of a long phase, which says on `messages` how long it will take: of a
 * number of phases of about equal length, this one, from 0. */
const struct cs_monitor *cs_cli_watch(const struct cs_cli *cli, const char *phase, uint32_t part,
                                      uint32_t parts);

/* Clears what is on the terminal, before output. */
void cs_cli_watched(const struct cs_cli *cli);

/* Prints a text and frees it. */
void cs_cli_text(const struct cs_cli *cli, struct cs_text *text);

/* Prints a sheet. */
void cs_cli_sheet(const struct cs_cli *cli, const struct cs_sheet *sheet, enum cs_format format);

/* Prints a sheet and frees it. */
void cs_cli_sheet_end(const struct cs_cli *cli, struct cs_sheet *sheet, enum cs_format format);

/* Prints an array of rows. */
void cs_cli_rows(const struct cs_cli *cli, const struct cs_rows *rows, enum cs_format format);

/* Prints the sheet, or after an error `code` the rows that were finished, if any. */
void cs_cli_sheet_until(const struct cs_cli *cli, const struct cs_sheet *sheet,
                        enum cs_format format, int code);

/* Prints "wrote FILE" on `messages`, as every command does for each file; nothing for
 * NULL. */
void cs_cli_wrote(const struct cs_cli *cli, const char *path);

/* Prints "note: LINE" on `messages` for each line of the text. */
void cs_cli_note(const struct cs_cli *cli, const struct cs_text *lines);

/* Writes the text to the file, with that message, or to cli->out for NULL.  CS_EINPUT for a file
 * that cannot be opened, CS_ECANNOT for a failed write. */
int cs_cli_write(const struct cs_cli *cli, const char *path, const struct cs_text *text,
                 struct cs_err *err);

/* The same for a text of any length, see reports/results/files.h. */
struct cs_files_source;
int cs_cli_write_parts(const struct cs_cli *cli, const char *path,
                       const struct cs_files_source *source, struct cs_err *err);

struct cs_command {
    const char *name;
    const char *usage; /* "collsim run [OPTION ...]" */
    const char *about; /* one line */
    struct cs_option_tables options;
    const char *notes; /* printed after the options in --help; NULL: none */
    /* Appends help from registries; NULL: none.  A long one is in --help all alone. */
    void (*add_help)(struct cs_text *out);
    bool help_is_long;
    bool starts_processes; /* not in a host's */
    /* Runs with the arguments after the name; 0 or an error code. */
    int (*run)(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err);
};
