/*
 * Heads of config.json of Hugging Face: what the class of `architectures` adds to the
 * layers of its model_type (src/transformers/models/TYPE/modeling_TYPE.py).
 *
 * A config without architectures, or with one of another ending, is that of words:
 * BERT's with all heads of its pretraining.
 *
 *     head, labels   O(keys)
 */
#ifndef CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_HEAD_H
#define CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_HEAD_H

#include "scenarios/train/inputs/huggingface_types.h"
#include "topo/documents/doc.h"

/* Classes: num_labels, or as many as id2label names, or two. */
int cs_config_labels(const struct cs_doc *doc, uint32_t *count, struct cs_err *err);

/* Fills the head of dimensions that are complete otherwise.  CS_EINPUT with file and
 * line. */
int cs_config_head(const struct cs_doc *doc, const struct cs_config_type *type,
                   struct cs_transformer *dims, struct cs_err *err);

#endif
