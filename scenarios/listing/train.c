#include "scenarios/listing/train.h"

#include "scenarios/train/model/library.h"
#include "scenarios/train/systems/system.h"

const struct cs_table_column cs_train_model_columns[CS_TRAIN_MODEL_COLUMNS] = {
    {"name", NULL, CS_TABLE_LEFT},     {"parameters", NULL, CS_TABLE_RIGHT},
    {"tensors", NULL, CS_TABLE_RIGHT}, {"description", NULL, CS_TABLE_LEFT},
    {"source", NULL, CS_TABLE_LEFT},
};

int cs_train_fill_models(struct cs_table *table, struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_train_model model;
    int code = 0;

    for (size_t m = 0; m < cs_train_model_count && !code; m++) {
        uint32_t tensors = 0;

        code = cs_train_model_open(cs_train_model_names[m], &arena, &model, err);
        if (code)
            break;
        for (uint32_t b = 0; b < model.block_count; b++)
            tensors += model.blocks[b].tensor_count * model.blocks[b].repeat;
        cs_table_cell(table, model.name);
        cs_table_cellf(table, "%.0f", model.parameters);
        cs_table_cellf(table, "%u", tensors);
        cs_table_cell(table, model.about);
        cs_table_cell(table, model.source);
    }
    cs_arena_free(&arena);
    return code;
}

int cs_train_fill_systems(struct cs_table *table, struct cs_err *err)
{
    (void)err;
    for (size_t s = 0; s < cs_train_system_count; s++) {
        cs_table_cell(table, cs_train_systems[s]->name);
        cs_table_cell(table, cs_train_systems[s]->about);
    }
    return 0;
}

const struct cs_table_column cs_train_gpu_columns[CS_TRAIN_GPU_COLUMNS] = {
    {"name", NULL, CS_TABLE_LEFT},    {"memory", "GiB", CS_TABLE_RIGHT},
    {"rate", "GB/s", CS_TABLE_RIGHT}, {"fp32", "TFLOP/s", CS_TABLE_RIGHT},
    {"tf32", NULL, CS_TABLE_RIGHT},   {"fp16", NULL, CS_TABLE_RIGHT},
    {"bf16", NULL, CS_TABLE_RIGHT},   {"fp8", NULL, CS_TABLE_RIGHT},
    {"fp4", NULL, CS_TABLE_RIGHT},    {"source", NULL, CS_TABLE_LEFT},
};

int cs_train_fill_gpus(struct cs_table *table, struct cs_err *err)
{
    (void)err;
    for (size_t g = 0; g < cs_gpu_peak_count; g++) {
        const struct cs_gpu_peak *gpu = &cs_gpu_peaks[g];

        cs_table_cell(table, gpu->name);
        cs_table_cellf(table, "%.0f", gpu->memory_bytes / (1 << 30));
        cs_table_cellf(table, "%.0f", gpu->memory_Bps / 1e9);
        for (int p = 0; p < CS_PRECISIONS; p++) {
            if (gpu->flops_per_s[p] > 0)
                cs_table_cellf(table, "%g", gpu->flops_per_s[p] / 1e12);
            else
                cs_table_cell(table, "-");
        }
        cs_table_cell(table, gpu->source);
    }
    return 0;
}
