/*
 * Kinds of quantities and their units, for units.c and its modules alone.
 */
#ifndef CS_SIM_BASE_UNITS_KINDS_H
#define CS_SIM_BASE_UNITS_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Products of a number and a unit, exactly; 2^128 is far above every limit. */
__extension__ typedef unsigned __int128 wide;

enum {
    UNIT_MAX = 15, /* no unit is longer */
    ADVICE_MAX = 3,
    MICROBITS_PER_BYTE = 8000000,
    FRACTION_DECIMALS = 15, /* 1e15 < 2^53: both sides of the division exact */
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct units_unit {
    const char *name;
    uint64_t factor;
};

/* A kind of quantity: its units, and words for error messages. */
struct units_kind {
    const char *noun;
    const char *example;
    const char *bare[ADVICE_MAX]; /* units to offer for a bare number */
    bool in_bytes;                /* powers of 1000 and 1024 are explained */
    const struct units_unit *prefixes;
    size_t prefix_count;
    const struct units_unit *units;
    size_t unit_count;
};

/* Bytes; millionths of a bit per second; picoseconds; 10^-FRACTION_DECIMALS. */
extern const struct units_kind cs_units_of_bytes;
extern const struct units_kind cs_units_of_rate;
extern const struct units_kind cs_units_of_time;
extern const struct units_kind cs_units_of_fraction;

/* Prefix and unit in one word: "Gbit/s". */
struct unit_name {
    char text[UNIT_MAX + 1];
};

struct unit_name cs_unit_name(const struct units_kind *kind, size_t prefix, size_t unit);

/* The factor of a unit by name; 0 for an unknown name. */
wide cs_unit_factor(const struct units_kind *kind, const char *word);

#endif
