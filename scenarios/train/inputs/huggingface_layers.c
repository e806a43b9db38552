/*
 * Parameters of mixers as huggingface/transformers src/transformers/models has them: jamba,
 * mamba, falcon_mamba (MambaMixer); mamba2, bamba, granitemoehybrid, nemotron_h, falcon_h1
 * (Mamba2Mixer); qwen3_next (GatedDeltaNet); minimax (LightningAttention); lfm2 (ShortConv).
 */
#include "scenarios/train/inputs/huggingface_layers.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- mixers ---- */

enum {
    MIXER_CHUNK = 256,
    DELTA_CHUNK = 64, /* fla.ops, chunk_gated_delta_rule */
    AUTO_RANK = 16,   /* elements of the hidden size for one of the rank */
    MIXER_MOST = 1 << 14,
};

struct mixer_keys {
    uint32_t inner, state, taps;
    bool conv_biased, biased;
};

/* As cs_config_count, of sizes whose products are counted. */
static uint32_t mixer_count(struct cs_config *config, const char *keys, uint32_t otherwise)
{
    uint32_t count = cs_config_count(config, keys, otherwise);

    if (count > MIXER_MOST)
        cs_config_refuse(config, cs_config_find(config, keys), "%u is beyond %d", count,
                         MIXER_MOST);
    return count;
}

/* A width by a key, or as a multiple of the hidden size. */
static uint32_t mixer_inner(struct cs_config *config)
{
    uint32_t times = mixer_count(config, "mamba_expand|expand", 2);

    if (times > CS_CONFIG_MOST / config->dims->hidden)
        cs_config_refuse(config, cs_config_find(config, "mamba_expand|expand"),
                         "expand: %u times the hidden size", times);
    return cs_config_count(config, "mamba_d_ssm", times * config->dims->hidden);
}

static struct mixer_keys mixer_keys_of(struct cs_config *config, uint32_t state)
{
    struct mixer_keys keys = {.inner = mixer_inner(config)};

    keys.state = mixer_count(config, "mamba_d_state|ssm_state_size|state_size", state);
    keys.taps = mixer_count(config, "mamba_d_conv|conv_kernel", 4);
    keys.conv_biased = cs_config_flag(config, "mamba_conv_bias", true);
    keys.conv_biased = cs_config_flag(config, "use_conv_bias", keys.conv_biased);
    keys.biased = cs_config_flag(config, "mamba_proj_bias", false);
    keys.biased = cs_config_flag(config, "use_bias", keys.biased);
    return keys;
}

/* Norms of rank and states are Jamba's. */
static void mixer_mamba(struct cs_config *config)
{
    static const char key[] = "mamba_dt_rank|time_step_rank";
    struct mixer_keys keys = mixer_keys_of(config, 16);
    uint32_t rank = (config->dims->hidden + AUTO_RANK - 1) / AUTO_RANK;
    uint32_t node = cs_config_find(config, key);

    if (node != CS_DOC_NONE && !cs_same(config->doc.nodes[node].text, "auto"))
        rank = mixer_count(config, key, rank);
    config->dims->mixer = (struct cs_mixer){
        .columns = 2 * keys.inner,
        .inner = keys.inner,
        .narrow = rank + 2 * keys.state,
        .rank = rank,
        .channels = keys.inner,
        .keys = keys.state,
        .values = 1,
        .chunk = MIXER_CHUNK,
        .others = (uint64_t)keys.inner * (keys.taps + keys.conv_biased + keys.state + 1),
        .biased = keys.biased,
    };
    if (cs_same(config->type->name, "jamba"))
        config->dims->mixer.others += rank + 2 * (uint64_t)keys.state;
}

/* Falcon's has a norm behind the gate by a key. */
static void mixer_mamba2(struct cs_config *config)
{
    bool plain = cs_same(config->type->name, "mamba2");
    struct mixer_keys keys = mixer_keys_of(config, plain ? 128 : 256);
    uint32_t groups = mixer_count(config, "mamba_n_groups|n_groups", plain ? 8 : 1);
    uint32_t heads = mixer_count(config, "mamba_n_heads|mamba_num_heads|num_heads", 128);
    uint32_t channels, chunk;
    bool norm;

    if (cs_config_find(config, "mamba_num_heads") != CS_DOC_NONE)
        keys.inner = heads * mixer_count(config, "mamba_head_dim", 64);
    norm = cs_config_flag(config, "mamba_rms_norm", !cs_same(config->type->name, "falcon_h1"));
    chunk = mixer_count(config, "mamba_chunk_size|chunk_size", MIXER_CHUNK);
    keys.biased = cs_config_flag(config, "projectors_bias", keys.biased);
    if (config->code)
        return;
    channels = keys.inner + 2 * groups * keys.state;
    config->dims->mixer = (struct cs_mixer){
        .columns = keys.inner + channels + heads,
        .inner = keys.inner,
        .channels = channels,
        .heads = heads,
        .keys = keys.state,
        .values = keys.inner / heads,
        .chunk = chunk,
        .others = (uint64_t)channels * (keys.taps + keys.conv_biased) + 3 * (uint64_t)heads +
                  (norm ? keys.inner : 0),
        .biased = keys.biased,
    };
}

