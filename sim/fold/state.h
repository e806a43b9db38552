/*
 * The state of a fold, for the modules of this folder alone: groups, classes of
 * links, sizes of unequal blocks, the quotient.
 */
#pragma once

#include "sim/fold/request.h"

#include <assert.h>

enum {
    CS_FOLD_PAIRS = 1 << 28, /* most pairs of ranks whose routes are checked */
};

/* ---- the group ---- */

/* An element: a shift of rows and columns. */
struct shift {
    uint32_t row, column;
};

static inline bool is_neutral(struct shift shift)
{
    return shift.row == 0 && shift.column == 0;
}

static inline uint32_t wrapped(uint32_t sum, uint32_t count)
{
    return sum < count ? sum : sum - count;
}

/* Of columns: each of their two digits is rotated. */
static inline uint32_t column_sum(const struct cs_fold_group *group, uint32_t a, uint32_t b)
{
    uint32_t planes = group->planes;

    if (planes < 2)
        return wrapped(a + b, group->columns);
    return wrapped(a / planes + b / planes, group->columns / planes) * planes +
           wrapped(a % planes + b % planes, planes);
}

/* What added to the column is column 0. */
static inline uint32_t column_rest(const struct cs_fold_group *group, uint32_t column)
{
    uint32_t planes = group->planes;
    uint32_t digit;

    if (planes < 2)
        return wrapped(group->columns - column, group->columns);
    digit = column % planes;
    return wrapped((group->columns - column + digit) / planes, group->columns / planes) * planes +
           wrapped(planes - digit, planes);
}

/* g after d. */
static inline struct shift compose(const struct cs_fold_group *group, struct shift g,
                                   struct shift d)
{
    if (group->is_xor)
        return (struct shift){g.row ^ d.row, 0};
    return (struct shift){wrapped(g.row + d.row, group->rows),
                          column_sum(group, g.column, d.column)};
}

static inline struct shift inverse(const struct cs_fold_group *group, struct shift g)
{
    if (group->is_xor)
        return g;
    return (struct shift){wrapped(group->rows - g.row, group->rows), column_rest(group, g.column)};
}

/* A party, as a copy of its representative, which is counted among the ranks and
 * then the agents that represent. */
struct fold_member {
    uint32_t of;
    struct shift copy;
};

static inline struct fold_member member_of(const struct cs_fold_group *group, uint32_t party)
{
    bool is_agent = party >= group->ranks;
    uint32_t each = is_agent ? group->agent_orbits : group->orbits;
    uint32_t number = is_agent ? party - group->ranks : party;
    uint32_t copy;

    assert(each > 0);
    copy = number / each;
    return (struct fold_member){number % each + (is_agent ? group->orbits : 0),
                                {copy / group->columns, copy % group->columns}};
}

static inline uint32_t group_parties(const struct cs_fold_group *group)
{
    return group->ranks + group->agents;
}

static inline uint32_t group_representatives(const struct cs_fold_group *group)
{
    return group->orbits + group->agent_orbits;
}

/* The party of a representative, the first of its orbit. */
static inline uint32_t first_member(const struct cs_fold_group *group, uint32_t of)
{
    return of < group->orbits ? of : group->ranks + of - group->orbits;
}

static inline uint32_t image_of(const struct cs_fold_group *group, struct shift g,
                                struct fold_member member)
{
    struct shift shift = compose(group, g, member.copy);
    uint32_t copy = shift.row * group->columns + shift.column;

    if (member.of < group->orbits)
        return copy * group->orbits + member.of;
    return group->ranks + copy * group->agent_orbits + member.of - group->orbits;
}

static inline uint32_t image(const struct cs_fold_group *group, struct shift g, uint32_t party)
{
    return image_of(group, g, member_of(group, party));
}

/* ---- things in orbits ---- */

/*
 * Links, or resources, in orbits that the group moves freely.
 *
 * An item has a place of its own, except for the first `each` x `rows` items,
 * where item i + each is tried as the image of item i in the next row: items of
 * replicated nodes share `each` places.
 */
struct classes {
    uint32_t *class_of; /* place -> class + 1; 0: unassigned */
    /* Place -> the element that maps the first item of the class to the first item of
     * the place. */
    struct shift *copy_of;
    uint32_t count;
    uint32_t each, rows;
};

/* The place of an item, and its row within the place. */
struct place {
    uint32_t number, row;
};

static inline struct place place_of(const struct classes *classes, uint32_t thing)
{
    uint32_t each = classes->each;

    if (thing < each * classes->rows)
        return (struct place){thing % each, thing / each};
    return (struct place){thing - each * (classes->rows - 1), 0};
}

static inline uint32_t first_thing(const struct classes *classes, uint32_t place)
{
    return place < classes->each ? place : place + classes->each * (classes->rows - 1);
}

/* Places of that many things. */
static inline uint32_t place_count(const struct classes *classes, uint32_t things)
{
    return things - classes->each * (classes->rows - 1);
}

static inline struct shift copy_of(const struct cs_fold_group *group, const struct classes *classes,
                                   struct place place)
{
    return compose(group, (struct shift){place.row, 0}, classes->copy_of[place.number]);
}

/* ---- unequal blocks ---- */

/*
 * Of the pieces, one for each rank, the first `longer` hold one element more.
 * The group moves pieces as it moves ranks; every piece in the orbit of a longer
 * piece counts as longer.
 */
struct sizes {
    struct cs_cut cut;
    uint32_t pieces;
    uint32_t orbits;
};

/* Whether the blocks belong to a single piece; and its number. */
static inline bool is_in_a_piece(const struct cs_cut *cut, struct cs_blocks blocks)
{
    return blocks.count > 0 && blocks.first % cut->parts + blocks.count <= cut->parts;
}

static inline uint32_t piece_of(const struct cs_cut *cut, struct cs_blocks blocks)
{
    return blocks.first / cut->parts;
}

/* Bytes of the parts in a long, in a short piece. */
static inline uint64_t long_bytes(const struct sizes *sizes, struct cs_blocks blocks)
{
    blocks.first %= sizes->cut.parts;
    return cs_cut_bytes(&sizes->cut, blocks);
}

static inline uint64_t short_bytes(const struct sizes *sizes, struct cs_blocks blocks)
{
    blocks.first = (sizes->pieces - 1) * sizes->cut.parts + blocks.first % sizes->cut.parts;
    return cs_cut_bytes(&sizes->cut, blocks);
}

/* Whether a long piece is among the images. */
static inline bool may_be_long(const struct sizes *sizes, uint32_t piece)
{
    return piece % sizes->orbits < sizes->cut.longer;
}

static inline uint64_t longest_bytes(const struct sizes *sizes, struct cs_blocks blocks)
{
    return may_be_long(sizes, piece_of(&sizes->cut, blocks)) ? long_bytes(sizes, blocks)
                                                             : short_bytes(sizes, blocks);
}

/* ---- the quotient ---- */

/* Shared state of the quotient's functions. */
struct quotient {
    const struct cs_program *of;
    const struct cs_net *net;
    const uint32_t *origin; /* of search.h */
    struct cs_fold_group group;
    uint32_t channels;
    struct classes link, resource;
    bool own_resources;
    uint32_t *links; /* of the route read last, from src to `to` */
    uint32_t src, to, hops;
    bool uneven;
    struct sizes sizes;
};
