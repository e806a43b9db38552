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
#pragma once

#include "reports/results/record.h"
#include "scenarios/options/progress_line.h"
#include "scenarios/run/request/scenario.h"
#include "sim/base/text.h"

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
    struct cs_text notes;                          /* of that run */
    struct cs_why_cause causes[CS_WHY_CAUSES_MAX]; /* the first is the best */
    uint32_t count;
    const char *slower; /* faster links with which the run takes longer, and why; or NULL */
};

/* Simulates the run of the scenario's options and finds the causes.  Memory is in
 * the arena.  CS_EINPUT as for `collsim run`, and for several runs; CS_ESTOPPED. */
int cs_why_find(const struct cs_scenario *given, struct cs_arena *arena, struct cs_why *why,
                struct cs_err *err);

/* "straggler: without, 527 us instead of 632 us, 1.2 times as fast", in the arena. */
const char *cs_why_sentence(const struct cs_why *why, const char *what, double without_s,
                            struct cs_arena *arena);

/* Notes on the options of the run itself that have no effect on it. */
void cs_why_note_unused(const struct cs_scenario *scenario, struct cs_why *why);

/* Adds a cause with its gain, where that is a half per cent. */
void cs_why_add(struct cs_why *why, struct cs_why_cause cause);

/*
 * Causes of the time of a library's call, each by the cost model without it.
 */

/* The call of the scenario's options: its record, and the causes, the largest gain
 * first.  Memory is in the arena.  CS_EINPUT as for `collsim run --library`, and for
 * several calls.  O(engines x protocols) calls of the cost model. */
int cs_why_library(struct cs_scenario *scenario, struct cs_arena *arena, struct cs_why *why,
                   struct cs_err *err);

/*
 * Links of a run's machine that could be faster, as faults with a rate above 1.
 */

/* The links that are slower than links between devices of the same kinds: faults
 * that raise them to the greatest rate, and a phrase that names them.  False: none,
 * or too many. */
bool cs_why_slow_links(const struct cs_scenario *given, struct cs_arena *arena,
                       struct cs_faults *faults, const char **what);

/* The links of the class in "gpu0 -> nvswitch (nvlink3 x12)" at twice the rate. */
bool cs_why_class_links(const struct cs_scenario *given, const char *link, struct cs_arena *arena,
                        struct cs_faults *faults, const char **what);

/*
 * Collisions of hashed routes: the link between switches that carries most, and
 * the flows on it.
 */

/* "leaf0 -> spine3 (ib-ndr) carries 3 flows (...), 2.7 times the mean of its 16
 * equals", in the arena, of the first case of the scenario; NULL without such a
 * link.  Two simulations. */
const char *cs_why_collision(const struct cs_scenario *scenario, struct cs_arena *arena);
