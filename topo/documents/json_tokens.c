#include "topo/documents/json_tokens.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    JSON_BUFFER = 1 << 16,
    JSON_EOF = -1,
    JSON_NUMBER_MAX = 400, /* digits of the least double, written out */
};

/* What may stand at the reader's place. */
enum json_state {
    JSON_WANT_VALUE,
    JSON_WANT_FIRST_VALUE, /* or the end of the list */
    JSON_WANT_KEY,
    JSON_WANT_FIRST_KEY, /* or the end of the object */
    JSON_WANT_COMMA,     /* or the end of the object or list */
    JSON_WANT_NOTHING,   /* the document is whole */
    JSON_STOPPED,
};

struct cs_json_reader {
    struct cs_json_source source;
    const char *name;
    const unsigned char *data; /* the buffer, or the whole text */
    size_t at, filled;
    uint64_t before; /* bytes of earlier buffers */
    unsigned line;
    enum json_state state;
    enum cs_json_token last;
    uint32_t depth;
    bool is_list[CS_JSON_DEPTH_MAX];
    bool discards; /* strings and numbers of a skipped value */
    struct cs_text text;
    struct cs_err problem;
    unsigned char buffer[JSON_BUFFER];
};

/* ---- input ---- */

static bool json_refill(struct cs_json_reader *json)
{
    json->before += json->filled;
    json->at = json->filled = 0;
    if (json->source.file) {
        json->data = json->buffer;
        json->filled = fread(json->buffer, 1, sizeof(json->buffer), json->source.file);
    }
    return json->filled > 0;
}

static inline int json_peek(struct cs_json_reader *json)
{
    if (json->at == json->filled && !json_refill(json))
        return JSON_EOF;
    return json->data[json->at];
}

static inline int json_take(struct cs_json_reader *json)
{
    int c = json_peek(json);

    if (c != JSON_EOF)
        json->at++;
    return c;
}

/* The first byte that is no white space; it is not taken. */
static int json_peek_token(struct cs_json_reader *json)
{
    for (;;) {
        int c = json_peek(json);

        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return c;
        json->line += c == '\n';
        json->at++;
    }
}

/* ---- problems ---- */

static enum cs_json_token json_stop(struct cs_json_reader *json, enum cs_json_token token)
{
    json->state = JSON_STOPPED;
    return json->last = token;
}

/* `c` is the byte at the reader's place. */
static enum cs_json_token json_bad(struct cs_json_reader *json, int c, const char *expected)
{
    unsigned long long byte = json->before + json->at;

    if (c == JSON_EOF)
        return json_stop(json, CS_JSON_TRUNCATED);
    if (c > ' ' && c < 0x7f)
        cs_err_at(&json->problem, CS_EINPUT, json->name, json->line,
                  "byte %llu: '%c' where %s is expected", byte, c, expected);
    else
        cs_err_at(&json->problem, CS_EINPUT, json->name, json->line,
                  "byte %llu: a byte %d where %s is expected", byte, c, expected);
    return json_stop(json, CS_JSON_BAD);
}

/* ---- strings ---- */

static void json_keep(struct cs_json_reader *json, const char *more, size_t length)
{
    if (!json->discards)
        cs_text_add_n(&json->text, more, length);
}

/* Four hexadecimal digits, or a negative number. */
static int json_hex4(struct cs_json_reader *json)
{
    int value = 0;

    for (int i = 0; i < 4; i++) {
        int c = json_peek(json);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;

        if (digit < 0)
            return -1;
        json->at++;
        value = value * 16 + digit;
    }
    return value;
}

/* A code point of \uXXXX; halves of a surrogate pair become one "?" each, for
 * names are matched in ASCII only. */
static bool json_unicode(struct cs_json_reader *json)
{
    int code = json_hex4(json);
    char bytes[3];
    size_t count = 0;

    if (code < 0)
        return false;
    if (code < 0x80)
        bytes[count++] = (char)code;
    else if (code >= 0xd800 && code < 0xe000)
        bytes[count++] = '?';
    else {
        if (code >= 0x800) {
            bytes[count++] = (char)(0xe0 | code >> 12);
            bytes[count++] = (char)(0x80 | (code >> 6 & 0x3f));
        } else
            bytes[count++] = (char)(0xc0 | code >> 6);
        bytes[count++] = (char)(0x80 | (code & 0x3f));
    }
    json_keep(json, bytes, count);
    return true;
}

