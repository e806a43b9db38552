#include "validate/published/left_out.h"

#include "algorithms/libraries/nccl_library.h"
#include "algorithms/libraries/nccl_parameters.h"
#include "sim/base/text.h"

#include <math.h>
#include <string.h>

/* Weight of a parameter's distance to its prior, in spreads, beside a table whose
 * rows together weigh TABLE_WEIGHT. */
#define PRIOR_WEIGHT 0.35
#define TABLE_WEIGHT 3.0
/* Small sizes vary more between runs of one machine. */
#define SMALL_WEIGHT 0.6
/* soft_l1 turns from square to linear at this weighted residual. */
#define SOFT_CORNER 0.3
/* Step of the derivatives in ln of a parameter. */
#define DERIVATIVE_STEP 0.02
/* No parameter moves by more than this ln from its shipped value. */
#define MOVE_MAX 1.0

enum {
    PARAMETERS = CS_NCCL_PARAMETERS,
    SMALL_BYTES = 64 << 10,
    ITERATIONS = 12,
    /* Rows of a table that show whether the table depends on a parameter. */
    PROBES = 4,
};

/* The derivative of a row's ln(time) by ln of a parameter. */
struct left_slope {
    uint32_t parameter;
    double slope;
};

/* A row of the basis at the shipped parameters. */
struct left_row {
    const char *site;
    double weight, residual; /* ln(predicted / measured) */
    struct left_slope *slopes;
    uint32_t slope_count;
};

struct left_basis {
    struct left_row *rows;
    uint32_t count;
};

static bool left_has_parameters(const struct cs_published_answer *answer)
{
    return !answer->unknown && (cs_same(answer->table->library, "nccl") ||
                                cs_same(answer->table->library, "rccl"));
}

/* A row with the given parameters; total_s is NAN for a refusal. */
static struct cs_library_time left_row_time(
    const struct cs_published_answer *answer, const struct cs_site *site,
    uint32_t row, const double *parameters)
{
    struct cs_library_request request =
        cs_published_request_of(answer, site, row, CS_EFFECTS_ALL);
    struct cs_library_time time = {0};
    struct cs_err err = {0};

    if (cs_nccl_library_time(&request, parameters, &time, &err))
        time.total_s = (double)NAN;
    return time;
}

static double left_time(const struct cs_published_answer *answer,
                        const struct cs_site *site, uint32_t row,
                        const double *parameters)
{
    return left_row_time(answer, site, row, parameters).total_s;
}

/* ---- the basis ---- */

/* Slopes of all rows of a table by one parameter; a table whose probes do not
 * move has none. */
static void left_slopes(const struct cs_published_answer *answer,
                        struct left_row *rows, uint32_t parameter,
                        double *parameters)
{
    const struct cs_published_table *table = answer->table;
    struct cs_site site = cs_published_site_of(answer);
    double shipped = parameters[parameter];
    bool moves = false;
    uint32_t i;

    parameters[parameter] = shipped * exp(DERIVATIVE_STEP);
    for (i = 0; i < PROBES && !moves; i++) {
        uint32_t row = i * (table->row_count - 1) / (PROBES - 1);

        moves = left_time(answer, &site, row, parameters) !=
                answer->points[row].time_s[CS_PREDICTOR_MODEL];
    }
    for (i = 0; i < table->row_count && moves; i++) {
        double slope = log(left_time(answer, &site, i, parameters) /
                           answer->points[i].time_s[CS_PREDICTOR_MODEL]) /
                       DERIVATIVE_STEP;

        if (isfinite(slope) && slope != 0)
            rows[i].slopes[rows[i].slope_count++] =
                (struct left_slope){parameter, slope};
    }
    parameters[parameter] = shipped;
}

static void left_add_table(const struct cs_published_answer *answer,
                           double *parameters, struct left_basis *basis,
                           struct cs_arena *arena)
{
    const struct cs_published_table *table = answer->table;
    struct left_row *rows = &basis->rows[basis->count];
    uint32_t i;

    for (i = 0; i < table->row_count; i++) {
        double ratio = answer->points[i].time_s[CS_PREDICTOR_MODEL] /
                       table->rows[i].time_s;

        rows[i] = (struct left_row){
            .site = table->site,
            .weight = TABLE_WEIGHT / sqrt(table->row_count) *
                      (table->rows[i].bytes < SMALL_BYTES ? SMALL_WEIGHT : 1),
            .residual = log(ratio),
            .slopes =
                cs_arena_alloc(arena, PARAMETERS, sizeof(struct left_slope)),
        };
        if (!isfinite(rows[i].residual))
            rows[i].weight = rows[i].residual = 0;
    }
    for (i = 0; i < PARAMETERS; i++)
        left_slopes(answer, rows, i, parameters);
    basis->count += table->row_count;
}

static struct left_basis left_read(const struct cs_published_answer *answers,
                                   uint32_t count, struct cs_arena *arena)
{
    struct left_basis basis = {0};
    double parameters[PARAMETERS];
    uint64_t rows = 0;
    uint32_t i;

    memcpy(parameters, cs_nccl_parameters, sizeof(parameters));
    for (i = 0; i < count; i++)
        rows += answers[i].table->row_count;
    basis.rows = cs_arena_alloc(arena, rows, sizeof(*basis.rows));
    for (i = 0; i < count; i++)
        if (left_has_parameters(&answers[i]) &&
            answers[i].table->health == CS_HEALTH_YES)
            left_add_table(&answers[i], parameters, &basis, arena);
    return basis;
}

