/*
 * collsim: the roof.  Finds the command, runs it, tells errors, exits.
 */
#include "reports/json.h"
#include "scenarios/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND(name) extern const struct cs_command cs_command_##name;
#include "scenarios/commands.def"
#undef COMMAND

const struct cs_command *const cs_commands[] = {
#define COMMAND(name) &cs_command_##name,
#include "scenarios/commands.def"
#undef COMMAND
};

const size_t cs_command_count = sizeof(cs_commands) / sizeof(*cs_commands);

enum {
    NAMES_MAX = 64
};

static void print_help(const struct cs_cli *cli,
                       const struct cs_command *command)
{
    struct cs_text text = {0};
    size_t i;

    cs_text_printf(&text, "usage: %s\n\n%s\n\n", command->usage,
                   command->about);
    cs_options_help(command->options, &text);
    if (command->more_options)
        cs_options_help(command->more_options, &text);
    cs_text_add(&text, "  --help                this text\n");
    if (command == cs_commands[0]) {
        cs_text_add(&text, "  --version             print the version\n"
                           "\ncommands (collsim NAME --help tells more):\n");
        for (i = 0; i < cs_command_count; i++)
            cs_text_printf(&text, "  %-10s %s\n", cs_commands[i]->name,
                           cs_commands[i]->about);
    }
    if (command->notes)
        cs_text_printf(&text, "\n%s", command->notes);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}

static bool given(int argc, char **argv, const char *flag)
{
    int i;

    for (i = 0; i < argc; i++)
        if (strcmp(argv[i], flag) == 0)
            return true;
    return false;
}

static int find_command(const char *name, const struct cs_command **command,
                        struct cs_err *err)
{
    const char *names[NAMES_MAX];
    const char *near;
    size_t i;

    for (i = 0; i < cs_command_count; i++) {
        names[i] = cs_commands[i]->name;
        *command = cs_commands[i];
        if (strcmp(names[i], name) == 0)
            return 0;
    }
    near = cs_nearest(name, names, cs_command_count);
    if (near)
        return cs_err_set(err, CS_EINPUT,
                          "no command called '%.40s'; did you mean '%s'?", name,
                          near);
    return cs_err_set(err, CS_EINPUT,
                      "no command called '%.40s'; --help lists what there is",
                      name);
}

/* The commands' error codes are the exit status with a minus. */
static int tell(const struct cs_cli *cli, int code, const struct cs_err *err,
                bool json)
{
    struct cs_text text = {0};

    if (code == 0 || err->text[0] == '\0')
        return -code;
    if (json) {
        cs_json_error(err->text, -code, &text);
        fputs(cs_text_str(&text), cli->out);
        cs_text_free(&text);
    } else {
        fprintf(cli->messages, "collsim: %s\n", err->text);
    }
    return -code;
}

/* A full disk or a closed pipe must not look like success. */
static int close_output(const struct cs_cli *cli, int status)
{
    if (fflush(cli->out) == 0 && !ferror(cli->out))
        return status;
    fprintf(cli->messages, "collsim: the output could not be written\n");
    return status ? status : -CS_ECANNOT;
}

static int run_command(const struct cs_cli *cli, int argc, char **argv)
{
    const struct cs_command *command = cs_commands[0];
    struct cs_err err = {0};
    bool json = given(argc, argv, "--json");
    int code = 0;

    if (argc > 0 && argv[0][0] != '-') {
        code = find_command(argv[0], &command, &err);
        argc--;
        argv++;
    }
    if (!code && (given(argc, argv, "--help") || given(argc, argv, "-h"))) {
        print_help(cli, command);
        return 0;
    }
    if (!code && given(argc, argv, "--version")) {
        fprintf(cli->out, "collsim %s\n", CS_VERSION);
        return 0;
    }
    if (!code)
        code = command->run(cli, argc, argv, &err);
    return tell(cli, code, &err, json);
}

int main(int argc, char **argv)
{
    bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    struct cs_cli cli = {
        .out = stdout,
        .messages = stderr,
        .style = colour ? CS_STYLE_COLOUR : CS_STYLE_PLAIN,
        .terminal = isatty(STDERR_FILENO),
        .program = "/proc/self/exe",
    };

    return close_output(&cli, run_command(&cli, argc - 1, argv + 1));
}
