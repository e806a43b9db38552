/*
 * run: simulate every combination of algorithms, sizes and rank counts.
 */
#include "reports/results/csv.h"
#include "reports/results/json.h"
#include "reports/results/listing.h"
#include "reports/results/records.h"
#include "reports/results/runs_table.h"
#include "reports/results/store.h"
#include "scenarios/commands/candidates.h"
#include "scenarios/commands/command.h"
#include "scenarios/commands/library_runs.h"
#include "scenarios/run/finish.h"
#include "scenarios/run/machine.h"
#include "scenarios/run/memory.h"
#include "scenarios/run/simulate.h"
#include "scenarios/run/timeline.h"
#include "scenarios/run/what_if.h"
#include "sim/base/units.h"

#include <string.h>

struct runner {
    const struct cs_cli *cli;
    struct cs_scenario scenario;
    struct cs_store *store; /* NULL without --db */
    struct cs_records records;
    /* With auto: the second fastest algorithm of each record; without a name:
     * none. */
    struct cs_candidate *seconds; /* by record, in the arena */
    struct cs_candidates group;   /* runs that differ in the algorithm only */
    uint64_t done;
    uint64_t total;
    uint64_t known;    /* runs found in the database */
    uint64_t refusals; /* algorithms that do not run on the machine */
    struct cs_progress_line display;
    struct cs_text reported; /* skipped algorithms, a name per line */
    struct cs_err refused;   /* the first refusal of a listed algorithm */
    struct cs_text noted;    /* printed notes, a note per line */
};

static void name_run(struct runner *runner, const struct cs_case *which)
{
    struct cs_text *what = &runner->display.what;
    char size[CS_UNITS_TEXT];

    cs_text_free(what);
    if (runner->total > 1)
        cs_text_printf(what,
                       "run %llu of %llu: ", (unsigned long long)runner->done,
                       (unsigned long long)runner->total);
    cs_text_printf(what, "%s, %s", which->algo->name,
                   cs_units_show_bytes(size, which->bytes));
}

/* The reason for skipping an algorithm is printed once, not for every size. */
static bool was_reported(struct runner *runner, const struct cs_algo *algo)
{
    char name[64];

    snprintf(name, sizeof(name), "\n%s\n", algo->name);
    if (strstr(cs_text_str(&runner->reported), name))
        return true;
    cs_text_add(&runner->reported, name);
    return false;
}

/* Prints each distinct note once in a sweep. */
static void run_report_notes(struct runner *runner, struct cs_text *notes)
{
    const char *line = cs_text_str(notes);
    size_t length;

    for (; *line; line += length + 1) {
        struct cs_text whole = {0};

        length = strcspn(line, "\n");
        cs_text_printf(&whole, "\n%.*s\n", (int)length, line);
        if (!strstr(cs_text_str(&runner->noted), cs_text_str(&whole))) {
            cs_progress_line_clear(&runner->display);
            fprintf(runner->cli->messages, "note: %.*s\n", (int)length, line);
            cs_text_add(&runner->noted, cs_text_str(&whole));
        }
        cs_text_free(&whole);
    }
    cs_text_free(notes);
}

/* In a sweep of several algorithms the message names the algorithm, if the
 * refusal does not begin with the name. */
static void name_refused(const struct cs_case *which, struct cs_err *err)
{
    const char *name = which->algo->name;

    if (strncmp(err->text, name, strlen(name)) != 0)
        cs_err_prefix(err, "%s", name);
}

/* The other algorithms of a list still run; the first refusal is the error of the
 * command, further refusals are printed at once. */
static int cmd_run_keep_refused(struct runner *runner,
                                const struct cs_case *which, struct cs_err *err)
{
    bool is_known = was_reported(runner, which->algo);

    name_refused(which, err);
    if (!runner->refused.code) {
        runner->refused = *err;
    } else if (!is_known) {
        cs_progress_line_clear(&runner->display);
        fprintf(runner->cli->messages, "collsim: %s\n", err->text);
    }
    *err = (struct cs_err){0};
    return 0;
}

/* An algorithm that cannot run is an error if named by the user, and skipped
 * with --algo all or auto. */
