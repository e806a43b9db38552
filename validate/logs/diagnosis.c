#include "validate/logs/diagnosis.h"

#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEVELS_MAX = 8,
    PLATEAU = 8, /* the largest size over the least of the plateau */
};

static const double weight_of_none = 20; /* against the weights of causes.def */
static const double quantile = 1.645;    /* of a 90 % interval */
static const double short_by = 1.15;
static const double least_gain = .05; /* of ln(time), of a change that speeds up */
static const double likely = .5;      /* "most likely" */
/* By times alone: a hundred healthy tables do not show what is right more often. */
static const double surest = .95;

/* The effect of a cause over the model's, and its weight: pairs of published tables
 * that differ in one setting have quartiles of .93 and 1.39. */
static const struct {
    double factor, weight;
} strengths[] = {{.6, .12}, {.8, .2}, {1, .3}, {1.25, .25}, {1.5, .13}};

static const char *const verdict_names[CS_VERDICTS] = {"sound", "faster", "cause",
                                                       "group", "likely", "open"};

_Static_assert(CS_VERDICTS == 6, "names of all verdicts");

enum {
    STRENGTHS = sizeof(strengths) / sizeof(*strengths),
};

const char *cs_verdict_name(enum cs_verdict verdict)
{
    return verdict_names[verdict];
}

double cs_explanation_weight(const struct cs_cause *cause)
{
    return cause ? cause->weight : weight_of_none;
}

/* ---- hypotheses ---- */

