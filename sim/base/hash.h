/*
 * Hashes: of texts and bytes, and of a few numbers.
 *
 * Hashes are equal on every machine and in every build.  They do not withstand an
 * adversary; tables with keys from input stay correct, only slower.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bits (Fowler, Noll, Vo; www.isthe.com/chongo/tech/comp/fnv):
 * the start value and a step over `length` bytes. */
#define CS_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t cs_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    size_t i;

    for (i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The text without its NUL. */
static inline uint64_t cs_hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* Mixes a number in: multiplication by an odd number near the golden section of
 * 2^64 (Knuth 6.4). The high bits depend on all lower bits, so tables use the
 * high bits: cs_hash_slot(). */
static inline uint64_t cs_hash_mix(uint64_t hash, uint64_t value)
{
    return (hash ^ hash >> 29 ^ value) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint32_t cs_hash_slot(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}