static int cmd_run_refused(struct runner *runner, const struct cs_case *which,
                           struct cs_err *err)
{
    runner->refusals++;
    if (runner->scenario.choice == CS_CHOICE_NAMED)
        return runner->scenario.algo_count < 2
                   ? err->code
                   : cmd_run_keep_refused(runner, which, err);
    if (was_reported(runner, which->algo)) {
        *err = (struct cs_err){0};
        return 0;
    }
    cs_progress_line_clear(&runner->display);
    fprintf(runner->cli->messages, "collsim: skipped %s: %s\n",
            which->algo->name, err->text);
    *err = (struct cs_err){0};
    return 0;
}

/* A cs_known_fn: adds the record of the database to the group. */
static int cmd_run_look_up(void *ctx, const struct cs_record *query,
                           bool *known, struct cs_err *err)
{
    struct runner *runner = ctx;
    struct cs_records *records = &runner->group.records;
    size_t before = records->count;
    int code = cs_store_find(runner->store, query, records, err);

    *known = records->count > before;
    runner->known += *known;
    return code;
}

/* The database has no memory curves, times of ranks or concurrent jobs: such
 * runs are always simulated. */
static bool may_be_known(const struct runner *runner)
{
    const struct cs_scenario *scenario = &runner->scenario;

    return runner->store && !scenario->memory && !scenario->trace &&
           !scenario->per_rank;
}

static void cmd_run_report_known(struct runner *runner)
{
    if (runner->known == 0)
        return;
    cs_progress_line_clear(&runner->display);
    fprintf(runner->cli->messages,
            "note: '%s' has %llu of %llu runs; known runs are not repeated\n",
            runner->scenario.db, (unsigned long long)runner->known,
            (unsigned long long)(runner->total - runner->refusals));
}

/* `auto` shows the two fastest algorithms of a group: slower runs end early,
 * unless a database keeps the runs. */
static bool cmd_run_may_end(const struct runner *runner)
{
    return runner->scenario.choice == CS_CHOICE_AUTO && !runner->store &&
           !runner->scenario.memory && !runner->scenario.trace;
}

/* The record of a finished run is the last of the group, or is added. */
static int cmd_run_finished(struct runner *runner, const struct cs_case *which,
                            const struct cs_record *record, struct cs_err *err)
{
    struct cs_memory_account account = {record, which->memory, NULL};
    int code = 0;

    if (which->memory)
        code = cs_memory_write(&runner->scenario, &account, err);
    if (!code && which->timeline)
        code = cs_run_timeline_write(&runner->scenario, record, which->timeline,
                                     err);
    if (!code && runner->store)
        code = cs_store_put(runner->store, record, err);
    if (!code)
        cs_records_add(&runner->group.records, record);
    return code;
}

static uint32_t cmd_run_number(const struct runner *runner,
                               const struct cs_case *which)
{
    uint32_t i = 0;

    while (runner->scenario.algos[i] != which->algo)
        i++;
    return i;
}

/* Adds the run to the group, as `result` of cs_simulate says. */
static int cmd_run_add(struct runner *runner, const struct cs_case *which,
                       const struct cs_record *record, int result,
                       struct cs_err *err)
{
    struct cs_candidate candidate = {.state = CS_CANDIDATE_DONE,
                                     .number = cmd_run_number(runner, which),
                                     .name = which->algo->name};

    if (result == CS_SIMULATE_REFUSED)
        return cmd_run_refused(runner, which, err);
    if (result == 0)
        result = cmd_run_finished(runner, which, record, err);
    if (result < 0)
        return result;
    if (result == CS_SIMULATE_LATER) {
        candidate.state = CS_CANDIDATE_LATER;
        candidate.messages = record->messages;
    } else if (result == CS_SIMULATE_SLOWER) {
        candidate.state = CS_CANDIDATE_SLOWER;
        candidate.time_ps = record->time_ps;
    } else {
        candidate.record = runner->group.records.count - 1;
        candidate.time_ps =
            runner->group.records.items[candidate.record].time_ps;
    }
    cs_candidates_add(&runner->group, candidate);
    return 0;
}

