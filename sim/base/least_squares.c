#include "sim/base/least_squares.h"

#include "sim/base/mem.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <stdlib.h>

enum {
    ITERATIONS_MAX = 100,
};

/* Relative change of the unknowns and of the gradient at the end. */
#define PRECISION 1e-8

/* The problem, and room for one evaluation. */
struct squares_work {
    const struct cs_least_squares *problem;
    double *residuals;
};

/* GSL's form of the residuals; its vectors may be columns of a matrix. */
static int squares_evaluate(const gsl_vector *x, void *data,
                            gsl_vector *residuals)
{
    const struct squares_work *work = data;
    const struct cs_least_squares *problem = work->problem;
    uint32_t i;

    problem->evaluate(problem->context, gsl_vector_const_ptr(x, 0),
                      work->residuals);
    for (i = 0; i < problem->residuals; i++)
        gsl_vector_set(residuals, i, work->residuals[i]);
    return GSL_SUCCESS;
}

int cs_least_squares_solve(const struct cs_least_squares *problem, double *x,
                           struct cs_err *err)
{
    gsl_multifit_nlinear_parameters parameters =
        gsl_multifit_nlinear_default_parameters();
    struct squares_work own = {.problem = problem};
    gsl_multifit_nlinear_fdf system = {
        .f = squares_evaluate,
        .n = problem->residuals,
        .p = problem->unknowns,

        .params = &own,
    };
    gsl_vector_view start = gsl_vector_view_array(x, problem->unknowns);
    gsl_multifit_nlinear_workspace *work;
    int info;
    uint32_t i;

    if (problem->unknowns == 0 || problem->residuals < problem->unknowns)
        return cs_err_set(err, CS_ECANNOT,
                          "%u residuals for %u unknowns; expected at least as "
                          "many",
                          problem->residuals, problem->unknowns);
    own.residuals = cs_grow(NULL, problem->residuals, sizeof(double));
    work = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters,
                                      system.n, system.p);
    if (!work) {
        free(own.residuals);
        return cs_err_set(err, CS_ECANNOT, "no memory for a fit");
    }
    gsl_multifit_nlinear_init(&start.vector, &system, work);
    gsl_multifit_nlinear_driver(ITERATIONS_MAX, PRECISION, PRECISION, PRECISION,
                                NULL, NULL, &info, work);
    for (i = 0; i < problem->unknowns; i++)
        x[i] = gsl_vector_get(gsl_multifit_nlinear_position(work), i);
    gsl_multifit_nlinear_free(work);
    free(own.residuals);
    return 0;
}
