#include "validate/fit/fit.h"

#include "validate/fit/state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ln of the factor of a probe for the parameters of a row: large enough to turn
 * every minimum and maximum of the model. */
static const double probe = 8;
static const double outlier_weight = .25;
/* ln(error) by which held-out rows of a table may be predicted worse than by the
 * prior, where those of all tables are predicted better. */
static const double table_slack = .15;
static const double hopeless = 2.0794; /* ln 8 */
/* The model has minima and maxima, which derivatives at one place do not see: of
 * parameters drawn for synthetic logs of ten machines, errors from derivatives
 * hold 81 % where 90 % are due, with this factor 86 to 88 %. */
static const double kinks = 1.3;
static const double kappa_step = 4;
static const double kappa_most = 256;

enum {
    FOLDS_OF_SIZES = 5,
    TABLES_FOR_FOLDS = 3,
    LAST_SOLVES = 2, /* of all rows */
};

struct cs_fit_prior cs_fit_prior_of_library(const struct cs_library *library)
{
    const struct cs_parameters *set = library->parameters;
    struct cs_fit_prior prior;

    cs_parameters_values(set, prior.values);
    for (uint32_t k = 0; k < set->count; k++)
        prior.spreads[k] = cs_parameters_spread(set, k);
    return prior;
}

int cs_fit_prepare(const struct cs_library *library, struct cs_arena *arena, struct cs_fit_row *row,
                   struct cs_err *err)
{
    return library->prepare(&row->request, arena, &row->call, err);
}

/* ---- parameters ---- */

static bool fit_matters(const struct cs_fit *fit, double *values, uint32_t k)
{
    double value = values[k];
    bool matters = false;

    for (uint32_t i = 0; i < fit->row_count && !matters; i++) {
        double base = fit->rows[i].before_s;

        values[k] = value * exp(probe);
        matters = cs_fit_row_time(fit, &fit->rows[i], values) != base;
        values[k] = value * exp(-probe);
        matters = matters || cs_fit_row_time(fit, &fit->rows[i], values) != base;
    }
    values[k] = value;
    return matters;
}

static void fit_find_parameters(struct cs_fit *fit, struct cs_arena *arena)
{
    fit->parameters =
        cs_arena_alloc(arena, fit->library->parameters->count, sizeof(*fit->parameters));
    fit->count = 0;
    for (uint32_t i = 0; i < fit->row_count; i++)
        fit->rows[i].before_s = cs_fit_row_time(fit, &fit->rows[i], fit->prior.values);
    for (uint32_t k = 0; k < fit->library->parameters->count; k++)
        fit->values[k] = fit->prior.values[k];
    for (uint32_t k = 0; k < fit->library->parameters->count; k++)
        if (fit->prior.spreads[k] > 0 && fit_matters(fit, fit->values, k))
            fit->parameters[fit->count++] = (struct cs_fit_parameter){
                .parameter = k,
                .prior = fit->prior.values[k],
                .spread = fit->prior.spreads[k],
                .is_machine = fit->library->parameters->items[k].machine_spread > 0,
                .value = fit->prior.values[k],
            };
}

/* ---- errors ---- */

static double fit_residual(double measured_s, double predicted_s)
{
    return fmin(1, fabs(log(measured_s / predicted_s)));
}

/* The mean of the rows' residuals by one of their predictions, a member at an offset. */
static double fit_mean(const struct cs_fit *fit, size_t predicted)
{
    double sum = 0;

    for (uint32_t i = 0; i < fit->row_count; i++) {
        double predicted_s;

        memcpy(&predicted_s, (const char *)&fit->rows[i] + predicted, sizeof(predicted_s));
        sum += fit_residual(fit->rows[i].measured_s, predicted_s);
    }
    return sum / fit->row_count;
}

