/*
 * Data-flow proof: does every rank end with what the collective promises?
 *
 * The program is replayed without time, in an order that its messages allow,
 * and for each block of each rank it is kept whose contributions it holds.
 *
 * - lanes: uses of a block by several of a rank's lanes that nothing orders are
 *   refused (races.h), so that what is proven in one order holds in all.
 * - up to CS_PROOF_EXACT_RANKS ranks: as a set, one bit a rank.  A
 *   contribution that is added twice is found where it happens.
 * - always: as a sum of 64-bit numbers, one drawn for each (rank, block) from
 *   the seed.  A wrong sum passes with a probability of at most 2^-50 for
 *   each block looked at; it also finds blocks in the wrong place.
 *
 * When the sums find a fault in a larger program, the block is replayed with
 * sets of 64 ranks at a time until the fault has a name.
 *
 * Memory is held to a budget: where rank x block does not fit, the blocks are
 * proven a window at a time, each with a replay of its own.  Time O(messages x
 * windows), memory O(parties + window).
 *
 * On the way it is counted what the ranks hold: bytes in all vectors less the
 * bytes of the result that they hold between them is the redundancy.
 */
#ifndef CS_SIM_PROOF_PROOF_H
#define CS_SIM_PROOF_PROOF_H

#include "sim/base/err.h"
#include "sim/program/program.h"

#include <stddef.h>

enum {
    CS_PROOF_EXACT_RANKS = 64
};

/* What a collective promises: who has something in a block at the start, who
 * is owed it at the end, and what: the sum of all that was contributed to
 * the block, or one block of one rank. */
struct cs_goal {
    bool is_sum;
    uint32_t rank;
    uint32_t block;
};

bool cs_contributes(const struct cs_program *program, uint32_t rank,
                    uint32_t block);
bool cs_owes(const struct cs_program *program, uint32_t rank, uint32_t block);
struct cs_goal cs_goal_of(const struct cs_program *program, uint32_t rank,
                          uint32_t block);

struct cs_proof_options {
    uint64_t seed;
    size_t budget_bytes;              /* for what ranks hold; 0: 32 MiB */
    const struct cs_monitor *monitor; /* NULL: none */
};

struct cs_proof {
    bool exact;        /* proven with sets, not with sums alone */
    bool nothing_owed; /* every message is received; that is all */
    bool
        shares_lanes; /* lanes of a party may use the same blocks or channels */
    bool one_order;   /* and there are too many of them for races.h */
    uint64_t messages;
    uint32_t windows;
    /* Redundancy, measured: held by all ranks less distinct result. */
    bool has_reduce_scatter;
    uint64_t redundant_after_scatter_bytes;
    uint64_t redundant_bytes;
};

/* What a proof takes: sends, receives and what is done within parties, and the
 * blocks that are visited, of all windows; an op takes as long as
 * CS_PROOF_OP_VISITS of them, one of which takes about 10 ns. */
struct cs_proof_work {
    uint64_t ops;
    uint64_t visits; /* of blocks, with those for the ops */
};

enum {
    CS_PROOF_OP_VISITS = 16
};

/* Estimated from some rounds of some parties; exact where all are alike. */
struct cs_proof_work cs_proof_estimate(const struct cs_program *program,
                                       const struct cs_proof_options *options);

/* Proves the program, or fails with CS_EANSWER and a sentence that names rank,
 * round and chunk. */
int cs_proof_run(const struct cs_program *program,
                 const struct cs_proof_options *options, struct cs_proof *proof,
                 struct cs_err *err);

#endif
