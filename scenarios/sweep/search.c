#include "scenarios/sweep/options.h"

#include "scenarios/run/simulate.h"
#include "scenarios/sweep/case.h"

#include <math.h>
#include <stdlib.h>

enum {
    SEARCH_SHARE = 10, /* a tenth of the cases */
    SEARCH_LEAST = 32
};

static const double search_margin = 1.5; /* of closed forms over the best */

/* The expected value of a case: seconds, or seconds per byte of bus traffic. */
struct search_case {
    uint64_t number;
    double expected;
    double scale; /* value = time x scale */
};

struct search {
    const struct cs_sweep *sweep;
    struct cs_sweep_worker worker;
    bool by_busbw;
    struct search_case *cases;
    uint64_t count, refused, simulated;
    double best;                       /* INFINITY: none */
    uint64_t best_number, best_padded; /* padded_bytes */
    double best_time_s, best_busbw;
    const char *best_name; /* printed */
};

static int compare_cases(const void *a, const void *b)
{
    const struct search_case *x = a, *y = b;

    if (x->expected < y->expected || x->expected > y->expected)
        return x->expected < y->expected ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* ---- closed forms ---- */

static void estimate_case(struct search *search, uint64_t number)
{
    struct search_case *one = &search->cases[search->count];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_estimate estimate;
    struct cs_err err = {0};
    double expected;

    if (cs_sweep_estimate(&search->worker, search->sweep, number, &arena, &estimate, &err)) {
        ++search->refused;
        return;
    }
    *one = (struct search_case){.number = number, .scale = 1};
    if (search->by_busbw)
        one->scale = 1 / (estimate.bytes * estimate.bus_factor);
    expected = estimate.closed_form_s * one->scale;
    one->expected = isfinite(expected) ? expected : 0;
    ++search->count;
}

/* ---- simulations ---- */

static void simulate_case(struct search *search, const struct search_case *one)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_record record;
    struct cs_err err = {0};
    double value;

    ++search->simulated;
    if (!cs_sweep_compute(&search->worker, search->sweep, one->number, &arena, &record, &err)) {
        value = (double)record.time_ps * 1e-12 * one->scale;
        if (value < search->best ||
            (!(value > search->best) && one->number < search->best_number)) {
            search->best = value;
            search->best_number = one->number;
            search->best_time_s = (double)record.time_ps * 1e-12;
            search->best_busbw = record.busbw_Bps;
            search->best_padded = record.padded_bytes;
        }
    }
}

static void estimate_all(const struct cs_cli *cli, struct search *search)
{
    uint64_t cases = search->sweep->cases;
    const struct cs_monitor *monitor = cs_cli_watch(cli, "computing closed forms", 0, 0);

    for (uint64_t c = 0; c < cases; ++c) {
        estimate_case(search, c);
        if (!cs_monitor_count(monitor, c + 1, cases))
            break;
    }
    cs_cli_watched(cli);
}

static void search_all(const struct cs_cli *cli, struct search *search)
{
    const struct cs_monitor *monitor;
    uint64_t most;

    estimate_all(cli, search);
    qsort(search->cases, search->count, sizeof(*search->cases), compare_cases);
    most = search->sweep->cases / SEARCH_SHARE;
    if (most < SEARCH_LEAST)
        most = SEARCH_LEAST;
    if (most > search->count)
        most = search->count;
    monitor = cs_cli_watch(cli, "simulating", 0, 0);
    for (uint64_t c = 0; c < most; ++c) {
        if (search->cases[c].expected > search_margin * search->best)
            break;
        simulate_case(search, &search->cases[c]);
        if (!cs_monitor_count(monitor, c + 1, most))
            break;
    }
    cs_cli_watched(cli);
}

/* ---- output ---- */

static double search_share(const void *row)
{
    const struct search *search = row;

    return (double)search->simulated / (double)search->sweep->cases;
}

#define AT(member) CS_AT(struct search, member)
static const struct cs_sheet_column search_columns[] = {
    {"case", "best case", NULL, CS_SHEET_TEXT, AT(best_name)},
    {"time_s", "time", NULL, CS_SHEET_SECONDS, AT(best_time_s)},
    {"busbw_Bps", "bus bandwidth", NULL, CS_SHEET_RATE, AT(best_busbw)},
    {"cases", "cases", NULL, CS_SHEET_COUNT, CS_VIA(struct search, sweep, cases)},
    {"refused", "refused", NULL, CS_SHEET_COUNT, AT(refused)},
    {"simulated", "simulated", NULL, CS_SHEET_COUNT, AT(simulated)},
    {"share", "of all", NULL, CS_SHEET_SHARE, .real = search_share},
};

static void print_best(const struct cs_cli *cli, enum cs_format format, struct search *search)
{
    CS_AT_END(cs_text_free) struct cs_text name = {0};

    cs_sweep_name(search->sweep, search->best_number, &name);
    search->best_name = cs_text_str(&name);
    cs_cli_rows(cli, CS_ROWS("search", search_columns, search, 1), format);
    if (search->best_padded)
        fprintf(cli->messages,
                "note: the vector of the best case is padded by %llu B to equal blocks; 'fold: "
                "off' simulates the size\n",
                (unsigned long long)search->best_padded);
}

int cs_sweep_search(const struct cs_cli *cli, const struct cs_sweep_options *options,
                    const struct cs_sweep *sweep, struct cs_err *err)
{
    struct search search = {.sweep = sweep,
                            .by_busbw = options->objective == CS_OBJECTIVE_BUSBW,
                            .cases = calloc(sweep->cases, sizeof(*search.cases)),
                            .best = INFINITY};
    int code = 0;

    if (!search.cases)
        return cs_err_set(err, CS_ECANNOT, "no memory for the list of cases");
    search_all(cli, &search);
    code = cs_progress_line_check(cli->progress, err);
    if (!code && isfinite(search.best))
        print_best(cli, options->format, &search);
    else if (!code)
        code = cs_err_set(err, CS_EINPUT,
                          "none of %llu cases has a result; run the sweep for the reasons",
                          (unsigned long long)sweep->cases);
    cs_sweep_worker_free(&search.worker);
    free(search.cases);
    return code;
}
