#include "scenarios/train/inputs/config.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    CONFIG_KEYS = 256, /* of a config, for the nearest name */
    CONFIG_NAME = 64,
};

/* ---- errors ---- */

void cs_config_refuse(struct cs_config *config, uint32_t node, const char *format, ...)
{
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    if (config->code)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    config->code = cs_doc_err(&config->doc, node, config->err, "%s", text);
}

static int config_missing(const struct cs_doc *doc, const char *key, struct cs_err *err)
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

void cs_config_missing(struct cs_config *config, const char *key)
{
    if (!config->code)
        config->code = config_missing(&config->doc, key, config->err);
}

/* ---- keys ---- */

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

uint32_t cs_config_find(const struct cs_config *config, const char *keys)
{
    while (keys && *keys) {
        size_t length = strcspn(keys, "|");
        char key[CONFIG_NAME];
        uint32_t node;

        snprintf(key, sizeof(key), "%.*s", (int)length, keys);
        node = config_at(&config->doc, key);
        if (config_has(&config->doc, node))
            return node;
        keys += length + (keys[length] == '|');
    }
    return CS_DOC_NONE;
}

const char *cs_config_text(struct cs_config *config, uint32_t node, const char *what)
{
    const char *text = NULL;

    if (!config->code)
        config->code = cs_doc_want_text(&config->doc, node, what, &text, config->err);
    return config->code ? NULL : text;
}

uint32_t cs_config_first(struct cs_config *config, uint32_t list, const char *what)
{
    if (!config->code)
        config->code = cs_doc_want_list(&config->doc, list, what, config->err);
    return config->code ? CS_DOC_NONE : config->doc.nodes[list].first;
}

static uint32_t config_number(struct cs_config *config, uint32_t node)
{
    uint32_t count = 0;

    if (!config->code)
        config->code = cs_doc_want_count(&config->doc, node, config->doc.nodes[node].key,
                                         CS_CONFIG_MOST, &count, config->err);
    return config->code ? 0 : count;
}

uint32_t cs_config_count(struct cs_config *config, const char *keys, uint32_t otherwise)
{
    uint32_t node = cs_config_find(config, keys);

    if (node != CS_DOC_NONE)
        return config_number(config, node);
    if (!otherwise)
        cs_config_missing(config, keys);
    return config->code ? 0 : otherwise;
}

uint32_t cs_config_size(struct cs_config *config, const char *keys, uint32_t otherwise)
{
    struct cs_err missing = {0};

    if (cs_config_find(config, keys) == CS_DOC_NONE && otherwise &&
        config_missing(&config->doc, keys, &missing) &&
        (strstr(missing.text, "did you mean") || strstr(missing.text, " is null")))
        otherwise = 0;
    return cs_config_count(config, keys, otherwise);
}

uint32_t cs_config_optional(struct cs_config *config, const char *keys)
{
    uint32_t node = cs_config_find(config, keys);
    const char *text = node == CS_DOC_NONE ? "0" : config->doc.nodes[node].text;

    return text && cs_same(text, "0") ? 0 : config_number(config, node);
}

bool cs_config_flag(struct cs_config *config, const char *key, bool otherwise)
{
    uint32_t node = cs_config_find(config, key);
    const char *text;

    if (node == CS_DOC_NONE)
        return otherwise;
    text = cs_config_text(config, node, key);
    if (text && !cs_same(text, "true") && !cs_same(text, "false"))
        cs_config_refuse(config, node, "%s: expected true or false", key);
    return text && cs_same(text, "true");
}

/* ---- several models ---- */

/* The configuration of the language model becomes the document.  It has the outer type
 * and the tie of its words, where it has none of its own. */
static void config_enter(struct cs_config *config, uint32_t inner)
{
    static const char *const kept[] = {"model_type", "tie_word_embeddings"};
    struct cs_doc *doc = &config->doc;
    struct cs_doc_node *nodes = cs_arena_alloc(config->arena, doc->count, sizeof(*nodes));
    uint32_t *end = &nodes[inner].first;

    memcpy(nodes, doc->nodes, doc->count * sizeof(*nodes));
    while (*end != CS_DOC_NONE)
        end = &nodes[*end].next;
    for (size_t k = 0; k < sizeof(kept) / sizeof(*kept); k++) {
        uint32_t outer = cs_config_find(config, kept[k]);

        if (outer == CS_DOC_NONE || cs_doc_get(doc, inner, kept[k]) != CS_DOC_NONE)
            continue;
        *end = outer;
        end = &nodes[outer].next;
        *end = CS_DOC_NONE;
        nodes[inner].count++;
    }
    nodes[0] = nodes[inner];
    doc->nodes = nodes;
}

void cs_config_language(struct cs_config *config, struct cs_model_division *division)
{
    static const char *const keys[] = {"thinker_config", "text_config", "llm_config",
                                       "language_config"};
    uint32_t type = cs_config_find(config, "model_type");
    const char *outer = type == CS_DOC_NONE ? NULL : config->doc.nodes[type].text;

    if (!outer)
        outer = config->doc.file;
    for (size_t k = 0; k < sizeof(keys) / sizeof(*keys) && !config->code; k++) {
        uint32_t inner = cs_config_find(config, keys[k]);

        if (inner == CS_DOC_NONE)
            continue;
        config->code = cs_doc_want_map(&config->doc, inner, keys[k], config->err);
        if (config->code)
            return;
        config_enter(config, inner);
        division->note = cs_arena_printf(
            config->arena,
            "%.40s: the language model alone (%s); encoders of pictures and sound and what "
            "joins them are left out",
            outer, keys[k]);
    }
    if (!division->note && (cs_config_find(config, "vision_config") != CS_DOC_NONE ||
                            cs_config_find(config, "audio_config") != CS_DOC_NONE))
        division->note = cs_arena_printf(
            config->arena,
            "%.40s: the language model alone; encoders of pictures and sound are left out", outer);
}
