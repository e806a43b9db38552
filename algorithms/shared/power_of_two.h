/*
 * Folding: any number of ranks made into a power of two.
 *
 * Of p = q + r ranks, q the greatest power of two, the first 2r are pairs (0,
 * 1), (2, 3), ...  One of each pair stays, takes the vector of the other before
 * and gives it the result after.  The q members that remain are numbered in
 * order.
 *
 *     p = 6, the second one stays:    ranks    0 1  2 3  4  5
 *                                     members    0    1  2  3
 *
 * As in MPICH and Open MPI.  Everything here is O(1).
 */
#ifndef CS_ALGORITHMS_SHARED_POWER_OF_TWO_H
#define CS_ALGORITHMS_SHARED_POWER_OF_TWO_H

#include "algorithms/shared/phase.h"

enum cs_fold_stays {
    CS_FIRST_STAYS,
    CS_SECOND_STAYS,
};

struct cs_rank_fold {
    uint32_t q;     /* members */
    uint32_t pairs; /* r */
    enum cs_fold_stays stays;
};

enum {
    CS_NO_MEMBER = UINT32_MAX
};

/* p > 0. */
struct cs_rank_fold cs_fold_of(uint32_t p, enum cs_fold_stays stays);

/* The member that a rank is, or CS_NO_MEMBER; the rank of a member. */
uint32_t cs_fold_member(const struct cs_rank_fold *fold, uint32_t rank);
uint32_t cs_fold_rank(const struct cs_rank_fold *fold, uint32_t member);

/* The members take (give) `blocks` blocks from (to) those who do not stay.
 * Nothing for who is in no pair. */
void cs_fold_in(const struct cs_rank_fold *fold, uint32_t rank, uint32_t blocks,
                struct cs_ops *ops);
void cs_fold_out(const struct cs_rank_fold *fold, uint32_t rank,
                 uint32_t blocks, struct cs_ops *ops);

/* Step k, 0 <= k < 2 log2 q, of the members' all-reduce over q blocks: halving,
 * then doubling.  Nothing for who is no member. */
void cs_fold_allreduce_step(const struct cs_rank_fold *fold, uint32_t rank,
                            uint32_t k, struct cs_ops *ops);

/* With ranks folded away what the round sends leaves when both sides are there:
 * else members that take nobody in are ahead, and what they send stands in the
 * way at the ports. */
void cs_fold_match(const struct cs_rank_fold *fold, struct cs_ops *ops);

/* What algorithms of halving among the members have alike.  One block for each
 * member; rounds, `folding` of them where ranks are folded away.  Rounds until
 * the blocks are scattered: with ranks folded away who scatters and who has a
 * block differs, and there are none.  Their form is exact only for a power of
 * two: else members that take nobody in are ahead, and what they send stands in
 * the way at the ports. */
uint32_t cs_fold_blocks(const struct cs_call *call);
uint64_t cs_fold_allreduce_rounds(const struct cs_call *call, uint32_t folding);
uint64_t cs_fold_scatter_rounds(const void *ctx, uint32_t rank);

#endif
