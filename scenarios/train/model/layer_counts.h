/*
 * Traffic and memory of a transformer's layer, in elements of a sequence.
 *
 * Activations by Korthikanti et al. (arXiv 2205.05198, section 4): a layer of GPT keeps 34
 * bytes of a token's hidden element and its scores.
 */
#pragma once

#include "scenarios/train/model/model.h"

/* Parts of a layer (a set of enum cs_layer_kind) with a norm and a sum of their own: what
 * mixes tokens, and what follows it; and its norms of the hidden size. */
int cs_layer_parts(unsigned kind);
int cs_layer_norms(const struct cs_transformer *dims, unsigned kind);

/* Adds what a layer keeps, reads and writes to the block of its products. */
void cs_layer_count(struct cs_train_block *block, const struct cs_transformer *dims, unsigned kind);
