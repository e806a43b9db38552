/*
 * Phases: the reduce-scatters and all-gathers that several algorithms combine.
 *
 * The ring.  Rank r only sends to r + 1.  In step k of the reduce-scatter rank
 * r sends block r - k - 1 and reduces the arriving block r - k - 2, so that
 * after p - 1 steps rank r has the sum of block r; in step k of the all-gather
 * rank r sends block r - k and receives block r - k - 1.
 *
 *     p = 3, after each step of the reduce-scatter (| separates blocks):
 *
 *     rank 0:  0|0|0      0|02|0     012|02|0
 *     rank 1:  1|1|1      1|1|01     1|012|01
 *     rank 2:  2|2|2      12|2|2     12|2|012
 *
 * Direct.  In step k of the reduce-scatter rank r sends block r + k + 1 to the
 * owner and reduces the own block from r - k - 1, so that no port has two
 * messages at once; in the all-gather rank r sends the own block along the same
 * routes.  p - 1 steps.
 *
 * Halving and doubling, for q = 2^L ranks.  In step k of the halving, two
 * ranks at distance q / 2^(k+1) divide the common run of blocks: each reduces
 * the half with the own block and sends the other half.  The doubling is the
 * reverse.  L steps, each block is sent once.
 *
 *     q = 4, remaining blocks of rank r:
 *
 *     rank 0:  0123   01   0        rank 2:  0123   23   2
 *     rank 1:  0123   01   1        rank 3:  0123   23   3
 *
 * Circulant, for any p.  With s(k) = ceil(p / 2^k), the remaining blocks of
 * rank r are the s(k) blocks from the own on, modulo p.  In step k rank r
 * sends the last s(k) - s(k+1) of them to r + s(k+1), the owner of the first,
 * and reduces the same number of blocks from the own on, from r - s(k+1).  The
 * all-gather is the reverse.  ceil(log2 p) steps, each block is sent once.
 *
 *     p = 5, remaining blocks of rank r (s = 5, 3, 2, 1):
 *
 *     rank 0:  01234   012   01   0      sends 34 to 3, 2 to 2, 1 to 1
 *     rank 1:  12340   123   12   1      sends 40 to 4, 3 to 3, 2 to 2
 *     rank 4:  40123   401   40   4      sends 23 to 2, 1 to 1, 0 to 0
 *
 * J. L. Traeff, Optimal, non-pipelined reduce-scatter and allreduce algorithms,
 * arXiv:2410.14234, 2024.  Halving and doubling: R. Thakur, R. Rabenseifner and
 * W. Gropp, Optimization of collective communication operations in MPICH,
 * IJHPCA 19(1), 2005.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

/* Step k, 0 <= k < p - 1. */
static inline void cs_ring_scatter_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t block = cs_behind(rank, k + 1, p);

    cs_ops_send(ops, cs_ahead(rank, 1, p), cs_block(block));
    cs_ops_recv_reduce(ops, cs_behind(rank, 1, p), cs_block(cs_behind(block, 1, p)));
}

static inline void cs_ring_gather_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t block = cs_behind(rank, k, p);

    cs_ops_send(ops, cs_ahead(rank, 1, p), cs_block(block));
    cs_ops_recv(ops, cs_behind(rank, 1, p), cs_block(cs_behind(block, 1, p)));
}

/* A ring that carries part `part` of each of p blocks of `parts` parts: from r
 * to r + step (a stride, pattern.h), or for step 0 in the order of a table,
 * with the position of each rank. */
struct cs_circle {
    uint32_t p;
    uint32_t step; /* < p; 0: the table */
    const uint32_t *order, *place;
    uint32_t parts;
    uint32_t part;
};

/* The rank k positions behind a rank, and the positions from one rank to
 * another. */
uint32_t cs_circle_behind(const struct cs_circle *ring, uint32_t rank, uint64_t k);
uint32_t cs_circle_distance(const struct cs_circle *ring, uint32_t from, uint32_t to);

/* Step k, 0 <= k < p - 1, of the ring's reduce-scatter, which leaves the sum of
 * part `part` of block r on rank r, and of the ring's all-gather. */
void cs_circle_scatter_step(const struct cs_circle *ring, uint32_t rank, uint64_t k,
                            struct cs_ops *ops);
void cs_circle_gather_step(const struct cs_circle *ring, uint32_t rank, uint64_t k,
                           struct cs_ops *ops);

/* Step k, 0 <= k < 2(p-1), of the ring's all-reduce: both in sequence. */
void cs_circle_step(const struct cs_circle *ring, uint32_t rank, uint64_t k, struct cs_ops *ops);

/* Step k, 0 <= k < p - 1. */
void cs_direct_scatter_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops);
void cs_direct_gather_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops);

/* All p - 1 steps at once, for one round. */
void cs_direct_scatter_all(uint32_t p, uint32_t rank, struct cs_ops *ops);
void cs_direct_gather_all(uint32_t p, uint32_t rank, struct cs_ops *ops);

/* The q members of a halving: member i is rank i (`at` NULL) or rank
 * at(ctx, i). */
struct cs_members {
    uint32_t q; /* a power of two */
    uint32_t (*at)(const void *ctx, uint32_t i);
    const void *ctx;
};

/* Step k, 0 <= k < log2 q, of member i; q blocks. */
void cs_halving_scatter_step(const struct cs_members *members, uint32_t i, uint32_t k,
                             struct cs_ops *ops);
void cs_doubling_gather_step(const struct cs_members *members, uint32_t i, uint32_t k,
                             struct cs_ops *ops);

/* Step k, 0 <= k < ceil(log2 p), counted from the start of the phase. */
void cs_circulant_scatter_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops);
void cs_circulant_gather_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops);

/* Bytes of a phase with the longest run of blocks in each step.  For halving
 * and doubling among q ranks exact: some rank has the longest run in every
 * step. */
double cs_circulant_bytes(const struct cs_call *call);
double cs_halving_bytes(const struct cs_call *call, uint32_t q);
