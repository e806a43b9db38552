/*
 * A synthetic calibration, and the model of a GPU made from it.
 */
#pragma once

#include "tests/unit/validate/synthetic.h"

#include <math.h>

struct bench {
    struct cs_arena arena;
    struct cs_measurements all;
    struct cs_gpu_model model;
    struct cs_err err;
};

static inline int bench_make(struct bench *bench)
{
    return cs_gpu_model_make(&bench->all, SYNTHETIC_GPU, &bench->arena, &bench->model, &bench->err);
}

static inline void bench_free(struct bench *bench)
{
    cs_measurements_free(&bench->all);
    cs_arena_free(&bench->arena);
}
