#include "algorithms/libraries/host/time.h"

#include "algorithms/libraries/host/interval.h"

#include <math.h>

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

struct host_call {
    const struct cs_host_model *model;
    const void *call;
};

static double host_total_s(const void *ctx, const double *values)
{
    const struct host_call *of = ctx;
    struct cs_host_cost host;

    if (of->model->host_of(of->call, values, &host, NULL))
        return NAN;
    return host.call_s + of->model->steps_s(of->call, &host);
}

void cs_host_time_spread(const struct cs_host_model *model, const void *call, const double *values,
                         struct cs_library_time *time)
{
    const struct host_call of = {model, call};
    struct cs_host_interval interval =
        cs_host_interval_of(host_total_s, &of, values, time->total_s);

    time->low_s = interval.low_s;
    time->high_s = interval.high_s;
}
