/* Report runs: see report.h. */
#include "reports/figures/plot/figure.h"
#include "reports/figures/report.h"
#include "reports/results/store/store.h"
#include "sim/base/collections/vector.h"
#include "sim/base/hash.h"
#include "sim/engine/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_MIN = 1024,   /* a power of two */
    READING_STEPS = 256 /* updates of the monitor */
};

/* A run that may be drawn. */
struct report_run {
    struct cs_record record;
    size_t number; /* in the order of the database */
};

/* The runs of a point: the first, and the last where there are several. */
struct report_point {
    uint64_t hash;
    uint32_t first, last; /* in `items` */
};

struct report_reading {
    struct cs_report_runs *runs;
    const struct cs_where *where;
    bool met[CS_WHERE_MAX];
    struct report_run *items;
    uint32_t item_count, item_capacity, row_capacity;
    uint64_t seen, all;
    struct report_point *points; /* a hash table; hash 0: free */
    uint32_t point_count, point_capacity;
};

/* ---- points ---- */

/* A curve shows positive numbers only. */
static uint32_t reading_shown(const struct cs_record *run)
{
    return (run->time_ps > 0) | (uint32_t)(run->busbw_Bps > 0) << 1 |
           (uint32_t)(isfinite(run->busbw_Bps) != 0) << 2;
}

/* The texts of a scan are equal where their addresses are. */
#define READING_TEXTS(run)                                                                        \
    {                                                                                             \
        (run)->topology, (run)->topology_spec, (run)->collective, (run)->algorithm, (run)->model, \
            (run)->dtype, (run)->placement, (run)->agent_kind, (run)->hypothetical,               \
            (run)->library, (run)->parameters                                                     \
    }
#define READING_NUMBERS(run)                                           \
    {                                                                  \
        (run)->bytes, (run)->ranks, (run)->agents, reading_shown(run), \
            (uintptr_t)(const void *)(run)->parameter                  \
    }

