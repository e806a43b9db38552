/*
 * JSON scanner: values with their keys, from text that comes in pieces.
 *
 * A document that ends early has delivered its values until then.  The scanner
 * checks no grammar beyond nesting: a misplaced comma is no error.  Levels
 * deeper than JSON_SCAN_LEVELS and texts longer than the buffer are skipped and
 * cut.
 *
 *     feed   O(bytes), no allocation
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_JSON_SCAN_LEVELS = 16,
    CS_JSON_SCAN_TEXT = 256,
    CS_JSON_SCAN_KEY = 40,
};

struct cs_json_scan;

/* A scalar at the keys of levels 1 to depth; `text` without quotes. */
typedef void cs_json_scan_fn(void *context, const struct cs_json_scan *scan, const char *text);

struct cs_json_scan {
    cs_json_scan_fn *value;
    cs_json_scan_fn *end; /* of an object or array, before its level goes */
    void *context;
    uint32_t depth; /* open objects and arrays */
    /* keys[d]: of the item in level d; "" in an array. */
    char keys[CS_JSON_SCAN_LEVELS + 1][CS_JSON_SCAN_KEY];
    bool is_array[CS_JSON_SCAN_LEVELS + 1];
    char text[CS_JSON_SCAN_TEXT];
    uint32_t length;
    bool in_text, in_scalar, escaped;
    bool has_text; /* a text that is a key if a colon follows */
};

/* Whether the key of level `depth` is `key`. */
bool cs_json_scan_at(const struct cs_json_scan *scan, uint32_t depth, const char *key);

/* Whether the first bytes of a file begin an object. */
bool cs_json_scan_claims(const char *head);

/* The lines of a format (builder.h) whose state begins with its scan. */
struct cs_log_builder;
void cs_json_scan_line(struct cs_log_builder *builder, void *state, char *line, bool continues);
