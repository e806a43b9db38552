/* The time of a call on hosts in its parts, by hand, and its interval from the spread of
 * parameters. */
#include "algorithms/libraries/host/time.h"

#include "algorithms/libraries/host/parameters.h"

#include "tests/fixture.h"

#define RESIDUAL 0.45 /* of time.c, measured on published tables */

/* A message of `bytes` between two nodes, one after another. */
struct message {
    double bytes;
    bool has_no_costs;
};

static int message_costs(const void *call, const double *values, struct cs_host_cost *host,
                         struct cs_err *err)
{
    const struct message *message = call;

    *host = (struct cs_host_cost){.call_s = values[CS_HOST_CALL],
                                  .net = {.latency_s = values[CS_HOST_VERBS], .stream_Bps = 1e9}};
    return message->has_no_costs ? cs_err_set(err, CS_ECANNOT, "no costs") : 0;
}

static double message_s(const void *call, const struct cs_host_cost *host)
{
    const struct message *message = call;

    return host->net.latency_s + message->bytes / host->net.stream_Bps;
}

static const struct cs_host_model model = {message_costs, message_s};

TEST(parts_add_up)
{
    const struct message message = {.bytes = 1e6};
    double values[CS_HOST_PARAMETERS] = {[CS_HOST_CALL] = 1e-6, [CS_HOST_VERBS] = 2e-6};
    struct cs_library_time time = {.channels = 1};

    cs_host_time_by(&model, &message, values, &time);
    assert_true(fabs(time.launch_s - 1e-6) < 1e-15);
    assert_true(fabs(time.latency_s - 2e-6) < 1e-15);
    assert_true(fabs(time.transfer_s - 1e-3) < 1e-12);
    assert_true(fabs(time.total_s - 1.003e-3) < 1e-12);
    cs_host_time_spread(&model, &message, values, &time);
    assert_true(time.low_s < time.total_s && time.total_s < time.high_s);
}

TEST(a_call_without_costs_has_no_time)
{
    const struct message message = {.has_no_costs = true};
    struct cs_library_time time = {.channels = 1};

    cs_host_time_by(&model, &message, cs_host_parameters, &time);
    assert_true(isnan(time.total_s));
}

/* ---- the interval ---- */

/* A time that is a function of the parameters. */
struct timed {
    double (*time_of)(const void *ctx, const double *values);
    const void *ctx;
};

static int timed_host_of(const void *call, const double *values, struct cs_host_cost *host,
                         struct cs_err *err)
{
    const struct timed *timed = call;

    (void)err;
    *host = (struct cs_host_cost){.call_s = timed->time_of(timed->ctx, values)};
    return 0;
}

static double timed_steps_s(const void *call, const struct cs_host_cost *host)
{
    (void)call;
    (void)host;
    return 0;
}

static struct cs_library_time interval_of(double (*time_of)(const void *ctx, const double *values),
                                          const void *ctx, double time_s)
{
    const struct cs_host_model timed_model = {timed_host_of, timed_steps_s};
    const struct timed timed = {time_of, ctx};
    struct cs_library_time time = {.total_s = time_s};

    cs_host_time_spread(&timed_model, &timed, cs_host_parameters, &time);
    return time;
}

static double constant_s(const void *ctx, const double *values)
{
    (void)values;
    return *(const double *)ctx;
}

static double step_of(const void *ctx, const double *values)
{
    (void)ctx;
    return values[CS_HOST_STEP];
}

/* 1.645 standard deviations to either side. */
TEST(a_time_without_parameters_keeps_the_residual_spread)
{
    double time_s = 1e-3;
    struct cs_library_time interval = interval_of(constant_s, &time_s, time_s);

    assert_true(fabs(log(interval.high_s / time_s) - 1.645 * RESIDUAL) < 1e-9);
    assert_true(fabs(log(time_s / interval.low_s) - 1.645 * RESIDUAL) < 1e-9);
}

TEST(spreads_of_parameters_are_added_in_squares)
{
    double spread = cs_host_parameter_set.items[CS_HOST_STEP].spread;
    double time_s = cs_host_parameters[CS_HOST_STEP];
    struct cs_library_time interval = interval_of(step_of, NULL, time_s);
    double wide = 1.645 * sqrt(RESIDUAL * RESIDUAL + spread * spread);

    assert_true(fabs(log(interval.high_s / time_s) - wide) < 1e-9);
}

static double jump_of(const void *ctx, const double *values)
{
    return values[CS_HOST_CACHE] > *(const double *)ctx ? 1e6 : 1;
}

TEST(a_jump_counts_as_a_factor_of_two)
{
    double limit = cs_host_parameters[CS_HOST_CACHE];
    struct cs_library_time interval = interval_of(jump_of, &limit, 1);

    assert_true(log(interval.high_s) < 1.645 * sqrt(RESIDUAL * RESIDUAL + 0.7 * 0.7));
}

static double drop_of(const void *ctx, const double *values)
{
    return values[CS_HOST_CACHE] > *(const double *)ctx ? 1e-6 : 1;
}

/* Up or down, ln 2 at most. */
TEST(a_jump_down_counts_as_one_up)
{
    double limit = cs_host_parameters[CS_HOST_CACHE];
    double wide = 1.645 * sqrt(RESIDUAL * RESIDUAL + 0.69 * 0.69);
    struct cs_library_time up = interval_of(jump_of, &limit, 1);
    struct cs_library_time down = interval_of(drop_of, &limit, 1);

    assert_true(fabs(log(up.high_s) - wide) < 1e-9);
    assert_true(fabs(log(down.high_s) - wide) < 1e-9);
    assert_true(fabs(log(down.low_s) + wide) < 1e-9);
}
