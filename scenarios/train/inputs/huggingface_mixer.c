/*
 * Parameters as huggingface/transformers src/transformers/models has them: jamba, mamba,
 * falcon_mamba (MambaMixer); mamba2, bamba, granitemoehybrid, nemotron_h, falcon_h1
 * (Mamba2Mixer); qwen3_next (GatedDeltaNet); minimax (LightningAttention); lfm2 (ShortConv).
 */
#include "scenarios/train/inputs/huggingface_mixer.h"

#include "scenarios/train/inputs/config_keys.h"
#include "sim/base/text.h"

enum {
    MIXER_CHUNK = 256,
    DELTA_CHUNK = 64, /* fla.ops, chunk_gated_delta_rule */
    AUTO_RANK = 16,   /* elements of the hidden size for one of the rank */
    MIXER_MOST = 1 << 14,
};

struct mixer_keys {
    uint32_t inner, state, groups, heads, taps, chunk;
    bool conv_biased, biased;
};

/* As cs_config_count, of sizes whose products are counted. */
static int mixer_count(const struct cs_doc *doc, const char *keys, uint32_t otherwise,
                       uint32_t *count, struct cs_err *err)
{
    int code = cs_config_count(doc, keys, otherwise, count, err);

    if (code || *count <= MIXER_MOST)
        return code;
    return cs_doc_err(doc, cs_config_find(doc, keys), err, "%u is beyond %d", *count, MIXER_MOST);
}

/* A width by a key, or as a multiple of the hidden size. */
static int mixer_inner(const struct cs_doc *doc, const struct cs_transformer *dims, uint32_t *inner,
                       struct cs_err *err)
{
    uint32_t times = 2;
    int code = mixer_count(doc, "mamba_expand|expand", 2, &times, err);

    if (!code && times > CS_CONFIG_MOST / dims->hidden)
        code = cs_doc_err(doc, cs_config_find(doc, "mamba_expand|expand"), err,
                          "expand: %u times the hidden size", times);
    return code ? code : cs_config_count(doc, "mamba_d_ssm", times * dims->hidden, inner, err);
}

static int mixer_keys(const struct cs_doc *doc, const struct cs_transformer *dims,
                      struct mixer_keys *keys, struct cs_err *err)
{
    int code = mixer_inner(doc, dims, &keys->inner, err);

    if (!code)
        code = mixer_count(doc, "mamba_d_state|ssm_state_size|state_size", keys->state,
                           &keys->state, err);
    if (!code)
        code = mixer_count(doc, "mamba_d_conv|conv_kernel", 4, &keys->taps, err);
    if (!code)
        code = cs_config_flag(doc, "mamba_conv_bias", true, &keys->conv_biased, err);
    if (!code)
        code = cs_config_flag(doc, "use_conv_bias", keys->conv_biased, &keys->conv_biased, err);
    if (!code)
        code = cs_config_flag(doc, "mamba_proj_bias", false, &keys->biased, err);
    if (!code)
        code = cs_config_flag(doc, "use_bias", keys->biased, &keys->biased, err);
    return code;
}

/* Norms of rank and states are Jamba's. */
static int mixer_mamba(const struct cs_doc *doc, const struct cs_config_type *type,
                       struct cs_transformer *dims, struct cs_err *err)
{
    struct mixer_keys keys = {.state = 16};
    uint32_t rank = (dims->hidden + AUTO_RANK - 1) / AUTO_RANK;
    uint32_t node = cs_config_find(doc, "mamba_dt_rank|time_step_rank");
    int code = mixer_keys(doc, dims, &keys, err);

    if (!code && node != CS_DOC_NONE && !cs_same(doc->nodes[node].text, "auto"))
        code = mixer_count(doc, "mamba_dt_rank|time_step_rank", rank, &rank, err);
    if (code)
        return code;
    dims->mixer = (struct cs_mixer){
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
    if (cs_same(type->name, "jamba"))
        dims->mixer.others += rank + 2 * (uint64_t)keys.state;
    return 0;
}

/* Falcon's has a norm behind the gate by a key. */
static int mixer_mamba2(const struct cs_doc *doc, const struct cs_config_type *type,
                        struct cs_transformer *dims, struct cs_err *err)
{
    struct mixer_keys keys = {.state = cs_same(type->name, "mamba2") ? 128 : 256};
    uint32_t width = 0, channels;
    bool norm = !cs_same(type->name, "falcon_h1");
    int code = mixer_keys(doc, dims, &keys, err);

