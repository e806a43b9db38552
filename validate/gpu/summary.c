#include "validate/gpu/summary.h"

#include "sim/base/order.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

struct cs_delays_passed_on cs_comparison_delays(const struct cs_comparison *comparison,
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
    double *factors = cs_arena_alloc(arena, comparison->run_count, sizeof(*factors));

    sum_repeats(comparison, factors, &sum);
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];

        if (run->unknown) {
            count_left_out(run, &sum);
            continue;
        }
        sum.predicted++;
        count_written(run, &sum);
    }
    return sum;
}