/* A large program is set aside the first time. */
static int cmd_run_case(struct runner *runner, const struct cs_case *which,
                        bool is_large, struct cs_err *err)
{
    const struct cs_known known = {cmd_run_look_up, runner};
    struct cs_arena arena = {0};
    struct cs_text notes = {0};
    struct cs_case noted = *which;
    struct cs_record record;
    struct cs_memory_curve memory;
    struct cs_run_timeline timeline = {0};
    int code;

    runner->done++;
    name_run(runner, which);
    noted.notes = &notes;
    noted.display = &runner->display;
    noted.memory = runner->scenario.memory ? &memory : NULL;
    noted.timeline = runner->scenario.trace ? &timeline : NULL;
    noted.known = may_be_known(runner) ? &known : NULL;
    if (cmd_run_may_end(runner)) {
        noted.limit_ps = cs_candidates_limit_ps(&runner->group, is_large);
        noted.messages_max = is_large ? 0 : CS_CANDIDATES_SMALL;
    }
    code = cs_simulate(&noted, &arena, &record, err);
    if (code == CS_SIMULATE_LATER) {
        runner->done--;
        cs_text_free(&notes);
    }
    run_report_notes(runner, &notes);
    code = cmd_run_add(runner, &noted, &record, code, err);
    cs_run_timeline_free(&timeline);
    cs_arena_free(&arena);
    return code;
}

/* Moves the group to the output: every record, or with auto the fastest. */
static void keep_group(struct runner *runner)
{
    const struct cs_candidates *group = &runner->group;
    const struct cs_candidate *best = cs_candidates_best(group);
    const struct cs_candidate *second = cs_candidates_second(group);
    size_t i;

    if (runner->scenario.choice != CS_CHOICE_AUTO) {
        for (i = 0; i < group->records.count; i++)
            cs_records_add(&runner->records, &group->records.items[i]);
    } else if (best) {
        if (second)
            runner->seconds[runner->records.count] = *second;
        cs_records_add(&runner->records, &group->records.items[best->record]);
    }
    cs_candidates_free(&runner->group);
}

/* The runs from number `first` on that differ in the algorithm only. */
static int cmd_run_group(struct runner *runner, uint64_t first,
                         struct cs_err *err)
{
    const struct cs_scenario *scenario = &runner->scenario;
    const struct cs_candidate *later;
    uint64_t i;
    int code = 0;

    for (i = 0; i < scenario->algo_count && !code; i++) {
        struct cs_case which = cs_case_of(scenario, first + i);

        code = cmd_run_case(runner, &which, false, err);
        if (runner->group.records.count > 0)
            cs_progress_line_keep(&runner->display);
    }
    while (!code && (later = cs_candidates_later(&runner->group))) {
        struct cs_case which = cs_case_of(scenario, first + later->number);

        code = cmd_run_case(runner, &which, true, err);
    }
    keep_group(runner);
    return code;
}

static int cmd_run_cases(struct runner *runner, struct cs_err *err)
{
    const struct cs_scenario *scenario = &runner->scenario;
    uint64_t algos = scenario->algo_count;
    uint64_t i;
    int code = 0;

    cs_progress_line_open(&runner->display);
    if (scenario->format == CS_FORMAT_JSON)
        cs_progress_line_keep(
            &runner->display); /* progress would break the document */
    runner->total = cs_case_count(scenario);
    runner->seconds = cs_arena_alloc(scenario->arena, runner->total / algos,
                                     sizeof(*runner->seconds));
    for (i = 0; i < runner->total && !code; i += algos)
        code = cmd_run_group(runner, i, err);
    cmd_run_report_known(runner);
    cs_progress_line_close(&runner->display);
    return code;
}

static void print_text(const struct runner *runner, struct cs_text *out)
{
    const struct cs_records *records = &runner->records;

    if (runner->scenario.choice == CS_CHOICE_AUTO)
        cs_candidates_table(&runner->records, runner->seconds,
                            runner->cli->style, out);
    if (records->count == 1)
        cs_listing_write(&records->items[0], runner->cli->style, out);
    else if (runner->scenario.choice != CS_CHOICE_AUTO)
        cs_runs_table_write(records->items, records->count, runner->cli->style,
                            out);
}

static void print_records(const struct runner *runner)
{
    const struct cs_records *records = &runner->records;
    struct cs_text text = {0};

    if (runner->scenario.format == CS_FORMAT_JSON)
        cs_json_records(records->items, records->count, &text);
    else if (runner->scenario.format == CS_FORMAT_CSV)
        cs_csv_records(records->items, records->count, &text);
    else
        print_text(runner, &text);
    fputs(cs_text_str(&text), runner->cli->out);
    cs_text_free(&text);
}

