/*
 * Configurations: a map of numbers and flags that fills the dimensions of a model.
 *
 * Keys are names of which the first that is present and not null counts,
 * "n_embed|hidden_size"; "ffn_config.moe_top_k" is a key of a map inside.  The first
 * error, CS_EINPUT with file and line, is kept: behind it all values are 0.
 *
 *     all   O(keys of the map)
 */
#pragma once

#include "scenarios/train/inputs/model_input.h"
#include "topo/documents/doc.h"

enum {
    CS_CONFIG_MOST = 1 << 30,
};

struct cs_config {
    struct cs_doc doc;
    const struct cs_config_type *type; /* huggingface_types.h */
    struct cs_transformer *dims;
    struct cs_arena *arena;
    struct cs_err *err;
    int code; /* of the first error */
};

/* The error at a node, where it is the first. */
void cs_config_refuse(struct cs_config *config, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The error of a missing key, with the nearest. */
void cs_config_missing(struct cs_config *config, const char *key);

/* The node; CS_DOC_NONE without one, and for NULL. */
uint32_t cs_config_find(const struct cs_config *config, const char *keys);

/* The text of a node; NULL with an error. */
const char *cs_config_text(struct cs_config *config, uint32_t node, const char *what);

/* The first entry of a list; CS_DOC_NONE of an empty one, and with an error. */
uint32_t cs_config_first(struct cs_config *config, uint32_t list, const char *what);

/* `otherwise` is the number of a missing or null key; 0: the key is required. */
uint32_t cs_config_count(struct cs_config *config, const char *keys, uint32_t otherwise);

/* The same, of a size that the class of Transformers knows without its key: required where
 * a key of nearly that name is there. */
uint32_t cs_config_size(struct cs_config *config, const char *keys, uint32_t otherwise);

/* 0 without the key. */
uint32_t cs_config_optional(struct cs_config *config, const char *keys);

bool cs_config_flag(struct cs_config *config, const char *key, bool otherwise);

/* Makes the configuration of the language model in one of several models (text_config,
 * llm_config, ...) the document, and notes what is left out. */
void cs_config_language(struct cs_config *config, struct cs_model_division *division);
