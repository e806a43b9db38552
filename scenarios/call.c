#include "scenarios/call.h"

#include "reports/results/json.h"
#include "scenarios/commands.h"
#include "scenarios/help.h"
#include "scenarios/run/request/scenario.h"
#include "sim/base/hint.h"

#include <stdlib.h>
#include <string.h>

enum {
    NAMES_MAX = 64,
    OWNERS_MAX = 3, /* of an option, in a message */
};

static void print_help(const struct cs_cli *cli, const struct cs_command *command,
                       enum cs_help_extent extent)
{
    struct cs_text text = {0};

    cs_help_command(command, extent, &text);
    cs_cli_text(cli, &text);
}

/* `--help GROUP`. */
static int print_group(const struct cs_cli *cli, const struct cs_command *command, const char *name,
                       struct cs_err *err)
{
    struct cs_text text = {0};
    int code = cs_help_group(command, name, &text, err);

    cs_cli_text(cli, &text);
    return code;
}

/* The index of the flag, or argc. */
static int call_place_of(int argc, char **argv, const char *flag)
{
    int i = 0;

    while (i < argc && strcmp(argv[i], flag) != 0)
        i++;
    return i;
}

bool cs_call_given(int argc, char **argv, const char *flag)
{
    return call_place_of(argc, argv, flag) < argc;
}

static int print_program(const struct cs_cli *cli)
{
    struct cs_text text = {0};

    cs_help_program(&text);
    cs_cli_text(cli, &text);
    return 0;
}

/* `--help` or `--help GROUP`; a command of NULL: none was named. */
static int call_help(const struct cs_cli *cli, const struct cs_command *command, int argc,
                     char **argv, struct cs_err *err)
{
    const struct cs_command *of = command ? command : cs_commands[0];
    int place = call_place_of(argc, argv, "--help");
    int behind = (place < argc ? place : call_place_of(argc, argv, "-h")) + 1;
    const char *what = behind < argc ? argv[behind] : "-";
    bool all = strcmp(what, "all") == 0;

    if (what[0] != '-' && !all)
        return print_group(cli, of, what, err);
    if (!command && !all)
        return print_program(cli);
    print_help(cli, of, all ? CS_HELP_ALL : CS_HELP_SCREEN);
    return 0;
}

int cs_call_find(const char *name, const struct cs_command **command, struct cs_err *err)
{
    const char *names[NAMES_MAX];

    for (size_t i = 0; i < cs_command_count; i++) {
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

const struct cs_option *cs_call_option(const struct cs_command *command, const char *word)
{
    const struct cs_option_tables *tables = &command->options;
    const struct cs_option *option = option_in(tables->own, word);
    const struct cs_option *shared = option_in(tables->shared, word);

    if (!option)
        option = option_in(tables->also, word);
    return option || !shared || !cs_options_takes(*tables, shared) ? option : shared;
}

/* The commands that take an option of this name, "'collsim plan', 'collsim train'"; its
 * long name, NULL where none does. */
static const char *option_owners(const char *word, struct cs_text *owners)
{
    const struct cs_option *option = NULL;
    int count = 0;

    for (size_t i = 0; i < cs_command_count; i++) {
        const struct cs_option *own = cs_call_option(cs_commands[i], word);

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
        CS_AT_END(cs_text_free) struct cs_text owners = {0};
        const char *name = NULL, *here = NULL;

        if (strncmp(argv[i], "--", 2) == 0 && !cs_options_know(command->options, argv[i], &here))
            name = option_owners(argv[i], &owners);
        if (name)
            code =
                cs_err_set(err, CS_EINPUT, "unknown option '--%s' here; an option of %s%s%s", name,
                           cs_text_str(&owners), here ? "; expected --" : "", here ? here : "");
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
    cs_cli_text(cli, &text);
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
    if (!cs_call_find(name, &command, &unknown)) {
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

static void report_error(const struct cs_cli *cli, int code, const struct cs_err *err, bool json)
{
    struct cs_text text = {0};

    if (code == 0 || err->text[0] == '\0')
        return;
    if (!json) {
        fprintf(cli->messages, "collsim: %s\n", err->text);
        return;
    }
    cs_json_error(err->text, -code, &text);
    cs_cli_text(cli, &text);
}

static int print_version(const struct cs_cli *cli)
{
    fprintf(cli->out, "collsim %s\n", CS_VERSION);
    return 0;
}

/* Prints a command's document, of whose members a failure is the first. */
static void print_document(const struct cs_cli *cli, const char *document, size_t length, int code,
                           const struct cs_err *err)
{
    static const char begin[] = "{\n", end[] = "\n}\n";
    const size_t skipped = sizeof(begin) - 1;
    CS_AT_END(cs_text_free) struct cs_text error = {0};

    if (length <= skipped || strncmp(document, begin, skipped) != 0) {
        fwrite(document, 1, length, cli->out);
        report_error(cli, code, err, true);
        return;
    }
    if (code && err->text[0]) {
        cs_json_error(err->text, -code, &error);
        fprintf(cli->out, "%.*s,\n", (int)(error.length - (sizeof(end) - 1)), error.data);
        document += skipped;
        length -= skipped;
    }
    fwrite(document, 1, length, cli->out);
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

/* Runs the command, and reports its failure. */
static int run_command(const struct cs_cli *cli, const struct cs_command *command, int argc,
                       char **argv, struct cs_err *err)
{
    bool json = cs_call_given(argc, argv, "--json");
    int code = check_owners(command, argc, argv, err);

    if (!code && command->starts_processes && !cli->program)
        code = cs_err_set(err, CS_ECANNOT, "%s starts processes: 'collsim %s' alone runs it",
                          command->name, command->name);
    if (!code && json)
        return run_to_document(cli, command, argc, argv, err);
    if (!code)
        code = command->run(cli, argc, argv, err);
    report_error(cli, code, err, json);
    return code;
}

int cs_call(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    const struct cs_command *command = cs_commands[0];
    bool json = cs_call_given(argc, argv, "--json");
    bool is_named = argc > 0 && argv[0][0] != '-';
    int code = 0;

    if (argc > 0 && strcmp(argv[0], "help") == 0) {
        code = help_about(cli, argc > 1 ? argv[1] : NULL, err);
        report_error(cli, code, err, json);
        return -code;
    }
    if (argc > 0 && strcmp(argv[0], "version") == 0)
        return print_version(cli);
    if (is_named) {
        code = cs_call_find(argv[0], &command, err);
        argc--;
        argv++;
    }
    if (!code && (cs_call_given(argc, argv, "--help") || cs_call_given(argc, argv, "-h")))
        code = call_help(cli, is_named ? command : NULL, argc, argv, err);
    else if (!code && cs_call_given(argc, argv, "--version"))
        return print_version(cli);
    else if (!code)
        return -run_command(cli, command, argc, argv, err);
    report_error(cli, code, err, json);
    return -code;
}
