/*
 * Folding: any number of ranks reduced to a power of two.
 *
 * Of p = q + r ranks, with q the greatest power of two, the first 2r are pairs
 * (0, 1), (2, 3), ...  The second rank of each pair is a member: it receives the
 * partner's vector before the algorithm and returns the result afterwards.
 * The q members have numbers in order of rank.
 *
 *     p = 6:    ranks    0 1  2 3  4  5
 *               members    0    1  2  3
 *
 * As in MPICH and Open MPI.  All functions are O(1).
 */
#pragma once

#include "algorithms/shared/patterns/phase.h"

struct cs_rank_fold {
    uint32_t q;     /* members */
    uint32_t pairs; /* r */
};

enum {
    CS_NO_MEMBER = UINT32_MAX
};

/* p > 0. */
struct cs_rank_fold cs_fold_of(uint32_t p);

/* The member that a rank is, or CS_NO_MEMBER; the rank of a member. */
uint32_t cs_fold_member(const struct cs_rank_fold *fold, uint32_t rank);
uint32_t cs_fold_rank(const struct cs_rank_fold *fold, uint32_t member);

/* Members of pairs receive and reduce (return) `blocks` blocks of the partner.
 * No operation for a rank outside the pairs. */
void cs_fold_in(const struct cs_rank_fold *fold, uint32_t rank, uint32_t blocks,
                struct cs_ops *ops);
void cs_fold_out(const struct cs_rank_fold *fold, uint32_t rank, uint32_t blocks,
                 struct cs_ops *ops);

/* Step k, 0 <= k < 2 log2 q, of the members' all-reduce over q blocks: halving,
 * then doubling.  No operation for the other ranks. */
void cs_fold_allreduce_step(const struct cs_rank_fold *fold, uint32_t rank, uint32_t k,
                            struct cs_ops *ops);

/* With pairs, sends of the round leave only with both sides ready.  Otherwise
 * members outside the pairs, one round ahead, would occupy the ports of members
 * that still receive a partner's vector. */
void cs_fold_match(const struct cs_rank_fold *fold, struct cs_ops *ops);

/* `blocks` of halving among the members: one for each member.  Rounds, with
 * `folding` further rounds for pairs. */
uint32_t cs_fold_blocks(const struct cs_call *call);
uint64_t cs_fold_allreduce_rounds(const struct cs_call *call, uint32_t folding);
