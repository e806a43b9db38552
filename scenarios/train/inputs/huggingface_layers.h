/*
 * Layers of several kinds in config.json: attention, a window, a state space or linear
 * attention, a feed-forward part, experts; and the head, which the class of
 * `architectures` adds (src/transformers/models/TYPE/modeling_TYPE.py).
 */
#pragma once

#include "scenarios/train/inputs/config.h"
#include "scenarios/train/inputs/huggingface_types.h"

/* Sets the plan of the layers, or the first dense ones where experts follow in all
 * others, and the mixer; sizes, experts and window are set. */
void cs_config_layers(struct cs_config *config);

/* Classes: num_labels, or as many as id2label names, or two. */
uint32_t cs_config_labels(struct cs_config *config);

/* Fills the head of dimensions that are complete otherwise.  A config without
 * architectures, or with one of another ending, is that of words: BERT's with all heads
 * of its pretraining. */
void cs_config_head(struct cs_config *config);
