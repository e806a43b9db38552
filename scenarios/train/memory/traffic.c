#include "scenarios/train/memory/traffic.h"

#include "scenarios/train/memory/memory.h"
#include "scenarios/train/stages/embedding_rows.h"

#include <math.h>
#include <string.h>

/* What a stage has of a model, on a rank; of a mean stage fractions. */
struct stage_work {
    double sums;     /* of tensor parallelism, for a micro batch: all-reduces */
    double attended; /* layers with attention */
    double routed;   /* elements of a sample that travel to experts */
    double elements; /* of parameters, but for `apart` */
    double apart;    /* of experts that other ranks copy than the rest */
    double sent;     /* elements of a sample that go to other stages */
};

/* Bytes that each rank of the groups sends in equal parts to all others. */
static void traffic_exchange(const struct cs_train_job *job, struct cs_train_group group,
                             double bytes, struct cs_train_traffic *traffic)
{
    const struct cs_site *all = job->site;
    struct cs_site site = cs_train_group_site(all, group);
    double others = group.size - 1;
    double inside = site.nodes ? (double)group.size / site.nodes : group.size;

    if (group.size < 2)
        return;
    traffic->streams[traffic->stream_count++] =
        (struct cs_train_stream){group.stride, group.size, bytes, CS_STREAM_EXCHANGE};
    traffic->link += bytes * (inside - 1) / others;
    if (site.nodes > 1 && all->adapters)
        traffic->adapter +=
            bytes * (group.size - inside) / others * all->node_ranks / all->adapters;
}

/* Bytes that each rank of the groups sends, to links and adapters. */
static void traffic_add(const struct cs_train_job *job, struct cs_train_group group, double bytes,
                        struct cs_train_traffic *traffic)
{
    const struct cs_site *all = job->site;
    struct cs_site site = cs_train_group_site(all, group);
    double inside = site.nodes ? (double)group.size / site.nodes : group.size;

    if (group.size < 2)
        return;
    traffic->streams[traffic->stream_count++] =
        (struct cs_train_stream){group.stride, group.size, bytes, CS_STREAM_RING};
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

/* Bytes of an activation of a micro batch on a rank. */
static double activation_bytes(const struct cs_train_job *job)
{
    return job->degrees.micro_batch * job->model->transformer.sequence / job->degrees.context *
           job->model->transformer.hidden * cs_train_parameter_width(job);
}

/* Sums of tensor parallelism in a pass over a block forward, backward and again.  In
 * sequence parallelism a sum is a gather and a reduce-scatter, and a third half of a
 * sum gathers inputs for the gradients of weights; an early stop ends before the last
 * sum (passes.c). */
static double block_sums(const struct cs_train_job *job, const struct cs_train_block *block)
{
    double halves = cs_train_block_sums(job, block);
    double last = job->degrees.sequence_parallel ? .5 : 1;

    if (!block->shards) /* of the embedding, of the head's gradient */
        return 1;
    return halves + halves * (job->degrees.sequence_parallel ? 1.5 : 1) +
           cs_passes_recomputed_share(job) * (halves - (job->framework.early_stop ? last : 0));
}

/* Parts of an expert gather their group's rows, and sum the results. */
static void traffic_expert(const struct cs_train_job *job, const struct stage_work *work,
                           struct cs_train_traffic *traffic)
{
    uint32_t parts = cs_train_expert_tensor(job), ranks = cs_train_expert(job);
    double times = 4 + 2 * cs_passes_dispatched_again(job);
    double bytes = times * job->degrees.accumulation * job->degrees.micro_batch * work->routed /
                   job->degrees.context / job->degrees.tensor * cs_train_parameter_width(job) *
                   cs_train_imbalance(job);
    double gathered = cs_train_divides_tokens(job) ? bytes * (parts - 1.) : 0;
    struct cs_site across = cs_train_group_site(job->site, (struct cs_train_group){parts, ranks});

    bytes *= cs_train_token_copies(job, &across).across * (1 + cs_train_dispatch_share(job)) / 2;
    traffic->expert = bytes * ring_share(ranks) + gathered;
    traffic_exchange(job, (struct cs_train_group){parts, ranks}, bytes * ring_share(ranks),
                     traffic);
    traffic_add(job, (struct cs_train_group){1, parts}, gathered, traffic);
}

static void traffic_tensor(const struct cs_train_job *job, const struct stage_work *work,
                           struct cs_train_traffic *traffic)
{
    traffic->tensor = 2 * ring_share(job->degrees.tensor) * activation_bytes(job) * work->sums *
                      job->degrees.accumulation;
    traffic_add(job, (struct cs_train_group){1, job->degrees.tensor}, traffic->tensor, traffic);
}

static void traffic_context(const struct cs_train_job *job, const struct stage_work *work,
                            struct cs_train_traffic *traffic)
{
    const struct cs_transformer *dims = &job->model->transformer;
    double times = 3 + cs_passes_recomputed_share(job);
    double keys = cs_keys_width(dims) / job->degrees.tensor;

