#include "scenarios/listing/listing.h"
#include "scenarios/train/command/framework.h"
#include "scenarios/train/model/library.h"
#include "scenarios/train/systems/system.h"

#include <stdio.h>

struct model_row {
    const struct cs_train_model *model;
    uint32_t tensors;
};

#define MODEL(member) CS_VIA(struct model_row, model, member)
static const struct cs_sheet_column model_columns[] = {
    CS_LISTED("name", TEXT, MODEL(name)),
    CS_LISTED("parameters", PLAIN, MODEL(parameters)),
    CS_LISTED("tensors", PLAIN, CS_AT(struct model_row, tensors)),
    CS_LISTED("description", TEXT, MODEL(about)),
    CS_LISTED("source", TEXT, MODEL(source)),
};

static int fill_models(struct cs_sheet *sheet, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_model model;
    int code = 0;

    for (size_t m = 0; m < cs_train_model_count && !code; m++) {
        struct model_row row = {.model = &model};

        code = cs_train_model_open(cs_train_model_names[m], &arena, &model, err);
        if (code)
            break;
        for (uint32_t b = 0; b < model.block_count; b++)
            row.tensors += model.blocks[b].tensor_count * model.blocks[b].repeat;
        cs_sheet_row(sheet, &row);
    }
    return code;
}

const struct cs_listing cs_listing_train_models = {
    .name = "train-models",
    .about = "models of 'collsim train'",
    .columns = model_columns,
    .column_count = sizeof(model_columns) / sizeof(*model_columns),
    .fill = fill_models,
};

static const struct cs_sheet_column system_columns[] = {
    CS_LISTED("name", TEXT, CS_AT(struct cs_train_system, name)),
    CS_LISTED("description", TEXT, CS_AT(struct cs_train_system, about)),
};

const struct cs_listing cs_listing_train_systems = {
    .name = "train-systems",
    .about = "systems of 'collsim train'",
    .columns = system_columns,
    .column_count = sizeof(system_columns) / sizeof(*system_columns),
    .rows = cs_train_systems,
    .count = &cs_train_system_count,
};

struct peak_row {
    const struct cs_gpu_peak *gpu;
    double memory_GiB, rate_GBps;
    char flops[CS_PRECISIONS][16]; /* "-": none */
};

#define GPU(member) CS_VIA(struct peak_row, gpu, member)
#define ROW(member) CS_AT(struct peak_row, member)
static const struct cs_sheet_column peak_columns[] = {
    CS_LISTED("name", TEXT, GPU(name)),
    {"memory", "memory", "GiB", CS_SHEET_PLAIN, ROW(memory_GiB)},
    {"rate", "rate", "GB/s", CS_SHEET_PLAIN, ROW(rate_GBps)},
    {"fp32", "fp32", "TFLOP/s", CS_SHEET_FIGURE, ROW(flops[0])},
    CS_LISTED("tf32", FIGURE, ROW(flops[1])),
    CS_LISTED("fp16", FIGURE, ROW(flops[2])),
    CS_LISTED("bf16", FIGURE, ROW(flops[3])),
    CS_LISTED("fp8", FIGURE, ROW(flops[4])),
    CS_LISTED("fp4", FIGURE, ROW(flops[5])),
    CS_LISTED("source", TEXT, GPU(source)),
};

static int fill_peaks(struct cs_sheet *sheet, struct cs_err *err)
{
    (void)err;
    for (size_t g = 0; g < cs_gpu_peak_count; g++) {
        const struct cs_gpu_peak *gpu = &cs_gpu_peaks[g];
        struct peak_row row = {gpu, gpu->memory_bytes / (1 << 30), gpu->memory_Bps / 1e9, {""}};

        for (int p = 0; p < CS_PRECISIONS; p++)
            if (gpu->flops_per_s[p] > 0)
                (void)snprintf(row.flops[p], sizeof(row.flops[p]), "%g",
                               gpu->flops_per_s[p] / 1e12);
            else
                row.flops[p][0] = '-';
        cs_sheet_row(sheet, &row);
    }
    return 0;
}

const struct cs_listing cs_listing_train_gpus = {
    .name = "train-gpus",
    .about = "peaks of GPUs, for 'collsim train --device'",
    .columns = peak_columns,
    .column_count = sizeof(peak_columns) / sizeof(*peak_columns),
    .fill = fill_peaks,
};

static const struct cs_sheet_column framework_columns[] = {
    CS_LISTED("name", TEXT, CS_AT(struct cs_framework, name)),
    CS_LISTED("release", TEXT, CS_AT(struct cs_framework, release)),
    CS_LISTED("options", TEXT, CS_AT(struct cs_framework, options)),
    CS_LISTED("source", TEXT, CS_AT(struct cs_framework, source)),
};

const struct cs_listing cs_listing_frameworks = {
    .name = "frameworks",
    .about = "what frameworks do, for 'collsim train --framework'",
    .columns = framework_columns,
    .column_count = sizeof(framework_columns) / sizeof(*framework_columns),
    .rows = cs_frameworks,
    .count = &cs_framework_count,
    .size = sizeof(struct cs_framework),
};
