/*
 * Options: queue pairs need a routing with routes of their own, and runs need
 * random numbers.
 */
#include "scenarios/run/request/scenario.h"

static int routing_check_pairs(const struct cs_scenario *scenario, struct cs_err *err)
{
    enum cs_routing routing = scenario->flows.routing;

    if (!scenario->flows.queue_pairs || routing == CS_ROUTING_ECMP ||
        routing == CS_ROUTING_ADAPTIVE)
        return 0;
    return cs_err_set(err, CS_EINPUT, "--qps requires --routing ecmp or adaptive (current: %s)%s",
                      cs_routing_names[routing],
                      routing == CS_ROUTING_SPRAY ? "; spray uses every route already" : "");
}

static int routing_check_runs(const struct cs_scenario *scenario, struct cs_err *err)
{
    const char *given = cs_scenario_given(scenario, "runs")  ? "runs"
                        : cs_scenario_given(scenario, "run") ? "run"
                                                             : NULL;

    if (!given || scenario->jitter.term_count || cs_routing_draws(scenario->flows.routing))
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "--%s requires --jitter or --routing ecmp: without random numbers every run "
                      "is the same; write --jitter exponential,mean=2us",
                      given);
}

int cs_routing_check(const struct cs_scenario *scenario, struct cs_err *err)
{
    int code = routing_check_pairs(scenario, err);

    return code ? code : routing_check_runs(scenario, err);
}
