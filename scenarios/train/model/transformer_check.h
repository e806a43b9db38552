/*
 * Transformers: whether dimensions make a model.
 *
 *     check   O(1)
 */
#ifndef CS_SCENARIOS_TRAIN_MODEL_TRANSFORMER_CHECK_H
#define CS_SCENARIOS_TRAIN_MODEL_TRANSFORMER_CHECK_H

#include "scenarios/train/model/model.h"

/* 0, or CS_EINPUT for dimensions that are zero, too large or do not divide. */
int cs_transformer_check(const struct cs_transformer *dims, struct cs_err *err);

#endif
