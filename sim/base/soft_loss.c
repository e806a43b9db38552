#include "sim/base/soft_loss.h"

#include <math.h>

double cs_soft_residual(double residual, double corner)
{
    double z = residual / corner * (residual / corner);

    return residual * sqrt(2 / (sqrt(1 + z) + 1));
}

double cs_soft_slope(double residual, double corner)
{
    double z = residual / corner * (residual / corner);

    return sqrt((sqrt(1 + z) + 1) / 2) / sqrt(1 + z);
}
