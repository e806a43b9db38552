#include "algorithms/libraries/carried.h"

#include <math.h>

double cs_carried_s(double own_s, double fitted_s)
{
    double d = log(fitted_s / own_s);

    return own_s * exp(d * d * d / (d * d + CS_OWN_ERROR * CS_OWN_ERROR));
}

void cs_carry(double own_s, struct cs_library_time *time)
{
    double share = cs_carried_s(own_s, time->total_s) / time->total_s;

    time->launch_s *= share;
    time->latency_s *= share;
    time->transfer_s *= share;
    time->total_s *= share;
    time->low_s *= share;
    time->high_s *= share;
}
