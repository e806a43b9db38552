#include "validate/training/step_score.h"

#include "sim/base/order.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>

enum {
    FIRST = 3, /* predictions that may name the fastest configuration */
};

/* ---- errors ---- */

static bool step_counts(const struct cs_step_answer *answer, enum cs_step_predictor predictor)
{
    return !answer->unserved && (predictor == CS_STEP_PLAIN || !answer->calibrates) &&
           isfinite(answer->predicted_s[predictor]);
}

static double step_error(const struct cs_step_row *row, const struct cs_step_answer *answer,
                         enum cs_step_predictor predictor)
{
    return answer->predicted_s[predictor] / cs_step_measured_s(row) - 1;
}

/* Errors as they come, signed. */
struct step_errors {
    double *values; /* absolute */
    uint32_t count;
    double sum, signed_sum;
};

static struct step_errors step_errors_open(const struct cs_step_data *steps, struct cs_arena *arena)
{
    return (struct step_errors){.values = cs_arena_alloc(arena, steps->row_count, sizeof(double))};
}

static void step_errors_add(struct step_errors *errors, double value)
{
    errors->signed_sum += value;
    errors->sum += fabs(value);
    errors->values[errors->count++] = fabs(value);
}

static struct cs_step_error step_errors_close(const struct step_errors *errors)
{
    if (errors->count == 0)
        return (struct cs_step_error){.mean = (double)NAN,
                                      .median = (double)NAN,
                                      .p90 = (double)NAN,
                                      .signed_mean = (double)NAN};
    return (struct cs_step_error){
        .rows = errors->count,
        .mean = errors->sum / errors->count,
        .signed_mean = errors->signed_sum / errors->count,
        .median = cs_quantile(errors->values, errors->count, 0.5),
        .p90 = cs_quantile(errors->values, errors->count, 0.9),
    };
}

/* Errors of a predictor on the rows that count for the predictor `on`. */
static struct cs_step_error step_error_on(const struct cs_step_data *steps,
                                          const struct cs_step_answer *answers,
                                          const struct cs_step_table *table,
                                          enum cs_step_predictor predictor,
                                          enum cs_step_predictor on, struct cs_arena *arena)
{
    struct step_errors errors = step_errors_open(steps, arena);

    for (uint32_t i = 0; i < steps->row_count; i++)
        if ((!table || steps->rows[i].series->table == table) && step_counts(&answers[i], on))
            step_errors_add(&errors, step_error(&steps->rows[i], &answers[i], predictor));
    return step_errors_close(&errors);
}

struct cs_step_error cs_step_error_of(const struct cs_step_data *steps,
                                      const struct cs_step_answer *answers,
                                      const struct cs_step_table *table,
                                      enum cs_step_predictor predictor, struct cs_arena *arena)
{
    return step_error_on(steps, answers, table, predictor, predictor, arena);
}

static struct cs_step_error step_memory_error(const struct cs_step_data *steps,
                                              const struct cs_step_answer *answers,
                                              const struct cs_step_table *table,
                                              struct cs_arena *arena)
{
    struct step_errors errors = step_errors_open(steps, arena);

    for (uint32_t i = 0; i < steps->row_count; i++)
        if (steps->rows[i].series->table == table && !answers[i].unserved &&
            steps->rows[i].memory_bytes > 0)
            step_errors_add(&errors, answers[i].memory_bytes / steps->rows[i].memory_bytes - 1);
    return step_errors_close(&errors);
}

/* ---- repeated rows ---- */

/* Repeated rows have equal predictions, whatever else their settings have. */
static bool step_repeats(const struct cs_step_data *steps, const struct cs_step_answer *answers,
                         uint32_t first, uint32_t second)
{
    const struct cs_step_row *a = &steps->rows[first];
    const struct cs_step_row *b = &steps->rows[second];
    double a_s = answers[first].predicted_s[CS_STEP_PLAIN];
    double b_s = answers[second].predicted_s[CS_STEP_PLAIN];

    return a_s <= b_s && a_s >= b_s && cs_step_same_choice(a, b) &&
           cs_same(a->series->method, b->series->method) && a->tensor == b->tensor &&
           a->pipeline == b->pipeline && a->chunks == b->chunks && a->context == b->context &&
           a->data == b->data && a->micro_batch == b->micro_batch &&
           a->accumulation == b->accumulation && a->global_batch == b->global_batch;
}

