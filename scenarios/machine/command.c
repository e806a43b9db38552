/*
 * topo: show, check and convert a machine.
 */
#include "reports/results/files.h"
#include "scenarios/commands.h"
#include "scenarios/machine/topo_word.h"
#include "sim/base/hint.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

#define WORD(name) extern const struct cs_topo_view cs_topo_word_##name;
#include "scenarios/machine/topo_words.def"
#undef WORD

#define WORD(name) &cs_topo_word_##name,
const struct cs_topo_view *const cs_topo_views[] = {
#include "scenarios/machine/topo_words.def"
};
#undef WORD

enum {
    WORDS = sizeof(cs_topo_views) / sizeof(*cs_topo_views)
};
const size_t cs_topo_view_count = WORDS;

/* ---- options; first the scenario: the target of shared options ---- */

struct cmd_topo_options {
    struct cs_scenario scenario;
    const struct cs_writer *writer;
#define OPTIONS "scenarios/machine/options.def"
#include "scenarios/options/members.def"
};

static int cmd_topo_set_format(void *target, const char *value, struct cs_err *err)
{
    struct cmd_topo_options *given = target;

    return cs_writer_find(value, &given->writer, err);
}

static const struct cs_option topo_options[] = {
#define TARGET  struct cmd_topo_options
#define OPTIONS "scenarios/machine/options.def"
#include "scenarios/options/entries.def"
};

/* ---- shared by the words ---- */

int cs_topo_findings(const struct cs_topo_look *look, struct cs_sheet *sheet, uint64_t count,
                     const char *what, struct cs_err *err)
{
    int code = look->strict && count
                   ? cs_err_set(err, CS_EANSWER, "%llu %s, and --strict was given",
                                (unsigned long long)count, count == 1 ? "finding" : "findings")
                   : 0;

    cs_cli_sheet_until(look->cli, sheet, look->format, code);
    if (look->format == CS_FORMAT_TEXT)
        fprintf(look->cli->out, "%s%llu %s%s\n", sheet->cell_count ? "\n" : "",
                (unsigned long long)count, what,
                count && !look->strict ? " (--strict: exit status 1)" : "");
    cs_sheet_free(sheet);
    return code;
}

/* ---- the command ---- */

static void add_help(struct cs_text *out)
{
    cs_text_add(out, "\nwords:\n");
    for (size_t i = 0; i < WORDS; i++)
        cs_text_printf(out, "  %-10s %s\n", cs_topo_views[i]->name, cs_topo_views[i]->about);
    cs_text_add(out, "\nformats of export:\n");
    for (size_t i = 0; i < cs_writer_count; i++)
        cs_text_printf(out, "  %-10s %s\n", cs_writers[i]->name, cs_writers[i]->about);
}

static int find_word(const char *name, const struct cs_topo_view **word, struct cs_err *err)
{
    const char *names[WORDS];

    for (size_t i = 0; i < WORDS; i++) {
        names[i] = cs_topo_views[i]->name;
        *word = cs_topo_views[i];
        if (cs_same(names[i], name))
            return 0;
    }
    if (cs_scenario_is_machine(name))
        return cs_err_set(err, CS_EINPUT,
                          "topo has no '%.40s'; did you mean 'collsim topo show %.40s'?", name,
                          name);
    return cs_err_set(err, CS_EINPUT, "topo has no '%.40s'%s", name,
                      cs_hint_all(name, names, WORDS).text);
}

/* Options without effect are errors; a host's calls have --json by themselves. */
static int cmd_topo_check_use(const struct cs_cli *cli, const struct cmd_topo_options *given,
                              const struct cs_topo_view *word, struct cs_err *err)
{
    enum cs_format format = given->scenario.format;
    bool is_asked = format == CS_FORMAT_CSV || (format == CS_FORMAT_JSON && cli->program);
    const struct {
        bool given, taken;
        const char *option;
    } options[] = {
        {is_asked, word->has_sheet, format == CS_FORMAT_JSON ? "--json" : "--csv"},
        {given->out != NULL, word->has_out, "--out"},
        {given->writer != NULL, cs_same(word->name, "export"), "--format"},
        {given->strict, word->has_findings, "--strict"},
    };

    for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
        if (options[i].given && !options[i].taken)
            return cs_err_set(err, CS_EINPUT, "'topo %s' does not take %s", word->name,
                              options[i].option);
    return cs_files_check_new(given->out, given->scenario.force, err);
}