static void mixer_delta(struct cs_config *config)
{
    uint32_t key_heads = mixer_count(config, "linear_num_key_heads", 16);
    uint32_t key_width = mixer_count(config, "linear_key_head_dim", 128);
    uint32_t heads = mixer_count(config, "linear_num_value_heads", 32);
    uint32_t width = mixer_count(config, "linear_value_head_dim", 128);
    uint32_t taps = mixer_count(config, "linear_conv_kernel_dim", 4);
    uint32_t keys = key_heads * key_width, values = heads * width;

    config->dims->mixer = (struct cs_mixer){
        .columns = 2 * keys + 2 * values + 2 * heads,
        .inner = values,
        .channels = 2 * keys + values,
        .heads = heads,
        .keys = key_width,
        .values = width,
        .chunk = DELTA_CHUNK,
        .others = (2 * (uint64_t)keys + values) * taps + 2 * (uint64_t)heads + width,
    };
}

static void mixer_lightning(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;
    uint32_t width = dims->head_width ? dims->head_width : dims->hidden / dims->heads;
    uint32_t inner = dims->heads * width;

    dims->mixer = (struct cs_mixer){.columns = 4 * inner,
                                    .inner = inner,
                                    .heads = dims->heads,
                                    .keys = width,
                                    .values = width,
                                    .chunk = mixer_count(config, "block_size", MIXER_CHUNK),
                                    .others = inner};
}

static void mixer_convolution(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;
    uint32_t taps = mixer_count(config, "conv_L_cache", 3);
    bool biased = cs_config_flag(config, "conv_bias", false);

    dims->mixer = (struct cs_mixer){.columns = 3 * dims->hidden,
                                    .inner = dims->hidden,
                                    .channels = dims->hidden,
                                    .others = (uint64_t)dims->hidden * (taps + biased),
                                    .biased = biased};
}

static void config_mixer(struct cs_config *config)
{
    static void (*const readers[CS_CONFIG_MIXERS])(struct cs_config *) = {
        [CS_CONFIG_MAMBA] = mixer_mamba,
        [CS_CONFIG_MAMBA2] = mixer_mamba2,
        [CS_CONFIG_DELTA] = mixer_delta,
        [CS_CONFIG_LIGHTNING] = mixer_lightning,
        [CS_CONFIG_CONVOLUTION] = mixer_convolution,
    };
    struct cs_transformer *dims = config->dims;

    readers[config->type->mixer](config);
    /* Tensor parallel ranks divide the heads of a model without attention, or the
     * elements of its states. */
    if (!config->code && !config->type->keys.heads) {
        dims->heads = dims->kv_heads = dims->mixer.heads ? dims->mixer.heads : dims->mixer.inner;
        dims->head_width = 1;
    }
}

/* ---- attention and mixers ---- */

/* Names of a layer in lists. */
static const struct {
    const char *name;
    unsigned kind;
} layer_names[] = {
    {"full_attention", CS_LAYER_ATTENTION},
    {"sliding_attention", CS_LAYER_ATTENTION | CS_LAYER_WINDOW},
    {"chunked_attention", CS_LAYER_ATTENTION | CS_LAYER_WINDOW},
    {"linear_attention", CS_LAYER_MIXER},
    {"attention", CS_LAYER_ATTENTION},
    {"mamba", CS_LAYER_MIXER},
    {"conv", CS_LAYER_MIXER},
    {"mlp", CS_LAYER_DENSE},
    {"moe", CS_LAYER_EXPERTS},
};

enum {
    LAYER_NAMES = sizeof(layer_names) / sizeof(*layer_names),
};

struct layer_plan {
    struct cs_config *config;
    struct cs_transformer *dims;
    const struct cs_doc_node *nodes;
    unsigned char *kinds;
    bool complete; /* kinds have their feed-forward parts, too */
};

