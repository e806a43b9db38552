/*
 * Causes of a run's time: changes of a run, each simulated.
 *
 * A cause is something that a run has and need not have: a fault, a straggler, a
 * placement, a single ring, small chunks, an oversubscribed fabric, a link slower
 * than its equals.  The run without it is simulated, and the gain is the quotient of
 * the times.  Causes in the run's own options and machine that cost 3 % and more come
 * first, then the choice of rings and uplinks, then general changes (another
 * algorithm, faster links), each kind by gain.
 *
 *     find   a simulation per cause that applies
 */
#ifndef CS_SCENARIOS_WHY_CAUSES_H
#define CS_SCENARIOS_WHY_CAUSES_H

#include "reports/results/record.h"
#include "scenarios/options/progress_line.h"
#include "scenarios/run/request/scenario.h"

enum {
    CS_WHY_CAUSES_MAX = 32
};

enum cs_why_by {
    CS_WHY_BY_SIMULATION,
    CS_WHY_BY_PATH,  /* the critical path of the run, without a simulation */
    CS_WHY_BY_MODEL, /* the cost model of a library */
    CS_WHY_BYS,
};

enum cs_why_kind {
    CS_WHY_GIVEN,   /* by the options, or by a machine with a fault */
    CS_WHY_CHOICE,  /* one ring, few uplinks */
    CS_WHY_GENERAL, /* another algorithm, faster links, latency */
};

struct cs_why_cause {
    const char *name;     /* "straggler" */
    const char *sentence; /* with its numbers */
    double time_s;        /* without the cause */
    double gain;          /* time of the run over that */
    enum cs_why_kind kind;
    enum cs_why_by by;
};

struct cs_why {
    struct cs_progress_line *display;              /* open; set by the caller */
    struct cs_record record;                       /* of the run itself */
    struct cs_why_cause causes[CS_WHY_CAUSES_MAX]; /* the first is the best */
    uint32_t count;
    const char *slower; /* faster links with which the run takes longer, and why; or NULL */
};

/* Simulates the run of the scenario's options and finds the causes.  Memory is in
 * the arena.  CS_EINPUT as for `collsim run`, and for several runs; CS_ESTOPPED. */
int cs_why_find(const struct cs_scenario *given, struct cs_arena *arena, struct cs_why *why,
                struct cs_err *err);

#endif
