/*
 * Models as config.json of Hugging Face Transformers (huggingface_types.h).
 *
 * The sequence is max_position_embeddings, the longest that the model takes, but 8,192
 * tokens at most.  A configuration of several models has that of its language model in
 * text_config, which is read alone.  Keys without a part in the model are not read.  DeepSeek's layer that predicts a
 * second token is left out, as in Transformers.
 */
#include "scenarios/train/inputs/config_keys.h"
#include "scenarios/train/inputs/huggingface_head.h"
#include "scenarios/train/inputs/huggingface_language.h"
#include "scenarios/train/inputs/huggingface_layers.h"
#include "scenarios/train/inputs/huggingface_pair.h"
#include "scenarios/train/inputs/huggingface_types.h"
#include "scenarios/train/inputs/model_input.h"
#include "scenarios/train/model/transformer.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"

#include <stdio.h>
#include <string.h>

enum {
    CONFIG_TYPES = 128,
    CONFIG_NAME = 64,
    CONFIG_TOKENS = 4096,   /* of a model that does not say */
    CONFIG_SEQUENCE = 8192, /* of a model that takes more tokens */
    CONFIG_ACROSS = 1024,   /* patches */
    ROBERTA_PADDING = 2,    /* rows before that of the first position */
};

/* ---- the type ---- */

/* Language models of the same architecture under the name of a model that sees. */
static const struct {
    const char *name, *as;
} config_aliases[] = {
    {"qwen2_vl", "qwen2"},       {"qwen2_5_vl", "qwen2"},
    {"qwen3_vl", "qwen3"},       {"qwen3_vl_moe", "qwen3_moe"},
    {"glm4v", "glm4"},           {"glm4v_moe", "glm4_moe"},
    {"gemma3", "gemma3_text"},   {"llama4", "llama4_text"},
    {"qwen3_5", "qwen3_5_text"}, {"qwen3_5_moe", "qwen3_5_moe_text"},
    {"mistral3", "mistral"},     {"ministral", "mistral"},
    {"ministral3", "mistral"},   {"minimax_text_01", "minimax"},
};

static const struct cs_config_type *type_of_name(const char *name)
{
    for (size_t i = 0; i < cs_config_type_count; i++)
        if (cs_same(name, cs_config_types[i].name))
            return &cs_config_types[i];
    return NULL;
}

static const char *alias_of(const char *name)
{
    for (size_t i = 0; i < sizeof(config_aliases) / sizeof(*config_aliases); i++)
        if (cs_same(name, config_aliases[i].name))
            return config_aliases[i].as;
    return name;
}

/* "qwen3_vl_text" is qwen3_vl, which is qwen3. */
static const struct cs_config_type *type_called(const char *name)
{
    const struct cs_config_type *type = type_of_name(alias_of(name));
    char plain[CONFIG_NAME];

    if (type || !cs_ends_in(name, "_text") || strlen(name) >= sizeof(plain))
        return type;
    snprintf(plain, sizeof(plain), "%.*s", (int)(strlen(name) - strlen("_text")), name);
    return type_of_name(alias_of(plain));
}

/* NULL with an error for another type. */
static const struct cs_config_type *config_type_of(const struct cs_doc *doc, struct cs_err *err)
{
    uint32_t node = cs_doc_get(doc, 0, "model_type");
    const char *names[CONFIG_TYPES];
    const struct cs_config_type *type;
    const char *text;

    if (node == CS_DOC_NONE) {
        cs_config_missing(doc, "model_type", err);
        return NULL;
    }
    if (cs_doc_want_text(doc, node, "model_type", &text, err))
        return NULL;
    type = type_called(text);
    for (size_t i = 0; i < cs_config_type_count; i++)
        names[i] = cs_config_types[i].name;
    if (!type)
        cs_doc_err(doc, node, err, "no model_type called '%.40s'%s", text,
                   cs_hint_all(text, names, cs_config_type_count).text);
    return type;
}

