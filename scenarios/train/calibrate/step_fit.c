#include "scenarios/train/calibrate/step_fit.h"

#include "scenarios/train/stages/group.h"

#include <math.h>

enum {
    FIT_UNKNOWNS = CS_KERNEL_PARAMETERS + 1,
    FIT_ROUNDS = 5,
};
#define FIT_DIFFERENCE     1e-4
#define FIT_COMPUTE_SPREAD 0.2 /* as of a share of peak */

struct fit_problem {
    const struct cs_train_system *system;
    struct cs_train_job job;
    const double *parameters; /* unmoved */
    double measured_s;
};

static double fit_spread(uint32_t k)
{
    return k < CS_KERNEL_PARAMETERS ? cs_kernel_parameter_info[k].spread : FIT_COMPUTE_SPREAD;
}

static void fit_move(const double *parameters, const double *moves, struct cs_step_fit *fit)
{
    for (uint32_t k = 0; k < CS_KERNEL_PARAMETERS; k++)
        fit->parameters[k] = parameters[k] * exp(moves[k]);
    fit->scale = exp(moves[CS_KERNEL_PARAMETERS]);
}

void cs_step_fit_apply(const struct cs_step_fit *fit, struct cs_train_job *job)
{
    job->parameters = fit->parameters;
    job->compute_scale = fit->scale;
}

/* ln(predicted / measured). */
static double fit_error(const struct fit_problem *problem, const double *moves)
{
    struct cs_train_job moved = problem->job;
    struct cs_train_step step;
    struct cs_err err = {0};
    struct cs_step_fit fit;

    fit_move(problem->parameters, moves, &fit);
    cs_step_fit_apply(&fit, &moved);
    return problem->system->time(&moved, &step, &err) ? (double)NAN
                                                      : log(step.step_s / problem->measured_s);
}

/* One step of Newton's method for the least sum of squares of moves over spreads
 * and of the error over CS_STEP_ROW_SPREAD. */
static void fit_round(const struct fit_problem *problem, double *moves)
{
    double slopes[FIT_UNKNOWNS];
    double error = fit_error(problem, moves);
    double wanted = -error, norm = CS_STEP_ROW_SPREAD * CS_STEP_ROW_SPREAD;

    for (uint32_t k = 0; k < FIT_UNKNOWNS; k++) {
        double spread = fit_spread(k), kept = moves[k];

        moves[k] += FIT_DIFFERENCE;
        slopes[k] = (fit_error(problem, moves) - error) / FIT_DIFFERENCE;
        moves[k] = kept;
        wanted += slopes[k] * kept;
        norm += slopes[k] * slopes[k] * spread * spread;
    }
    for (uint32_t k = 0; k < FIT_UNKNOWNS; k++)
        moves[k] = fit_spread(k) * fit_spread(k) * slopes[k] * wanted / norm;
}

struct cs_step_fit cs_step_fit(const struct cs_train_system *system, const struct cs_train_job *job,
                               double measured_s)
{
    double moves[FIT_UNKNOWNS] = {0};
    struct cs_step_fit fit;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_calls calls = {.arena = &arena};
    struct fit_problem problem = {
        .system = system,
        .job = *job,
        .parameters = job->parameters ? job->parameters : cs_kernel_parameters,
        .measured_s = measured_s,
    };

    problem.job.calls = &calls;
    for (int round = 0; round < FIT_ROUNDS; round++)
        fit_round(&problem, moves);
    fit_move(problem.parameters, moves, &fit);
    return fit;
}
