#include "scenarios/train/traffic.h"

#include "scenarios/train/embedding_rows.h"
#include "scenarios/train/memory.h"

#include <math.h>

/* Bytes that each rank of the groups sends in equal parts to all others. */
static void traffic_exchange(const struct cs_train_job *job,
                             struct cs_train_group group, double bytes,
                             struct cs_train_traffic *traffic)
{
    const struct cs_site *all = job->site;
    struct cs_site site = cs_train_group_site(all, group);
    double others = group.size - 1;
    double inside = site.nodes ? (double)group.size / site.nodes : group.size;

    if (group.size < 2)
        return;
    traffic->streams[traffic->stream_count++] = (struct cs_train_stream){
        group.stride, group.size, bytes, CS_STREAM_EXCHANGE};
    traffic->link += bytes * (inside - 1) / others;
    if (site.nodes > 1 && all->adapters)
        traffic->adapter += bytes * (group.size - inside) / others *
                            all->node_ranks / all->adapters;
}

/* Bytes that each rank of the groups sends, to links and adapters. */
static void traffic_add(const struct cs_train_job *job,
                        struct cs_train_group group, double bytes,
                        struct cs_train_traffic *traffic)
{
    const struct cs_site *all = job->site;
    struct cs_site site = cs_train_group_site(all, group);
    double inside = site.nodes ? (double)group.size / site.nodes : group.size;

    if (group.size < 2)
        return;
    traffic->streams[traffic->stream_count++] = (struct cs_train_stream){
        group.stride, group.size, bytes, CS_STREAM_RING};
    if (site.nodes < 2) {
        traffic->link += bytes;
        return;
    }
    traffic->link += bytes * (inside - 1) / inside;
    if (all->adapters)
        traffic->adapter += bytes * all->node_ranks / inside / all->adapters;
}

static double ring_share(uint32_t ranks)
{
    return ranks > 1 ? (ranks - 1.) / ranks : 0;
}

/* Layers and elements of the stage with the most parameters: the even share. */
static double stage_share(const struct cs_train_job *job, double all)
{
    return ceil(all / job->pipeline);
}

/* Bytes of an activation of a micro batch on a rank. */
static double activation_bytes(const struct cs_train_job *job)
{
    return job->micro_batch * job->model->transformer.sequence / job->context *
           job->model->transformer.hidden * cs_train_parameter_width(job);
}

/* Sums of tensor parallelism in the mean layer, of the usual two. */
static double sums_share(const struct cs_train_job *job)
{
    double sums = 0, layers = 0;

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];

        if (!block->shards)
            continue;
        sums += (double)block->repeat * cs_train_block_sums(job, block);
        layers += block->repeat;
    }
    return sums / 2 / layers;
}

/* Elements of a sample that travel to experts in all layers. */
static double routed_elements(const struct cs_train_model *model)
{
    double elements = 0;

    for (uint32_t b = 0; b < model->block_count; ++b)
        elements += model->blocks[b].repeat * model->blocks[b].routed;
    return elements;
}

/* Parts of an expert gather their group's rows, and sum the results. */
static void traffic_expert(const struct cs_train_job *job,
                           struct cs_train_traffic *traffic)
{
    uint32_t parts = cs_train_expert_tensor(job), ranks = cs_train_expert(job);
    double times = job->recompute == CS_RECOMPUTE_FULL ? 6 : 4;
    double bytes = times * job->accumulation * job->micro_batch *
                   stage_share(job, routed_elements(job->model)) /
                   job->context / job->tensor * cs_train_parameter_width(job) *
                   cs_train_imbalance(job);
    double gathered = cs_train_divides_tokens(job) ? bytes * (parts - 1.) : 0;

    traffic->expert = bytes * ring_share(ranks) + gathered;
    traffic_exchange(job, (struct cs_train_group){parts, ranks},
                     bytes * ring_share(ranks), traffic);
    traffic_add(job, (struct cs_train_group){1, parts}, gathered, traffic);
}

static void traffic_tensor(const struct cs_train_job *job,
                           struct cs_train_traffic *traffic)
{
    double layers = stage_share(job, job->model->transformer.layers);
    double sums = job->recompute == CS_RECOMPUTE_FULL ? 6 : 4;

    /* Two all-gathers again in the backward pass are one sum more. */
    if (job->sequence_parallel)
        sums += 1;
    sums *= sums_share(job);
    traffic->tensor = 2 * ring_share(job->tensor) * activation_bytes(job) *
                      layers * sums * job->accumulation;
    traffic_add(job, (struct cs_train_group){1, job->tensor}, traffic->tensor,
                traffic);
}

static void traffic_context(const struct cs_train_job *job,
                            struct cs_train_traffic *traffic)
{
    const struct cs_transformer *dims = &job->model->transformer;
    double layers = stage_share(job, dims->layers);
    double times = job->recompute == CS_RECOMPUTE_FULL ? 4 : 3;
    double keys = cs_keys_width(dims) / job->tensor;

    traffic->context = ring_share(job->context) * job->micro_batch *
                       dims->sequence * keys * cs_train_parameter_width(job) *
                       layers * times * job->accumulation;
    traffic_add(job, (struct cs_train_group){job->tensor, job->context},
                traffic->context, traffic);
}

