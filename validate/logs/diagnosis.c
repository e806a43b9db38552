#include "validate/logs/diagnosis.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEVELS_MAX = 8,
};

static const double weight_of_none = 8; /* against the weights of causes.def */
static const double octaves = 6;        /* of the model's errors */
static const double noise = .03;        /* of a size */
static const double own_share = .02;    /* of the spread, of a size */
static const double quantile = 1.645;   /* of a 90 % interval */
static const double short_by = 1.15;

/* The sizes that the likelihood reads, and the decomposed covariance. */
struct likelihood {
    uint32_t count;
    uint32_t at[CS_DIAGNOSIS_POINTS_MAX];
    double lower[CS_DIAGNOSIS_POINTS_MAX][CS_DIAGNOSIS_POINTS_MAX];
    double log_determinant;
};

/* ---- likelihood ---- */

static double diagnosis_spread(const struct cs_diagnosis_point *point)
{
    double width = log(point->expected.high_s / point->expected.total_s);

    return width > 0 && isfinite(width) ? width / quantile : .5;
}

static double diagnosis_covariance(const struct cs_diagnosis_point *a,
                                   const struct cs_diagnosis_point *b)
{
    double distance = fabs(log2((double)a->bytes / (double)b->bytes));
    double both = diagnosis_spread(a) * diagnosis_spread(b);

    return both * exp(-distance / octaves) + (a == b ? own_share * both + noise * noise : 0);
}

/* Cholesky's decomposition in place; the noise keeps the matrix definite. */
static void likelihood_decompose(struct likelihood *is)
{
    is->log_determinant = 0;
    for (uint32_t j = 0; j < is->count; j++) {
        for (uint32_t i = j; i < is->count; i++) {
            double sum = is->lower[i][j];

            for (uint32_t k = 0; k < j; k++)
                sum -= is->lower[i][k] * is->lower[j][k];
            is->lower[i][j] = i == j ? sqrt(fmax(sum, noise * noise)) : sum / is->lower[j][j];
        }
        is->log_determinant += 2 * log(is->lower[j][j]);
    }
}

static void likelihood_open(const struct cs_diagnosis_point *points, uint32_t count,
                            struct likelihood *is)
{
    uint32_t kept = count < CS_DIAGNOSIS_POINTS_MAX ? count : CS_DIAGNOSIS_POINTS_MAX;

    is->count = kept;
    for (uint32_t i = 0; i < kept; i++)
        is->at[i] = (uint32_t)((uint64_t)i * count / kept);
    for (uint32_t i = 0; i < kept; i++)
        for (uint32_t j = 0; j <= i; j++)
            is->lower[i][j] = diagnosis_covariance(&points[is->at[i]], &points[is->at[j]]);
    likelihood_decompose(is);
}

/* ln of the density of the residuals, without the constant. */
static double likelihood_of(const struct likelihood *is, const struct cs_diagnosis_point *points,
                            const double *predicted_s)
{
    double solved[CS_DIAGNOSIS_POINTS_MAX];
    double squares = 0;

    for (uint32_t i = 0; i < is->count; i++) {
        double r = log(points[is->at[i]].measured_s / predicted_s[is->at[i]]);

        for (uint32_t k = 0; k < i; k++)
            r -= is->lower[i][k] * solved[k];
        solved[i] = r / is->lower[i][i];
        squares += solved[i] * solved[i];
    }
    return -.5 * (squares + is->log_determinant);
}

/* ---- explanations ---- */

static int explanation_predict(const struct cs_changed *changed, const struct cs_diagnosis *of,
                               double *predicted_s)
{
    for (uint32_t i = 0; i < of->point_count; i++) {
        struct cs_library_time time;
        int code = cs_changed_time(changed, of->points[i].bytes, &time, NULL);

        if (code)
            return code;
        predicted_s[i] = time.total_s;
    }
    return 0;
}

static double explanation_error(const struct cs_diagnosis *of, const double *predicted_s)
{
    double squares = 0;

    for (uint32_t i = 0; i < of->point_count; i++) {
        double r = log(of->points[i].measured_s / predicted_s[i]);

        squares += r * r;
    }
    return sqrt(squares / of->point_count);
}

/* Tries the levels of a cause; adds an explanation if any is possible.  The
 * probability is the logarithm of weight x mean likelihood for now. */
static void explanation_try(const struct cs_cause *cause, const struct cs_changed *none,
                            const struct likelihood *likelihood, struct cs_diagnosis *to,
                            struct cs_arena *arena)
{
    struct cs_explanation best = {
        .cause = cause, .log_likelihood = -INFINITY, .evidence = {.factor = 1}};
    double each[LEVELS_MAX];
    double sum = 0;
    unsigned levels = 0;

