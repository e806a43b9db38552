#include "validate/fit/state.h"

#include "algorithms/libraries/carried.h"
#include "sim/base/least_squares.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS_MAX = 12,   /* of weights */
    ROUNDS_USUAL = 10, /* for the estimate of the time to go */
    SCAN_STEPS = 12,   /* each way */
};

static const double freedom = 4;        /* of Student's t */
static const double normal_mad = .6745; /* median |r| of a normal, sigma 1 */
static const double settled = .01;      /* change of sigma that ends the rounds */
static const double farthest = 10;      /* largest |ln(value / prior)| */
static const double far_residual = 50;
static const double precision = 1e-4; /* of u, far below a standard error */
/* The noise of a size before a row is seen, and its weight in rows: repeated
 * runs of nccl-tests on quiet machines differ by 1 to 5 %. */
static const double usual_noise = .03;
static const double usual_rows = 4;
static const double no_noise = .5; /* far above that of any machine: rows are off, not noisy */
/* Degrees of freedom of the prior of a machine's own properties. */
static const double tail = 1;
static const double scan_step = .25;   /* of ln(value): to 20 times, both ways */
static const double scan_spreads = .4; /* at least, in spreads */
/* Rows that n rows are worth: errors of neighbouring sizes correlate by .5. */
static const double independent = 1. / 3;

double cs_fit_row_time(const struct cs_fit *fit, const struct cs_fit_row *row, const double *values)
{
    struct cs_library_time time;

    fit->library->call_time(row->call, values, &time);
    return time.total_s;
}

static double problem_residual(const struct cs_fit_problem *problem, uint32_t i)
{
    const struct cs_fit_row *row = &problem->fit->rows[problem->rows[i]];
    double r = log(row->measured_s / cs_fit_row_time(problem->fit, row, problem->values));

    return fmax(-far_residual, fmin(far_residual, r));
}

static void problem_set(const struct cs_fit_problem *problem, const double *unknowns)
{
    for (uint32_t k = 0; k < problem->fit->count; k++) {
        const struct cs_fit_parameter *is = &problem->fit->parameters[k];
        double more = fmax(-farthest, fmin(farthest, unknowns[k] * is->spread));

        problem->values[is->parameter] = is->prior * exp(more);
    }
}

/* The prior's residual of a move: of Student's t with a degree of freedom for
 * what most machines have as described and some not at all. */
static double problem_move(const struct cs_fit_parameter *is, double unknown)
{
    return is->is_machine ? copysign(sqrt((1 + tail) * log1p(unknown * unknown / tail)), unknown)
                          : unknown;
}

/* Student's t is a normal distribution of unknown width: the mean of its
 * precision at a value is (1 + tail) / (u^2 + tail). */
double cs_fit_prior_variance(const struct cs_fit_parameter *is, double unknown)
{
    return is->is_machine ? fmax(1, (unknown * unknown + tail) / (1 + tail)) : 1;
}

/* Rows from `first` on of one table. */
static uint32_t problem_table_end(const struct cs_fit_problem *problem, uint32_t first)
{
    const struct cs_fit_row *rows = problem->fit->rows;
    uint32_t end = first + 1;

    while (end < problem->row_count &&
           rows[problem->rows[end]].table == rows[problem->rows[first]].table)
        end++;
    return end;
}

/* Residuals of a table whose rows have a common error of their own: of
 * I + v v', v the common error over the errors of the rows, the inverse square
 * root times the residuals. */
static void problem_whiten(const struct cs_fit_problem *problem, uint32_t first, uint32_t end,
                           double *residuals)
{
    double squares = 0;
    double product = 0;
    double share;

    for (uint32_t i = first; i < end; i++) {
        double v = CS_OWN_ERROR * sqrt(problem->weights[i]) / problem->scale;

        squares += v * v;
        product += v * residuals[i];
    }
    if (!(squares > 0))
        return;
    share = (1 - 1 / sqrt(1 + squares)) / squares * product;
    for (uint32_t i = first; i < end; i++)
        residuals[i] -= share * CS_OWN_ERROR * sqrt(problem->weights[i]) / problem->scale;
}

