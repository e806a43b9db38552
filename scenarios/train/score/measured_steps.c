#include "scenarios/train/score/measured_steps.h"

#include "scenarios/train/kernels/kernels.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/stages/group.h"
#include "validate/training/step_score.h"

#include <math.h>

static double measured_step_s(const struct cs_measured_book *book, uint32_t index,
                              const struct cs_train_job *job)
{
    struct cs_train_step step;
    struct cs_err err = {0};

    return cs_measured_step(book, index, job, &step, &err) ? (double)NAN : step.step_s;
}

/* Serves a row without calibration; the reason where the step has no model. */
static void measured_plain(const struct cs_measured_book *book, const double *parameters,
                           uint32_t index, struct cs_step_answer *answer, struct cs_arena *arena)
{
    struct cs_train_job job;
    struct cs_train_step step;
    struct cs_err err = {0};

    *answer = (struct cs_step_answer){0};
    answer->predicted_s[CS_STEP_CALIBRATED] = (double)NAN;
    answer->predicted_s[CS_STEP_PLAIN] = (double)NAN;
    answer->memory_bytes = (double)NAN;
    answer->unserved = cs_measured_job(book, index, &job);
    if (answer->unserved)
        return;
    answer->command = cs_row_command_text(&book->rows[index].command, arena);
    job.parameters = parameters;
    if (cs_measured_step(book, index, &job, &step, &err))
        answer->unserved = cs_arena_text(arena, err.text);
    if (answer->unserved)
        return;
    answer->predicted_s[CS_STEP_PLAIN] = step.step_s;
    answer->memory_bytes = step.memory_bytes;
}

/* ---- calibration ---- */

/* A measured step moves the parameters and a factor on compute, in units of their
 * spreads, to the most probable values: small kernels teach the speed of the host,
 * large ones that of the device.  The step is not met exactly, for it has causes of
 * its own. */
enum {
    FIT_UNKNOWNS = CS_KERNEL_PARAMETERS + 1,
    FIT_ROUNDS = 5,
};
#define FIT_DIFFERENCE     1e-4
#define FIT_COMPUTE_SPREAD 0.2 /* as of a share of peak */
/* Standard deviation of ln(predicted / measured) among the rows that one row
 * calibrates, by parameters estimated without their publisher: 0.01 to 0.14 in nine
 * tables of configurations, 0.07 in the root mean square. */
#define FIT_ROW_SPREAD 0.07

struct measured_fit {
    double parameters[CS_KERNEL_PARAMETERS];
    double scale;
};

static void measured_calibrated(const struct cs_measured_book *book, const struct measured_fit *fit,
                                uint32_t index, struct cs_step_answer *answer)
{
    struct cs_train_job job;

    if (answer->unserved || cs_measured_job(book, index, &job))
        return;
    job.parameters = fit->parameters;
    job.compute_scale = fit->scale;
    answer->predicted_s[CS_STEP_CALIBRATED] = measured_step_s(book, index, &job);
}

static double fit_spread(uint32_t k)
{
    return k < CS_KERNEL_PARAMETERS ? cs_kernel_parameter_info[k].spread : FIT_COMPUTE_SPREAD;
}

static void fit_move(const double *parameters, const double *moves, struct measured_fit *fit)
{
    for (uint32_t k = 0; k < CS_KERNEL_PARAMETERS; k++)
        fit->parameters[k] = parameters[k] * exp(moves[k]);
    fit->scale = exp(moves[CS_KERNEL_PARAMETERS]);
}

/* ln(predicted / measured). */
static double fit_error(const struct cs_measured_book *book, uint32_t index,
                        const struct cs_train_job *job, const double *parameters,
                        const double *moves)
{
    struct cs_train_job moved = *job;
    struct measured_fit fit;

    fit_move(parameters, moves, &fit);
    moved.parameters = fit.parameters;
    moved.compute_scale = fit.scale;
    return log(measured_step_s(book, index, &moved) / book->steps->rows[index].step_s);
}

/* One step of Newton's method for the least sum of squares of moves over spreads
 * and of the error over FIT_ROW_SPREAD. */
static void fit_round(const struct cs_measured_book *book, uint32_t index,
                      const struct cs_train_job *job, const double *parameters, double *moves)
{
    double slopes[FIT_UNKNOWNS];
    double error = fit_error(book, index, job, parameters, moves);
    double wanted = -error, norm = FIT_ROW_SPREAD * FIT_ROW_SPREAD;

    for (uint32_t k = 0; k < FIT_UNKNOWNS; k++) {
        double spread = fit_spread(k), kept = moves[k];

        moves[k] += FIT_DIFFERENCE;
        slopes[k] = (fit_error(book, index, job, parameters, moves) - error) / FIT_DIFFERENCE;
        moves[k] = kept;
        wanted += slopes[k] * kept;
        norm += slopes[k] * slopes[k] * spread * spread;
    }
    for (uint32_t k = 0; k < FIT_UNKNOWNS; k++)
        moves[k] = fit_spread(k) * fit_spread(k) * slopes[k] * wanted / norm;
}

static struct measured_fit measured_row_fit(const struct cs_measured_book *book,
                                            const double *parameters, uint32_t index)
{
    double moves[FIT_UNKNOWNS] = {0};
    struct measured_fit fit = {.scale = 1};
    struct cs_arena arena = {0};
    struct cs_train_calls calls = {.arena = &arena};
    struct cs_train_job job;

    if (!parameters)
        parameters = cs_kernel_parameters;
    if (cs_measured_job(book, index, &job))
        return fit;
    job.calls = &calls;
    for (int round = 0; round < FIT_ROUNDS; round++)
        fit_round(book, index, &job, parameters, moves);
    fit_move(parameters, moves, &fit);
    cs_arena_free(&arena);
    return fit;
}

static void measured_baselines(const struct cs_measured_book *book, uint32_t index, uint32_t anchor,
                               struct cs_step_answer *answer)
{
    const struct cs_step_row *rows = book->steps->rows;
    const struct cs_step_series *series = rows[index].series;
    const struct cs_gpu_peak *peak;
    double peak_flops = cs_gpu_peak_find(series->machine->peak, &peak, NULL)
                            ? (double)NAN
                            : peak->flops_per_s[series->precision];

    for (int k = 0; k < CS_STEP_BASELINES; k++)
        answer->predicted_s[CS_STEP_BY_PERFECT + k] =
            cs_step_baseline_s((enum cs_step_baseline)k, &rows[index], &rows[anchor], peak_flops);
}

struct cs_step_answer *cs_measured_predict(const struct cs_measured_book *book,
                                           const double *parameters, struct cs_arena *arena)
{
    uint32_t count = book->steps->row_count;
    struct cs_step_answer *answers = cs_arena_alloc(arena, count, sizeof(*answers));
    bool *skip = cs_arena_alloc(arena, count, sizeof(*skip));
    struct measured_fit *fits = cs_arena_alloc(arena, count, sizeof(*fits));
    const uint32_t *anchors;

    for (uint32_t i = 0; i < count; i++) {
        measured_plain(book, parameters, i, &answers[i], arena);
        skip[i] = answers[i].unserved != NULL;
    }
    anchors = cs_step_anchors(book->steps, skip, arena);
    for (uint32_t i = 0; i < count; i++)
        if (anchors[i] == i && !skip[i]) {
            fits[i] = measured_row_fit(book, parameters, i);
            answers[i].calibrates = true;
        }
    for (uint32_t i = 0; i < count; i++) {
        measured_calibrated(book, &fits[anchors[i]], i, &answers[i]);
        measured_baselines(book, i, anchors[i], &answers[i]);
    }
    return answers;
}