static int config_fixed(const struct cs_doc *doc, const struct cs_config_type *type,
                        struct cs_err *err)
{
    for (size_t i = 0; i < CS_CONFIG_FIXED && type->fixed[i].key; i++) {
        const struct cs_config_fixed *fixed = &type->fixed[i];
        uint32_t node = cs_config_find(doc, fixed->key);
        const char *text = fixed->value;

        if (node != CS_DOC_NONE && cs_doc_want_text(doc, node, fixed->key, &text, err))
            return err->code;
        if (!cs_same(text, fixed->value))
            return cs_doc_err(doc, node, err, "%s: '%.40s' is not modelled; expected %s",
                              fixed->key, text, fixed->value);
    }
    return 0;
}

static int config_traits(const struct cs_doc *doc, const struct cs_config_type *type,
                         struct cs_transformer *dims, struct cs_err *err)
{
    int code = 0;

    for (size_t i = 0; i < CS_CONFIG_FLAGS && type->flags[i].key && !code; i++) {
        bool flag;

        code = cs_config_flag(doc, type->flags[i].key, type->flags[i].otherwise, &flag, err);
        if (!code && flag)
            dims->traits |= type->flags[i].traits;
    }
    return code;
}

/* ---- attention ---- */

/* Layers with the window by a rule: behind the first ones, or all but every nth. */
static int config_windowed(const struct cs_doc *doc, const struct cs_config_type *type,
                           struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t number = 0;
    int code = 0;

    if (type->first_windowed) {
        code = cs_config_count(doc, type->first_windowed, dims->layers, &number, err);
        if (!code && number >= dims->layers)
            dims->window = 0;
        dims->windowed = dims->window ? dims->layers - number : 0;
    } else if (type->global_otherwise) {
        code = cs_config_count(doc, type->global_every, type->global_otherwise, &number, err);
        if (!code)
            dims->windowed = dims->layers - dims->layers / number;
        if (!dims->windowed)
            dims->window = 0;
    }
    return code;
}

static int config_window(const struct cs_doc *doc, const struct cs_config_type *type,
                         struct cs_transformer *dims, struct cs_err *err)
{
    bool slides = cs_config_find(doc, type->window) != CS_DOC_NONE;
    int code = 0;

    if (slides && type->window_switch)
        code = cs_config_flag(doc, type->window_switch, false, &slides, err);
    if (code || !slides)
        return code;
    code = cs_config_count(doc, type->window, 0, &dims->window, err);
    return code ? code : config_windowed(doc, type, dims, err);
}

/* A type without groups of keys has as many as queries, whatever its config says. */
static int config_all_keys(const struct cs_doc *doc, const struct cs_config_type *type,
                           const struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t heads = dims->heads;
    int code = cs_config_count(doc, "num_key_value_heads", heads, &heads, err);

    if (code || heads == dims->heads)
        return code;
    return cs_doc_err(doc, cs_config_find(doc, "num_key_value_heads"), err,
                      "num_key_value_heads: %s has as many as heads, %u", type->name, dims->heads);
}

/* Keys and values: as many heads as queries where the config says nothing. */
static int config_keys(const struct cs_doc *doc, const struct cs_config_type *type,
                       struct cs_transformer *dims, struct cs_err *err)
{
    bool shares = false, new_decoder = false;
    uint32_t shared = type->otherwise.kv_heads;
    int code = 0;

    if (type->shared_keys)
        code = cs_config_flag(doc, type->shared_keys, type->shares_keys, &shares, err);
    /* Falcon's second form, with groups of keys. */
    if (!code)
        code = cs_config_flag(doc, "new_decoder_architecture", false, &new_decoder, err);
    if (code)
        return code;
    if (shares && !new_decoder) {
        dims->kv_heads = 1;
        return 0;
    }
    if (type->shared_keys && !new_decoder) {
        dims->kv_heads = dims->heads;
        return 0;
    }
    if (!type->keys.heads)
        return 0;
    code = cs_config_count(doc, type->keys.kv_heads,
                           shared && dims->heads % shared == 0 ? shared : dims->heads,
                           &dims->kv_heads, err);
    return code || type->keys.kv_heads ? code : config_all_keys(doc, type, dims, err);
}