static void problem_evaluate(const void *context, const double *unknowns, double *residuals)
{
    const struct cs_fit_problem *problem = context;
    uint32_t count = problem->fit->count;

    problem_set(problem, unknowns);
    for (uint32_t i = 0; i < problem->row_count; i++)
        residuals[i] = sqrt(problem->weights[i]) / problem->scale * problem_residual(problem, i);
    for (uint32_t i = 0, end; i < problem->row_count; i = end) {
        end = problem_table_end(problem, i);
        problem_whiten(problem, i, end, residuals);
    }
    for (uint32_t k = 0; k < count; k++)
        residuals[problem->row_count + k] =
            sqrt(problem->kappa) * (problem->slopes
                                        ? problem->slopes[k] * unknowns[k]
                                        : problem_move(&problem->fit->parameters[k], unknowns[k]));
}

static struct cs_least_squares problem_squares(const struct cs_fit_problem *problem)
{
    return (struct cs_least_squares){
        .unknowns = problem->fit->count,
        .residuals = problem->row_count + problem->fit->count,
        .evaluate = problem_evaluate,
        .context = problem,
        .precision = precision,
    };
}

struct cs_fit_problem cs_fit_problem_open(const struct cs_fit *fit, const uint32_t *rows,
                                          uint32_t row_count, double kappa, struct cs_arena *arena)
{
    struct cs_fit_problem problem = {
        .fit = fit,
        .rows = rows,
        .row_count = row_count,
        .kappa = kappa,
        .values = cs_arena_alloc(arena, fit->library->parameters->count, sizeof(double)),
        .unknowns = cs_arena_alloc(arena, fit->count, sizeof(double)),
        .weights = cs_arena_alloc(arena, row_count, sizeof(double)),
        .ones = cs_arena_alloc(arena, row_count, sizeof(double)),
    };

    for (uint32_t k = 0; k < fit->library->parameters->count; k++)
        problem.values[k] = fit->prior.values[k];
    for (uint32_t i = 0; i < row_count; i++)
        problem.ones[i] = 1;
    return problem;
}

/* Values, unknowns and weights of one problem for another of the same rows. */
static void problem_copy(const struct cs_fit_problem *from, struct cs_fit_problem *to)
{
    memcpy(to->values, from->values, from->fit->library->parameters->count * sizeof(*to->values));
    memcpy(to->unknowns, from->unknowns, from->fit->count * sizeof(*to->unknowns));
    memcpy(to->weights, from->weights, from->row_count * sizeof(*to->weights));
    to->sigma = from->sigma;
    to->scale = from->scale;
    to->neighbours = from->neighbours;
}

/* ---- noise ---- */

