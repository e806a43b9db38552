/*
 * Column: a value of each row of a table, by its place in the row.
 *
 *     #define AT(member) CS_AT(struct cs_tcp_group, member)
 *     static const struct cs_sheet_column columns[] = {
 *         {"setting", "setting", NULL, CS_SHEET_TEXT, AT(setting)},
 *         {"gate", "gate", "median", CS_SHEET_SHARE, AT(median_gate), CS_IF_POSITIVE},
 *     };
 *
 * The compiler takes offset and type from the member, which may lie in a nested
 * struct, in an array, or behind pointers; numbers are converted to the kind of the
 * column.  From the columns come the aligned table, JSON, CSV and the database.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cs_sheet_kind {
    CS_SHEET_TEXT,
    CS_SHEET_NAMED,   /* text "a b=1; c=2.5"; JSON: {"a b": 1, "c": 2.5} */
    CS_SHEET_FIGURE,  /* text of a number, aligned right */
    CS_SHEET_COUNT,   /* u64: 2,095,104 */
    CS_SHEET_PLAIN,   /* u64: 2095104 */
    CS_SHEET_BYTES,   /* u64: 1 MiB */
    CS_SHEET_MEMORY,  /* u64: 1.50 GiB */
    CS_SHEET_TIME,    /* u64 of picoseconds: 1.5 us; 0.0000015 */
    CS_SHEET_SECONDS, /* real: 1.5 us; 1.5e-06 */
    CS_SHEET_RATE,    /* real, bytes per second: 25 GB/s */
    CS_SHEET_SHARE,   /* real: 97.7 %; 0.977 */
    CS_SHEET_TIMES,   /* real: 1.25 x; 1.25 */
    CS_SHEET_REAL,    /* real: 0.1234 */
    CS_SHEET_BOOL,    /* yes or no */
};

/* The C type of a member. */
enum cs_member_type {
    CS_MEMBER_NONE,  /* no member: computed */
    CS_MEMBER_TEXT,  /* a pointer */
    CS_MEMBER_CHARS, /* an array */
    CS_MEMBER_BOOL,
    CS_MEMBER_U8,
    CS_MEMBER_U16,
    CS_MEMBER_U32, /* and enumerations */
    CS_MEMBER_INT,
    CS_MEMBER_U64,
    CS_MEMBER_REAL,
};

enum {
    CS_MEMBER_POINTERS = 2
};

/* A member of a row, or of an object behind pointers of the row. */
struct cs_member {
    enum cs_member_type type;
    uint32_t pointers;
    uint32_t at[CS_MEMBER_POINTERS + 1]; /* offsets: of the pointers, then of the member */
};

/* When a value is known; NaN, infinity, UINT64_MAX and what is behind a NULL never are. */
enum cs_sheet_known {
    CS_IF_ANY,
    CS_IF_POSITIVE,
    CS_OR_EMPTY, /* a NULL is "" */
};

struct cs_sheet_column {
    const char *name;  /* "redundant_bytes", for programs */
    const char *title; /* "redundant", for people; NULL: for programs alone */
    const char *unit;  /* a second line of the title, or NULL */
    enum cs_sheet_kind kind;
    struct cs_member member;
    enum cs_sheet_known known;
    const char *const *words; /* the texts of an enumeration, or NULL */
    struct cs_member gate;    /* known only where this is set: not 0, NULL or "" */
    bool unless;              /* only where it is not set */
    /* In place of a member: the value of a row. */
    const char *(*text)(const void *row);
    double (*real)(const void *row);
};

#define CS_MEMBER_IS(member, of) __builtin_types_compatible_p(__typeof__(member), of)

/* The type of a value that is not evaluated. */
#define CS_MEMBER_TYPE(value) \
    _Generic((value),                                                               \
        char *: CS_MEMBER_IS(value, char *) ? CS_MEMBER_TEXT : CS_MEMBER_CHARS,     \
        const char *: CS_MEMBER_IS(value, const char *) ? CS_MEMBER_TEXT            \
                                                        : CS_MEMBER_CHARS,          \
        bool: CS_MEMBER_BOOL,                                                       \
        uint8_t: CS_MEMBER_U8,                                                      \
        uint16_t: CS_MEMBER_U16,                                                    \
        uint32_t: CS_MEMBER_U32,                                                    \
        int: CS_MEMBER_INT,                                                         \
        uint64_t: CS_MEMBER_U64,                                                    \
        double: CS_MEMBER_REAL)

/* The object that a pointer of an object of type `of` points to. */
#define CS_BEHIND(of, pointer)          __typeof__(*((of *)0)->pointer)
#define CS_BEHIND2(of, pointer, second) __typeof__(*((of *)0)->pointer->second)

#define CS_MEMBER_OF(of, to)                                                             \
    {                                                                                    \
        .type = CS_MEMBER_TYPE(((of *)0)->to), .pointers = 0, .at = { offsetof(of, to) } \
    }

/* Known only where another member of the row is set, or is not. */
#define CS_WHEN(of, to)   .gate = CS_MEMBER_OF(of, to)
#define CS_UNLESS(of, to) .unless = true, .gate = CS_MEMBER_OF(of, to)

/* Of the row. */
#define CS_AT(of, to) .member = CS_MEMBER_OF(of, to)

/* Of what a pointer of the row points to. */
#define CS_VIA(of, pointer, to)                                \
    .member = {.type = CS_MEMBER_TYPE(((of *)0)->pointer->to), \
               .pointers = 1,                                  \
               .at = {offsetof(of, pointer), offsetof(CS_BEHIND(of, pointer), to)}}

/* Of what a pointer of that points to. */
#define CS_VIA2(of, pointer, second, to)                                               \
    .member = {.type = CS_MEMBER_TYPE(((of *)0)->pointer->second->to),                 \
               .pointers = 2,                                                          \
               .at = {offsetof(of, pointer), offsetof(CS_BEHIND(of, pointer), second), \
                      offsetof(CS_BEHIND2(of, pointer, second), to)}}

struct cs_sheet_cell {
    bool known;
    union {
        const char *text;
        uint64_t u64;
        double real;
        bool boolean;
    } is;
};

/* Whether cells of the kind are texts. */
static inline bool cs_sheet_is_text(enum cs_sheet_kind kind)
{
    return kind <= CS_SHEET_FIGURE;
}

/* Whether cells of the kind are whole numbers. */
static inline bool cs_sheet_is_u64(enum cs_sheet_kind kind)
{
    return kind >= CS_SHEET_COUNT && kind <= CS_SHEET_TIME;
}

/* Whether cells of the kind are real numbers. */
static inline bool cs_sheet_is_real(enum cs_sheet_kind kind)
{
    return kind >= CS_SHEET_SECONDS && kind <= CS_SHEET_REAL;
}

/* The value of a row; a text belongs to the row.  A real number is rounded to a
 * count, and cut to whole bytes. */
struct cs_sheet_cell cs_column_cell(const struct cs_sheet_column *column, const void *row);

/* The integer in a member of the row itself, also where the column has words for it. */
uint64_t cs_column_number(const struct cs_sheet_column *column, const void *row);

/* Sets a member of the row itself, of the type of the column's kind: uint64_t, uint32_t,
 * double, bool or a pointer to a text.  Unknown: NULL, NAN, 0. */
void cs_column_set(const struct cs_sheet_column *column, struct cs_sheet_cell cell, void *row);
