/*
 * Sizes of what mixes tokens beside attention in config.json.
 */
#ifndef CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_MIXER_H
#define CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_MIXER_H

#include "scenarios/train/inputs/huggingface_types.h"
#include "topo/documents/doc.h"

int cs_config_mixer(const struct cs_doc *doc, const struct cs_config_type *type,
                    struct cs_transformer *dims, struct cs_err *err);

#endif
