/*
 * Calls of a library: records by a cost model in place of a simulation.
 *
 *     machine   opened and summarised once for a number of ranks (site.h)
 *     call      the library's choice, time and interval (library.h)
 *     record    the library as model; the bound beside, of the machine's links
 *
 *     open   the machine, plus cs_slowed_site_read
 *     time   O(engines x protocols) and a bound
 */
#pragma once

#include "algorithms/bounds/request.h"
#include "algorithms/libraries/library.h"
#include "algorithms/libraries/site/site.h"
#include "scenarios/run/case/run.h"

/* ---- slowed sites ---- */

/*
 * A library that does not know of a slow link gives the link its share of the
 * traffic, and waits for the last byte: links of one role work at the pace of the
 * slowest that carries traffic.  One of eight adapters at 10 % of its rate makes
 * every adapter one of 10 %.  The choice of the library remains that of the machine
 * without the slowness.
 *
 *     site   cs_site_read, and O(ranks x hops + slow wires x wires)
 */

/* Reads the machine of an open run as the library plans for it, and as the traffic
 * meets it; *planned and *site are equal without hidden faults.  CS_EINPUT as
 * cs_site_read. */
int cs_slowed_site_read(const struct cs_run *run, struct cs_site *planned, struct cs_site *site);

/* A machine with its ranks, for calls of any size. */
struct cs_library_calls {
    struct cs_run run;
    struct cs_site site;    /* with the scenario's faults */
    struct cs_site planned; /* as the library sees the site */
    bool leaves_gpus;       /* buffers are in host memory, beside GPUs */
    /* Without the scenario's faults; NULL: not opened yet. */
    struct cs_library_calls *healthy;
};

/* Opens the machine of the case, whose algorithm is not read; case, arena and
 * `err` are kept.  CS_EINPUT as cs_run_open_machine and cs_slowed_site_read. */
int cs_library_calls_open(const struct cs_case *which, struct cs_arena *arena,
                          struct cs_library_calls *calls, struct cs_err *err);

/* The request of a call: the scenario's choices with an engine, NULL: the
 * library's choice.  The site is that of `calls`. */
struct cs_library_request cs_library_calls_request(const struct cs_library_calls *calls,
                                                   uint64_t bytes, const char *engine);

/* A call's time, never below the lower bound of the machine's links; as
 * cs_library_call. */
struct cs_library_answer {
    struct cs_library_time time;
    struct cs_bounds bounds;
    bool is_raised; /* to the own bound */
};

int cs_library_call_time(struct cs_library_calls *calls, uint64_t bytes, const char *engine,
                         struct cs_library_answer *answer);

/* Fills the record of a call of `bytes` with the engine, NULL: the library's
 * choice; with faults healthy_s and slowdown, too.  CS_EINPUT for an unknown engine or protocol, CS_ECANNOT where the
 * library does not serve the collective, or the engine not the machine; notes
 * go to the case. */
int cs_library_call(struct cs_library_calls *calls, uint64_t bytes, const char *engine,
                    struct cs_record *record);
