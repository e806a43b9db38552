/*
 * Layers of several kinds in config.json: attention, a window, a state space or linear
 * attention, a feed-forward part, experts.
 */
#pragma once

#include "scenarios/train/inputs/config.h"
#include "scenarios/train/inputs/huggingface_types.h"

/* Sets the plan of the layers, or the first dense ones where experts follow in all
 * others, and the mixer; sizes, experts and window are set. */
void cs_config_layers(struct cs_config *config);
