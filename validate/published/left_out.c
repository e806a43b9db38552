#include "validate/published/left_out.h"

#include "algorithms/libraries/nccl/parameters.h"
#include "sim/base/order.h"
#include "sim/base/text.h"
#include "sim/engine/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An error of a row, and the row's share of the weight of its table, and of its site. */
struct left_error {
    double size, weight;
    uint32_t site;
};

/* Rows, and errors by parameters without the site. */
struct left_work {
    const struct cs_estimate_rows *rows;
    double *logs; /* of each row */
    struct left_error *errors;
    uint32_t *sites;  /* the first row of each row's site */
    uint32_t *tables; /* of a site in a cell, by the first row of the site */
    struct cs_left_out *left;
    const double *whole; /* values of all tables; NULL: not solved yet */
};

static const struct cs_published_table *left_table(const struct left_work *work, uint32_t row)
{
    return work->rows->answers[work->rows->items[row].answer].table;
}

/* ---- predictions ---- */

static struct cs_published_point *left_point(const struct left_work *work, uint32_t row)
{
    const struct cs_estimate_row *at = &work->rows->items[row];

    return &work->rows->answers[at->answer].points[at->row];
}

static bool left_enters(const struct left_work *work, const char *site)
{
    for (uint32_t i = 0; i < work->rows->count; i++)
        if (work->rows->items[i].weight > 0 && cs_same(left_table(work, i)->site, site))
            return true;
    return false;
}

/* The values without a site: those of all tables where none of the site enters the
 * estimate. */
static int left_solve(struct left_work *work, const char *site, double *values, struct cs_err *err)
{
    bool enters = left_enters(work, site);
    int code;

    if (!enters && work->whole) {
        memcpy(values, work->whole, work->rows->set->count * sizeof(*values));
        return 0;
    }
    code = cs_estimate_solve(work->rows, site, values, err);
    if (!enters && !code)
        work->whole = values;
    return code;
}

/* |ln| of a measured time over the nearest that is predicted, by what is said or at the slow end
 * of what is left open. */
static double left_log(const struct cs_published_point *point, double time_s, double measured_s)
{
    double slow = fmax(1, point->open_s / point->time_s[CS_PREDICTOR_MODEL]);
    double late = log(measured_s / time_s);

    return late < 0 ? -late : fmax(0, late - log(slow));
}

/* Predicts the rows of the site of row `first` without the site's tables. */
static int left_site(struct left_work *work, uint32_t first, struct cs_err *err)
{
    const char *site = left_table(work, first)->site;
    struct cs_left_out_values *left = &work->left->items[work->left->sites++];
    int code = left_solve(work, site, left->values, err);

    for (uint32_t i = first; i < work->rows->count && !code; i++) {
        const struct cs_estimate_row *row = &work->rows->items[i];
        const struct cs_published_table *table = left_table(work, i);
        struct cs_published_point *point = left_point(work, i);
        struct cs_library_time time;

        if (!cs_same(table->site, site))
            continue;
        cs_estimate_time(work->rows, row, left->values, &time);
        work->logs[i] = left_log(point, time.total_s, table->rows[row->row].time_s);
        point->time_s[CS_PREDICTOR_LEFT_OUT] = time.total_s;
        point->left_s[0] = time.launch_s;
        point->left_s[1] = time.latency_s;
        point->left_s[2] = time.transfer_s;
    }
    left->site = site;
    left->set = work->rows->set;
    return code;
}

const double *cs_left_out_find(const struct cs_left_out *left, const char *site,
                               const struct cs_parameters *set)
{
    for (uint32_t i = 0; i < left->sites; i++)
        if (left->items[i].set == set && cs_same(left->items[i].site, site))
            return left->items[i].values;
    return NULL;
}

static uint32_t left_first(const struct left_work *work, uint32_t row)
{
    uint32_t i = 0;

    while (i < row && !cs_same(left_table(work, i)->site, left_table(work, row)->site))
        i++;
    return i;
}

static bool left_is_first(const struct left_work *work, uint32_t row)
{
    return work->sites[row] == row;
}

/* Room for the sites of these rows after those of other sets. */
static void left_grow(const struct left_work *work, struct cs_arena *arena)
{
    struct cs_left_out *left = work->left;
    uint32_t room = left->sites;
    struct cs_left_out_values *items;

    for (uint32_t i = 0; i < work->rows->count; i++)
        room += left_is_first(work, i);
    items = cs_arena_alloc(arena, room + 1, sizeof(*items));
    for (uint32_t i = 0; i < left->sites; i++)
        items[i] = left->items[i];
    left->items = items;
}

/* ---- half widths ---- */

/* Whether the row counts for a cell; size CS_NCCL_INTERVAL_SIZES: any. */
static bool left_in_cell(const struct left_work *work, uint32_t row, unsigned interval_class,
                         unsigned size)
{
    const struct cs_library_request *request = &work->rows->items[row].request;

    return left_table(work, row)->health == CS_HEALTH_YES &&
           cs_nccl_interval_class(request->site) == interval_class &&
           (size == CS_NCCL_INTERVAL_SIZES || cs_nccl_interval_size(request->bytes) == size);
}