    traffic->context = ring_share(job->degrees.context) * job->degrees.micro_batch *
                       dims->sequence * keys * cs_train_parameter_width(job) * work->attended *
                       times * job->degrees.accumulation;
    traffic_add(job, (struct cs_train_group){job->degrees.tensor, job->degrees.context},
                traffic->context, traffic);
}

/* ZeRO-3: two gathers and a reduce-scatter; its copies sum shards. */
static void traffic_shards(const struct cs_train_job *job, double gradients, double parameters,
                           struct cs_train_traffic *traffic)
{
    uint32_t shards = cs_train_shard_ranks(job);
    uint32_t copies = cs_train_copies(job) / shards;
    double times = job->degrees.pipeline > 1 ? 1 : job->degrees.accumulation;
    double inside = times * ring_share(shards) * (2 * parameters + gradients);
    double outside = 2 * ring_share(copies) * gradients / shards;

    traffic->data += inside + outside;
    traffic_add(job, (struct cs_train_group){job->degrees.tensor, shards}, inside, traffic);
    traffic_add(job, (struct cs_train_group){job->degrees.tensor * shards, copies}, outside,
                traffic);
}

/* Rows of a tied embedding in place of its sum. */
static void traffic_rows(const struct cs_train_job *job, struct cs_train_group group,
                         double *gradients, struct cs_train_traffic *traffic)
{
    const struct cs_transformer *dims = &job->model->transformer;
    struct cs_site site = cs_train_group_site(job->site, group);
    double sent = cs_embedding_rows_sent(job, &site);

    *gradients = fmax(0, *gradients - (double)dims->vocabulary * dims->hidden /
                                          job->degrees.tensor * cs_train_gradient_width(job));
    traffic->data += sent;
    traffic_add(job, group, sent, traffic);
}

/* Bytes of a step for gradients and parameters that `ranks` have in common; not of
 * sharded parameters. */
static double shared_bytes(const struct cs_train_job *job, uint32_t ranks, double gradients,
                           double parameters)
{
    double times = job->degrees.data_kind == CS_DATA_ZERO2 && job->degrees.pipeline == 1
                       ? job->degrees.accumulation
                       : 1;

    if (job->degrees.data_kind == CS_DATA_DDP || job->degrees.adapters)
        return ring_share(ranks) * 2 * gradients;
    return ring_share(ranks) * ((cs_train_sums_whole(job) ? 2 : times) * gradients + parameters);
}

static void traffic_copies(const struct cs_train_job *job, double elements,
                           struct cs_train_traffic *traffic)
{
    struct cs_train_group group = cs_train_copies_group(job);
    double gradients = elements * cs_train_gradient_width(job);
    double parameters = elements * cs_train_parameter_width(job);
    double times = job->degrees.pipeline > 1 ? 1 : job->degrees.accumulation;
    double bytes = job->degrees.data_kind == CS_DATA_ZERO3
                       ? times * ring_share(group.size) * (2 * parameters + gradients)
                       : shared_bytes(job, group.size, gradients, parameters);

    traffic->data += bytes;
    traffic_add(job, group, bytes, traffic);
}

static void traffic_data(const struct cs_train_job *job, const struct stage_work *work,
                         struct cs_train_traffic *traffic)
{
    uint32_t ranks = cs_train_copies(job);
    struct cs_train_group group = {job->degrees.tensor, ranks};
    double gradients = work->elements * cs_train_gradient_width(job);
    double parameters = work->elements * cs_train_parameter_width(job);
    double sums;

