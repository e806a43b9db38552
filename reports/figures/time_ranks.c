/*
 * Report time_ranks: time against number of ranks, on logarithmic axes.
 *
 * The closed form is a thin dashed line in the colour of its algorithm; what
 * lies below the lower bound is grey, because no algorithm gets there.
 */
#include "reports/figures/curves.h"

static const struct cs_curves curves = {
    .name = "time_ranks",
    .about = "time against number of ranks",
    .over = CS_OVER_RANKS,
    .y_title = "time",
    .y_axis = CS_AXIS_SECONDS,
    .limit = CS_LIMIT_LOWER,
    .limit_name = "lower bound",
    .y = cs_curves_time_s,
    .model_y = cs_curves_closed_form_s,
    .limit_y = cs_curves_lower_bound_s,
};

static int time_ranks_write_figures(const struct cs_report_data *data,
                                    struct cs_figures *figures,
                                    struct cs_err *err)
{
    (void)err;
    cs_curves_add(&curves, data, figures);
    return 0;
}

const struct cs_report cs_report_time_ranks = {
    .name = "time_ranks",
    .title = "time against number of ranks",
    .about = "The time of each algorithm on each number of ranks, with its "
             "formula and the bound.",
    .write = time_ranks_write_figures,
};
