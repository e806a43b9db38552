#include "validate/published/score.h"

#include "sim/base/order.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)

const char *const cs_size_range_names[CS_SIZE_RANGES] = {"from-64KiB", "below-64KiB", "from-256MiB",
                                                         "rooted-below-64KiB"};

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

double cs_published_log(const struct cs_published_answer *answer, uint32_t row,
                        enum cs_predictor predictor)
{
    const struct cs_published_point *point = &answer->points[row];

    if (!(point->time_s[CS_PREDICTOR_MODEL] > 0))
        return (double)NAN;
    return log(point->time_s[predictor] / answer->table->rows[row].time_s);
}

enum cs_predictor cs_published_fair(const struct cs_published_point *point)
{
    return point->time_s[CS_PREDICTOR_LEFT_OUT] > 0 ? CS_PREDICTOR_LEFT_OUT : CS_PREDICTOR_MODEL;
}

/* ---- tables ---- */

struct cs_table_error cs_published_table_error(const struct cs_published_answer *answer,
                                               enum cs_size_range sizes)
{
    const struct cs_published_table *table = answer->table;
    struct cs_table_error error = {.answer = answer};

    for (uint32_t i = 0; i < table->row_count; i++) {
        double model = cs_published_log(answer, i, CS_PREDICTOR_MODEL);

        if (isnan(model) || !cs_size_range_has(table, table->rows[i].bytes, sizes))
            continue;
        error.rows++;
        error.bias += cs_published_log(answer, i, cs_published_fair(&answer->points[i]));
        for (int k = 0; k < CS_PREDICTORS; k++)
            error.error[k] += fabs(cs_published_log(answer, i, (enum cs_predictor)k));
    }
    for (int k = 0; k < CS_PREDICTORS; k++)
        error.error[k] = expm1(error.error[k] / fmax(error.rows, 1));
    error.bias = expm1(error.bias / fmax(error.rows, 1));
    return error;
}

static double score_fair_error(const struct cs_table_error *error)
{
    double left = error->error[CS_PREDICTOR_LEFT_OUT];

    return isnan(left) ? error->error[CS_PREDICTOR_MODEL] : left;
}

static int score_worse(const void *first, const void *second)
{
    const struct cs_table_error *a = first;
    const struct cs_table_error *b = second;
    double x = score_fair_error(a);
    double y = score_fair_error(b);

    if (x != y)
        return x < y ? 1 : -1;
    return a->answer < b->answer ? -1 : a->answer > b->answer;
}

uint32_t cs_published_worst(const struct cs_published_answer *answers, uint32_t count,
                            enum cs_size_range sizes, struct cs_arena *arena,
                            struct cs_table_error **errors)
{
    uint32_t found = 0;