/* Behind a backslash.  An unknown escape keeps its backslash: profilers write
 * paths of Windows and regular expressions without care. */
static bool json_escape(struct cs_json_reader *json)
{
    static const char escapes[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    int c = json_take(json);
    const char *found;
    char kept[2] = {'\\', (char)c};

    if (c == JSON_EOF)
        return false;
    if (c == 'u')
        return json_unicode(json);
    found = c ? strchr(escapes, c) : NULL;
    if (found)
        json_keep(json, &meanings[found - escapes], 1);
    else
        json_keep(json, kept, sizeof(kept));
    return true;
}

/* Bytes up to a quote, a backslash or the end of the buffer, in one piece. */
static void json_plain(struct cs_json_reader *json)
{
    size_t from = json->at, at = from;

    while (at < json->filled && json->data[at] != '"' && json->data[at] != '\\') {
        json->line += json->data[at] == '\n';
        at++;
    }
    json->at = at;
    json_keep(json, (const char *)json->data + from, at - from);
}

/* Behind the opening quote. */
static enum cs_json_token json_string(struct cs_json_reader *json, enum cs_json_token token)
{
    json->text.length = 0;
    json_keep(json, "", 0);
    for (;;) {
        int c = json_peek(json);

        if (c == JSON_EOF)
            return json_stop(json, CS_JSON_TRUNCATED);
        if (json->text.length > CS_JSON_STRING_MAX)
            return json_bad(json, c, "the end of a string of 16 MiB");
        if (c != '"' && c != '\\') {
            json_plain(json);
            continue;
        }
        json->at++;
        if (c == '"')
            return json->last = token;
        if (!json_escape(json))
            return json_bad(json, json_peek(json), "a hexadecimal digit of \\u");
    }
}

/* ---- numbers and words ---- */

static bool json_is_word(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.';
}

static bool json_is_number(const char *text)
{
    char *end;

    if (strpbrk(text, "xXpP"))
        return false; /* strtod reads hexadecimal numbers, JSON has none */
    strtod(text, &end);
    return end != text && !*end;
}

static enum cs_json_token json_word(struct cs_json_reader *json)
{
    char word[JSON_NUMBER_MAX + 1];
    size_t length = 0;
    enum cs_json_token token = CS_JSON_NUMBER;
    int first = json_peek(json);

    while (json_is_word(json_peek(json)) && length < JSON_NUMBER_MAX)
        word[length++] = (char)json_take(json);
    word[length] = '\0';
    if (json_peek(json) == JSON_EOF)
        return json_stop(json, CS_JSON_TRUNCATED); /* digits may be missing */
    if (cs_same(word, "true"))
        token = CS_JSON_TRUE;
    else if (cs_same(word, "false"))
        token = CS_JSON_FALSE;
    else if (cs_same(word, "null"))
        token = CS_JSON_NULL;
    else if (!length || json_is_word(json_peek(json)) || !json_is_number(word))
        return json_bad(json, first, "a value");
    json->text.length = 0;
    json_keep(json, word, length);
    return json->last = token;
}

/* ---- structure ---- */

static void json_after_value(struct cs_json_reader *json)
{
    json->state = json->depth ? JSON_WANT_COMMA : JSON_WANT_NOTHING;
}

static enum cs_json_token json_enter(struct cs_json_reader *json, bool is_list)
{
    if (json->depth == CS_JSON_DEPTH_MAX)
        return json_bad(json, is_list ? '[' : '{', "a depth of at most 64");
    json->at++;
    json->is_list[json->depth++] = is_list;
    json->state = is_list ? JSON_WANT_FIRST_VALUE : JSON_WANT_FIRST_KEY;
    return json->last = is_list ? CS_JSON_LIST : CS_JSON_OBJECT;
}

static enum cs_json_token json_leave(struct cs_json_reader *json)
{
    bool is_list = json->is_list[--json->depth];

    json->at++;
    json_after_value(json);
    return json->last = is_list ? CS_JSON_LIST_END : CS_JSON_OBJECT_END;
}

static enum cs_json_token json_value(struct cs_json_reader *json)
{
    int c = json_peek_token(json);
    enum cs_json_token token;

    if (c == '{' || c == '[')
        return json_enter(json, c == '[');
    if (c == ']' && json->state == JSON_WANT_FIRST_VALUE)
        return json_leave(json);
    if (c == '"') {
        json->at++;
        token = json_string(json, CS_JSON_STRING);
    } else if (json_is_word(c))
        token = json_word(json);
    else
        return json_bad(json, c, "a value");
    if (token > CS_JSON_STOPS)
        json_after_value(json);
    return token;
}

static enum cs_json_token json_key(struct cs_json_reader *json)
{
    int c = json_peek_token(json);

    if (c == '}' && json->state == JSON_WANT_FIRST_KEY)
        return json_leave(json);
    if (c != '"')
        return json_bad(json, c, "a key in double quotes");
    json->at++;
    if (json_string(json, CS_JSON_KEY) <= CS_JSON_STOPS)
        return json->last;
    c = json_peek_token(json);
    if (c != ':')
        return json_bad(json, c, "':'");
    json->at++;
    json->state = JSON_WANT_VALUE;
    return json->last = CS_JSON_KEY;
}

/* A comma and what follows, or the end of the object or list. */
static enum cs_json_token json_rest(struct cs_json_reader *json)
{
    bool is_list = json->is_list[json->depth - 1];
    int c = json_peek_token(json);

    if (c == (is_list ? ']' : '}'))
        return json_leave(json);
    if (c != ',')
        return json_bad(json, c, is_list ? "',' or ']'" : "',' or '}'");
    json->at++;
    json->state = is_list ? JSON_WANT_VALUE : JSON_WANT_KEY;
    return is_list ? json_value(json) : json_key(json);
}

enum cs_json_token cs_json_reader_next(struct cs_json_reader *json)
{
    int c;

    switch (json->state) {
    case JSON_WANT_VALUE:
    case JSON_WANT_FIRST_VALUE:
        return json_value(json);
    case JSON_WANT_KEY:
    case JSON_WANT_FIRST_KEY:
        return json_key(json);
    case JSON_WANT_COMMA:
        return json_rest(json);
    case JSON_WANT_NOTHING:
        c = json_peek_token(json);
        return c == JSON_EOF ? json_stop(json, CS_JSON_END)
                             : json_bad(json, c, "the end of the file");
    case JSON_STOPPED:
        break;
    }
    return json->last;
}

enum cs_json_token cs_json_reader_skip(struct cs_json_reader *json)
{
    uint32_t outside = json->depth;
    enum cs_json_token token = json->last;

    if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
        outside--;
    else if (token != CS_JSON_KEY)
        return token;
    json->discards = true;
    do
        token = cs_json_reader_next(json);
    while (token > CS_JSON_STOPS && json->depth > outside);
    json->discards = false;
    return token;
}

/* ---- values ---- */

const char *cs_json_reader_text(const struct cs_json_reader *json)
{
    return cs_text_str(&json->text);
}

double cs_json_reader_number(const struct cs_json_reader *json)
{
    return json->last == CS_JSON_NUMBER ? strtod(cs_json_reader_text(json), NULL) : (double)NAN;
}

unsigned cs_json_reader_line(const struct cs_json_reader *json)
{
    return json->line;
}

uint64_t cs_json_reader_byte(const struct cs_json_reader *json)
{
    return json->before + json->at;
}

uint32_t cs_json_reader_depth(const struct cs_json_reader *json)
{
    return json->depth;
}

int cs_json_reader_problem(const struct cs_json_reader *json, struct cs_err *err)
{
    if (json->problem.code)
        cs_err_set(err, json->problem.code, "%s", json->problem.text);
    return json->problem.code;
}

/* ---- lifetime ---- */

struct cs_json_reader *cs_json_reader_open(struct cs_json_source source, const char *name)
{
    struct cs_json_reader *json = cs_grow(NULL, 1, sizeof(*json));

    memset(json, 0, offsetof(struct cs_json_reader, buffer));
    json->source = source;
    json->name = name;
    json->line = 1;
    json->data = (const unsigned char *)source.text;
    json->filled = source.length;
    return json;
}

void cs_json_reader_close(struct cs_json_reader *json)
{
    cs_text_free(&json->text);
    free(json);
}
