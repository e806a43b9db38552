#include "validate/tcp/score.h"

#include "sim/base/statistics.h"
#include "sim/base/text.h"
#include "topo/documents/values.h"
#include "validate/gpu/gates.h"

#include <math.h>
#include <stdio.h>

enum {
    LARGE_BYTES = 1 << 20,
};

/* Buckets that are full at the start, and the scatter of the calibration, bring
 * recorded runs down to 0.96 of the bound. */
#define BOUND_SHARE 0.75

#define MAIN_ALGORITHMS "ring, naive, ps"

/* ---- settings ---- */

static const char *score_setting(const struct cs_tcp_line *line, struct cs_arena *arena)
{
    const char *delay =
        line->wire.delay_s > 0 ? cs_arena_printf(arena, ", %g us", line->wire.delay_s * 1e6) : "";
    if (!cs_same(line->lab, "namespaces"))
        return cs_arena_printf(arena, "loopback, %s", line->waiting);
    return cs_arena_printf(arena, "%g Gb/s, burst %llu KiB, %s, %s%s%s", line->wire.rate_Bps * 8e-9,
                           (unsigned long long)(line->wire.burst_bytes >> 10), line->congestion,
                           line->waiting, line->packets ? ", packets" : "", delay);
}

/* The setting with what happens to a run: packets lost, a rate changed. */
static const char *score_label(const struct cs_tcp_line *line, const char *setting,
                               struct cs_arena *arena)
{
    if (line->wire.loss > 0)
        return cs_arena_printf(arena, "%s, losses", setting);
    if (line->wire.change_Bps > 0)
        return cs_arena_printf(arena, "%s, rate changes", setting);
    return setting;
}

/* The patterns of a run's setting. */
static struct cs_tcp_lines score_patterns(const struct cs_tcp_lines *lines,
                                          const char *const *settings, const char *setting,
                                          struct cs_arena *arena)
{
    struct cs_tcp_lines patterns = {cs_arena_alloc(arena, lines->count, sizeof(*lines->items)), 0,
                                    0};

    for (size_t i = 0; i < lines->count; i++)
        if (cs_same(lines->items[i].kind, "pattern") && cs_same(settings[i], setting))
            patterns.items[patterns.count++] = lines->items[i];
    return patterns;
}

/* ---- points ---- */

/* The model of the setting of the previous run, which usually serves the next. */
struct score_model {
    const char *setting;
    struct cs_tcp_model model;
};

static int score_point(const struct cs_tcp_line *line, const struct cs_tcp_model *model,
                       struct cs_tcp_point *point, struct cs_err *err)
{
    const struct cs_tcp_query query = {.algorithm = line->algorithm,
                                       .collective = line->collective,
                                       .ranks = (uint32_t)line->ranks,
                                       .bytes = line->bytes,
                                       .shaped_Bps = line->wire.rate_Bps,
                                       .change_Bps = line->wire.change_Bps,
                                       .change_s = line->wire.change_s,
                                       .loss = line->wire.loss};
    struct cs_err why = {0};

    if (line->wrong > 0)
        return cs_err_at(err, CS_EANSWER, line->file, line->line, "%llu wrong elements",
                         (unsigned long long)line->wrong);
    if (cs_tcp_model_predict(model, &query, &point->predicted, &why))
        return cs_err_at(err, CS_EINPUT, line->file, line->line, "%.400s", why.text);
    if (line->time_least_s < BOUND_SHARE * point->predicted.bound_s)
        return cs_err_at(err, CS_EANSWER, line->file, line->line,
                         "%g s is far below the lower bound, %g s at the calibrated rate",
                         line->time_least_s, point->predicted.bound_s);
    point->line = line;
    point->error = point->predicted.time_s / line->time_s - 1;
    point->error_least = point->predicted.time_s / line->time_least_s - 1;
    return 0;
}

static int score_points(const struct cs_tcp_lines *lines, const char *const *settings,
                        struct cs_arena *arena, struct cs_tcp_comparison *comparison,
                        struct cs_err *err)
{
    struct score_model last = {.setting = ""};
    int code = 0;

