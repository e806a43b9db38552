/*
 * Random numbers: named streams of one seed.
 *
 * The same seed and stream name give the same numbers on every machine.  Streams
 * of different names are independent, so a new consumer of random numbers does
 * not change the draws of existing consumers.  The generator is mt19937
 * seeded by a 64-bit mix of seed and name.
 */
#pragma once

#include <stdint.h>

struct cs_random;

/* A stream; the caller ends it with cs_random_close. */
struct cs_random *cs_random_open(uint64_t seed, const char *stream);
void cs_random_close(struct cs_random *random);

uint64_t cs_random_bits(struct cs_random *random);
/* Uniform in [0, limit); limit > 0. */
uint64_t cs_random_below(struct cs_random *random, uint64_t limit);
/* Uniform in [0, 1). */
double cs_random_unit(struct cs_random *random);
/* Shuffles `count` numbers in place (Fisher-Yates). */
void cs_random_shuffle(struct cs_random *random, uint32_t *items, uint32_t count);

/* A good 64-bit mixer (splitmix64's finaliser), for hashes and tags. */
uint64_t cs_mix64(uint64_t x);

/* Mixes a text into a hash; NULL is as "".  Texts are separated: ("ab", "c") and ("a",
 * "bc") differ. */
uint64_t cs_mix_text(uint64_t hash, const char *text);
