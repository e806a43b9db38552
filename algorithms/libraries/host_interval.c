#include "algorithms/libraries/host_interval.h"

#include <math.h>

/* Standard deviation of ln(predicted / measured) that remains beside the
 * parameters: rows of the osu_* tables of machines that an estimate of the
 * parameters left out. */
static const double residual = 0.2;
/* Quantile of .95 of the normal distribution. */
static const double quantile = 1.645;
/* A size that a moved threshold brings to the other side of a jump. */
static const double most_change = 0.69;

struct cs_host_interval cs_host_interval_of(cs_host_time_fn *time_of,
                                            const void *ctx, double time_s)
{
    double squares = residual * residual;
    double factor;

    for (size_t i = 0; i < CS_HOST_PARAMETERS; i++) {
        struct cs_host_values moved = cs_host_values_default();
        double change;

        moved.value[i] *= exp(cs_host_parameter_rows[i].spread);
        change = fmin(log(time_of(ctx, &moved) / time_s), most_change);
        change = fmax(change, -most_change);
        squares += change * change;
    }
    factor = exp(quantile * sqrt(squares));
    return (struct cs_host_interval){time_s / factor, time_s * factor};
}
