#include "sim/base/least_squares.h"

#ifndef CS_NO_GSL

#    include "sim/base/mem.h"

#    include <gsl/gsl_errno.h>
#    include <gsl/gsl_multifit_nlinear.h>
#    include <gsl/gsl_multilarge_nlinear.h>
#    include <stdbool.h>
#    include <stdlib.h>

enum {
    ITERATIONS_MAX = 100,
};

#    define PRECISION 1e-8

static double squares_precision(const struct cs_least_squares *problem)
{
    return problem->precision > 0 ? problem->precision : PRECISION;
}

/* The problem, and room for one evaluation. */
struct squares_work {
    const struct cs_least_squares *problem;
    double *residuals;
    uint32_t *unknowns; /* of one residual; NULL: no sparse derivatives */
    double *derivatives;
};

/* GSL's form of the residuals; its vectors may be columns of a matrix. */
static int squares_evaluate(const gsl_vector *x, void *data, gsl_vector *residuals)
{
    const struct squares_work *work = data;
    const struct cs_least_squares *problem = work->problem;

    problem->evaluate(problem->context, gsl_vector_const_ptr(x, 0), work->residuals);
    for (uint32_t i = 0; i < problem->residuals; i++)
        gsl_vector_set(residuals, i, work->residuals[i]);
    return GSL_SUCCESS;
}

/* ---- derivatives by differences ---- */

static int squares_solve_dense(struct squares_work *own, double *x, struct cs_err *err)
{
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf system = {
        .f = squares_evaluate,
        .n = own->problem->residuals,
        .p = own->problem->unknowns,
        .params = own,
    };
    double precision = squares_precision(own->problem);
    gsl_vector_view start = gsl_vector_view_array(x, system.p);
    gsl_multifit_nlinear_workspace *work =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, system.n, system.p);
    int info;

    if (!work)
        return cs_err_set(err, CS_ECANNOT, "no memory for a fit");
    gsl_multifit_nlinear_init(&start.vector, &system, work);
    gsl_multifit_nlinear_driver(ITERATIONS_MAX, precision, precision, precision, NULL, NULL, &info,
                                work);
    for (size_t i = 0; i < system.p; i++)
        x[i] = gsl_vector_get(gsl_multifit_nlinear_position(work), i);
    gsl_multifit_nlinear_free(work);
    return 0;
}

/* ---- sparse derivatives ---- */

/* The products that GSL asks for; NULL: not this one. */
struct squares_products {
    CBLAS_TRANSPOSE_t transpose;
    const gsl_vector *u;
    gsl_vector *v;   /* J'u or J u */
    gsl_matrix *jtj; /* J'J, whose lower triangle GSL reads */
};

/* Adds the part of one residual, with `count` derivatives. */
static void squares_add_row(const struct squares_work *own, uint32_t row, uint32_t count,
                            const struct squares_products *products)
{
    bool transposed = products->transpose == CblasTrans;
    double sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = own->unknowns[i];
        double slope = own->derivatives[i];

        if (products->v && transposed)
            *gsl_vector_ptr(products->v, at) += slope * gsl_vector_get(products->u, row);
        else if (products->v)
            sum += slope * gsl_vector_get(products->u, at);
        for (uint32_t k = 0; products->jtj && k < count; k++)
            if (own->unknowns[k] <= at)
                *gsl_matrix_ptr(products->jtj, at, own->unknowns[k]) += slope * own->derivatives[k];
    }
    if (products->v && !transposed)
        gsl_vector_set(products->v, row, sum);
}

/* GSL's form of the derivatives: products of J, J itself is nowhere stored. */
static int squares_multiply(CBLAS_TRANSPOSE_t transpose, const gsl_vector *x, const gsl_vector *u,
                            void *data, gsl_vector *v, gsl_matrix *jtj)
{
    struct squares_products products = {transpose, u, v, jtj};
    const struct squares_work *own = data;
    const struct cs_least_squares *problem = own->problem;

    if (v)
        gsl_vector_set_zero(v);
    if (jtj)
        gsl_matrix_set_zero(jtj);
    for (uint32_t i = 0; i < problem->residuals; i++)
        squares_add_row(own, i,
                        problem->derive(problem->context, gsl_vector_const_ptr(x, 0), i,
                                        own->unknowns, own->derivatives),
                        &products);
    return GSL_SUCCESS;
}

