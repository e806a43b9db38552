/*
 * Encoders with a decoder that attends to them: T5 (arXiv 1910.10683).
 *
 * A sample has as many tokens of the source as of the target.  Norms have one
 * parameter, products no bias; heads may be wider or narrower than hidden / heads;
 * positions are biases of scores, of which a stack has one table.  The model has no
 * dimensions of a transformer: its step is data parallel, or a pipeline cut by time.
 */
#pragma once

#include "scenarios/train/model/model.h"

struct cs_encoder_decoder {
    uint32_t hidden, heads, head_width, ffn;
    uint32_t encoder_layers, decoder_layers, vocabulary;
    uint32_t tokens;    /* of the source, and of the target */
    uint32_t distances; /* with a bias of their own */
    bool gated, tied;
};

/* All dimensions above 0; memory is in the arena. */
void cs_train_encoder_decoder(const struct cs_encoder_decoder *dims, struct cs_arena *arena,
                              struct cs_train_model *model);
