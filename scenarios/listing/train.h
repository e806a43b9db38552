/*
 * Listings of training: models, systems, peaks of GPUs.
 */
#ifndef CS_SCENARIOS_LISTING_TRAIN_H
#define CS_SCENARIOS_LISTING_TRAIN_H

#include "reports/results/table.h"
#include "sim/base/err.h"

enum {
    CS_TRAIN_MODEL_COLUMNS = 5,
    CS_TRAIN_GPU_COLUMNS = 10,
};

extern const struct cs_table_column cs_train_model_columns[CS_TRAIN_MODEL_COLUMNS];
extern const struct cs_table_column cs_train_gpu_columns[CS_TRAIN_GPU_COLUMNS];

int cs_train_fill_models(struct cs_table *table, struct cs_err *err);
int cs_train_fill_systems(struct cs_table *table, struct cs_err *err);
int cs_train_fill_gpus(struct cs_table *table, struct cs_err *err);

#endif
