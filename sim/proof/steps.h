/*
 * Steps: a small program as the textbooks draw it, all ranks in lockstep.
 *
 * A step is a set of messages that are under way together, and after each
 * step it is known whose contributions every party holds in every block.
 * A message of the sender's round k belongs to step k, or to a later one where
 * what it waits for takes longer: causes stand in earlier steps than effects.
 * Steps without a message are left out; what a party copies or adds up within
 * itself belongs to the step before.
 *
 * Order: cs_steps_of makes them, without times; cs_steps_delivered and
 * cs_steps_worked, given to the executor as its watch, note when each message
 * was under way and when parties reduced;
 * cs_steps_finish adds up.  All of it is in the arena that was given.
 *
 *     make      O(rounds x messages) at worst
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
    bool adds; /* to what was there; else replaces it */
    uint64_t bytes;
    uint64_t sent_ps;
    uint64_t wait_ps; /* that its head stood before busy links */
    uint64_t arrived_ps;
};

/* A party reduced, copied or computed. */
struct cs_step_work {
    uint32_t party;
    uint64_t from_ps, to_ps;
};

struct cs_step {
    uint32_t first; /* of its messages */
    uint32_t count;
    uint64_t bytes;   /* sent up to its end, and by when they have arrived; */
    uint64_t time_ps; /* of the last step, when everybody is done */
};

/* What a party has in a block. */
struct cs_holding {
    uint16_t ranks;  /* whose contributions: bit r is rank r */
    uint16_t origin; /* the block they were at the start, CS_STEPS_MIXED */
    bool complete;   /* it is what this rank is owed there */
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
    bool sums;  /* contributions are added up; else a block has one */
    bool moves; /* blocks change their places */
    struct cs_step_message *messages; /* by step, then as they were sent */
    uint32_t message_count;
    struct cs_step *steps;
    uint32_t count;
    struct cs_holding *states;  /* (count + 1) x parties x blocks */
    bool *owed;                 /* ranks x blocks */
    struct cs_step_work *works; /* in order of their ends at each party */
    uint32_t work_count, work_capacity;
    struct cs_arena *arena; /* that all of it is in */
};

/* CS_EINPUT where the program is too large to be drawn, CS_EANSWER where it
 * does not run through. */
int cs_steps_of(const struct cs_program *program, struct cs_arena *arena,
                struct cs_steps *steps, struct cs_err *err);

/* A struct cs_exec_watch's function; ctx is the struct cs_steps. */
void cs_steps_delivered(void *ctx, const struct cs_message *message,
                        uint64_t at_ps);

/* The same of what parties do within themselves, when it takes time. */
void cs_steps_worked(void *ctx, uint32_t party, uint64_t from_ps,
                     uint64_t to_ps);

/* Everybody was done at that time. */
void cs_steps_finish(struct cs_steps *steps, uint64_t time_ps);

/* What a party has in a block after that many steps, 0 at the start. */
static inline const struct cs_holding *cs_steps_holding(
    const struct cs_steps *steps, uint32_t after, uint32_t party,
    uint32_t block)
{
    return &steps->states[((size_t)after * steps->parties + party) *
                              steps->blocks +
                          block];
}

/*
 * What all ranks hold in their vectors after a step, in bytes; the four kinds
 * add up to `held`.  A block is the result where it holds everybody's
 * contributions (or, where nothing is added up, anybody's): its first copy
 * counts as result, the others as copies.  Anything less is a partial sum: it
 * is live while its rank will still send it or add to it, and stale when
 * nobody will read it again.  Redundant are copies and what is stale.
 */
struct cs_steps_memory {
    uint64_t held;
    uint64_t peak; /* of one rank */
    uint64_t result;
    uint64_t copies;
    uint64_t display;
    uint64_t stale;
};

/* After each step, from 0, the start: steps->count + 1 of them, in the arena.
 * What a party copies or adds up within itself counts with the step before it.
 * O(messages x blocks + states). */
struct cs_steps_memory *cs_steps_memory_of(const struct cs_steps *steps,
                                           struct cs_arena *arena);

#endif
