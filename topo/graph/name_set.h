/*
 * Sets of names, in the notation of machine files:
 *
 *     gpu3               a single name
 *     gpu[0-3,6]         gpu0 gpu1 gpu2 gpu3 gpu6
 *     n[*].nic[0-1]      n0.nic0 n0.nic1 n1.nic0 ...: the right number varies
 *                        fastest
 *
 * [*] is every existing number; the caller counts the numbers after a text.  Without a
 * caller's count a set is one of another program, as node[001-128]: no [*], and numbers
 * have at least the digits of the first.
 * A set is never expanded: names are composed on request, so "[0-4294967295]"
 * costs no memory before the caller checks the count.
 *
 *     parse   O(letters)      nth   O(letters)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdint.h>

/* The longest name with the final NUL: a host name in DNS has up to 253 letters
 * (RFC 1035).  The limit of a set's text is arbitrary. */
enum {
    CS_NAME_MAX = 256,
    CS_NAME_SET_MAX = 1000,
    CS_NAME_LIST_MAX = 1 << 14, /* of another program */
};

struct cs_name_range {
    uint32_t low, high;
    int digits; /* at least */
};

/* A text, followed by a number from a list of ranges. */
struct cs_name_piece {
    const char *text; /* `length` letters */
    uint32_t length;
    const struct cs_name_range *ranges;
    uint32_t range_count; /* 0: no number, the last piece only */
    uint64_t count;       /* of numbers; 1 without ranges */
};

struct cs_name_set {
    const struct cs_name_piece *pieces;
    uint32_t piece_count;
    uint64_t count; /* of names, >= 1; saturates at 2^62 */
};

/* The count of numbered names that begin with text[0 .. length - 1], which is
 * the whole set up to "[*]".  0: no such name. */
typedef uint32_t cs_name_bound_fn(const void *ctx, const char *text, size_t length);

struct cs_name_bound {
    cs_name_bound_fn *count;
    const void *ctx;
};

/* Parses `text`, which must outlive the set; memory is in the arena.  `bound` may be NULL.
 * CS_EINPUT for a text of another form. */
int cs_name_set_parse(const char *text, const struct cs_name_bound *bound, struct cs_name_set *set,
                      struct cs_arena *arena, struct cs_err *err);

/* Composes name `index` of the set, 0 <= index < count; truncated at
 * CS_NAME_MAX - 1 letters. */
void cs_name_set_nth(const struct cs_name_set *set, uint64_t index, char name[CS_NAME_MAX]);