static uint64_t reading_hash(const struct cs_record *run)
{
    const char *const texts[] = READING_TEXTS(run);
    const uint64_t numbers[] = READING_NUMBERS(run);
    uint64_t hash = 0;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = cs_hash_mix(hash, (uintptr_t)(const void *)texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = cs_hash_mix(hash, numbers[i]);
    return hash ? hash : 1;
}

static bool reading_same_point(const struct cs_record *a, const struct cs_record *b)
{
    const char *const texts[] = READING_TEXTS(a);
    const char *const other_texts[] = READING_TEXTS(b);
    const uint64_t numbers[] = READING_NUMBERS(a);
    const uint64_t other_numbers[] = READING_NUMBERS(b);

    return memcmp(texts, other_texts, sizeof texts) == 0 &&
           memcmp(numbers, other_numbers, sizeof numbers) == 0;
}

/* The slot of the run's point, or the free slot for it. */
static struct report_point *reading_slot(const struct report_reading *reading,
                                         const struct cs_record *run, uint64_t hash)
{
    uint32_t mask = reading->point_capacity - 1;
    uint32_t i = cs_hash_slot(hash) & mask;

    while (reading->points[i].hash &&
           (reading->points[i].hash != hash ||
            !reading_same_point(&reading->items[reading->points[i].first].record, run)))
        i = (i + 1) & mask;
    return &reading->points[i];
}

static void reading_grow(struct report_reading *reading)
{
    struct report_reading old = *reading;

    if (2 * reading->point_count < reading->point_capacity)
        return;
    reading->point_capacity = old.point_capacity ? 2 * old.point_capacity : SLOTS_MIN;
    reading->points = cs_grow(NULL, reading->point_capacity, sizeof reading->points[0]);
    memset(reading->points, 0, reading->point_capacity * sizeof reading->points[0]);
    for (uint32_t i = 0; i < old.point_capacity; i++)
        if (old.points[i].hash)
            *reading_slot(reading, &old.items[old.points[i].first].record, old.points[i].hash) =
                old.points[i];
    free(old.points);
}

/* ---- reading ---- */

static uint32_t reading_keep(struct report_reading *reading, const struct cs_record *run)
{
    uint32_t at = reading->item_count++;

    reading->items =
        cs_vector_room(reading->items, at + 1, &reading->item_capacity, sizeof reading->items[0]);
    reading->items[at] = (struct report_run){*run, reading->runs->count};
    return at;
}

static void reading_keep_point(struct report_reading *reading, const struct cs_record *run)
{
    uint64_t hash = reading_hash(run);
    struct report_point *point;

    reading_grow(reading);
    point = reading_slot(reading, run, hash);
    if (!point->hash) {
        uint32_t at = reading_keep(reading, run);

        *point = (struct report_point){hash, at, at};
        reading->point_count++;
    } else if (point->last == point->first) {
        point->last = reading_keep(reading, run);
    } else {
        reading->items[point->last] = (struct report_run){*run, reading->runs->count};
    }
}

static void reading_keep_row(struct report_reading *reading, const struct cs_record *run)
{
    struct cs_report_runs *runs = reading->runs;

    runs->rows = cs_vector_room(runs->rows, (uint32_t)runs->row_count + 1, &reading->row_capacity,
                                sizeof runs->rows[0]);
    runs->rows[runs->row_count++] = *run;
}

/* The times of a run live during the call only. */
static int reading_take(void *ctx, const struct cs_record *record)
{
    struct report_reading *reading = ctx;
    struct cs_report_runs *runs = reading->runs;
    struct cs_record run = *record;

    if (reading->seen++ % (reading->all / READING_STEPS + 1) == 0)
        (void)cs_monitor_count(runs->monitor, reading->seen - 1, CS_REPORT_PARTS * reading->all);
    if (reading->where && !cs_where_keeps(reading->where, &run, reading->met))
        return 0;
    if (run.spread.times) {
        double *times = cs_arena_alloc(&runs->arena, run.spread.runs, sizeof *times);

        memcpy(times, run.spread.times, run.spread.runs * sizeof *times);
        run.spread.times = times;
    }
    if (runs->row_count < CS_REPORT_ROWS)
        reading_keep_row(reading, &run);
    if (run.spread.times || !isnan(run.slowdown))
        (void)reading_keep(reading, &run);
    else
        reading_keep_point(reading, &run);
    runs->count++;
    return 0;
}

static int reading_order(const void *a, const void *b)
{
    const struct report_run *const *left = a;
    const struct report_run *const *right = b;

    return ((*left)->number > (*right)->number) - ((*left)->number < (*right)->number);
}

/* The runs in the order of the database: a last run took the place of earlier
 * ones. */
static void reading_sort(const struct report_reading *reading)
{
    struct cs_report_runs *runs = reading->runs;
    size_t count = reading->item_count;
    const struct report_run **order = cs_grow(NULL, count, sizeof *order);

    for (size_t i = 0; i < count; i++)
        order[i] = &reading->items[i];
    qsort(order, count, sizeof *order, reading_order);
    runs->drawn = cs_grow(NULL, count, sizeof runs->drawn[0]);
    for (size_t i = 0; i < count; i++)
        runs->drawn[i] = order[i]->record;
    runs->drawn_count = count;
    free(order);
}

/* The reason why no run is left, with the nearest value: a second reading with
 * all runs at once. */
static int reading_refuse(struct cs_store *store, const struct cs_where *where, struct cs_err *err)
{
    CS_AT_END(cs_records_free) struct cs_records records = {0};
    int rc = cs_store_load(store, CS_STORE_LATEST, &records, err);

    if (!rc && records.count == 0)
        rc = cs_err_set(err, CS_EINPUT, "the results database has no runs");
    return rc ? rc : cs_where_filter(where, &records, err);
}

static bool reading_met_all(const struct report_reading *reading)
{
    for (size_t i = 0; reading->where && i < reading->where->count; i++)
        if (!reading->met[i])
            return false;
    return reading->runs->count > 0;
}

int cs_report_runs_read(struct cs_store *store, const struct cs_where *where,
                        struct cs_report_runs *runs, struct cs_err *err)
{
    struct report_reading reading = {.runs = runs, .where = where};
    int rc = runs->monitor ? cs_store_last(store, &reading.all, err) : 0;

    if (!rc)
        rc = cs_store_scan(store, CS_STORE_LATEST, reading_take, &reading, &runs->arena, err);

    if (!rc && !reading_met_all(&reading)) {
        static const struct cs_where all = {.count = 0};

        rc = reading_refuse(store, where ? where : &all, err);
    }
    if (!rc)
        reading_sort(&reading);
    free(reading.items);
    free(reading.points);
    return rc;
}

void cs_report_runs_free(struct cs_report_runs *runs)
{
    free(runs->drawn);
    free(runs->rows);
    cs_arena_free(&runs->arena);
    *runs = (struct cs_report_runs){0};
}
