/*
 * Models as config.json of Hugging Face Transformers (huggingface_types.h).
 *
 * The sequence is max_position_embeddings, the longest that the model takes, but 8,192
 * tokens at most.  A configuration of several models has that of its language model in
 * text_config, which is read alone.  Keys without a part in the model are not read.  DeepSeek's layer that predicts a
 * second token is left out, as in Transformers.
 */
#include "scenarios/train/inputs/config.h"
#include "scenarios/train/inputs/huggingface_layers.h"
#include "scenarios/train/inputs/huggingface_types.h"
#include "scenarios/train/model/encoder_decoder.h"
#include "scenarios/train/model/transformer.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"

#include <string.h>

enum {
    CONFIG_TYPES = 128,
    CONFIG_TOKENS = 4096,   /* of a model that does not say */
    CONFIG_SEQUENCE = 8192, /* of a model that takes more tokens */
    CONFIG_ACROSS = 1024,   /* patches */
    ROBERTA_PADDING = 2,    /* rows before that of the first position */
    PAIR_TOKENS = 512,      /* of T5 without the key, as the next one */
    PAIR_DISTANCES = 32,    /* with a bias of their own */
};

/* ---- the type ---- */

static void config_find_type(struct cs_config *config)
{
    uint32_t node = cs_doc_get(&config->doc, 0, "model_type");
    const char *names[CONFIG_TYPES], *text;

    if (node == CS_DOC_NONE) {
        cs_config_missing(config, "model_type");
        return;
    }
    text = cs_config_text(config, node, "model_type");
    if (!text)
        return;
    config->type = cs_config_type_called(text);
    for (size_t i = 0; i < cs_config_type_count; i++)
        names[i] = cs_config_types[i].name;
    if (!config->type)
        cs_config_refuse(config, node, "no model_type called '%.40s'%s", text,
                         cs_hint_all(text, names, cs_config_type_count).text);
}

static void config_fixed(struct cs_config *config)
{
    for (size_t i = 0; i < CS_CONFIG_FIXED && config->type->fixed[i].key; i++) {
        const struct cs_config_fixed *fixed = &config->type->fixed[i];
        uint32_t node = cs_config_find(config, fixed->key);
        const char *text =
            node == CS_DOC_NONE ? fixed->value : cs_config_text(config, node, fixed->key);

        if (text && !cs_same(text, fixed->value))
            cs_config_refuse(config, node, "%s: '%.40s' is not modelled; expected %s", fixed->key,
                             text, fixed->value);
    }
}

static void config_traits(struct cs_config *config)
{
    for (size_t i = 0; i < CS_CONFIG_FLAGS && config->type->flags[i].key; i++) {
        const struct cs_config_flag *flag = &config->type->flags[i];

        if (cs_config_flag(config, flag->key, flag->otherwise))
            config->dims->traits |= flag->traits;
    }
}

/* ---- attention ---- */

/* Layers with the window by a rule: behind the first ones, or all but every nth. */
static void config_windowed(struct cs_config *config)
{
    const struct cs_config_type *type = config->type;
    struct cs_transformer *dims = config->dims;
    uint32_t number;

    if (type->first_windowed) {
        number = cs_config_count(config, type->first_windowed, dims->layers);
        if (number >= dims->layers)
            dims->window = 0;
        dims->windowed = dims->window ? dims->layers - number : 0;
    } else if (type->global_otherwise) {
        number = cs_config_count(config, type->global_every, type->global_otherwise);
        dims->windowed = number ? dims->layers - dims->layers / number : 0;
        if (!dims->windowed)
            dims->window = 0;
    }
}

static void config_window(struct cs_config *config)
{
    const struct cs_config_type *type = config->type;
    bool slides = cs_config_find(config, type->window) != CS_DOC_NONE;

    if (slides && type->window_switch)
        slides = cs_config_flag(config, type->window_switch, false);
    if (!slides)
        return;
    config->dims->window = cs_config_count(config, type->window, 0);
    config_windowed(config);
}

/* A type without groups of keys has as many as queries, whatever its config says. */
static void config_all_keys(struct cs_config *config)
{
    static const char key[] = "num_key_value_heads";
    uint32_t heads = config->dims->heads;

    if (cs_config_count(config, key, heads) != heads)
        cs_config_refuse(config, cs_config_find(config, key), "%s: %s has as many as heads, %u",
                         key, config->type->name, heads);
}

