/*
 * synth: the best schedule for a machine.
 */
#include "reports/results/endings.h"
#include "reports/results/files.h"
#include "scenarios/commands.h"
#include "scenarios/export/write.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/command/best.h"
#include "scenarios/run/machine/machine.h"

#include <math.h>
#include <stdlib.h>

enum {
    FORMATS_MAX = 8
};

/* First the scenario: the target of shared options. */
struct synth_command {
    struct cs_scenario scenario;
#define OPTIONS "scenarios/synth/options.def"
#include "scenarios/options/members.def"
};

static const struct cs_option synth_options[] = {
#define TARGET  struct synth_command
#define OPTIONS "scenarios/synth/options.def"
#include "scenarios/options/entries.def"
};

/* ---- the table ---- */

struct synth_row {
    const struct cs_record *record;
    double healthy_s, loss, bound_loss; /* NAN: no faults; the last of later ones, too */
};

#define RECORD(member) CS_VIA(struct synth_row, record, member)
#define AT(member)     CS_AT(struct synth_row, member)

static double synth_share(const void *row)
{
    return cs_candidates_share(((const struct synth_row *)row)->record);
}

static double synth_time_s(const struct cs_record *record)
{
    return (double)record->time_ps * 1e-12;
}

static double synth_row_time_s(const void *row)
{
    return synth_time_s(((const struct synth_row *)row)->record);
}

static const char *synth_data_flow(const void *row)
{
    const struct cs_record *record = ((const struct synth_row *)row)->record;

    return record->verified == CS_VERIFIED_PROVED ? "verified" : "by collsim check";
}

static const struct cs_sheet_column synth_columns[] = {
    {"bytes", "size", NULL, CS_SHEET_BYTES, RECORD(bytes)},
    {"schedule", "schedule", NULL, CS_SHEET_TEXT, RECORD(algorithm)},
    {"parameters", "parameters", NULL, CS_SHEET_TEXT, RECORD(parameters)},
    {"time_s", "time", NULL, CS_SHEET_SECONDS, .real = synth_row_time_s},
    {"lower_bound_s", "lower", "bound", CS_SHEET_SECONDS, RECORD(lower_bound_s)},
    {"reachable_s", "reach-", "able", CS_SHEET_SECONDS, RECORD(reachable_s)},
    {"share", "of", "it", CS_SHEET_SHARE, .real = synth_share},
    {"algbw_Bps", "algbw", NULL, CS_SHEET_RATE, RECORD(algbw_Bps)},
    {"data_flow", "data flow", NULL, CS_SHEET_TEXT, .text = synth_data_flow},
    {"healthy_s", "without", "faults", CS_SHEET_SECONDS, AT(healthy_s)},
    {"loss", "loss", NULL, CS_SHEET_SHARE, AT(loss)},
    {"bound_loss", "of the", "bound", CS_SHEET_SHARE, AT(bound_loss)},
};

enum {
    FAULT_COLUMNS = 3 /* the last ones */
};

/* ---- schedules ---- */

/* One size of the scenario. */
static struct cs_scenario synth_scenario(const struct cs_scenario *scenario, uint32_t i)
{
    struct cs_scenario one = *scenario;

    one.sizes = &scenario->sizes[i];
    one.size_count = 1;
    return one;
}

/* The share of the rate that is lost between two times. */
static double synth_loss(double healthy_s, double time_s)
{
    return time_s > 0 ? 1 - healthy_s / time_s : 0;
}

/* Faults after the start change routes, so that no bound by the routes is there to compare. */
static bool synth_has_later(const struct cs_faults *faults)
{
    uint32_t i = 0;

    while (i < faults->count && !faults->item[i].at_ps)
        i++;
    return i < faults->count;
}

/* With the chunks of the faster schedule, where the search ended at others. */
static int synth_search_again(const struct cs_cli *cli, const struct cs_scenario *healthy,
                              const struct cs_record *faster, struct cs_best *best,
                              struct cs_err *err)
{
    const char *chunks = cs_record_parameter(faster, "chunks");
    struct cs_scenario same = *healthy;
    struct cs_best found;
    int code;

