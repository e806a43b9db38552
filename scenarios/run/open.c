#include "scenarios/run/open.h"

#include "scenarios/run/case/closed_form.h"
#include "scenarios/run/case/memory_limit.h"
#include "scenarios/run/case/plan.h"
#include "scenarios/run/case/unused.h"
#include "scenarios/run/job_machine.h"
#include "scenarios/run/timed_faults.h"

/* Machine and call; the number of ranks is the machine's where none was given. */
static int open_call(struct cs_run *run)
{
    struct cs_progress_line *display = run->which->display;
    int code = cs_run_open_machine(run, 0);

    if (!code)
        code = cs_progress_line_check(display, run->err);
    if (code)
        return code;
    run->plan_net.monitor = cs_progress_line_begin(display, "planning");
    code = cs_progress_line_end(display, cs_plan_call(run), run->err);
    run->plan_net.monitor = NULL;
    return code;
}

/* The machine comes first without agents, for its number of ranks, on which the
 * number of agents may depend. */
int cs_run_open(struct cs_run *run)
{
    const struct cs_algo *algo = run->which->algo;
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_hockney hockney;
    int code;

    cs_progress_line_note(run->which->display, NULL);
    run->machines =
        scenario->machines ? scenario->machines : cs_machines_of_run(scenario, run->arena);
    if (!run->main)
        cs_machines_forget(run->machines, cs_run_ranks_of_all_jobs(run));
    code = open_call(run);
    if (!code) /* no algorithm has such a root */
        code = cs_algo_check_root(&run->call, run->err);
    if (code)
        return code;
    hockney = cs_run_neighbours(run);
    cs_plan_settle(run, &hockney);
    if (cs_algo_check(algo, &run->call, run->err) || cs_plan_check_trees(run))
        return CS_SIMULATE_REFUSED;
    run->program = cs_algo_program(algo, &run->call);
    if (cs_room_check(run))
        return CS_SIMULATE_REFUSED;
    if (run->program.agents && !run->main &&
        (cs_run_open_machine(run, run->program.agents) || cs_plan_check_switches(run)))
        return CS_SIMULATE_REFUSED;
    cs_unused_note(run, &hockney);
    return cs_timed_faults_open(run);
}
