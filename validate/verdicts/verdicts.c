#include "validate/verdicts/verdicts.h"

#include "sim/base/random.h"
#include "sim/base/text.h"
#include "validate/logs/diagnosis.h"

#include <math.h>

enum {
    ROWS_LEAST = 6, /* a table with fewer sizes has no shape */
    DRAWS = 4,      /* strengths of a cause: with one a score scatters by two points */
};

static const double odd_factor = 10;
static const double least_effect = .1; /* of ln(time), in a band */
static const double strength_low = .6, strength_high = 1.5;

static const double said_from[CS_VERDICT_STEPS + 1] = {.2, .4, .6, .8, 1};

static const char *const group_names[CS_VERDICT_GROUPS] = {
    "nccl, rccl",
    "not used by the estimate",
    "of these, several nodes",
    "mpi, gloo",
};

/* Injected causes; `now` over `of` is a wanted level, 0: the first.  One slow adapter
 * slows the rings of all: half of the network's rate. */
static const struct {
    const char *cause;
    double levels[2]; /* one is drawn */
} injections[] = {
    {"adapters", {.5, .5}},     {"no-gdr", {0, 0}},           {"tcp", {0, 0}},
    {"channels", {.5, .25}},    {"algorithm", {0, 0}},        {"no-nvls", {0, 0}},
    {"no-peer-access", {0, 0}}, {"slow-network", {.75, .75}}, {"slow-network", {.5, .25}},
};

/* Sums over the cases of a group. */
struct verdict_sums {
    double healthy, sound, named, short_20, blamed_50, blamed_80, odd, odd_50;
    double injected, first, in_three, group_said, group_right, group_size;
    double said_80[2], right_80[2];
    double cases[2], holds[2], loss[2], prior[2]; /* healthy, injected */
    double said[2][CS_VERDICT_STEPS], right[2][CS_VERDICT_STEPS];
    uint32_t tables, sites;
    const char *site;
};

struct verdicts {
    struct cs_random *random;
    struct verdict_sums sums[CS_VERDICT_GROUPS];
    const struct cs_published_answer *answer;
    struct cs_diagnosis diagnosis;
    struct cs_log_facts facts;
    double *measured_s;            /* as published */
    const struct cs_cause *blamed; /* the first explanation of the table as it is */
};

/* ---- a case ---- */

static bool verdict_is(const struct cs_explanation *is, const char *truth)
{
    return truth ? is->cause && cs_same(is->cause->name, truth) : !is->cause;
}

static void verdict_count(const struct cs_diagnosis *of, const char *truth, struct verdict_sums *to)
{
    const struct cs_explanation *all = of->explanations;
    bool is_injected = truth != NULL;
    double most = 0;
    double held = 0;
    double weights = 0;
    bool holds = false;
    double right = 1e-9;
    double prior = 1e-9;

    for (uint32_t i = 0; i < of->explanation_count; i++) {
        weights += cs_explanation_weight(all[i].cause);
        if (verdict_is(&all[i], truth)) {
            right = fmax(all[i].probability, right);
            prior = cs_explanation_weight(all[i].cause);
        }
        if (held < .8)
            holds = holds || verdict_is(&all[i], truth);
        held += all[i].probability;
    }
    most = all[0].probability;
    for (int step = 0; step < CS_VERDICT_STEPS; step++)
        if (most >= said_from[step] && most < said_from[step + 1]) {
            to->said[is_injected][step]++;
            to->right[is_injected][step] += verdict_is(&all[0], truth);
        }
    to->said_80[is_injected] += most >= .8;
    to->right_80[is_injected] += most >= .8 && verdict_is(&all[0], truth);
    to->cases[is_injected]++;
    to->holds[is_injected] += holds;
    to->loss[is_injected] -= log(right);
    to->prior[is_injected] -= log(prior / weights);
}

static void verdict_healthy(const struct cs_diagnosis *of, struct verdict_sums *to)
{
    const struct cs_explanation *first = &of->explanations[0];
    bool blames = cs_explanation_is_known(first) && of->verdict != CS_VERDICT_FASTER;

    to->healthy++;
    to->sound += !blames;
    to->named += of->verdict == CS_VERDICT_CAUSE || of->verdict == CS_VERDICT_GROUP ||
                 of->verdict == CS_VERDICT_LIKELY;
    to->short_20 += cs_diagnosis_short(of, 1 << 20) > .2;
    to->blamed_50 += blames && first->probability >= .5;
    to->blamed_80 += blames && first->probability >= .8;
    verdict_count(of, NULL, to);
}

/* Counts a cause that the odd size makes. */
static void verdict_odd(const struct cs_diagnosis *of, const struct cs_cause *blamed,
                        struct verdict_sums *to)
{
    const struct cs_explanation *first = &of->explanations[0];

    to->odd++;
    to->odd_50 +=
        cs_explanation_is_known(first) && first->probability >= .5 && first->cause != blamed;
}

