/*
 * Keys of a configuration: a map of numbers and flags.
 *
 * Keys are names of which the first that is present and not null counts,
 * "n_embed|hidden_size"; "ffn_config.moe_top_k" is a key of a map inside.  Errors are
 * CS_EINPUT with file and line.
 *
 *     all   O(keys of the map)
 */
#ifndef CS_SCENARIOS_TRAIN_INPUTS_CONFIG_KEYS_H
#define CS_SCENARIOS_TRAIN_INPUTS_CONFIG_KEYS_H

#include "topo/documents/doc.h"

enum {
    CS_CONFIG_MOST = 1 << 30,
};

/* The node; CS_DOC_NONE without one, and for NULL. */
uint32_t cs_config_find(const struct cs_doc *doc, const char *keys);

/* The error of a missing key, with the nearest. */
int cs_config_missing(const struct cs_doc *doc, const char *keys, struct cs_err *err);

/* `otherwise` is the number of a missing or null key; 0: the key is required. */
int cs_config_count(const struct cs_doc *doc, const char *keys, uint32_t otherwise, uint32_t *count,
                    struct cs_err *err);

/* The same, of a size that the class of Transformers knows without its key: required where
 * a key of nearly that name is there. */
int cs_config_size(const struct cs_doc *doc, const char *keys, uint32_t otherwise, uint32_t *count,
                   struct cs_err *err);

/* 0 without the key. */
int cs_config_optional(const struct cs_doc *doc, const char *keys, uint32_t *count,
                       struct cs_err *err);

int cs_config_flag(const struct cs_doc *doc, const char *key, bool otherwise, bool *flag,
                   struct cs_err *err);

#endif
