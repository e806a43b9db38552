/*
 * Types of config.json of Hugging Face: the architecture of each model_type, and the
 * names of its keys (huggingface/transformers
 * src/transformers/models/TYPE/configuration_TYPE.py, modeling_TYPE.py; for types of
 * the hub alone the repositories of their models).
 */
#pragma once

#include "scenarios/train/model/model.h"

enum {
    CS_CONFIG_FLAGS = 5,
    CS_CONFIG_FIXED = 4,
};

/* Names, of which the first present counts: "n_embed|hidden_size"; NULL: the type
 * has none; without a vocabulary and a sequence the model takes photos. */
struct cs_config_keys {
    const char *layers, *hidden, *heads, *kv_heads, *ffn, *vocabulary, *sequence;
};

/* Names of the keys of experts; NULL: the type has none. */
struct cs_config_experts {
    const char *count, *active, *ffn;
    const char *shared_ffn; /* width of the experts of all tokens */
    const char *shared;     /* or their number, as wide as others */
    const char *dense;      /* the first layers, without experts */
    /* Of every so many layers one has experts: the last of them, or that of the offset;
     * NULL: all have. */
    const char *every, *offset;
};

/* What layers have in place of attention, or beside it (huggingface_layers.c). */
enum cs_config_mixer {
    CS_CONFIG_NO_MIXER,
    CS_CONFIG_MAMBA,     /* a state for each element of a width */
    CS_CONFIG_MAMBA2,    /* by heads */
    CS_CONFIG_DELTA,     /* gated delta rule */
    CS_CONFIG_LIGHTNING, /* linear attention with a gate */
    CS_CONFIG_CONVOLUTION,
    CS_CONFIG_MIXERS
};

/* Sizes of a config without the keys, as the class of Transformers has them; 0: the key
 * is required. */
struct cs_config_defaults {
    uint32_t layers, hidden, heads, kv_heads, ffn, vocabulary, sequence, head_width;
};

/* Traits that the model has where a key is true, `otherwise` where it is missing. */
struct cs_config_flag {
    const char *key;
    bool otherwise;
    unsigned traits;
};

/* A key whose other values are models that do not exist here. */
struct cs_config_fixed {
    const char *key, *value;
};

struct cs_config_type {
    const char *name;
    struct cs_config_keys keys;
    uint32_t ffn_times;         /* of hidden, without a key; 0: the key is required */
    uint32_t sequence;          /* without a key; 0: the key is required */
    uint32_t position_offset;   /* rows before that of the first position */
    const char *shared_keys;    /* one head of keys and values where true */
    bool shares_keys;           /* without that key */
    const char *window;         /* key of attention's window */
    const char *window_switch;  /* key that must be true for a window */
    const char *first_windowed; /* key: layers before it have no window */
    const char *global_every;   /* key: every such layer has no window */
    uint32_t global_otherwise;  /* without that key; 0: all have it */
    bool pair;                  /* an encoder with a decoder */
    bool latent;                /* attention */
    bool bare;                  /* an encoder whose plain model has no pooler */
    struct cs_config_experts experts;
    enum cs_config_mixer mixer;
    bool mixes_all;           /* layers have nothing else, or attention and the mixer beside */
    bool beside;              /* each other */
    uint32_t attention_every; /* without a key or a list: such layers attend; 0: all */
    struct cs_config_defaults otherwise;
    bool ties; /* unless tie_word_embeddings differs */
    struct cs_config_flag flags[CS_CONFIG_FLAGS];
    struct cs_config_fixed fixed[CS_CONFIG_FIXED];
    struct cs_transformer dims; /* the architecture */
};

extern const struct cs_config_type cs_config_types[];
extern const size_t cs_config_type_count;

/* The type of a name; "qwen3_vl_text" is qwen3_vl, which is qwen3.  NULL: none. */
const struct cs_config_type *cs_config_type_called(const char *name);
