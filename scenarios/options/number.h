/*
 * Numbers with a suffix: "15T" tokens, "4 years", "0.12 USD/kWh".
 *
 * A kind is a table of suffixes with factors; sizes, rates and short times have readers
 * of their own (sim/base/units.h).
 */
#pragma once

#include "sim/base/err.h"

struct cs_number_unit {
    const char *name;
    double factor;
};

struct cs_number_kind {
    const char *example;                /* in messages; NULL: a number alone is one */
    const struct cs_number_unit *units; /* up to a NULL */
};

/* "8", "8k", "1.4e12", "15T"; Ki, Mi, ... are powers of 1024. */
extern const struct cs_number_kind cs_number_count;
/* The same, and "300B": tokens, in billions. */
extern const struct cs_number_kind cs_number_tokens;
/* The same, where k and M are powers of 1024 too: lengths of sequences. */
extern const struct cs_number_kind cs_number_binary;
/* "30s", "10min", "2d", "4 years", in seconds. */
extern const struct cs_number_kind cs_number_span;

/* At least 0; CS_EINPUT for other texts. */
int cs_number_read(const char *text, const struct cs_number_kind *kind, double *number,
                   struct cs_err *err);
