/*
 * Tokens of JSON: a streaming reader of files of any size.
 *
 *     struct cs_json_reader *json = cs_json_reader_open(source, "trace.json");
 *
 *     while ((token = cs_json_reader_next(json)) > CS_JSON_STOPS)
 *         ...
 *     cs_json_reader_close(json);
 *
 * A document is checked as far as it is read: nesting, commas, colons.  Beyond
 * RFC 8259 the reader accepts what profilers write: NaN and Infinity as numbers,
 * unknown escapes and control characters in strings (both are kept as they are).
 * yaml.h reads small JSON files into a tree.
 *
 *     next   O(bytes of the token)
 *     skip   O(bytes of the value), copies nothing
 *
 * Memory is a buffer of fixed size, and the longest string.
 */
#pragma once

#include "sim/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CS_JSON_DEPTH_MAX = 64,
    CS_JSON_STRING_MAX = 16 << 20, /* 723 tensors have lists of 20 KB */
};

enum cs_json_token {
    CS_JSON_END,       /* after a whole document */
    CS_JSON_TRUNCATED, /* the input ends inside of the document */
    CS_JSON_BAD,       /* cs_json_reader_problem has the place and the expectation */
    CS_JSON_STOPS = CS_JSON_BAD,
    CS_JSON_OBJECT,
    CS_JSON_OBJECT_END,
    CS_JSON_LIST,
    CS_JSON_LIST_END,
    CS_JSON_KEY, /* the value follows */
    CS_JSON_STRING,
    CS_JSON_NUMBER,
    CS_JSON_TRUE,
    CS_JSON_FALSE,
    CS_JSON_NULL,
};

/* A text in memory, then the rest of a file unless NULL; neither is copied. */
struct cs_json_source {
    const char *text;
    size_t length;
    FILE *file;
};

struct cs_json_reader;

/* `name` is the file in messages and is not copied. */
struct cs_json_reader *cs_json_reader_open(struct cs_json_source source, const char *name);
void cs_json_reader_close(struct cs_json_reader *json);

/* The next token.  A token up to CS_JSON_STOPS comes again on each call. */
enum cs_json_token cs_json_reader_next(struct cs_json_reader *json);

/* Reads over the value behind a key, or over the rest of the object or list
 * whose start was the last token.  Another last token is a whole value.  The
 * result is the last token of the value, or a stop. */
enum cs_json_token cs_json_reader_skip(struct cs_json_reader *json);

/* The text of the last key, string or number, valid until the next token.
 * Bytes after a NUL (the escape \u0000) are not part of the text. */
const char *cs_json_reader_text(const struct cs_json_reader *json);
/* The last number; NAN after another token. */
double cs_json_reader_number(const struct cs_json_reader *json);

unsigned cs_json_reader_line(const struct cs_json_reader *json);
uint64_t cs_json_reader_byte(const struct cs_json_reader *json); /* read so far */
/* Objects and lists that are open. */
uint32_t cs_json_reader_depth(const struct cs_json_reader *json);

/* CS_EINPUT after CS_JSON_BAD, "file:line: byte 17: expected ..."; 0 after other
 * tokens. */
int cs_json_reader_problem(const struct cs_json_reader *json, struct cs_err *err);
