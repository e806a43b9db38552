/*
 * Convolutional networks: blocks from layer shapes.
 *
 * A convolution is a product of (pixels of the output) x (inputs x kernel area)
 * by the outputs; images of 224 x 224, 1000 classes.
 */
#ifndef CS_SCENARIOS_TRAIN_CONVNET_H
#define CS_SCENARIOS_TRAIN_CONVNET_H

#include "scenarios/train/model.h"

/* Bottleneck blocks of the four parts: ResNet-50 is 3, 4, 6, 3. */
void cs_train_resnet(const uint32_t parts[4], struct cs_arena *arena,
                     struct cs_train_model *model);

/* VGG-16 without batch norm. */
void cs_train_vgg16(struct cs_arena *arena, struct cs_train_model *model);

#endif
