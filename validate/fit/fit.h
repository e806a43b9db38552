/*
 * Fits: parameters of a library's cost model (algorithms/libraries/parameters.h)
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
 * Properties of a machine (MACHINE of the definitions: wires, steps, work for a
 * peer) hold for all collectives, and most machines have them as described while
 * some are off by a factor.  Their prior is Student's t with 1 degree of freedom,
 * so that large smooth errors are learned and small ones stay with the parameter
 * that fits them.  Solutions are sought from the prior, from all rows as they are,
 * and from each such property where it alone explains the rows best; the most
 * probable one is the answer.  The rows of a table share an error that no other
 * table has, of 7 %, which is not carried to other calls (algorithms/libraries/carried.h).
 *
 * Held-out error: each fold of rows is predicted by values fitted to the other
 * rows.  Folds are tables, or for fewer than 3 tables fifths of the sizes,
 * neighbours together.  kappa is the least of 1, 4, ... 256 whose held-out
 * error is not above that of the prior, nor that of a table by more than 15 %;
 * else the values are the prior: a fit is never worse than no fit on the held-out
 * rows.
 *
 *     make   tens of evaluations of all rows for each parameter, fold and kappa;
 *            a second for 100 rows
 */
#pragma once

#include "sim/base/mem.h"
#include "validate/fit/state.h"

/* The program's values and spreads. */
struct cs_fit_prior cs_fit_prior_of_library(const struct cs_library *library);

/* Prepares a row's call in the arena; errors as of cs_library.prepare. */
int cs_fit_prepare(const struct cs_library *library, struct cs_arena *arena, struct cs_fit_row *row,
                   struct cs_err *err);

/* Fits prepared rows; memory is in the arena.  CS_ECANNOT for fewer than 2 rows,
 * or where no parameter matters; CS_EANSWER for times that are no times of the
 * model's machine: a median |r| above ln 8. */
int cs_fit_make(struct cs_fit *fit, struct cs_arena *arena, struct cs_err *err);
