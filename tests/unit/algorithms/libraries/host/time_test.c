/* The time of a call on hosts in its parts, by hand. */
#include "algorithms/libraries/host/time.h"

#include "tests/fixture.h"

#include <math.h>

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

static void parts_add_up(void **state)
{
    const struct message message = {.bytes = 1e6};
    double values[CS_HOST_PARAMETERS] = {[CS_HOST_CALL] = 1e-6, [CS_HOST_VERBS] = 2e-6};
    struct cs_library_time time = {.channels = 1};

    (void)state;
    cs_host_time_by(&model, &message, values, &time);
    assert_true(fabs(time.launch_s - 1e-6) < 1e-15);
    assert_true(fabs(time.latency_s - 2e-6) < 1e-15);
    assert_true(fabs(time.transfer_s - 1e-3) < 1e-12);
    assert_true(fabs(time.total_s - 1.003e-3) < 1e-12);
    cs_host_time_spread(&model, &message, values, &time);
    assert_true(time.low_s < time.total_s && time.total_s < time.high_s);
}

static void a_call_without_costs_has_no_time(void **state)
{
    const struct message message = {.has_no_costs = true};
    struct cs_library_time time = {.channels = 1};

    (void)state;
    cs_host_time_by(&model, &message, cs_host_parameters, &time);
    assert_true(isnan(time.total_s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(a_call_without_costs_has_no_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