/* Keys and values: as many heads as queries where the config says nothing. */
static void config_keys(struct cs_config *config)
{
    const struct cs_config_type *type = config->type;
    struct cs_transformer *dims = config->dims;
    uint32_t shared = type->otherwise.kv_heads;
    bool shares = type->shared_keys && cs_config_flag(config, type->shared_keys, type->shares_keys);
    /* Falcon's second form, with groups of keys. */
    bool new_decoder = cs_config_flag(config, "new_decoder_architecture", false);

    if (type->shared_keys && !new_decoder) {
        dims->kv_heads = shares ? 1 : dims->heads;
    } else if (type->keys.heads) {
        dims->kv_heads =
            cs_config_count(config, type->keys.kv_heads,
                            shared && dims->heads % shared == 0 ? shared : dims->heads);
        if (!type->keys.kv_heads)
            config_all_keys(config);
    }
}

/* 0 without a key: hidden / heads. */
static void config_head_width(struct cs_config *config)
{
    static const char keys[] = "head_dim|kv_channels|attention_head_dim";

    config->dims->head_width = cs_config_find(config, keys) == CS_DOC_NONE
                                   ? config->type->otherwise.head_width
                                   : cs_config_count(config, keys, 0);
}

/* ---- what single types have ---- */

/* Falcon's parts side by side have one norm, or two in its second form. */
static void config_falcon(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;
    bool new_decoder = cs_config_flag(config, "new_decoder_architecture", false);
    uint32_t norms = cs_config_count(config, "num_ln_in_parallel_attn", new_decoder ? 2 : 1);

    if (new_decoder)
        dims->traits |= CS_TRAIT_SIDE_BY_SIDE;
    if (norms == 1 && cs_has_trait(dims, CS_TRAIT_SIDE_BY_SIDE))
        dims->traits |= CS_TRAIT_ONE_NORM;
}

/* OPT may project words of another width. */
static void config_opt(struct cs_config *config)
{
    static const char key[] = "word_embed_proj_dim";
    uint32_t hidden = config->dims->hidden, width = cs_config_count(config, key, hidden);

    if (width != hidden)
        cs_config_refuse(config, cs_config_find(config, key),
                         "%s: words of a width of %u are not modelled; expected the hidden size, "
                         "%u",
                         key, width, hidden);
}

/* The rows of an encoder's positions and token types. */
static void config_encoder(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;

    if (dims->token_types)
        dims->token_types = cs_config_count(config, "type_vocab_size", dims->token_types);
    dims->positions = dims->sequence;
    /* Positions of RoBERTa begin behind that of padding. */
    if (cs_has_trait(dims, CS_TRAIT_MASKED_ONLY) && dims->token_types &&
        dims->sequence > ROBERTA_PADDING)
        dims->sequence -= ROBERTA_PADDING;
}

static void config_rest(struct cs_config *config)
{
    if (cs_same(config->type->name, "falcon"))
        config_falcon(config);
    else if (cs_same(config->type->name, "opt"))
        config_opt(config);
    else if (config->dims->encoder)
        config_encoder(config);
    else if (cs_config_find(config, "final_logit_softcapping") == CS_DOC_NONE)
        /* Soft caps of Gemma 2 may be off. */
        config->dims->traits &= ~(unsigned)CS_TRAIT_CAPPED_LOGITS;
}

/* ---- the model ---- */

/* A type without experts whose config has them. */
static void config_no_experts(struct cs_config *config)
{
    uint32_t node = cs_config_find(config, "num_local_experts|num_experts|n_routed_experts");

    if (node != CS_DOC_NONE)
        cs_config_refuse(config, node,
                         "%s: %s has no experts; expected another model_type, as mixtral",
                         config->doc.nodes[node].key, config->type->name);
}

/* Granite's models without experts have the shared part alone. */
static void config_dense_only(struct cs_config *config)
{
    const struct cs_config_experts *keys = &config->type->experts;
    bool counts = cs_config_find(config, keys->count) != CS_DOC_NONE;

    if (counts && cs_config_find(config, keys->shared_ffn) != CS_DOC_NONE)
        config->dims->ffn = cs_config_count(config, keys->shared_ffn, 0);
    else if (!counts && !config->type->mixer)
        cs_config_missing(config, keys->count);
}

static void config_experts(struct cs_config *config)
{
    const struct cs_config_experts *keys = &config->type->experts;
    struct cs_transformer *dims = config->dims;
    uint32_t shared;

    if (!keys->count) {
        config_no_experts(config);
        return;
    }
    dims->experts = cs_config_optional(config, keys->count);
    if (!dims->experts) {
        config_dense_only(config);
        return;
    }
    dims->active = cs_config_count(config, keys->active, 0);
    dims->expert_groups = cs_config_optional(config, "n_group");
    dims->group_limit = cs_config_optional(config, "topk_group");
    dims->expert_ffn = cs_config_count(config, keys->ffn, 0);
    dims->shared_ffn = cs_config_optional(config, keys->shared_ffn);
    shared = cs_config_optional(config, keys->shared);
    if (shared && shared > CS_CONFIG_MOST / dims->expert_ffn)
        cs_config_refuse(config, cs_config_find(config, keys->shared),
                         "%s: %u shared experts of %u elements", keys->shared, shared,
                         dims->expert_ffn);
    else if (shared)
        dims->shared_ffn = shared * dims->expert_ffn;
    dims->dense_layers = cs_config_optional(config, keys->dense);
}

