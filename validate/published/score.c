#include "validate/published/score.h"

#include "sim/base/text.h"
#include "validate/gpu/quantile.h"

#include <math.h>
#include <stdlib.h>

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)

static const char *const range_names[CS_SIZE_RANGES] = {
    "from-64KiB", "below-64KiB", "from-256MiB", "rooted-below-64KiB"};

static const char *const decade_names[CS_SIZE_DECADES] = {
    "below 64 KiB", "64 KiB-1 MiB", "1-16 MiB", "16-256 MiB", "from 256 MiB"};

const char *cs_size_range_name(enum cs_size_range sizes)
{
    return range_names[sizes];
}

const char *cs_size_decade_name(uint32_t decade)
{
    return decade_names[decade];
}

/* ---- rows ---- */

static bool score_is_rooted(const struct cs_published_table *table)
{
    return table->library[0] != 'm' && table->library[0] != 'g' &&
           (table->collective == &cs_collective_broadcast ||
            table->collective == &cs_collective_reduce);
}

bool cs_size_range_has(const struct cs_published_table *table, uint64_t bytes,
                       enum cs_size_range sizes)
{
    switch (sizes) {
    case CS_SIZES_FROM_64K:
        return bytes >= 64 * KIB;
    case CS_SIZES_FROM_256M:
        return bytes >= 256 * MIB;
    case CS_SIZES_BELOW_64K:
        return bytes < 64 * KIB && !score_is_rooted(table);
    default:
        return bytes < 64 * KIB && score_is_rooted(table);
    }
}

static uint32_t score_decade(uint64_t bytes)
{
    static const uint64_t ends[] = {64 * KIB, MIB, 16 * MIB, 256 * MIB};
    uint32_t decade = 0;

    while (decade < CS_SIZE_DECADES - 1 && bytes >= ends[decade])
        decade++;
    return decade;
}

/* ln(predicted / measured); NAN without a prediction of the model. */
static double score_log(const struct cs_published_answer *answer, uint32_t row,
                        enum cs_predictor predictor)
{
    const struct cs_published_point *point = &answer->points[row];

    if (!(point->time_s[CS_PREDICTOR_MODEL] > 0))
        return (double)NAN;
    return log(point->time_s[predictor] / answer->table->rows[row].time_s);
}

/* ---- tables ---- */

struct cs_table_error cs_published_table_error(
    const struct cs_published_answer *answer, enum cs_size_range sizes)
{
    const struct cs_published_table *table = answer->table;
    struct cs_table_error error = {.answer = answer};
    uint32_t i;
    int k;

    for (i = 0; i < table->row_count; i++) {
        double model = score_log(answer, i, CS_PREDICTOR_MODEL);

        if (isnan(model) ||
            !cs_size_range_has(table, table->rows[i].bytes, sizes))
            continue;
        error.rows++;
        error.bias += model;
        for (k = 0; k < CS_PREDICTORS; k++)
            error.error[k] += fabs(score_log(answer, i, (enum cs_predictor)k));
    }
    for (k = 0; k < CS_PREDICTORS; k++)
        error.error[k] = expm1(error.error[k] / fmax(error.rows, 1));
    error.bias = expm1(error.bias / fmax(error.rows, 1));
    return error;
}

static int score_worse(const void *first, const void *second)
{
    const struct cs_table_error *a = first;
    const struct cs_table_error *b = second;
    double x = a->error[CS_PREDICTOR_MODEL];
    double y = b->error[CS_PREDICTOR_MODEL];

    if (x != y)
        return x < y ? 1 : -1;
    return a->answer < b->answer ? -1 : a->answer > b->answer;
}

uint32_t cs_published_worst(const struct cs_published_answer *answers,
                            uint32_t count, enum cs_size_range sizes,
                            struct cs_arena *arena,
                            struct cs_table_error **errors)
{
    uint32_t found = 0;
    uint32_t i;

    *errors = cs_arena_alloc(arena, count, sizeof(**errors));
    for (i = 0; i < count; i++) {
        (*errors)[found] = cs_published_table_error(&answers[i], sizes);
        found += (*errors)[found].rows > 0;
    }
    if (found > 1)
        qsort(*errors, found, sizeof(**errors), score_worse);
    return found;
}

/* ---- groups ---- */

/* A group of tables: healthy ones by `name`, or those of another health. */
struct score_group {
    const char *group, *name;
    bool (*has)(const struct cs_published_table *table, const char *name);
};