double cs_fit_median(double *values, uint32_t count)
{
    qsort(values, count, sizeof(*values), cs_order_of_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Unknowns that the rows determine: the share of the prior's variance that is
 * gone. */
static double problem_determined(const struct cs_fit_problem *problem, const double *covariance)
{
    uint32_t count = problem->fit->count;
    double sum = 0;

    for (uint32_t k = 0; k < count; k++)
        sum += 1 - fmin(1, covariance[(size_t)k * count + k] /
                               cs_fit_prior_variance(&problem->fit->parameters[k],
                                                     problem->unknowns[k]));
    return sum;
}

/* The median of |r|, for the rows that no unknown follows; near the usual noise
 * for few. */
static double problem_noise(const double *residuals, uint32_t count, double determined,
                            double *sizes)
{
    double rows = fmax(count - determined, .1 * count);
    double median;
    double sigma;

    for (uint32_t i = 0; i < count; i++)
        sizes[i] = fabs(residuals[i]);
    median = cs_fit_median(sizes, count);
    sigma = median / normal_mad * sqrt(count / rows);
    return sqrt((usual_rows * usual_noise * usual_noise + rows * sigma * sigma) /
                (usual_rows + rows));
}

static double problem_weight(double r, double sigma)
{
    double z = r / sigma;

    return (freedom + 1) / (freedom + z * z);
}

/* Variance of the estimate by weights over that of all rows with the weight 1:
 * mean(psi^2) / mean(psi')^2, psi = w z. */
static double problem_efficiency(const double *residuals, uint32_t count, double sigma)
{
    double squares = 0;
    double slopes = 0;

    for (uint32_t i = 0; i < count; i++) {
        double z = residuals[i] / sigma;
        double w = problem_weight(residuals[i], sigma);
        double psi = w * z;

        squares += psi * psi / count;
        slopes += w * (1 - 2 * z * z / (freedom + z * z)) / count;
    }
    return fmax(1, squares) / fmax(.04, slopes * slopes);
}

static double problem_neighbours(const struct cs_fit_problem *problem, const double *residuals)
{
    double both = 0;
    double all = 0;

    for (uint32_t i = 0; i < problem->row_count; i++) {
        double r = residuals[i] * sqrt(problem->weights[i]);
        bool is_next = i > 0 && problem->fit->rows[problem->rows[i]].table ==
                                    problem->fit->rows[problem->rows[i - 1]].table;

        all += r * r;
        if (is_next)
            both += r * residuals[i - 1] * sqrt(problem->weights[i - 1]);
    }
    return all > 0 ? fmax(0, fmin(.8, both / all)) : 0;
}

/* The residuals without the common error of each table. */
static void problem_take_offsets(const struct cs_fit_problem *problem, double *residuals)
{
    for (uint32_t first = 0, end; first < problem->row_count; first = end) {
        double each = CS_OWN_ERROR * CS_OWN_ERROR / (problem->scale * problem->scale);
        double sum = 0;
        double weights = 0;

        end = problem_table_end(problem, first);
        for (uint32_t i = first; i < end; i++) {
            weights += problem->weights[i];
            sum += problem->weights[i] * residuals[i];
        }
        for (uint32_t i = first; i < end; i++)
            residuals[i] -= each * sum / (1 + each * weights);
    }
}

/* Weights and scale for the residuals at the last solution. */
static void problem_weigh(struct cs_fit_problem *problem, double determined, double *residuals,
                          double *sizes)
{
    uint32_t count = problem->row_count;
    double rho;
    double rows = fmax(count - determined, 1) + usual_rows;

    for (uint32_t i = 0; i < count; i++)
        residuals[i] = problem_residual(problem, i);
    if (problem->scale > 0)
        problem_take_offsets(problem, residuals);
    problem->sigma = problem_noise(residuals, count, determined, sizes);
    for (uint32_t i = 0; i < count; i++)
        problem->weights[i] = problem_weight(residuals[i], problem->sigma);
    rho = problem->neighbours = problem_neighbours(problem, residuals);
    problem->scale = problem->sigma * sqrt(problem_efficiency(residuals, count, problem->sigma) *
                                           (1 + rho) / (1 - rho) * rows / (rows - 2));
}

/* ---- solution ---- */

int cs_fit_problem_covariance(struct cs_fit_problem *problem, double *covariance,
                              struct cs_err *err)
{
    struct cs_fit_problem plain = *problem;
    struct cs_least_squares squares = problem_squares(&plain);
    double slopes[CS_PARAMETERS_MAX];

    for (uint32_t k = 0; k < problem->fit->count; k++)
        slopes[k] =
            1 / sqrt(cs_fit_prior_variance(&problem->fit->parameters[k], problem->unknowns[k]));
    plain.slopes = slopes;
    plain.weights = problem->ones;
    plain.kappa = 1;
    return cs_least_squares_covariance(&squares, problem->unknowns, covariance, err);
}

/* Room of a solution. */
struct problem_room {
    double *residuals, *sizes; /* row_count */
    double *covariance;        /* count x count */
    struct cs_fit_problem *best;
};

static void problem_report(const struct cs_fit_problem *problem, uint32_t round)
{
    const struct cs_fit *fit = problem->fit;
    uint32_t done = round < ROUNDS_USUAL ? round : ROUNDS_USUAL;

    (void)cs_monitor_count(fit->monitor, (uint64_t)fit->solved * ROUNDS_USUAL + done,
                           (uint64_t)fit->solves * ROUNDS_USUAL);
}

/* What the rows and the prior say against a solution, up to a constant: minus the
 * logarithm of Student's t at the noise of the rows, as evidence of as many rows
 * as waves of errors leave, and of the prior. */
static double problem_misfit(const struct cs_fit_problem *problem)
{
    double sum = problem->row_count * log(problem->sigma);
    double ratio = usual_noise / problem->sigma;
    double prior = usual_rows * (ratio * ratio / 2 - log(ratio));

    for (uint32_t i = 0; i < problem->row_count; i++) {
        double z = problem_residual(problem, i) / problem->sigma;

        sum += (freedom + 1) / 2 * log1p(z * z / freedom);
    }
    for (uint32_t k = 0; k < problem->fit->count; k++) {
        double move = problem_move(&problem->fit->parameters[k], problem->unknowns[k]);

        prior += problem->kappa * move * move / 2;
    }
    return sum * independent + prior;
}

/* Solves and weighs in turn until sigma is settled, or where weights led from a solution that
 * explains the rows to one that calls them all noise, the one with the least misfit. */
static int problem_settle(struct cs_fit_problem *problem, const struct problem_room *room,
                          struct cs_err *err)
{
    struct cs_least_squares squares = problem_squares(problem);
    double misfit, least = INFINITY;

    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        double sigma = problem->sigma;
        int code;

        problem_report(problem, round);
        code = cs_least_squares_solve(&squares, problem->unknowns, err);

        if (!code)
            code = cs_fit_problem_covariance(problem, room->covariance, err);
        if (code)
            return code;
        problem_set(problem, problem->unknowns);
        problem_weigh(problem, problem_determined(problem, room->covariance), room->residuals,
                      room->sizes);
        misfit = problem_misfit(problem);
        if (misfit < least) {
            least = misfit;
            problem_copy(problem, room->best);
        }
        if (fabs(problem->sigma - sigma) <= settled * sigma)
            break;
    }
    if (problem->sigma > no_noise)
        problem_copy(room->best, problem);
    return 0;
}

/* ---- starts ---- */

/* A start: the prior, and weights for its residuals. */
static void problem_start(struct cs_fit_problem *problem, const struct problem_room *room)
{
    for (uint32_t k = 0; k < problem->fit->count; k++)
        problem->unknowns[k] = 0;
    problem_set(problem, problem->unknowns);
    problem->scale = 0;
    problem_weigh(problem, 0, room->residuals, room->sizes);
}

/* Moves one property of the machine to where it explains the rows best; false
 * where it does no better than as described. */
static bool problem_scan(struct cs_fit_problem *problem, uint32_t k,
                         const struct problem_room *room)
{
    const double spread = problem->fit->parameters[k].spread;
    double best = problem->unknowns[k];
    double least = problem_misfit(problem);
    bool is_moved = false;

    for (int step = -SCAN_STEPS; step <= SCAN_STEPS; step++) {
        double misfit;

        problem->unknowns[k] = step * fmax(scan_step / spread, scan_spreads);
        problem_set(problem, problem->unknowns);
        problem->scale = 0;
        problem_weigh(problem, 0, room->residuals, room->sizes);
        misfit = problem_misfit(problem);
        if (misfit < least) {
            least = misfit;
            best = problem->unknowns[k];
            is_moved = true;
        }
    }
    problem->unknowns[k] = best;
    problem_set(problem, problem->unknowns);
    problem->scale = 0;
    problem_weigh(problem, 0, room->residuals, room->sizes);
    return is_moved;
}

/* Solves from another start, and keeps the solution with the least misfit. */
static int problem_try(struct cs_fit_problem *problem, struct cs_fit_problem *other,
                       const struct problem_room *room, struct cs_err *err)
{
    int code = problem_settle(other, room, err);

    if (!code && problem_misfit(other) < problem_misfit(problem))
        problem_copy(other, problem);
    return code;
}

/* The weights have several solutions: from the prior, which takes rows far from
 * it for outliers; from all rows as they are; and from each property of the
 * machine where it alone explains the rows best. */
int cs_fit_problem_solve(struct cs_fit_problem *problem, struct cs_arena *arena, struct cs_err *err)
{
    uint32_t count = problem->fit->count;
    struct cs_fit_problem best =
        cs_fit_problem_open(problem->fit, problem->rows, problem->row_count, problem->kappa, arena);
    const struct problem_room room = {
        .best = &best,
        .residuals = cs_arena_alloc(arena, problem->row_count, sizeof(double)),
        .sizes = cs_arena_alloc(arena, problem->row_count, sizeof(double)),
        .covariance = cs_arena_alloc(arena, (size_t)count * count, sizeof(double)),
    };
    struct cs_fit_problem other =
        cs_fit_problem_open(problem->fit, problem->rows, problem->row_count, problem->kappa, arena);
    int code;

    problem_start(problem, &room);
    code = problem_settle(problem, &room, err);
    problem_start(&other, &room);
    for (uint32_t i = 0; i < other.row_count; i++)
        other.weights[i] = 1;
    other.sigma = other.scale = usual_noise;
    if (!code)
        code = problem_try(problem, &other, &room, err);
    for (uint32_t k = 0; k < count && !code; k++) {
        if (!problem->fit->parameters[k].is_machine)
            continue;
        problem_start(&other, &room);
        if (problem_scan(&other, k, &room))
            code = problem_try(problem, &other, &room, err);
    }
    return code;
}