/* 0 without a key: hidden / heads. */
static int config_head_width(const struct cs_doc *doc, const struct cs_config_type *type,
                             struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t node = cs_config_find(doc, "head_dim|kv_channels|attention_head_dim");

    dims->head_width = node == CS_DOC_NONE ? type->otherwise.head_width : 0;
    return node == CS_DOC_NONE ? 0
                               : cs_doc_want_count(doc, node, doc->nodes[node].key, CS_CONFIG_MOST,
                                                   &dims->head_width, err);
}

/* ---- what single types have ---- */

/* Falcon's parts side by side have one norm, or two in its second form. */
static int config_falcon(const struct cs_doc *doc, struct cs_transformer *dims, struct cs_err *err)
{
    bool new_decoder = false;
    uint32_t norms = 0;
    int code = cs_config_flag(doc, "new_decoder_architecture", false, &new_decoder, err);

    if (!code)
        code = cs_config_count(doc, "num_ln_in_parallel_attn", new_decoder ? 2 : 1, &norms, err);
    if (new_decoder)
        dims->traits |= CS_TRAIT_SIDE_BY_SIDE;
    if (!code && norms == 1 && cs_has_trait(dims, CS_TRAIT_SIDE_BY_SIDE))
        dims->traits |= CS_TRAIT_ONE_NORM;
    return code;
}

/* OPT may project words of another width. */
static int config_opt(const struct cs_doc *doc, struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t width = 0;
    int code = cs_config_count(doc, "word_embed_proj_dim", dims->hidden, &width, err);

    if (code || width == dims->hidden)
        return code;
    return cs_doc_err(doc, cs_config_find(doc, "word_embed_proj_dim"), err,
                      "word_embed_proj_dim: words of a width of %u are not modelled; expected the "
                      "hidden size, %u",
                      width, dims->hidden);
}

/* The rows of an encoder's positions and token types. */
static int config_encoder(const struct cs_doc *doc, struct cs_transformer *dims, struct cs_err *err)
{
    int code = 0;

    if (dims->token_types)
        code = cs_config_count(doc, "type_vocab_size", dims->token_types, &dims->token_types, err);
    dims->positions = dims->sequence;
    /* Positions of RoBERTa begin behind that of padding. */
    if (cs_has_trait(dims, CS_TRAIT_MASKED_ONLY) && dims->token_types &&
        dims->sequence > ROBERTA_PADDING)
        dims->sequence -= ROBERTA_PADDING;
    return code;
}

/* Soft caps of Gemma 2 may be off. */
static void config_caps(const struct cs_doc *doc, struct cs_transformer *dims)
{
    if (cs_config_find(doc, "final_logit_softcapping") == CS_DOC_NONE)
        dims->traits &= ~(unsigned)CS_TRAIT_CAPPED_LOGITS;
}

static int config_rest(const struct cs_doc *doc, const struct cs_config_type *type,
                       struct cs_transformer *dims, struct cs_err *err)
{
    if (cs_same(type->name, "falcon"))
        return config_falcon(doc, dims, err);
    if (cs_same(type->name, "opt"))
        return config_opt(doc, dims, err);
    if (dims->encoder)
        return config_encoder(doc, dims, err);
    config_caps(doc, dims);
    return 0;
}

/* ---- the model ---- */

/* A type without experts whose config has them. */
static int config_no_experts(const struct cs_doc *doc, const struct cs_config_type *type,
                             struct cs_err *err)
{
    uint32_t node = cs_config_find(doc, "num_local_experts|num_experts|n_routed_experts");

    return node == CS_DOC_NONE
               ? 0
               : cs_doc_err(doc, node, err,
                            "%s: %s has no experts; expected another model_type, as mixtral",
                            doc->nodes[node].key, type->name);
}

/* Granite's models without experts have the shared part alone. */
static int config_dense_only(const struct cs_doc *doc, const struct cs_config_type *type,
                             struct cs_transformer *dims, struct cs_err *err)
{
    const struct cs_config_experts *keys = &type->experts;