    for (unsigned level = 0; level < LEVELS_MAX; level++) {
        struct cs_changed changed = *none;
        struct cs_evidence evidence = {.factor = 1};
        double *predicted_s = cs_arena_alloc(arena, to->point_count, sizeof(double));

        if (cause && !cs_changed_apply(&changed, cause, level))
            continue;
        if (explanation_predict(&changed, to, predicted_s))
            continue;
        if (cause)
            evidence = cs_evidence_weigh(to->facts, cause, none, &changed);
        each[levels] = likelihood_of(likelihood, to->points, predicted_s) + log(evidence.factor);
        if (each[levels++] > best.log_likelihood) {
            best.evidence = evidence;
            best.changed = changed;
            best.predicted_s = predicted_s;
            best.log_likelihood = each[levels - 1];
        }
        if (!cause)
            break;
    }
    if (!best.predicted_s)
        return;
    for (unsigned i = 0; i < levels; i++)
        sum += exp(each[i] - best.log_likelihood) / levels;
    best.probability = log(cause ? cause->weight : weight_of_none) + best.log_likelihood + log(sum);
    best.error = explanation_error(to, best.predicted_s);
    to->explanations[to->explanation_count++] = best;
}

static int explanation_order(const void *left, const void *right)
{
    const struct cs_explanation *a = left;
    const struct cs_explanation *b = right;

    return (a->probability < b->probability) - (a->probability > b->probability);
}

static void diagnosis_normalise(struct cs_diagnosis *diagnosis)
{
    struct cs_explanation *all = diagnosis->explanations;
    uint32_t count = diagnosis->explanation_count;
    double sum = 0;
    double most = all[0].probability;

    for (uint32_t i = 1; i < count; i++)
        most = fmax(most, all[i].probability);
    for (uint32_t i = 0; i < count; i++)
        sum += exp(all[i].probability - most);
    for (uint32_t i = 0; i < count; i++)
        all[i].probability = exp(all[i].probability - most) / sum;
    qsort(all, count, sizeof(*all), explanation_order);
    for (uint32_t i = 0; i < count; i++)
        if (!all[i].cause)
            diagnosis->none = i;
}

/* A machine is not as described where the log names a cause. */
static void diagnosis_rule_out_none(struct cs_diagnosis *diagnosis)
{
    struct cs_explanation *none = NULL;
    bool is_named = false;

    for (uint32_t i = 0; i < diagnosis->explanation_count; i++) {
        struct cs_explanation *is = &diagnosis->explanations[i];

        if (!is->cause)
            none = is;
        is_named = is_named || is->evidence.factor >= CS_EVIDENCE_FOR / 2;
    }
    if (!none || !is_named)
        return;
    none->evidence.factor = CS_EVIDENCE_AGAINST;
    none->probability += log(CS_EVIDENCE_AGAINST);
}

/* ---- the figures of the words ---- */

static void diagnosis_measure(struct cs_diagnosis *diagnosis)
{
    uint32_t from = diagnosis->point_count;

    diagnosis->inside = 0;
    for (uint32_t i = 0; i < diagnosis->point_count; i++)
        diagnosis->inside += cs_diagnosis_is_inside(&diagnosis->points[i]);
    while (from > 0 && cs_diagnosis_ratio(&diagnosis->points[from - 1]) > short_by)
        from--;
    diagnosis->short_from = from;
}

int cs_diagnose(const struct cs_library *library, const struct cs_library_request *request,
                struct cs_arena *arena, struct cs_diagnosis *diagnosis, struct cs_err *err)
{
    struct cs_changed none = cs_changed_none(library, request);
    struct likelihood *likelihood = cs_arena_alloc(arena, 1, sizeof(*likelihood));
    struct cs_diagnosis_point *points = diagnosis->points;
    uint32_t count = diagnosis->point_count;
    int code = 0;

    diagnosis->explanations =
        cs_arena_alloc(arena, cs_cause_count + 1, sizeof(struct cs_explanation));
    diagnosis->explanation_count = diagnosis->none = 0;
    for (uint32_t i = 0; i < count && !code; i++)
        code = cs_changed_time(&none, points[i].bytes, &points[i].expected, err);
    if (code)
        return code;
    likelihood_open(points, count, likelihood);
    explanation_try(NULL, &none, likelihood, diagnosis, arena);
    for (uint32_t i = 0; i < cs_cause_count; i++)
        explanation_try(&cs_causes[i], &none, likelihood, diagnosis, arena);
    diagnosis_rule_out_none(diagnosis);
    diagnosis_normalise(diagnosis);
    diagnosis_measure(diagnosis);
    return 0;
}
