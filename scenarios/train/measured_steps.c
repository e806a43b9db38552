#include "scenarios/train/measured_steps.h"

#include "scenarios/train/step.h"
#include "validate/training/step_groups.h"

#include <math.h>

enum {
    SCALE_HALVINGS = 40, /* of the logarithm: below 1e-9 of the range */
};

#define SCALE_LEAST 0.02
#define SCALE_MOST  50.0

static double measured_step_s(const struct cs_step_series *series,
                              const struct cs_train_job *job)
{
    struct cs_train_step step;
    struct cs_err err = {0};

    return cs_measured_step(series, job, &step, &err) ? (double)NAN
                                                      : step.step_s;
}

/* A step grows with the scale, so the scale is bracketed. */
double cs_measured_scale(const struct cs_step_series *series,
                         const struct cs_train_job *job, double step_s)
{
    struct cs_train_job scaled = *job;
    double low = SCALE_LEAST;
    double high = SCALE_MOST;
    int i;

    scaled.compute_scale = low;
    for (i = 0; i < SCALE_HALVINGS; i++) {
        scaled.compute_scale = sqrt(low * high);
        if (measured_step_s(series, &scaled) < step_s)
            low = scaled.compute_scale;
        else
            high = scaled.compute_scale;
    }
    return sqrt(low * high);
}

/* Serves a row without calibration; the reason where the step has no model. */
static void measured_plain(const struct cs_measured_book *book,
                           const double *parameters, uint32_t index,
                           struct cs_step_answer *answer,
                           struct cs_arena *arena)
{
    struct cs_train_job job;
    struct cs_train_step step;
    struct cs_err err = {0};

    *answer = (struct cs_step_answer){0};
    answer->predicted_s[CS_STEP_CALIBRATED] = (double)NAN;
    answer->predicted_s[CS_STEP_PLAIN] = (double)NAN;
    answer->unserved = cs_measured_job(book, index, &job);
    if (answer->unserved)
        return;
    job.parameters = parameters;
    if (cs_measured_step(book->steps->rows[index].series, &job, &step, &err))
        answer->unserved = cs_arena_text(arena, err.text);
    else
        answer->predicted_s[CS_STEP_PLAIN] = step.step_s;
}

static void measured_calibrated(const struct cs_measured_book *book,
                                const double *parameters, double scale,
                                uint32_t index, struct cs_step_answer *answer)
{
    struct cs_train_job job;

    if (answer->unserved || cs_measured_job(book, index, &job))
        return;
    job.parameters = parameters;
    job.compute_scale = scale;
    answer->predicted_s[CS_STEP_CALIBRATED] =
        measured_step_s(book->steps->rows[index].series, &job);
}

static double measured_row_scale(const struct cs_measured_book *book,
                                 const double *parameters, uint32_t index)
{
    struct cs_train_job job;

    if (cs_measured_job(book, index, &job))
        return 0;
    job.parameters = parameters;
    return cs_measured_scale(book->steps->rows[index].series, &job,
                             book->steps->rows[index].step_s);
}

static void measured_baselines(const struct cs_measured_book *book,
                               uint32_t index, uint32_t anchor,
                               struct cs_step_answer *answer)
{
    const struct cs_step_row *rows = book->steps->rows;
    const struct cs_gpu_peak *peak =
        book->peaks[rows[index].series - book->steps->series];
    double peak_flops =
        peak ? peak->flops_per_s[rows[index].series->precision] : (double)NAN;
    int k;

    for (k = 0; k < CS_STEP_BASELINES; k++)
        answer->predicted_s[CS_STEP_BY_PERFECT + k] = cs_step_baseline_s(
            (enum cs_step_baseline)k, &rows[index], &rows[anchor], peak_flops);
}

struct cs_step_answer *cs_measured_predict(const struct cs_measured_book *book,
                                           const double *parameters,
                                           struct cs_arena *arena)
{
    uint32_t count = book->steps->row_count;
    struct cs_step_answer *answers =
        cs_arena_alloc(arena, count, sizeof(*answers));
    bool *skip = cs_arena_alloc(arena, count, sizeof(*skip));
    double *scales = cs_arena_alloc(arena, count, sizeof(*scales));
    const uint32_t *anchors;
    uint32_t i;

    for (i = 0; i < count; i++) {
        measured_plain(book, parameters, i, &answers[i], arena);
        skip[i] = answers[i].unserved != NULL;
    }
    anchors = cs_step_anchors(book->steps, skip, arena);
    for (i = 0; i < count; i++)
        if (anchors[i] == i && !skip[i]) {
            scales[i] = measured_row_scale(book, parameters, i);
            answers[i].calibrates = true;
        }
    for (i = 0; i < count; i++) {
        measured_calibrated(book, parameters, scales[anchors[i]], i,
                            &answers[i]);
        measured_baselines(book, i, anchors[i], &answers[i]);
    }
    return answers;
}
