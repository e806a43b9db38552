/*
 * run: simulate every combination of algorithms, sizes and rank counts.
 */
#include "reports/results/record.h"
#include "reports/results/runs_table.h"
#include "reports/results/store/store.h"
#include "scenarios/commands.h"
#include "scenarios/options/unused.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/command/best.h"
#include "scenarios/run/command/forecast.h"
#include "scenarios/run/command/library_runs.h"
#include "scenarios/run/command/unused_options.h"
#include "scenarios/run/command/workers.h"
#include "scenarios/run/faults/what_if.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/memory.h"
#include "scenarios/run/record/timeline.h"
#include "scenarios/run/simulate.h"
#include "sim/base/clock.h"
#include "sim/base/units.h"

#include <string.h>

enum {
    WORTH_PROCESSES_NS = 50 * 1000 * 1000 /* a group of runs */
};

struct runner {
    const struct cs_cli *cli;
    struct cs_scenario scenario;
    struct cs_store *store; /* NULL without --db */
    struct cs_records records;
    /* With auto: the second fastest algorithm of each record; without a name:
     * none. */
    struct cs_candidate *seconds; /* by record, in the arena */
    uint64_t refusals;            /* algorithms that do not run on the machine */
    struct cs_text reported;      /* skipped algorithms, a name per line */
    struct cs_err refused;        /* the first refusal of a listed algorithm */
    struct cs_text noted;         /* printed notes, a note per line */
};

/* Adds the line to a list of lines; false: it is there. */
static bool line_is_first(struct cs_text *lines, const char *line)
{
    CS_AT_END(cs_text_free) struct cs_text whole = {0};
    bool is_first;

    cs_text_printf(&whole, "\n%s\n", line);
    is_first = !strstr(cs_text_str(lines), cs_text_str(&whole));
    if (is_first)
        cs_text_add(lines, cs_text_str(&whole));
    return is_first;
}

/* The other algorithms of a list still run; the first refusal is the error of the
 * command, further refusals are printed at once. */
static void keep_refused(struct runner *runner, const char *name, const struct cs_run_event *event)
{
    struct cs_err err = {.code = event->code};
    bool is_first = line_is_first(&runner->reported, name);

    snprintf(err.text, sizeof(err.text), "%s", event->text);
    if (strncmp(err.text, name, strlen(name)) != 0)
        cs_err_prefix(&err, "%s", name);
    if (!runner->refused.code)
        runner->refused = err;
    else if (is_first)
        fprintf(runner->cli->messages, "collsim: %s\n", err.text);
}

/* The event of a group: each note is printed once, and the reason for skipping an
 * algorithm, not for every size. */
static void print_event(void *ctx, const struct cs_run_event *event)
{
    struct runner *runner = ctx;
    const char *name;

    cs_progress_line_clear(runner->cli->progress);
    if (!event->code) {
        if (line_is_first(&runner->noted, event->text))
            fprintf(runner->cli->messages, "note: %s\n", event->text);
        return;
    }
    runner->refusals++;
    name = runner->scenario.algos[event->algo]->name;
    if (runner->scenario.choice == CS_CHOICE_NAMED)
        keep_refused(runner, name, event);
    else if (line_is_first(&runner->reported, name))
        fprintf(runner->cli->messages, "collsim: skipped %s: %s\n", name, event->text);
}

static void report_known(struct runner *runner, const struct cs_run_group *group)
{
    uint64_t known = group->known, total = group->total - runner->refusals;

    if (known == 0)
        return;
    if (group->announced) /* the choice and the next of each group */
        total = known > runner->records.count ? known : runner->records.count;
    cs_progress_line_clear(runner->cli->progress);
    fprintf(runner->cli->messages,
            "note: '%s' has %llu of %llu runs; known runs are not repeated\n", runner->scenario.db,
            (unsigned long long)known, (unsigned long long)total);
}

static void keep_outcome(void *ctx, const struct cs_run_outcome *outcome)
{
    struct runner *runner = ctx;

    for (size_t i = 0; i < outcome->records.count; i++) {
        runner->seconds[runner->records.count] = outcome->second;
        cs_records_add(&runner->records, &outcome->records.items[i]);
    }
}

