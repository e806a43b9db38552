#include "scenarios/run/faults/what_if.h"

#include "scenarios/run/case/fingerprint.h"
#include "scenarios/run/faults/losses.h"
#include "scenarios/run/fold/folding.h"
#include "scenarios/run/open.h"
#include "scenarios/run/record/record.h"
#include "scenarios/run/simulate.h"
#include "scenarios/run/slower_run.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>

/* A table of losses in progress. */
struct trial {
    const struct cs_cli *cli;
    const struct cs_case *which;
    struct cs_arena arena;
    struct cs_err *err;
    struct cs_losses losses;
    uint32_t tried;
    double whole_s; /* time without losses */
    bool *carried;  /* by link: messages without losses */
    struct cs_record whole;
    struct cs_store *store; /* or NULL */
    uint32_t runs, known;   /* runs, and runs found in the store */
    bool store_failed;
    struct cs_progress_line *display;
};

/* ---- the cost of each loss ---- */

/* The mean of several runs, or the time of a single run. */
static double mean_s(const struct cs_record_spread *spread, uint64_t time_ps)
{
    return spread->runs ? spread->mean : (double)time_ps * 1e-12;
}

/* The first link that carries messages only with the loss, or "".  Wires that are
 * down keep their numbers. */
static const char *find_detour(const struct trial *trial, const struct cs_run *run)
{
    uint32_t i = 0;

    while (i < run->net.link_count && (trial->carried[i] || !cs_run_uses_link(run, i)))
        i++;
    return i < run->net.link_count ? cs_machine_link_name(run, i) : "";
}

/* Looks for a result of the same run in the store. */
static int what_if_look_up(struct trial *trial, struct cs_record *record, struct cs_records *found,
                           const struct cs_run *run)
{
    int code;

    trial->runs++;
    if (!trial->store)
        return 0;
    record->fingerprint = cs_fingerprint_run(run);
    code = cs_store_find(trial->store, record, found, trial->err);
    trial->store_failed = code != 0;
    trial->known += found->count > 0;
    return code;
}

/* Stores a result, so that a second table simulates only new losses. */
static int what_if_keep(struct trial *trial, const struct cs_record *record)
{
    int code = trial->store ? cs_store_put(trial->store, record, trial->err) : 0;

    trial->store_failed = code != 0;
    return code;
}

/* Result of a run with an additional fault. */
struct outcome {
    double time_s; /* NaN: ranks are disconnected */
    const char *bottleneck;
    bool detours;
};

static void what_if_collect(struct cs_run *run, struct cs_record *record)
{
    cs_run_collect(run, record);
    if (run->fold || run->result.jumped > 0)
        record->folding = cs_run_fold_describe(run);
}

static int what_if_answer(struct trial *trial, struct cs_run *run, struct cs_record *record)
{
    int code = cs_simulate_run(run, &record->spread);

    if (code)
        return code;
    what_if_collect(run, record);
    record->healthy_s = (double)trial->whole.time_ps * 1e-12;
    record->slowdown = (double)record->time_ps / (double)trial->whole.time_ps;
    record->healthy_bottleneck = trial->whole.bottleneck;
    record->detour = find_detour(trial, run);
    return what_if_keep(trial, record);
}

static int run_stage(struct trial *trial, struct cs_run *run, struct outcome *outcome)
{
    CS_AT_END(cs_records_free) struct cs_records found = {0};
    struct cs_record record;
    int code = cs_run_open(run);

    if (!code) {
        cs_run_describe(run, &record);
        code = what_if_look_up(trial, &record, &found, run);
    }
    if (!code && found.count)
        record = found.items[0];
    else if (!code)
        code = what_if_answer(trial, run, &record);
    if (!code)
        *outcome = (struct outcome){.time_s = mean_s(&record.spread, record.time_ps),
                                    .bottleneck = cs_arena_text(&trial->arena, record.bottleneck),
                                    .detours = *record.detour != '\0'};
    return code;
}

static int run_with(struct trial *trial, const char *where, double rate, struct outcome *outcome)
{
    struct cs_case which = *trial->which;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err cut = {0};
    struct cs_run run = {.which = &which, .arena = &arena, .err = &cut};
    const struct cs_fault lost = {
        .text = cs_arena_printf(&arena, "%s:%s", where, rate > 0 ? "rate=50%" : "down"),
        .where = where,
        .rate = rate};
    int code;

    which.lost = &lost;
    which.notes = NULL;
    which.display = trial->display;
    *outcome = (struct outcome){.time_s = (double)NAN, .bottleneck = ""};
    code = run_stage(trial, &run, outcome);
    if (trial->store_failed)
        return trial->err->code;
    /* Refused: switches that reduce are lost, or no longer reached. */
    if (code && ((code != CS_EINPUT && code != CS_SIMULATE_REFUSED) || rate > 0))
        return cs_err_set(trial->err, code < 0 ? code : CS_EINPUT, "%s", cut.text);
    return 0;
}

