/*
 * Sets of names, as files write them:
 *
 *     gpu3               one name
 *     gpu[0-3,6]         gpu0 gpu1 gpu2 gpu3 gpu6
 *     n[*].nic[0-1]      n0.nic0 n0.nic1 n1.nic0 ...: the left number is last
 *                        to change
 *
 * [*] is every number there is; the caller says how many after a given text.
 * Nothing is expanded: a set is as small as its text, and its names are made
 * one at a time, so that "[0-4294967295]" costs nothing until it is counted and
 * refused.
 *
 *     parse   O(letters)      nth   O(letters)
 */
#ifndef CS_TOPO_GRAPH_NAME_SET_H
#define CS_TOPO_GRAPH_NAME_SET_H

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdint.h>

/* The longest name, with its NUL: a host's in DNS has up to 253 letters (RFC
 * 1035).  The longest text of a set is invented. */
enum {
    CS_NAME_MAX = 256,
    CS_NAME_SET_MAX = 1000,
};

struct cs_name_range {
    uint32_t low, high;
};

/* Some text and, behind it, a number out of some ranges. */
struct cs_name_piece {
    const char *text; /* `length` letters */
    uint32_t length;
    const struct cs_name_range *ranges;
    uint32_t range_count; /* 0: no number, the last piece only */
    uint64_t count;       /* of numbers; 1 when there is none */
};

struct cs_name_set {
    const struct cs_name_piece *pieces;
    uint32_t piece_count;
    uint64_t count; /* of names, >= 1; 2^62 stands for all that is more */
};

/* How many things are numbered behind the text that ends at text[length - 1];
 * the text is all of the set so far.  0: nothing is. */
typedef uint32_t cs_name_bound_fn(const void *ctx, const char *text,
                                  size_t length);

struct cs_name_bound {
    cs_name_bound_fn *count;
    const void *ctx;
};

/* Reads `text`, which must live as long as the set; what it needs is in the
 * arena.  CS_EINPUT for what has not the form above. */
int cs_name_set_parse(const char *text, const struct cs_name_bound *bound,
                      struct cs_name_set *set, struct cs_arena *arena,
                      struct cs_err *err);

/* Name `index` of the set, 0 <= index < count; cut at CS_NAME_MAX - 1. */
void cs_name_set_nth(const struct cs_name_set *set, uint64_t index,
                     char name[CS_NAME_MAX]);

#endif