static int run_group(struct runner *runner, struct cs_run_group *group, uint64_t number,
                     struct cs_err *err)
{
    CS_AT_END(cs_run_outcome_free) struct cs_run_outcome outcome;
    int code = cs_best_run_group(group, number * runner->scenario.algo_count, &outcome, err);

    keep_outcome(runner, &outcome);
    return code;
}

/* Groups in this process, until one takes long enough for processes to be worth
 * it; the output is the same. */
static int run_groups(struct runner *runner, struct cs_run_group *group, uint64_t count,
                      struct cs_err *err)
{
    bool may_share = cs_run_workers_apply(group);
    int code = 0;

    for (uint64_t i = 0; i < count && !code; i++) {
        uint64_t began_ns = cs_clock_ns();

        code = run_group(runner, group, i, err);
        if (code || !may_share || i + 2 >= count || cs_clock_ns() - began_ns < WORTH_PROCESSES_NS)
            continue;
        may_share = false;
        code = cs_run_workers(group, i + 1, (struct cs_run_keeper){keep_outcome, runner}, err);
        if (code != CS_ECANNOT || err->code)
            return code;
        code = 0;
    }
    return code;
}

/* Before the first of several sizes; known runs of a database take no time. */
static void announce_long_runs(const struct runner *runner)
{
    double all_s = runner->store ? 0 : cs_forecast_s(&runner->scenario);
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    if (all_s < CS_PROGRESS_LONG_S)
        return;
    cs_progress_line_add_duration(all_s, &text);
    fprintf(runner->cli->messages, "note: %u sizes take about %s, or longer\n",
            runner->scenario.size_count, cs_text_str(&text));
}

/* Room for the records of more cases. */
static void keep_seconds(struct runner *runner, uint64_t more)
{
    struct cs_candidate *seconds = cs_arena_alloc(
        runner->scenario.arena, runner->records.count + more, sizeof(*runner->seconds));

    if (runner->records.count)
        memcpy(seconds, runner->seconds, runner->records.count * sizeof(*seconds));
    runner->seconds = seconds;
}

static int cmd_run_cases(struct runner *runner, struct cs_err *err)
{
    const struct cs_scenario *scenario = &runner->scenario;
    struct cs_run_group group = {.scenario = scenario,
                                 .store = runner->store,
                                 .display = runner->cli->progress,
                                 .listener = {print_event, runner},
                                 .total = cs_case_count(scenario)};
    int code;

    cs_progress_line_open(runner->cli->progress, scenario->format == CS_FORMAT_JSON);
    if (scenario->choice == CS_CHOICE_AUTO)
        group.announced = cs_run_group_announced(scenario);
    if (group.announced)
        fprintf(runner->cli->messages, "note: auto chooses on the machine as announced, without "
                                       "the faults that no planner knows; times are with them\n");
    announce_long_runs(runner);
    keep_seconds(runner, group.total);
    code = run_groups(runner, &group, group.total / scenario->algo_count, err);
    report_known(runner, &group);
    cs_progress_line_close(runner->cli->progress);
    return code;
}

static void print_text(const struct runner *runner, struct cs_text *out)
{
    const struct cs_records *records = &runner->records;

    if (runner->scenario.choice == CS_CHOICE_AUTO &&
        (!runner->scenario.is_searched || records->count > 1))
        cs_candidates_table(&runner->records, runner->seconds, runner->cli->style, out);
    if (records->count == 1)
        cs_listing_write(&records->items[0], runner->cli->style, out);
    else if (runner->scenario.choice != CS_CHOICE_AUTO)
        cs_runs_table_write(records->items, records->count, runner->cli->style, out);
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
    cs_cli_text(runner->cli, &text);
}

/* Names the one algorithm that auto, any or synth chooses on the machine as announced, for
 * all rows of --what-if. */
static int name_choice(const struct runner *runner, struct cs_scenario *named, struct cs_err *err)
{
    int code = cs_best_choose_alone(named, runner->cli->progress, err);

    if (!code)
        fprintf(runner->cli->messages, "note: %s chooses %s, in all rows\n", named->algo_names,
                named->algos[0]->name);
    return code;
}

