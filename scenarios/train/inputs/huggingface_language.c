#include "scenarios/train/inputs/huggingface_language.h"

#include "scenarios/train/inputs/config_keys.h"

#include <string.h>

/* The configuration of the language model becomes the document.  It has the outer type
 * and the tie of its words, where it has none of its own. */
static void config_enter(struct cs_doc *doc, uint32_t inner, struct cs_arena *arena)
{
    static const char *const kept[] = {"model_type", "tie_word_embeddings"};
    struct cs_doc_node *nodes = cs_arena_alloc(arena, doc->count, sizeof(*nodes));
    uint32_t *end = &nodes[inner].first;

    memcpy(nodes, doc->nodes, doc->count * sizeof(*nodes));
    while (*end != CS_DOC_NONE)
        end = &nodes[*end].next;
    for (size_t k = 0; k < sizeof(kept) / sizeof(*kept); k++) {
        uint32_t outer = cs_config_find(doc, kept[k]);

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

int cs_config_language(struct cs_doc *doc, struct cs_arena *arena,
                       struct cs_model_division *division, struct cs_err *err)
{
    static const char *const keys[] = {"thinker_config", "text_config", "llm_config",
                                       "language_config"};
    uint32_t outer = cs_config_find(doc, "model_type");

    for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
        uint32_t inner = cs_config_find(doc, keys[k]);

        if (inner == CS_DOC_NONE)
            continue;
        if (cs_doc_want_map(doc, inner, keys[k], err))
            return err->code;
        config_enter(doc, inner, arena);
        division->note = cs_arena_printf(
            arena,
            "%.40s: the language model alone (%s); encoders of pictures and sound and what "
            "joins them are left out",
            outer == CS_DOC_NONE || !doc->nodes[outer].text ? doc->file : doc->nodes[outer].text,
            keys[k]);
    }
    if (!division->note && (cs_config_find(doc, "vision_config") != CS_DOC_NONE ||
                            cs_config_find(doc, "audio_config") != CS_DOC_NONE))
        division->note = cs_arena_printf(
            arena, "%.40s: the language model alone; encoders of pictures and sound are left out",
            outer == CS_DOC_NONE || !doc->nodes[outer].text ? doc->file : doc->nodes[outer].text);
    return 0;
}
