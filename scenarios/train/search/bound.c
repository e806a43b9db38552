#include "scenarios/train/kernels/open.h"
#include "scenarios/train/memory/memory.h"
#include "scenarios/train/search/search.h"

/* FLOPs of a forward pass of the blocks that recomputation repeats. */
static double layer_flops(const struct cs_train_model *model)
{
    double flops = 0;

    for (uint32_t b = 0; b < model->block_count; ++b) {
        const struct cs_train_block *block = &model->blocks[b];

        for (uint32_t m = 0; m < block->matmul_count && block->shards; ++m)
            flops += 2 * block->matmuls[m].rows * block->matmuls[m].inner *
                     block->matmuls[m].columns * block->matmuls[m].count * block->repeat;
    }
    return flops;
}

/* The optimizer's mean share of a rank; the peak stage has at least as much. */
static double optimizer_bound_s(const struct cs_train_job *job, const struct cs_kernels *kernels)
{
    double mine = 0, experts = 0;

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];

        mine += block->repeat * cs_train_rank_parameters(job, block);
        experts += block->repeat * cs_train_rank_experts(job, block);
    }
    mine = cs_train_updated(job, mine, experts) / job->degrees.pipeline;
    return cs_kernel_optimizer_s(kernels, mine, cs_train_optimizer_words(job), true);
}

double cs_train_bound_s(const struct cs_train_job *job)
{
    double ranks = (double)job->degrees.tensor * job->degrees.context * job->degrees.data *
                   job->degrees.pipeline;
    double batch = cs_train_batch(job);
    double fill =
        1 + (job->degrees.pipeline - 1.) / job->degrees.accumulation / job->degrees.chunks;
    double scale = job->compute_scale > 0 ? job->compute_scale : 1;
    struct cs_kernels kernels;
    double flops;

    if (job->sample_s > 0 ||
        cs_kernels_open(job->gpu, job->precision, job->parameters, &kernels, NULL))
        return 0;
    flops = 3 * cs_train_model_flops(job->model);
    if (job->degrees.recompute == CS_RECOMPUTE_FULL)
        flops += layer_flops(job->model);
    return scale *
           (batch * flops / ranks / kernels.flops_per_s * fill + optimizer_bound_s(job, &kernels));
}
