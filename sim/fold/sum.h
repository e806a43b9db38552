/*
 * Sums of the lengths of blocks that are moved together.
 *
 * Of `pieces` in a circle `longer` neighbours are long; their position depends on
 * the total shift.  A sum is a certain time plus a weight for some pieces, the
 * additional time if the piece is long: neighbours of equal weight are one
 * segment.
 *
 *     add, compare   O(segments of the sums)
 *     most           O(moves x segments)
 *
 * A sum has room for few segments.  Beyond the room the sum becomes a bound: a
 * lower bound forgets a segment, an upper bound counts the segment as long.
 */
#pragma once

#include "sim/engine/model.h"

enum {
    CS_SEGMENTS = 4
};

enum cs_share {
    CS_OF_BANDWIDTH,
    CS_OF_REDUCTION,
};

struct cs_segment {
    uint64_t weight_ps; /* of each long piece */
    uint32_t first, length;
    enum cs_share share;
};

struct cs_sum {
    struct cs_path sure;
    struct cs_segment segment[CS_SEGMENTS];
    uint32_t count;
};

/* A move is by a multiple of `step`; at first the long pieces begin at 0. */
struct cs_circle_of_pieces {
    uint32_t pieces;
    uint32_t longer;
    uint32_t step; /* divides pieces */
};

enum cs_bound_kind {
    CS_AT_LEAST,
    CS_AT_MOST,
};

/* Adds a piece that takes `weight_ps` more if it is long. */
void cs_sum_add(struct cs_sum *sum, const struct cs_circle_of_pieces *circle,
                const struct cs_segment *piece, enum cs_bound_kind kind);

/* Whether the sum stays exact with a further piece. */
static inline bool cs_sum_has_room(const struct cs_sum *sum)
{
    return sum->count < CS_SEGMENTS;
}

/* Shifts all pieces of the sum by `by`. */
void cs_sum_move(struct cs_sum *sum, const struct cs_circle_of_pieces *circle, uint32_t by);

/* Whether a >= b for every position of the long pieces; false negatives are
 * possible. */
bool cs_sum_exceeds(const struct cs_sum *a, const struct cs_sum *b,
                    const struct cs_circle_of_pieces *circle);

/* The maximum of a and b, or a bound of the maximum. */
struct cs_sum cs_sum_max(const struct cs_sum *a, const struct cs_sum *b,
                         const struct cs_circle_of_pieces *circle, enum cs_bound_kind kind);

/* The maximum of the sum over all positions, by cause of time; sums with
 * segments only. */
struct cs_path cs_sum_most(const struct cs_sum *sum, const struct cs_circle_of_pieces *circle);