    if (!chunks || healthy->call.chunks)
        return 0;
    same.call.chunks = (uint32_t)strtoul(chunks, NULL, 10);
    code = cs_best_find(&same, cli->progress, NULL, same.arena, &found, err);
    if (!code && found.record.time_ps < best->record.time_ps)
        *best = found;
    return code;
}

/* The best schedule of the same call without the faults. */
static int synth_compare(const struct cs_cli *cli, const struct cs_scenario *one,
                         struct synth_row *row, struct cs_err *err)
{
    struct cs_scenario healthy = *one;
    struct cs_best best;
    int code;

    healthy.faults.count = 0;
    healthy.written_as = NULL;
    healthy.machines = cs_machines_of_run(&healthy, one->arena);
    code = cs_best_find(&healthy, cli->progress, NULL, one->arena, &best, err);
    if (!code && best.record.time_ps > row->record->time_ps)
        code = synth_search_again(cli, &healthy, row->record, &best, err);
    if (code)
        return code;
    row->healthy_s = synth_time_s(&best.record);
    row->loss = synth_loss(row->healthy_s, synth_time_s(row->record));
    if (!synth_has_later(&one->faults))
        row->bound_loss = synth_loss(best.record.reachable_s, row->record->reachable_s);
    return 0;
}

struct synth_table {
    const struct cs_cli *cli;
    const struct cs_scenario *scenario;
    struct cs_sheet sheet;
    bool noted; /* packed trees: the notes hold for all sizes */
};

static void synth_note(struct synth_table *table, const struct cs_best *best,
                       const struct cs_text *notes)
{
    if (best->scenario.algos[0]->takes_trees && !table->noted) {
        cs_cli_note(table->cli, notes);
        table->noted = true;
    }
    if (best->scenario.left_out)
        fprintf(table->cli->messages, "note: %s\n", best->scenario.left_out);
}

static int synth_size(struct synth_table *table, uint32_t i, struct cs_best *best,
                      struct cs_err *err)
{
    const struct cs_cli *cli = table->cli;
    struct cs_scenario one = synth_scenario(table->scenario, i);
    struct cs_text notes = {0};
    struct synth_row row = {
        .record = &best->record, .healthy_s = NAN, .loss = NAN, .bound_loss = NAN};
    int code = cs_best_find(&one, cli->progress, &notes, one.arena, best, err);

    if (!code)
        synth_note(table, best, &notes);
    cs_text_free(&notes);
    if (!code && one.faults.count)
        code = synth_compare(cli, &one, &row, err);
    if (!code)
        cs_sheet_row(&table->sheet, &row);
    return code;
}

static void synth_print(const struct cs_cli *cli, const struct cs_scenario *scenario,
                        const struct cs_record *record, struct cs_sheet *sheet)
{
    if (scenario->format == CS_FORMAT_TEXT)
        fprintf(cli->out, "best schedules found of %s on %s, %u ranks, %s, model %s\n\n",
                record->collective, record->topology, record->ranks, record->dtype, record->model);
    cs_cli_sheet_end(cli, sheet, scenario->format);
}

/* ---- the command ---- */

/* The exporter by the ending of the file. */
static int synth_exporter(const char *out, const struct cs_exporter **exporter, struct cs_err *err)
{
    const char *names[FORMATS_MAX + 1] = {NULL};
    size_t format = 0;
    int code;

    for (size_t i = 0; i < cs_exporter_count && i < FORMATS_MAX; i++)
        names[i] = cs_exporters[i]->name;
    code = cs_endings_choose("--out", out, names, &format, err);
    if (!code)
        *exporter = cs_exporters[format];
    return code;
}

/* The machine with a slow link is the one to plan for; the text says so to those who run the
 * schedule again. */
static void synth_announce(struct cs_scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->faults.count; i++) {
        struct cs_fault *fault = &scenario->faults.item[i];

        if (!cs_fault_is_hidden(fault))
            continue;
        fault->announced = true;
        fault->text = cs_arena_printf(scenario->arena, "%s:rate=%g%%,announced", fault->where,
                                      100 * fault->rate);
    }
}

