#include "reports/document/chart.h"

#include <math.h>

enum {
    AXIS_STEPS = 6 /* of a linear axis, about */
};

double cs_axis_place(const struct cs_chart_axis *axis, double value)
{
    double share = axis->is_log ? log(value / axis->low) / log(axis->high / axis->low)
                                : (value - axis->low) / (axis->high - axis->low);

    return axis->first + share * (axis->last - axis->first);
}

static void axis_add(struct cs_chart_axis *axis, double value)
{
    if (axis->tick_count < CS_AXIS_TICKS_MAX)
        axis->ticks[axis->tick_count++] = value;
}

/* The least of 1, 2, 5, 10 times a power of ten that is not below `step`. */
static double axis_nice(double step)
{
    double power = pow(10, floor(log10(step)));
    double factor = step / power;

    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

static void axis_round_linear(struct cs_chart_axis *axis)
{
    double range = axis->high - axis->low;
    double step;

    if (!(range > 0))
        range = axis->high > 0 ? axis->high : 1;
    step = axis_nice(range / AXIS_STEPS);
    axis->low = step * floor(axis->low / step);
    axis->high = step * ceil(axis->high / step);
    if (!(axis->high > axis->low))
        axis->high = axis->low + step;
    for (int i = 0; axis->low + i * step <= axis->high + step / 2; ++i)
        axis_add(axis, axis->low + i * step);
}

/* Ticks at 1, 2, 5 within two decades, else at powers of ten. */
static void axis_round_log(struct cs_chart_axis *axis)
{
    static const double factors[] = {1, 2, 5};
    bool is_wide = axis->high / axis->low > 100;
    double power = pow(10, floor(log10(axis->low)));
    double low = power, high;

    if (!is_wide)
        for (int f = 0; f < 3; ++f)
            if (power * factors[f] <= axis->low)
                low = power * factors[f];
    for (double decade = power;; decade *= 10)
        for (int f = 0; f < (is_wide ? 1 : 3); ++f) {
            high = decade * factors[f];
            if (high >= low * 0.999)
                axis_add(axis, high);
            if (high >= axis->high && high > low) {
                axis->low = low;
                axis->high = high;
                return;
            }
        }
}

void cs_axis_round(struct cs_chart_axis *axis)
{
    axis->tick_count = 0;
    if (axis->is_log)
        axis_round_log(axis);
    else
        axis_round_linear(axis);
}

void cs_axis_at(struct cs_chart_axis *axis, const double *values, uint32_t count, double apart)
{
    axis->tick_count = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (!axis->tick_count ||
            fabs(cs_axis_place(axis, values[i]) -
                 cs_axis_place(axis, axis->ticks[axis->tick_count - 1])) >= apart)
            axis_add(axis, values[i]);
}
