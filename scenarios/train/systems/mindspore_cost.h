/*
 * The cost by which MindSpore's auto-parallel compares strategies, beside seconds.
 *
 *     cost = alpha computation + beta comm',  comm' = c + gamma g
 *
 * (mindspore/ccsrc/frontend/parallel/costmodel_context.h and
 * auto_parallel/costmodel.cc): computation is of the forward pass, the bytes of both
 * operands of matrix products on a device; c are the bytes of collectives of
 * activations, g of gradients, which count gamma because they overlap.  alpha 1,
 * gamma 0.001, beta 400 on Ascend and 50 on GPUs.  A
 * collective of 1 to 2048 bytes counts 3072, a longer collective 1024 more.  Costs
 * are numbers without unit.  MindSpore's memory limit of 16 GiB is left to the
 * search.
 */
#pragma once

#include "scenarios/train/job/job.h"

#define CS_MINDSPORE_ALPHA       1.
#define CS_MINDSPORE_BETA_ASCEND 400.
#define CS_MINDSPORE_BETA_GPU    50.
#define CS_MINDSPORE_GAMMA       .001

struct cs_mindspore_cost {
    double computation;
    double without_parameters; /* bytes of collectives, c */
    double communication;      /* comm' */
    double cost;
};

/* A collective's bytes as MindSpore counts them. */
double cs_mindspore_bytes(double bytes);

/* Of a job's stage of mean size. */
struct cs_mindspore_cost cs_mindspore_cost(const struct cs_train_job *job);
