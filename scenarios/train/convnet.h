/*
 * Layers of convolutional networks of the library, for images of 224 x 224 pixels
 * (Inception v3: 299 x 299) in 1,000 classes.  Memory is in the arena.
 */
#ifndef CS_SCENARIOS_TRAIN_CONVNET_H
#define CS_SCENARIOS_TRAIN_CONVNET_H

#include "scenarios/train/model.h"

typedef void cs_convnet_open(struct cs_arena *arena,
                             struct cs_train_model *model);

/* Residual networks: bottlenecks, with groups, with squeeze and excitation. */
cs_convnet_open cs_train_resnet50, cs_train_resnet101, cs_train_resnet152,
    cs_train_resnext50_32x4d, cs_train_resnext101_32x4d,
    cs_train_resnext101_32x8d, cs_train_se_resnext101_32x4d;

cs_convnet_open cs_train_vgg16, cs_train_alexnet;

cs_convnet_open cs_train_inception_v3, cs_train_inception_bn;

#endif
