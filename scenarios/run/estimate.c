#include "scenarios/run/estimate.h"

#include "scenarios/run/case/closed_form.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/open.h"

int cs_run_estimate(const struct cs_case *which, struct cs_arena *arena,
                    struct cs_estimate *estimate, struct cs_err *err)
{
    const struct cs_scenario *scenario = which->scenario;
    struct cs_run run = {.which = which,
                         .arena = arena,
                         .err = err,
                         .replicas_from = cs_machines_replicas_from(scenario),
                         .machines = scenario->machines ? scenario->machines
                                                        : cs_machines_of_run(scenario, arena)};
    struct cs_textbook book;
    int code = cs_run_open(&run);

    if (code)
        return code;
    book = cs_run_closed_form(&run);
    *estimate = (struct cs_estimate){
        .closed_form_s =
            cs_algo_closed_form_of_nodes_s(which->algo, &run.call, &book.between, &book.within),
        .bus_factor = cs_collective_bus_factor(run.call.collective, run.call.ranks),
        .bytes = (double)which->bytes,
    };
    return 0;
}
