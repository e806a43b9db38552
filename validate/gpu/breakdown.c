#include "validate/gpu/breakdown.h"

#include "sim/base/order.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cs_regime_names[CS_REGIMES] = {
    "one slice a channel", "in L2", "in the GPU's memory", "through PCIe", "a delayed rank"};

/* ---- regimes ---- */

/* The first resource in the order of regimes that limits the run. */
static enum cs_regime regime_of(const struct cs_compared *run)
{
    const struct cs_measured *m = run->measured;
    uint64_t blocks = m->run.table.blocks ? m->run.table.blocks : m->work.ranks;
    struct cs_gpu_query query = {.algorithm = m->run.algorithm,
                                 .ranks = (uint32_t)m->work.ranks,
                                 .gpus = (uint32_t)m->work.gpus_used,
                                 .bytes = m->work.bytes};

    if (m->run.delay_s > 0)
        return CS_REGIME_DELAYED;
    if (m->work.bytes <= blocks * m->run.channels * m->work.slice_bytes)
        return CS_REGIME_ONE_SLICE;
    if (!cs_same(m->work.transport, "device") ||
        (m->run.agents > 0 && cs_same(m->run.servers, "host")))
        return CS_REGIME_PCIE;
    return cs_gpu_footprint(&query) <= (double)m->work.l2_bytes ? CS_REGIME_L2 : CS_REGIME_MEMORY;
}

/* Puts the worst ends of the regime's runs into `values`. */
static uint32_t collect_ends(const struct cs_comparison *comparison, int regime, double *values)
{
    uint32_t count = 0;

    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        if (!run->unknown && run->ends >= 0 && (int)regime_of(run) == regime)
            values[count++] = run->ends;
    }
    return count;
}

void cs_breakdown_regimes(const struct cs_comparison *comparison, struct cs_arena *arena,
                          struct cs_regime_errors errors[CS_REGIMES])
{
    double *factors = cs_arena_alloc(arena, comparison->run_count, sizeof(*factors));

    for (int regime = 0; regime < CS_REGIMES; regime++) {
        uint32_t count = 0;

        for (size_t i = 0; i < comparison->run_count; i++)
            if (!comparison->runs[i].unknown && (int)regime_of(&comparison->runs[i]) == regime)
                factors[count++] = comparison->runs[i].factor;
        errors[regime] = (struct cs_regime_errors){.count = count};
        if (count == 0)
            continue;
        errors[regime].median = cs_quantile(factors, count, 0.5);
        errors[regime].p90 = cs_quantile(factors, count, 0.9);
        errors[regime].most = factors[count - 1];
        count = collect_ends(comparison, regime, factors);
        errors[regime].ends_count = count;
        if (count > 0)
            errors[regime].ends = cs_quantile(factors, count, 0.5);
    }
}

/* The first predicted run that differs from `late` in the delay alone, or NULL. */
static const struct cs_compared *find_on_time(const struct cs_comparison *comparison,
                                              const struct cs_compared *late)
{
    struct cs_measured on_time = *late->measured;

    on_time.run.delay_s = 0;
    on_time.run.delay_rank = 0;
    for (size_t i = 0; i < comparison->run_count; i++)
        if (!comparison->runs[i].unknown &&
            cs_registration_same_run(comparison->runs[i].measured, &on_time))
            return &comparison->runs[i];
    return NULL;
}

struct cs_delays_passed_on cs_breakdown_delays(const struct cs_comparison *comparison,
                                               struct cs_arena *arena)
{
    struct cs_delays_passed_on passed = {0};
    double *errors = cs_arena_alloc(arena, comparison->run_count, sizeof(*errors));

    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *late = &comparison->runs[i];
        const struct cs_compared *on_time;

        if (late->unknown || !(late->measured->run.delay_s > 0))
            continue;
        on_time = find_on_time(comparison, late);
        if (on_time)
            errors[passed.count++] = fabs(late->time_s - on_time->time_s -
                                          (late->predicted.time_s - on_time->predicted.time_s)) /
                                     late->measured->run.delay_s;
    }
    if (passed.count == 0)
        return passed;
    passed.median = cs_quantile(errors, passed.count, 0.5);
    passed.most = errors[passed.count - 1];
    return passed;
}

