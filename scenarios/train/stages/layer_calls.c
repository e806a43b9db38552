#include "scenarios/train/stages/layer_calls.h"

#include "scenarios/train/kernels/kernels.h"
#include "scenarios/train/stages/group.h"

/* Libraries gather and scatter the outermost size.  Along the sequence of each sample the
 * parts are put in their order by a copy of the whole behind a gather, and before a
 * reduce-scatter (pytorch/pytorch@000f488b torch/distributed/_functional_collectives.py;
 * 6 % of a feed-forward part on H100, pytorch/torchtitan pull request 437), unless products
 * take the parts as they come. */
static double order_s(const struct cs_train_job *job, double bytes, double memory_Bps)
{
    bool copies = job->framework.copied_parts && !job->framework.overlap_tensor;

    return copies ? 2 * bytes / memory_Bps : 0;
}

static int tensor_calls(const struct cs_train_job *job, double memory_Bps,
                        struct cs_layer_calls *calls, struct cs_err *err)
{
    const struct cs_transformer *dims = &job->model->transformer;
    struct cs_site group =
        cs_train_group_site(job->site, (struct cs_train_group){1, job->degrees.tensor});
    double width = cs_train_parameter_width(job);
    double bytes =
        job->degrees.micro_batch * dims->sequence / job->degrees.context * dims->hidden * width;
    struct cs_train_call call, second = {0};
    const double *p = job->parameters ? job->parameters : cs_kernel_parameters;
    int code = cs_train_collective(job, &group,
                                   job->degrees.sequence_parallel ? &cs_collective_allgather
                                                                  : &cs_collective_allreduce,
                                   bytes, &call, err);

    if (!code && job->degrees.sequence_parallel)
        code = cs_train_collective(job, &group, &cs_collective_reducescatter, bytes, &second, err);
    calls->sum_s = call.seconds;
    if (job->degrees.sequence_parallel) {
        double copy_s = order_s(job, bytes, memory_Bps);

        calls->gather_s = call.seconds + copy_s;
        calls->sum_s = second.seconds + copy_s;
    }
    calls->skew_s = (job->degrees.tensor - 1) * p[CS_KERNEL_COLLECTIVE_HOST] * 1e-6;
    return code;
}

static int context_calls(const struct cs_train_job *job, struct cs_layer_calls *calls,
                         struct cs_err *err)
{
    const struct cs_transformer *dims = &job->model->transformer;
    struct cs_site group = cs_train_group_site(
        job->site, (struct cs_train_group){job->degrees.tensor, job->degrees.context});
    double keys = cs_keys_width(dims) / job->degrees.tensor;
    struct cs_train_call call;
    int code = cs_train_collective(job, &group, &cs_collective_allgather,
                                   job->degrees.micro_batch * dims->sequence * keys *
                                       cs_train_parameter_width(job),
                                   &call, err);

    calls->keys_s = call.seconds;
    return code;
}

/* Numbers of tokens for each expert, which every rank learns before they travel. */
enum {
    COUNT_BYTES = 8
};

/* What arrives at a node goes on to its ranks beside the exchange between nodes. */
static int token_exchange(const struct cs_train_job *job, uint32_t parts,
                          const struct cs_site *across, double bytes,
                          struct cs_train_call *exchange, struct cs_err *err)
{
    struct cs_token_copies copies = cs_train_token_copies(job, across);
    struct cs_site node = cs_train_group_site(
        job->site, (struct cs_train_group){parts, across->node_ranks ? across->node_ranks : 1});
    struct cs_train_call inside;
    int code = cs_train_collective(job, across, &cs_collective_alltoall, bytes * copies.across,
                                   exchange, err);

    if (code || !(copies.inside > 0))
        return code;
    code = cs_train_collective(job, &node, &cs_collective_alltoall, bytes * copies.inside, &inside,
                               err);
    if (!code && inside.seconds > exchange->seconds)
        exchange->seconds = inside.seconds;
    return code;
}

