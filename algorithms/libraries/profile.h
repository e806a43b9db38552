/*
 * Profiles: a library with parameters of its cost model from a file, as
 * `collsim fit` writes them.
 *
 *     profile: 1
 *     library: nccl=2.21.5
 *     parameters:
 *       RING_RATE: {value: 0.93, standard_error: 0.4 %}
 *       LL_BASE: {value: 6.1 us}
 *     calls:
 *       - {collective: all-reduce, nodes: 1, least: 1 KiB, most: 8 GiB}
 *     rows: [9f3c2a..., ...]
 *
 * A parameter that is not listed keeps the library's value.  `calls` are the
 * calls behind the values: a prediction of another call has a note.  `rows` are the
 * hashes of the measured rows behind the values: a prediction of such a row is
 * in sample.  Other keys of the file (correlations, errors, inputs) are for
 * people and are not read.
 *
 *     read   O(bytes)
 *     has    O(log rows)
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "sim/base/mem.h"

enum {
    CS_PROFILE_ROWS_MAX = 200000,
    CS_PROFILE_CALLS_MAX = 64,
};

/* Calls of a collective on a number of nodes. */
struct cs_profile_calls {
    const struct cs_collective *collective;
    uint32_t nodes;
    uint64_t least, most; /* bytes */
};

struct cs_profile {
    const char *file;
    const struct cs_library *library;
    uint32_t version; /* as in a request; 0: the newest modelled */
    /* In the order of the library's parameters. */
    double values[CS_PARAMETERS_MAX];
    double errors[CS_PARAMETERS_MAX]; /* standard, of ln(value); NAN: none */
    uint64_t *rows;                   /* hashes in ascending order */
    uint32_t row_count;
    struct cs_profile_calls calls[CS_PROFILE_CALLS_MAX];
    uint32_t call_count; /* 0: the file names none */
};

/* Whether a text of --library is the name of a file: it has a '/' or ends in
 * .yaml or .yml. */
bool cs_profile_is_file(const char *text);

/* The same from memory; `file` is the name in messages and is not copied. */
int cs_profile_read_text(const char *file, const char *text, size_t length, struct cs_arena *arena,
                         struct cs_profile *profile, struct cs_err *err);

/* The library of a name (cs_library_find), or of a profile's file; `profile`
 * is NULL for a name. */
int cs_profile_find(const char *text, struct cs_arena *arena, const struct cs_library **library,
                    uint32_t *version, const struct cs_profile **profile, struct cs_err *err);

/* The parameters of a request, whose site and collective are set; NULL: the library's. */
void cs_profile_apply(const struct cs_profile *profile, struct cs_library_request *request);

/* The hash of a measured row, whatever its file. */
uint64_t cs_profile_row_hash(const struct cs_collective *collective, uint32_t ranks, uint64_t bytes,
                             double time_s);

/* Adds a call to a list of calls, with room for CS_PROFILE_CALLS_MAX; further
 * ones are left out. */
void cs_profile_add_call(struct cs_profile_calls *calls, uint32_t *count,
                         const struct cs_profile_calls *call);

/* Whether the calls of the profile include a call, on as many nodes;
 * true where the profile names none, and for NULL. */
bool cs_profile_covers(const struct cs_profile *profile, const struct cs_profile_calls *call);

/* Adds "all-reduce of 1 KiB to 8 GiB on 1 node" for each, with commas. */
struct cs_text;
void cs_profile_put_calls(const struct cs_profile_calls *calls, uint32_t count,
                          struct cs_text *out);

/* Whether the profile was fitted to the row; NULL: never. */
bool cs_profile_has_row(const struct cs_profile *profile, uint64_t hash);