/* The table of --what-if has a single baseline. */
static int run_what_if(const struct runner *runner, struct cs_err *err)
{
    const struct cs_database_wait wait = cs_progress_line_lock(runner->cli->progress);
    struct cs_scenario scenario = runner->scenario;
    struct cs_store *store = NULL;
    struct cs_case which;
    int code = 0;

    if (scenario.choice == CS_CHOICE_AUTO && cs_case_count(&scenario) == scenario.algo_count)
        code = name_choice(runner, &scenario, err);
    if (code)
        return code;
    which = cs_case_of(&scenario, 0);
    if (cs_case_count(&scenario) > 1)
        return cs_err_set(err, CS_EINPUT, "--what-if requires a single run; found a list");
    if (scenario.db)
        code = cs_store_open_waiting(scenario.db, CS_STORE_CREATE, &wait, &store, err);
    if (!code)
        code = cs_what_if(runner->cli, &which, store, err);
    cs_store_close(store);
    return code;
}

/* Options without effect on a single run, or on calls of a library. */
static void note_unused(struct runner *runner)
{
    const struct cs_run_listener listener = {print_event, runner};
    CS_AT_END(cs_text_free) struct cs_text notes = {0};

    if (runner->scenario.db)
        return;
    cs_text_add(&notes, cs_text_str(&runner->noted));
    cs_unused_options_note(&runner->scenario, &runner->records, &notes);
    if (notes.length > runner->noted.length) {
        struct cs_text more = {0};

        cs_text_add(&more, notes.data + runner->noted.length);
        cs_run_notes(&listener, 0, &more);
    }
}

/* Sizes that take longer than greater ones.  A signal ends the search for reasons, and
 * the records are printed. */
static int note_slower(struct runner *runner, struct cs_err *err)
{
    struct cs_progress_line *display = runner->cli->progress;
    struct cs_text notes = {0};
    int code;

    cs_progress_line_open(display, runner->scenario.format == CS_FORMAT_JSON);
    cs_progress_line_keep(display);
    cs_slower_sizes_note(&runner->scenario, &runner->records, display, &notes);
    code = cs_progress_line_check(display, err);
    cs_progress_line_close(display);
    cs_run_notes(&(struct cs_run_listener){print_event, runner}, 0, &notes);
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

    cs_run_notes(&(struct cs_run_listener){print_event, runner}, 0, &notes);
    return code;
}

/* The runs of a scenario, behind those of others. */
static int run_scenario(struct runner *runner, struct cs_err *err)
{
    const struct cs_database_wait wait = cs_progress_line_lock(runner->cli->progress);
    int code = cs_scenario_finish(&runner->scenario, err);

    if (!code)
        code = cs_memory_check(&runner->scenario, err);
    if (!code)
        code = cs_run_timeline_check(&runner->scenario, err);
    if (!code && runner->scenario.db)
        code =
            cs_store_open_waiting(runner->scenario.db, CS_STORE_CREATE, &wait, &runner->store, err);
    if (!code && runner->scenario.left_out)
        fprintf(runner->cli->messages, "note: %s\n", runner->scenario.left_out);
    if (!code)
        code = runner->scenario.by.library ? run_library(runner, err) : cmd_run_cases(runner, err);
    cs_store_close(runner->store);
    runner->store = NULL;
    return code;
}

/* Prints the records, or after an error those that are finished. */
static int run_end(struct runner *runner, int code, struct cs_err *err)
{
    if (!code && runner->refused.code) {
        *err = runner->refused;
        code = err->code;
    }
    if (!code && runner->records.count == 0)
        code = cs_err_set(err, CS_EINPUT, "no algorithm can run; see the messages above");
    if (!code || runner->records.count)
        print_records(runner);
    cs_records_free(&runner->records);
    cs_text_free(&runner->reported);
    cs_text_free(&runner->noted);
    return code;
}

static int cmd_run_all(struct runner *runner, struct cs_err *err)
{
    int code;

    if (runner->scenario.what_if) {
        code = cs_scenario_finish(&runner->scenario, err);
        return code ? code : run_what_if(runner, err);
    }
    code = run_scenario(runner, err);
    if (!code)
        code = note_slower(runner, err);
    if (!code) {
        note_unused(runner);
        cs_cli_wrote(runner->cli, runner->scenario.memory);
        cs_cli_wrote(runner->cli, runner->scenario.trace);
    }
    return run_end(runner, code, err);
}

