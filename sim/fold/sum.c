#include "sim/fold/sum.h"

/* Of `length` < pieces neighbours from `first` on, moved by `by`, so many are
 * long. */
static uint32_t sum_long_pieces(const struct cs_circle_of_pieces *circle, uint32_t first,
                                uint32_t length, uint32_t by)
{
    uint64_t start = ((uint64_t)first + by) % circle->pieces;
    uint64_t end = start + length;
    uint64_t second = (uint64_t)circle->pieces + circle->longer;
    uint64_t found = 0;

    if (start < circle->longer)
        found = (end < circle->longer ? end : circle->longer) - start;
    if (end > circle->pieces)
        found += (end < second ? end : second) - circle->pieces;
    return (uint32_t)found;
}

static void lengthen_by(struct cs_path *path, enum cs_share share, uint64_t ps)
{
    if (share == CS_OF_BANDWIDTH)
        path->bandwidth_ps += ps;
    else
        path->reduction_ps += ps;
}

static void take_out(struct cs_sum *sum, uint32_t i)
{
    sum->segment[i] = sum->segment[--sum->count];
}

/* The most of its pieces that are long at once. */
static uint32_t sum_most_of(const struct cs_circle_of_pieces *circle,
                            const struct cs_segment *segment)
{
    return segment->length < circle->longer ? segment->length : circle->longer;
}

static void sum_make_room(struct cs_sum *sum, const struct cs_circle_of_pieces *circle,
                          enum cs_bound_kind kind)
{
    const struct cs_segment *segment = &sum->segment[0];

    if (sum->count < CS_SEGMENTS)
        return;
    if (kind == CS_AT_MOST)
        lengthen_by(&sum->sure, segment->share, segment->weight_ps * sum_most_of(circle, segment));
    take_out(sum, 0);
}

/* Whether the piece is counted with the segment now. */
static bool sum_joins(struct cs_segment *segment, const struct cs_segment *piece, uint32_t pieces)
{
    if (segment->share != piece->share)
        return false;
    if (segment->first == piece->first && segment->length == 1) {
        segment->weight_ps += piece->weight_ps;
        return true;
    }
    if (segment->weight_ps != piece->weight_ps)
        return false;
    if ((piece->first + 1) % pieces == segment->first) {
        segment->first = piece->first;
        segment->length++;
        return true;
    }
    if ((segment->first + segment->length) % pieces == piece->first) {
        segment->length++;
        return true;
    }
    return false;
}

void cs_sum_add(struct cs_sum *sum, const struct cs_circle_of_pieces *circle,
                const struct cs_segment *piece, enum cs_bound_kind kind)
{
    if (piece->weight_ps == 0)
        return;
    for (uint32_t i = 0; i < sum->count; i++) {
        struct cs_segment *segment = &sum->segment[i];

        if (!sum_joins(segment, piece, circle->pieces))
            continue;
        if (segment->length == circle->pieces) {
            /* The whole circle: as many are long wherever they are. */
            lengthen_by(&sum->sure, segment->share, segment->weight_ps * circle->longer);
            take_out(sum, i);
        }
        return;
    }
    sum_make_room(sum, circle, kind);
    sum->segment[sum->count++] = *piece;
}

void cs_sum_move(struct cs_sum *sum, const struct cs_circle_of_pieces *circle, uint32_t by)
{
    for (uint32_t i = 0; i < sum->count && by > 0; i++)
        sum->segment[i].first = (uint32_t)(((uint64_t)sum->segment[i].first + by) % circle->pieces);
}

/* ---- comparing ---- */

/* Upper bound: every piece that can be long is counted as long at once. */
static uint64_t most_ps(const struct cs_sum *sum, const struct cs_circle_of_pieces *circle)
{
    uint64_t ps = cs_path_ps(&sum->sure);

    for (uint32_t i = 0; i < sum->count; i++)
        ps += sum->segment[i].weight_ps * sum_most_of(circle, &sum->segment[i]);
    return ps;
}

/* The most that a segment alone has more long pieces than another. */
static uint32_t pieces_alone(const struct cs_segment *a, const struct cs_segment *b,
                             uint32_t pieces)
{
    uint32_t ahead = b->first >= a->first ? b->first - a->first : b->first + pieces - a->first;
    uint64_t end = (uint64_t)ahead + b->length;
    uint32_t shared = 0;

    if (ahead < a->length)
        shared = (end < a->length ? (uint32_t)end : a->length) - ahead;
    if (end > pieces)
        shared += end - pieces < a->length ? (uint32_t)(end - pieces) : a->length;
    return a->length - shared;
}

