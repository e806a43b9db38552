/*
 * State of a run, from case to results.
 *
 *     case      scenario, algorithm, size, ranks          case.h
 *     machine   network of the ranks, in order            open.h, machine.h
 *     plan      the call, with chosen parameters          plan.h
 *     program   of the algorithm; proved                  prove.h
 *     simulate  folded, whole, with jobs, with noise      simulate.h
 *     record    fields of the result                      record.h
 *
 * The modules fill the members in order, and read the members above.
 */
#pragma once

#include "scenarios/run/case/case.h"
#include "scenarios/run/machine/machine.h"
#include "sim/engine/exec.h"
#include "sim/fold/fold.h"
#include "sim/proof/proof.h"

/* Results of opening or simulating a run besides 0 and error codes. */
enum {
    /* The algorithm refuses the call, or the machine has no place for the
     * agents: `err` has CS_EINPUT and the reason.  Further algorithms may run. */
    CS_SIMULATE_REFUSED = 1,
    /* The case's `known` has the result: nothing was simulated. */
    CS_SIMULATE_KNOWN = 2,
    /* The simulation takes longer than the case's limit: the record has the
     * algorithm, and as time_ps a time that the simulation exceeds. */
    CS_SIMULATE_SLOWER = 3,
    /* The program has more than the case's `messages_max`: nothing was simulated,
     * and the record has the closed form and an estimate of the messages. */
    CS_SIMULATE_LATER = 4,
};

struct cs_time_limit;

struct cs_run {
    /* Set before the run is opened. */
    const struct cs_case *which;
    struct cs_arena *arena;
    struct cs_err *err;
    bool healthy; /* without the scenario's faults */
    /* The least ranks from which the machine may be replicated; 0: never. */
    uint32_t replicas_from;
    const struct cs_run *main; /* of a concurrent job; NULL: the main job */
    uint32_t first;            /* of all_net's ranks, for a concurrent job */
    /* The machine. */
    struct cs_machines *machines;
    const struct cs_machine *machine; /* of all jobs */
    /* The machine with the ranks of the job, numbered from 0. */
    struct cs_graph graph;
    struct cs_net net;
    /* The network with the ranks of all jobs; links have the numbers of `net`. */
    struct cs_net all_net;
    uint32_t all_ranks;
    /* `net` as planners see it, without slowness that is not announced
     * (topo/placement/fault.h): equal links and routes. */
    struct cs_net plan_net;
    /* Party of the machine for each party of all_net; party of all_net for each
     * party of net; NULL: equal. */
    const uint32_t *order, *slots;
    /* Changes of net and all_net by timed faults; `cut`: ranks disconnected by
     * the last fault, or NULL. */
    struct cs_net_change *changes, *all_changes;
    uint32_t change_count;
    const char *cut;
    struct cs_model_params params; /* of the link model */
    /* Choice among shortest routes, where `draws_routes`; else the machine's own
     * routes are taken. */
    struct cs_paths routing;
    bool draws_routes;
    /* The plan. */
    struct cs_call call;
    /* Given, or chosen by the algorithm. */
    struct cs_record_parameter *parameter;
    uint32_t parameter_count, parameter_room;
    const char *hypothetical; /* as in struct cs_record; NULL: nothing */
    struct cs_program program;
    /* Simulation and results. */
    struct cs_proof proof;
    struct cs_fold *fold;             /* the simulated fold, or NULL */
    uint64_t padded_bytes;            /* by which the folded vector is longer */
    const struct cs_monitor *monitor; /* of repetitions in progress */
    struct cs_time_limit *limit;      /* of the main job; NULL: none */
    const struct cs_noise *noise;     /* of the result; NULL: no noise */
    struct cs_concurrent *concurrent; /* all jobs; NULL: a single one */
    struct cs_exec_result result;
    uint64_t ended_ps; /* end of the last of several jobs; 0: a single job */
};

/* The user's parameters of the job's algorithm. */
static inline const struct cs_call *cs_run_given(const struct cs_run *run)
{
    return run->which->call ? run->which->call : &run->which->scenario->call;
}

/* Whether jitter or stragglers change the times of events. */
static inline bool cs_run_has_noise(const struct cs_run *run)
{
    const struct cs_jitter *jitter = &run->which->scenario->jitter;

    return jitter->term_count > 0 || jitter->straggler_count > 0;
}

/* Whether runs of different numbers may differ: by noise, or by their draws of
 * routes, of which the scenario wants several or one by number. */
static inline bool cs_run_is_noisy(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;

    return cs_run_has_noise(run) ||
           (cs_routing_draws(scenario->flows.routing) &&
            (scenario->jitter.runs > 1 || cs_scenario_given(scenario, "run")));
}
