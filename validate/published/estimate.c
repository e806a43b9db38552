#include "validate/published/estimate.h"

#include "algorithms/libraries/host/parameters.h"
#include "algorithms/libraries/nccl/parameters.h"
#include "sim/base/least_squares.h"
#include "sim/base/soft_loss.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>

/* ln of the factor of a probe for the parameters of a row: large enough to turn
 * every minimum and maximum of the model. */
#define ESTIMATE_PROBE 8.0

/* Step of a derivative by ln(value). */
#define ESTIMATE_STEP 1e-5

/* Largest |residual|, for values far from any minimum. */
#define ESTIMATE_FAR 50.0

const struct cs_parameters *const cs_estimate_sets[CS_ESTIMATE_SETS] = {&cs_nccl_parameter_set,
                                                                        &cs_host_parameter_set};

/* ---- rows ---- */

static bool estimate_serves(const struct cs_published_answer *answer,
                            const struct cs_parameters *set)
{
    return answer->library && answer->library->parameters == set;
}

/* Tables in use of the publisher of a table, which share machine and causes of
 * error. */
static uint32_t estimate_siblings(const struct cs_estimate_rows *rows, uint32_t answers,
                                  const struct cs_published_table *table)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < answers; i++) {
        const struct cs_published_table *other = rows->answers[i].table;

        count += estimate_serves(&rows->answers[i], rows->set) &&
                 cs_same(other->site, table->site) && other->health == CS_HEALTH_YES &&
                 !other->no_estimate[0];
    }
    return count;
}

static double estimate_weight(const struct cs_published_table *table, uint64_t bytes,
                              uint32_t siblings)
{
    if (table->health != CS_HEALTH_YES || table->no_estimate[0])
        return 0;
    return ESTIMATE_SITE / sqrt((double)siblings * table->row_count) *
           (bytes < 64 << 10 ? ESTIMATE_SMALL : 1);
}

void cs_estimate_time(const struct cs_estimate_rows *rows, const struct cs_estimate_row *row,
                      const double *values, struct cs_library_time *time)
{
    rows->answers[row->answer].library->call_time(row->call, values, time);
}

static double estimate_total(const struct cs_estimate_rows *rows, const struct cs_estimate_row *row,
                             const double *values)
{
    struct cs_library_time time;

    cs_estimate_time(rows, row, values, &time);
    return time.total_s;
}

/* Notes the parameters of the row's time. */
static void estimate_probe(const struct cs_estimate_rows *rows, struct cs_estimate_row *row,
                           struct cs_arena *arena)
{
    double values[CS_PARAMETERS_MAX] = {0};
    uint32_t found[CS_PARAMETERS_MAX] = {0};
    double base;

    cs_parameters_priors(rows->set, values);
    base = estimate_total(rows, row, values);
    for (uint32_t k = 0; k < rows->set->count; k++) {
        bool is_fixed = !(rows->set->items[k].spread > 0);
        double prior = values[k];
        double high;
        double low;

        values[k] = prior * exp(ESTIMATE_PROBE);
        high = estimate_total(rows, row, values);
        values[k] = prior * exp(-ESTIMATE_PROBE);
        low = estimate_total(rows, row, values);
        values[k] = prior;
        if (!is_fixed && (high != base || low != base))
            found[row->parameter_count++] = k;
    }
    row->parameters = cs_arena_alloc(arena, row->parameter_count + 1, sizeof(*row->parameters));
    for (uint32_t k = 0; k < row->parameter_count; k++)
        row->parameters[k] = found[k];
}

static void estimate_add_table(struct cs_estimate_rows *rows, uint32_t index, uint32_t answers,
                               struct cs_arena *arena)
{
    uint32_t siblings = estimate_siblings(rows, answers, rows->answers[index].table);
    const struct cs_published_answer *answer = &rows->answers[index];
    struct cs_site *site = cs_arena_alloc(arena, 1, sizeof(*site));
    uint32_t used = 0;

    *site = cs_published_site_of(answer, CS_EFFECTS_ALL);
    for (uint32_t r = 0; r < answer->table->row_count; r++) {
        struct cs_estimate_row *row = &rows->items[rows->count];
        uint64_t bytes = answer->table->rows[r].bytes;
        struct cs_err err = {0};

        *row = (struct cs_estimate_row){.answer = index, .row = r};
        row->request = cs_published_request_of(answer, site, r, CS_EFFECTS_ALL);
        if (answer->library->prepare(&row->request, arena, &row->call, &err))
            continue;
        row->weight = estimate_weight(answer->table, bytes, siblings);
        used += row->weight > 0;
        estimate_probe(rows, row, arena);
        rows->count++;
    }
    rows->tables += used > 0;
}

void cs_estimate_prepare(const struct cs_published_answer *answers, uint32_t count,
                         const struct cs_parameters *set, struct cs_arena *arena,
                         struct cs_estimate_rows *rows)
{
    size_t room = 1;