/* Where the weight of the pieces of a difference changes. */
struct sum_step {
    uint32_t at;
    int64_t by;
};

struct steps {
    struct sum_step step[4 * 2 * CS_SEGMENTS];
    uint32_t count;
};

static void sum_add_step(struct steps *steps, uint32_t at, int64_t by)
{
    uint32_t i = steps->count++;

    for (; i > 0 && steps->step[i - 1].at > at; i--)
        steps->step[i] = steps->step[i - 1];
    steps->step[i] = (struct sum_step){at, by};
}

static void sum_add_steps(struct steps *steps, const struct cs_sum *sum, uint32_t pieces, int sign)
{
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct cs_segment *segment = &sum->segment[i];
        uint64_t end = (uint64_t)segment->first + segment->length;
        int64_t weight = sign * (int64_t)segment->weight_ps;

        sum_add_step(steps, segment->first, weight);
        if (end > pieces) { /* it goes on at 0 */
            sum_add_step(steps, 0, weight);
            end -= pieces;
        }
        sum_add_step(steps, (uint32_t)end, -weight);
    }
}

/* The most by which pieces can make b greater than a. */
static uint64_t most_behind(const struct cs_sum *a, const struct cs_sum *b, uint32_t pieces)
{
    struct steps steps = {.count = 0};
    int64_t weight = 0;
    uint64_t sum = 0;

    sum_add_steps(&steps, a, pieces, -1);
    sum_add_steps(&steps, b, pieces, 1);
    for (uint32_t i = 0; i < steps.count; i++) {
        uint32_t end = i + 1 < steps.count ? steps.step[i + 1].at : pieces;

        weight += steps.step[i].by;
        if (weight > 0)
            sum += (uint64_t)weight * (end - steps.step[i].at);
    }
    return sum;
}

bool cs_sum_exceeds(const struct cs_sum *a, const struct cs_sum *b,
                    const struct cs_circle_of_pieces *circle)
{
    uint64_t a_ps = cs_path_ps(&a->sure);
    uint64_t b_ps = cs_path_ps(&b->sure);

    if (a_ps < b_ps)
        return false;
    if (b->count == 0 || a_ps >= most_ps(b, circle))
        return true;
    if (a->count == 1 && b->count == 1 && a->segment[0].weight_ps == b->segment[0].weight_ps)
        return a_ps - b_ps >= b->segment[0].weight_ps *
                                  pieces_alone(&b->segment[0], &a->segment[0], circle->pieces);
    return a_ps - b_ps >= most_behind(a, b, circle->pieces);
}

struct cs_sum cs_sum_max(const struct cs_sum *a, const struct cs_sum *b,
                         const struct cs_circle_of_pieces *circle, enum cs_bound_kind kind)
{
    struct cs_sum bound = {.count = 0};
    uint64_t a_ps, b_ps;

    if (cs_sum_exceeds(a, b, circle))
        return *a;
    if (cs_sum_exceeds(b, a, circle))
        return *b;
    a_ps = most_ps(a, circle);
    b_ps = most_ps(b, circle);
    if (kind == CS_AT_MOST) {
        bound.sure.bandwidth_ps = a_ps > b_ps ? a_ps : b_ps;
        return bound;
    }
    if (a_ps != b_ps)
        return a_ps > b_ps ? *a : *b;
    return a->count <= b->count ? *a : *b;
}

/* ---- the most ---- */

static struct cs_path moved_path(const struct cs_sum *sum, const struct cs_circle_of_pieces *circle,
                                 uint32_t by)
{
    struct cs_path path = sum->sure;

    for (uint32_t i = 0; i < sum->count; i++) {
        const struct cs_segment *segment = &sum->segment[i];

        lengthen_by(&path, segment->share,
                    segment->weight_ps *
                        sum_long_pieces(circle, segment->first, segment->length, by));
    }
    return path;
}

struct cs_path cs_sum_most(const struct cs_sum *sum, const struct cs_circle_of_pieces *circle)
{
    struct cs_path most = moved_path(sum, circle, 0);

    for (uint32_t by = circle->step; by < circle->pieces && sum->count > 0; by += circle->step) {
        struct cs_path path = moved_path(sum, circle, by);

        if (cs_path_ps(&path) > cs_path_ps(&most))
            most = path;
    }
    return most;
}