/* DeepEP takes 20 multiprocessors (arXiv 2412.19437, 3.2.2; Megatron-Core,
 * moe_deepep_num_sms), HybridEP on Blackwell 32 (NVIDIA-NeMo/Megatron-Bridge,
 * src/megatron/bridge/perf_recipes: moe_hybridep_num_sms). */
static double once_taken(const struct cs_train_job *job)
{
    return job->gpu->generation >= 100 ? 32 : 20;
}

/* Copies of tokens go to their experts' ranks and results back, each in an all-to-all
 * whose busiest rank decides; parts of an expert gather and sum the rows of their
 * group.  Without sequence parallelism tensor parallel ranks have all tokens, and
 * sum as in a feed-forward part. */
static int routed_calls(const struct cs_train_job *job, double elements,
                        struct cs_layer_calls *calls, struct cs_err *err)
{
    uint32_t parts = cs_train_expert_tensor(job), ranks = cs_train_expert(job);
    uint32_t joined = parts * ranks;
    struct cs_site inside = cs_train_group_site(job->site, (struct cs_train_group){1, parts});
    struct cs_site across = cs_train_group_site(job->site, (struct cs_train_group){parts, ranks});
    struct cs_site all = cs_train_group_site(job->site, (struct cs_train_group){1, joined});
    double bytes = job->degrees.micro_batch * elements / job->degrees.context /
                   job->degrees.tensor * cs_train_parameter_width(job) * cs_train_imbalance(job);
    double counts = (double)job->model->transformer.experts * COUNT_BYTES;
    struct cs_train_call exchange, dispatch, gather = {0}, sum = {0}, numbers;
    const double *p = job->parameters ? job->parameters : cs_kernel_parameters;
    int code = token_exchange(job, parts, &across, bytes, &exchange, err);

    dispatch = exchange;
    if (!code && job->framework.narrow_dispatch)
        code = token_exchange(job, parts, &across, bytes * cs_train_dispatch_share(job), &dispatch,
                              err);
    if (!code && cs_train_divides_tokens(job))
        code = cs_train_collective(job, &inside, &cs_collective_allgather, bytes * parts, &gather,
                                   err);
    if (!code && cs_train_divides_tokens(job))
        code = cs_train_collective(job, &inside, &cs_collective_reducescatter, bytes * parts, &sum,
                                   err);
    if (!code)
        code = cs_train_collective(job, &all, &cs_collective_allgather, joined * counts, &numbers,
                                   err);
    if (code)
        return code;
    calls->routed_s = dispatch.seconds + exchange.seconds + gather.seconds + sum.seconds;
    calls->counts_s = numbers.seconds;
    calls->routed_taken = job->framework.dispatch_once     ? once_taken(job)
                          : job->library->launches_kernels ? exchange.channels
                                                           : 0;
    calls->routed_host_s = joined > 1 ? 3 * p[CS_KERNEL_COLLECTIVE_HOST] * 1e-6 : 0;
    return 0;
}

/* Layers with experts are equal. */
static int model_routed_calls(const struct cs_train_job *job, struct cs_layer_calls *calls,
                              struct cs_err *err)
{
    for (uint32_t b = 0; b < job->model->block_count; ++b)
        if (job->model->blocks[b].routed > 0)
            return routed_calls(job, job->model->blocks[b].routed, calls, err);
    return 0;
}

int cs_layer_calls_open(const struct cs_train_job *job, double memory_Bps,
                        struct cs_layer_calls *calls, struct cs_err *err)
{
    int code = 0;

    *calls = (struct cs_layer_calls){0};
    if (job->degrees.tensor > 1)
        code = tensor_calls(job, memory_Bps, calls, err);
    if (!code && job->degrees.context > 1)
        code = context_calls(job, calls, err);
    return code ? code : model_routed_calls(job, calls, err);
}
