/*
 * Builder of a model: collects blocks, tensors and matrix products.
 *
 * Counts are added to the open block; cs_model_close ends the block.  Memory is
 * in the arena; limits are those of the largest architecture here and asserted.
 */
#pragma once

#include "scenarios/train/model/model.h"

enum {
    CS_MODEL_BLOCKS_MAX = 128,
    CS_MODEL_TENSORS_MAX = 48, /* of a block */
    CS_MODEL_MATMULS_MAX = 16,
};

struct cs_model_builder {
    struct cs_arena *arena;
    struct cs_train_block blocks[CS_MODEL_BLOCKS_MAX];
    uint32_t count;
    struct cs_train_block open;
    uint64_t tensors[CS_MODEL_TENSORS_MAX];
    struct cs_matmul matmuls[CS_MODEL_MATMULS_MAX];
};

/* An empty model with an open block, to which a tensor and a product are added. */
void cs_model_builder_start(struct cs_model_builder *builder, struct cs_arena *arena);
void cs_model_tensor(struct cs_model_builder *builder, uint64_t elements);
void cs_model_matmul(struct cs_model_builder *builder, struct cs_matmul matmul);

/* A product of `rows` rows of a sample with a weight matrix; and the matrix with its bias
 * where biased, too. */
void cs_model_product(struct cs_model_builder *builder, double rows, double inner, double columns);
void cs_model_linear(struct cs_model_builder *builder, double rows, uint64_t inner,
                     uint64_t columns, bool biased);

/* Attention of `tokens` to `keys`: `products` of queries and keys are summed, and one
 * with values follows; `passes` over a score, in elements, and `kernels` lie between. */
struct cs_model_scores {
    double tokens, keys;
    double width; /* of a head */
    uint32_t heads;
    int products;
    double passes, kernels;
};

void cs_model_scores(struct cs_model_builder *builder, const struct cs_model_scores *attention);

/* Ends the open block as `repeat` blocks of that name with that output. */
void cs_model_close(struct cs_model_builder *builder, const char *name, uint32_t repeat,
                    double output);

/* Moves the blocks to the arena and counts the parameters. */
void cs_model_finish(struct cs_model_builder *builder, struct cs_train_model *model);
