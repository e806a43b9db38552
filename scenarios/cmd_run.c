/*
 * run: simulate every combination of algorithms, sizes and rank counts.
 */
#include "reports/csv.h"
#include "reports/json.h"
#include "reports/records.h"
#include "reports/store.h"
#include "reports/summary.h"
#include "scenarios/command.h"
#include "scenarios/simulate.h"
#include "sim/base/units.h"

#include <time.h>

struct runner {
    const struct cs_cli *cli;
    struct cs_scenario scenario;
    struct cs_store *store; /* NULL without --db */
    struct cs_records records;
    uint64_t total;
    time_t started;
    bool shown; /* a progress line is on the terminal */
};

static void show_progress(struct runner *runner, const struct cs_point *point)
{
    char size[CS_UNITS_TEXT];

    if (!runner->cli->terminal || time(NULL) - runner->started < 1)
        return;
    fprintf(runner->cli->messages, "\r\033[Krun %zu of %llu: %s, %s",
            runner->records.count + 1, (unsigned long long)runner->total,
            point->algo->name, cs_units_show_bytes(size, point->bytes));
    fflush(runner->cli->messages);
    runner->shown = true;
}

static int run_point(struct runner *runner, const struct cs_point *point,
                     struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_record record;
    int code;

    show_progress(runner, point);
    code = cs_simulate(point, &arena, &record, err);
    if (!code && runner->store)
        code = cs_store_put(runner->store, &record, err);
    if (!code)
        cs_records_add(&runner->records, &record);
    cs_arena_free(&arena);
    return code;
}

/* Rank counts, then sizes, then algorithms, so that what is compared stands
 * together. */
static int run_points(struct runner *runner, struct cs_err *err)
{
    const struct cs_scenario *scenario = &runner->scenario;
    uint64_t ranks = scenario->rank_count ? scenario->rank_count : 1;
    uint64_t algos = scenario->algo_count;
    uint64_t i;
    int code = 0;

    runner->total = ranks * scenario->size_count * algos;
    for (i = 0; i < runner->total && !code; i++) {
        uint64_t rest = i / algos;
        struct cs_point point = {
            .scenario = scenario,
            .algo = scenario->algos[i % algos],
            .bytes = scenario->sizes[rest % scenario->size_count],
            .ranks = scenario->rank_count
                         ? scenario->ranks[rest / scenario->size_count]
                         : 0,
        };

        code = run_point(runner, &point, err);
    }
    if (runner->shown)
        fprintf(runner->cli->messages, "\r\033[K");
    return code;
}

static void print_records(const struct runner *runner)
{
    const struct cs_records *records = &runner->records;
    struct cs_text text = {0};

    if (runner->scenario.format == CS_FORMAT_JSON)
        cs_json_records(records->items, records->count, &text);
    else if (runner->scenario.format == CS_FORMAT_CSV)
        cs_csv_records(records->items, records->count, &text);
    else if (records->count == 1)
        cs_summary_one(&records->items[0], runner->cli->style, &text);
    else
        cs_summary_many(records->items, records->count, runner->cli->style,
                        &text);
    fputs(cs_text_str(&text), runner->cli->out);
    cs_text_free(&text);
}

static int run_all(struct runner *runner, struct cs_err *err)
{
    int code = cs_scenario_finish(&runner->scenario, err);

    if (!code && runner->scenario.db)
        code = cs_store_open(runner->scenario.db, CS_STORE_CREATE,
                             &runner->store, err);
    if (!code)
        code = run_points(runner, err);
    /* What was finished is told, whatever happened then; JSON stays one
     * document, which is the error's. */
    if (!code ||
        (runner->records.count && runner->scenario.format != CS_FORMAT_JSON))
        print_records(runner);
    cs_store_close(runner->store);
    cs_records_free(&runner->records);
    return code;
}

static int run_run(const struct cs_cli *cli, int argc, char **argv,
                   struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct runner runner = {.cli = cli, .started = time(NULL)};
    int code;

    cs_scenario_init(&runner.scenario, &arena);
    code = cs_options_read_both(
        (struct cs_option_tables){cs_question_options, cs_scenario_options},
        argc, argv, &runner.scenario, err);
    if (!code)
        code = run_all(&runner, err);
    cs_arena_free(&arena);
    return code;
}

const struct cs_command cs_command_run = {
    .name = "run",
    .usage = "collsim [run] --topo MACHINE --algo NAMES [OPTION ...]",
    .about = "simulate a collective on a machine",
    .shared = cs_question_options,
    .options = cs_scenario_options,
    .notes = "Sizes and rates have units: 1GiB is 2^30 bytes, 1GB is 1e9; "
             "B is bytes, b is bits.\n"
             "Exit status: 0 fine, 1 the answer is bad (a proof fails), "
             "2 the input is bad,\n"
             "3 it cannot run here.\n",
    .run = run_run,
};