/* The measured time against the mean of its repeats; 0 without another. */
static double step_from_repeats(const struct cs_step_data *steps,
                                const struct cs_step_answer *answers, uint32_t row)
{
    double sum_s = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < steps->row_count; i++)
        if (!answers[i].unserved && step_repeats(steps, answers, i, row)) {
            sum_s += cs_step_measured_s(&steps->rows[i]);
            count++;
        }
    return count > 1 ? cs_step_measured_s(&steps->rows[row]) * count / sum_s - 1 : 0;
}

static struct cs_step_error step_repeat_error(const struct cs_step_data *steps,
                                              const struct cs_step_answer *answers,
                                              const struct cs_step_table *table,
                                              struct cs_arena *arena)
{
    struct step_errors errors = step_errors_open(steps, arena);

    for (uint32_t i = 0; i < steps->row_count; i++) {
        double error;

        if (steps->rows[i].series->table != table || answers[i].unserved)
            continue;
        error = step_from_repeats(steps, answers, i);
        if (error < 0 || error > 0)
            step_errors_add(&errors, error);
    }
    return step_errors_close(&errors);
}

/* ---- ranking ---- */

/* Samples per second on all GPUs, as measured or as predicted. */
static double step_speed(const struct cs_step_row *row, double seconds)
{
    return (row->step_s > 0 ? row->global_batch : 1) / seconds;
}

struct step_choice {
    uint32_t rows, best;
};

/* The group of row `first`; rows 0 where an earlier row is of the group. */
static struct step_choice step_choice_at(const struct cs_step_data *steps,
                                         const struct cs_step_answer *answers, uint32_t first)
{
    struct step_choice choice = {.best = first};

    for (uint32_t i = 0; i < steps->row_count; i++) {
        const struct cs_step_row *row = &steps->rows[i];
        const struct cs_step_row *best = &steps->rows[choice.best];

        if (answers[i].unserved || !cs_step_same_choice(row, best))
            continue;
        if (i < first)
            return (struct step_choice){0};
        choice.rows++;
        if (step_speed(row, cs_step_measured_s(row)) > step_speed(best, cs_step_measured_s(best)))
            choice.best = i;
    }
    return choice;
}

static bool step_choice_found(const struct cs_step_data *steps,
                              const struct cs_step_answer *answers, uint32_t best,
                              enum cs_step_predictor predictor)
{
    const struct cs_step_row *row = &steps->rows[best];
    double speed = step_speed(row, answers[best].predicted_s[predictor]);
    uint32_t ahead = 0;

    for (uint32_t i = 0; i < steps->row_count; i++)
        if (i != best && !answers[i].unserved && cs_step_same_choice(&steps->rows[i], row))
            ahead += step_speed(&steps->rows[i], answers[i].predicted_s[predictor]) > speed;
    return ahead < FIRST;
}

static void step_rank(const struct cs_step_data *steps, const struct cs_step_answer *answers,
                      const struct cs_step_table *table, struct cs_step_score *score)
{
    for (uint32_t i = 0; i < steps->row_count; i++) {
        struct step_choice choice;

        if (steps->rows[i].series->table != table || answers[i].unserved)
            continue;
        choice = step_choice_at(steps, answers, i);
        if (choice.rows < CS_STEP_CHOICES_MIN)
            continue;
        score->choices++;
        score->found += step_choice_found(steps, answers, choice.best, CS_STEP_CALIBRATED);
        score->compact_found += step_choice_found(steps, answers, choice.best, CS_STEP_BY_COMPACT);
    }
}

/* ---- scores ---- */

const struct cs_step_score *cs_step_scores(const struct cs_step_data *steps,
                                           const struct cs_step_answer *answers,
                                           struct cs_arena *arena)
{
    struct cs_step_score *scores = cs_arena_alloc(arena, steps->table_count, sizeof(*scores));

