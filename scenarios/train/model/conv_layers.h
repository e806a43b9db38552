/*
 * Layers of convolutional networks, for models of images.
 *
 * Batch norm with ReLU in one kernel reads the output twice and writes once, bias
 * with ReLU reads and writes; the backward pass needs the input of batch norm and the
 * output of ReLU.
 */
#pragma once

#include "scenarios/train/model/builder.h"

struct cs_conv {
    uint32_t side;    /* of the output, in pixels */
    uint32_t in, out; /* channels */
    uint32_t taps;    /* of the kernel: 9 for 3 x 3 */
    uint32_t groups;  /* 0: 1 */
    bool norm, bias;  /* batch norm; bias */
    bool strided;     /* the output has fewer pixels than the input */
};

/* Adds a convolution with ReLU to the open block. */
void cs_conv_add(struct cs_model_builder *builder, struct cs_conv conv);

/* Adds a matrix with bias and ReLU for an image, and closes the block. */
void cs_conv_full(struct cs_model_builder *builder, const char *name, uint32_t inner,
                  uint32_t outer);

/* Finishes a model of photos, as trained with momentum. */
void cs_conv_finish(struct cs_model_builder *builder, struct cs_train_model *model);