static const char *score_family(const struct cs_published_table *table)
{
    return cs_same(table->library, "rccl") ? "nccl" : table->library;
}

static bool score_has_library(const struct cs_published_table *table,
                              const char *name)
{
    return table->health == CS_HEALTH_YES && cs_same(score_family(table), name);
}

static bool score_has_class(const struct cs_published_table *table,
                            const char *name)
{
    return table->health == CS_HEALTH_YES &&
           cs_same(cs_machine_class_name(table->machine_class), name);
}

static bool score_has_site(const struct cs_published_table *table,
                           const char *name)
{
    return table->health == CS_HEALTH_YES && cs_same(table->site, name);
}

static bool score_has_health(const struct cs_published_table *table,
                             const char *name)
{
    return table->health != CS_HEALTH_YES &&
           cs_same(cs_published_health_name(table->health), name);
}

/* Rows of the answer inside their 90 % interval. */
static void score_intervals(const struct cs_published_answer *answer,
                            struct cs_published_score *score)
{
    const struct cs_published_table *table = answer->table;
    uint32_t i;

    for (i = 0; i < table->row_count; i++) {
        const struct cs_published_point *point = &answer->points[i];
        double measured = table->rows[i].time_s;

        if (isnan(score_log(answer, i, CS_PREDICTOR_MODEL)) ||
            !cs_size_range_has(table, table->rows[i].bytes, score->sizes) ||
            !(point->high_s > 0))
            continue;
        score->bounded++;
        score->inside += measured >= point->low_s && measured <= point->high_s;
    }
}

/* Values of the group's tables: of each predictor, then the bias. */
static void score_settle(struct cs_published_score *score,
                         double *values[CS_PREDICTORS + 1])
{
    int k;

    for (k = 0; k < CS_PREDICTORS; k++) {
        score->median[k] = cs_quantile(values[k], score->tables, 0.5);
        score->p90[k] = cs_quantile(values[k], score->tables, 0.9);
    }
    score->bias = cs_quantile(values[CS_PREDICTORS], score->tables, 0.5);
}

static struct cs_published_score score_of(
    const struct score_group *group, enum cs_size_range sizes,
    const struct cs_published_answer *answers, uint32_t count,
    double *values[CS_PREDICTORS + 1])
{
    struct cs_published_score score = {
        .group = group->group, .name = group->name, .sizes = sizes};
    uint32_t i;
    int k;

    for (i = 0; i < count; i++) {
        struct cs_table_error error;

        if (!group->has(answers[i].table, group->name))
            continue;
        error = cs_published_table_error(&answers[i], sizes);
        if (error.rows == 0)
            continue;
        for (k = 0; k < CS_PREDICTORS; k++)
            values[k][score.tables] = error.error[k];
        values[CS_PREDICTORS][score.tables++] = error.bias;
        score.rows += error.rows;
        score_intervals(&answers[i], &score);
    }
    if (score.tables > 0)
        score_settle(&score, values);
    return score;
}

static void score_add_group(struct score_group *groups, uint32_t *count,
                            struct score_group group)
{
    uint32_t i;

    for (i = 0; i < *count; i++)
        if (groups[i].has == group.has && cs_same(groups[i].name, group.name))
            return;
    groups[(*count)++] = group;
}

/* Libraries, classes, sites, healths: each in the order of its first table, but
 * classes in the order of reports. */
static uint32_t score_groups(const struct cs_published_answer *answers,
                             uint32_t count, struct score_group *groups)
{
    uint32_t found = 0;
    uint32_t i;
    int k;

    for (i = 0; i < count; i++)
        score_add_group(groups, &found,
                        (struct score_group){"library",
                                             score_family(answers[i].table),
                                             score_has_library});
    for (k = 0; k < CS_CLASSES; k++)
        score_add_group(groups, &found,
                        (struct score_group){
                            "class",
                            cs_machine_class_name((enum cs_machine_class)k),
                            score_has_class});
    for (i = 0; i < count; i++)
        score_add_group(groups, &found,
                        (struct score_group){"site", answers[i].table->site,
                                             score_has_site});
    for (k = 0; k < CS_HEALTHS; k++)
        score_add_group(
            groups, &found,
            (struct score_group){
                "health", cs_published_health_name((enum cs_published_health)k),
                score_has_health});
    return found;
}

