#include "reports/results/json.h"

#include "sim/base/err.h"
#include "sim/base/units.h"
#include "sim/base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool json_in_array(const struct cs_json *json)
{
    return (json->arrays >> json->depth & 1U) != 0;
}

static void json_new_line(struct cs_json *json)
{
    cs_text_add(json->out, "\n");
    for (uint32_t i = 0; i < json->depth; i++)
        cs_text_add(json->out, "  ");
}

/* The comma and the indentation before an item of the innermost level. */
static void json_before_item(struct cs_json *json)
{
    if (json->depth == 0)
        return;
    if (json->filled >> json->depth & 1U)
        cs_text_add(json->out, ",");
    json->filled |= (uint64_t)1 << json->depth;
    json_new_line(json);
}

/* A value follows a key directly; in an array a value starts an item. */
static void json_before_value(struct cs_json *json)
{
    assert(json->after_key || json->depth == 0 || json_in_array(json));
    if (!json->after_key)
        json_before_item(json);
    json->after_key = false;
}

/* Levels are bits, so nesting needs no memory. */
static void json_open_level(struct cs_json *json, const char *bracket, uint64_t array)
{
    json_before_value(json);
    cs_text_add(json->out, bracket);
    json->depth++;
    assert(json->depth < CS_JSON_DEPTH);
    json->filled &= ~((uint64_t)1 << json->depth);
    json->arrays &= ~((uint64_t)1 << json->depth);
    json->arrays |= array << json->depth;
}

void cs_json_object(struct cs_json *json)
{
    json_open_level(json, "{", 0);
}

void cs_json_array(struct cs_json *json)
{
    json_open_level(json, "[", 1);
}

void cs_json_end(struct cs_json *json)
{
    bool filled = (json->filled >> json->depth & 1U) != 0;
    bool array = json_in_array(json);

    assert(json->depth > 0 && !json->after_key);
    json->depth--;
    if (filled)
        json_new_line(json);
    cs_text_add(json->out, array ? "]" : "}");
    if (json->depth == 0)
        cs_text_add(json->out, "\n");
}

/* Short escapes where JSON has one; \u otherwise. */
static void json_add_escaped(struct cs_text *out, uint32_t code)
{
    switch (code) {
    case '"':
        cs_text_add(out, "\\\"");
        break;
    case '\\':
        cs_text_add(out, "\\\\");
        break;
    case '\n':
        cs_text_add(out, "\\n");
        break;
    case '\r':
        cs_text_add(out, "\\r");
        break;
    case '\t':
        cs_text_add(out, "\\t");
        break;
    default:
        cs_text_printf(out, "\\u%04" PRIx32, code);
        break;
    }
}

static void json_add_string(struct cs_text *out, const char *text)
{
    struct cs_utf8_char c;

    cs_text_add(out, "\"");
    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        if (!c.valid)
            cs_text_add(out, "\xEF\xBF\xBD"); /* U+FFFD */
        else if (c.code == '"' || c.code == '\\' || cs_utf8_is_control(c.code))
            json_add_escaped(out, c.code);
        else
            cs_text_add_n(out, text, c.length);
        text += c.length;
    }
    cs_text_add(out, "\"");
}

void cs_json_key(struct cs_json *json, const char *name)
{
    assert(json->depth > 0 && !json_in_array(json) && !json->after_key);
    json_before_item(json);
    json_add_string(json->out, name);
    cs_text_add(json->out, ": ");
    json->after_key = true;
}

void cs_json_text(struct cs_json *json, const char *text)
{
    if (!text) {
        cs_json_null(json);
        return;
    }
    json_before_value(json);
    json_add_string(json->out, text);
}

void cs_json_u64(struct cs_json *json, uint64_t number)
{
    json_before_value(json);
    cs_text_printf(json->out, "%" PRIu64, number);
}

/* 15 digits suffice for most values; 17 suffice for every double. */
char *cs_json_show_real(char text[CS_JSON_REAL_TEXT], double number)
{
    char *comma;

    if (!isfinite(number))
        return memcpy(text, "null", sizeof "null");
    number += 0; /* -0 is 0 */
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, CS_JSON_REAL_TEXT, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    /* The locale may have a decimal comma. */
    comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    return text;
}

void cs_json_real(struct cs_json *json, double number)
{
    char text[CS_JSON_REAL_TEXT];

    json_before_value(json);
    cs_text_add(json->out, cs_json_show_real(text, number));
}

void cs_json_exact(struct cs_json *json, uint64_t time_ps)
{
    json_before_value(json);
    cs_text_add(json->out, cs_show_exact(time_ps).text);
}

void cs_json_bool(struct cs_json *json, bool value)
{
    json_before_value(json);
    cs_text_add(json->out, value ? "true" : "false");
}

void cs_json_null(struct cs_json *json)
{
    json_before_value(json);
    cs_text_add(json->out, "null");
}

void cs_json_key_text(struct cs_json *json, const char *name, const char *text)
{
    cs_json_key(json, name);
    cs_json_text(json, text);
}

void cs_json_key_u64(struct cs_json *json, const char *name, uint64_t number)
{
    cs_json_key(json, name);
    cs_json_u64(json, number);
}

void cs_json_key_real(struct cs_json *json, const char *name, double number)
{
    cs_json_key(json, name);
    cs_json_real(json, number);
}

void cs_json_error(const char *message, int status, struct cs_text *out)
{
    struct cs_json json = {.out = out};

    assert(status >= 0);
    cs_json_object(&json);
    cs_json_key_text(&json, "error", message);
    cs_json_key_u64(&json, "exit", (uint64_t)status);
    if (status == -CS_ESTOPPED) {
        cs_json_key(&json, "interrupted");
        cs_json_bool(&json, true);
    }
    cs_json_end(&json);
}
