/*
 * Models as config.json of Hugging Face Transformers.
 *
 * model_type decides the architecture and the names of the keys
 * (huggingface/transformers src/transformers/models/TYPE/configuration_TYPE.py).
 * The sequence is max_position_embeddings, the longest that the model takes.
 * Keys without a part in the model are not read; a mixture of experts is refused.
 */
#include "scenarios/train/inputs/model_input.h"
#include "scenarios/train/transformer.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"

enum {
    CONFIG_MOST = 1 << 30,
    CONFIG_KEYS = 256, /* of a config, for the nearest name */
};

/* Names of a type's keys; NULL: the type has none. */
struct config_type {
    const char *name;
    const char *layers, *hidden, *heads, *kv_heads, *ffn, *sequence;
    const char *window;         /* of attention */
    bool ties;                  /* unless tie_word_embeddings differs */
    struct cs_transformer dims; /* the architecture */
};

#define LLAMA_KEYS(window, tied, ...)                                          \
    "num_hidden_layers", "hidden_size", "num_attention_heads",                 \
        "num_key_value_heads", "intermediate_size", "max_position_embeddings", \
        window, tied,                                                          \
    {                                                                          \
        .gated = true, .attention = CS_ATTENTION_FLASH_3, __VA_ARGS__          \
    }

static const struct config_type config_types[] = {
    {"llama", LLAMA_KEYS(NULL, false, .window = 0)},
    {"mistral", LLAMA_KEYS("sliding_window", false, .window = 0)},
    {"phi3", LLAMA_KEYS("sliding_window", false, .window = 0)},
    {"gemma", LLAMA_KEYS(NULL, true, .window = 0)},
    {"qwen2", LLAMA_KEYS(NULL, false, .biased_heads = true)},
    {"qwen3", LLAMA_KEYS(NULL, false, .normed_heads = true)},
    {"gpt_neox",
     "num_hidden_layers",
     "hidden_size",
     "num_attention_heads",
     NULL,
     "intermediate_size",
     "max_position_embeddings",
     NULL,
     false,
     {.biased = true, .attention = CS_ATTENTION_FLASH_3}},
    {"gpt2",
     "n_layer",
     "n_embd",
     "n_head",
     NULL,
     "n_inner",
     "n_positions",
     NULL,
     true,
     {.learned_positions = true, .biased = true}},
    {"bert",
     "num_hidden_layers",
     "hidden_size",
     "num_attention_heads",
     NULL,
     "intermediate_size",
     "max_position_embeddings",
     NULL,
     true,
     {.learned_positions = true, .biased = true, .encoder = true}},
};

enum {
    CONFIG_TYPES = sizeof(config_types) / sizeof(*config_types),
};

/* ---- keys ---- */

static int config_missing(const struct cs_doc *doc, const char *key,
                          struct cs_err *err)
{
    const char *names[CONFIG_KEYS];
    size_t count = 0;

    for (uint32_t child = doc->nodes[0].first;
         child != CS_DOC_NONE && count < CONFIG_KEYS;
         child = doc->nodes[child].next)
        if (doc->nodes[child].key)
            names[count++] = doc->nodes[child].key;
    return cs_doc_err(doc, 0, err, "no key '%s'%s", key,
                      cs_hint(key, names, count, NULL).text);
}

static bool config_has(const struct cs_doc *doc, uint32_t node)
{
    return node != CS_DOC_NONE &&
           !(doc->nodes[node].text && (cs_same(doc->nodes[node].text, "null") ||
                                       cs_same(doc->nodes[node].text, "~")));
}

/* `otherwise` is the number of a missing or null key; 0: the key is required. */
static int config_count(const struct cs_doc *doc, const char *key,
                        uint32_t otherwise, uint32_t *count, struct cs_err *err)
{
    uint32_t node = key ? cs_doc_get(doc, 0, key) : CS_DOC_NONE;

    if (config_has(doc, node))
        return cs_doc_want_count(doc, node, key, CONFIG_MOST, count, err);
    if (!otherwise)
        return config_missing(doc, key, err);
    *count = otherwise;
    return 0;
}

static int config_flag(const struct cs_doc *doc, const char *key,
                       bool otherwise, bool *flag, struct cs_err *err)
{
    uint32_t node = cs_doc_get(doc, 0, key);
    const char *text;
    int code;

    *flag = otherwise;
    if (!config_has(doc, node))
        return 0;
    code = cs_doc_want_text(doc, node, key, &text, err);
    if (code)
        return code;
    *flag = cs_same(text, "true");
    return *flag || cs_same(text, "false")
               ? 0
               : cs_doc_err(doc, node, err, "%s: expected true or false", key);
}

