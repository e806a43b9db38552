#include "scenarios/train/score/kernel_estimate.h"

#include "scenarios/train/parallel/step.h"
#include "scenarios/train/stages/group.h"
#include "sim/base/least_squares.h"
#include "sim/base/soft_loss.h"
#include "sim/base/text.h"
#include "validate/training/step_score.h"

#include <math.h>

/* Of the soft loss of residuals. */
#define ESTIMATE_CORNER 0.15
/* Weights of a table, of an error without calibration, and of a deviation from a
 * prior by its spread. */
#define ESTIMATE_TABLE 10.0
#define ESTIMATE_PLAIN 0.6
#define ESTIMATE_PRIOR 0.25
/* Largest |ln(predicted / measured)|, for values far from any minimum. */
#define ESTIMATE_FAR 10.0

struct kernel_row {
    struct cs_train_job job;
    double memory_bytes;   /* as measured; 0: not */
    double step_s, weight; /* weight 0: calibrates others alone */
    uint32_t row, anchor;  /* indices of the book; of the problem's rows */
};

struct kernel_errors {
    double step, memory; /* ln(predicted / measured) */
};

struct kernel_problem {
    struct kernel_row *rows;
    uint32_t count, most;
    struct kernel_errors *errors; /* by row */
};

/* ---- rows ---- */

static bool kernel_wanted(const struct cs_measured_book *book, uint32_t row, const char *without,
                          struct cs_train_job *job)
{
    const struct cs_step_table *table = book->steps->rows[row].series->table;
    struct cs_train_step step;
    struct cs_err err = {0};

    return table->kind == CS_STEP_CONFIGURATIONS &&
           !(without && cs_same(table->publisher, without)) && !cs_measured_job(book, row, job) &&
           !cs_train_step_time(job, &step, &err);
}

/* Index of a row of the book among the rows; appended where it is new. */
static uint32_t kernel_add_row(const struct cs_measured_book *book, uint32_t row,
                               struct cs_arena *arena, struct kernel_problem *problem)
{
    struct kernel_row *added = &problem->rows[problem->count];

    for (uint32_t i = 0; i < problem->count; i++)
        if (problem->rows[i].row == row)
            return i;
    *added = (struct kernel_row){.row = row,
                                 .step_s = book->steps->rows[row].step_s,
                                 .memory_bytes = book->steps->rows[row].memory_bytes,
                                 .anchor = problem->count};
    cs_measured_job(book, row, &added->job);
    added->job.calls = cs_arena_alloc(arena, 1, sizeof(struct cs_train_calls));
    added->job.calls->arena = arena;
    return problem->count++;
}

/* Evenly spaced rows of a table: at most `problem->most`. */
static void kernel_add_table(const struct cs_measured_book *book, const struct cs_step_table *table,
                             const uint32_t *anchors, const bool *skip, struct cs_arena *arena,
                             struct kernel_problem *problem)
{
    const struct cs_step_row *rows = book->steps->rows;
    uint32_t wanted = 0;
    uint32_t seen = 0;
    uint32_t stride;

    for (uint32_t i = 0; i < book->steps->row_count; i++)
        wanted += rows[i].series->table == table && !skip[i];
    stride = wanted / problem->most + 1;
    for (uint32_t i = 0; i < book->steps->row_count; i++)
        if (rows[i].series->table == table && !skip[i] && seen++ % stride == 0) {
            uint32_t anchor = kernel_add_row(book, anchors[i], arena, problem);
            uint32_t at = kernel_add_row(book, i, arena, problem);

            problem->rows[at].anchor = anchor;
            problem->rows[at].weight = ESTIMATE_TABLE * sqrt((double)stride / wanted);
        }
}

static void kernel_prepare(const struct cs_measured_book *book, const char *without,
                           struct cs_arena *arena, struct kernel_problem *problem)
{
    uint32_t count = book->steps->row_count;
    bool *skip = cs_arena_alloc(arena, count, sizeof(*skip));
    struct cs_train_job job;
    const uint32_t *anchors;

    *problem = (struct kernel_problem){
        .most = problem->most,
        .rows = cs_arena_alloc(arena, count, sizeof(struct kernel_row)),
        .errors = cs_arena_alloc(arena, count, sizeof(struct kernel_errors)),
    };
    for (uint32_t i = 0; i < count; i++)
        skip[i] = !kernel_wanted(book, i, without, &job);
    anchors = cs_step_anchors(book->steps, skip, arena);
    for (uint32_t i = 0; i < book->steps->table_count; i++)
        kernel_add_table(book, &book->steps->tables[i], anchors, skip, arena, problem);
}

/* ---- residuals ---- */

static double kernel_limited(double error)
{
    return error > -ESTIMATE_FAR ? fmin(error, ESTIMATE_FAR) : -ESTIMATE_FAR;
}

static struct kernel_errors kernel_error(const struct kernel_row *row, const double *values)
{
    struct cs_train_job job = row->job;
    struct kernel_errors errors = {ESTIMATE_FAR, 0};
    struct cs_train_step step;
    struct cs_err err = {0};

    job.parameters = values;
    if (cs_train_step_time(&job, &step, &err))
        return errors;
    errors.step = kernel_limited(log(step.step_s / row->step_s));
    if (row->memory_bytes > 0)
        errors.memory = kernel_limited(log(step.memory_bytes / row->memory_bytes));
    return errors;
}

static void kernel_residuals(const void *context, const double *logs, double *residuals)
{
    const struct kernel_problem *problem = context;
    double values[CS_KERNEL_PARAMETERS];

    for (uint32_t i = 0; i < CS_KERNEL_PARAMETERS; i++) {
        const struct cs_kernel_parameter_info *info = &cs_kernel_parameter_info[i];

        values[i] = exp(logs[i]);
        *residuals++ = ESTIMATE_PRIOR * (logs[i] - log(info->prior)) / info->spread;
    }
    for (uint32_t i = 0; i < problem->count; i++)
        problem->errors[i] = kernel_error(&problem->rows[i], values);
    for (uint32_t i = 0; i < problem->count; i++) {
        const struct kernel_row *row = &problem->rows[i];
        const struct kernel_errors *mine = &problem->errors[i];
        const struct kernel_errors *anchor = &problem->errors[row->anchor];

        *residuals++ = row->weight * ESTIMATE_PLAIN * cs_soft_residual(mine->step, ESTIMATE_CORNER);
        *residuals++ = row->weight * cs_soft_residual(mine->step - anchor->step, ESTIMATE_CORNER);
        *residuals++ = row->weight * cs_soft_residual(mine->memory, ESTIMATE_CORNER);
    }
}

int cs_kernel_estimate(const struct cs_measured_book *book, const char *without, uint32_t most,
                       double *values, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct kernel_problem problem = {.most = most};
    int code = 0;

    kernel_prepare(book, without, &arena, &problem);
    for (uint32_t i = 0; i < CS_KERNEL_PARAMETERS; i++)
        values[i] = log(cs_kernel_parameter_info[i].prior);
    if (problem.count == 0)
        code = cs_err_set(err, CS_ECANNOT,
                          "no training step for an estimate; expected rows that the model serves");
    if (!code)
        code = cs_least_squares_solve(
            &(struct cs_least_squares){
                .unknowns = CS_KERNEL_PARAMETERS,
                .residuals = 3 * problem.count + CS_KERNEL_PARAMETERS,
                .evaluate = kernel_residuals,
                .context = &problem,
            },
            values, err);
    for (uint32_t i = 0; i < CS_KERNEL_PARAMETERS; i++)
        values[i] = exp(values[i]);
    return code;
}