static int hypothesis_predict(const struct cs_changed *changed, const struct cs_diagnosis *of,
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

/* Adds the levels of a cause that the machine, the call and the library have. */
static void hypotheses_add(const struct cs_cause *cause, const struct cs_changed *none,
                           struct cs_diagnosis *to, struct cs_arena *arena)
{
    for (unsigned level = 0; level < LEVELS_MAX; level++) {
        struct cs_hypothesis *is = &to->hypotheses[to->hypothesis_count];

        *is = (struct cs_hypothesis){.cause = cause, .changed = *none, .evidence = {.factor = 1}};
        if (!cs_changed_apply(&is->changed, cause, level))
            continue;
        is->predicted_s = cs_arena_alloc(arena, to->point_count, sizeof(double));
        if (hypothesis_predict(&is->changed, to, is->predicted_s))
            continue;
        is->evidence = cs_evidence_weigh(to->facts, cause, none, &is->changed);
        to->hypothesis_count++;
    }
}

/* Whether each size lies as far again beyond its interval. */
static bool diagnosis_is_far(const struct cs_diagnosis *of)
{
    for (uint32_t i = 0; i < of->point_count; i++) {
        const struct cs_diagnosis_point *point = &of->points[i];

        if (!(point->measured_s * point->expected.total_s >
              point->expected.high_s * point->expected.high_s))
            return false;
    }
    return true;
}

/* A machine is not as described where the log names a cause, or the times are far off. */
static void hypotheses_rule_out_none(struct cs_diagnosis *to)
{
    to->hypotheses[0].evidence.factor = diagnosis_is_far(to) ? CS_EVIDENCE_AGAINST : 1;
    for (uint32_t i = 1; i < to->hypothesis_count; i++)
        if (to->hypotheses[i].evidence.factor >= CS_EVIDENCE_FOR / 2)
            to->hypotheses[0].evidence.factor = CS_EVIDENCE_AGAINST;
}

static double diagnosis_spread(const struct cs_diagnosis_point *point)
{
    double width = log(point->expected.high_s / point->expected.total_s);

    return width > 0 && isfinite(width) ? width / quantile : .5;
}

int cs_diagnosis_open(const struct cs_library *library, const struct cs_library_request *request,
                      struct cs_arena *arena, struct cs_diagnosis *diagnosis, struct cs_err *err)
{
    struct cs_diagnosis *to = diagnosis;
    struct cs_changed none = cs_changed_none(library, request);
    uint32_t count = to->point_count;
    int code = 0;

    to->is_network = request->site->nodes > 1;
    to->explanations = cs_arena_alloc(arena, cs_cause_count + 1, sizeof(struct cs_explanation));
    to->hypotheses =
        cs_arena_alloc(arena, 1 + (size_t)cs_cause_count * LEVELS_MAX, sizeof(*to->hypotheses));
    to->likelihood_points = cs_arena_alloc(arena, count, sizeof(*to->likelihood_points));
    to->scratch_s = cs_arena_alloc(arena, count, sizeof(double));
    to->hypotheses[0] = (struct cs_hypothesis){
        .changed = none,
        .evidence = {.factor = 1},
        .predicted_s = cs_arena_alloc(arena, count, sizeof(double)),
    };
    to->hypothesis_count = 1;
    for (uint32_t i = 0; i < count && !code; i++) {
        struct cs_diagnosis_point *point = &to->points[i];

        code = cs_changed_time(&none, point->bytes, &point->expected, err);
        to->hypotheses[0].predicted_s[i] = point->expected.total_s;
    }
    if (code)
        return code;
    for (uint32_t i = 0; i < cs_cause_count; i++)
        hypotheses_add(&cs_causes[i], &none, to, arena);
    return 0;
}

/* ---- explanations ---- */

static double explanation_error(const struct cs_diagnosis *of, const double *predicted_s)
{
    double squares = 0;

    for (uint32_t i = 0; i < of->point_count; i++) {
        double r = log(of->points[i].measured_s / predicted_s[i]);

        squares += r * r;
    }
    return sqrt(squares / of->point_count);
}

/* ln of the likelihood of a level, its strengths summed; sets the most likely of them. */
static double hypothesis_likelihood(const struct cs_hypothesis *is,
                                    const struct cs_likelihood *likelihood, const double *none_s,
                                    double *curve_s, double *strength)
{
    double each[STRENGTHS];
    double most = -INFINITY;
    double sum = 0;

    *strength = 1;
    if (!is->cause || is->changed.unknown_sd > 0)
        return cs_likelihood_of(likelihood, none_s, is->changed.unknown_sd);
    for (int k = 0; k < STRENGTHS; k++) {
        for (uint32_t i = 0; i < likelihood->count; i++)
            curve_s[i] = none_s[i] * pow(is->predicted_s[i] / none_s[i], strengths[k].factor);
        each[k] = log(strengths[k].weight) + cs_likelihood_of(likelihood, curve_s, 0);
        *strength = each[k] > most ? strengths[k].factor : *strength;
        most = fmax(most, each[k]);
    }
    for (int k = 0; k < STRENGTHS; k++)
        sum += exp(each[k] - most);
    return most + log(sum);
}

/* Of a machine that is faster than described no cause slows every band of sizes. */
static bool hypothesis_is_possible(const struct cs_hypothesis *is, const struct cs_diagnosis *of,
                                   const struct cs_likelihood *likelihood)
{
    if (of->verdict != CS_VERDICT_FASTER || !is->cause || is->changed.unknown_sd > 0)
        return true;
    for (uint32_t band = 0; band < likelihood->bands; band++)
        if (cs_likelihood_level(likelihood, band, is->predicted_s, of->hypotheses[0].predicted_s) <
            -least_gain)
            return true;
    return false;
}

/* The levels [from, to) of one cause.  The probability is the logarithm of weight x
 * mean likelihood for now. */
static void explanation_add(struct cs_diagnosis *to, const struct cs_likelihood *likelihood,
                            uint32_t from, uint32_t end)
{
    const struct cs_hypothesis *all = to->hypotheses;
    double each[LEVELS_MAX] = {0};
    double strength[LEVELS_MAX] = {0};
    double sum = 0;
    uint32_t best = from;

    for (uint32_t i = from; i < end; i++) {
        each[i - from] = !hypothesis_is_possible(&all[i], to, likelihood)
                             ? -INFINITY
                             : log(all[i].evidence.factor) +
                                   hypothesis_likelihood(&all[i], likelihood, all[0].predicted_s,
                                                         to->scratch_s, &strength[i - from]);
        if (each[i - from] > each[best - from])
            best = i;
    }
    if (!isfinite(each[best - from]))
        return;
    for (uint32_t i = from; i < end; i++)
        sum += exp(each[i - from] - each[best - from]) / (end - from);
    to->explanations[to->explanation_count++] = (struct cs_explanation){
        .cause = all[best].cause,
        .changed = all[best].changed,
        .predicted_s = all[best].predicted_s,
        .strength = strength[best - from],
        .log_likelihood = each[best - from],
        .probability = log(cs_explanation_weight(all[best].cause)) + each[best - from] + log(sum),
        .error = explanation_error(to, all[best].predicted_s),
        .evidence = all[best].evidence,
    };
}

static int explanation_order(const void *left, const void *right)
{
    const struct cs_explanation *a = left;
    const struct cs_explanation *b = right;

    return (a->probability < b->probability) - (a->probability > b->probability);
}

/* What is beyond the surest goes to a cause that is not known. */
static void diagnosis_limit(struct cs_diagnosis *diagnosis)
{
    double rest = 0;

    for (uint32_t i = 0; i < diagnosis->explanation_count; i++) {
        struct cs_explanation *is = &diagnosis->explanations[i];

        if (is->evidence.factor <= 1 && is->probability > surest) {
            rest = is->probability - surest;
            is->probability = surest;
        }
    }
    for (uint32_t i = 0; i < diagnosis->explanation_count; i++)
        if (diagnosis->explanations[i].changed.unknown_sd > 0)
            diagnosis->explanations[i].probability += rest;
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
    diagnosis_limit(diagnosis);
    qsort(all, count, sizeof(*all), explanation_order);
    for (uint32_t i = 0; i < count; i++)
        if (!all[i].cause)
            diagnosis->none = i;
}

/* ---- the verdict ---- */

/* Whether no healthy machine keeps apart the curves by which two causes explain a table. */
static bool explanation_is_similar(const struct cs_likelihood *is, const double *none_s,
                                   const struct cs_explanation *a, const struct cs_explanation *b)
{
    for (uint32_t band = 0; band < is->bands; band++)
        if (fabs(a->strength * cs_likelihood_level(is, band, a->predicted_s, none_s) -
                 b->strength * cs_likelihood_level(is, band, b->predicted_s, none_s)) >
            is->spread[band])
            return false;
    return true;
}

/* The first known cause, and those that look like it. */
static void diagnosis_group(struct cs_diagnosis *diagnosis, const struct cs_likelihood *likelihood)
{
    const struct cs_explanation *first = NULL;

    diagnosis->group = 0;
    diagnosis->similar = 0;
    for (uint32_t i = 0; i < diagnosis->explanation_count; i++) {
        struct cs_explanation *is = &diagnosis->explanations[i];

        if (!cs_explanation_is_known(is))
            continue;
        first = first ? first : is;
        is->is_similar =
            diagnosis->group < CS_VERDICT_SURE &&
            explanation_is_similar(likelihood, diagnosis->hypotheses[0].predicted_s, first, is);
        if (!is->is_similar)
            continue;
        diagnosis->group += is->probability;
        diagnosis->similar++;
    }
}

static enum cs_verdict diagnosis_verdict(const struct cs_diagnosis *diagnosis)
{
    const struct cs_explanation *first = &diagnosis->explanations[0];

    if (diagnosis->verdict == CS_VERDICT_FASTER && first->evidence.factor <= 1)
        return CS_VERDICT_FASTER;
    if (!first->cause && first->probability >= likely)
        return CS_VERDICT_SOUND;
    if (!cs_explanation_is_known(first))
        return CS_VERDICT_OPEN;
    if (first->probability >= CS_VERDICT_SURE)
        return CS_VERDICT_CAUSE;
    if (diagnosis->group >= CS_VERDICT_SURE && diagnosis->similar > 1)
        return CS_VERDICT_GROUP;
    return first->probability >= likely ? CS_VERDICT_LIKELY : CS_VERDICT_OPEN;
}

/* Faster in each band of sizes, in one by more than healthy machines differ. */
static bool diagnosis_is_faster(const struct cs_diagnosis *diagnosis,
                                const struct cs_likelihood *is)
{
    bool is_faster = false;

    for (uint32_t band = 0; band < is->bands; band++) {
        double r = cs_likelihood_level(is, band, NULL, diagnosis->hypotheses[0].predicted_s);

        if (r > 0)
            return false;
        is_faster = is_faster || r < -quantile * is->spread[band];
    }
    return is_faster;
}

/* ---- the figures of the words ---- */

static void diagnosis_measure(struct cs_diagnosis *diagnosis)
{
    uint32_t from = diagnosis->point_count;

    diagnosis->inside = diagnosis->odd = 0;
    for (uint32_t i = 0; i < diagnosis->point_count; i++) {
        diagnosis->inside += cs_diagnosis_is_inside(&diagnosis->points[i]);
        diagnosis->odd += diagnosis->likelihood_points[i].is_odd;
    }
    while (from > 0 && cs_diagnosis_ratio(&diagnosis->points[from - 1]) > short_by)
        from--;
    diagnosis->short_from = from;
}

void cs_diagnosis_judge(struct cs_diagnosis *diagnosis)
{
    const struct cs_hypothesis *all = diagnosis->hypotheses;
    struct cs_likelihood likelihood;

    for (uint32_t i = 0; i < diagnosis->point_count; i++)
        diagnosis->likelihood_points[i] = (struct cs_likelihood_point){
            .bytes = diagnosis->points[i].bytes,
            .measured_s = diagnosis->points[i].measured_s,
            .spread = diagnosis_spread(&diagnosis->points[i]),
        };
    cs_likelihood_open(diagnosis->likelihood_points, diagnosis->point_count, all[0].predicted_s,
                       diagnosis->is_network, &likelihood);
    diagnosis->verdict =
        diagnosis_is_faster(diagnosis, &likelihood) ? CS_VERDICT_FASTER : CS_VERDICT_SOUND;
    diagnosis->explanation_count = diagnosis->none = 0;
    hypotheses_rule_out_none(diagnosis);
    for (uint32_t from = 0, to; from < diagnosis->hypothesis_count; from = to) {
        for (to = from + 1; to < diagnosis->hypothesis_count && all[to].cause == all[from].cause;)
            to++;
        explanation_add(diagnosis, &likelihood, from, to);
    }
    diagnosis_normalise(diagnosis);
    diagnosis_group(diagnosis, &likelihood);
    diagnosis->verdict = diagnosis_verdict(diagnosis);
    diagnosis_measure(diagnosis);
}

static bool diagnosis_in_plateau(const struct cs_diagnosis *of, uint32_t point, uint64_t from)
{
    uint64_t largest = of->points[of->point_count - 1].bytes;

    return of->points[point].bytes >= from && of->points[point].bytes >= largest / PLATEAU;
}

double cs_diagnosis_short(const struct cs_diagnosis *diagnosis, uint64_t from)
{
    double *shares = diagnosis->scratch_s;
    uint32_t count = 0;
    uint32_t slower = 0;

    for (uint32_t i = 0; i < diagnosis->point_count; i++) {
        const struct cs_diagnosis_point *point = &diagnosis->points[i];

        if (!diagnosis_in_plateau(diagnosis, i, from))
            continue;
        slower += point->measured_s > point->expected.high_s;
        shares[count++] = 1 - 1 / cs_diagnosis_ratio(point);
    }
    return count > 0 && slower == count ? cs_quantile(shares, count, .5) : 0;
}

int cs_diagnose(const struct cs_library *library, const struct cs_library_request *request,
                struct cs_arena *arena, struct cs_diagnosis *diagnosis, struct cs_err *err)
{
    int code = cs_diagnosis_open(library, request, arena, diagnosis, err);

    if (!code)
        cs_diagnosis_judge(diagnosis);
    return code;
}