static int squares_solve_sparse(struct squares_work *own, double *x, struct cs_err *err)
{
    gsl_multilarge_nlinear_parameters parameters = gsl_multilarge_nlinear_default_parameters();
    gsl_multilarge_nlinear_fdf system = {
        .f = squares_evaluate,
        .df = squares_multiply,
        .n = own->problem->residuals,
        .p = own->problem->unknowns,
        .params = own,
    };
    double precision = squares_precision(own->problem);
    gsl_vector_view start = gsl_vector_view_array(x, system.p);
    gsl_multilarge_nlinear_workspace *work =
        gsl_multilarge_nlinear_alloc(gsl_multilarge_nlinear_trust, &parameters, system.n, system.p);
    int info;

    if (!work)
        return cs_err_set(err, CS_ECANNOT, "no memory for a fit");
    gsl_multilarge_nlinear_init(&start.vector, &system, work);
    gsl_multilarge_nlinear_driver(ITERATIONS_MAX, precision, precision, precision, NULL, NULL,
                                  &info, work);
    for (size_t i = 0; i < system.p; i++)
        x[i] = gsl_vector_get(gsl_multilarge_nlinear_position(work), i);
    gsl_multilarge_nlinear_free(work);
    return 0;
}

static int squares_check(const struct cs_least_squares *problem, struct cs_err *err)
{
    if (problem->unknowns > 0 && problem->residuals >= problem->unknowns)
        return 0;
    return cs_err_set(err, CS_ECANNOT, "%u residuals for %u unknowns; expected at least as many",
                      problem->residuals, problem->unknowns);
}

int cs_least_squares_solve(const struct cs_least_squares *problem, double *x, struct cs_err *err)
{
    struct squares_work own = {.problem = problem};
    int code = squares_check(problem, err);

    if (code)
        return code;
    own.residuals = cs_grow(NULL, problem->residuals, sizeof(double));
    if (problem->derive) {
        own.unknowns = cs_grow(NULL, problem->unknowns, sizeof(uint32_t));
        own.derivatives = cs_grow(NULL, problem->unknowns, sizeof(double));
    }
    code = problem->derive ? squares_solve_sparse(&own, x, err) : squares_solve_dense(&own, x, err);
    free(own.residuals);
    free(own.unknowns);
    free(own.derivatives);
    return code;
}

int cs_least_squares_covariance(const struct cs_least_squares *problem, const double *x,
                                double *covariance, struct cs_err *err)
{
    gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters();
    struct squares_work own = {.problem = problem};
    gsl_multifit_nlinear_fdf system = {
        .f = squares_evaluate,
        .n = problem->residuals,
        .p = problem->unknowns,
        .params = &own,
    };
    gsl_vector_const_view at = gsl_vector_const_view_array(x, system.p);
    gsl_matrix_view to = gsl_matrix_view_array(covariance, system.p, system.p);
    gsl_multifit_nlinear_workspace *work;
    int code = squares_check(problem, err);

    if (code)
        return code;
    work = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &parameters, system.n, system.p);
    if (!work)
        return cs_err_set(err, CS_ECANNOT, "no memory for a fit");
    own.residuals = cs_grow(NULL, problem->residuals, sizeof(double));
    gsl_multifit_nlinear_init(&at.vector, &system, work);
    gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work), 0, &to.matrix);
    free(own.residuals);
    gsl_multifit_nlinear_free(work);
    return 0;
}

#else

/* A build of `make GSL=no`, under the terms of the sources alone. */
static int squares_refuse(struct cs_err *err)
{
    return cs_err_set(err, CS_ECANNOT,
                      "fits and estimates need the GNU Scientific Library, without which this was "
                      "built (GSL=no)");
}

int cs_least_squares_solve(const struct cs_least_squares *problem, double *x, struct cs_err *err)
{
    (void)problem;
    (void)x;
    return squares_refuse(err);
}

int cs_least_squares_covariance(const struct cs_least_squares *problem, const double *x,
                                double *covariance, struct cs_err *err)
{
    (void)problem;
    (void)x;
    (void)covariance;
    return squares_refuse(err);
}

#endif
