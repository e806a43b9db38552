#include "topo/documents/doc.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------ search */

uint32_t cs_doc_get(const struct cs_doc *doc, uint32_t map, const char *key)
{
    bool is_map = doc->nodes[map].kind == CS_DOC_MAP;
    uint32_t i = is_map ? doc->nodes[map].first : CS_DOC_NONE;

    while (i != CS_DOC_NONE && !cs_same(doc->nodes[i].key, key))
        i = doc->nodes[i].next;
    return i;
}

bool cs_doc_is(const struct cs_doc *doc, uint32_t node, const char *key)
{
    return cs_same(doc->nodes[node].key, key);
}

uint32_t cs_doc_count(const struct cs_doc *doc, uint32_t map, const char *key)
{
    uint32_t count = 0;

    for (uint32_t i = doc->nodes[map].first; i != CS_DOC_NONE; i = doc->nodes[i].next)
        count += cs_doc_is(doc, i, key);
    return count;
}

const char *cs_doc_attribute(const struct cs_doc *doc, uint32_t node, const char *name)
{
    const struct cs_doc_attribute *attribute = &doc->attributes[doc->nodes[node].attribute];

    for (uint32_t i = 0; i < doc->nodes[node].attributes; i++)
        if (cs_same(attribute[i].name, name))
            return attribute[i].value;
    return NULL;
}

/* ------------------------------------------------------------ check */

int cs_doc_err(const struct cs_doc *doc, uint32_t node, struct cs_err *err, const char *format, ...)
{
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return cs_err_at(err, CS_EINPUT, doc->file, doc->nodes[node].line, "%s", text);
}

static const char *kind_name(const struct cs_doc_node *node)
{
    switch (node->kind) {
    case CS_DOC_LIST:
        return "a list";
    case CS_DOC_MAP:
        return "a map";
    default:
        return *node->text ? "a text" : "nothing";
    }
}

static int doc_want(const struct cs_doc *doc, uint32_t node, enum cs_doc_kind kind,
                    const char *what, struct cs_err *err)
{
    static const char *const expected[CS_DOC_KINDS] = {
        [CS_DOC_SCALAR] = "a text",
        [CS_DOC_LIST] = "a list",
        [CS_DOC_MAP] = "a map of 'key: value'",
    };

    if (doc->nodes[node].kind == kind)
        return 0;
    return cs_doc_err(doc, node, err, "%s is %s; expected %s", what, kind_name(&doc->nodes[node]),
                      expected[kind]);
}

int cs_doc_want_map(const struct cs_doc *doc, uint32_t node, const char *what, struct cs_err *err)
{
    return doc_want(doc, node, CS_DOC_MAP, what, err);
}

int cs_doc_want_list(const struct cs_doc *doc, uint32_t node, const char *what, struct cs_err *err)
{
    return doc_want(doc, node, CS_DOC_LIST, what, err);
}

static int unknown_key(const struct cs_doc *doc, uint32_t value, const char *what,
                       const char *const *names, struct cs_err *err)
{
    const struct cs_doc_node *node = &doc->nodes[value];
    size_t count = 0;

    while (names[count])
        count++;
    return cs_err_at(err, CS_EINPUT, doc->file, node->key_line, "no key called '%s' in %s%s",
                     node->key, what, cs_hint_all(node->key, names, count).text);
}

int cs_doc_want_keys(const struct cs_doc *doc, uint32_t map, const char *what,
                     const char *const *names, struct cs_err *err)
{
    int rc = cs_doc_want_map(doc, map, what, err);

    if (rc)
        return rc;
    for (uint32_t i = doc->nodes[map].first; i != CS_DOC_NONE; i = doc->nodes[i].next) {
        const char *const *name = names;

        while (*name && !cs_same(*name, doc->nodes[i].key))
            name++;
        if (!*name)
            return unknown_key(doc, i, what, names, err);
    }
    return 0;
}

int cs_doc_want_text(const struct cs_doc *doc, uint32_t node, const char *what, const char **text,
                     struct cs_err *err)
{
    int rc = doc_want(doc, node, CS_DOC_SCALAR, what, err);

    if (rc)
        return rc;
    *text = doc->nodes[node].text;
    if (!**text)
        return cs_doc_err(doc, node, err, "%s is empty; expected a text", what);
    return 0;
}

int cs_doc_want_rate(const struct cs_doc *doc, uint32_t node, const char *what, double *rate_Bps,
                     struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;
    int rc = cs_doc_want_text(doc, node, what, &text, err);

    if (rc)
        return rc;
    if (cs_units_rate(text, rate_Bps, &why))
        return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
    return 0;
}

int cs_doc_want_time(const struct cs_doc *doc, uint32_t node, const char *what, uint64_t *time_ps,
                     struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;
    int rc = cs_doc_want_text(doc, node, what, &text, err);

    if (rc)
        return rc;
    if (cs_units_time(text, time_ps, &why))
        return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
    return 0;
}

int cs_doc_want_fraction(const struct cs_doc *doc, uint32_t node, const char *what,
                         double *fraction, struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;
    int rc = cs_doc_want_text(doc, node, what, &text, err);

    if (rc)
        return rc;
    if (cs_units_fraction(text, fraction, &why))
        return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
    return 0;
}

int cs_doc_want_count(const struct cs_doc *doc, uint32_t node, const char *what, uint32_t max,
                      uint32_t *count, struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;
    uint64_t value = 0;
    int rc = cs_doc_want_text(doc, node, what, &text, err);

    if (rc)
        return rc;
    if (cs_units_count(text, 1, max, &value, &why))
        return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
    *count = (uint32_t)value;
    return 0;
}
