#include "scenarios/train/inputs/config_keys.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

enum {
    CONFIG_KEYS = 256, /* of a config, for the nearest name */
    CONFIG_NAME = 64,
};

int cs_config_missing(const struct cs_doc *doc, const char *key, struct cs_err *err)
{
    const char *names[CONFIG_KEYS];
    size_t count = 0;
    int length = (int)strcspn(key, "|");
    char first[CONFIG_NAME];

    snprintf(first, sizeof(first), "%.*s", length, key);
    for (uint32_t child = doc->nodes[0].first; child != CS_DOC_NONE && count < CONFIG_KEYS;
         child = doc->nodes[child].next) {
        if (!doc->nodes[child].key)
            continue;
        if (!strcmp(doc->nodes[child].key, first))
            return cs_doc_err(doc, child, err, "%s is null; expected a value", first);
        names[count++] = doc->nodes[child].key;
    }
    return cs_doc_err(doc, 0, err, "no key '%s'%s", first, cs_hint(first, names, count, NULL).text);
}

static bool config_has(const struct cs_doc *doc, uint32_t node)
{
    return node != CS_DOC_NONE &&
           !(doc->nodes[node].text &&
             (cs_same(doc->nodes[node].text, "null") || cs_same(doc->nodes[node].text, "~")));
}

/* The node of "ffn_config.moe_top_k". */
static uint32_t config_at(const struct cs_doc *doc, char *key)
{
    char *inner = strchr(key, '.');
    uint32_t node;

    if (!inner)
        return cs_doc_get(doc, 0, key);
    *inner = '\0';
    node = cs_doc_get(doc, 0, key);
    return node == CS_DOC_NONE || doc->nodes[node].kind != CS_DOC_MAP
               ? CS_DOC_NONE
               : cs_doc_get(doc, node, inner + 1);
}

uint32_t cs_config_find(const struct cs_doc *doc, const char *keys)
{
    while (keys && *keys) {
        size_t length = strcspn(keys, "|");
        char key[CONFIG_NAME];
        uint32_t node;

        snprintf(key, sizeof(key), "%.*s", (int)length, keys);
        node = config_at(doc, key);
        if (config_has(doc, node))
            return node;
        keys += length + (keys[length] == '|');
    }
    return CS_DOC_NONE;
}

int cs_config_count(const struct cs_doc *doc, const char *keys, uint32_t otherwise, uint32_t *count,
                    struct cs_err *err)
{
    uint32_t node = cs_config_find(doc, keys);

    if (node != CS_DOC_NONE)
        return cs_doc_want_count(doc, node, doc->nodes[node].key, CS_CONFIG_MOST, count, err);
    if (!otherwise)
        return cs_config_missing(doc, keys, err);
    *count = otherwise;
    return 0;
}

int cs_config_size(const struct cs_doc *doc, const char *keys, uint32_t otherwise, uint32_t *count,
                   struct cs_err *err)
{
    struct cs_err missing = {0};

    if (cs_config_find(doc, keys) == CS_DOC_NONE && otherwise &&
        cs_config_missing(doc, keys, &missing) &&
        (strstr(missing.text, "did you mean") || strstr(missing.text, " is null")))
        otherwise = 0;
    return cs_config_count(doc, keys, otherwise, count, err);
}

int cs_config_flag(const struct cs_doc *doc, const char *key, bool otherwise, bool *flag,
                   struct cs_err *err)
{
    uint32_t node = cs_config_find(doc, key);
    const char *text;
    int code;

    *flag = otherwise;
    if (node == CS_DOC_NONE)
        return 0;
    code = cs_doc_want_text(doc, node, key, &text, err);
    if (code)
        return code;
    *flag = cs_same(text, "true");
    return *flag || cs_same(text, "false")
               ? 0
               : cs_doc_err(doc, node, err, "%s: expected true or false", key);
}

int cs_config_optional(const struct cs_doc *doc, const char *keys, uint32_t *count,
                       struct cs_err *err)
{
    uint32_t node = cs_config_find(doc, keys);

    *count = 0;
    if (node == CS_DOC_NONE || (doc->nodes[node].text && cs_same(doc->nodes[node].text, "0")))
        return 0;
    return cs_doc_want_count(doc, node, doc->nodes[node].key, CS_CONFIG_MOST, count, err);
}
