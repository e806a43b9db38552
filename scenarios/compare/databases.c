#include "scenarios/compare/report.h"

#include "reports/results/store/rows.h"
#include "reports/results/store/store.h"
#include "sim/base/collections/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_RUNS = 20
};

/* A run of either database. */
struct compared_run {
    int64_t request;
    uint64_t time_ps, bytes, seed;
    uint32_t ranks;
    const char *machine, *collective, *algorithm, *model;
};

struct compared_runs {
    struct cs_arena arena;
    struct compared_run *items;
    uint32_t count, capacity;
};

struct compared_pair {
    const struct compared_run *before, *after;
    double before_s, after_s, ratio; /* of times */
    const char *machines;            /* "dgx-1", "dgx-1 -> dgx-a100" */
};

static int take_run(void *ctx, const struct cs_record *record)
{
    struct compared_runs *runs = ctx;

    *CS_VECTOR_NEXT(runs->items, runs->count, runs->capacity) =
        (struct compared_run){.request = cs_store_request_of(record),
                              .time_ps = record->time_ps,
                              .bytes = record->bytes,
                              .ranks = record->ranks,
                              .machine = cs_arena_text(&runs->arena, record->topology),
                              .collective = cs_arena_text(&runs->arena, record->collective),
                              .algorithm = cs_arena_text(&runs->arena, record->algorithm),
                              .model = cs_arena_text(&runs->arena, record->model),
                              .seed = record->seed};
    return 0;
}

static int compare_requests(const void *a, const void *b)
{
    int64_t x = ((const struct compared_run *)a)->request;
    int64_t y = ((const struct compared_run *)b)->request;

    return (x > y) - (x < y);
}

/* The call, on any machine. */
static int compare_calls(const void *a, const void *b)
{
    const struct compared_run *x = a, *y = b;
    int order = strcmp(x->collective, y->collective);

    if (!order)
        order = strcmp(x->algorithm, y->algorithm);
    if (!order)
        order = strcmp(x->model, y->model);
    if (!order)
        order = (x->seed > y->seed) - (x->seed < y->seed);
    if (!order)
        order = (x->ranks > y->ranks) - (x->ranks < y->ranks);
    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int load_runs(const char *path, struct compared_runs *runs, struct cs_err *err)
{
    struct cs_store *store = NULL;
    int code = cs_store_open(path, CS_STORE_EXISTING, &store, err);

    if (!code)
        code = cs_store_each(store, CS_STORE_LATEST, take_run, runs, err);
    cs_store_close(store);
    return code;
}

static void free_runs(struct compared_runs *runs)
{
    free(runs->items);
    cs_arena_free(&runs->arena);
}

/* ---- changes ---- */

struct comparison {
    struct compared_pair *pairs; /* changed runs */
    uint32_t changed, same, before_alone, after_alone;
};

static int compare_changes(const void *a, const void *b)
{
    const struct compared_pair *x = a, *y = b;
    double dx = fabs(log(x->ratio)), dy = fabs(log(y->ratio));

    if (dx < dy || dx > dy)
        return dx > dy ? -1 : 1;
    return compare_requests(x->before, y->before);
}

static void take_pair(struct comparison *all, const struct compared_run *before,
                      const struct compared_run *after)
{
    if (before->time_ps == after->time_ps) {
        ++all->same;
        return;
    }
    all->pairs[all->changed++] = (struct compared_pair){
        .before = before,
        .after = after,
        .before_s = (double)before->time_ps * 1e-12,
        .after_s = (double)after->time_ps * 1e-12,
        .ratio = before->time_ps ? (double)after->time_ps / (double)before->time_ps : INFINITY};
}

typedef int run_order(const void *a, const void *b);

static void sort_runs(struct compared_runs *runs, run_order *order)
{
    if (runs->count)
        qsort(runs->items, runs->count, sizeof(*runs->items), order);
}

/* Runs from `first` on that are equal in this order. */
static uint32_t count_equal(const struct compared_runs *runs, uint32_t first, run_order *order)
{
    uint32_t end = first + 1;

    while (end < runs->count && order(&runs->items[first], &runs->items[end]) == 0)
        ++end;
    return end - first;
}

/* Pairs the runs that are alone in their place of the order. */
static void find_changes(struct compared_runs *before, struct compared_runs *after,
                         run_order *order, struct comparison *all)
{
    uint32_t b = 0, a = 0;

    all->changed = all->same = all->before_alone = all->after_alone = 0;
    sort_runs(before, order);
    sort_runs(after, order);
    while (b < before->count || a < after->count) {
        int side = b == before->count  ? 1
                   : a == after->count ? -1
                                       : order(&before->items[b], &after->items[a]);
        uint32_t from_b = side <= 0 ? count_equal(before, b, order) : 0;
        uint32_t from_a = side >= 0 ? count_equal(after, a, order) : 0;

        if (from_b == 1 && from_a == 1) {
            take_pair(all, &before->items[b], &after->items[a]);
        } else {
            all->before_alone += from_b;
            all->after_alone += from_a;
        }
        b += from_b;
        a += from_a;
    }
    if (all->changed)
        qsort(all->pairs, all->changed, sizeof(*all->pairs), compare_changes);
}

/* ---- output ---- */

#define AT(member)     CS_AT(struct compared_pair, member)
#define BEFORE(member) CS_VIA(struct compared_pair, before, member)
static const struct cs_sheet_column columns[] = {
    {"topology", "machine", NULL, CS_SHEET_TEXT, AT(machines)},
    {"collective", "collective", NULL, CS_SHEET_TEXT, BEFORE(collective)},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT, BEFORE(algorithm)},
    {"model", "model", NULL, CS_SHEET_TEXT, BEFORE(model)},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT, BEFORE(ranks)},
    {"bytes", "size", NULL, CS_SHEET_BYTES, BEFORE(bytes)},
    {"before_s", "before", NULL, CS_SHEET_SECONDS, AT(before_s)},
    {"after_s", "after", NULL, CS_SHEET_SECONDS, AT(after_s)},
    {"ratio", "after/before", NULL, CS_SHEET_TIMES, AT(ratio)},
};