/* Latent attention of DeepSeek. */
static void config_latent(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;

    dims->query_rank = cs_config_optional(config, "q_lora_rank");
    dims->key_rank = cs_config_count(config, "kv_lora_rank", 0);
    dims->rope_width = cs_config_count(config, "qk_rope_head_dim", 0);
    dims->head_width = cs_config_count(config, "qk_nope_head_dim", 0) + dims->rope_width;
    dims->value_width = cs_config_count(config, "v_head_dim", 0);
    dims->kv_heads = dims->heads;
}

/* Square photos of square patches. */
static void config_photos(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;
    uint32_t pixels = cs_config_count(config, "image_size", 0), across;

    dims->patch = cs_config_count(config, "patch_size", 0);
    dims->vocabulary = cs_config_labels(config);
    if (config->code)
        return;
    across = pixels / dims->patch;
    if (pixels % dims->patch || across > CONFIG_ACROSS)
        cs_config_refuse(config, cs_config_find(config, "image_size"),
                         "image_size: %u pixels are not 1 to %d patches of %u", pixels,
                         CONFIG_ACROSS, dims->patch);
    dims->sequence = across * across + 1;
}

/* A list or letters have as many as layers. */
static uint32_t config_layer_count(struct cs_config *config)
{
    const struct cs_doc_node *nodes = config->doc.nodes;
    const char *key = config->type->keys.layers;
    uint32_t pattern = cs_config_find(config, "hybrid_override_pattern");
    uint32_t list = cs_config_find(config, "layers_block_type"), layers;
    bool has_letters = pattern != CS_DOC_NONE && nodes[pattern].text;

    if (cs_config_find(config, key) != CS_DOC_NONE || (list == CS_DOC_NONE && !has_letters))
        return cs_config_size(config, key, config->type->otherwise.layers);
    layers = list != CS_DOC_NONE ? nodes[list].count : (uint32_t)strlen(nodes[pattern].text);
    if (!layers)
        cs_config_refuse(config, list, "no layers");
    return layers;
}

/* 0 where layers have none, or experts alone. */
static uint32_t config_ffn(struct cs_config *config)
{
    const struct cs_config_type *type = config->type;
    const char *key = type->keys.ffn;
    uint32_t otherwise = type->otherwise.ffn;

    if (type->ffn_times)
        return cs_config_count(config, key, type->ffn_times * config->dims->hidden);
    if (!key || (type->experts.count && cs_config_find(config, key) == CS_DOC_NONE && !otherwise))
        return 0;
    return cs_config_size(config, key, otherwise);
}

/* Without learned positions any length is right. */
static uint32_t config_positions(struct cs_config *config)
{
    const struct cs_config_type *type = config->type;
    uint32_t otherwise = type->sequence                 ? type->sequence
                         : type->otherwise.sequence     ? type->otherwise.sequence
                         : type->dims.learned_positions ? 0
                                                        : CONFIG_TOKENS;

    return cs_config_size(config, type->keys.sequence, otherwise);
}

static void config_sizes(struct cs_config *config)
{
    const struct cs_config_type *type = config->type;
    const struct cs_config_keys *keys = &type->keys;
    struct cs_transformer *dims = config->dims;

    dims->layers = config_layer_count(config);
    dims->hidden = cs_config_size(config, keys->hidden, type->otherwise.hidden);
    if (keys->heads)
        dims->heads = cs_config_size(config, keys->heads, type->otherwise.heads);
    else
        dims->heads = dims->kv_heads = 1; /* closed forms divide by heads */
    if (type->ffn_times && dims->hidden > CS_CONFIG_MOST / 4)
        cs_config_refuse(config, cs_config_find(config, keys->hidden),
                         "a hidden size of %u; expected at most %d", dims->hidden,
                         CS_CONFIG_MOST / 4);
    dims->ffn = config_ffn(config);
    if (!keys->vocabulary) {
        config_photos(config);
        return;
    }
    dims->vocabulary = cs_config_size(config, keys->vocabulary, type->otherwise.vocabulary);
    dims->sequence = config_positions(config);
}

