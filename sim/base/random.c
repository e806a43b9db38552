#include "sim/base/random.h"

#include "sim/base/hash.h"
#include "sim/base/mem.h"

#include <assert.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

/*
 * mt19937 takes 32 bits of seed: of 2^16 streams two would already be likely to
 * share a seed. Two generators, seeded with the two halves of a 64-bit seed, make
 * the pair as good as a 64-bit seed.
 */
struct cs_random {
    gsl_rng *low;
    gsl_rng *high;
};

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

static gsl_rng *random_generator(uint64_t seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, (unsigned long)(seed & UINT32_MAX));
    return rng;
}

struct cs_random *cs_random_open(uint64_t seed, const char *stream)
{
    struct cs_random *random = cs_grow(NULL, 1, sizeof(*random));
    /* The golden ratio keeps seed 0 with an empty hash away from mix(0) = 0. */
    uint64_t mixed = cs_mix64(cs_mix64(seed + UINT64_C(0x9e3779b97f4a7c15)) ^
                              cs_hash_text(CS_HASH_START, stream));

    random->low = random_generator(mixed);
    random->high = random_generator(mixed >> 32);
    return random;
}

void cs_random_close(struct cs_random *random)
{
    if (!random)
        return;
    gsl_rng_free(random->low);
    gsl_rng_free(random->high);
    free(random);
}

static uint64_t two_draws(gsl_rng *rng)
{
    uint64_t first = gsl_rng_get(rng);

    return first << 32 | gsl_rng_get(rng);
}

/* One side is mixed, so that equal halves of a seed do not cancel. */
uint64_t cs_random_bits(struct cs_random *random)
{
    return two_draws(random->low) ^ cs_mix64(two_draws(random->high));
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