static void plan_name(const struct layer_plan *plan, uint32_t node, uint32_t layer)
{
    const char *names[LAYER_NAMES];
    const char *text = cs_config_text(plan->config, node, "layer_types");
    size_t known = 0;

    for (size_t n = 0; n < LAYER_NAMES && text; n++) {
        if (layer_names[n].kind & CS_LAYER_MIXER && !plan->config->type->mixer)
            continue;
        names[known++] = layer_names[n].name;
        if (!cs_same(text, layer_names[n].name))
            continue;
        plan->kinds[layer] = (unsigned char)layer_names[n].kind;
        return;
    }
    if (text)
        cs_config_refuse(plan->config, node, "layer_types: '%.40s' is not modelled in %s%s", text,
                         plan->config->type->name, cs_hint_all(text, names, known).text);
}

static void plan_list(struct layer_plan *plan, uint32_t list)
{
    uint32_t all = 0;

    for (uint32_t child = cs_config_first(plan->config, list, "layer_types");
         child != CS_DOC_NONE && !plan->config->code; child = plan->nodes[child].next, all++) {
        if (all >= plan->dims->layers)
            continue;
        plan_name(plan, child, all);
        plan->complete = plan->complete || plan->kinds[all] >= CS_LAYER_DENSE;
    }
    if (all != plan->dims->layers)
        cs_config_refuse(plan->config, list, "layer_types has %u layers of %u", all,
                         plan->dims->layers);
}

/* Nemotron's letters: a layer has one part. */
static void plan_pattern(struct layer_plan *plan, uint32_t node)
{
    static const char letters[] = "M*-E";
    static const unsigned char kinds[] = {CS_LAYER_MIXER, CS_LAYER_ATTENTION, CS_LAYER_DENSE,
                                          CS_LAYER_EXPERTS};
    const char *text = plan->nodes[node].text;
    size_t length = text ? strlen(text) : 0;

    plan->complete = true;
    if (length != plan->dims->layers) {
        cs_config_refuse(plan->config, node,
                         "hybrid_override_pattern has %zu letters for %u layers", length,
                         plan->dims->layers);
        return;
    }
    for (uint32_t l = 0; l < plan->dims->layers; l++) {
        const char *at = strchr(letters, text[l]);

        if (at)
            plan->kinds[l] = kinds[at - letters];
        else
            cs_config_refuse(plan->config, node,
                             "hybrid_override_pattern: no layer called '%c'; expected %s", text[l],
                             letters);
    }
}

/* Layers by the numbers of a list, in the arena; none without the list. */
static const bool *plan_numbers(const struct layer_plan *plan, const char *key)
{
    struct cs_config *config = plan->config;
    uint32_t layers = plan->dims->layers, list = cs_config_find(config, key), child = CS_DOC_NONE;
    bool *found = cs_arena_alloc(config->arena, layers, sizeof(*found));

    if (list != CS_DOC_NONE)
        child = cs_config_first(config, list, plan->nodes[list].key);
    for (; child != CS_DOC_NONE; child = plan->nodes[child].next) {
        const char *text = plan->nodes[child].text;
        char *end = NULL;
        unsigned long number = text ? strtoul(text, &end, 10) : 0;

        if (!end || *end || end == text || number >= layers)
            cs_config_refuse(config, child, "%s: expected numbers of layers below %u",
                             plan->nodes[list].key, layers);
        else
            found[number] = true;
    }
    return found;
}

static void plan_indices(struct layer_plan *plan)
{
    const bool *found = plan_numbers(plan, "attn_layer_indices");

    for (uint32_t l = 0; l < plan->dims->layers; l++)
        plan->kinds[l] = found[l] ? CS_LAYER_ATTENTION : CS_LAYER_MIXER;
}

/* MiniMax: 1 attends, 0 is linear. */
static void plan_switches(struct layer_plan *plan, uint32_t list)
{
    uint32_t l = 0;

    for (uint32_t child = cs_config_first(plan->config, list, "attn_type_list");
         child != CS_DOC_NONE && l < plan->dims->layers; child = plan->nodes[child].next) {
        const char *text = plan->nodes[child].text;

        plan->kinds[l++] = text && cs_same(text, "1") ? CS_LAYER_ATTENTION : CS_LAYER_MIXER;
    }
    if (l != plan->dims->layers)
        cs_config_refuse(plan->config, list, "attn_type_list has %u layers of %u", l,
                         plan->dims->layers);
}

/* One of every `period` layers attends. */
static void plan_period(struct layer_plan *plan)
{
    struct cs_config *config = plan->config;
    uint32_t every = config->type->attention_every, offset;

    every = cs_config_count(config, "attn_layer_period|full_attention_interval", every ? every : 1);
    offset = cs_config_optional(config, "attn_layer_offset");
    if (cs_config_find(config, "attn_layer_period") == CS_DOC_NONE)
        offset = cs_same(config->type->name, "jamba") ? 4 : every - 1;
    for (uint32_t l = 0; l < plan->dims->layers && !config->code; l++)
        plan->kinds[l] = l % every == offset ? CS_LAYER_ATTENTION : CS_LAYER_MIXER;
}