/* Gathers the errors of a cell without those of a site (NULL: all); returns the
 * number of errors and sets the number of tables.  The rows of a table are
 * consecutive. */
static uint32_t left_gather(const struct left_work *work, const unsigned cell[2],
                            const char *without, uint32_t *tables)
{
    uint32_t count = 0;
    uint32_t begin = 0;

    *tables = 0;
    memset(work->tables, 0, work->rows->count * sizeof(*work->tables));
    for (uint32_t i = 0; i < work->rows->count; i++) {
        const struct cs_published_table *table = left_table(work, i);
        bool ends = i + 1 == work->rows->count || left_table(work, i + 1) != table;

        if (left_in_cell(work, i, cell[0], cell[1]) && !(without && cs_same(table->site, without)))
            work->errors[count++] = (struct left_error){work->logs[i], 0, work->sites[i]};
        if (!ends)
            continue;
        *tables += count > begin;
        work->tables[work->sites[i]] += count > begin;
        for (uint32_t k = begin; k < count; k++)
            work->errors[k].weight = 1.0 / (count - begin);
        begin = count;
    }
    for (uint32_t k = 0; k < count; k++)
        work->errors[k].weight /= work->tables[work->errors[k].site];
    return count;
}

/* The 90 % quantile by weight, of which each site has 1: a site stands for the middle of its
 * part (Hazen's positions), since a further one is as often beyond the largest of a few. */
static double left_quantile(struct left_error *errors, uint32_t count)
{
    double total = 0;
    double sum = 0;
    uint32_t i;

    qsort(errors, count, sizeof(*errors), cs_order_of_doubles);
    for (i = 0; i < count; i++)
        total += errors[i].weight;
    for (i = 0; i + 1 < count; i++) {
        sum += errors[i].weight;
        if (sum >= 0.9 * total + 0.5)
            break;
    }
    return errors[i].size;
}

/* NAN for a class without a table. */
static double left_width(const struct left_work *work, const unsigned cell[2], const char *without)
{
    unsigned any[2] = {cell[0], CS_NCCL_INTERVAL_SIZES};
    uint32_t tables;
    uint32_t count = left_gather(work, cell, without, &tables);

    if (tables < LEFT_OUT_TABLES)
        count = left_gather(work, any, without, &tables);
    return count > 0 ? left_quantile(work->errors, count) : (double)NAN;
}

static void left_widths(const struct left_work *work, const char *without,
                        struct cs_nccl_intervals *intervals)
{
    unsigned cell[2];

    for (cell[0] = 0; cell[0] < CS_NCCL_INTERVAL_CLASSES; cell[0]++)
        for (cell[1] = 0; cell[1] < CS_NCCL_INTERVAL_SIZES; cell[1]++)
            intervals->half[cell[0]][cell[1]] = left_width(work, cell, without);
}

/* Sets the intervals of a site's rows from the errors of the other sites, around
 * the time with the shipped parameters as in every point. */
static void left_bound(const struct left_work *work, uint32_t first)
{
    const char *site = left_table(work, first)->site;
    struct cs_nccl_intervals intervals;

    left_widths(work, site, &intervals);
    for (uint32_t i = first; i < work->rows->count; i++) {
        struct cs_published_point *point = left_point(work, i);
        struct cs_library_time time = {.total_s = point->time_s[CS_PREDICTOR_MODEL],
                                       .open_s = point->open_s};

        if (!cs_same(left_table(work, i)->site, site))
            continue;
        cs_nccl_set_interval(&work->rows->items[i].request, &intervals, &time);
        point->low_s = time.low_s;
        point->high_s = time.high_s;
    }
}

int cs_left_out_make(const struct cs_estimate_rows *rows, const struct cs_monitor *monitor,
                     struct cs_arena *arena, struct cs_left_out *left, struct cs_err *err)
{
    struct left_work work = {
        .rows = rows,
        .logs = cs_arena_alloc(arena, rows->count, sizeof(double)),
        .errors = cs_arena_alloc(arena, rows->count, sizeof(*work.errors)),
        .sites = cs_arena_alloc(arena, rows->count, sizeof(*work.sites)),
        .tables = cs_arena_alloc(arena, rows->count, sizeof(*work.tables)),
        .left = left,
    };
    int code = 0;

    for (uint32_t i = 0; i < rows->count; i++)
        work.sites[i] = left_first(&work, i);
    left_grow(&work, arena);
    for (uint32_t i = 0; i < rows->count && !code; i++)
        if (left_is_first(&work, i)) {
            (void)cs_monitor_count(monitor, i, rows->count);
            code = left_site(&work, i, err);
        }
    if (code || rows->set != &cs_nccl_parameter_set)
        return code;
    left_widths(&work, NULL, &left->intervals);
    for (uint32_t i = 0; i < rows->count; i++)
        if (left_is_first(&work, i))
            left_bound(&work, i);
    return 0;
}
