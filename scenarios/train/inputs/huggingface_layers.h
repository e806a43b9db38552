/*
 * Layers of several kinds in config.json: attention, a window, a state space or linear
 * attention, a feed-forward part, experts.
 */
#ifndef CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_LAYERS_H
#define CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_LAYERS_H

#include "scenarios/train/inputs/config.h"
#include "scenarios/train/inputs/huggingface_types.h"

/* Sets the plan of the layers, or the first dense ones where experts follow in all
 * others, and the mixer; sizes, experts and window are set. */
void cs_config_layers(struct cs_config *config);

#endif