static void plan_mixers(struct layer_plan *plan)
{
    static const struct {
        const char *keys;
        void (*read)(struct layer_plan *, uint32_t);
    } lists[] = {{"hybrid_override_pattern", plan_pattern},
                 {"layers_block_type|layer_types", plan_list},
                 {"attn_type_list", plan_switches}};
    const struct cs_config_type *type = plan->config->type;

    for (uint32_t l = 0; l < plan->dims->layers; l++)
        plan->kinds[l] = type->mixes_all ? CS_LAYER_MIXER
                         : type->beside  ? CS_LAYER_MIXER | CS_LAYER_ATTENTION
                                         : CS_LAYER_ATTENTION;
    if (type->mixes_all || type->beside)
        return;
    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        uint32_t node = cs_config_find(plan->config, lists[i].keys);

        if (node == CS_DOC_NONE)
            continue;
        lists[i].read(plan, node);
        return;
    }
    if (!type->mixer)
        return;
    if (cs_config_find(plan->config, "attn_layer_indices") != CS_DOC_NONE)
        plan_indices(plan);
    else
        plan_period(plan);
}

/* ---- feed-forward parts ---- */

/* Ernie's key of the last layer with experts. */
static uint32_t plan_last(const struct layer_plan *plan)
{
    static const char key[] = "moe_layer_end_index";
    uint32_t node = cs_config_find(plan->config, key);
    const char *text = node == CS_DOC_NONE ? "-1" : plan->nodes[node].text;

    return text && *text == '-' ? plan->dims->layers - 1 : cs_config_count(plan->config, key, 0);
}

/* Layers that a list names have a feed-forward part (Qwen), or experts (Llama 4). */
static void plan_experts(struct layer_plan *plan)
{
    struct cs_config *config = plan->config;
    const struct cs_config_experts *keys = &config->type->experts;
    uint32_t first = plan->dims->dense_layers, every, offset, last;
    const bool *dense = plan_numbers(plan, "mlp_only_layers");
    const bool *routed = plan_numbers(plan, "moe_layers");
    bool listed = cs_config_find(config, "moe_layers") != CS_DOC_NONE;

    every = cs_config_count(config, keys->every, 1);
    offset = keys->dense ? 0 : every - 1;
    if (keys->offset)
        offset = cs_config_optional(config, keys->offset);
    last = plan_last(plan);
    for (uint32_t l = 0; l < plan->dims->layers && !config->code; l++) {
        bool has = listed ? routed[l] : l >= first && l <= last && l % every == offset && !dense[l];

        plan->kinds[l] |= (unsigned char)(plan->dims->experts && has ? CS_LAYER_EXPERTS
                                          : plan->dims->ffn          ? CS_LAYER_DENSE
                                                                     : 0);
    }
}

/* ---- the plan ---- */

/* Whether closed forms have the layers: attention in all, dense ones first. */
static bool plan_is_plain(const struct layer_plan *plan, uint32_t *dense)
{
    uint32_t l = 0;

    while (l < plan->dims->layers && plan->kinds[l] == (CS_LAYER_ATTENTION | CS_LAYER_DENSE))
        l++;
    *dense = l;
    while (l < plan->dims->layers && plan->kinds[l] == (CS_LAYER_ATTENTION | CS_LAYER_EXPERTS))
        l++;
    return l == plan->dims->layers && (*dense < l || !plan->dims->experts);
}

/* Layers with a window, where a list names them or a rule counts them: closed forms have
 * their number, a plan has each. */
static void plan_windows(struct layer_plan *plan)
{
    struct cs_transformer *dims = plan->dims;
    uint32_t listed = 0, left;

    for (uint32_t l = 0; l < dims->layers; l++)
        listed += (plan->kinds[l] & CS_LAYER_WINDOW) != 0;
    if (cs_config_find(plan->config, "layer_types") != CS_DOC_NONE && dims->window) {
        dims->windowed = listed;
        if (!listed)
            dims->window = 0;
    }
    left = !dims->window ? 0 : dims->windowed ? dims->windowed : dims->layers;
    for (uint32_t l = 0; l < dims->layers; l++) {
        plan->kinds[l] &= (unsigned char)~CS_LAYER_WINDOW;
        if (plan->kinds[l] & CS_LAYER_ATTENTION && left && plan->config->type->mixer) {
            plan->kinds[l] |= CS_LAYER_WINDOW;
            left--;
        }
    }
}

