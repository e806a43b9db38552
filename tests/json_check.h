/*
 * A strict reader of JSON (RFC 8259) for tests: whether a text is one document.
 */
#pragma once

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static inline const char *json_check_space(const char *at)
{
    return at + strspn(at, " \t\n\r");
}

static inline const char *json_check_hex(const char *at)
{
    for (int i = 0; i < 4; i++)
        if (!isxdigit((unsigned char)*at++))
            return NULL;
    return at;
}

/* Behind the closing quote, or NULL. */
static inline const char *json_check_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    while (at && *at != '"') {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at != '\\')
            at++;
        else if (at[1] == 'u')
            at = json_check_hex(at + 2);
        else if (at[1] && strchr("\"\\/bfnrt", at[1]))
            at += 2;
        else
            return NULL;
    }
    return at ? at + 1 : NULL;
}

static inline const char *json_check_number(const char *at)
{
    at += *at == '-';
    if (!isdigit((unsigned char)*at) || (*at == '0' && isdigit((unsigned char)at[1])))
        return NULL;
    at += strspn(at, "0123456789");
    if (*at == '.') {
        if (!isdigit((unsigned char)*++at))
            return NULL;
        at += strspn(at, "0123456789");
    }
    if (*at != 'e' && *at != 'E')
        return at;
    at++;
    at += *at == '+' || *at == '-';
    return isdigit((unsigned char)*at) ? at + strspn(at, "0123456789") : NULL;
}

static inline const char *json_check_value(const char *at);

/* The items of an array or object, behind the bracket. */
/* NOLINTNEXTLINE(misc-no-recursion): nesting is recursive */
static inline const char *json_check_items(const char *at, char close)
{
    at = json_check_space(at);
    if (*at == close)
        return at + 1;
    while (at) {
        if (close == '}') {
            at = json_check_string(json_check_space(at));
            at = at ? json_check_space(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = json_check_value(at);
        at = at ? json_check_space(at) : NULL;
        if (at && *at == close)
            return at + 1;
        if (!at || *at++ != ',')
            return NULL;
    }
    return NULL;
}

/* NOLINTNEXTLINE(misc-no-recursion): nesting is recursive */
static inline const char *json_check_value(const char *at)
{
    static const char *const words[] = {"true", "false", "null"};

    at = json_check_space(at);
    if (*at == '{' || *at == '[')
        return json_check_items(at + 1, *at == '{' ? '}' : ']');
    if (*at == '"')
        return json_check_string(at);
    for (int w = 0; w < 3; w++)
        if (strncmp(at, words[w], strlen(words[w])) == 0)
            return at + strlen(words[w]);
    return json_check_number(at);
}

static inline bool json_check(const char *text)
{
    const char *end = json_check_value(text);

    return end && *json_check_space(end) == '\0';
}

/* How often `part` occurs in the text. */
static inline size_t json_count(const char *text, const char *part)
{
    size_t count = 0;

    for (text = strstr(text, part); text; text = strstr(text + 1, part))
        count++;
    return count;
}
