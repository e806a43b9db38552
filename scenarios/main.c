/*
 * collsim: the roof.  Finds the command, runs it, tells errors, exits.
 */
#include "reports/results/json.h"
#include "scenarios/commands/command.h"
#include "scenarios/run/scenario.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct cs_command *const cs_commands[] = {
#define COMMAND(name) &cs_command_##name,
#include "scenarios/commands/commands.def"
#undef COMMAND
};

const size_t cs_command_count = sizeof(cs_commands) / sizeof(*cs_commands);

enum {
    NAMES_MAX = 64
};

static void add_group(const struct cs_command *command,
                      const struct cs_option_group *group, struct cs_text *out)
{
    cs_text_printf(out, "\n%s: %s\n", group->name, group->about);
    cs_options_help(group->options, command->options.refuses, out);
}

/* Whether the command takes none of the group's options. */
static bool is_refused(const struct cs_command *command,
                       const struct cs_option_group *group)
{
    struct cs_text text = {0};
    bool empty;

    cs_options_help(group->options, command->options.refuses, &text);
    empty = text.length == 0;
    cs_text_free(&text);
    return empty;
}

/* A command's own options and the first group; of the others the names. */
static void main_add_options(const struct cs_command *command, bool all,
                             struct cs_text *out)
{
    const struct cs_option_group *const *group = command->options.groups;

    cs_options_help(command->options.own, NULL, out);
    if (group)
        cs_options_help((*group++)->options, command->options.refuses, out);
    cs_text_add(out, "  --help                this text\n");
    if (command == cs_commands[0])
        cs_text_add(out, "  --version             print the version\n");
    if (!group)
        return;
    if (!all)
        cs_text_add(out, "\nmore options (all of them: --help all):\n");
    for (; *group; group++)
        if (is_refused(command, *group))
            continue;
        else if (all)
            add_group(command, *group, out);
        else
            cs_text_printf(out, "  --help %-14s %s\n", (*group)->name,
                           (*group)->about);
}

static void print_help(const struct cs_cli *cli,
                       const struct cs_command *command, bool all)
{
    struct cs_text text = {0};
    size_t i;

    cs_text_printf(&text, "usage: %s\n\n%s\n\n", command->usage,
                   command->about);
    main_add_options(command, all, &text);
    if (command == cs_commands[0]) {
        cs_text_add(&text, "\ncommands (collsim NAME --help tells more):\n");
        for (i = 0; i < cs_command_count; i++)
            cs_text_printf(&text, "  %-10s %s\n", cs_commands[i]->name,
                           cs_commands[i]->about);
    }
    if (command->add_help)
        command->add_help(&text);
    if (command->notes)
        cs_text_printf(&text, "\n%s", command->notes);
    fputs(cs_text_str(&text), cli->out);
    cs_text_free(&text);
}

/* The help of one group. */
static int print_group(const struct cs_cli *cli,
                       const struct cs_command *command, const char *name,
                       struct cs_err *err)
{
    const struct cs_option_group *const *group = command->options.groups;
    const char *names[NAMES_MAX];
    struct cs_text text = {0};
    size_t count = 0;

    for (; group && *group; group++) {
        if (is_refused(command, *group))
            continue;
        names[count++] = (*group)->name;
        if (strcmp((*group)->name, name) == 0) {
            add_group(command, *group, &text);
            fputs(cs_text_str(&text) + 1, cli->out);
            cs_text_free(&text);
            return 0;
        }
    }
    return cs_options_refuse(
        (struct cs_option_names){"group of options", names, count}, name, err);
}

/* Where the flag stands, or argc. */
static int main_place_of(int argc, char **argv, const char *flag)
{
    int i = 0;

    while (i < argc && strcmp(argv[i], flag) != 0)
        i++;
    return i;
}

static bool main_given(int argc, char **argv, const char *flag)
{
    return main_place_of(argc, argv, flag) < argc;
}

/* --help, or --help with the name of a group behind it. */
static int main_help(const struct cs_cli *cli, const struct cs_command *command,
                     int argc, char **argv, struct cs_err *err)
{
    int place = main_place_of(argc, argv, "--help");
    int behind = (place < argc ? place : main_place_of(argc, argv, "-h")) + 1;
    const char *what = behind < argc ? argv[behind] : "-";
    bool all = strcmp(what, "all") == 0;

    if (what[0] != '-' && !all)
        return print_group(cli, command, what, err);
    print_help(cli, command, all);
    return 0;
}