/* ---- scores ---- */

static const uint32_t score_ranks[CS_SCORE_RANKS] = {2, 3, 4, 8, 16};

/* Whether the run is outside the schedules, default channels and starts in time
 * with which the model was developed: errors of such runs come from no development data. */
static bool is_held_out(const struct cs_measured *m)
{
    static const char *const names[] = {"ring", "tree", "naive", "ps"};
    size_t i = 0;

    while (i < sizeof(names) / sizeof(*names) && !cs_same(m->run.algorithm, names[i]))
        i++;
    return m->run.delay_s > 0 || i == sizeof(names) / sizeof(*names) ||
           (m->command && strstr(m->command, "--channels "));
}

static bool has_score(const struct cs_compared *run, const struct cs_score *score)
{
    return !run->unknown && regime_of(run) == score->regime &&
           is_held_out(run->measured) == score->held_out &&
           cs_same(run->measured->gpu, score->gpu) &&
           cs_same(run->measured->run.algorithm, score->algorithm) &&
           cs_same(run->setup, score->setup);
}

/* Puts |ln| of the score's runs into `values`; ranks 0 selects any number of
 * ranks. */
static uint32_t collect_logs(const struct cs_comparison *comparison, const struct cs_score *score,
                             uint32_t ranks, double *values)
{
    uint32_t count = 0;

    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        if (has_score(run, score) && (ranks == 0 || run->measured->work.ranks == ranks))
            values[count++] = fabs(log1p(run->error));
    }
    return count;
}

static double bias_of(const struct cs_comparison *comparison, const struct cs_score *score,
                      double *values)
{
    uint32_t count = 0;

    for (size_t i = 0; i < comparison->run_count; i++)
        if (has_score(&comparison->runs[i], score))
            values[count++] = log1p(comparison->runs[i].error);
    return cs_quantile(values, count, 0.5);
}

static void fill_score(const struct cs_comparison *comparison, struct cs_score *score,
                       double *values)
{
    uint32_t count;

    score->bias = bias_of(comparison, score, values);
    for (size_t i = 0; i < CS_SCORE_RANKS; i++) {
        count = collect_logs(comparison, score, score_ranks[i], values);
        score->by_ranks[i] = count > 0 ? cs_quantile(values, count, 0.5) : (double)NAN;
    }
    score->count = collect_logs(comparison, score, 0, values);
    score->median = cs_quantile(values, score->count, 0.5);
    score->p90 = cs_quantile(values, score->count, 0.9);
    score->most = values[score->count - 1];
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];
        const struct cs_measured *m = run->measured;

        score->within += has_score(run, score) && m->spread.p90_s > 0 &&
                         run->predicted.time_s >= m->spread.p10_s &&
                         run->predicted.time_s <= m->spread.p90_s;
    }
}

size_t cs_breakdown_scores(const struct cs_comparison *comparison, struct cs_arena *arena,
                           struct cs_score **scores)
{
    struct cs_score *list = cs_arena_alloc(arena, comparison->run_count, sizeof(*list));
    double *values = cs_arena_alloc(arena, comparison->run_count, sizeof(*values));
    size_t count = 0;

    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];
        size_t k = 0;

        while (k < count && !has_score(run, &list[k]))
            k++;
        if (run->unknown || k < count)
            continue;
        list[count] = (struct cs_score){.gpu = run->measured->gpu,
                                        .algorithm = run->measured->run.algorithm,
                                        .setup = run->setup,
                                        .regime = regime_of(run),
                                        .held_out = is_held_out(run->measured)};
        fill_score(comparison, &list[count++], values);
    }
    *scores = list;
    return count;
}

/* ---- choices ---- */

static bool is_choice(const struct cs_compared *a, const struct cs_compared *b)
{
    const struct cs_measured *m = a->measured;
    const struct cs_measured *n = b->measured;

    return !b->unknown && !is_held_out(n) && m->work.bytes == n->work.bytes &&
           m->work.ranks == n->work.ranks && m->work.gpus_used == n->work.gpus_used &&
           cs_same(m->work.dtype, n->work.dtype) &&
           cs_same(cs_measured_card(m), cs_measured_card(n));
}

