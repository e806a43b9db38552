/*
 * Data whose sum is exact in any order: small whole numbers.
 *
 * Rank r has 1 .. 8 at index i, so that a sum over at most 256 ranks is at
 * most 2048: every partial sum is exact in fp16 (11 bits) and fp32.
 */
#ifndef CS_VALIDATE_CUDA_PATTERN_H
#define CS_VALIDATE_CUDA_PATTERN_H

#include "validate/cuda/slot.h"

enum {
    CS_PATTERN_RANKS_MAX = 256,
    CS_PATTERN_POISON = 0xff, /* every byte of it: a NaN in fp16 and fp32 */
};

/* 63 bits, 3 for each of 21 ranks. */
CS_HD static inline uint64_t cs_pattern_bits(uint64_t index, uint32_t group)
{
    uint64_t x = (index + 1) * 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 29)) + group * 0xbf58476d1ce4e5b9u;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 32);
}

CS_HD static inline uint32_t cs_pattern_of(uint32_t rank, uint64_t index)
{
    uint64_t bits = cs_pattern_bits(index, rank / 21);

    return 1 + (uint32_t)(bits >> (3 * (rank % 21)) & 7);
}

/* The sum over ranks 0 .. ranks - 1. */
CS_HD static inline uint32_t cs_pattern_sum(uint32_t ranks, uint64_t index)
{
    uint32_t sum = ranks;
    uint32_t rank;

    for (rank = 0; rank < ranks; rank += 21) {
        uint64_t bits = cs_pattern_bits(index, rank / 21);
        uint32_t i;

        for (i = 0; i < 21 && rank + i < ranks; i++)
            sum += (uint32_t)(bits >> (3 * i) & 7);
    }
    return sum;
}

#endif