static int fit_check(const struct cs_fit *fit, struct cs_arena *arena, struct cs_err *err)
{
    double *sizes = cs_arena_alloc(arena, fit->row_count, sizeof(double));
    double median;

    for (uint32_t i = 0; i < fit->row_count; i++)
        sizes[i] = fabs(log(fit->rows[i].measured_s / fit->rows[i].before_s));
    median = cs_fit_median(sizes, fit->row_count);
    if (median <= hopeless)
        return 0;
    return cs_err_set(err, CS_EANSWER,
                      "measured times differ from the model's by a factor of %.3g at the median; "
                      "expected at most 8, as of another --topo, --nodes or --collective",
                      exp(median));
}

/* ---- folds ---- */

/* Tables, or fifths of the sizes with neighbours together. */
static void fit_cut_folds(struct cs_fit *fit)
{
    uint32_t tables = 0;
    uint32_t blocks = fit->row_count < FOLDS_OF_SIZES ? fit->row_count : FOLDS_OF_SIZES;

    for (uint32_t i = 0; i < fit->row_count; i++)
        tables = fit->rows[i].table >= tables ? fit->rows[i].table + 1 : tables;
    fit->folds = tables < TABLES_FOR_FOLDS   ? blocks
                 : tables < CS_FIT_FOLDS_MAX ? tables
                                             : CS_FIT_FOLDS_MAX;
    for (uint32_t i = 0; i < fit->row_count; i++)
        fit->rows[i].fold = tables < TABLES_FOR_FOLDS
                                ? (uint32_t)((uint64_t)i * blocks / fit->row_count)
                                : fit->rows[i].table % fit->folds;
}

/* Predicts the rows of a fold by the others. */
static int fit_hold_out(const struct cs_fit *fit, uint32_t fold, double kappa,
                        struct cs_arena *arena, struct cs_err *err)
{
    uint32_t *others = cs_arena_alloc(arena, fit->row_count, sizeof(*others));
    struct cs_fit_problem problem;
    uint32_t count = 0;
    int code;

    for (uint32_t i = 0; i < fit->row_count; i++)
        if (fit->rows[i].fold != fold)
            others[count++] = i;
    if (!count)
        return 0;
    problem = cs_fit_problem_open(fit, others, count, kappa, arena);
    code = cs_fit_problem_solve(&problem, arena, err);
    for (uint32_t i = 0; i < fit->row_count; i++)
        if (fit->rows[i].fold == fold)
            fit->rows[i].held_out_s = cs_fit_row_time(fit, &fit->rows[i], problem.values);
    return code;
}

/* Whether held-out rows of every table are predicted no worse than by the prior,
 * beyond the error that a table has of its own. */
static bool fit_serves_tables(const struct cs_fit *fit)
{
    for (uint32_t i = 0, end; i < fit->row_count; i = end) {
        double worse = 0;

        for (end = i; end < fit->row_count && fit->rows[end].table == fit->rows[i].table; end++)
            worse += fit_residual(fit->rows[end].measured_s, fit->rows[end].held_out_s) -
                     fit_residual(fit->rows[end].measured_s, fit->rows[end].before_s);
        if (worse > table_slack * (end - i))
            return false;
    }
    return true;
}

/* The least kappa whose held-out error is not above the prior's. */
static int fit_choose_kappa(struct cs_fit *fit, struct cs_arena *arena, struct cs_err *err)
{
    int code = 0;

    fit->held_out_before = fit->before;
    for (fit->kappa = 1; fit->kappa <= kappa_most; fit->kappa *= kappa_step) {
        fit->solves = fit->solved + fit->folds + LAST_SOLVES;
        for (uint32_t f = 0; f < fit->folds && !code; f++, fit->solved++)
            code = fit_hold_out(fit, f, fit->kappa, arena, err);
        if (code)
            return code;
        fit->held_out = fit_mean(fit, offsetof(struct cs_fit_row, held_out_s));
        if (fit->held_out <= fit->held_out_before && fit_serves_tables(fit))
            return 0;
    }
    for (uint32_t i = 0; i < fit->row_count; i++)
        fit->rows[i].held_out_s = fit->rows[i].before_s;
    fit->kappa = INFINITY;
    fit->held_out = fit->held_out_before;
    return 0;
}