    if (keys->shared_ffn && cs_config_find(doc, keys->shared_ffn) != CS_DOC_NONE &&
        cs_config_find(doc, keys->count) != CS_DOC_NONE)
        return cs_config_count(doc, keys->shared_ffn, 0, &dims->ffn, err);
    return type->mixer || cs_config_find(doc, keys->count) != CS_DOC_NONE
               ? 0
               : cs_config_missing(doc, keys->count, err);
}

static int config_experts(const struct cs_doc *doc, const struct cs_config_type *type,
                          struct cs_transformer *dims, struct cs_err *err)
{
    const struct cs_config_experts *keys = &type->experts;
    uint32_t shared = 0;
    int code;

    if (!keys->count)
        return config_no_experts(doc, type, err);
    code = cs_config_optional(doc, keys->count, &dims->experts, err);
    if (code || !dims->experts)
        return code ? code : config_dense_only(doc, type, dims, err);
    if (!code)
        code = cs_config_count(doc, keys->active, 0, &dims->active, err);
    if (!code)
        code = cs_config_count(doc, keys->ffn, 0, &dims->expert_ffn, err);
    if (!code)
        code = cs_config_optional(doc, keys->shared_ffn, &dims->shared_ffn, err);
    if (!code)
        code = cs_config_optional(doc, keys->shared, &shared, err);
    if (!code && shared > CS_CONFIG_MOST / dims->expert_ffn)
        code = cs_doc_err(doc, cs_config_find(doc, keys->shared), err,
                          "%s: %u shared experts of %u elements", keys->shared, shared,
                          dims->expert_ffn);
    if (!code && shared)
        dims->shared_ffn = shared * dims->expert_ffn;
    return code ? code : cs_config_optional(doc, keys->dense, &dims->dense_layers, err);
}

/* Latent attention of DeepSeek. */
static int config_latent(const struct cs_doc *doc, struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t plain = 0;
    int code = cs_config_optional(doc, "q_lora_rank", &dims->query_rank, err);

    if (!code)
        code = cs_config_count(doc, "kv_lora_rank", 0, &dims->key_rank, err);
    if (!code)
        code = cs_config_count(doc, "qk_rope_head_dim", 0, &dims->rope_width, err);
    if (!code)
        code = cs_config_count(doc, "qk_nope_head_dim", 0, &plain, err);
    if (!code)
        code = cs_config_count(doc, "v_head_dim", 0, &dims->value_width, err);
    dims->head_width = plain + dims->rope_width;
    dims->kv_heads = dims->heads;
    return code;
}

/* Square photos of square patches. */
static int config_photos(const struct cs_doc *doc, struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t pixels = 0, across;
    int code = cs_config_count(doc, "image_size", 0, &pixels, err);

    if (!code)
        code = cs_config_count(doc, "patch_size", 0, &dims->patch, err);
    if (!code)
        code = cs_config_labels(doc, &dims->vocabulary, err);
    if (code)
        return code;
    across = pixels / dims->patch;
    if (pixels % dims->patch || across > CONFIG_ACROSS)
        return cs_doc_err(doc, cs_config_find(doc, "image_size"), err,
                          "image_size: %u pixels are not 1 to %d patches of %u", pixels,
                          CONFIG_ACROSS, dims->patch);
    dims->sequence = across * across + 1;
    return 0;
}

/* A list or letters have as many as layers. */
static int config_layer_count(const struct cs_doc *doc, const struct cs_config_type *type,
                              uint32_t *layers, struct cs_err *err)
{
    uint32_t pattern = cs_config_find(doc, "hybrid_override_pattern");
    uint32_t list = cs_config_find(doc, "layers_block_type");

    if (cs_config_find(doc, type->keys.layers) == CS_DOC_NONE && list != CS_DOC_NONE)
        *layers = doc->nodes[list].count;
    else if (cs_config_find(doc, type->keys.layers) == CS_DOC_NONE && pattern != CS_DOC_NONE &&
             doc->nodes[pattern].text)
        *layers = (uint32_t)strlen(doc->nodes[pattern].text);
    else
        return cs_config_size(doc, type->keys.layers, type->otherwise.layers, layers, err);
    return *layers ? 0 : cs_doc_err(doc, list, err, "no layers");
}

