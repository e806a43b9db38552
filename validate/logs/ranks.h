/*
 * The number of ranks that the figures of a table imply.
 *
 * nccl-tests prints busbw = factor(collective, ranks) x algbw, and counts
 * elements per rank where size is the total; both name the ranks where the list
 * of devices is missing or shortened.
 *
 *     all-reduce            factor = 2 (n - 1) / n
 *     all-gather, reduce-scatter, all-to-all, gather, scatter
 *                           factor = (n - 1) / n
 *     others                1: says nothing
 *
 * Pure functions, O(1).
 */
#ifndef CS_VALIDATE_LOGS_RANKS_H
#define CS_VALIDATE_LOGS_RANKS_H

#include "algorithms/collective.h"

#include <stdint.h>

/* Least and most ranks with the factor in [low, high]; 0 and 0: nothing fits or
 * the factor is constant.  A bound of UINT32_MAX is no bound. */
void cs_log_ranks_of_factor(const struct cs_collective *collective, double low, double high,
                            uint32_t *least, uint32_t *most);

#endif