static int synth_finish(struct synth_command *command, struct cs_err *err)
{
    struct cs_scenario *scenario = &command->scenario;
    int code = 0;

    if (!scenario->size_count && !scenario->first_bytes && !scenario->last_bytes) {
        scenario->first_bytes = UINT64_C(1) << 10;
        scenario->last_bytes = UINT64_C(1) << 30;
        scenario->factor = scenario->factor ? scenario->factor : 32;
    }
    scenario->algo_names = "synth";
    code = cs_scenario_finish(scenario, err);
    synth_announce(scenario);
    if (!code && scenario->rank_count > 1)
        return cs_err_set(err, CS_EINPUT,
                          "a schedule is for one number of ranks; expected --ranks N");
    if (!code && command->out && scenario->size_count > 1)
        return cs_err_set(err, CS_EINPUT, "--out writes one schedule; expected one --size");
    if (!code && command->out)
        code = synth_exporter(command->out, &scenario->written_as, err);
    return code ? code : cs_files_check_new(command->out, scenario->force, err);
}

static int synth_machine(const struct cs_cli *cli, const struct synth_command *command,
                         struct cs_err *err)
{
    const struct cs_scenario *scenario = &command->scenario;
    struct synth_table table = {.cli = cli, .scenario = scenario};
    struct cs_best best = {.record = {.time_ps = 0}};
    int code = 0;

    cs_sheet_begin(&table.sheet, "schedules", CS_COLUMNS(synth_columns));
    if (!scenario->faults.count)
        table.sheet.column_count -= FAULT_COLUMNS;
    cs_progress_line_open(cli->progress, scenario->format == CS_FORMAT_JSON);
    for (uint32_t i = 0; i < scenario->size_count && !code; i++)
        code = synth_size(&table, i, &best, err);
    cs_progress_line_close(cli->progress);
    if (code) {
        cs_sheet_free(&table.sheet);
        return code;
    }
    synth_print(cli, scenario, &best.record, &table.sheet);
    if (command->out) {
        struct cs_case which = cs_case_of(&best.scenario, 0);

        code = cs_export_case(cli, &which, scenario->written_as, command->out, err);
    }
    return code;
}

static int synth_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct synth_command command = {0};
    int code;

    cs_scenario_init(&command.scenario, &arena);
    command.scenario.machines = cs_machines_create(&command.scenario, &arena);
    code = cs_options_read(cs_command_synth.options, argc, argv, &command, err);
    if (!code)
        code = synth_finish(&command, err);
    if (!code)
        code = synth_machine(cli, &command, err);
    cs_machines_destroy(command.scenario.machines);
    return code;
}

const struct cs_command cs_command_synth = {
    .name = "synth",
    .usage = "collsim synth --topo MACHINE [--collective NAME] [--size SIZES] [OPTION ...]",
    .about = "find the best schedule for a machine, and write it",
    .options = {.own = synth_options,
                .shared = cs_scenario_options,
                .command = CS_FOR_SYNTH,
                .alone = cs_scenario_alone},
    .notes =
        "For each size the least simulated time over all algorithms, packed trees among them,\n"
        "and over numbers of chunks while more of them gain half a percent and the time is above\n"
        "the bound by over 2 %; 1 KiB to 1 GiB by default.  Blocks of an all-to-all take several\n"
        "paths through other ranks (`multipath`).  Servers on CPUs are left out, and\n"
        "with --out what the format cannot hold.  Of more than 128 ranks packed\n"
        "trees alone are simulated.  Trees are packed by a linear program over all trees on the\n"
        "machine's routes; the note says what the best trees attain.  With --fault the schedule\n"
        "is made for the machine with the faults of the start, slow links among them, as if all\n"
        "were announced; beside it the time without faults and the loss of rate, of schedules\n"
        "and of bounds.\n",
    .run = synth_run,
};