static void verdict_injected(const struct cs_diagnosis *of, const char *truth,
                             struct verdict_sums *to)
{
    unsigned place = 0;
    unsigned at = 0;
    bool is_in_group = false;

    for (uint32_t i = 0; i < of->explanation_count; i++) {
        const struct cs_explanation *is = &of->explanations[i];

        if (!cs_explanation_is_known(is))
            continue;
        at++;
        if (!verdict_is(is, truth))
            continue;
        place = at;
        is_in_group = is->is_similar;
    }
    to->injected++;
    to->first += place == 1;
    to->in_three += place >= 1 && place <= 3;
    to->group_said += of->group >= .8;
    to->group_right += of->group >= .8 && is_in_group;
    to->group_size += of->group >= .8 ? of->similar : 0;
    verdict_count(of, truth, to);
}

/* ---- cases of a table ---- */

static bool verdict_is_of(const struct cs_published_answer *answer, enum cs_verdict_group group)
{
    const struct cs_published_table *table = answer->table;
    bool has_kernels = answer->library->launches_kernels;

    if (group == CS_VERDICTS_HOST)
        return !has_kernels;
    if (!has_kernels)
        return false;
    return group == CS_VERDICTS_ALL || (table->no_estimate[0] && (group == CS_VERDICTS_UNSEEN ||
                                                                  answer->machine->site.nodes > 1));
}

/* Judges the times of the diagnosis and counts the verdict in each group. */
static void verdicts_judge(struct verdicts *to, const char *truth, bool is_odd)
{
    cs_diagnosis_judge(&to->diagnosis);
    for (int g = 0; g < CS_VERDICT_GROUPS; g++) {
        if (!verdict_is_of(to->answer, (enum cs_verdict_group)g))
            continue;
        if (is_odd)
            verdict_odd(&to->diagnosis, to->blamed, &to->sums[g]);
        else if (truth)
            verdict_injected(&to->diagnosis, truth, &to->sums[g]);
        else
            verdict_healthy(&to->diagnosis, &to->sums[g]);
    }
}

static void verdicts_reset(struct verdicts *to)
{
    for (uint32_t i = 0; i < to->diagnosis.point_count; i++)
        to->diagnosis.points[i].measured_s = to->measured_s[i];
}

/* Whether a cause changes the median of a band enough to be seen. */
static bool verdicts_is_visible(const struct verdicts *of, const struct cs_hypothesis *is)
{
    const struct cs_diagnosis *diagnosis = &of->diagnosis;
    struct cs_likelihood bands;

    cs_likelihood_open(diagnosis->likelihood_points, diagnosis->point_count,
                       diagnosis->hypotheses[0].predicted_s, diagnosis->is_network, &bands);
    for (uint32_t b = 0; b < bands.bands; b++)
        if (fabs(cs_likelihood_level(&bands, b, is->predicted_s,
                                     diagnosis->hypotheses[0].predicted_s)) >= least_effect)
            return true;
    return false;
}

static const struct cs_hypothesis *verdicts_find(const struct cs_diagnosis *of, const char *cause,
                                                 double level)
{
    for (uint32_t i = 1; i < of->hypothesis_count; i++) {
        const struct cs_hypothesis *is = &of->hypotheses[i];

        if (cs_same(is->cause->name, cause) &&
            (level <= 0 || fabs(is->changed.now / is->changed.of - level) < .1 * level))
            return is;
    }
    return NULL;
}

static void verdicts_inject(struct verdicts *to, const char *cause, const double *levels)
{
    struct cs_diagnosis *diagnosis = &to->diagnosis;
    const struct cs_hypothesis *is =
        verdicts_find(diagnosis, cause, levels[cs_random_below(to->random, 2)]);
    const double *none_s = diagnosis->hypotheses[0].predicted_s;
    double strength = strength_low + (strength_high - strength_low) * cs_random_unit(to->random);

    if (!is || !verdicts_is_visible(to, is))
        return;
    for (uint32_t i = 0; i < diagnosis->point_count; i++)
        diagnosis->points[i].measured_s =
            to->measured_s[i] * pow(is->predicted_s[i] / none_s[i], strength);
    verdicts_judge(to, cause, false);
    verdicts_reset(to);
}

static void verdicts_cases(struct verdicts *to)
{
    uint32_t odd = (uint32_t)cs_random_below(to->random, to->diagnosis.point_count);

    verdicts_judge(to, NULL, false);
    to->blamed = to->diagnosis.explanations[0].cause;
    to->diagnosis.points[odd].measured_s *= odd_factor;
    verdicts_judge(to, NULL, true);
    verdicts_reset(to);
    for (size_t i = 0; i < DRAWS * sizeof(injections) / sizeof(*injections); i++)
        verdicts_inject(to, injections[i / DRAWS].cause, injections[i / DRAWS].levels);
}

/* ---- tables ---- */

/* The interval of each row is that of the other sites.  A log names its hosts, and the
 * release where the table has one. */