/* ---- the estimate ---- */

/* Normal equations: a symmetric matrix, row by row, and the gradient. */
struct left_normal {
    double matrix[PARAMETERS][PARAMETERS];
    double gradient[PARAMETERS];
};

static double left_linear(const struct left_row *row, const double *moves)
{
    double residual = row->residual;
    uint32_t i;

    for (i = 0; i < row->slope_count; i++)
        residual += row->slopes[i].slope * moves[row->slopes[i].parameter];
    return residual;
}

static void left_add_row(const struct left_row *row, const double *moves,
                         struct left_normal *normal)
{
    double residual = left_linear(row, moves);
    double scaled = row->weight * residual / SOFT_CORNER;
    double weight = row->weight * row->weight / sqrt(1 + scaled * scaled);
    uint32_t i;
    uint32_t k;

    for (i = 0; i < row->slope_count; i++) {
        double by = weight * row->slopes[i].slope;
        uint32_t at = row->slopes[i].parameter;

        normal->gradient[at] += by * residual;
        for (k = 0; k < row->slope_count; k++)
            normal->matrix[at][row->slopes[k].parameter] +=
                by * row->slopes[k].slope;
    }
}

static void left_add_priors(const double *moves, struct left_normal *normal)
{
    uint32_t i;

    for (i = 0; i < PARAMETERS; i++) {
        const struct cs_nccl_parameter_info *info = &cs_nccl_parameter_info[i];
        double weight =
            PRIOR_WEIGHT * PRIOR_WEIGHT / (info->spread * info->spread);

        normal->matrix[i][i] += weight;
        normal->gradient[i] +=
            weight * (log(info->value / info->prior) + moves[i]);
    }
}

/* Solves by Cholesky, in place: the priors make the matrix positive definite.
 * The gradient becomes the step. */
static void left_solve(struct left_normal *normal)
{
    double(*m)[PARAMETERS] = normal->matrix;
    double *x = normal->gradient;
    int i;
    int j;
    int k;

    for (i = 0; i < PARAMETERS; i++)
        for (j = 0; j <= i; j++) {
            double sum = m[i][j];

            for (k = 0; k < j; k++)
                sum -= m[i][k] * m[j][k];
            m[i][j] = i == j ? sqrt(sum) : sum / m[j][j];
        }
    for (i = 0; i < PARAMETERS; i++) {
        for (k = 0; k < i; k++)
            x[i] -= m[i][k] * x[k];
        x[i] /= m[i][i];
    }
    for (i = PARAMETERS - 1; i >= 0; i--) {
        for (k = i + 1; k < PARAMETERS; k++)
            x[i] -= m[k][i] * x[k];
        x[i] /= m[i][i];
    }
}

/* The parameters without the rows of the site; false where the basis has no row
 * of the site, and the shipped parameters have not seen the site. */
static bool left_estimate(const struct left_basis *basis, const char *site,
                          struct left_normal *normal, double *parameters)
{
    double moves[PARAMETERS] = {0};
    bool seen = false;
    uint32_t r;
    int i;
    int round;

    for (round = 0; round < ITERATIONS; round++) {
        memset(normal, 0, sizeof(*normal));
        for (r = 0; r < basis->count; r++) {
            if (cs_same(basis->rows[r].site, site))
                seen = true;
            else
                left_add_row(&basis->rows[r], moves, normal);
        }
        left_add_priors(moves, normal);
        left_solve(normal);
        for (i = 0; i < PARAMETERS; i++)
            moves[i] =
                fmax(-MOVE_MAX, fmin(MOVE_MAX, moves[i] - normal->gradient[i]));
    }
    for (i = 0; i < PARAMETERS; i++)
        parameters[i] = cs_nccl_parameters[i] * (seen ? exp(moves[i]) : 1);
    return seen;
}

static void left_predict_table(struct cs_published_answer *answer,
                               const double *parameters)
{
    struct cs_site site = cs_published_site_of(answer);
    uint32_t i;

    for (i = 0; i < answer->table->row_count; i++) {
        struct cs_published_point *point = &answer->points[i];
        struct cs_library_time time =
            left_row_time(answer, &site, i, parameters);

        point->time_s[CS_PREDICTOR_LEFT_OUT] = time.total_s;
        point->left_s[0] = time.launch_s;
        point->left_s[1] = time.latency_s;
        point->left_s[2] = time.transfer_s;
    }
}

void cs_left_out_predict(const struct cs_published_answer *basis_answers,
                         uint32_t basis_count,
                         struct cs_published_answer *answers, uint32_t count,
                         struct cs_arena *arena)
{
    struct left_basis basis = left_read(basis_answers, basis_count, arena);
    struct left_normal *normal = cs_arena_alloc(arena, 1, sizeof(*normal));
    double parameters[PARAMETERS];
    uint32_t i;
    uint32_t k;

    for (i = 0; i < count; i++) {
        const char *site = answers[i].table->site;

        for (k = 0; k < i; k++)
            if (left_has_parameters(&answers[k]) &&
                cs_same(answers[k].table->site, site))
                break;
        if (k < i || !left_has_parameters(&answers[i]))
            continue;
        left_estimate(&basis, site, normal, parameters);
        for (k = i; k < count; k++)
            if (left_has_parameters(&answers[k]) &&
                cs_same(answers[k].table->site, site))
                left_predict_table(&answers[k], parameters);
    }
}