    if (!code)
        code = mixer_count(doc, "mamba_n_groups|n_groups", cs_same(type->name, "mamba2") ? 8 : 1,
                           &keys.groups, err);
    if (!code)
        code = mixer_count(doc, "mamba_n_heads|mamba_num_heads|num_heads", 128, &keys.heads, err);
    if (!code && cs_config_find(doc, "mamba_num_heads") != CS_DOC_NONE) {
        code = mixer_count(doc, "mamba_head_dim", 64, &width, err);
        keys.inner = keys.heads * width;
    }
    if (!code)
        code = cs_config_flag(doc, "mamba_rms_norm", norm, &norm, err);
    if (!code)
        code = mixer_count(doc, "mamba_chunk_size|chunk_size", MIXER_CHUNK, &keys.chunk, err);
    if (!code)
        code = cs_config_flag(doc, "projectors_bias", keys.biased, &keys.biased, err);
    if (code)
        return code;
    channels = keys.inner + 2 * keys.groups * keys.state;
    dims->mixer = (struct cs_mixer){
        .columns = keys.inner + channels + keys.heads,
        .inner = keys.inner,
        .channels = channels,
        .heads = keys.heads,
        .keys = keys.state,
        .values = keys.inner / keys.heads,
        .chunk = keys.chunk,
        .others = (uint64_t)channels * (keys.taps + keys.conv_biased) + 3 * (uint64_t)keys.heads +
                  (norm ? keys.inner : 0),
        .biased = keys.biased,
    };
    return 0;
}

static int mixer_delta(const struct cs_doc *doc, const struct cs_config_type *type,
                       struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t key_heads, key_width, heads, width, taps, keys, values;
    int code = mixer_count(doc, "linear_num_key_heads", 16, &key_heads, err);

    (void)type;
    if (!code)
        code = mixer_count(doc, "linear_key_head_dim", 128, &key_width, err);
    if (!code)
        code = mixer_count(doc, "linear_num_value_heads", 32, &heads, err);
    if (!code)
        code = mixer_count(doc, "linear_value_head_dim", 128, &width, err);
    if (!code)
        code = mixer_count(doc, "linear_conv_kernel_dim", 4, &taps, err);
    if (code)
        return code;
    keys = key_heads * key_width;
    values = heads * width;
    dims->mixer = (struct cs_mixer){
        .columns = 2 * keys + 2 * values + 2 * heads,
        .inner = values,
        .channels = 2 * keys + values,
        .heads = heads,
        .keys = key_width,
        .values = width,
        .chunk = DELTA_CHUNK,
        .others = (2 * (uint64_t)keys + values) * taps + 2 * (uint64_t)heads + width,
    };
    return 0;
}

static int mixer_lightning(const struct cs_doc *doc, const struct cs_config_type *type,
                           struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t width = dims->head_width ? dims->head_width : dims->hidden / dims->heads;
    uint32_t inner = dims->heads * width, chunk;
    int code = mixer_count(doc, "block_size", MIXER_CHUNK, &chunk, err);

    (void)type;
    dims->mixer = (struct cs_mixer){.columns = 4 * inner,
                                    .inner = inner,
                                    .heads = dims->heads,
                                    .keys = width,
                                    .values = width,
                                    .chunk = chunk,
                                    .others = inner};
    return code;
}

static int mixer_convolution(const struct cs_doc *doc, const struct cs_config_type *type,
                             struct cs_transformer *dims, struct cs_err *err)
{
    uint32_t taps;
    bool biased = false;
    int code = mixer_count(doc, "conv_L_cache", 3, &taps, err);

    (void)type;
    if (!code)
        code = cs_config_flag(doc, "conv_bias", false, &biased, err);
    dims->mixer = (struct cs_mixer){.columns = 3 * dims->hidden,
                                    .inner = dims->hidden,
                                    .channels = dims->hidden,
                                    .others = (uint64_t)dims->hidden * (taps + biased),
                                    .biased = biased};
    return code;
}

int cs_config_mixer(const struct cs_doc *doc, const struct cs_config_type *type,
                    struct cs_transformer *dims, struct cs_err *err)
{
    static int (*const readers[CS_CONFIG_MIXERS])(const struct cs_doc *,
                                                  const struct cs_config_type *,
                                                  struct cs_transformer *, struct cs_err *) = {
        [CS_CONFIG_MAMBA] = mixer_mamba,
        [CS_CONFIG_MAMBA2] = mixer_mamba2,
        [CS_CONFIG_DELTA] = mixer_delta,
        [CS_CONFIG_LIGHTNING] = mixer_lightning,
        [CS_CONFIG_CONVOLUTION] = mixer_convolution,
    };

    int code = readers[type->mixer](doc, type, dims, err);

    /* Tensor parallel ranks divide the heads of a model without attention, or the
     * elements of its states. */
    if (!code && !type->keys.heads) {
        dims->heads = dims->kv_heads = dims->mixer.heads ? dims->mixer.heads : dims->mixer.inner;
        dims->head_width = 1;
    }
    return code;
}