    for (size_t i = 0; i < lines->count && !code; i++) {
        const struct cs_tcp_line *line = &lines->items[i];

        if (!cs_same(line->kind, "run"))
            continue;
        if (!cs_same(last.setting, settings[i])) {
            struct cs_tcp_lines patterns = score_patterns(lines, settings, settings[i], arena);

            last.setting = settings[i];
            code = cs_tcp_model_make(&patterns, &last.model, err);
            if (code)
                return cs_err_prefix(err, "%s", settings[i]);
        }
        comparison->points[comparison->count].setting = score_label(line, settings[i], arena);
        code = score_point(line, &last.model, &comparison->points[comparison->count++], err);
    }
    if (!code && comparison->count == 0)
        code =
            cs_err_set(err, CS_ECANNOT,
                       "no run over TCP is recorded; expected the lines of 'collsim measure tcp'");
    return code;
}

/* ---- groups ---- */

static bool score_is_main(const char *algorithm)
{
    return cs_same(algorithm, "ring") || cs_same(algorithm, "naive") ||
           cs_same(algorithm, "gather-bcast") || cs_same(algorithm, "ps");
}

static bool score_in_group(const struct cs_tcp_group *group, const struct cs_tcp_point *point)
{
    bool large = point->line->bytes >= LARGE_BYTES;

    if (!cs_same(group->setting, point->setting))
        return false;
    if (!cs_same(group->sizes, "all") && cs_same(group->sizes, "large") != large)
        return false;
    if (cs_same(group->algorithm, MAIN_ALGORITHMS))
        return score_is_main(point->line->algorithm);
    return cs_same(group->algorithm, "all") || cs_same(group->algorithm, point->line->algorithm);
}

enum score_figure {
    SCORE_ERROR, /* signed */
    SCORE_ABSOLUTE,
    SCORE_LEAST, /* absolute, of the least time */
};

/* The figures of a group's points; returns their number. */
static uint32_t score_collect(const struct cs_tcp_comparison *comparison,
                              const struct cs_tcp_group *group, enum score_figure what,
                              double *values)
{
    uint32_t count = 0;

    for (size_t i = 0; i < comparison->count; i++) {
        const struct cs_tcp_point *point = &comparison->points[i];

        if (score_in_group(group, point))
            values[count++] = what == SCORE_ERROR      ? point->error
                              : what == SCORE_ABSOLUTE ? fabs(point->error)
                                                       : fabs(point->error_least);
    }
    return count;
}

static void score_fill(const struct cs_tcp_comparison *comparison, struct cs_tcp_group *group,
                       double *values)
{
    uint32_t count = score_collect(comparison, group, SCORE_ERROR, values);

    group->count = count;
    if (count == 0)
        return;
    group->bias = cs_spread_of(values, count).median;
    score_collect(comparison, group, SCORE_LEAST, values);
    group->median_least = cs_spread_of(values, count).median;
    score_collect(comparison, group, SCORE_ABSOLUTE, values);
    group->median = cs_spread_of(values, count).median;
    group->p90 = values[(9 * (size_t)count + 9) / 10 - 1];
}

/* The group with that setting, algorithm and sizes, or NULL. */
static struct cs_tcp_group *score_find(const struct cs_tcp_comparison *comparison,
                                       const struct cs_tcp_group *wanted)
{
    for (size_t i = 0; i < comparison->group_count; i++) {
        struct cs_tcp_group *group = &comparison->groups[i];

        if (cs_same(group->setting, wanted->setting) &&
            cs_same(group->algorithm, wanted->algorithm) && cs_same(group->sizes, wanted->sizes))
            return group;
    }
    return NULL;
}

static void score_add_group(struct cs_tcp_comparison *comparison, const struct cs_tcp_group *wanted,
                            double *values)
{
    struct cs_tcp_group *group = &comparison->groups[comparison->group_count];

    if (score_find(comparison, wanted))
        return;
    *group = *wanted;
    score_fill(comparison, group, values);
    comparison->group_count += group->count > 0;
}

