/*
 * JSON: a small emitter.
 *
 * The text is pretty-printed with two spaces, and always valid JSON and valid
 * UTF-8: invalid bytes become U+FFFD, control characters are escaped, NaN and
 * infinity are null.  Equal values give equal bytes.
 *
 *     struct cs_json json = {.out = &text};
 *     cs_json_object(&json);
 *     cs_json_key(&json, "ranks");
 *     cs_json_u64(&json, 8);
 *     cs_json_end(&json);
 *
 * Nesting is limited to 64 levels; deeper nesting and a value in an object without
 * a key are programming errors.
 */
#pragma once

#include "sim/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_JSON_DEPTH = 64
};

struct cs_json {
    struct cs_text *out;
    uint32_t depth;
    uint64_t arrays; /* bit d: level d is an array */
    uint64_t filled; /* bit d: level d has an item */
    bool after_key;
};

void cs_json_object(struct cs_json *json);
void cs_json_array(struct cs_json *json);
/* Closes the innermost object or array; a newline follows the outermost. */
void cs_json_end(struct cs_json *json);

void cs_json_key(struct cs_json *json, const char *name);

void cs_json_text(struct cs_json *json, const char *text); /* NULL: null */
void cs_json_u64(struct cs_json *json, uint64_t number);
/* As by cs_json_show_real(). */
void cs_json_real(struct cs_json *json, double number);
/* Picoseconds as exact decimal seconds. */
void cs_json_exact(struct cs_json *json, uint64_t time_ps);
void cs_json_bool(struct cs_json *json, bool value);
void cs_json_null(struct cs_json *json);

/* A key with its value. */
void cs_json_key_text(struct cs_json *json, const char *name, const char *text);
void cs_json_key_u64(struct cs_json *json, const char *name, uint64_t number);
void cs_json_key_real(struct cs_json *json, const char *name, double number);

/* A whole document: {"error": message, "exit": status}; `status` is the exit status of
 * the program. */
void cs_json_error(const char *message, int status, struct cs_text *out);

enum {
    CS_JSON_REAL_TEXT = 32
};

/* The shortest of %.15g, %.16g, %.17g with `number` as its value, and a
 * point in every locale; "null" for NaN and infinity. */
char *cs_json_show_real(char text[CS_JSON_REAL_TEXT], double number);
