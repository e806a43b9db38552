/*
 * XML documents without expat: what a text begins with, and the values of a tree.
 */
#include "topo/documents/xml.h"

#include "sim/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The first '<' that opens an element, after comments and declarations, or
 * NULL. */
static const char *first_element(const char *at, const char *end)
{
    while (at < end) {
        at = memchr(at, '<', (size_t)(end - at));
        if (!at)
            return NULL;
        if (end - at >= 4 && memcmp(at, "<!--", 4) == 0) {
            at = memmem(at, (size_t)(end - at), "-->", 3);
            if (!at)
                return NULL;
        } else if (end - at >= 2 && at[1] != '!' && at[1] != '?') {
            return at;
        } else {
            at++;
        }
    }
    return NULL;
}

bool cs_xml_begins_with(const char *text, size_t length, const char *name)
{
    const char *end = text + length;
    const char *at = first_element(text, end);
    size_t letters = strlen(name);

    return at && (size_t)(end - at) > letters + 1 && memcmp(at + 1, name, letters) == 0 &&
           strchr(" \t\r\n/>", at[1 + letters]);
}

/* ---- attributes ---- */

int cs_xml_want_name(const struct cs_doc *doc, uint32_t node, const char *name, struct cs_err *err)
{
    if (cs_same(doc->nodes[node].key, name))
        return 0;
    return cs_doc_err(doc, node, err, "element <%.40s>; expected <%s>", doc->nodes[node].key, name);
}

int cs_xml_want_text(const struct cs_doc *doc, uint32_t node, const char *name, const char **text,
                     struct cs_err *err)
{
    *text = cs_doc_attribute(doc, node, name);
    if (*text)
        return 0;
    return cs_doc_err(doc, node, err, "<%.40s> has no attribute '%s'", doc->nodes[node].key, name);
}

/* Digits after an optional minus sign. */
static bool xml_is_number(const char *text)
{
    size_t digits = strspn(text + (*text == '-'), "0123456789");

    return digits > 0 && text[digits + (*text == '-')] == '\0';
}

int cs_xml_want_number(const struct cs_doc *doc, uint32_t node, const struct cs_xml_number *want,
                       int64_t *number, struct cs_err *err)
{
    const char *text;
    int code = cs_xml_want_text(doc, node, want->name, &text, err);

    if (code)
        return code;
    if (xml_is_number(text)) {
        errno = 0;
        *number = strtoll(text, NULL, 10);
        if (errno == 0 && *number >= want->least && *number <= want->most)
            return 0;
    }
    return cs_doc_err(doc, node, err, "%s=\"%.40s\"; expected a whole number from %lld to %lld",
                      want->name, text, (long long)want->least, (long long)want->most);
}

int cs_xml_number_or(const struct cs_doc *doc, uint32_t node, const struct cs_xml_number *want,
                     int64_t otherwise, int64_t *number, struct cs_err *err)
{
    const char *text = cs_doc_attribute(doc, node, want->name);

    *number = otherwise;
    if (!text || !*text)
        return 0;
    return cs_xml_want_number(doc, node, want, number, err);
}
