/*
 * Reports time_size and time_ranks: time against message size, and against
 * number of ranks, on logarithmic axes.
 *
 * The closed form is a thin dashed line in the colour of the algorithm.  The
 * area below the lower bound is grey: no algorithm can reach that area.
 */
#include "reports/figures/curves.h"

#define TIMES_OVER(axis)                                                                        \
    {                                                                                           \
        .over = (axis), .y_title = "time", .y_axis = CS_AXIS_SECONDS, .limit = CS_LIMIT_LOWER,  \
        .limit_name = "lower bound", .y = cs_curves_time_s, .model_y = cs_curves_closed_form_s, \
        .limit_y = cs_curves_lower_bound_s,                                                     \
    }

static const struct cs_curves times_over_bytes = TIMES_OVER(CS_OVER_BYTES);
static const struct cs_curves times_over_ranks = TIMES_OVER(CS_OVER_RANKS);

const struct cs_report cs_report_time_size = {
    .name = "time_size",
    .title = "time against message size",
    .about = "The time of each algorithm at each size, with its formula and the bound.",
    .order = cs_curves_order_runs,
    .add = cs_curves_add,
    .curves = &times_over_bytes,
};

const struct cs_report cs_report_time_ranks = {
    .name = "time_ranks",
    .title = "time against number of ranks",
    .about = "The time of each algorithm on each number of ranks, with its formula and the bound.",
    .order = cs_curves_order_runs,
    .add = cs_curves_add,
    .curves = &times_over_ranks,
};
