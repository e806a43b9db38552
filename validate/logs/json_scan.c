#include "validate/logs/json_scan.h"

#include <string.h>

bool cs_json_scan_at(const struct cs_json_scan *scan, uint32_t depth, const char *key)
{
    return depth <= CS_JSON_SCAN_LEVELS && !strcmp(scan->keys[depth], key);
}

static void scan_deliver(struct cs_json_scan *scan)
{
    if (!scan->has_text && !scan->in_scalar)
        return;
    scan->text[scan->length] = '\0';
    scan->has_text = scan->in_scalar = false;
    if (scan->depth <= CS_JSON_SCAN_LEVELS)
        scan->value(scan->context, scan, scan->text);
    scan->length = 0;
}

static void scan_open(struct cs_json_scan *scan, bool is_array)
{
    scan_deliver(scan);
    if (scan->depth < UINT32_MAX)
        scan->depth++;
    if (scan->depth > CS_JSON_SCAN_LEVELS)
        return;
    scan->is_array[scan->depth] = is_array;
    scan->keys[scan->depth][0] = '\0';
}

static void scan_close(struct cs_json_scan *scan)
{
    scan_deliver(scan);
    if (!scan->depth)
        return;
    if (scan->depth <= CS_JSON_SCAN_LEVELS)
        scan->end(scan->context, scan, "");
    scan->depth--;
}

/* The text before a colon is the key of the values that follow. */
static void scan_key(struct cs_json_scan *scan)
{
    uint32_t length = scan->length < CS_JSON_SCAN_KEY - 1 ? scan->length : CS_JSON_SCAN_KEY - 1;

    if (!scan->has_text)
        return;
    scan->has_text = false;
    scan->length = 0;
    if (scan->depth > CS_JSON_SCAN_LEVELS)
        return;
    memcpy(scan->keys[scan->depth], scan->text, length);
    scan->keys[scan->depth][length] = '\0';
}

static void scan_append(struct cs_json_scan *scan, char c)
{
    if (scan->length + 1 < CS_JSON_SCAN_TEXT)
        scan->text[scan->length++] = c;
}

static void scan_in_text(struct cs_json_scan *scan, char c)
{
    if (scan->escaped) {
        scan->escaped = false;
        scan_append(scan, c);
    } else if (c == '\\') {
        scan->escaped = true;
    } else if (c == '"') {
        scan->in_text = false;
        scan->has_text = true;
    } else {
        scan_append(scan, c);
    }
}

static void scan_structure(struct cs_json_scan *scan, char c)
{
    switch (c) {
    case '{':
    case '[':
        scan_open(scan, c == '[');
        return;
    case '}':
    case ']':
        scan_close(scan);
        return;
    case ':':
        scan_key(scan);
        return;
    case '"':
        scan_deliver(scan);
        scan->length = 0;
        scan->in_text = true;
        return;
    case ',':
    case ' ':
    case '\t':
    case '\n':
    case '\r':
        if (c == ',' || scan->in_scalar)
            scan_deliver(scan);
        return;
    default:
        if (!scan->in_scalar)
            scan->length = 0;
        scan->in_scalar = true;
        scan->has_text = false;
        scan_append(scan, c);
    }
}

/* The next piece of the document, NUL-ended. */
static void json_scan_feed(struct cs_json_scan *scan, const char *piece)
{
    for (; *piece; piece++) {
        if (scan->in_text)
            scan_in_text(scan, *piece);
        else
            scan_structure(scan, *piece);
    }
}

bool cs_json_scan_claims(const char *head)
{
    return head[strspn(head, " \t\r\n\xef\xbb\xbf")] == '{';
}

void cs_json_scan_line(struct cs_log_builder *builder, void *state, char *line, bool continues)
{
    (void)builder;
    if (!continues)
        json_scan_feed(state, "\n");
    json_scan_feed(state, line);
}
