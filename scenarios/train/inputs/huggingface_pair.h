/*
 * T5 and mT5 of Hugging Face: config.json of an encoder with a decoder.
 *
 * Source and target have n_positions tokens each.
 *
 *     read   O(keys)
 */
#ifndef CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_PAIR_H
#define CS_SCENARIOS_TRAIN_INPUTS_HUGGINGFACE_PAIR_H

#include "scenarios/train/model/model.h"
#include "topo/documents/doc.h"

/* `ties`: unless tie_word_embeddings differs.  CS_EINPUT with file and line; memory is
 * in the arena. */
int cs_config_pair(const struct cs_doc *doc, bool ties, struct cs_arena *arena,
                   struct cs_train_model *model, struct cs_err *err);

#endif
