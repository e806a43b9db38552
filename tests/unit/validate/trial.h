/*
 * A trial: a made-up GPU and runs that take a known factor of the prediction.
 */
#pragma once

#include "tests/unit/validate/synthetic.h"
#include "validate/gpu/comparison.h"

struct trial {
    struct cs_arena arena;
    struct cs_measurements all;
    struct cs_comparison comparison;
    struct cs_err err;
};

/* Rings of 4 KiB, 8 KiB and so on, each with its factor of the predicted time. */
static inline void trial_make(struct trial *trial, const double *factors, size_t count)
{
    struct cs_gpu_model model;

    synthetic_calibrate(&trial->all);
    assert_int_equal(
        cs_gpu_model_make(&trial->all, SYNTHETIC_GPU, &trial->arena, &model, &trial->err), 0);
    for (size_t i = 0; i < count; i++) {
        struct cs_gpu_query query = {.algorithm = "ring",
                                     .transport = "device",
                                     .ranks = 4,
                                     .channels = 4,
                                     .gpus = 1,
                                     .bytes = (uint64_t)1 << (12 + i),
                                     .element_bytes = 4,
                                     .slice_bytes = 32768,
                                     .threads = 512,
                                     .table = synthetic_table("ring", 4, &trial->arena)};
        struct cs_measured run;
        struct cs_gpu_prediction answer;

        assert_int_equal(cs_gpu_predict(&model, &query, &answer, &trial->err), 0);
        run = synthetic_run("ring", 4, query.bytes, answer.time_s * factors[i]);
        run.run.table.hash = query.table;
        synthetic_add(&trial->all, run);
    }
}

static inline int trial_compare(struct trial *trial)
{
    return cs_compare(&trial->all, &trial->arena, &trial->comparison, &trial->err);
}

static inline void trial_free(struct trial *trial)
{
    cs_measurements_free(&trial->all);
    cs_arena_free(&trial->arena);
}

/* Registers a prediction of the last run. */
static inline void trial_register(struct trial *trial, double time_s, const char *date)
{
    struct cs_measured line = trial->all.items[trial->all.count - 1];

    for (size_t i = 0; i < trial->all.count; i++)
        if (trial->all.items[i].kind == CS_MEASURED_RUN)
            line = trial->all.items[i];
    line.kind = CS_MEASURED_PREDICTED;
    line.time_s = time_s;
    line.date = date;
    synthetic_add(&trial->all, line);
}
