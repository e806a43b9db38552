/*
 * Fits: parameters of NCCL's cost model (algorithms/libraries/nccl_parameters.def)
 * from measured calls of a machine.
 *
 * The unknowns are u = ln(value / prior) / spread of the parameters that the
 * time of any row depends on.  The values minimise
 *
 *     sum over rows  w r^2 / s^2   +   kappa sum over unknowns  u^2
 *
 * with r = ln(measured / predicted).  Weights are those of Student's t with 4
 * degrees of freedom, w = 5 / (4 + (r / sigma)^2): a row ten times too slow
 * counts next to nothing.  sigma is the median of |r|, corrected for the
 * unknowns that the rows determine; s is sigma times the loss of efficiency
 * of the weights (Huber, Robust Statistics, 1981, section 7.6) and times the
 * square root of (1 + rho) / (1 - rho), rho the correlation of neighbouring
 * sizes: errors of a model come in waves over the sizes, so that n rows are
 * evidence of fewer than n.  The variance of Student's t widens s for few rows.
 *
 * Standard errors and correlations are inv(J'J) at the values, with the prior.
 * A parameter whose standard error is near its spread is not identified.
 *
 * Held-out error: each fold of rows is predicted by values fitted to the other
 * rows.  Folds are tables, or for fewer than 3 tables fifths of the sizes,
 * neighbours together.  kappa is the least of 1, 4, ... 256 whose held-out
 * error is not above that of the prior, else the values are the prior: a fit is
 * never worse than no fit on the held-out rows.
 *
 *     make   tens of evaluations of all rows for each parameter, fold and kappa;
 *            a second for 100 rows
 */
#ifndef CS_VALIDATE_FIT_FIT_H
#define CS_VALIDATE_FIT_FIT_H

#include "algorithms/libraries/nccl_library.h"
#include "algorithms/libraries/nccl_parameters.h"
#include "sim/base/mem.h"

enum {
    CS_FIT_FOLDS_MAX = 8,
};

/* A measured call.  Only `request`, `measured_s` and `table` are set before; the
 * request and its site outlive the fit. */
struct cs_fit_row {
    struct cs_library_request request; /* parameters: not read */
    double measured_s;
    uint32_t table;
    struct cs_nccl_case at;
    double before_s, after_s; /* by the prior, by the fitted values */
    double held_out_s;        /* by values from the other folds */
    double weight;            /* of the last solution, 0 to 1.25 */
    uint32_t fold;
};

struct cs_fit_parameter {
    uint32_t parameter; /* enum cs_nccl_parameter */
    double prior, spread;
    double value;
    double error; /* standard, of ln(value) */
    double
        learned; /* 1 - (error / spread)^2: share of the prior's variance that
                       the rows remove */
};

/* Values to start from and their spreads of ln, by enum cs_nccl_parameter. */
struct cs_fit_prior {
    double values[CS_NCCL_PARAMETERS];
    double spreads[CS_NCCL_PARAMETERS];
};

struct cs_fit {
    struct cs_fit_row *rows;   /* set before */
    uint32_t row_count;        /* set before */
    struct cs_fit_prior prior; /* set before */
    struct cs_fit_parameter *parameters;
    uint32_t count;
    double *correlations;              /* count x count */
    double values[CS_NCCL_PARAMETERS]; /* all */
    double noise;                      /* sigma */
    double neighbours;                 /* rho */
    uint32_t outliers;                 /* rows with a weight below .25 */
    double before, after;              /* mean |r|, in sample */
    double held_out_before, held_out;  /* the same of held-out rows */
    uint32_t folds;
    double kappa; /* INFINITY: the values are the prior */
};

/* The program's values and spreads. */
struct cs_fit_prior cs_fit_prior_of_library(void);

/* Prepares a row's case; CS_EINPUT and CS_ECANNOT as cs_nccl_prepare. */
int cs_fit_prepare(struct cs_fit_row *row, struct cs_err *err);

/* Fits prepared rows; memory is in the arena.  CS_ECANNOT for fewer than 2 rows,
 * or where no parameter matters; CS_EANSWER for times that are no times of the
 * model's machine: a median |r| above ln 8. */
int cs_fit_make(struct cs_fit *fit, struct cs_arena *arena, struct cs_err *err);

#endif