    *errors = cs_arena_alloc(arena, count, sizeof(**errors));
    for (uint32_t i = 0; i < count; i++) {
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

static bool score_has_library(const struct cs_published_table *table, const char *name)
{
    return table->health == CS_HEALTH_YES && cs_same(score_family(table), name);
}

static bool score_is_unseen(const struct cs_published_table *table)
{
    return cs_same(table->no_estimate, "held out");
}

static bool score_has_seen(const struct cs_published_table *table, const char *name)
{
    return score_has_library(table, name) && !score_is_unseen(table);
}

static bool score_has_unseen(const struct cs_published_table *table, const char *name)
{
    return score_has_library(table, name) && score_is_unseen(table);
}

static bool score_has_class(const struct cs_published_table *table, const char *name)
{
    return table->health == CS_HEALTH_YES &&
           cs_same(cs_machine_class_names[table->machine_class], name);
}

static bool score_has_site(const struct cs_published_table *table, const char *name)
{
    return table->health == CS_HEALTH_YES && cs_same(table->site, name);
}

static bool score_has_health(const struct cs_published_table *table, const char *name)
{
    return table->health != CS_HEALTH_YES &&
           cs_same(cs_published_health_names[table->health], name);
}

/* Rows of the answer inside their 90 % interval, which is one around the
 * prediction without the site where that exists. */
static void score_intervals(const struct cs_published_answer *answer,
                            struct cs_published_score *score)
{
    const struct cs_published_table *table = answer->table;

    for (uint32_t i = 0; i < table->row_count; i++) {
        const struct cs_published_point *point = &answer->points[i];
        double left = point->time_s[CS_PREDICTOR_LEFT_OUT] / point->time_s[CS_PREDICTOR_MODEL];
        double measured = table->rows[i].time_s / (isnan(left) ? 1 : left);

        if (isnan(cs_published_log(answer, i, CS_PREDICTOR_MODEL)) ||
            !cs_size_range_has(table, table->rows[i].bytes, score->sizes) || !(point->high_s > 0))
            continue;
        score->bounded++;
        score->inside += measured >= point->low_s && measured <= point->high_s;
    }
}

/* Values of the group's tables: of each predictor, then the bias.  A predictor
 * without a value for a table, as parameters without a site of MPI, counts over
 * the other tables. */
static void score_settle(struct cs_published_score *score, double *values[CS_PREDICTORS + 1])
{
    uint32_t known;

    for (int k = 0; k < CS_PREDICTORS; k++) {
        known = 0;
        for (uint32_t i = 0; i < score->tables; i++)
            if (!isnan(values[k][i]))
                values[k][known++] = values[k][i];
        score->median[k] = known ? cs_quantile(values[k], known, 0.5) : (double)NAN;
        score->p90[k] = known ? cs_quantile(values[k], known, 0.9) : (double)NAN;
    }
    score->bias = cs_quantile(values[CS_PREDICTORS], score->tables, 0.5);
}

static struct cs_published_score score_of(const struct score_group *group, enum cs_size_range sizes,
                                          const struct cs_published_answer *answers, uint32_t count,
                                          double *values[CS_PREDICTORS + 1])
{
    struct cs_published_score score = {.group = group->group, .name = group->name, .sizes = sizes};

    for (uint32_t i = 0; i < count; i++) {
        struct cs_table_error error;

        if (!group->has(answers[i].table, group->name))
            continue;
        error = cs_published_table_error(&answers[i], sizes);
        if (error.rows == 0)
            continue;
        for (int k = 0; k < CS_PREDICTORS; k++)
            values[k][score.tables] = error.error[k];
        values[CS_PREDICTORS][score.tables++] = error.bias;
        score.rows += error.rows;
        score_intervals(&answers[i], &score);
    }
    if (score.tables > 0)
        score_settle(&score, values);
    return score;
}

static void score_add_group(struct score_group *groups, uint32_t *count, struct score_group group)
{
    for (uint32_t i = 0; i < *count; i++)
        if (groups[i].has == group.has && cs_same(groups[i].name, group.name))
            return;
    groups[(*count)++] = group;
}

static void score_add_libraries(const struct cs_published_answer *answers, uint32_t count,
                                const char *group,
                                bool (*has)(const struct cs_published_table *, const char *),
                                struct score_group *groups, uint32_t *found)
{
    for (uint32_t i = 0; i < count; i++)
        score_add_group(groups, found,
                        (struct score_group){group, score_family(answers[i].table), has});
}

/* Libraries, their tables before and after the estimate, classes, sites, healths:
 * each in the order of its first table, but classes in the order of reports. */
static uint32_t score_groups(const struct cs_published_answer *answers, uint32_t count,
                             struct score_group *groups)
{
    uint32_t found = 0;

    score_add_libraries(answers, count, "library", score_has_library, groups, &found);
    score_add_libraries(answers, count, "seen", score_has_seen, groups, &found);
    score_add_libraries(answers, count, "unseen", score_has_unseen, groups, &found);
    for (int k = 0; k < CS_CLASSES; k++)
        score_add_group(groups, &found,
                        (struct score_group){"class", cs_machine_class_names[k], score_has_class});
    for (uint32_t i = 0; i < count; i++)
        score_add_group(groups, &found,
                        (struct score_group){"site", answers[i].table->site, score_has_site});
    for (int k = 0; k < CS_HEALTHS; k++)
        score_add_group(
            groups, &found,
            (struct score_group){"health", cs_published_health_names[k], score_has_health});
    return found;
}

uint32_t cs_published_scores(const struct cs_published_answer *answers, uint32_t count,
                             struct cs_arena *arena, struct cs_published_score **scores)
{
    struct score_group *groups =
        cs_arena_alloc(arena, 4 * (size_t)count + CS_CLASSES + CS_HEALTHS, sizeof(*groups));
    uint32_t group_count = score_groups(answers, count, groups);
    double *values[CS_PREDICTORS + 1];
    uint32_t found = 0;

    for (int k = 0; k <= CS_PREDICTORS; k++)
        values[k] = cs_arena_alloc(arena, count, sizeof(double));
    *scores = cs_arena_alloc(arena, (size_t)group_count * CS_SIZE_RANGES, sizeof(**scores));
    for (uint32_t i = 0; i < group_count; i++)
        for (int k = 0; k < CS_SIZE_RANGES; k++) {
            (*scores)[found] = score_of(&groups[i], (enum cs_size_range)k, answers, count, values);
            found += (*scores)[found].tables > 0;
        }
    return found;
}
