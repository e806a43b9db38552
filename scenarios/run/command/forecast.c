#include "scenarios/run/command/forecast.h"

#include "scenarios/run/command/candidates.h"
#include "scenarios/run/fold/folding.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/open.h"
#include "sim/base/clock.h"

/* Of an op in model fifo: without routes, and for each link of a route. */
static const double op_s = 40e-9, hop_s = 13e-9;

enum {
    HOPS_MOST = 10 /* through a fabric of three levels; nets promise more */
};

/* What a case takes, and the ops. */
struct forecast {
    double all_s;
    double ops; /* 0: it does not run */
};

static struct forecast forecast_case(const struct cs_case *which)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_err err = {0};
    struct cs_run run = {.which = which,
                         .arena = &arena,
                         .err = &err,
                         .replicas_from = cs_machines_replicas_from(which->scenario)};
    struct forecast forecast = {0};

    if (!cs_run_open(&run)) {
        uint32_t hops = run.net.max_hops < HOPS_MOST ? run.net.max_hops : HOPS_MOST;

        forecast.ops = cs_run_simulated_ops(&run);
        forecast.all_s = forecast.ops * (op_s + hop_s * hops);
    }
    return forecast;
}

/* All algorithms at a size. */
static double forecast_size(const struct cs_scenario *scenario, uint32_t size)
{
    uint64_t first = (uint64_t)size * scenario->algo_count;
    double small_s = 0, large_s = 0, least_s = 0;

    for (uint32_t i = 0; i < scenario->algo_count; i++) {
        struct cs_case which = cs_case_of(scenario, first + i);
        struct forecast one = forecast_case(&which);

        if (one.ops <= 2.0 * CS_CANDIDATES_SMALL) {
            small_s += one.all_s;
            continue;
        }
        least_s = large_s == 0 || one.all_s < least_s ? one.all_s : least_s;
        large_s += one.all_s;
    }
    return small_s + (scenario->choice == CS_CHOICE_AUTO ? least_s : large_s);
}

double cs_forecast_s(const struct cs_scenario *scenario)
{
    double until_s = 0; /* the first plan opens the machine for the runs, too */
    double cost = scenario->model->op_cost > 0 ? scenario->model->op_cost : 1;
    double runs = scenario->jitter.runs ? (double)scenario->jitter.runs : 1;
    uint32_t jobs = cs_scenario_jobs(scenario);
    uint32_t size = scenario->size_count;
    double longest_s = 0, all_s = 0;

    if (scenario->rank_count > 1 || scenario->size_count < 2)
        return 0;
    while (size-- > 0 && (until_s == 0 || cs_clock_s() < until_s)) {
        double one_s = forecast_size(scenario, size);

        longest_s = one_s > longest_s ? one_s : longest_s;
        all_s += one_s;
        if (until_s == 0)
            until_s = cs_clock_s() + CS_FORECAST_S;
    }
    all_s /= jobs ? jobs : 1;
    return (all_s > longest_s ? all_s : longest_s) * cost * runs;
}
