/*
 * Values with names, each read from a text into a member of a struct.
 *
 *     CS_VALUE("ranks", cs_value_count, struct shape, size, .most = 1 << 20),
 *     CS_VALUE("bandwidth", cs_value_rate, struct shape, rate_Bps),
 *
 * One table is what may be given, and how it is read: the parameters of a
 * generator (parameters.h), or the keys of a map (cs_doc_read_values).  A value with
 * a form of its own has a function of its own, often for the whole struct, at offset 0.
 */
#pragma once

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_value;

/* Reads a text, which outlives the struct, into the member at the value's offset. */
typedef int cs_value_fn(const struct cs_value *as, const char *text, void *member,
                        struct cs_err *err);

struct cs_value {
    const char *name;
    cs_value_fn *read; /* NULL, of a key: may be given, and is read elsewhere */
    size_t offset;
    uint64_t most;        /* of a count */
    const char *words[2]; /* of cs_value_either: for false, for true */
    size_t said;          /* of a bool that becomes true; 0: none */
    bool is_complete;     /* its messages have the name */
    bool is_needed;       /* of a key */
};

/* A table of values. */
struct cs_values {
    const struct cs_value *items;
    size_t count;
};

#define CS_VALUES(table) ((struct cs_values){(table), sizeof(table) / sizeof(*(table))})

#define CS_VALUE(of, form, type, member, ...)                                   \
    {                                                                           \
        .name = of, .read = form, .offset = offsetof(type, member), __VA_ARGS__ \
    }

cs_value_fn cs_value_count;    /* uint32_t: a whole number from 1 to `most` */
cs_value_fn cs_value_rate;     /* double */
cs_value_fn cs_value_time;     /* uint64_t */
cs_value_fn cs_value_fraction; /* double */
cs_value_fn cs_value_text;     /* const char * */
cs_value_fn cs_value_either;   /* bool: one of two words */

/* Reads the text into the member of the struct. */
int cs_value_read(const struct cs_value *as, const char *text, void *target, struct cs_err *err);

enum {
    CS_VALUES_MAX = 32 /* of a table */
};

/* The value with the name, or NULL; the names of all, for a message. */
const struct cs_value *cs_value_find(const struct cs_value *values, size_t count, const char *name);
void cs_value_names(const struct cs_value *values, size_t count, const char *names[CS_VALUES_MAX]);
