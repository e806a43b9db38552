#include "scenarios/commands/compare_databases.h"

#include "reports/results/store.h"
#include "reports/results/store_rows.h"
#include "sim/base/collections/vector.h"
#include "sim/base/units_show.h"

#include <math.h>
#include <stdlib.h>

enum {
    SHOWN_RUNS = 20
};

/* A run of either database. */
struct compared_run {
    int64_t request;
    uint64_t time_ps, bytes;
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
    double ratio; /* of times */
};

static int take_run(void *ctx, const struct cs_record *record)
{
    struct compared_runs *runs = ctx;

    runs->items = cs_vector_room(runs->items, runs->count + 1, &runs->capacity,
                                 sizeof(*runs->items));
    runs->items[runs->count++] = (struct compared_run){
        .request = cs_store_request_of(record),
        .time_ps = record->time_ps,
        .bytes = record->bytes,
        .ranks = record->ranks,
        .machine = cs_arena_text(&runs->arena, record->topology),
        .collective = cs_arena_text(&runs->arena, record->collective),
        .algorithm = cs_arena_text(&runs->arena, record->algorithm),
        .model = cs_arena_text(&runs->arena, record->model)};
    return 0;
}

static int compare_requests(const void *a, const void *b)
{
    int64_t x = ((const struct compared_run *)a)->request;
    int64_t y = ((const struct compared_run *)b)->request;

    return (x > y) - (x < y);
}

static int load_runs(const char *path, struct compared_runs *runs,
                     struct cs_err *err)
{
    struct cs_store *store = NULL;
    int code = cs_store_open(path, CS_STORE_EXISTING, &store, err);

    if (!code)
        code = cs_store_each(store, CS_STORE_LATEST, take_run, runs, err);
    cs_store_close(store);
    if (!code && runs->count)
        qsort(runs->items, runs->count, sizeof(*runs->items), compare_requests);
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
        before, after,
        before->time_ps ? (double)after->time_ps / (double)before->time_ps
                        : INFINITY};
}

static void find_changes(const struct compared_runs *before,
                         const struct compared_runs *after,
                         struct comparison *all)
{
    uint32_t b = 0, a = 0;

    while (b < before->count && a < after->count) {
        int order = compare_requests(&before->items[b], &after->items[a]);

        if (order == 0)
            take_pair(all, &before->items[b++], &after->items[a++]);
        else if (order < 0)
            ++all->before_alone, ++b;
        else
            ++all->after_alone, ++a;
    }
    all->before_alone += before->count - b;
    all->after_alone += after->count - a;
    if (all->changed)
        qsort(all->pairs, all->changed, sizeof(*all->pairs), compare_changes);
}

/* ---- output ---- */

static const struct cs_sheet_column columns[] = {
    {"topology", "machine", NULL, CS_SHEET_TEXT},
    {"collective", "collective", NULL, CS_SHEET_TEXT},
    {"algorithm", "algorithm", NULL, CS_SHEET_TEXT},
    {"model", "model", NULL, CS_SHEET_TEXT},
    {"ranks", "ranks", NULL, CS_SHEET_COUNT},
    {"bytes", "size", NULL, CS_SHEET_BYTES},
    {"before_s", "before", NULL, CS_SHEET_SECONDS},
    {"after_s", "after", NULL, CS_SHEET_SECONDS},
    {"ratio", "after/before", NULL, CS_SHEET_TIMES},
};

static void print_changes(const struct cs_cli *cli,
                          const struct comparison *all, enum cs_format format)
{
    struct cs_sheet sheet = {0};

    cs_sheet_begin(&sheet, "changes", columns,
                   sizeof(columns) / sizeof(*columns));
    for (uint32_t p = 0; p < all->changed; ++p) {
        const struct compared_pair *pair = &all->pairs[p];

        if (format == CS_FORMAT_TEXT && p == SHOWN_RUNS)
            break;
        cs_sheet_text(&sheet, pair->before->machine);
        cs_sheet_text(&sheet, pair->before->collective);
        cs_sheet_text(&sheet, pair->before->algorithm);
        cs_sheet_text(&sheet, pair->before->model);
        cs_sheet_u64(&sheet, pair->before->ranks);
        cs_sheet_u64(&sheet, pair->before->bytes);
        cs_sheet_real(&sheet, (double)pair->before->time_ps * 1e-12);
        cs_sheet_real(&sheet, (double)pair->after->time_ps * 1e-12);
        cs_sheet_real(&sheet, pair->ratio);
    }
    if (all->changed || format != CS_FORMAT_TEXT)
        cs_cli_sheet(cli, &sheet, format);
    cs_sheet_free(&sheet);
}

static void print_summary(const struct cs_cli *cli, const char *before,
                          const char *after, const struct comparison *all)
{
    if (all->changed > SHOWN_RUNS)
        fprintf(cli->messages,
                "note: the %d greatest of %u changes; --json and --csv list "
                "all\n",
                SHOWN_RUNS, all->changed);
    fprintf(cli->messages,
            "%u runs changed, %u are equal; %u only in '%s', %u only in '%s'\n",
            all->changed, all->same, all->before_alone, before,
            all->after_alone, after);
}

int cs_compare_databases(const struct cs_cli *cli, const char *before,
                         const char *after, enum cs_format format,
                         struct cs_err *err)
{
    struct compared_runs runs[2] = {{.count = 0}, {.count = 0}};
    struct comparison all = {0};
    int code = load_runs(before, &runs[0], err);

    if (!code)
        code = load_runs(after, &runs[1], err);
    if (!code) {
        all.pairs =
            cs_grow(NULL, (size_t)runs[0].count + 1, sizeof(*all.pairs));
        find_changes(&runs[0], &runs[1], &all);
        print_changes(cli, &all, format);
        print_summary(cli, before, after, &all);
        free(all.pairs);
    }
    free_runs(&runs[0]);
    free_runs(&runs[1]);
    return code;
}
