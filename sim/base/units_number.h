/*
 * Numbers with a unit as text: cut into their parts, multiplied exactly.  For
 * units.c and its modules alone.
 */
#ifndef CS_SIM_BASE_UNITS_NUMBER_H
#define CS_SIM_BASE_UNITS_NUMBER_H

#include "sim/base/err.h"
#include "sim/base/units_kinds.h"

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

#endif