/* ---- the answer ---- */

/* Errors are those of the prior as stated, and of the shift by a larger kappa. */
static void fit_take_errors(struct cs_fit *fit, const struct cs_fit_problem *plain,
                            const double *covariance)
{
    uint32_t count = fit->count;

    for (uint32_t k = 0; k < count; k++) {
        struct cs_fit_parameter *is = &fit->parameters[k];
        double whole = cs_fit_prior_variance(is, plain->unknowns[k]);
        double variance = fmin(whole, covariance[(size_t)k * count + k]);
        double shift = log(is->value / is->prior) / is->spread - plain->unknowns[k];
        double error = variance + shift * shift;

        is->error = is->spread * fmin(sqrt(whole), kinks * sqrt(error));
        is->learned = 1 - fmin(1, error / whole);
        for (uint32_t j = 0; j < count; j++)
            fit->correlations[(size_t)k * count + j] =
                covariance[(size_t)k * count + j] /
                sqrt(covariance[(size_t)k * count + k] * covariance[(size_t)j * count + j]);
    }
}

static void fit_take_rows(struct cs_fit *fit, const struct cs_fit_problem *plain)
{
    fit->outliers = 0;
    for (uint32_t i = 0; i < fit->row_count; i++) {
        fit->rows[i].after_s = cs_fit_row_time(fit, &fit->rows[i], fit->values);
        fit->rows[i].weight = plain->weights[i];
        fit->outliers += plain->weights[i] < outlier_weight;
    }
    fit->noise = plain->sigma;
    fit->neighbours = plain->neighbours;
    fit->after = fit_mean(fit, offsetof(struct cs_fit_row, after_s));
}

static int fit_solve(struct cs_fit *fit, struct cs_arena *arena, struct cs_err *err)
{
    uint32_t count = fit->count;
    uint32_t *all = cs_arena_alloc(arena, fit->row_count, sizeof(*all));
    double *covariance = cs_arena_alloc(arena, (size_t)count * count, sizeof(double));
    struct cs_fit_problem plain;
    struct cs_fit_problem shrunk;
    int code;

    for (uint32_t i = 0; i < fit->row_count; i++)
        all[i] = i;
    plain = cs_fit_problem_open(fit, all, fit->row_count, 1, arena);
    code = cs_fit_problem_solve(&plain, arena, err);
    fit->solved++;
    if (!code)
        code = cs_fit_problem_covariance(&plain, covariance, err);
    shrunk = cs_fit_problem_open(fit, all, fit->row_count, fit->kappa, arena);
    if (!code && isfinite(fit->kappa))
        code = cs_fit_problem_solve(&shrunk, arena, err);
    if (code)
        return code;
    for (uint32_t k = 0; k < fit->library->parameters->count; k++)
        fit->values[k] = shrunk.values[k];
    for (uint32_t k = 0; k < count; k++)
        fit->parameters[k].value = fit->values[fit->parameters[k].parameter];
    fit_take_errors(fit, &plain, covariance);
    fit_take_rows(fit, &plain);
    return 0;
}

int cs_fit_make(struct cs_fit *fit, struct cs_arena *arena, struct cs_err *err)
{
    int code;

    if (fit->row_count < 2)
        return cs_err_set(err, CS_ECANNOT, "%u measured size; expected at least 2 for a fit",
                          fit->row_count);
    fit_find_parameters(fit, arena);
    if (!fit->count)
        return cs_err_set(err, CS_ECANNOT,
                          "no parameter of the model changes the times of these calls");
    code = fit_check(fit, arena, err);
    if (code)
        return code;
    fit->correlations = cs_arena_alloc(arena, (size_t)fit->count * fit->count, sizeof(double));
    fit->before = fit_mean(fit, offsetof(struct cs_fit_row, before_s));
    fit_cut_folds(fit);
    code = fit_choose_kappa(fit, arena, err);
    return code ? code : fit_solve(fit, arena, err);
}
