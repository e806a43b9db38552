#include "scenarios/train/split_curve.h"

#include <math.h>

double cs_split_curve_s(const struct cs_split_curve *curve, double micro)
{
    return (micro + curve->stages - 1) *
           (curve->work_s / (curve->stages * micro) + curve->overhead_s);
}

double cs_split_curve_best(const struct cs_split_curve *curve)
{
    return sqrt((curve->stages - 1) * curve->work_s /
                (curve->stages * curve->overhead_s));
}

double cs_split_curve_overhead(const struct cs_split_curve *curve, double micro,
                               double measured_s)
{
    return measured_s / (micro + curve->stages - 1) -
           curve->work_s / (curve->stages * micro);
}
