/*
 * sweep: the cases of a scenario with axes, into a database.
 */
#include "scenarios/commands.h"
#include "scenarios/sweep/case.h"
#include "scenarios/sweep/options.h"

/* ---- one call ---- */

/* Cases of the shard without a result. */
static uint64_t list_todo(const struct cs_sweep *sweep, const struct cs_shard *shard,
                          const bool *done, uint64_t *todo)
{
    uint64_t count = 0;

    for (uint64_t c = 0; c < sweep->cases; ++c)
        if (cs_shard_has(shard, c) && !done[c])
            todo[count++] = c;
    return count;
}

/* The database is closed again: no handle may pass a fork. */
static int open_sweep(const struct cs_cli *cli, const struct cs_sweep *sweep,
                      struct cs_sweep_job *job, bool *done, struct cs_err *err)
{
    const struct cs_database_wait wait = cs_progress_line_lock(cli->progress);
    struct cs_store *store = NULL;
    uint64_t count;
    int code = cs_store_sweep_open(job->db, &wait, &store, err);

    if (!code)
        code =
            cs_store_sweep_begin(store, sweep->hash, sweep->cases, sweep->about, &job->base, err);
    if (!code)
        code = cs_store_sweep_done(store, job->base, sweep->cases, done, &count, err);
    cs_store_close(store);
    cs_cli_watched(cli);
    return code;
}

struct sweep_result {
    const struct cs_sweep_options *options;
    const char *db;
    char shard[32];        /* "1/8" */
    bool *done;            /* by case */
    uint64_t *todo;        /* numbers of cases */
    uint64_t cases, known; /* of the shard */
    struct cs_sweep_outcome outcome;
    double cases_per_s;
};

#define AT(member)     CS_AT(struct sweep_result, member)
#define OPTION(member) CS_VIA(struct sweep_result, options, member)
static const struct cs_sheet_column sweep_columns[] = {
    {"file", "sweep", NULL, CS_SHEET_TEXT, OPTION(file)},
    {"db", "database", NULL, CS_SHEET_TEXT, AT(db)},
    {"shard", "shard", NULL, CS_SHEET_TEXT, AT(shard)},
    {"cases", "cases", NULL, CS_SHEET_COUNT, AT(cases)},
    {"known", "known", NULL, CS_SHEET_COUNT, AT(known)},
    {"finished", "finished", NULL, CS_SHEET_COUNT, AT(outcome.finished)},
    {"refused", "refused", NULL, CS_SHEET_COUNT, AT(outcome.refused)},
    {"time_s", "time", NULL, CS_SHEET_SECONDS, AT(outcome.seconds)},
    {"cases_per_s", "a second", NULL, CS_SHEET_REAL, AT(cases_per_s)},
};

static void print_result(const struct cs_cli *cli, const struct cs_sweep_options *options,
                         struct sweep_result *result)
{
    result->options = options;
    result->cases_per_s = (double)result->outcome.finished / result->outcome.seconds;
    if (options->shard.count)
        snprintf(result->shard, sizeof(result->shard), "%u/%u", options->shard.number,
                 options->shard.count);
    cs_cli_rows(cli, CS_ROWS("sweep", sweep_columns, result, 1), options->format);
}

static void print_stopped(const struct cs_cli *cli, const struct sweep_result *result)
{
    fprintf(cli->messages,
            "note: %llu of %llu cases are in '%s'; the same command runs the others\n",
            (unsigned long long)result->known + (unsigned long long)result->outcome.finished,
            (unsigned long long)result->cases, result->db);
}

/* Waits for the disk, and prints the commonest reasons of cases without a result, and how
 * many vectors are padded. */
static int finish_sweep(const struct cs_cli *cli, const char *db, uint64_t base, uint64_t cases,
                        struct cs_err *err)
{
    const struct cs_database_wait wait = cs_progress_line_lock(cli->progress);
    struct cs_store *store = NULL;
    CS_AT_END(cs_text_free) struct cs_text reasons = {0};
    uint64_t padded = 0;
    int code = cs_store_sweep_open(db, &wait, &store, err);

    if (!code)
        code = cs_store_sweep_flush(store, err);
    if (!code)
        code = cs_store_sweep_reasons(store, base, cases, &reasons, err);
    if (!code && reasons.length)
        fprintf(cli->messages, "note: cases without a result:\n%s", cs_text_str(&reasons));
    if (!code)
        code = cs_store_sweep_padded(store, base, cases, &padded, err);
    if (!code && padded)
        fprintf(cli->messages,
                "note: the vectors of %llu of %llu cases are padded to equal blocks "
                "(padded_bytes); 'fold: off' simulates the sizes\n",
                (unsigned long long)padded, (unsigned long long)cases);
    cs_store_close(store);
    return code;
}

