/*
 * Layers of several kinds in config.json: attention, a window, a state space or linear
 * attention, a feed-forward part, experts.
 */
#ifndef CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_LAYERS_H
#define CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_LAYERS_H

#include "scenarios/train/inputs/huggingface_types.h"
#include "topo/documents/doc.h"

/* Sets the plan of the layers, or the first dense ones where experts follow in all
 * others, and the mixer; sizes, experts and window of `dims` are set. */
int cs_config_layers(const struct cs_doc *doc, const struct cs_config_type *type,
                     struct cs_arena *arena, struct cs_transformer *dims, struct cs_err *err);

#endif