static int find_command(const char *name, const struct cs_command **command,
                        struct cs_err *err)
{
    const char *names[NAMES_MAX];
    size_t i;

    for (i = 0; i < cs_command_count; i++) {
        names[i] = cs_commands[i]->name;
        *command = cs_commands[i];
        if (strcmp(names[i], name) == 0)
            return 0;
    }
    if (cs_scenario_is_machine(name))
        return cs_err_set(err, CS_EINPUT,
                          "no command called '%.40s'; did you mean 'collsim "
                          "--topo %.40s'?",
                          name, name);
    if (cs_algo_find(name, &cs_collective_allreduce))
        return cs_err_set(err, CS_EINPUT,
                          "no command called '%.40s'; did you mean 'collsim "
                          "--algo %.40s'?",
                          name, name);
    return cs_options_refuse(
        (struct cs_option_names){"command", names, cs_command_count}, name,
        err);
}

/* `collsim help`, `help topo`, `help noise`: as --help behind a command. */
static int help_about(const struct cs_cli *cli, const char *name,
                      struct cs_err *err)
{
    const struct cs_command *command = cs_commands[0];
    struct cs_err unknown = {0};
    bool all = name && strcmp(name, "all") == 0;

    if (!name || all || strcmp(name, "help") == 0) {
        print_help(cli, command, all);
        return 0;
    }
    if (!find_command(name, &command, &unknown)) {
        print_help(cli, command, false);
        return 0;
    }
    if (!print_group(cli, cs_commands[0], name, &unknown))
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "no command and no group of options called '%.40s'; "
                      "'collsim help' lists both",
                      name);
}

/* The commands' error codes are the exit status with a minus. */
static int main_report(const struct cs_cli *cli, int code,
                       const struct cs_err *err, bool json)
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

static int print_version(const struct cs_cli *cli)
{
    fprintf(cli->out, "collsim %s\n", CS_VERSION);
    return 0;
}

static int run_command(const struct cs_cli *cli, int argc, char **argv)
{
    const struct cs_command *command = cs_commands[0];
    struct cs_err err = {0};
    bool json = main_given(argc, argv, "--json");
    int code = 0;

    if (argc > 0 && strcmp(argv[0], "help") == 0)
        return main_report(
            cli, help_about(cli, argc > 1 ? argv[1] : NULL, &err), &err, json);
    if (argc > 0 && strcmp(argv[0], "version") == 0)
        return print_version(cli);
    if (argc > 0 && argv[0][0] != '-') {
        code = find_command(argv[0], &command, &err);
        argc--;
        argv++;
    }
    if (!code &&
        (main_given(argc, argv, "--help") || main_given(argc, argv, "-h")))
        return main_report(cli, main_help(cli, command, argc, argv, &err), &err,
                           json);
    if (!code && main_given(argc, argv, "--version"))
        return print_version(cli);
    if (!code)
        code = command->run(cli, argc, argv, &err);
    return main_report(cli, code, &err, json);
}

/* Whether what is on that terminal can be erased and coloured. */
static bool takes_escapes(int file)
{
    const char *term = getenv("TERM");

    return isatty(file) && term && term[0] && strcmp(term, "dumb") != 0;
}

/* A file that is opened must not become the messages' or the output: what was
 * closed leads nowhere, but that the output cannot be written is noticed. */
static void keep_places(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)open("/dev/null", file == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

int main(int argc, char **argv)
{
    const char *no_colour = getenv("NO_COLOR"); /* no-color.org: not empty */
    bool plain = no_colour && no_colour[0];
    struct cs_cli cli = {
        .out = stdout,
        .messages = stderr,
        .style = takes_escapes(STDOUT_FILENO) && !plain ? CS_STYLE_COLOUR
                                                        : CS_STYLE_PLAIN,
        .terminal = takes_escapes(STDERR_FILENO),
        .program = "/proc/self/exe",
    };

    keep_places();
    /* A file that grows beyond a limit is an error as any other. */
    signal(SIGXFSZ, SIG_IGN);
    return close_output(&cli, run_command(&cli, argc - 1, argv + 1));
}
