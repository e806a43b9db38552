/*
 * The stage of one run: machine, seats, program, and what came of it.
 *
 * run.c sets it, execute.c runs it, closed_form.c looks at it as the closed forms do, record.c
 * writes down what was asked and what came out; simulate.h runs it.
 */
#ifndef CS_SCENARIOS_RUN_RUN_H
#define CS_SCENARIOS_RUN_RUN_H

#include "reports/results/record.h"
#include "scenarios/run/machine.h"
#include "scenarios/run/progress_line.h"
#include "scenarios/run/scenario.h"
#include "sim/engine/exec.h"
#include "sim/engine/memory_curve.h"
#include "sim/fold/fold.h"
#include "sim/proof/proof.h"
#include "topo/graph/graph.h"

struct cs_known;

/* One combination of a scenario's lists. */
struct cs_case {
    const struct cs_scenario *scenario;
    const struct cs_algo *algo;
    uint64_t bytes;
    uint32_t ranks;        /* 0: as many as the machine has */
    struct cs_text *notes; /* gets what the machine's reader remarks, a line
                              each; or NULL */
    struct cs_memory_curve *memory; /* gets what ranks hold; or NULL */
    struct cs_progress_line
        *display; /* tells of a long run and stops it; or NULL */
    const struct cs_known *known; /* what need not be run; or NULL */
    const struct cs_call *call;   /* of another job; NULL: the scenario's */
    const struct cs_fault *lost;  /* a fault beside the scenario's; or NULL */
};

/* Told of what is asked, with its fingerprint, before it is run: sets *known
 * where the answer is there already. */
struct cs_known {
    int (*look_up)(void *ctx, const struct cs_record *query, bool *known,
                   struct cs_err *err);
    void *ctx;
};

/* Everything of one run. */
struct cs_run {
    const struct cs_case *which;
    struct cs_arena *arena;
    struct cs_err *err;
    struct cs_machines *machines;
    const struct cs_machine *machine; /* of all jobs */
    /* The machine with the ranks of this job, numbered from 0. */
    struct cs_graph graph;
    struct cs_net net;
    /* The same network with the ranks of all jobs; links have equal numbers. */
    struct cs_net all_net;
    uint32_t all_ranks;
    /* Parties of the machine, in the order of all_net's, and of all_net, in the
     * order of net's; NULL: equal. */
    const uint32_t *order, *slots;
    const struct cs_run *main;     /* whose machine another job uses; or NULL */
    uint32_t first;                /* of all_net's ranks, for another job */
    struct cs_model_params params; /* of the link model */
    struct cs_call call;
    const char *parameters;
    const char *hypothetical; /* as in struct cs_record; NULL: nothing */
    struct cs_program program;
    struct cs_proof proof;
    struct cs_fold *fold;             /* that was run, or NULL */
    const struct cs_monitor *monitor; /* of the repetitions, while they run */
    const struct cs_noise *noise;     /* of the run, or NULL */
    struct cs_concurrent *concurrent; /* all jobs, or NULL */
    struct cs_exec_result result;
    uint64_t ended_ps; /* the last of several jobs; 0: there is one */
    bool healthy;      /* the machine is taken without its faults */
    /* From so many ranks on it may be told briefly, as it is to be folded; 0:
     * never. */
    uint32_t replicas_from;
    const char *cut; /* by the last fault; or NULL */
    struct cs_net_change *changes, *all_changes;
    uint32_t change_count;
};

/* What the user gave the job's algorithm. */
static inline const struct cs_call *cs_run_given(const struct cs_run *run)
{
    return run->which->call ? run->which->call : &run->which->scenario->call;
}

/* Runs a program on the stage's machine, with its faults and its noise. */
int cs_run_execute(const struct cs_run *run, const struct cs_program *program,
                   const struct cs_exec_watch *watch, struct cs_arena *arena,
                   struct cs_exec_result *result);

/*
 * Runs the stage together with the scenario's other jobs; what it takes alone
 * is in stage->result already.  Afterwards that is of all jobs, but for its
 * time and path, which are the first job's.
 */
int cs_run_concurrent_jobs(struct cs_run *run,
                           const struct cs_exec_watch *watch);

/* What each job took in stage->result, and what it takes alone, with the same
 * noise; of what was sent the first job's part is left. */
int cs_run_report_jobs(struct cs_run *run, struct cs_record *record);

/* Of all jobs, where there are several. */
const struct cs_program *cs_run_program(const struct cs_run *run);

/* Whether runs differ, or ranks are slow. */
bool cs_run_is_noisy(const struct cs_run *run);

/*
 * Runs the stage, with its other jobs, with its noise, as often as the scenario
 * says; what it takes without is in stage->result already.  Afterwards that is
 * the run of median time (the lower one of two), stage->noise is that run's, and
 * the spread is known.
 */
int cs_run_repeat(struct cs_run *run, const struct cs_exec_watch *watch,
                  struct cs_record_spread *spread);

/* Whether a proof runs along by default, and what it would visit; a note where
 * it does not. */
bool cs_run_proof_is_cheap(const struct cs_run *run, uint64_t *visits);
void cs_run_note_unproven(const struct cs_run *run, const char *what,
                          uint64_t visits);

/* Opens the machine, seats the ranks, makes the program; which, arena and err
 * are there.  Returns as cs_simulate does. */
int cs_run_open(struct cs_run *run);

/* Writes a replicated machine out in full, as every run but a folded one
 * requires. */
int cs_run_expand(struct cs_run *run);

/* The machine of an open run under another routing. */
int cs_run_machine_routed(const struct cs_run *run, enum cs_routing routing,
                          const struct cs_machine **machine,
                          struct cs_err *err);

/* The machine as closed forms see it: before there is a program the worst ways
 * to ranks 1, 2, 4 ... apart, within nodes if the algorithm tells these apart;
 * then the worst that the program uses, of those
 * algorithms that tell them apart between nodes and within. */
struct cs_hockney cs_run_neighbours(const struct cs_run *run);
struct cs_textbook {
    struct cs_hockney between, within;
};
struct cs_textbook cs_run_closed_form(const struct cs_run *run);

/* The slowest party's time to add up a byte, and what a sum takes beside. */
struct cs_run_reducers {
    double s_per_byte;
    uint64_t overhead_ps;
};
struct cs_run_reducers cs_run_reducers(const struct cs_run *run);

/* What link `link` of the net that is run is called on the machine, in the arena
 * of the struct cs_run that is the context. */
const char *cs_run_link_name(const void *ctx, uint32_t link);

/* Fill the record; its texts and links are in the stage's arena. */
void cs_run_describe(const struct cs_run *run, struct cs_record *record);
void cs_run_collect(struct cs_run *run, struct cs_record *record);

/* CS_EANSWER, with what is needed to repeat the run, where it took less than its
 * lower bound: one of the two is wrong.  After the bound is final. */
int cs_record_check_bound(const struct cs_record *record, struct cs_err *err);

#endif