/* The regret of the choice whose first run is `first`; -1 where the run is not
 * the first of a choice, or has no alternative. */
static double regret_of(const struct cs_comparison *comparison, size_t first)
{
    const struct cs_compared *run = &comparison->runs[first];
    double fastest_s = run->time_s;
    const struct cs_compared *chosen = run;
    bool other = false;

    if (run->unknown || is_held_out(run->measured))
        return -1;
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *here = &comparison->runs[i];

        if (i == first || !is_choice(run, here))
            continue;
        if (i < first)
            return -1;
        other = true;
        fastest_s = fmin(fastest_s, here->time_s);
        if (here->predicted.time_s < chosen->predicted.time_s)
            chosen = here;
    }
    return other ? chosen->time_s / fastest_s - 1 : -1;
}

size_t cs_breakdown_regrets(const struct cs_comparison *comparison, struct cs_arena *arena,
                            struct cs_regret **regrets)
{
    struct cs_regret *list = cs_arena_alloc(arena, comparison->run_count, sizeof(*list));
    size_t count = 0;

    for (size_t i = 0; i < comparison->run_count; i++) {
        uint64_t bytes = comparison->runs[i].measured->work.bytes;
        double regret = regret_of(comparison, i);
        size_t k = 0;

        if (regret < 0)
            continue;
        while (k < count && list[k].bytes != bytes)
            k++;
        if (k == count)
            list[count++] = (struct cs_regret){.bytes = bytes};
        list[k].choices++;
        list[k].right += regret == 0;
        list[k].mean += (regret - list[k].mean) / list[k].choices;
        list[k].most = fmax(list[k].most, regret);
    }
    if (count > 0)
        qsort(list, count, sizeof(*list), cs_order_of_wide_numbers);
    *regrets = list;
    return count;
}

/* Modified sources ("-dirty") may differ under an equal commit. */
static bool same_commit(const char *a, const char *b)
{
    return a && b && a[0] && !cs_same(a, "unknown") && !strstr(a, "-dirty") && cs_same(a, b);
}

static void count_left_out(const struct cs_compared *run, struct cs_comparison_summary *sum)
{
    if (run->skipped)
        sum->skipped++;
    else if (run->measured->failed[0])
        sum->failed++;
    else if (run->measured->run.wrong > 0)
        sum->wrong++;
    else if (run->repeated)
        sum->repeated++;
    else
        sum->other++;
}

static void count_written(const struct cs_compared *run, struct cs_comparison_summary *sum)
{
    sum->registered[run->registered]++;
    if (!run->written)
        return;
    sum->written++;
    sum->same_commit += same_commit(run->written->commit, run->measured->commit);
    sum->same_inputs += cs_same(run->written->run.inputs, run->inputs);
}

/* The spread between a point's first measurement and the later ones. */
static void sum_repeats(const struct cs_comparison *comparison, double *values,
                        struct cs_comparison_summary *sum)
{
    uint32_t count = 0;

    for (size_t i = 0; i < comparison->run_count; i++)
        if (comparison->runs[i].repeated)
            values[count++] = comparison->runs[i].factor;
    if (count > 0) {
        sum->repeat_median = cs_quantile(values, count, 0.5);
        sum->repeat_most = values[count - 1];
    }
}

struct cs_comparison_summary cs_comparison_summarize(const struct cs_comparison *comparison,
                                                     struct cs_arena *arena)
{
    struct cs_comparison_summary sum = {0};
    double *noise = cs_arena_alloc(arena, comparison->run_count, sizeof(*noise));

    sum_repeats(comparison, noise, &sum);
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        if (run->unknown) {
            count_left_out(run, &sum);
            continue;
        }
        sum.predicted++;
        count_written(run, &sum);
        if (run->again_s > 0)
            noise[sum.twice++] = expm1(fabs(log(run->again_s / run->predicted.time_s)));
    }
    if (sum.twice > 0) {
        sum.noise = cs_quantile(noise, sum.twice, 0.5);
        sum.most = noise[sum.twice - 1];
    }
    return sum;
}
