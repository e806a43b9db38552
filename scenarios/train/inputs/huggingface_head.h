/*
 * Heads of config.json of Hugging Face: what the class of `architectures` adds to the
 * layers of its model_type (src/transformers/models/TYPE/modeling_TYPE.py).
 *
 * A config without architectures, or with one of another ending, is that of words:
 * BERT's with all heads of its pretraining.
 *
 *     head, labels   O(keys)
 */
#pragma once

#include "scenarios/train/inputs/config.h"
#include "scenarios/train/inputs/huggingface_types.h"

/* Classes: num_labels, or as many as id2label names, or two. */
uint32_t cs_config_labels(struct cs_config *config);

/* Fills the head of dimensions that are complete otherwise. */
void cs_config_head(struct cs_config *config);