/* Closed forms divide by heads. */
static int config_no_heads(struct cs_transformer *dims)
{
    dims->heads = dims->kv_heads = 1;
    return 0;
}

/* 0 where layers have none, or experts alone. */
static int config_ffn(const struct cs_doc *doc, const struct cs_config_type *type,
                      struct cs_transformer *dims, struct cs_err *err)
{
    const char *key = type->keys.ffn;
    uint32_t otherwise = type->otherwise.ffn;

    if (type->ffn_times)
        return cs_config_count(doc, key, type->ffn_times * dims->hidden, &dims->ffn, err);
    if (!key)
        return 0;
    if (type->experts.count && cs_config_find(doc, key) == CS_DOC_NONE && !otherwise)
        return 0;
    return cs_config_size(doc, key, otherwise, &dims->ffn, err);
}

/* Without learned positions any length is right. */
static int config_positions(const struct cs_doc *doc, const struct cs_config_type *type,
                            struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t otherwise = type->sequence                 ? type->sequence
                         : type->otherwise.sequence     ? type->otherwise.sequence
                         : type->dims.learned_positions ? 0
                                                        : CONFIG_TOKENS;

    return cs_config_size(doc, type->keys.sequence, otherwise, &dims->sequence, err);
}

static int config_sizes(const struct cs_doc *doc, const struct cs_config_type *type,
                        struct cs_transformer *dims, struct cs_err *err)
{
    const struct cs_config_keys *keys = &type->keys;
    int code = config_layer_count(doc, type, &dims->layers, err);

    if (!code)
        code = cs_config_size(doc, keys->hidden, type->otherwise.hidden, &dims->hidden, err);
    if (!code)
        code = keys->heads
                   ? cs_config_size(doc, keys->heads, type->otherwise.heads, &dims->heads, err)
                   : config_no_heads(dims);
    if (!code && type->ffn_times && dims->hidden > CS_CONFIG_MOST / 4)
        code = cs_doc_err(doc, cs_config_find(doc, keys->hidden), err,
                          "a hidden size of %u; expected at most %d", dims->hidden,
                          CS_CONFIG_MOST / 4);
    if (!code)
        code = config_ffn(doc, type, dims, err);
    if (code || !keys->vocabulary)
        return code ? code : config_photos(doc, dims, err);
    code =
        cs_config_size(doc, keys->vocabulary, type->otherwise.vocabulary, &dims->vocabulary, err);
    return code ? code : config_positions(doc, type, dims, err);
}

static int config_dims(const struct cs_doc *doc, const struct cs_config_type *type,
                       struct cs_arena *arena, struct cs_transformer *dims, struct cs_err *err)
{
    int code;

    *dims = type->dims;
    code = config_sizes(doc, type, dims, err);
    if (!code)
        code = config_keys(doc, type, dims, err);
    if (!code)
        code = cs_config_flag(doc, "tie_word_embeddings", type->ties, &dims->tied, err);
    if (!code)
        code = config_traits(doc, type, dims, err);
    if (!code)
        code = config_window(doc, type, dims, err);
    if (!code)
        code =
            type->latent ? config_latent(doc, dims, err) : config_head_width(doc, type, dims, err);
    if (!code)
        code = config_experts(doc, type, dims, err);
    if (!code)
        code = cs_config_layers(doc, type, arena, dims, err);
    if (dims->learned_positions)
        dims->positions = dims->sequence + type->position_offset;
    if (!code)
        code = config_rest(doc, type, dims, err);
    return code ? code : cs_config_head(doc, type, dims, err);
}

/* ---- the input ---- */