static void name_trial(struct trial *trial, uint32_t number)
{
    cs_text_free(&trial->display->what);
    cs_text_printf(&trial->display->what, "%u of %u: without %s", number + 1, trial->losses.count,
                   trial->losses.items[number].where);
}

/* Notes a loss, of half the rate or (0) of the links, with which the run is faster. */
static void what_if_note_gain(const struct trial *trial, const char *where, double rate,
                              double time_s)
{
    struct cs_case slowed = *trial->which, whole = *trial->which;
    const struct cs_fault lost = {.where = where, .rate = rate, .text = where};
    CS_AT_END(cs_text_free) struct cs_text cause = {0};

    slowed.lost = &lost;
    slowed.display = whole.display = trial->display;
    if (cs_slower_run_is(time_s, trial->whole_s) && cs_slower_run_put(&slowed, &whole, &cause)) {
        cs_progress_line_clear(trial->display);
        fprintf(trial->cli->messages,
                rate > 0 ? "note: with %s at half its rate the run is faster: without that, %s\n"
                         : "note: without %s the run is faster: with it, %s\n",
                where, cs_text_str(&cause));
    }
}

static int try_all(struct trial *trial)
{
    struct outcome down = {0}, half = {0};
    int code = 0;

    trial->display->parts = 2 * trial->losses.count;

    for (; trial->tried < trial->losses.count; trial->tried++) {
        struct cs_loss *loss = &trial->losses.items[trial->tried];

        name_trial(trial, trial->tried);
        trial->display->part = 2 * trial->tried;
        if (trial->tried)
            cs_progress_line_keep(trial->display);
        code = run_with(trial, loss->where, 0, &down);
        trial->display->part++;
        if (!code)
            code = run_with(trial, loss->where, 0.5, &half);
        if (code)
            break;
        loss->down_s = down.time_s;
        loss->half_s = half.time_s;
        loss->bottleneck = down.bottleneck;
        loss->detours = down.detours;
        what_if_note_gain(trial, loss->where, 0, loss->down_s);
        what_if_note_gain(trial, loss->where, 0.5, loss->half_s);
    }
    return code;
}

static void what_if_remember(struct trial *trial, const struct cs_run *run)
{
    uint32_t count = run->net.link_count;

    trial->carried = cs_arena_alloc(&trial->arena, count, sizeof(bool));
    for (uint32_t i = 0; i < count; i++)
        trial->carried[i] = cs_run_uses_link(run, i);
}

/* Keeps the record of the run without losses, in the trial's arena and the store. */
static int keep_whole(struct trial *trial, struct cs_run *run, struct cs_record *record)
{
    CS_AT_END(cs_records_free) struct cs_records found = {0};
    int code = what_if_look_up(trial, record, &found, run);

    what_if_collect(run, record);
    trial->whole_s = mean_s(&record->spread, record->time_ps);
    if (!code && !found.count)
        code = what_if_keep(trial, record);
    trial->whole = *record;
    trial->whole.bottleneck = cs_arena_text(&trial->arena, record->bottleneck);
    return code;
}

/* The run without losses, and the losses to try. */
static int run_whole(struct trial *trial)
{
    enum cs_what_if what = trial->which->scenario->what_if;
    struct cs_case which = *trial->which;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_run run = {.which = &which, .arena = &arena, .err = trial->err};
    struct cs_record record;
    int code;

    which.display = trial->display;
    cs_text_add(&trial->display->what, "without losses");
    code = cs_run_open(&run);
    if (!code) {
        cs_run_describe(&run, &record);
        code = cs_simulate_run(&run, &record.spread);
    }
    if (code == CS_SIMULATE_REFUSED)
        code = CS_EINPUT;
    if (!code)
        code = keep_whole(trial, &run, &record);
    if (!code)
        code = cs_losses_find(&run, what, &trial->losses, &trial->arena);
    if (!code)
        what_if_remember(trial, &run);
    return code;
}

static void what_if_report_known(const struct trial *trial)
{
    if (trial->known)
        fprintf(trial->cli->messages,
                "note: '%s' has %u of %u runs already; they are not run again\n",
                trial->which->scenario->db, trial->known, trial->runs);
}

int cs_what_if(const struct cs_cli *cli, const struct cs_case *which, struct cs_store *store,
               struct cs_err *err)
{
    struct trial trial = {
        .cli = cli, .which = which, .store = store, .err = err, .display = cli->progress};
    int code;

    cs_progress_line_open(trial.display, which->scenario->format == CS_FORMAT_JSON);
    code = run_whole(&trial);
    if (!code)
        code = try_all(&trial);
    cs_progress_line_close(trial.display);
    what_if_report_known(&trial);
    if (!code || (trial.tried && code == CS_ESTOPPED)) {
        struct cs_loss_table table = {cli, which, &trial.losses, trial.tried, trial.whole_s};

        cs_loss_table_print(&table, code);
    }
    cs_arena_free(&trial.arena);
    return code;
}
