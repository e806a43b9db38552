#include "algorithms/libraries/host/interval.h"

#include <math.h>
#include <string.h>

/* Standard deviation of ln(predicted / measured) that remains beside the parameters, with which
 * 90 % of the rows of the osu_* tables lie inside, six publishers weighing the same, each left
 * out of the estimate (.96 of the rows of the two in it, .87 of the four others). */
static const double residual = 0.45;
/* Quantile of .95 of the normal distribution. */
static const double quantile = 1.645;
/* A size that a moved threshold brings to the other side of a jump. */
static const double most_change = 0.69;

struct cs_host_interval cs_host_interval_of(cs_host_time_fn *time_of, const void *ctx,
                                            const double *values, double time_s)
{
    double squares = residual * residual;
    double moved[CS_HOST_PARAMETERS];
    double factor;

    memcpy(moved, values, sizeof(moved));
    for (uint32_t i = 0; i < CS_HOST_PARAMETERS; i++) {
        double change;

        moved[i] *= exp(cs_host_parameter_set.items[i].spread);
        change = fmin(log(time_of(ctx, moved) / time_s), most_change);
        change = fmax(change, -most_change);
        squares += change * change;
        moved[i] = values[i];
    }
    factor = exp(quantile * sqrt(squares));
    return (struct cs_host_interval){time_s / factor, time_s * factor};
}
