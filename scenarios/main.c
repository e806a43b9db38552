/*
 * collsim: finds the command, runs it, prints errors, exits.
 */
#include "reports/results/json.h"
#include "scenarios/commands.h"
#include "scenarios/help.h"
#include "scenarios/run/request/scenario.h"
#include "sim/base/hint.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    NAMES_MAX = 64,
    OWNERS_MAX = 3, /* of an option, in a message */
};

static void main_print(const struct cs_cli *cli, struct cs_text *text)
{
    fputs(cs_text_str(text), cli->out);
    cs_text_free(text);
}

static void print_help(const struct cs_cli *cli, const struct cs_command *command,
                       enum cs_help_extent extent)
{
    struct cs_text text = {0};

    cs_help_command(command, extent, &text);
    main_print(cli, &text);
}

/* `--help GROUP`. */
static int print_group(const struct cs_cli *cli, const struct cs_command *command, const char *name,
                       struct cs_err *err)
{
    struct cs_text text = {0};
    int code = cs_help_group(command, name, &text, err);

    main_print(cli, &text);
    return code;
}

/* The index of the flag, or argc. */
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

static int print_program(const struct cs_cli *cli)
{
    struct cs_text text = {0};

    cs_help_program(&text);
    main_print(cli, &text);
    return 0;
}

/* `--help` or `--help GROUP`; a command of NULL: none was named. */
static int main_help(const struct cs_cli *cli, const struct cs_command *command, int argc,
                     char **argv, struct cs_err *err)
{
    const struct cs_command *of = command ? command : cs_commands[0];
    int place = main_place_of(argc, argv, "--help");
    int behind = (place < argc ? place : main_place_of(argc, argv, "-h")) + 1;
    const char *what = behind < argc ? argv[behind] : "-";
    bool all = strcmp(what, "all") == 0;

    if (what[0] != '-' && !all)
        return print_group(cli, of, what, err);
    if (!command && !all)
        return print_program(cli);
    print_help(cli, of, all ? CS_HELP_ALL : CS_HELP_SCREEN);
    return 0;
}

static int find_command(const char *name, const struct cs_command **command, struct cs_err *err)
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
                          "no command called '%.40s'; did you mean 'collsim --topo %.40s'?", name,
                          name);
    if (cs_algo_find(name, &cs_collective_allreduce))
        return cs_err_set(err, CS_EINPUT,
                          "no command called '%.40s'; did you mean 'collsim --algo %.40s'?", name,
                          name);
    return cs_options_refuse((struct cs_option_names){"command", names, cs_command_count}, name,
                             err);
}

static const struct cs_option *option_in(const struct cs_option *table, const char *word)
{
    for (; table && !cs_option_is_end(table); table++)
        if (cs_options_is(table, word))
            return table;
    return NULL;
}

/* The commands with an option of their own of this name, "'collsim plan',
 * 'collsim train'"; its long name, NULL where none has it. */
static const char *option_owners(const char *word, struct cs_text *owners)
{
    const struct cs_option *option = NULL;
    int count = 0;

    for (size_t i = 0; i < cs_command_count; i++) {
        const struct cs_option *own = option_in(cs_commands[i]->options.own, word);

        if (!own)
            continue;
        if (++count <= OWNERS_MAX)
            cs_text_printf(owners, "%s'collsim %s'", option ? ", " : "", cs_commands[i]->name);
        option = own;
    }
    if (count > OWNERS_MAX)
        cs_text_add(owners, ", ...");
    return option ? option->name : NULL;
}

/* Refuses the name of an option that only other commands have. */
static int check_owners(const struct cs_command *command, int argc, char **argv, struct cs_err *err)
{
    int code = 0;

    for (int i = 0; i < argc && !code; i++) {
        struct cs_text owners = {0};
        const char *name = NULL, *here = NULL;

        if (strncmp(argv[i], "--", 2) == 0 && !cs_options_know(command->options, argv[i], &here))
            name = option_owners(argv[i], &owners);
        if (name)
            code =
                cs_err_set(err, CS_EINPUT, "unknown option '--%s' here; an option of %s%s%s", name,
                           cs_text_str(&owners), here ? "; expected --" : "", here ? here : "");
        cs_text_free(&owners);
    }
    return code;
}

/* Sections of the man page and of the completion, for the build. */
static bool help_for_build(const struct cs_cli *cli, const char *name)
{
    struct cs_text text = {0};

    if (cs_same(name, "man"))
        cs_help_manual(&text);
    else if (cs_same(name, "synopsis"))
        cs_help_synopsis(&text);
    else if (cs_same(name, "bash"))
        cs_help_completion(&text);
    else
        return false;
    main_print(cli, &text);
    return true;
}

