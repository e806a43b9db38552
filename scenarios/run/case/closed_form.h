/*
 * The machine as closed forms see it: one latency and one rate.
 */
#pragma once

#include "algorithms/bounds/request.h"
#include "scenarios/run/case/case.h"
#include "scenarios/run/case/run.h"

/* Latency and rate of the worst routes; of algorithms that distinguish nodes, between
 * nodes and within, of others the same. */
struct cs_textbook {
    struct cs_hockney between, within;
};

/* Of routes between ranks 1, 2, 4 apart, or along the rings of the call, for choices
 * before the program is made, without slowness that is not announced. */
struct cs_textbook cs_run_neighbours(const struct cs_run *run);

/* Of the routes of the program: of all parties, or of some, to order algorithms by. */
enum cs_textbook_looks {
    CS_LOOKS_AT_ALL,
    CS_LOOKS_AT_SOME,
};
struct cs_textbook cs_run_closed_form(const struct cs_run *run, enum cs_textbook_looks looks);

/* The slowest party's time to reduce a byte, and its overhead per reduction. */
struct cs_run_reducers {
    double s_per_byte;
    uint64_t overhead_ps;
};
struct cs_run_reducers cs_run_reducers(const struct cs_run *run);

/* ---- bounds ---- */

/*
 *     machine     no algorithm takes less on the machine: with reductions in the
 *                 network where its switches can, for whatever algorithm runs
 *     own         nor does an algorithm with the agents of the run's alone
 *     reachable   nor does one of these over the routes of the machine: over the
 *                 links that messages between ranks take (used_links.h)
 *
 * Without the launch of kernels.  Texts are in the arena of the run.
 */

struct cs_bounds cs_run_bounds(const struct cs_run *run);
struct cs_bound cs_run_reachable(const struct cs_run *run, const struct cs_bound *own);

/* Sets the record's bounds, with the launch of kernels: the machine's; the own, NAN
 * where equal; and the reachable, or NAN for a time that no simulation gave, which
 * has the launch already: NULL. */
void cs_run_record_bounds(const struct cs_run *run, const struct cs_bounds *bounds,
                          const struct cs_bound *reachable, struct cs_record *record);