/* ZeRO-3: two gathers and a reduce-scatter; its copies sum shards. */
static void traffic_shards(const struct cs_train_job *job, double gradients,
                           double parameters, struct cs_train_traffic *traffic)
{
    uint32_t shards = cs_train_shard_ranks(job);
    uint32_t copies = job->data * job->context / shards;
    double times = job->pipeline > 1 ? 1 : job->accumulation;
    double inside = times * ring_share(shards) * (2 * parameters + gradients);
    double outside = 2 * ring_share(copies) * gradients / shards;

    traffic->data += inside + outside;
    traffic_add(job, (struct cs_train_group){job->tensor, shards}, inside,
                traffic);
    traffic_add(job, (struct cs_train_group){job->tensor * shards, copies},
                outside, traffic);
}

/* Rows of a tied embedding in place of its sum. */
static void traffic_rows(const struct cs_train_job *job,
                         struct cs_train_group group, double *gradients,
                         struct cs_train_traffic *traffic)
{
    const struct cs_transformer *dims = &job->model->transformer;
    struct cs_site site = cs_train_group_site(job->site, group);
    double sent = cs_embedding_rows_sent(job, &site);

    *gradients =
        fmax(0, *gradients - (double)dims->vocabulary * dims->hidden /
                                 job->tensor * cs_train_gradient_width(job));
    traffic->data += sent;
    traffic_add(job, group, sent, traffic);
}

/* Bytes of a step for gradients and parameters that `ranks` have in common; not of
 * sharded parameters. */
static double shared_bytes(const struct cs_train_job *job, uint32_t ranks,
                           double gradients, double parameters)
{
    double times = job->data_kind == CS_DATA_ZERO2 && job->pipeline == 1
                       ? job->accumulation
                       : 1;

    if (job->data_kind == CS_DATA_DDP)
        return ring_share(ranks) * 2 * gradients;
    return ring_share(ranks) *
           ((job->whole_gradients ? 2 : times) * gradients + parameters);
}

/* Elements of experts on a rank of the even stage, where other ranks have copies of
 * them than of the rest; else 0. */
static double experts_apart(const struct cs_train_job *job)
{
    double elements = 0;

    if (!cs_train_experts_apart(job))
        return 0;
    for (uint32_t b = 0; b < job->model->block_count; ++b)
        elements += job->model->blocks[b].repeat *
                    cs_train_rank_experts(job, &job->model->blocks[b]);
    return elements / job->pipeline;
}

static void traffic_copies(const struct cs_train_job *job, double elements,
                           struct cs_train_traffic *traffic)
{
    struct cs_train_group group = cs_train_copies_group(job);
    double gradients = elements * cs_train_gradient_width(job);
    double parameters = elements * cs_train_parameter_width(job);
    double times = job->pipeline > 1 ? 1 : job->accumulation;
    double bytes =
        job->data_kind == CS_DATA_ZERO3
            ? times * ring_share(group.size) * (2 * parameters + gradients)
            : shared_bytes(job, group.size, gradients, parameters);

    traffic->data += bytes;
    traffic_add(job, group, bytes, traffic);
}

static void traffic_data(const struct cs_train_job *job,
                         struct cs_train_traffic *traffic)
{
    uint32_t ranks = job->data * job->context;
    struct cs_train_group group = {job->tensor, ranks};
    double apart = experts_apart(job), sums, gradients, parameters;
    double elements = job->model->parameters / job->tensor / job->pipeline;

    if (apart > 0) {
        traffic_copies(job, apart, traffic);
        elements -= apart * cs_train_expert(job) * cs_train_expert_tensor(job) /
                    job->tensor;
    }
    gradients = elements * cs_train_gradient_width(job);
    parameters = elements * cs_train_parameter_width(job);
    if (job->data_kind == CS_DATA_ZERO3 ||
        job->data_kind == CS_DATA_HYBRID_SHARD) {
        traffic_shards(job, gradients, parameters, traffic);
        return;
    }
    if (cs_embedding_gathers_rows(job))
        traffic_rows(job, group, &gradients, traffic);
    sums = shared_bytes(job, ranks, gradients, parameters);
    traffic->data += sums;
    traffic_add(job, group, sums, traffic);
}

/* Most ranks send to the next stage and to the previous. */
static void traffic_pipeline(const struct cs_train_job *job,
                             struct cs_train_traffic *traffic)
{
    uint32_t stride = job->tensor * job->context * job->data;
    const struct cs_site *all = job->site;
    double elements =
        job->micro_batch * (double)job->model->transformer.sequence *
        job->model->transformer.hidden / job->context / job->tensor;

    if (job->pipeline < 2)
        return;
    for (uint32_t b = 0;
         b < job->model->block_count && !job->model->transformer.layers; ++b)
        elements =
            fmax(elements, job->micro_batch * job->model->blocks[b].output);
    traffic->pipeline = 2. * job->chunks * job->accumulation * elements *
                        cs_train_parameter_width(job);
    traffic->streams[traffic->stream_count++] = (struct cs_train_stream){
        stride, job->pipeline, traffic->pipeline, CS_STREAM_CHAIN};
    if (all->nodes < 2)
        traffic->link += traffic->pipeline;
    else if (all->adapters)
        traffic->adapter +=
            traffic->pipeline * fmin(stride, all->node_ranks) / all->adapters;
}

struct cs_train_traffic cs_train_traffic_of(const struct cs_train_job *job)
{
    struct cs_train_traffic traffic = {0};

    if (job->model->transformer.layers) {
        traffic_tensor(job, &traffic);
        if (job->model->transformer.experts)
            traffic_expert(job, &traffic);
        traffic_context(job, &traffic);
    }
    traffic_data(job, &traffic);
    traffic_pipeline(job, &traffic);
    return traffic;
}
