/*
 * Regions: groups of ranks whose messages share no link with those of other groups,
 * such as the nodes of a fat tree that pass messages round a ring.
 *
 * Only arrivals lead from region to region, each at least the latencies of its route
 * after the message was sent.  So each region is simulated by itself, as far as the
 * arrivals from other regions are known, by turns (conservative simulation: K. M.
 * Chandy, J. Misra, Commun. ACM 24, 198-206, 1981).  A region soon runs in a period of
 * its own, and jumps over periods whose arrivals are periods as well (arrivals.h):
 * the rounds of a machine whose regions have different periods, or the same period
 * from different times on, need not repeat as a whole (sim/engine/repeat.h).
 *
 * Of a line, a region that starts nothing may do what the one before it has done, some time
 * later, and is then copied (region_state.h).
 *
 * Where all regions run in one period, each with arrivals of that period, all jump
 * together (region_state.h).
 *
 * For programs whose lanes are rings with blocks of one size, or lines, whose first
 * messages may be longer (`ring_lanes`, `line_lanes` in struct cs_program), in models
 * that move messages link by link, where ranks add at the rate of arrival.  The result equals that of cs_exec_run in every picosecond, byte and
 * part of the critical path: events of two regions have no link, queue or rank in
 * common, so their order has no effect, and inside a region the order is that of the
 * executor.  Where only the bytes that a rank holds at most depend on the order of
 * arrivals of one time, the run is refused (CS_REGIONS_UNFIT).
 *
 * First rounds, last rounds and the change from sums to copies are compared for every
 * lane, and the rounds between them by a random sample (`checked`).
 *
 *     O(ranks x lanes) memory
 *     time: messages that are not jumped over, and ranks x lanes for each of about
 *     rounds / ranks turns
 */
#pragma once

#include "sim/engine/exec_request.h"

struct cs_regions {
    uint32_t count;
    uint32_t ranks; /* of the largest */
    uint64_t rounds, checked;
    const struct regions *state; /* regions.c's own */
};

/* The regions of a program on a net; NULL where the program is none of rings, or ranks
 * of few regions share links.  Program and net must outlive the regions. */
struct cs_regions *cs_regions_find(const struct cs_program *program, const struct cs_net *net,
                                   uint64_t seed, struct cs_arena *arena);

/* Code of cs_regions_run in addition to those of the executor: the model or the
 * machine does not fit, turns are too many, or the order of arrivals of one time
 * decides how much a rank holds at most. */
enum {
    CS_REGIONS_UNFIT = 1,
};

/* Runs the regions, with the program and the net of the request: the result as that
 * of cs_exec_run_watched. */
int cs_regions_run(const struct cs_regions *of, const struct cs_exec_request *request,
                   struct cs_arena *arena, struct cs_exec_result *result, struct cs_err *err);