static void config_dims(struct cs_config *config)
{
    const struct cs_config_type *type = config->type;
    struct cs_transformer *dims = config->dims;

    *dims = type->dims;
    config_sizes(config);
    if (config->code)
        return;
    config_keys(config);
    dims->tied = cs_config_flag(config, "tie_word_embeddings", type->ties);
    config_traits(config);
    config_window(config);
    if (type->latent)
        config_latent(config);
    else
        config_head_width(config);
    config_experts(config);
    cs_config_layers(config);
    if (dims->learned_positions)
        dims->positions = dims->sequence + type->position_offset;
    config_rest(config);
    cs_config_head(config);
}

/* ---- T5 and mT5, an encoder with a decoder ---- */

static bool pair_gate(struct cs_config *config)
{
    uint32_t node = cs_config_find(config, "feed_forward_proj");
    const char *text =
        node == CS_DOC_NONE ? NULL : cs_config_text(config, node, "feed_forward_proj");

    return text && !strncmp(text, "gated-", strlen("gated-"));
}

static void pair_check(struct cs_config *config, const struct cs_encoder_decoder *dims)
{
    double inner = (double)dims->heads * dims->head_width;
    struct cs_err why = {0};

    if (dims->encoder_layers > CS_TRANSFORMER_LAYERS_MAX ||
        dims->decoder_layers > CS_TRANSFORMER_LAYERS_MAX)
        cs_config_refuse(config, 0, "%u and %u layers; expected 1 to %d", dims->encoder_layers,
                         dims->decoder_layers, CS_TRANSFORMER_LAYERS_MAX);
    if (cs_tensor_check(inner * dims->hidden, &why))
        cs_config_refuse(config, 0, "%s", why.text);
}

/* Source and target have n_positions tokens each. */
static void config_pair(struct cs_config *config, struct cs_train_model *model)
{
    struct cs_encoder_decoder dims;

    dims.encoder_layers = cs_config_count(config, "num_layers", 0);
    dims.hidden = cs_config_count(config, "d_model", 0);
    dims.heads = cs_config_count(config, "num_heads", 0);
    dims.head_width = cs_config_count(config, "d_kv", 0);
    dims.ffn = cs_config_count(config, "d_ff", 0);
    dims.vocabulary = cs_config_count(config, "vocab_size", 0);
    dims.tokens = cs_config_count(config, "n_positions", PAIR_TOKENS);
    dims.distances = cs_config_count(config, "relative_attention_num_buckets", PAIR_DISTANCES);
    dims.decoder_layers = cs_config_count(config, "num_decoder_layers", dims.encoder_layers);
    dims.tied = cs_config_flag(config, "tie_word_embeddings", config->type->ties);
    dims.gated = pair_gate(config);
    pair_check(config, &dims);
    if (!config->code)
        cs_train_encoder_decoder(&dims, config->arena, model);
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
static void note_defaults(const struct cs_config *config, struct cs_model_division *division)
{
    const struct cs_config_type *type = config->type;
    const struct cs_transformer *dims = config->dims;
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
    CS_AT_END(cs_text_free) struct cs_text list = {0};

    for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
        if (sizes[s].known && sizes[s].known == sizes[s].value &&
            cs_config_find(config, sizes[s].key) == CS_DOC_NONE)
            cs_text_printf(&list, "%s%s %u", list.length ? ", " : "", sizes[s].key, sizes[s].value);
    if (list.length)
        division->note = cs_arena_printf(
            config->arena, "%s%ssizes that the file lacks are those of Transformers: %s",
            division->note ? division->note : "", division->note ? "; " : "", cs_text_str(&list));
}

static void config_transformer(struct cs_config *config, struct cs_train_model *model,
                               struct cs_model_division *division)
{
    struct cs_err why = {0};

    config_dims(config);
    if (config->code)
        return;
    note_defaults(config, division);
    config_sequence(config->dims, division);
    if (cs_train_model_of(config->doc.file, config->dims, config->arena, model, &why))
        cs_config_refuse(config, 0, "%s", why.text);
}

static int huggingface_read(struct cs_doc_text text, struct cs_arena *arena,
                            struct cs_train_model *model, struct cs_model_division *division,
                            struct cs_err *err)
{
    struct cs_transformer dims;
    struct cs_config config = {.dims = &dims, .arena = arena, .err = err};

    config.code = cs_yaml_read_foreign(text, &config.doc, arena, err);
    if (!config.code)
        config.code = cs_doc_want_map(&config.doc, 0, "the configuration", err);
    if (config.code)
        return config.code;
    cs_config_language(&config, division);
    config_find_type(&config);
    if (config.code)
        return config.code;
    config_fixed(&config);
    if (config.type->pair)
        config_pair(&config, model);
    else
        config_transformer(&config, model, division);
    if (config.code)
        return config.code;
    model->name = text.file;
    model->about = cs_arena_printf(arena, "%s of Hugging Face", config.type->name);
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
