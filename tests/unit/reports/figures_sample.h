/*
 * Figures to test with: a figure of times over sizes, and points in it.
 */
#pragma once

#include "reports/figures/plot/figure.h"

#include <stdio.h>

static inline void sample_point(struct cs_figures *figures, double x, double y)
{
    cs_figures_point(figures, &(struct cs_point){x, y, y, y / 2, CS_HELPER_NONE});
}

static inline void sample_begin(struct cs_figures *figures, const char *name)
{
    cs_figures_begin(figures, &(struct cs_figure){
                                  .name = name,
                                  .title = "t",
                                  .x_axis = CS_AXIS_BYTES,
                                  .y_axis = CS_AXIS_SECONDS,
                                  .limit = CS_LIMIT_LOWER,
                                  .limit_name = "lower bound",
                              });
}

/* A figure of `count` series "s0", "s1" ... that each are worse than the one
 * before, but for the last one, which is the best at one x. */
static inline void sample_begin_many(struct cs_figures *figures, const char *name, int count,
                                     enum cs_limit limit)
{
    char series[16];

    sample_begin(figures, name);
    figures->items[figures->count - 1].limit = limit;
    for (int i = 0; i < count; i++) {
        double y = limit == CS_LIMIT_UPPER ? 1.0 / (1 + i) : 1 + i;

        (void)snprintf(series, sizeof series, "s%d", i);
        cs_figures_series(figures, series);
        sample_point(figures, 1, i < count - 1 ? y : 1000);
        sample_point(figures, 2, y);
        if (i == count - 1)
            sample_point(figures, 4, 1);
    }
}
