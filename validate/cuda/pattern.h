/*
 * Data with exact sums in any order: small whole numbers.
 *
 * Rank r has 1 .. 8 at index i, so that a sum over 256 ranks is at most 2048: every
 * partial sum is exact in fp16 (11 bits) and fp32.
 */
#pragma once

#include "validate/cuda/slot.h"

enum {
    CS_PATTERN_RANKS_MAX = 256,
    CS_PATTERN_POISON = 0xff, /* each byte: a NaN in fp16 and fp32 */
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

/* The sum of 21 numbers of 3 bits, at most 147: sums of two in 6 bits, of four in
 * 12, then of the six groups. */
CS_HD static inline uint32_t cs_pattern_fold(uint64_t bits)
{
    uint64_t x = (bits & 0x71c71c71c71c71c7u) + (bits >> 3 & 0x71c71c71c71c71c7u);

    x = (x & 0xf03f03f03f03f03fu) + (x >> 6 & 0xf03f03f03f03f03fu);
    x += x >> 12;
    return (uint32_t)((x + (x >> 24) + (x >> 48)) & 0xfff);
}

/* The sum over ranks 0 .. ranks - 1. */
CS_HD static inline uint32_t cs_pattern_sum(uint32_t ranks, uint64_t index)
{
    uint32_t sum = ranks;

    for (uint32_t rank = 0; rank < ranks; rank += 21) {
        uint32_t left = ranks - rank < 21 ? ranks - rank : 21;
        uint64_t mask = ((uint64_t)1 << (3 * left)) - 1;

        sum += cs_pattern_fold(cs_pattern_bits(index, rank / 21) & mask);
    }
    return sum;
}
