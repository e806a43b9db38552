/*
 * Soft loss: a square for small residuals, linear for large ones, so that few
 * rows far from all others do not decide an estimate by least squares.
 *
 *     soft(r) = 2 c^2 (sqrt(1 + (r/c)^2) - 1),  c the corner
 *
 * A sum of soft(r) is a sum of squares of cs_soft_residual(r, c).  Charbonnier's
 * loss, P. Charbonnier et al., ICIP 1994.
 */
#pragma once

/* The root of soft(residual) with the sign of the residual; corner > 0. */
double cs_soft_residual(double residual, double corner);

/* The derivative of cs_soft_residual by the residual. */
double cs_soft_slope(double residual, double corner);