/* topo shows the machine at time 0. */
static int check_faults(const struct cs_faults *faults, struct cs_err *err)
{
    for (uint32_t i = 0; i < faults->count; i++)
        if (faults->item[i].at_ps)
            return cs_err_set(err, CS_EINPUT,
                              "--fault %.200s: topo shows a machine without time; leave '@' out",
                              faults->item[i].text);
    return 0;
}

static int cmd_topo_open_machine(const struct cmd_topo_options *given, struct cs_topo_look *look,
                                 struct cs_err *err)
{
    const struct cs_scenario *scenario = &given->scenario;
    struct cs_topo_request request = {.spec = scenario->topo,
                                      .ranks = given->ranks,
                                      .platform = scenario->machine.platform,
                                      .gpu = scenario->machine.gpu,
                                      .hosts = scenario->machine.hosts};
    int code = cs_topo_open(&request, look->graph, look->arena, err);

    if (!code)
        code = check_faults(&scenario->faults, err);
    if (!code && scenario->faults.count)
        code = cs_faults_apply(scenario->faults.item, scenario->faults.count, 0, look->graph, err);
    if (!code)
        cs_lower(look->graph, look->net, look->arena);
    return code;
}

static void topo_report_notes(const struct cs_topo_look *look)
{
    for (uint32_t i = 0; i < look->graph->note_count; i++)
        fprintf(look->cli->messages, "note: %s\n", look->graph->notes[i]);
}

static int topo_look_at(const struct cs_cli *cli, const struct cmd_topo_options *given,
                        const struct cs_topo_view *word, struct cs_err *err)
{
    struct cs_graph graph;
    struct cs_net net;
    struct cs_topo_look look = {.cli = cli,
                                .arena = given->scenario.arena,
                                .graph = &graph,
                                .net = &net,
                                .format = given->scenario.format,
                                .writer = given->writer,
                                .out = given->out,
                                .strict = given->strict,
                                .named = given->scenario.cluster.topo_named};
    int code = cmd_topo_open_machine(given, &look, err);

    if (code)
        return code;
    topo_report_notes(&look);
    return word->run(&look, err);
}

static int topo_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    bool has_word = argc > 0 && argv[0][0] != '-';
    bool has_machine = has_word && argc > 1 && (argv[1][0] != '-' || !argv[1][1]);
    int named = has_word + has_machine;
    const char *named_topo;
    const struct cs_topo_view *word = cs_topo_views[0];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cmd_topo_options given = {0};
    int code = has_word ? find_word(argv[0], &word, err) : 0;

    cs_scenario_init(&given.scenario, &arena);
    if (!code && has_machine)
        code = cs_set_topo(&given, argv[1], err);
    named_topo = given.scenario.topo;
    if (!code)
        code = cs_options_read(cs_command_topo.options, argc - named, argv + named, &given, err);
    if (!code && has_machine && !cs_same(given.scenario.topo, named_topo))
        code = cs_err_set(err, CS_EINPUT, "two machines, '%.200s' and '%.200s'; name one",
                          cs_topo_shown(named_topo), cs_topo_shown(given.scenario.topo));
    if (!code)
        cs_cluster_finish(&given.scenario);
    if (!code)
        code = cmd_topo_check_use(cli, &given, word, err);
    if (!code)
        code = topo_look_at(cli, &given, word, err);
    return code;
}

const struct cs_command cs_command_topo = {
    .name = "topo",
    .usage = "collsim topo [WORD [MACHINE]] [--topo MACHINE] [OPTION ...]",
    .about = "show, check and convert a machine",
    .options = {.own = topo_options, .shared = cs_scenario_options, .command = CS_FOR_TOPO},
    .add_help = add_help,
    .run = topo_run,
};