/* `collsim help`, `help COMMAND`, `help GROUP`: the same as --help. */
static int help_about(const struct cs_cli *cli, const char *name, struct cs_err *err)
{
    const struct cs_command *command = cs_commands[0];
    const char *names[NAMES_MAX];
    struct cs_err unknown = {0};
    bool all = name && strcmp(name, "all") == 0;

    if (!name || strcmp(name, "help") == 0)
        return print_program(cli);
    if (all) {
        print_help(cli, command, CS_HELP_ALL);
        return 0;
    }
    if (help_for_build(cli, name))
        return 0;
    if (!find_command(name, &command, &unknown)) {
        print_help(cli, command, CS_HELP_SCREEN);
        return 0;
    }
    if (!print_group(cli, cs_commands[0], name, &unknown))
        return 0;
    for (size_t i = 0; i < cs_command_count; i++)
        names[i] = cs_commands[i]->name;
    return cs_err_set(err, CS_EINPUT, "no command or group of options called '%.40s'%s", name,
                      cs_hint(name, names, cs_command_count, "'collsim help' lists both").text);
}

/* The exit status is the negated error code. */
static int main_report(const struct cs_cli *cli, int code, const struct cs_err *err, bool json)
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
    fprintf(cli->messages, "collsim: cannot write the output\n");
    return status ? status : -CS_ECANNOT;
}

static int print_version(const struct cs_cli *cli)
{
    fprintf(cli->out, "collsim %s\n", CS_VERSION);
    return 0;
}

/* Prints a command's document, of whose members a failure is the first. */
static void print_document(const struct cs_cli *cli, const char *document, size_t length, int code,
                           struct cs_err *err)
{
    static const char begin[] = "{\n", end[] = "\n}\n";
    const size_t skipped = sizeof(begin) - 1;
    struct cs_text error = {0};

    if (code && err->text[0] && length > skipped && !strncmp(document, begin, skipped)) {
        cs_json_error(err->text, -code, &error);
        fprintf(cli->out, "%.*s,\n", (int)(error.length - (sizeof(end) - 1)), error.data);
        err->text[0] = '\0';
        document += skipped;
        length -= skipped;
    }
    fwrite(document, 1, length, cli->out);
    cs_text_free(&error);
}

/* Runs a command whose output is one document, also where it fails behind it. */
static int run_to_document(const struct cs_cli *cli, const struct cs_command *command, int argc,
                           char **argv, struct cs_err *err)
{
    struct cs_cli held = *cli;
    char *document = NULL;
    size_t length = 0;
    int code;

    held.out = open_memstream(&document, &length);
    if (!held.out)
        return cs_err_set(err, CS_ECANNOT, "no memory for the output");
    code = command->run(&held, argc, argv, err);
    (void)fclose(held.out);
    print_document(cli, document, length, code, err);
    free(document);
    return code;
}

static int run_command(const struct cs_cli *cli, int argc, char **argv)
{
    const struct cs_command *command = cs_commands[0];
    struct cs_err err = {0};
    bool json = main_given(argc, argv, "--json");
    bool is_named = argc > 0 && argv[0][0] != '-';
    int code = 0;

    if (argc > 0 && strcmp(argv[0], "help") == 0)
        return main_report(cli, help_about(cli, argc > 1 ? argv[1] : NULL, &err), &err, json);
    if (argc > 0 && strcmp(argv[0], "version") == 0)
        return print_version(cli);
    if (is_named) {
        code = find_command(argv[0], &command, &err);
        argc--;
        argv++;
    }
    if (!code && (main_given(argc, argv, "--help") || main_given(argc, argv, "-h")))
        return main_report(cli, main_help(cli, is_named ? command : NULL, argc, argv, &err), &err,
                           json);
    if (!code && main_given(argc, argv, "--version"))
        return print_version(cli);
    if (!code)
        code = check_owners(command, argc, argv, &err);
    if (!code)
        code = json ? run_to_document(cli, command, argc, argv, &err)
                    : command->run(cli, argc, argv, &err);
    return main_report(cli, code, &err, json);
}

/* Whether the file is a terminal that takes escape sequences. */
static bool takes_escapes(int file)
{
    const char *term = getenv("TERM");

    return isatty(file) && term && term[0] && strcmp(term, "dumb") != 0;
}

/* With a standard stream closed, the next file opened, say a database, would
 * take its number and receive the messages.  /dev/null takes the number instead;
 * read-only for the output, so that lost output is still an error. */
static void keep_places(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            (void)open("/dev/null", file == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

int main(int argc, char **argv)
{
    const char *no_colour = getenv("NO_COLOR"); /* no-color.org: any value but an empty string */
    bool plain = no_colour && no_colour[0];
    struct cs_cli cli = {
        .out = stdout,
        .messages = stderr,
        .style = takes_escapes(STDOUT_FILENO) && !plain ? CS_STYLE_COLOUR : CS_STYLE_PLAIN,
        .terminal = takes_escapes(STDERR_FILENO),
        .program = "/proc/self/exe",
    };
    struct cs_progress_line progress = {
        .messages = cli.messages,
        .terminal = cli.terminal,
        .is_json = main_given(argc, argv, "--json"),
    };
    int status;

    keep_places();
    /* Exceeding a file size limit is a write error, not a signal. */
    signal(SIGXFSZ, SIG_IGN);
    cli.progress = &progress;
    cs_progress_line_listen(&progress);
    status = run_command(&cli, argc - 1, argv + 1);
    cs_progress_line_leave(&progress);
    return close_output(&cli, status);
}