/* ---- a list where an option has one number ---- */

/* Of struct cs_option_tables: the scenario has the last value, the log the list. */
static int run_take_list(void *target, const struct cs_option *option, const char *value,
                         struct cs_err *err)
{
    struct cs_scenario *scenario = target;
    const char *separator = ",";
    char *rest = NULL, *words = cs_arena_text(scenario->arena, value);
    int code = 0;

    for (char *word = strtok_r(words, separator, &rest); word && !code;
         word = strtok_r(NULL, separator, &rest))
        code = cs_option_store(option, target, word, err);
    return code;
}

static const struct cs_given *run_list(const struct cs_option_log *log, uint32_t from)
{
    for (uint32_t i = from; i < log->count; i++)
        if (cs_options_is_list(log->items[i].option, log->items[i].value))
            return &log->items[i];
    return NULL;
}

static int check_list(const struct cs_scenario *scenario, const struct cs_given *list,
                      struct cs_err *err)
{
    const struct cs_option_log *log = &scenario->given;
    const struct cs_given *other = run_list(log, (uint32_t)(list - log->items) + 1);

    if (other)
        return cs_err_set(err, CS_EINPUT,
                          "--%s and --%s are both lists; expected one, or a file of axes for "
                          "'collsim sweep'",
                          list->option->name, other->option->name);
    if (scenario->what_if || scenario->memory || scenario->trace)
        return cs_err_set(err, CS_EINPUT, "--%s requires a single run; --%s %s is a list",
                          scenario->what_if  ? "what-if"
                          : scenario->memory ? "memory"
                                             : "trace",
                          list->option->name, list->value);
    return 0;
}

/* A scenario for each value of the list; all records are one answer. */
static int run_each(struct runner *runner, const struct cs_given *list, struct cs_err *err)
{
    const struct cs_scenario given = runner->scenario;
    char *rest = NULL, *words = cs_arena_text(given.arena, list->value);
    int code = check_list(&given, list, err);

    for (char *word = strtok_r(words, ",", &rest); word && !code;
         word = strtok_r(NULL, ",", &rest)) {
        cs_scenario_init(&runner->scenario, given.arena);
        runner->scenario.machines = cs_machines_create(&runner->scenario, given.arena);
        code = cs_options_read_changed(cs_command_run.options, &given.given,
                                       (struct cs_option_change){list, word}, &runner->scenario);
        if (!code)
            code = run_scenario(runner, err);
        if (code)
            cs_err_prefix(err, "--%s %s", list->option->name, word);
        cs_machines_destroy(runner->scenario.machines);
    }
    runner->scenario.machines = given.machines;
    return run_end(runner, code, err);
}

static int run_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct runner runner = {.cli = cli};
    const struct cs_given *list;
    int code;

    cs_scenario_init(&runner.scenario, &arena);
    runner.scenario.reading = cs_cli_watch(cli, "reading", 0, 1);
    runner.scenario.machines = cs_machines_create(&runner.scenario, &arena);
    code = cs_options_read(cs_command_run.options, argc, argv, &runner.scenario, err);
    list = run_list(&runner.scenario.given, 0);
    if (!code)
        code = list ? run_each(&runner, list, err) : cmd_run_all(&runner, err);
    cs_machines_destroy(runner.scenario.machines);
    return code;
}

const struct cs_command cs_command_run = {
    .name = "run",
    .usage = "collsim [run] --topo MACHINE --algo NAMES [OPTION ...]",
    .about = "simulate a collective on a machine",
    .options = {.shared = cs_scenario_options, .command = CS_FOR_RUN, .list = run_take_list},
    .notes =
        "Example: collsim --topo dgx --algo ring,tree --size 64MiB\n"
        "Sizes: 1024 is bytes, 1G and 1GiB are 2^30, 1GB is 1e9. Rates: 25GB/s, 200Gb/s.\n"
        "Exit status: 0 success, 1 failed proof, 2 invalid input, 3 cannot run here, 130 Ctrl-C.\n",
    .run = run_run,
};
