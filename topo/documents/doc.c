#include "topo/documents/doc.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/values.h"

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

const char *cs_doc_text_or(const struct cs_doc *doc, uint32_t map, const char *key,
                           const char *otherwise)
{
    uint32_t node = cs_doc_get(doc, map, key);

    return node != CS_DOC_NONE && doc->nodes[node].text ? doc->nodes[node].text : otherwise;
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

int cs_doc_need(const struct cs_doc *doc, uint32_t map, const char *key, uint32_t *node,
                struct cs_err *err)
{
    *node = cs_doc_get(doc, map, key);
    return *node == CS_DOC_NONE ? cs_doc_err(doc, map, err, "'%s' is missing", key) : 0;
}

int cs_doc_need_list(const struct cs_doc *doc, uint32_t map, const char *key, uint32_t *list,
                     struct cs_err *err)
{
    int rc = cs_doc_need(doc, map, key, list, err);

    return rc ? rc : cs_doc_want_list(doc, *list, key, err);
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
                       const char *const *names, size_t count, struct cs_err *err)
{
    const struct cs_doc_node *node = &doc->nodes[value];

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
        size_t n = 0;

        while (names[n] && !cs_same(names[n], doc->nodes[i].key))
            n++;
        if (!names[n])
            return unknown_key(doc, i, what, names, n, err);
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

/* Reads a value of a form; the name precedes its message, unless that is complete. */
static int doc_want_value(const struct cs_doc *doc, uint32_t node, const char *what,
                          const struct cs_value *as, void *target, struct cs_err *err)
{
    struct cs_err why = {0};
    const char *text;

    if (cs_doc_want_text(doc, node, what, &text, err))
        return CS_EINPUT;
    if (!cs_value_read(as, text, target, &why))
        return 0;
    if (as->is_complete)
        return cs_doc_err(doc, node, err, "%s", why.text);
    return cs_doc_err(doc, node, err, "%s: %s", what, why.text);
}

int cs_doc_want_fraction(const struct cs_doc *doc, uint32_t node, const char *what,
                         double *fraction, struct cs_err *err)
{
    return doc_want_value(doc, node, what, &(struct cs_value){.read = cs_value_fraction}, fraction,
                          err);
}

int cs_doc_want_count(const struct cs_doc *doc, uint32_t node, const char *what, uint32_t max,
                      uint32_t *count, struct cs_err *err)
{
    return doc_want_value(doc, node, what, &(struct cs_value){.read = cs_value_count, .most = max},
                          count, err);
}

/* "device 'gpu' has no 'kind'", "a link has no 'class'" */
static int missing_key(const struct cs_doc *doc, uint32_t map, const char *what, const char *name,
                       struct cs_err *err)
{
    const char *key = doc->nodes[map].key;

    if (!key)
        return cs_doc_err(doc, map, err, "%s has no '%s'", what, name);
    return cs_doc_err(doc, map, err, "%s '%s' has no '%s'", what + strlen("a "), key, name);
}

static int doc_want_needed(const struct cs_doc *doc, uint32_t map, const char *what,
                           struct cs_values values, struct cs_err *err)
{
    for (size_t i = 0; i < values.count; i++)
        if (values.items[i].is_needed && cs_doc_get(doc, map, values.items[i].name) == CS_DOC_NONE)
            return missing_key(doc, map, what, values.items[i].name, err);
    return 0;
}

int cs_doc_read_values(const struct cs_doc *doc, uint32_t map, const char *what,
                       struct cs_values values, void *target, struct cs_err *err)
{
    const char *names[CS_VALUES_MAX + 1] = {NULL};
    char quoted[CS_ERR_TEXT_MAX];

    cs_value_names(values.items, values.count, names);
    if (cs_doc_want_keys(doc, map, what, names, err))
        return CS_EINPUT;
    if (doc_want_needed(doc, map, what, values, err))
        return CS_EINPUT;
    for (size_t i = 0; i < values.count; i++) {
        uint32_t node = values.items[i].read ? cs_doc_get(doc, map, names[i]) : CS_DOC_NONE;

        (void)snprintf(quoted, sizeof(quoted), "'%s'", names[i]);
        if (node != CS_DOC_NONE && doc_want_value(doc, node, quoted, &values.items[i], target, err))
            return CS_EINPUT;
    }
    return 0;
}
