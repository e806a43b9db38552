/*
 * Quantiles of a few values, for tables of errors.
 *
 * sim/base/statistics.h has means and confidence intervals as well; errors need
 * neither, and quantiles at any share.
 */
#ifndef CS_VALIDATE_GPU_QUANTILE_H
#define CS_VALIDATE_GPU_QUANTILE_H

#include <stdint.h>

/* Sorts `count` > 0 values in place and returns the value at `share`, 0 to 1:
 * between neighbours in proportion (R's type 7).  O(n log n). */
double cs_quantile(double *values, uint32_t count, double share);

#endif