static void score_groups(struct cs_tcp_comparison *comparison, struct cs_arena *arena)
{
    double *values = cs_arena_alloc(arena, comparison->count, sizeof(*values));

    comparison->groups =
        cs_arena_alloc(arena, 4 * comparison->count + 1, sizeof(*comparison->groups));
    for (size_t i = 0; i < comparison->count; i++) {
        const struct cs_tcp_point *point = &comparison->points[i];
        bool large = point->line->bytes >= LARGE_BYTES;
        struct cs_tcp_group group = {.setting = point->setting,
                                     .algorithm = point->line->algorithm,
                                     .sizes = large ? "large" : "small"};

        score_add_group(comparison, &group, values);
        group.algorithm = MAIN_ALGORITHMS;
        group.sizes = "large";
        score_add_group(comparison, &group, values);
        group.algorithm = "all";
        group.sizes = "all";
        score_add_group(comparison, &group, values);
    }
}

int cs_tcp_compare(const struct cs_tcp_lines *lines, struct cs_arena *arena,
                   struct cs_tcp_comparison *comparison, struct cs_err *err)
{
    const char **settings = cs_arena_alloc(arena, lines->count, sizeof(const char *));
    int code;

    *comparison = (struct cs_tcp_comparison){
        .points = cs_arena_alloc(arena, lines->count, sizeof(*comparison->points))};
    for (size_t i = 0; i < lines->count; i++)
        settings[i] = score_setting(&lines->items[i], arena);
    code = score_points(lines, settings, arena, comparison, err);
    if (!code)
        score_groups(comparison, arena);
    return code;
}

/* ---- gates ---- */

#define GATE(name, form, member, ...) \
    CS_VALUE(name, form, struct cs_tcp_group, member, .is_needed = true, __VA_ARGS__)
static const struct cs_value tcp_gate_values[] = {
    GATE("setting", cs_value_text, setting),
    GATE("algorithm", cs_value_text, algorithm),
    GATE("sizes", cs_value_text, sizes),
    GATE("runs", cs_value_count, count, .most = INT32_MAX),
    GATE("median", cs_value_fraction, median_gate),
    GATE("p90", cs_value_fraction, p90_gate),
};

static int tcp_gate_read(void *ctx, const struct cs_doc *doc, uint32_t gate, struct cs_err *err)
{
    struct cs_tcp_group wanted = {0};
    struct cs_tcp_group *group;

    if (cs_doc_read_values(doc, gate, "the gate", CS_VALUES(tcp_gate_values), &wanted, err))
        return CS_EINPUT;
    group = score_find(ctx, &wanted);
    if (!group)
        return cs_doc_err(doc, gate, err, "no measured group for this gate");
    if (group->count != wanted.count)
        return cs_doc_err(doc, gate, err, "the group has %u runs, not %u", group->count,
                          wanted.count);
    group->median_gate = wanted.median_gate;
    group->p90_gate = wanted.p90_gate;
    return 0;
}

int cs_tcp_gates_read(struct cs_tcp_comparison *comparison, const char *path,
                      struct cs_arena *arena, struct cs_err *err)
{
    return cs_gates_each(path, arena, tcp_gate_read, comparison, err);
}

int cs_tcp_gates_judge(const struct cs_tcp_comparison *comparison, struct cs_err *err)
{
    for (size_t i = 0; i < comparison->group_count; i++) {
        const struct cs_tcp_group *group = &comparison->groups[i];

        if (!(group->median_gate > 0))
            continue;
        if (group->median > group->median_gate || group->p90 > group->p90_gate)
            return cs_err_set(err, CS_EANSWER,
                              "%s, %s, %s sizes: |error| %.1f %% median, %.1f %% 90th percentile; "
                              "the gates are %.1f %% and %.1f %%",
                              group->setting, group->algorithm, group->sizes, 100 * group->median,
                              100 * group->p90, 100 * group->median_gate, 100 * group->p90_gate);
    }
    return 0;
}