    for (uint32_t i = 0; i < steps->row_count; i++) {
        size_t table = (size_t)(steps->rows[i].series->table - steps->tables);

        scores[table].rows++;
        scores[table].served += !answers[i].unserved;
        scores[table].language += answers[i].device_bytes > 0;
        scores[table].refused +=
            answers[i].device_bytes > 0 && answers[i].memory_bytes > answers[i].device_bytes;
    }
    for (uint32_t i = 0; i < steps->table_count; i++) {
        scores[i].table = &steps->tables[i];
        for (int k = 0; k < CS_STEP_PREDICTORS; k++)
            scores[i].error[k] = cs_step_error_of(steps, answers, &steps->tables[i],
                                                  (enum cs_step_predictor)k, arena);
        scores[i].beside = step_error_on(steps, answers, &steps->tables[i], CS_STEP_PLAIN,
                                         CS_STEP_CALIBRATED, arena);
        scores[i].memory = step_memory_error(steps, answers, &steps->tables[i], arena);
        scores[i].repeated = step_repeat_error(steps, answers, &steps->tables[i], arena);
        if (steps->tables[i].kind == CS_STEP_CONFIGURATIONS)
            step_rank(steps, answers, &steps->tables[i], &scores[i]);
    }
    return scores;
}

/* ---- the worst rows ---- */

struct step_ranked {
    double error;
    uint32_t row;
};

static int step_worse(const void *left, const void *right)
{
    const struct step_ranked *a = left;
    const struct step_ranked *b = right;

    if (a->error < b->error || a->error > b->error)
        return a->error < b->error ? 1 : -1;
    return a->row < b->row ? -1 : a->row > b->row;
}

uint32_t cs_step_worst(const struct cs_step_data *steps, const struct cs_step_answer *answers,
                       struct cs_arena *arena, uint32_t **rows)
{
    struct step_ranked *ranked = cs_arena_alloc(arena, steps->row_count, sizeof(*ranked));
    uint32_t count = 0;

    *rows = cs_arena_alloc(arena, steps->row_count, sizeof(**rows));
    for (uint32_t i = 0; i < steps->row_count; i++)
        if (step_counts(&answers[i], CS_STEP_CALIBRATED))
            ranked[count++] = (struct step_ranked){
                .error = fabs(step_error(&steps->rows[i], &answers[i], CS_STEP_CALIBRATED)),
                .row = i,
            };
    qsort(ranked, count, sizeof(*ranked), step_worse);
    for (uint32_t i = 0; i < count; i++)
        (*rows)[i] = ranked[i].row;
    return count;
}

/* Whether one measured row calibrates both series. */
static bool step_same_speed(const struct cs_step_series *a, const struct cs_step_series *b)
{
    if (a == b)
        return true;
    return a->table == b->table && a->table->kind != CS_STEP_SCALING &&
           a->precision == b->precision && cs_same(a->model, b->model) &&
           cs_same(a->machine->gpu, b->machine->gpu) && cs_same(a->framework, b->framework) &&
           (a->table->kind == CS_STEP_OF_SYSTEMS || cs_same(a->method, b->method));
}

bool cs_step_same_choice(const struct cs_step_row *a, const struct cs_step_row *b)
{
    return a->gpus == b->gpus && step_same_speed(a->series, b->series) &&
           a->series->machine == b->series->machine &&
           a->series->shape.sequence == b->series->shape.sequence;
}

double cs_step_measured_s(const struct cs_step_row *row)
{
    return row->step_s > 0 ? row->step_s : 1 / row->samples_per_s;
}

/* Compute takes most of a step without bubble, sends and reductions. */
static bool step_plainer(const struct cs_step_row *a, const struct cs_step_row *b)
{
    uint64_t a_split = (uint64_t)a->tensor * a->context;
    uint64_t b_split = (uint64_t)b->tensor * b->context;

    if (a->gpus != b->gpus)
        return a->gpus < b->gpus;
    return a->pipeline < b->pipeline || (a->pipeline == b->pipeline && a_split < b_split);
}

/* The calibrating row of a row; the row itself where no row may calibrate. */
static uint32_t step_anchor(const struct cs_step_data *steps, const bool *skip, uint32_t of)
{
    const struct cs_step_row *best = NULL;

    for (uint32_t i = 0; i < steps->row_count; i++) {
        const struct cs_step_row *row = &steps->rows[i];

        if ((!skip || !skip[i]) && step_same_speed(row->series, steps->rows[of].series) &&
            (!best || step_plainer(row, best)))
            best = row;
    }
    return best ? (uint32_t)(best - steps->rows) : of;
}

const uint32_t *cs_step_anchors(const struct cs_step_data *steps, const bool *skip,
                                struct cs_arena *arena)
{
    uint32_t *anchors = cs_arena_alloc(arena, steps->row_count, sizeof(*anchors));

    for (uint32_t i = 0; i < steps->row_count; i++)
        anchors[i] = step_anchor(steps, skip, i);
    return anchors;
}
