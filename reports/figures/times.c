/*
 * Reports time_size and time_ranks: time against message size, and against
 * number of ranks, on logarithmic axes.  Report busbw_size: bus bandwidth against
 * message size.
 *
 * The closed form is a thin dashed line in the colour of the algorithm.  The
 * area below the lower bound is grey: no algorithm can reach that area.
 *
 * Bus bandwidth as in nccl-tests: the rate at which every rank would send if the
 * best possible algorithm took the measured time.  Bus bandwidth is inversely
 * proportional to the time, so time / formula scales the curve of the closed
 * form, and time / bound turns the lower bound on the time into an upper bound on
 * the rate.
 */
#include "reports/figures/curves.h"

#include <math.h>

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

/* The bus bandwidth if the run had taken `time_s`. */
static double busbw_at(const struct cs_record *record, double time_s)
{
    if (!isfinite(time_s) || time_s <= 0)
        return NAN;
    return record->busbw_Bps * cs_curves_time_s(record) / time_s;
}

static double busbw_size_busbw(const struct cs_record *record)
{
    return record->busbw_Bps;
}

static double busbw_closed_form(const struct cs_record *record)
{
    return busbw_at(record, record->closed_form_s);
}

static double busbw_limit(const struct cs_record *record)
{
    return busbw_at(record, cs_curves_lower_bound_s(record));
}

static const struct cs_curves busbw_curves = {
    .over = CS_OVER_BYTES,
    .y_title = "bus bandwidth (GB/s)",
    .y_axis = CS_AXIS_BPS,
    .limit = CS_LIMIT_UPPER,
    .limit_name = "upper bound",
    .y = busbw_size_busbw,
    .model_y = busbw_closed_form,
    .limit_y = busbw_limit,
};

const struct cs_report cs_report_busbw_size = {
    .name = "busbw_size",
    .title = "bus bandwidth against message size",
    .about = "The bus bandwidth of each algorithm at each size, and the highest possible.",
    .order = cs_curves_order_runs,
    .add = cs_curves_add,
    .curves = &busbw_curves,
};