/* ---- the model ---- */

/* NULL with an error for another type. */
static const struct config_type *config_type_of(const struct cs_doc *doc,
                                                struct cs_err *err)
{
    uint32_t node = cs_doc_get(doc, 0, "model_type");
    const char *names[CONFIG_TYPES];
    const char *text;

    if (node == CS_DOC_NONE) {
        config_missing(doc, "model_type", err);
        return NULL;
    }
    if (cs_doc_want_text(doc, node, "model_type", &text, err))
        return NULL;
    for (size_t i = 0; i < CONFIG_TYPES; i++) {
        names[i] = config_types[i].name;
        if (cs_same(text, names[i]))
            return &config_types[i];
    }
    cs_doc_err(doc, node, err, "no model_type called '%.40s'%s", text,
               cs_hint_all(text, names, CONFIG_TYPES).text);
    return NULL;
}

/* 0 without a key: hidden / heads. */
static int config_head_width(const struct cs_doc *doc,
                             struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t node = cs_doc_get(doc, 0, "head_dim");

    dims->head_width = 0;
    return config_has(doc, node)
               ? cs_doc_want_count(doc, node, "head_dim", CONFIG_MOST,
                                   &dims->head_width, err)
               : 0;
}

/* Experts of Mixtral, Qwen's MoE models, DeepSeek. */
static int config_refuse_experts(const struct cs_doc *doc, struct cs_err *err)
{
    static const char *const keys[] = {"num_local_experts", "num_experts",
                                       "n_routed_experts"};

    for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
        uint32_t node = cs_doc_get(doc, 0, keys[k]);

        if (config_has(doc, node))
            return cs_doc_err(doc, node, err,
                              "%s: a mixture of experts is not modelled",
                              keys[k]);
    }
    return 0;
}

static int config_dims(const struct cs_doc *doc, const struct config_type *type,
                       struct cs_transformer *dims, struct cs_err *err)
{
    int code;

    *dims = type->dims;
    code = config_count(doc, type->layers, 0, &dims->layers, err);
    if (!code)
        code = config_count(doc, type->hidden, 0, &dims->hidden, err);
    if (!code)
        code = config_count(doc, type->heads, 0, &dims->heads, err);
    if (!code)
        code = config_count(doc, type->kv_heads, dims->heads, &dims->kv_heads,
                            err);
    if (!code)
        code = config_count(doc, type->ffn,
                            type->kv_heads || dims->hidden > CONFIG_MOST / 4
                                ? 0
                                : 4 * dims->hidden,
                            &dims->ffn, err);
    if (!code)
        code = config_count(doc, "vocab_size", 0, &dims->vocabulary, err);
    if (!code)
        code = config_count(doc, type->sequence, 0, &dims->sequence, err);
    if (!code)
        code = config_flag(doc, "tie_word_embeddings", type->ties, &dims->tied,
                           err);
    if (!code && type->window)
        code = config_count(doc, type->window, CONFIG_MOST, &dims->window, err);
    return code ? code : config_head_width(doc, dims, err);
}

static int huggingface_read(struct cs_doc_text text, struct cs_arena *arena,
                            struct cs_train_model *model,
                            struct cs_model_division *division,
                            struct cs_err *err)
{
    const struct config_type *type;
    struct cs_transformer dims;
    struct cs_err why = {0};
    struct cs_doc doc;
    int code = cs_yaml_read_text(text, &doc, arena, err);

    (void)division;
    if (!code)
        code = cs_doc_want_map(&doc, 0, "the configuration", err);
    if (code)
        return code;
    code = config_refuse_experts(&doc, err);
    if (code)
        return code;
    type = config_type_of(&doc, err);
    if (!type)
        return err->code;
    code = config_dims(&doc, type, &dims, err);
    if (code)
        return code;
    if (cs_train_model_of(text.file, &dims, arena, model, &why))
        return cs_doc_err(&doc, 0, err, "%s", why.text);
    model->about = cs_arena_printf(arena, "%s of Hugging Face", type->name);
    model->source = text.file;
    return 0;
}

const struct cs_model_input cs_model_input_huggingface = {
    .name = "huggingface",
    .about = "config.json: llama, mistral, phi3, gemma, qwen2, qwen3, "
             "gpt_neox, gpt2, bert",
    .suffixes = {".json"},
    .read = huggingface_read,
};
