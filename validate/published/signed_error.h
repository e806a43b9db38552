/*
 * Signed errors of predictions on published tables, by machine class and by
 * decade of sizes, of the prediction without the site where that exists
 * (cs_published_fair).
 *
 *     biases   O(rows)
 */
#ifndef CS_VALIDATE_PUBLISHED_SIGNED_ERROR_H
#define CS_VALIDATE_PUBLISHED_SIGNED_ERROR_H

#include "validate/published/score.h"

/* Decades of sizes: below 64 KiB, to 1, 16 and 256 MiB, and above. */
enum {
    CS_SIZE_DECADES = 5
};

struct cs_published_bias {
    const char *name; /* of a class, or "all" */
    uint32_t rows[CS_SIZE_DECADES + 1];
    /* exp(mean ln) - 1; the last: all sizes. */
    double bias[CS_SIZE_DECADES + 1];
};

/* Signed errors by class and decade over rows of healthy tables, in the arena;
 * "all" is last.  Returns the number of lines. */
uint32_t cs_published_biases(const struct cs_published_answer *answers, uint32_t count,
                             struct cs_arena *arena, struct cs_published_bias **biases);

/* The decade of a table with the largest |mean ln|; rows 0: none predicted. */
struct cs_decade_error {
    uint32_t decade, rows;
    double bias;      /* exp(mean ln) - 1 */
    const char *part; /* "launch", "latency", "transfer": most of the predicted
                         time of these rows */
};

struct cs_decade_error cs_published_worst_decade(const struct cs_published_answer *answer);

/* "below 64 KiB". */
extern const char *const cs_size_decade_names[CS_SIZE_DECADES];

#endif