/* The longest sequence that a model takes is trained by no published run. */
static void config_sequence(struct cs_transformer *dims, struct cs_model_division *division)
{
    if (dims->sequence <= CONFIG_SEQUENCE || dims->learned_positions || dims->patch)
        return;
    division->longest = dims->sequence;
    dims->sequence = CONFIG_SEQUENCE;
}

/* "num_attention_heads 8": sizes of the class that the file leaves out. */
static void note_defaults(const struct cs_doc *doc, const struct cs_config_type *type,
                          const struct cs_transformer *dims, struct cs_arena *arena,
                          struct cs_model_division *division)
{
    const struct cs_config_defaults *known = &type->otherwise;
    const struct {
        const char *key;
        uint32_t known, value;
    } sizes[] = {{type->keys.layers, known->layers, dims->layers},
                 {type->keys.hidden, known->hidden, dims->hidden},
                 {type->keys.heads, known->heads, dims->heads},
                 {type->keys.kv_heads, known->kv_heads, dims->kv_heads},
                 {type->keys.ffn, known->ffn, dims->ffn},
                 {type->keys.vocabulary, known->vocabulary, dims->vocabulary},
                 {"head_dim", known->head_width, dims->head_width}};
    struct cs_text list = {0};

    for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
        if (sizes[s].known && sizes[s].known == sizes[s].value &&
            cs_config_find(doc, sizes[s].key) == CS_DOC_NONE)
            cs_text_printf(&list, "%s%s %u", list.length ? ", " : "", sizes[s].key, sizes[s].value);
    if (list.length)
        division->note = cs_arena_printf(
            arena, "%s%ssizes that the file lacks are those of Transformers: %s",
            division->note ? division->note : "", division->note ? "; " : "", cs_text_str(&list));
    cs_text_free(&list);
}

static int config_transformer(const struct cs_doc *doc, const struct cs_config_type *type,
                              struct cs_arena *arena, struct cs_train_model *model,
                              struct cs_model_division *division, struct cs_err *err)
{
    struct cs_transformer dims;
    struct cs_err why = {0};
    int code = config_dims(doc, type, arena, &dims, err);

    if (!code)
        note_defaults(doc, type, &dims, arena, division);
    config_sequence(&dims, division);

    if (!code && cs_train_model_of(doc->file, &dims, arena, model, &why))
        code = cs_doc_err(doc, 0, err, "%s", why.text);
    return code;
}

static int huggingface_read(struct cs_doc_text text, struct cs_arena *arena,
                            struct cs_train_model *model, struct cs_model_division *division,
                            struct cs_err *err)
{
    const struct cs_config_type *type;
    struct cs_doc doc;
    int code = cs_yaml_read_foreign(text, &doc, arena, err);

    if (!code)
        code = cs_doc_want_map(&doc, 0, "the configuration", err);
    if (!code)
        code = cs_config_language(&doc, arena, division, err);
    if (code)
        return code;
    type = config_type_of(&doc, err);
    if (!type)
        return err->code;
    code = config_fixed(&doc, type, err);
    if (!code)
        code = type->pair ? cs_config_pair(&doc, type->ties, arena, model, err)
                          : config_transformer(&doc, type, arena, model, division, err);
    if (code)
        return code;
    model->name = text.file;
    model->about = cs_arena_printf(arena, "%s of Hugging Face", type->name);
    model->source = text.file;
    return 0;
}

const struct cs_model_input cs_model_input_huggingface = {
    .name = "huggingface",
    .about = "config.json of Llama, Mistral, Qwen, Gemma, Phi, GLM, OLMo, Cohere, StableLM, GPT-2, "
             "GPT-J, GPT-NeoX, OPT, BLOOM, Falcon, MPT, StarCoder, Mixtral, Qwen MoE, DeepSeek, "
             "Llama 4, gpt-oss, DBRX, Mamba, Jamba, Nemotron-H, Granite 4, Falcon-H1, Qwen3-Next, "
             "MiniMax, LFM2, BERT, RoBERTa, T5, ViT",
    .suffixes = {".json"},
    .read = huggingface_read,
};
