/*
 * Steps: a small program as the textbooks draw it, all ranks in lockstep.
 *
 * A step is a set of concurrent messages, and after each step the contributions
 * in every block of every party are known.  A message of the sender's round k
 * belongs to step k, or to a later step where its causes take longer: causes are
 * in earlier steps than effects.  Steps without a message are left out; copies
 * and reductions within a party belong to the step before.
 *
 * Order of calls: cs_steps_of makes the steps, without times; cs_steps_delivered,
 * cs_steps_worked and cs_steps_carried, given to the executor as its watch, record the
 * times of messages, reductions and links; cs_steps_finish computes the totals.  All data is in
 * the arena of cs_steps_of.
 *
 *     make      O(rounds x messages) in the worst case, and all states
 *     deliver   O(messages of the sender that are under way or overtaken)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/engine/model.h"
#include "sim/proof/step.h"

/* CS_EINPUT where the program is too large to draw, CS_EANSWER where the
 * program does not complete. */
int cs_steps_of(const struct cs_program *program, struct cs_arena *arena, struct cs_steps *steps,
                struct cs_err *err);

/* A struct cs_exec_watch's function; ctx is the struct cs_steps. */
void cs_steps_delivered(void *ctx, const struct cs_message *message, uint64_t at_ps);

/* A struct cs_exec_watch's function, for reductions, copies and computation
 * that take time. */
void cs_steps_worked(void *ctx, uint32_t party, uint64_t from_ps, uint64_t to_ps);

/* A struct cs_exec_watch's function, for links. */
void cs_steps_carried(void *ctx, const struct cs_message *message, const uint32_t *route,
                      const struct cs_service *services, uint64_t at_ps);

/* Ends the recording; `time_ps` is the end of the last party. */
void cs_steps_finish(struct cs_steps *steps, uint64_t time_ps);

/* The content of a block of a party after `after` steps, 0 at the start. */
static inline const struct cs_holding *cs_steps_holding(const struct cs_steps *steps,
                                                        uint32_t after, uint32_t party,
                                                        uint32_t block)
{
    return &steps->states[((size_t)after * steps->parties + party) * steps->blocks + block];
}

/*
 * Bytes that all ranks hold in their vectors after a step; the four kinds add up
 * to `held`.  A block with every rank's contribution is the result (without
 * reductions: a block with any contribution): its first instance counts as
 * result, further instances as copies.  A block with fewer contributions is a
 * partial sum: live while its rank will still send it or add to it, stale when
 * it is never read again.  Redundant are copies and stale sums.
 */
struct cs_steps_memory {
    uint64_t held;
    uint64_t peak; /* of one rank */
    uint64_t result;
    uint64_t copies;
    uint64_t display;
    uint64_t stale;
};

/* Memory after each step, from 0, the start: steps->count + 1 entries, in the
 * arena. Copies and reductions within a party count with the step before.
 * O(messages x blocks + states). */
struct cs_steps_memory *cs_steps_memory_of(const struct cs_steps *steps, struct cs_arena *arena);
