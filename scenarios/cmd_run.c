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

/* Runs that 'all' left out because the algorithm cannot do them. */
struct left_out {
    uint64_t runs;
    struct cs_err why; /* of the first */
};

struct runner {
    const struct cs_cli *cli;
    struct cs_scenario scenario;
    struct cs_store *store; /* NULL without --db */
    struct cs_records records;
    uint64_t total;
    time_t started;
    struct left_out *left_out; /* one for each algorithm */
    bool shown;                /* a progress line is on the terminal */
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

/* Runs the algorithms on what else `point` says.  One that was asked for by
 * name has to run; of 'all', those run that can.  Where nobody can it is the
 * input that is wrong. */
static int compare(struct runner *runner, struct cs_point *point,
                   struct cs_err *err)
{
    const struct cs_scenario *scenario = &runner->scenario;
    size_t before = runner->records.count;
    struct cs_err first = {0};
    uint32_t i;

    for (i = 0; i < scenario->algo_count; i++) {
        struct left_out *left_out = &runner->left_out[i];
        struct cs_err why = {0};
        int code;

        point->algo = scenario->algos[i];
        code = run_point(runner, point, &why);
        if (!code)
            continue;
        if (code != CS_EINPUT || !scenario->every_algo)
            return cs_err_set(err, code, "%s", why.text);
        cs_err_set(&first, code, "%s", why.text);
        if (left_out->runs++ == 0)
            left_out->why = why;
    }
    return runner->records.count > before
               ? 0
               : cs_err_set(err, CS_EINPUT, "%s", first.text);
}

static void tell_left_out(const struct runner *runner)
{
    const struct cs_scenario *scenario = &runner->scenario;
    uint64_t each = runner->total / scenario->algo_count;
    uint32_t i;

    for (i = 0; i < scenario->algo_count; i++) {
        const struct left_out *left_out = &runner->left_out[i];
        const char *name = scenario->algos[i]->name;

        if (left_out->runs == each)
            fprintf(runner->cli->messages, "collsim: without %s: %s\n", name,
                    left_out->why.text);
        else if (left_out->runs)
            fprintf(runner->cli->messages,
                    "collsim: without %llu of %llu runs of %s: %s\n",
                    (unsigned long long)left_out->runs,
                    (unsigned long long)each, name, left_out->why.text);
    }
}

/* Rank counts, then sizes, then algorithms, so that what is compared stands
 * together. */
static int run_points(struct runner *runner, struct cs_err *err)
{
    const struct cs_scenario *scenario = &runner->scenario;
    uint64_t ranks = scenario->rank_count ? scenario->rank_count : 1;
    uint64_t points = ranks * scenario->size_count;
    uint64_t i;
    int code = 0;

    runner->left_out = cs_arena_alloc(scenario->arena, scenario->algo_count,
                                      sizeof(*runner->left_out));
    runner->total = points * scenario->algo_count;
    for (i = 0; i < points && !code; i++) {
        struct cs_point point = {
            .scenario = scenario,
            .bytes = scenario->sizes[i % scenario->size_count],
            .ranks = scenario->rank_count
                         ? scenario->ranks[i / scenario->size_count]
                         : 0,
        };

        code = compare(runner, &point, err);
    }
    if (runner->shown)
        fprintf(runner->cli->messages, "\r\033[K");
    if (!code)
        tell_left_out(runner);
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
    code =
        cs_options_read(cs_scenario_options, argc, argv, &runner.scenario, err);
    if (!code)
        code = run_all(&runner, err);
    cs_arena_free(&arena);
    return code;
}

const struct cs_command cs_command_run = {
    .name = "run",
    .usage = "collsim [run] --topo MACHINE --algo NAMES [OPTION ...]",
    .about = "simulate a collective on a machine",
    .options = cs_scenario_options,
    .notes = "Sizes and rates have units: 1GiB is 2^30 bytes, 1GB is 1e9; "
             "B is bytes, b is bits.\n"
             "Exit status: 0 fine, 1 the answer is bad (a proof fails), "
             "2 the input is bad,\n"
             "3 it cannot run here.\n",
    .run = run_run,
};