void cs_config_layers(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;
    struct layer_plan plan = {.config = config, .dims = dims, .nodes = config->doc.nodes};
    uint32_t dense = 0;

    if (config->code || dims->layers > CS_TRANSFORMER_LAYERS_MAX)
        return; /* refused with the other sizes */
    plan.kinds = cs_arena_alloc(config->arena, dims->layers, sizeof(*plan.kinds));
    plan_mixers(&plan);
    if (!plan.complete)
        plan_experts(&plan);
    if (config->type->mixer)
        config_mixer(config);
    if (config->code)
        return;
    plan_windows(&plan);
    if (plan_is_plain(&plan, &dense))
        dims->dense_layers = dims->experts ? dense : 0;
    else
        dims->plan = plan.kinds;
}

/* ---- the head ---- */

enum {
    HEAD_LABELS = 2 /* of a config without names */
};

/* By the ending of a class's name, of which the first counts. */
static const struct config_head {
    const char *ending;
    enum cs_head head;
    bool pools;       /* encoders: a pooler, or a product of its size */
    uint32_t classes; /* 0: those of the config */
} config_heads[] = {
    {"ForMaskedLM", CS_HEAD_WORDS, false, 0},
    {"ForCausalLM", CS_HEAD_WORDS, false, 0},
    {"LMHeadModel", CS_HEAD_WORDS, false, 0},
    {"ForNextSentencePrediction", CS_HEAD_SAMPLE, true, 2},
    {"ForSequenceClassification", CS_HEAD_SAMPLE, true, 0},
    {"ForMultipleChoice", CS_HEAD_SAMPLE, true, 1},
    {"ForTokenClassification", CS_HEAD_TOKENS, false, 0},
    {"ForQuestionAnswering", CS_HEAD_TOKENS, false, 0},
    /* The class of this name of the hub predicts words. */
    {"ChatGLMModel", CS_HEAD_WORDS, false, 0},
    {"HeadsModel", CS_HEAD_WORDS, false, 0},
    {"Model", CS_HEAD_NONE, true, 0},
};

uint32_t cs_config_labels(struct cs_config *config)
{
    uint32_t names = cs_config_find(config, "id2label");
    uint32_t count = names == CS_DOC_NONE ? 0 : config->doc.nodes[names].count;

    return cs_config_count(config, "num_labels", count ? count : HEAD_LABELS);
}

/* NULL: the default. */
static const struct config_head *config_head_of(const char *name)
{
    for (size_t i = 0; i < sizeof(config_heads) / sizeof(*config_heads); i++)
        if (cs_ends_in(name, config_heads[i].ending))
            return &config_heads[i];
    return NULL;
}

/* The first class of the list; "" without one. */
static const char *config_class(struct cs_config *config)
{
    uint32_t list = cs_config_find(config, "architectures"), first = CS_DOC_NONE;

    if (list != CS_DOC_NONE)
        first = cs_config_first(config, list, "architectures");
    return first == CS_DOC_NONE ? "" : cs_config_text(config, first, "architectures");
}

/* A pooler as wide as the layers, or as the config has it (ViT). */
static void config_pooler(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;

    if (dims->encoder || dims->patch)
        dims->pooled = cs_config_count(config, "pooler_output_size", dims->hidden);
}

/* Photos have a head of classes by themselves. */
static void config_photo_head(struct cs_config *config, const char *name)
{
    if (cs_ends_in(name, "ForMaskedImageModeling"))
        cs_config_refuse(config, cs_config_find(config, "architectures"),
                         "architectures: '%.60s' is not modelled; expected "
                         "ViTForImageClassification or ViTModel",
                         name);
    if (!cs_ends_in(name, "Model"))
        return;
    config->dims->head = CS_HEAD_NONE;
    config_pooler(config);
}

void cs_config_head(struct cs_config *config)
{
    struct cs_transformer *dims = config->dims;
    const char *name = config_class(config);
    const struct config_head *head;

    if (config->code)
        return;
    if (dims->patch) {
        config_photo_head(config, name);
        return;
    }
    head = config_head_of(name);
    if (!head)
        return;
    dims->head = head->head;
    if (head->head == CS_HEAD_WORDS) {
        if (dims->encoder)
            dims->traits |= CS_TRAIT_MASKED_ONLY;
        return;
    }
    dims->tied = false;
    dims->classes = head->classes;
    if (!head->classes && head->head != CS_HEAD_NONE)
        dims->classes = cs_config_labels(config);
    if (head->pools && !(config->type->bare && head->head == CS_HEAD_NONE))
        config_pooler(config);
}