    for (uint32_t i = 0; i < count; i++)
        room += answers[i].table->row_count;
    *rows = (struct cs_estimate_rows){
        .set = set,
        .answers = answers,
        .items = cs_arena_alloc(arena, room, sizeof(struct cs_estimate_row))};
    for (uint32_t i = 0; i < count; i++)
        if (estimate_serves(&answers[i], set))
            estimate_add_table(rows, i, count, arena);
}

/* ---- residuals ---- */

/* The rows, and the values of their predictions. */
struct estimate_problem {
    const struct cs_estimate_rows *rows;
    const char *without;
    double *values;
};

static double estimate_row_weight(const struct estimate_problem *problem,
                                  const struct cs_estimate_row *row)
{
    const struct cs_published_table *table = problem->rows->answers[row->answer].table;

    return problem->without && cs_same(table->site, problem->without) ? 0 : row->weight;
}

/* w ln(predicted / measured) */
static double estimate_error(const struct estimate_problem *problem,
                             const struct cs_estimate_row *row, double weight)
{
    const struct cs_published_table *table = problem->rows->answers[row->answer].table;
    double error = weight * log(estimate_total(problem->rows, row, problem->values) /
                                table->rows[row->row].time_s);

    return error > -ESTIMATE_FAR ? fmin(error, ESTIMATE_FAR) : -ESTIMATE_FAR;
}

/* Weight of a deviation of ln(value); constants of a library stay where they
 * are, as no row depends on them. */
static double estimate_pull(const struct cs_parameter *info)
{
    return ESTIMATE_PRIOR / (info->spread > 0 ? info->spread : 1);
}

/* Exact for a constant: a threshold lies at a measured size. */
static double estimate_value(const struct cs_parameter *info, double log_value)
{
    return info->spread > 0 ? exp(log_value) : info->prior;
}

static double estimate_deviation(const struct cs_parameter *info, double log_value)
{
    return estimate_pull(info) * (log_value - log(info->prior));
}

static void estimate_residuals(const void *context, const double *logs, double *residuals)
{
    const struct estimate_problem *problem = context;
    const struct cs_estimate_rows *rows = problem->rows;

    for (uint32_t i = 0; i < rows->set->count; i++) {
        problem->values[i] = estimate_value(&rows->set->items[i], logs[i]);
        residuals[rows->count + i] =
            cs_soft_residual(estimate_deviation(&rows->set->items[i], logs[i]), ESTIMATE_CORNER);
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        double weight = estimate_row_weight(problem, &rows->items[i]);

        residuals[i] = weight > 0
                           ? cs_soft_residual(estimate_error(problem, &rows->items[i], weight),
                                              ESTIMATE_CORNER)
                           : 0;
    }
}

/* Derivatives of a row by the parameters of its time. */
static uint32_t estimate_row_slopes(const struct estimate_problem *problem, const double *logs,
                                    const struct cs_estimate_row *row, uint32_t *unknowns,
                                    double *slopes)
{
    double weight = estimate_row_weight(problem, row);
    double error;
    double slope;

    if (!(weight > 0))
        return 0;
    for (uint32_t i = 0; i < row->parameter_count; i++)
        problem->values[row->parameters[i]] = exp(logs[row->parameters[i]]);
    error = estimate_error(problem, row, weight);
    slope = cs_soft_slope(error, ESTIMATE_CORNER) / ESTIMATE_STEP;
    for (uint32_t i = 0; i < row->parameter_count; i++) {
        double *value = &problem->values[row->parameters[i]];
        double old = *value;

        *value = old * exp(ESTIMATE_STEP);
        unknowns[i] = row->parameters[i];
        slopes[i] = slope * (estimate_error(problem, row, weight) - error);
        *value = old;
    }
    return row->parameter_count;
}

static uint32_t estimate_slopes(const void *context, const double *logs, uint32_t residual,
                                uint32_t *unknowns, double *slopes)
{
    const struct estimate_problem *problem = context;
    const struct cs_estimate_rows *rows = problem->rows;
    uint32_t parameter = residual - rows->count;
    const struct cs_parameter *info;

    if (residual < rows->count)
        return estimate_row_slopes(problem, logs, &rows->items[residual], unknowns, slopes);
    info = &rows->set->items[parameter];
    unknowns[0] = parameter;
    slopes[0] = estimate_pull(info) *
                cs_soft_slope(estimate_deviation(info, logs[parameter]), ESTIMATE_CORNER);
    return 1;
}

int cs_estimate_solve(const struct cs_estimate_rows *rows, const char *without, double *values,
                      struct cs_err *err)
{
    struct estimate_problem own = {rows, without, values};
    struct cs_least_squares problem = {
        .unknowns = rows->set->count,
        .residuals = rows->count + rows->set->count,
        .evaluate = estimate_residuals,
        .context = &own,
        .derive = estimate_slopes,
    };
    double logs[CS_PARAMETERS_MAX];
    int code;

    cs_parameters_priors(rows->set, values);
    for (uint32_t k = 0; k < rows->set->count; k++)
        logs[k] = log(values[k]);
    code = cs_least_squares_solve(&problem, logs, err);
    for (uint32_t k = 0; k < rows->set->count; k++)
        values[k] = estimate_value(&rows->set->items[k], logs[k]);
    return code;
}
