/*
 * Numbers with a unit as text: cut into their parts, multiplied exactly.  For
 * units.c and its modules alone.
 */
#pragma once

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Kinds of quantities and their units, for units.c and its modules alone.
 */

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

enum {
    QUOTED_MAX = 40 /* bytes of the user's word that a message repeats */
};

struct quoted {
    char text[QUOTED_MAX + sizeof("...")];
};

/* The user's word, cut where it is long, never within a UTF-8 letter. */
struct quoted cs_quote_n(const char *word, size_t length);
struct quoted cs_quote(const char *word);

/* The parts of a text, as pointers into the text. */
struct units_number {
    const char *text; /* the whole text, for messages */
    const char *whole;
    size_t whole_digits;
    const char *fraction;
    size_t fraction_digits;
    int exponent;
    const char *end; /* of the digits and the exponent */
    const char *unit;
    size_t unit_length;
};

/* Cuts the text into a number and the unit behind it. */
int cs_units_cut(const char *text, const struct units_kind *kind, struct units_number *number,
                 struct cs_err *err);

/* number x factor: the whole part, and whether the product is whole. */
struct product {
    wide value;
    bool exact;
    bool huge; /* above 2^126; value means nothing */
};

struct product cs_units_multiply(const struct units_number *number, wide factor);

static inline bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

const char *cs_skip_digits(const char *at);

/* The letter in lower case; ASCII only, in every locale. */
static inline char units_fold(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

/*
 * Advice: the error message for a unit that is missing, unknown or ambiguous.  For
 * units.c alone.
 */

/* Refuses the unit `word` of a number: CS_EINPUT. */
int cs_units_refuse(const char *word, const struct units_number *number,
                    const struct units_kind *kind, struct cs_err *err);
