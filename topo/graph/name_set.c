#include "topo/graph/name_set.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define COUNT_MAX (UINT64_C(1) << 62)

struct parser {
    const char *text; /* the whole set, in messages */
    const char *at;   /* the next letter */
    const struct cs_name_bound *bound;
    struct cs_name_range *ranges; /* unused memory for ranges */
    struct cs_err *err;
};

static int bad_form(const struct parser *parser)
{
    return cs_err_set(parser->err, CS_EINPUT,
                      "'%.80s' is not a set of names; expected something like %s", parser->text,
                      parser->bound ? "gpu3, gpu[0-7], gpu[0,2-3] or gpu[*]"
                                    : "node3, node[01-16] or node[0,2-3]");
}

/* Decimal digits; leading zeros are those of another program: our names have none. */
static bool name_set_read_number(struct parser *parser, uint32_t *number)
{
    const char *start = parser->at;
    uint64_t value = 0;

    for (; *parser->at >= '0' && *parser->at <= '9'; parser->at++) {
        value = 10 * value + (uint64_t)(*parser->at - '0');
        if (value >= UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return parser->at > start && (*start != '0' || parser->at == start + 1 ||
                                  (!parser->bound && parser->at - start < 10));
}

/* "3" or "0-7". */
static bool name_set_read_range(struct parser *parser, struct cs_name_range *range)
{
    const char *start = parser->at;

    if (!name_set_read_number(parser, &range->low))
        return false;
    range->digits = (int)(parser->at - start);
    range->high = range->low;
    if (*parser->at != '-')
        return true;
    parser->at++;
    return name_set_read_number(parser, &range->high) && range->low <= range->high;
}

static int name_set_read_star(struct parser *parser, struct cs_name_piece *piece)
{
    size_t length = (size_t)(parser->at - 1 - parser->text);
    uint32_t count = parser->bound->count(parser->bound->ctx, parser->text, length);

    if (count == 0)
        return cs_err_set(parser->err, CS_EINPUT,
                          "nothing called '%.*s' has a 'count', so '%.*s[*]' names nothing",
                          (int)piece->length, piece->text, (int)length, parser->text);
    parser->ranges[0] = (struct cs_name_range){0, count - 1, 1};
    piece->range_count = 1;
    piece->count = count;
    parser->at++;
    return 0;
}

static int name_set_read_ranges(struct parser *parser, struct cs_name_piece *piece)
{
    bool more = true;

    while (more) {
        struct cs_name_range *range = &parser->ranges[piece->range_count];

        if (!name_set_read_range(parser, range))
            return bad_form(parser);
        piece->range_count++;
        piece->count += (uint64_t)range->high - range->low + 1;
        more = *parser->at == ',';
        parser->at += more;
    }
    return 0;
}

/* Text up to a bracket and the bracket, or text up to the end. */
static int read_piece(struct parser *parser, struct cs_name_piece *piece)
{
    int rc;

    piece->text = parser->at;
    piece->length = (uint32_t)strcspn(parser->at, "[]");
    parser->at += piece->length;
    if (*parser->at == '\0') {
        piece->count = 1;
        return 0;
    }
    if (*parser->at++ != '[')
        return bad_form(parser);
    piece->ranges = parser->ranges;
    rc = parser->bound && *parser->at == '*' ? name_set_read_star(parser, piece)
                                             : name_set_read_ranges(parser, piece);
    if (rc)
        return rc;
    if (*parser->at++ != ']')
        return bad_form(parser);
    parser->ranges += piece->range_count;
    return 0;
}

/* The number of letters of `text` that are in `letters`. */
static size_t name_set_occurrences(const char *text, const char *letters)
{
    size_t count = 0;

    for (; *text; text++)
        count += strchr(letters, *text) != NULL;
    return count;
}

int cs_name_set_parse(const char *text, const struct cs_name_bound *bound, struct cs_name_set *set,
                      struct cs_arena *arena, struct cs_err *err)
{
    struct parser parser = {text, text, bound, NULL, err};
    struct cs_name_piece *pieces;
    int most = bound ? CS_NAME_SET_MAX : CS_NAME_LIST_MAX;

    if (strlen(text) > (size_t)most)
        return cs_err_set(err, CS_EINPUT, "a set of names has over %d letters; use a list", most);
    parser.ranges = cs_arena_alloc(arena, name_set_occurrences(text, "[,"), sizeof(*parser.ranges));
    pieces = cs_arena_alloc(arena, name_set_occurrences(text, "[") + 1, sizeof(*pieces));
    *set = (struct cs_name_set){.pieces = pieces, .count = 1};
    if (*text == '\0')
        return bad_form(&parser);
    while (*parser.at) {
        struct cs_name_piece *piece = &pieces[set->piece_count++];
        int rc = read_piece(&parser, piece);

        if (rc)
            return rc;
        set->count = piece->count > COUNT_MAX / set->count ? COUNT_MAX : set->count * piece->count;
    }
    return 0;
}

/* Composes the text of the piece with number `index` of its ranges; letters, as snprintf. */
static int name_set_write(const struct cs_name_piece *piece, uint64_t index, char *name,
                          size_t room)
{
    const struct cs_name_range *range = piece->ranges;

    while (index > range->high - range->low) {
        index -= (uint64_t)range->high - range->low + 1;
        range++;
    }
    return snprintf(name, room, "%.*s%0*llu", (int)piece->length, piece->text, range->digits,
                    (unsigned long long)range->low + index);
}

/* The index in mixed radix, with the numbers of a piece as a digit. */
void cs_name_set_nth(const struct cs_name_set *set, uint64_t index, char name[CS_NAME_MAX])
{
    uint64_t left = set->count;
    size_t used = 0;

    name[0] = '\0';
    for (uint32_t i = 0; i < set->piece_count && used < CS_NAME_MAX; i++) {
        const struct cs_name_piece *piece = &set->pieces[i];
        size_t room = CS_NAME_MAX - used;
        int wrote;

        left /= piece->count;
        if (piece->range_count)
            wrote = name_set_write(piece, index / left, name + used, room);
        else
            wrote = snprintf(name + used, room, "%.*s", (int)piece->length, piece->text);
        index %= left;
        used += (size_t)wrote;
    }
}
