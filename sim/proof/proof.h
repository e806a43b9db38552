/*
 * Data-flow proof: does every rank end with the promised result?
 *
 * The program is replayed without time, in an order that its messages allow,
 * with the set of contributions of each block of each rank.
 *
 * - lanes: unordered uses of a block by several lanes of a rank are refused
 *   (races.h), so that a proof for one order holds for all orders.
 * - up to CS_PROOF_EXACT_RANKS ranks: contributions as a set, one bit a rank.
 *   A contribution added twice is detected where it happens.
 * - always: contributions as a sum of 64-bit numbers, drawn for each (rank,
 *   block) from the seed.  A wrong sum passes with a probability of at most
 *   2^-50 for each checked block; sums also detect misplaced blocks.
 *
 * When the sums detect a fault in a larger program, the block is replayed with
 * sets of 64 ranks in sequence until the faulty contribution is identified.
 *
 * Memory is held to a budget: where rank x block does not fit, the blocks are
 * proven in windows, each with a replay of its own.  Time O(messages x windows),
 * memory O(parties + window).
 *
 * The proof also counts memory: bytes in all vectors less the bytes of the
 * distinct result in them is the redundancy.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/program/program.h"

#include <stddef.h>

enum {
    CS_PROOF_EXACT_RANKS = 64
};

/* The promise of a collective: ranks with a contribution to a block, ranks that
 * are owed the block, and its value: the sum of all contributions to the block,
 * or one block of one rank. */
struct cs_goal {
    bool is_sum;
    uint32_t rank;
    uint32_t block;
};

bool cs_contributes(const struct cs_program *program, uint32_t rank, uint32_t block);
bool cs_owes(const struct cs_program *program, uint32_t rank, uint32_t block);
struct cs_goal cs_goal_of(const struct cs_program *program, uint32_t rank, uint32_t block);

struct cs_proof_options {
    uint64_t seed;
    size_t budget_bytes;              /* for values of ranks; 0: 32 MiB */
    const struct cs_monitor *monitor; /* NULL: none */
};

struct cs_proof {
    bool exact;        /* proven with sets, not with sums alone */
    bool nothing_owed; /* proven only: every message is received */
    /* Lanes of a party may use the same blocks or channels. */
    bool shares_lanes;
    bool one_order; /* they do, and are too many for races.h */
    uint64_t messages;
    uint32_t windows;
    /* Redundancy, measured: bytes held by all ranks less the distinct result. */
    bool has_reduce_scatter;
    uint64_t redundant_after_scatter_bytes;
    uint64_t redundant_bytes;
};

/* Cost of a proof: sends, receives and ops within parties, and visited blocks,
 * of all windows. An op takes as long as CS_PROOF_OP_VISITS visits; a visit
 * takes about 10 ns. */
struct cs_proof_work {
    uint64_t ops;
    uint64_t visits; /* of blocks, including the equivalent of the ops */
};

enum {
    CS_PROOF_OP_VISITS = 16
};

/* Estimated from a sample of rounds and parties; exact where all are identical. */
struct cs_proof_work cs_proof_estimate(const struct cs_program *program,
                                       const struct cs_proof_options *options);

/* Proves the program, or fails with CS_EANSWER and a message with rank, round
 * and chunk. */
int cs_proof_run(const struct cs_program *program, const struct cs_proof_options *options,
                 struct cs_proof *proof, struct cs_err *err);
