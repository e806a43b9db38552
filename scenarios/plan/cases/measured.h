/*
 * Published measurements of a plan's machines and load, as points of its charts.
 *
 *     mix     times of the collectives by the tables of validate/data/published of
 *             the node, alone or in a cluster: at each number of GPUs the median of
 *             the tables, read between their sizes, summed over the calls
 *     model   training runs of validate/data/training on nodes of that kind, with a
 *             model of the same dimensions
 */
#pragma once

#include "scenarios/plan/cases/cases.h"

enum {
    CS_MEASURED_POINTS = 64,
    CS_MEASURED_SETS = 4,
};

/* Points of one publication; x ascends. */
struct cs_plan_measured {
    const char *name; /* "measured, NVIDIA DGX Cloud" */
    double x[CS_MEASURED_POINTS], y[CS_MEASURED_POINTS];
    uint32_t count;
};

/* Against numbers of GPUs within those of the plan: efficiency, as that of the
 * node's first cases (of a model: from the curve at the smallest number measured on).
 * Returns the number of sets; memory is in the arena of the options. */
uint32_t cs_plan_measured_efficiency(const struct cs_plan *plan, const char *node,
                                     struct cs_plan_measured sets[CS_MEASURED_SETS]);

/* Times: of the mix, or of steps with the plan's global batch and sequence. */
uint32_t cs_plan_measured_times(const struct cs_plan *plan, const char *node,
                                struct cs_plan_measured sets[CS_MEASURED_SETS]);

/* Times of a collective against its size, at a number of GPUs of a node. */
uint32_t cs_plan_measured_sizes(const struct cs_plan *plan, const char *node, uint32_t gpus,
                                const struct cs_collective *collective,
                                struct cs_plan_measured sets[CS_MEASURED_SETS]);