static int verdicts_open(struct verdicts *to, const struct cs_left_out *left,
                         struct cs_arena *arena)
{
    const struct cs_published_answer *answer = to->answer;
    const struct cs_published_table *table = answer->table;
    struct cs_site site = cs_published_site_of(answer, CS_EFFECTS_ALL);
    struct cs_library_request request = cs_published_request_of(answer, &site, 0, CS_EFFECTS_ALL);
    struct cs_diagnosis_point *points = cs_arena_alloc(arena, table->row_count, sizeof(*points));
    struct cs_err err = {0};
    int code;

    if (answer->library->parameters)
        request.parameters = cs_left_out_find(left, table->site, answer->library->parameters);
    to->measured_s = cs_arena_alloc(arena, table->row_count, sizeof(double));
    for (uint32_t i = 0; i < table->row_count; i++) {
        points[i].bytes = table->rows[i].bytes;
        points[i].measured_s = to->measured_s[i] = table->rows[i].time_s;
    }
    to->facts = (struct cs_log_facts){.nodes = table->size.nodes, .version = table->version};
    to->diagnosis = (struct cs_diagnosis){
        .points = points, .point_count = table->row_count, .facts = &to->facts};
    code = cs_diagnosis_open(answer->library, &request, arena, &to->diagnosis, &err);
    for (uint32_t i = 0; i < table->row_count && !code; i++) {
        const struct cs_published_point *point = &answer->points[i];
        double width = log(point->high_s / point->time_s[CS_PREDICTOR_MODEL]);

        if (width > 0)
            points[i].expected.high_s = points[i].expected.total_s * exp(width);
    }
    return code;
}

static bool verdict_counts(const struct cs_published_answer *answer)
{
    return !answer->unknown && answer->table->health == CS_HEALTH_YES &&
           answer->table->row_count >= ROWS_LEAST;
}

static void verdicts_table(struct verdicts *to, const struct cs_left_out *left)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const char *site = to->answer->table->site;

    if (!verdicts_open(to, left, &arena)) {
        for (int g = 0; g < CS_VERDICT_GROUPS; g++) {
            struct verdict_sums *sums = &to->sums[g];

            if (!verdict_is_of(to->answer, (enum cs_verdict_group)g))
                continue;
            sums->tables++;
            sums->sites += !sums->site || !cs_same(sums->site, site);
            sums->site = site;
        }
        verdicts_cases(to);
    }
}

/* ---- scores ---- */

/* The mean over healthy and injected cases, which weigh the same. */
static double verdict_both(const double *sums, const double *counts)
{
    double healthy = sums[0] / counts[0];
    double injected = sums[1] / counts[1];

    return counts[1] > 0 ? (healthy + injected) / 2 : healthy;
}

static struct cs_verdict_score verdict_score(const struct verdict_sums *sums, const char *group)
{
    struct cs_verdict_score score = {
        .group = group,
        .tables = sums->tables,
        .sites = sums->sites,
        .injected = (uint32_t)sums->injected,
        .sound = sums->sound / sums->healthy,
        .named = sums->named / sums->healthy,
        .short_20 = sums->short_20 / sums->healthy,
        .blamed_50 = sums->blamed_50 / sums->healthy,
        .blamed_80 = sums->blamed_80 / sums->healthy,
        .odd_50 = sums->odd_50 / sums->odd,
        .first = sums->first / sums->injected,
        .in_three = sums->in_three / sums->injected,
        .said_80 = sums->said_80[1] / sums->injected,
        .right_80 = sums->right_80[1] / sums->said_80[1],
        .group_said = sums->group_said / sums->injected,
        .group_right = sums->group_right / sums->group_said,
        .group_size = sums->group_size / sums->group_said,
        .set_holds = verdict_both(sums->holds, sums->cases),
        .loss = verdict_both(sums->loss, sums->cases),
        .prior_loss = verdict_both(sums->prior, sums->cases),
    };
    double ratio = sums->cases[1] > 0 ? sums->cases[0] / sums->cases[1] : 0;

    for (int step = 0; step < CS_VERDICT_STEPS; step++) {
        score.said[step] = (uint32_t)(sums->said[0][step] + sums->said[1][step]);
        score.right[step] = (sums->right[0][step] + ratio * sums->right[1][step]) /
                            (sums->said[0][step] + ratio * sums->said[1][step]);
    }
    return score;
}

void cs_verdicts_make(const struct cs_published_answer *answers, uint32_t count,
                      const struct cs_left_out *left, uint64_t seed,
                      struct cs_verdict_score *scores)
{
    struct verdicts verdicts = {0};

    for (uint32_t i = 0; i < count; i++) {
        if (!verdict_counts(&answers[i]))
            continue;
        verdicts.answer = &answers[i];
        /* A stream each, so that a table more or fewer changes no case of the others. */
        verdicts.random = cs_random_open(seed, answers[i].table->id);
        verdicts_table(&verdicts, left);
        cs_random_close(verdicts.random);
    }
    for (int g = 0; g < CS_VERDICT_GROUPS; g++)
        scores[g] = verdict_score(&verdicts.sums[g], group_names[g]);
}