    if (work->apart > 0)
        traffic_copies(job, work->apart, traffic);
    if (job->degrees.data_kind == CS_DATA_ZERO3 || job->degrees.data_kind == CS_DATA_HYBRID_SHARD) {
        traffic_shards(job, gradients, parameters, traffic);
        return;
    }
    if (cs_embedding_gathers_rows(job))
        traffic_rows(job, group, &gradients, traffic);
    sums = shared_bytes(job, ranks, gradients, job->degrees.node_shard ? 0 : parameters);
    traffic->data += sums;
    traffic_add(job, group, sums, traffic);
    if (job->degrees.node_shard) {
        group.size = cs_train_shard_ranks(job);
        sums = ring_share(group.size) * parameters;
        traffic->data += sums;
        traffic_add(job, group, sums, traffic);
    }
}

/* Results to the next stage, gradients to the previous. */
static void traffic_pipeline(const struct cs_train_job *job, const struct stage_work *work,
                             struct cs_train_traffic *traffic)
{
    uint32_t stride = cs_train_stage_ranks(job);
    const struct cs_site *all = job->site;

    if (job->degrees.pipeline < 2)
        return;
    traffic->pipeline = job->degrees.accumulation * job->degrees.micro_batch * work->sent /
                        job->degrees.context / job->degrees.tensor * cs_train_parameter_width(job);
    traffic->streams[traffic->stream_count++] =
        (struct cs_train_stream){stride, job->degrees.pipeline, traffic->pipeline, CS_STREAM_CHAIN};
    if (all->nodes < 2)
        traffic->link += traffic->pipeline;
    else if (all->adapters)
        traffic->adapter += traffic->pipeline * fmin(stride, all->node_ranks) / all->adapters;
}

/* ---- stages ---- */

/* Elements of a sample that a stage sends: each of its chunks hands a result on, but
 * for the last of the model, and a gradient back, but for the first. */
static double stage_sends(const struct cs_train_job *job, uint32_t index,
                          const struct cs_stage *stage)
{
    bool first = index == 0, last = index + 1 == job->degrees.pipeline;
    double ahead = last ? 0 : cs_stage_output_before(job->model, stage->end);
    double back = first ? 0 : cs_stage_output_before(job->model, stage->begin);
    double more = job->degrees.chunks - 1.;

    if (job->degrees.pipeline < 2)
        return 0;
    return ahead + back + more * 2 * fmax(ahead, back);
}

static struct stage_work stage_work_of(const struct cs_passes *passes, uint32_t index)
{
    const struct cs_train_job *job = passes->job;
    struct cs_stage stage = cs_stage_of(passes, index);
    struct cs_stage_time sum = cs_stage_sum(passes, &stage);
    struct stage_work work = {.sent = stage_sends(job, index, &stage)};

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        uint32_t repeat = cs_stage_repeat(&stage, block);

        work.sums += repeat * block_sums(job, block);
        work.attended += block->shards ? repeat : 0;
        work.routed += repeat * block->routed;
    }
    work.apart = cs_train_experts_apart(job) ? sum.experts : 0;
    work.elements = sum.parameters - work.apart;
    return work;
}

static void add_share(struct stage_work *mean, const struct stage_work *work, double stages)
{
    mean->sums += work->sums / stages;
    mean->attended += work->attended / stages;
    mean->routed += work->routed / stages;
    mean->elements += work->elements / stages;
    mean->apart += work->apart / stages;
    /* A chain has a border less than stages. */
    mean->sent += work->sent / fmax(1, stages - 1);
}

static struct cs_train_traffic traffic_of_work(const struct cs_train_job *job,
                                               const struct stage_work *work)
{
    struct cs_train_traffic traffic = {0};

    if (job->model->transformer.layers) {
        traffic_tensor(job, work, &traffic);
        if (job->model->transformer.experts)
            traffic_expert(job, work, &traffic);
        traffic_context(job, work, &traffic);
    }
    traffic_data(job, work, &traffic);
    traffic_pipeline(job, work, &traffic);
    return traffic;
}

static double traffic_sum(const struct cs_train_traffic *traffic)
{
    return traffic->tensor + traffic->expert + traffic->context + traffic->data + traffic->pipeline;
}

struct cs_train_traffic cs_train_traffic_of(const struct cs_train_job *job)
{
    struct cs_train_traffic most = {0}, all;
    struct stage_work mean = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_passes passes;

    if (cs_passes_open(job, &arena, &passes, NULL))
        return most;
    for (uint32_t s = 0; s < job->degrees.pipeline; ++s) {
        struct stage_work work = stage_work_of(&passes, s);
        struct cs_train_traffic one = traffic_of_work(job, &work);

        one.stage = s;
        if (!s || traffic_sum(&one) > traffic_sum(&most))
            most = one;
        add_share(&mean, &work, job->degrees.pipeline);
    }
    all = traffic_of_work(job, &mean);
    memcpy(most.streams, all.streams, sizeof(most.streams));
    most.stream_count = all.stream_count;
    return most;
}
