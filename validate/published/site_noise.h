/*
 * Noise of published tables: the difference between two tables of a call on
 * machines of a kind.
 *
 * Two healthy tables make a pair when collective, ranks, nodes, machine class,
 * library, forced engine and protocol agree, and the GPU model; between nodes and
 * for MPI the description of the machine as well.  A pair counts once for the rows
 * of equal sizes.  No model can be right on both tables of a pair to less than half
 * of their difference.
 *
 *     measure   O(tables^2 * rows)
 */
#ifndef CS_VALIDATE_PUBLISHED_SITE_NOISE_H
#define CS_VALIDATE_PUBLISHED_SITE_NOISE_H

#include "validate/published/score.h"

struct cs_site_noise {
    uint32_t pairs;
    double median, p90; /* of exp(mean |ln|) - 1; NAN without a pair */
};

/* Pairs of different sites, or of one site with itself (`same_site`), in a
 * range of sizes; the arena has the values. */
struct cs_site_noise cs_site_noise_of(const struct cs_published *published,
                                      enum cs_size_range sizes, bool same_site,
                                      struct cs_arena *arena);

#endif