uint32_t cs_published_scores(const struct cs_published_answer *answers,
                             uint32_t count, struct cs_arena *arena,
                             struct cs_published_score **scores)
{
    struct score_group *groups = cs_arena_alloc(
        arena, 2 * (size_t)count + CS_CLASSES + CS_HEALTHS, sizeof(*groups));
    uint32_t group_count = score_groups(answers, count, groups);
    double *values[CS_PREDICTORS + 1];
    uint32_t found = 0;
    uint32_t i;
    int k;

    for (k = 0; k <= CS_PREDICTORS; k++)
        values[k] = cs_arena_alloc(arena, count, sizeof(double));
    *scores = cs_arena_alloc(arena, (size_t)group_count * CS_SIZE_RANGES,
                             sizeof(**scores));
    for (i = 0; i < group_count; i++)
        for (k = 0; k < CS_SIZE_RANGES; k++) {
            (*scores)[found] = score_of(&groups[i], (enum cs_size_range)k,
                                        answers, count, values);
            found += (*scores)[found].tables > 0;
        }
    return found;
}

/* ---- signed errors ---- */

static void score_add_bias(struct cs_published_bias *bias, uint32_t decade,
                           double log_ratio)
{
    bias->rows[decade]++;
    bias->bias[decade] += log_ratio;
    bias->rows[CS_SIZE_DECADES]++;
    bias->bias[CS_SIZE_DECADES] += log_ratio;
}

uint32_t cs_published_biases(const struct cs_published_answer *answers,
                             uint32_t count, struct cs_arena *arena,
                             struct cs_published_bias **biases)
{
    struct cs_published_bias *lines =
        cs_arena_alloc(arena, CS_CLASSES + 1, sizeof(*lines));
    uint32_t found = 0;
    uint32_t i;
    uint32_t r;

    for (i = 0; i < count; i++) {
        const struct cs_published_table *table = answers[i].table;

        for (r = 0; r < table->row_count; r++) {
            double ratio = score_log(&answers[i], r, CS_PREDICTOR_MODEL);
            uint32_t decade = score_decade(table->rows[r].bytes);

            if (isnan(ratio) || table->health != CS_HEALTH_YES)
                continue;
            score_add_bias(&lines[table->machine_class], decade, ratio);
            score_add_bias(&lines[CS_CLASSES], decade, ratio);
        }
    }
    for (i = 0; i <= CS_CLASSES; i++) {
        lines[i].name = i < CS_CLASSES
                            ? cs_machine_class_name((enum cs_machine_class)i)
                            : "all";
        for (r = 0; r <= CS_SIZE_DECADES; r++)
            lines[i].bias[r] = expm1(lines[i].bias[r] / lines[i].rows[r]);
        if (lines[i].rows[CS_SIZE_DECADES] > 0)
            lines[found++] = lines[i];
    }
    *biases = lines;
    return found;
}

/* ---- the worst decade of a table ---- */

static const char *score_part(const double parts[3])
{
    if (parts[2] >= parts[0] && parts[2] >= parts[1])
        return "transfer";
    return parts[1] >= parts[0] ? "latency" : "launch";
}

static struct cs_decade_error score_decade_error(
    const struct cs_published_answer *answer, uint32_t decade)
{
    struct cs_decade_error error = {.decade = decade};
    double parts[3] = {0};
    double sum = 0;
    uint32_t r;

    for (r = 0; r < answer->table->row_count; r++) {
        const struct cs_published_point *point = &answer->points[r];
        double ratio = score_log(answer, r, CS_PREDICTOR_MODEL);

        if (isnan(ratio) ||
            score_decade(answer->table->rows[r].bytes) != decade)
            continue;
        error.rows++;
        sum += ratio;
        parts[0] += point->launch_s;
        parts[1] += point->latency_s;
        parts[2] += point->transfer_s;
    }
    error.bias = error.rows ? expm1(sum / error.rows) : 0;
    error.part = score_part(parts);
    return error;
}

struct cs_decade_error cs_published_worst_decade(
    const struct cs_published_answer *answer)
{
    struct cs_decade_error worst = {0};
    uint32_t decade;

    for (decade = 0; decade < CS_SIZE_DECADES; decade++) {
        struct cs_decade_error error = score_decade_error(answer, decade);

        if (error.rows > 0 && (worst.rows == 0 || fabs(log1p(error.bias)) >
                                                      fabs(log1p(worst.bias))))
            worst = error;
    }
    return worst;
}