/* JSON output is a single document: the error is part of it, so that main
 * prints no other. */
static void print_broken(const struct runner *runner, int code,
                         struct cs_err *err)
{
    struct cs_text text = {0};

    cs_json_broken(err->text, -code, runner->records.items,
                   runner->records.count, &text);
    fputs(cs_text_str(&text), runner->cli->out);
    cs_text_free(&text);
    err->text[0] = '\0';
}

/* The table of --what-if has a single baseline. */
static int run_what_if(const struct runner *runner, struct cs_err *err)
{
    struct cs_case which = cs_case_of(&runner->scenario, 0);
    struct cs_store *store = NULL;
    int code = 0;

    if (cs_case_count(&runner->scenario) > 1)
        return cs_err_set(err, CS_EINPUT,
                          "--what-if requires a single run; found a list");
    if (runner->scenario.db)
        code = cs_store_open(runner->scenario.db, CS_STORE_CREATE, &store, err);
    if (!code)
        code = cs_what_if(runner->cli, &which, store, err);
    cs_store_close(store);
    return code;
}

static int run_library(struct runner *runner, struct cs_err *err)
{
    struct cs_text notes = {0};
    const struct cs_library_runs runs = {.scenario = &runner->scenario,
                                         .store = runner->store,
                                         .records = &runner->records,
                                         .notes = &notes};
    int code = cs_library_runs(&runs, err);

    run_report_notes(runner, &notes);
    return code;
}

static int cmd_run_all(struct runner *runner, struct cs_err *err)
{
    int code = cs_scenario_finish(&runner->scenario, err);

    if (!code)
        code = cs_memory_check(&runner->scenario, err);
    if (!code)
        code = cs_run_timeline_check(&runner->scenario, err);
    if (!code && runner->scenario.what_if)
        return run_what_if(runner, err);
    if (!code && runner->scenario.db)
        code = cs_store_open(runner->scenario.db, CS_STORE_CREATE,
                             &runner->store, err);
    if (!code)
        code = runner->scenario.by.library ? run_library(runner, err)
                                           : cmd_run_cases(runner, err);
    if (!code && runner->refused.code) {
        *err = runner->refused;
        code = err->code;
    }
    if (!code && runner->records.count == 0)
        code = cs_err_set(err, CS_EINPUT,
                          "no algorithm can run; see the messages above");
    /* Finished runs are printed even after an error. */
    if (code && runner->records.count &&
        runner->scenario.format == CS_FORMAT_JSON)
        print_broken(runner, code, err);
    else if (!code || runner->records.count)
        print_records(runner);
    cs_store_close(runner->store);
    cs_records_free(&runner->records);
    cs_text_free(&runner->reported);
    cs_text_free(&runner->noted);
    return code;
}

static int run_run(const struct cs_cli *cli, int argc, char **argv,
                   struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct runner runner = {
        .cli = cli,
        .display = {.messages = cli->messages, .terminal = cli->terminal}};
    int code;

    cs_scenario_init(&runner.scenario, &arena);
    runner.scenario.machines = cs_machines_create(&runner.scenario, &arena);
    code = cs_options_read(cs_command_run.options, argc, argv, &runner.scenario,
                           err);
    if (!code)
        code = cmd_run_all(&runner, err);
    cs_machines_destroy(runner.scenario.machines);
    cs_arena_free(&arena);
    return code;
}

const struct cs_command cs_command_run = {
    .name = "run",
    .usage = "collsim [run] --topo MACHINE --algo NAMES [OPTION ...]",
    .about = "simulate a collective on a machine",
    .options = {.shared = cs_scenario_options, .command = CS_FOR_RUN},
    .notes = "Example: collsim --topo dgx --algo ring,tree --size 64MiB\n"
             "Sizes and rates have units: 1GiB is 2^30 bytes, 1GB is 1e9; "
             "B is bytes, b is bits.\n"
             "Exit status: 0 success, 1 failed proof, 2 invalid input, 3 "
             "cannot run here, 130 Ctrl-C.\n",
    .run = run_run,
};
