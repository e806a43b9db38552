#include "sim/base/random.h"

#include "sim/base/hash.h"
#include "sim/base/mem.h"

#include <assert.h>
#include <stdlib.h>

/* M. Matsumoto, T. Nishimura, "Mersenne twister: a 623-dimensionally equidistributed uniform
 * pseudo-random number generator", ACM TOMACS 8 (1998), with the seeding of 2002. */
enum {
    WORDS = 624,
    MIDDLE = 397
};

struct mt19937 {
    uint32_t word[WORDS];
    uint32_t next;
};

/*
 * mt19937 takes 32 bits of seed: of 2^16 streams two would already be likely to
 * share a seed. Two generators, seeded with the two halves of a 64-bit seed, make
 * the pair as good as a 64-bit seed.
 */
struct cs_random {
    struct mt19937 low, high;
};

static void mt19937_seed(struct mt19937 *mt, uint32_t seed)
{
    mt->word[0] = seed ? seed : 4357; /* of 1998 */
    for (uint32_t i = 1; i < WORDS; i++)
        mt->word[i] = UINT32_C(1812433253) * (mt->word[i - 1] ^ mt->word[i - 1] >> 30) + i;
    mt->next = WORDS;
}

static uint32_t mt19937_twisted(uint32_t upper, uint32_t lower, uint32_t far)
{
    uint32_t mixed = (upper & UINT32_C(0x80000000)) | (lower & UINT32_C(0x7fffffff));

    return far ^ mixed >> 1 ^ (mixed & 1 ? UINT32_C(0x9908b0df) : 0);
}

static uint32_t mt19937_get(struct mt19937 *mt)
{
    uint32_t *word = mt->word, bits;

    for (uint32_t i = 0; mt->next == WORDS && i < WORDS; i++)
        word[i] = mt19937_twisted(word[i], word[(i + 1) % WORDS], word[(i + MIDDLE) % WORDS]);
    mt->next %= WORDS;
    bits = word[mt->next++];
    bits ^= bits >> 11;
    bits ^= bits << 7 & UINT32_C(0x9d2c5680);
    bits ^= bits << 15 & UINT32_C(0xefc60000);
    return bits ^ bits >> 18;
}

uint64_t cs_mix64(uint64_t x)
{
    /* Stafford's mix 13, as in splitmix64 (Steele, Lea, Flood 2014). */
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

struct cs_random *cs_random_open(uint64_t seed, const char *stream)
{
    struct cs_random *random = cs_grow(NULL, 1, sizeof(*random));
    /* The golden ratio keeps seed 0 with an empty hash away from mix(0) = 0. */
    uint64_t mixed = cs_mix64(cs_mix64(seed + UINT64_C(0x9e3779b97f4a7c15)) ^
                              cs_hash_text(CS_HASH_START, stream));

    mt19937_seed(&random->low, (uint32_t)mixed);
    mt19937_seed(&random->high, (uint32_t)(mixed >> 32));
    return random;
}

void cs_random_close(struct cs_random *random)
{
    free(random);
}

static uint64_t two_draws(struct mt19937 *mt)
{
    uint64_t first = mt19937_get(mt);

    return first << 32 | mt19937_get(mt);
}

/* One side is mixed, so that equal halves of a seed do not cancel. */
uint64_t cs_random_bits(struct cs_random *random)
{
    return two_draws(&random->low) ^ cs_mix64(two_draws(&random->high));
}

uint64_t cs_random_below(struct cs_random *random, uint64_t limit)
{
    uint64_t uneven, bits;

    assert(limit > 0);
    /* 2^64 mod limit numbers too many: the lowest are drawn again. */
    uneven = -limit % limit;
    do {
        bits = cs_random_bits(random);
    } while (bits < uneven);
    return bits % limit;
}

double cs_random_unit(struct cs_random *random)
{
    return (double)(cs_random_bits(random) >> 11) * 0x1p-53;
}

void cs_random_shuffle(struct cs_random *random, uint32_t *items, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)cs_random_below(random, i);
        uint32_t item = items[i - 1];

        items[i - 1] = items[j];
        items[j] = item;
    }
}

uint64_t cs_mix_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = cs_mix64(hash ^ (unsigned char)*text);
    return cs_mix64(hash ^ UINT64_C(256)); /* no letter: the end */
}