static void print_changes(const struct cs_cli *cli, const struct comparison *all,
                          enum cs_format format)
{
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "changes", CS_COLUMNS(columns));
    for (uint32_t p = 0; p < all->changed && (format != CS_FORMAT_TEXT || p < SHOWN_RUNS); ++p) {
        struct compared_pair pair = all->pairs[p];

        pair.machines = pair.before->machine;
        if (!cs_same(pair.before->machine, pair.after->machine))
            pair.machines = cs_arena_printf(&sheet.arena, "%s -> %s", pair.before->machine,
                                            pair.after->machine);
        cs_sheet_row(&sheet, &pair);
    }
    if (all->changed || format != CS_FORMAT_TEXT)
        cs_cli_sheet_end(cli, &sheet, format);
}

static void print_summary(const struct cs_cli *cli, const char *before, const char *after,
                          const struct comparison *all)
{
    if (all->changed > SHOWN_RUNS)
        fprintf(cli->messages, "note: the %d greatest of %u changes; --json and --csv list all\n",
                SHOWN_RUNS, all->changed);
    fprintf(cli->messages, "%u runs changed, %u are equal; %u only in '%s', %u only in '%s'\n",
            all->changed, all->same, all->before_alone, before, all->after_alone, after);
}

int cs_compare_databases(const struct cs_cli *cli, const char *before, const char *after,
                         enum cs_format format, struct cs_err *err)
{
    struct compared_runs runs[2] = {{.count = 0}, {.count = 0}};
    struct comparison all = {0};
    int code = load_runs(before, &runs[0], err);

    if (!code)
        code = load_runs(after, &runs[1], err);
    if (!code) {
        all.pairs = cs_grow(NULL, (size_t)runs[0].count + 1, sizeof(*all.pairs));
        find_changes(&runs[0], &runs[1], compare_requests, &all);
        if (!all.changed && !all.same) {
            find_changes(&runs[0], &runs[1], compare_calls, &all);
            if (all.changed || all.same)
                fputs("note: no run has the same options in both; compared by collective, "
                      "algorithm, model, seed, ranks and size\n",
                      cli->messages);
        }
        print_changes(cli, &all, format);
        print_summary(cli, before, after, &all);
        free(all.pairs);
    }
    free_runs(&runs[0]);
    free_runs(&runs[1]);
    return code;
}
