/*
 * The file of --trace: the timeline of a run, for Perfetto and chrome://tracing.
 *
 * A node of the machine is a process, a rank a thread for its sends, its receives
 * (each for every lane of the program) and its reductions.  The span of a send
 * lasts from the send to the arrival, that of a receive is the transfer alone,
 * without waits and latencies; an arrow leads from one to the other.  A link with
 * messages has a counter of its rate.
 *
 * Order of calls: check, then open on an open run, the watch given to the
 * executor, write, free.
 */
#pragma once

#include "reports/timeline/timeline.h"
#include "scenarios/run/case/run.h"
#include "sim/watch/link_curve.h"
#include "sim/watch/memory_curve.h"

struct cs_run_timeline {
    struct cs_timeline timeline;
    struct cs_link_curve links;
    struct cs_memory_curve *memory;                /* of the same run; or NULL */
    uint32_t parties, lanes;                       /* of the timeline; lanes 1: undivided */
    uint32_t send_names, receive_names, work_name; /* first of the parties' */
};

/* CS_EINPUT where the scenario has more than one run or none that is simulated
 * rank by rank, where the file is not named .json, or where it exists and
 * --force is not given. */
int cs_run_timeline_check(const struct cs_scenario *scenario, struct cs_err *err);

/* Makes threads and names for the ranks of the run; zeroed but for `memory`. */
void cs_run_timeline_open(struct cs_run_timeline *timeline, const struct cs_run *run);

/* The callbacks of the timeline, and of its memory curve. */
struct cs_exec_watch cs_run_timeline_watch(struct cs_run_timeline *timeline);

/* The simulation has ended: adds the counters of the links. */
void cs_run_timeline_close(struct cs_run_timeline *timeline, const struct cs_run *run);

/* Writes the file of the scenario. */
int cs_run_timeline_write(const struct cs_scenario *scenario, const struct cs_record *record,
                          struct cs_run_timeline *timeline, struct cs_err *err);

void cs_run_timeline_free(struct cs_run_timeline *timeline);
