/*
 * Steps: a small program as the textbooks draw it, all ranks in lockstep.
 *
 * A step is a set of concurrent messages, and after each step the contributions
 * in every block of every party are known.  A message of the sender's round k
 * belongs to step k, or to a later step where its causes take longer: causes are
 * in earlier steps than effects.  Steps without a message are left out; copies
 * and reductions within a party belong to the step before.
 *
 * Order of calls: cs_steps_of makes the steps, without times; cs_steps_delivered
 * and cs_steps_worked, given to the executor as its watch, record the times of
 * messages and reductions; cs_steps_finish computes the totals.  All data is in
 * the arena of cs_steps_of.
 *
 *     make      O(rounds x messages) in the worst case
 *     deliver   O(messages)
 */
#ifndef CS_SIM_PROOF_STEPS_H
#define CS_SIM_PROOF_STEPS_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/engine/model.h"
#include "sim/program/program.h"

enum {
    CS_STEPS_RANKS_MAX = 16,
    CS_STEPS_PARTIES_MAX = 32,
    CS_STEPS_BLOCKS_MAX = 256,
    CS_STEPS_ROUNDS_MAX = 1 << 14, /* of all lanes together */
    CS_STEPS_MESSAGES_MAX = 4096,
    CS_STEPS_CELLS_MAX = 1 << 19, /* blocks of all parties after all steps */
};

struct cs_step_message {
    uint32_t src;
    uint32_t dst;
    uint32_t lane;
    uint64_t round; /* of the sender's lane */
    struct cs_blocks from;
    struct cs_blocks to;
    bool adds; /* to the present value; else replaces it */
    uint64_t bytes;
    uint64_t sent_ps;
    uint64_t wait_ps; /* of its head before busy links */
    uint64_t arrived_ps;
};

/* A party reduced, copied or computed. */
struct cs_step_work {
    uint32_t party;
    uint64_t from_ps, to_ps;
};

struct cs_step {
    uint32_t first; /* index of its first message */
    uint32_t count;
    uint64_t bytes;   /* sent up to the end of the step */
    uint64_t time_ps; /* arrival of the last message; in the last step: end */
};

/* The content of a block of a party. */
struct cs_holding {
    uint16_t ranks;  /* contributors: bit r is rank r */
    uint16_t origin; /* original block number, or CS_STEPS_MIXED */
    bool complete;   /* equals the promised result */
};

enum {
    CS_STEPS_MIXED = UINT16_MAX
};

struct cs_steps {
    uint32_t ranks;
    uint32_t parties;
    uint32_t lanes;
    uint32_t blocks;
    uint32_t root;
    struct cs_cut cut;
    bool sums;  /* blocks are sums; else of one contributor */
    bool moves; /* blocks change their places */
    struct cs_step_message *messages; /* by step, then by send order */
    uint32_t message_count;
    struct cs_step *steps;
    uint32_t count;
    struct cs_holding *states;  /* (count + 1) x parties x blocks */
    bool *owed;                 /* ranks x blocks */
    struct cs_step_work *works; /* in order of their ends at each party */
    uint32_t work_count, work_capacity;
    struct cs_arena *arena; /* holds all arrays */
};

/* CS_EINPUT where the program is too large to draw, CS_EANSWER where the
 * program does not complete. */
int cs_steps_of(const struct cs_program *program, struct cs_arena *arena,
                struct cs_steps *steps, struct cs_err *err);

/* A struct cs_exec_watch's function; ctx is the struct cs_steps. */
void cs_steps_delivered(void *ctx, const struct cs_message *message,
                        uint64_t at_ps);

/* A struct cs_exec_watch's function, for reductions, copies and computation
 * that take time. */
void cs_steps_worked(void *ctx, uint32_t party, uint64_t from_ps,
                     uint64_t to_ps);

/* Ends the recording; `time_ps` is the end of the last party. */
void cs_steps_finish(struct cs_steps *steps, uint64_t time_ps);

/* The content of a block of a party after `after` steps, 0 at the start. */
static inline const struct cs_holding *cs_steps_holding(
    const struct cs_steps *steps, uint32_t after, uint32_t party,
    uint32_t block)
{
    return &steps->states[((size_t)after * steps->parties + party) *
                              steps->blocks +
                          block];
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
struct cs_steps_memory *cs_steps_memory_of(const struct cs_steps *steps,
                                           struct cs_arena *arena);

#endif
