/*
 * Folding of a run: in space, by simulation of representative ranks (sim/fold/),
 * and in time, by jumps over rounds that repeat (sim/engine/repeat.h).
 */
#pragma once

#include "scenarios/run/case/run.h"

/* Rounds of all lanes from which rounds that repeat are counted: fewer are
 * simulated within some milliseconds. */
enum {
    CS_RUN_JUMPS_FROM = 1 << 16
};

/* Whether a fold is searched for; otherwise *why is the reason, "" for a trivial
 * reason. */
bool cs_run_may_fold(const struct cs_run *run, const char **why);

/* Ops that are simulated at least: all, or where ranks may fold, no more than those
 * from which a fold is searched for. */
double cs_run_simulated_ops(const struct cs_run *run);

/*
 * Folds and simulates the open run where folding is allowed and worthwhile:
 * run->fold is set, and run->result covers every rank.  Otherwise run->fold is
 * NULL, and *why is the reason, "" for a trivial reason.  CS_SIMULATE_SLOWER where the
 * folded run takes more than run->limit.
 *
 * A long run whose blocks are unequal may be folded with a padded vector
 * (below): run->padded_bytes is set, and a note says so.
 */
int cs_run_fold(struct cs_run *run, const char **why);

/* "8 of 64 ranks simulated, rotation by 8, 12,000 messages in rounds that
 * repeat", in the run's arena. */
const char *cs_run_fold_describe(const struct cs_run *run);

/* ---- padding ---- */

/*
 * Ranks with unequal blocks fold only where no message waits (sim/fold/fold.h).  A
 * long run whose messages wait is simulated with the next longer vector of equal
 * blocks, as frameworks pad their buffers.  The time is an approximation:
 *
 *   - Of rings, where blocks on the critical path, each an element longer, add at most
 *     0.1 % and waits are at most 0.5 % of the time: on the library's small machines
 *     within 0.1 % of that of the request, in model fluid 0.7 %, and equal for three of
 *     four (tests/prop/padding_prop.c); 0.17 % shorter over 1,000 ranks of dgx-h100 on
 *     rails, 0.003 % over 1,440 of gb200-nvl72.
 *   - Of rings in turn, as inside nodes and then between them, in models that queue
 *     messages, likewise: within 2 %.
 *   - Of any algorithm where latencies are 99 % of the critical path: no run whose
 *     messages pass the same links takes less than these latencies.
 *   - Of a collective with a block for each rank, where longer blocks add at most 1 %, waits
 *     included: a call of MPI_Allgather or ncclReduceScatter has one count for all ranks, so
 *     it is the padded vector that a library can move.  Of 123 random calls on up to 192
 *     ranks 120 took within 0.1 % the time of unequal blocks, the others up to 3 % less.
 *
 * In other schedules of changing peers equal blocks meet at links at equal times where
 * unequal ones pass each other, and times may differ by a quarter; with waits of a tenth
 * of the time, by 6 %.
 */

/* Pieces of the vector of which some hold an element more. */
uint64_t cs_padding_pieces(const struct cs_run *run);

/* Elements that the vector of the open run lacks for equal blocks; of rings with long
 * blocks, in models that queue messages, for equal parts of the blocks, too.  (A run of regions
 * is padded to equal parts wherever that adds less than 0.05 % to the closed form.) */
uint64_t cs_padding_elements(const struct cs_run *run);

/* Whether the algorithm moves unequal blocks that a longer vector makes equal. */
bool cs_padding_is_possible(const struct cs_run *run);

/* Whether the result of the longer vector may stand for that of the request.  False, without a
 * simulation of the longer vector in vain, where the algorithm has no rings, the collective has no
 * block for each rank, and latencies take less than half of the closed form: they have to take
 * 99 % of the run. */
bool cs_padding_may_hold(const struct cs_run *run);

/* Whether the algorithm moves its blocks round rings, or round rings in turn, as inside nodes
 * and then between them. */
enum cs_padding_rings {
    CS_PADDING_NO_RINGS,
    CS_PADDING_RINGS,
    CS_PADDING_RINGS_IN_TURN,
    CS_PADDING_RINGS_KINDS,
};
enum cs_padding_rings cs_padding_rings(const struct cs_run *run);

/* Whether a run of the request alone would take a second, so that it may be
 * padded by default, and the result can say so. */
bool cs_padding_is_due(const struct cs_run *run);

/* Makes call and program those of a vector longer by that many elements, or, with a
 * negative number, shorter.  Parameters are unchanged. */
void cs_padding_add(struct cs_run *run, int64_t elements);

/* Whether a result with that many elements more, of a vector of `all` elements, is
 * about that of the request. */
bool cs_padding_is_slight(const struct cs_exec_result *result, uint64_t elements, uint64_t all);

/* Whether latencies take 99 % of the result's time. */
bool cs_padding_is_latency(const struct cs_exec_result *result);
