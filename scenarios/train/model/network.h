/*
 * Networks of the library that the dimensions of a transformer do not describe; memory
 * is in the arena.
 *
 * Images have 224 x 224 pixels (Inception v3: 299 x 299) in 1,000 classes.  A sample
 * is an image, a segment of Transformer-XL, a recording of Jasper, or for translation a
 * token of the source with one of the target.
 */
#pragma once

#include "scenarios/train/model/model.h"

typedef void cs_network_open(struct cs_arena *arena, struct cs_train_model *model);

/* Residual networks: bottlenecks, with groups, with squeeze and excitation. */
cs_network_open cs_train_resnet50, cs_train_resnet101, cs_train_resnet152, cs_train_resnext50_32x4d,
    cs_train_resnext101_32x4d, cs_train_resnext101_32x8d, cs_train_se_resnext101_32x4d;

cs_network_open cs_train_vgg16, cs_train_alexnet;

cs_network_open cs_train_inception_v3, cs_train_inception_bn;

/* Speech: convolutions along time. */
cs_network_open cs_train_jasper;

/* Language models with a memory of the segment before. */
cs_network_open cs_train_transformer_xl_base, cs_train_transformer_xl_large;

/* Translation: an encoder and a decoder that attends to it. */
cs_network_open cs_train_transformer_big;
