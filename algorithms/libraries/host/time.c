#include "algorithms/libraries/host/time.h"

#include "algorithms/libraries/carried.h"
#include "algorithms/libraries/host/parameters.h"

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

void cs_host_time_by(const struct cs_host_model *model, const void *call, const double *values,
                     struct cs_library_time *time)
{
    struct cs_host_cost host;
    struct cs_host_cost idle;

    time->total_s = NAN;
    if (model->host_of(call, values, &host, NULL))
        return;
    idle = cs_host_cost_latency(&host);
    time->launch_s = host.call_s;
    time->latency_s = model->steps_s(call, &idle);
    time->total_s = host.call_s + model->steps_s(call, &host);
    time->transfer_s = time->total_s - time->launch_s - time->latency_s;
}

static double host_total_s(const struct cs_host_model *model, const void *call,
                           const double *values)
{
    struct cs_host_cost host;

    if (model->host_of(call, values, &host, NULL))
        return NAN;
    return host.call_s + model->steps_s(call, &host);
}

void cs_host_time_spread(const struct cs_host_model *model, const void *call, const double *values,
                         struct cs_library_time *time)
{
    double squares = residual * residual;
    double moved[CS_HOST_PARAMETERS];
    double factor;

    memcpy(moved, values, sizeof(moved));
    for (uint32_t i = 0; i < CS_HOST_PARAMETERS; i++) {
        double change;

        moved[i] *= exp(cs_host_parameter_set.items[i].spread);
        change = fmin(log(host_total_s(model, call, moved) / time->total_s), most_change);
        change = fmax(change, -most_change);
        squares += change * change;
        moved[i] = values[i];
    }
    factor = exp(quantile * sqrt(squares));
    time->low_s = time->total_s / factor;
    time->high_s = time->total_s * factor;
}

void cs_host_time_end(const struct cs_host_model *model, const void *call,
                      const struct cs_library_request *request, struct cs_library_time *time)
{
    const double *values = request->parameters ? request->parameters : cs_host_parameters;

    cs_host_time_spread(model, call, values, time);
    if (request->carried)
        cs_carry(host_total_s(model, call, cs_host_parameters), time);
}