/* Computes the cases of the shard without a result. */
static int work_on(const struct cs_cli *cli, const struct cs_sweep_options *options,
                   struct cs_sweep_job *job, struct sweep_result *result, struct cs_err *err)
{
    const struct cs_sweep *sweep = job->sweep;
    int code = open_sweep(cli, sweep, job, result->done, err);

    if (code)
        return code;
    job->todo = result->todo;
    job->count = list_todo(sweep, &options->shard, result->done, result->todo);
    for (uint64_t c = 0; c < sweep->cases; ++c)
        result->cases += cs_shard_has(&options->shard, c);
    result->known = result->cases - job->count;
    code = cs_sweep_work(job, &result->outcome, err);
    result->known += result->outcome.known;
    if (code)
        print_stopped(cli, result);
    return code;
}

static int work(const struct cs_cli *cli, const struct cs_sweep_options *options,
                const struct cs_sweep *sweep, const char *db, struct cs_err *err)
{
    struct sweep_result result = {.db = db,
                                  .done = cs_grow(NULL, sweep->cases, sizeof(*result.done)),
                                  .todo = cs_grow(NULL, sweep->cases, sizeof(*result.todo))};
    struct cs_sweep_job job = {.sweep = sweep,
                               .db = db,
                               .workers = cli->program ? options->workers : 0,
                               .display = cli->progress};
    int code;

    memset(result.done, 0, sweep->cases * sizeof(*result.done));
    code = work_on(cli, options, &job, &result, err);
    if (!code)
        code = finish_sweep(cli, db, job.base, sweep->cases, err);
    if (!code)
        print_result(cli, options, &result);
    if (!code && !result.known && result.outcome.finished &&
        result.outcome.refused == result.outcome.finished)
        code = cs_err_set(err, CS_EINPUT, "%s: no case has a result", options->file);
    free(result.done);
    free(result.todo);
    return code;
}

/* ---- the command ---- */

static int run_sweep(const struct cs_cli *cli, struct cs_sweep_options *options, struct cs_err *err)
{
    struct cs_sweep sweep;
    CS_AT_END(cs_text_free) struct cs_text db = {0};
    int code = cs_sweep_read(options->file, &options->arena, &sweep, err);

    if (!code)
        code = cs_sweep_check(&sweep, err);
    if (!code && options->emit)
        code = cs_sweep_emit(cli, options, &sweep, err);
    else if (!code && options->search)
        code = cs_sweep_search(cli, options, &sweep, err);
    else if (!code) {
        cs_shard_name(&options->shard, options->db, &db);
        code = work(cli, options, &sweep, cs_text_str(&db), err);
    }
    return code;
}

static int cmd_sweep_run(const struct cs_cli *cli, int argc, char **argv, struct cs_err *err)
{
    struct cs_sweep_options options;
    bool has_file = argc > 0 && argv[0][0] != '-';
    int code;

    cs_sweep_options_init(&options);
    options.file = has_file ? argv[0] : NULL;
    code =
        cs_options_read(cs_command_sweep.options, argc - has_file, argv + has_file, &options, err);
    if (!code)
        code = cs_sweep_options_check(&options, err);
    if (!code)
        code = run_sweep(cli, &options, err);
    cs_arena_free(&options.arena);
    return code;
}

static const char sweep_notes[] =
    "The file has options of 'collsim run', and axes:\n\n"
    "  topo: dgx\n"
    "  axes:                              # every combination\n"
    "    algo: [ring, tree, rabenseifner]\n"
    "    size: {from: 1KiB, to: 1GiB, factor: 2}\n"
    "  zip:                               # taken together\n"
    "    ranks: [2, 4, 8]\n"
    "    seed: [1, 2, 3]\n\n"
    "A finished case is in the database; after Ctrl-C or a kill the same command goes on.\nA power "
    "failure loses at most the last few hundred cases. The content of the database\nis the same "
    "for any -j and any interruption. In a task of a Slurm array the shard is\nthat of the task.\n";

const struct cs_command cs_command_sweep = {
    .name = "sweep",
    .usage = "collsim sweep FILE --db FILE [-j N] [--shard I/N] [OPTION ...]",
    .about = "run every combination of a file's axes on all cores, resumable",
    .options = {.own = cs_sweep_option_table},
    .notes = sweep_notes,
    .run = cmd_sweep_run,
};
