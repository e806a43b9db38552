#include "validate/gpu/summary.h"

#include "sim/base/text.h"
#include "validate/gpu/quantile.h"

#include <math.h>
#include <string.h>

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
    size_t i;

    for (i = 0; i < comparison->run_count; i++)
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
    size_t i;

    sum_repeats(comparison, noise, &sum);
    for (i = 0; i < comparison->run_count; i++) {
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
