#include "scenarios/train/parallel/data_parallel.h"

#include "scenarios/train/memory/memory.h"
#include "scenarios/train/stages/bucket.h"
#include "scenarios/train/stages/embedding_rows.h"
#include "scenarios/train/stages/group.h"

#include <math.h>

double cs_data_passes(const struct cs_train_job *job)
{
    return job->degrees.chunks > 1 ? fmin(job->degrees.pipeline, job->degrees.accumulation) : 1;
}

/* Gradients of one group of ranks on their way through buckets. */
struct bucket_lane {
    struct cs_site site;
    struct cs_bucket_filler filler;
    struct cs_train_call call; /* of the last bucket */
    double call_bytes;
};

/* Buckets of the ranks that copy the model and of those that copy experts, which take
 * turns. */
struct bucket_run {
    const struct cs_passes *passes;
    const struct cs_collective *collective;
    struct bucket_lane lane, experts;
    double backward_s; /* of the stage, one micro batch */
    double total_s, end_s;
    double interfering_s; /* of products, if all calls were beside them */
    double bytes;         /* of all buckets so far */
    uint32_t count;       /* of buckets so far */
    uint32_t tensors;
};

/* The call of the last bucket, or of rows, which ended just now. */
static void bucket_log(struct bucket_run *run, double bytes, double ready_s, double call_s)
{
    cs_log_add(run->passes->job->log, (struct cs_log_item){.kind = CS_LOG_BUCKET,
                                                           .number = ++run->count,
                                                           .bytes = bytes,
                                                           .ready_s = ready_s,
                                                           .begin_s = run->end_s - call_s,
                                                           .end_s = run->end_s});
}

static int bucket_start(struct bucket_run *run, struct bucket_lane *lane, double ready_s,
                        struct cs_err *err)
{
    const struct cs_train_job *job = run->passes->job;
    double host_s = cs_passes_call_host_s(run->passes, CS_KERNEL_BUCKET_HOST);
    int code = 0;

    if (lane->filler.bytes != lane->call_bytes)
        code = cs_train_collective(job, &lane->site, run->collective, lane->filler.bytes,
                                   &lane->call, err);
    if (code)
        return code;
    lane->call_bytes = lane->filler.bytes;
    run->bytes += lane->filler.bytes;
    run->total_s += lane->call.seconds + host_s;
    run->interfering_s += cs_interference(run->passes, &lane->call) * lane->call.seconds;
    run->end_s = cs_bucket_end_s(run->end_s, ready_s, lane->call.seconds + host_s);
    bucket_log(run, lane->filler.bytes, ready_s, lane->call.seconds);
    return 0;
}

/* The lane of a tensor, and the ranks that divide it. */
static struct bucket_lane *bucket_lane_of(struct bucket_run *run,
                                          const struct cs_train_block *block, uint32_t tensor,
                                          double *ranks)
{
    const struct cs_train_job *job = run->passes->job;

    *ranks = job->degrees.tensor;
    if (tensor + block->expert_tensors < block->tensor_count || !cs_train_experts_apart(job))
        return &run->lane;
    *ranks = cs_train_expert(job) * cs_train_expert_tensor(job);
    return &run->experts;
}

/* When the last micro batches have done what one alone has done after `alone_s`. */
static double passes_s(const struct bucket_run *run, double alone_s)
{
    const struct cs_train_job *job = run->passes->job;
    double chunk_s = run->backward_s / job->degrees.chunks;
    double rounding = 1e-9;

    return alone_s + ceil(alone_s / chunk_s - rounding) * (cs_data_passes(job) - 1) * chunk_s;
}

/* The tensors of a block become ready, last first, evenly over its pass. */
static int bucket_block(struct bucket_run *run, const struct cs_train_block *block, double begin_s,
                        double pass_s, struct cs_err *err)
{
    const struct cs_train_job *job = run->passes->job;
    /* The embedding is the first tensor of the first block. */
    uint32_t from = cs_embedding_gathers_rows(job) && block == job->model->blocks;
    double all = 0, done = 0;
    int code = 0;

    for (uint32_t t = 0; t < block->tensor_count; ++t)
        all += (double)block->tensors[t];
    for (uint32_t t = block->tensor_count; t-- > from && !code;) {
        double elements = (double)block->tensors[t], ranks;
        struct bucket_lane *lane = bucket_lane_of(run, block, t, &ranks);

        done += elements;
        run->tensors++;
        if (cs_bucket_add(&lane->filler, elements / ranks * cs_train_gradient_width(job)))
            code = bucket_start(run, lane, passes_s(run, begin_s + pass_s * done / all), err);
    }
    return code;
}

static int bucket_rows(struct bucket_run *run, double ready_s, struct cs_err *err)
{
    const struct cs_train_job *job = run->passes->job;
    double call_s;
    int code = cs_embedding_rows_s(job, &run->lane.site, &call_s, err);

    if (code)
        return code;
    run->total_s += call_s;
    run->end_s = cs_bucket_end_s(run->end_s, ready_s, call_s);
    bucket_log(run, cs_embedding_rows_bytes(job), ready_s, call_s);
    return 0;
}

static double stage_backward_s(const struct cs_passes *passes, const struct cs_stage *stage)
{
    struct cs_stage_time sum = cs_stage_sum(passes, stage);

    return cs_pass_backward_s(&sum.pass);
}

/* The last stage's copy of a tied embedding is ready with the head. */
static int bucket_tied_copy(struct bucket_run *run, const struct cs_stage *stage, double ready_s,
                            struct cs_err *err)
{
    const struct cs_train_job *job = run->passes->job;
    double elements = cs_stage_tied_copy(job, stage);

    if (!(elements > 0))
        return 0;
    run->tensors++;
    return cs_bucket_add(&run->lane.filler, elements * cs_train_gradient_width(job))
               ? bucket_start(run, &run->lane, passes_s(run, ready_s), err)
               : 0;
}

/* All buckets of a stage in one backward pass. */
static int run_buckets(struct bucket_run *run, const struct cs_stage *stage, struct cs_err *err)
{
    const struct cs_train_model *model = run->passes->job->model;
    double all_s = run->backward_s, now_s = 0;
    double end_s = passes_s(run, all_s);
    bool overlap = run->passes->job->framework.overlap;
    double head_s = cs_pass_backward_s(&run->passes->blocks[model->block_count - 1]);
    int code = bucket_tied_copy(run, stage, overlap ? head_s : all_s, err);

    for (uint32_t b = model->block_count; b-- > 0 && !code;) {
        const struct cs_train_block *block = &model->blocks[b];
        double pass_s = cs_pass_backward_s(&run->passes->blocks[b]);

        for (uint32_t r = cs_stage_repeat(stage, block); r > 0 && !code; --r) {
            code = bucket_block(run, block, overlap ? now_s : all_s, overlap ? pass_s : 0, err);
            now_s += pass_s;
        }
    }
    if (!code && !run->lane.filler.closed && run->lane.filler.bytes > 0)
        code = bucket_start(run, &run->lane, end_s, err);
    if (!code && !run->experts.filler.closed && run->experts.filler.bytes > 0)
        code = bucket_start(run, &run->experts, end_s, err);
    if (!code && stage->begin == 0 && cs_embedding_gathers_rows(run->passes->job))
        code = bucket_rows(run, end_s, err);
    return code;
}

/* Time behind the last call and the passes, on the stream of these; `bytes` are moved. */
static void run_behind(struct bucket_run *run, const char *name, double backward_s, double seconds,
                       double bytes)
{
    run->total_s += seconds;
    run->end_s = fmax(run->end_s, backward_s) + seconds;
    cs_log_add(run->passes->job->log, (struct cs_log_item){.kind = CS_LOG_BUCKET,
                                                           .name = name,
                                                           .bytes = bytes,
                                                           .begin_s = run->end_s - seconds,
                                                           .end_s = run->end_s});
}

/* Gradients go into their buckets, are averaged, and come out.  Where a compiler plans
 * the memory, the tensors of a call lie side by side, and the mean alone is left. */
static double bucket_copies_s(const struct bucket_run *run)
{
    const struct cs_train_framework *framework = &run->passes->job->framework;
    const struct cs_kernels *kernels = &run->passes->kernels;
    double passes = kernels->parameters[CS_KERNEL_BUCKET_COPIES];

    if (framework->planned_memory || framework->device_graph)
        passes /= 2;
    return run->passes->scale * passes * run->bytes / kernels->memory_Bps;
}

/* Host time of each gradient. */
static double tensors_host_s(const struct bucket_run *run, enum cs_kernel_parameter parameter)
{
    return run->tensors * cs_passes_call_host_s(run->passes, parameter);
}

static struct bucket_lane bucket_lane_open(const struct cs_train_job *job,
                                           struct cs_train_group group)
{
    uint64_t first = job->framework.first_bucket_bytes;

    return (struct bucket_lane){.site = cs_train_group_site(job->site, group),
                                .filler = {.limit = first ? first : job->framework.bucket_bytes,
                                           .next_limit = job->framework.bucket_bytes}};
}

static int reduce_gradients(const struct cs_passes *passes, const struct cs_stage *stage,
                            const struct cs_collective *collective, struct cs_data_time *time,
                            struct cs_err *err)
{
    const struct cs_train_job *job = passes->job;
    struct bucket_run run = {
        .passes = passes,
        .collective = collective,
        .lane = bucket_lane_open(
            job,
            (struct cs_train_group){job->degrees.tensor, job->degrees.context * job->degrees.data}),
        .experts = bucket_lane_open(job, cs_train_copies_group(job)),
        .backward_s = stage_backward_s(passes, stage)};
    double backward_s = passes_s(&run, run.backward_s);
    int code = run_buckets(&run, stage, err);

    if (job->framework.negotiated) /* the processes agree on each gradient before it travels */
        run_behind(&run, "negotiation", backward_s, tensors_host_s(&run, CS_KERNEL_TENSOR_HOST), 0);
    if (job->framework.by_tensor) /* to and from the buffer of their sum */
        run_behind(&run, "copies by tensor", backward_s,
                   tensors_host_s(&run, CS_KERNEL_LAUNCH_FORWARD), 0);
    if (job->framework.bucket_bytes)
        run_behind(&run, "copies of buckets", backward_s, bucket_copies_s(&run), run.bytes);
    time->total_s = run.total_s;
    time->exposed_s = fmax(0, run.end_s - backward_s);
    if (run.total_s > 0)
        time->interference_s = run.interfering_s * fmax(0, 1 - time->exposed_s / run.total_s);
    return code;
}

/* What the next forward passes wait for: their first bucket, and what outlasts them. */
static double exposed_gather_s(const struct cs_passes *passes, const struct cs_stage_time *stage,
                               double bytes, double seconds)
{
    double first = passes->job->framework.bucket_bytes > 0
                       ? fmin(1, (double)passes->job->framework.bucket_bytes / bytes)
                       : 1;

    if (!passes->job->framework.overlap_gather)
        return seconds;
    return fmax(first * seconds,
                seconds - cs_data_passes(passes->job) * cs_pass_forward_s(&stage->pass));
}

static int gather_parameters(const struct cs_passes *passes, const struct cs_stage *stage,
                             struct cs_data_time *time, struct cs_err *err)
{
    const struct cs_train_job *job = passes->job;
    struct cs_site site = cs_train_group_site(
        job->site, (struct cs_train_group){job->degrees.tensor, cs_train_shard_ranks(job)});
    struct cs_stage_time sum = cs_stage_sum(passes, stage);
    struct cs_site copies = cs_train_group_site(job->site, cs_train_copies_group(job));
    double width = cs_train_parameter_width(job);
    double bytes = sum.parameters * width, seconds, exposed_s;
    double experts = cs_train_experts_apart(job) ? sum.experts * width : 0;
    struct cs_train_call call, more;
    int code =
        cs_train_collective(job, &site, &cs_collective_allgather, bytes - experts, &call, err);

    if (!code)
        code = cs_train_collective(job, &copies, &cs_collective_allgather, experts, &more, err);
    if (code)
        return code;
    seconds = call.seconds + more.seconds;
    exposed_s = exposed_gather_s(passes, &sum, bytes, seconds);
    time->total_s += seconds;
    time->exposed_s += exposed_s;
    time->interference_s += cs_interference(passes, &call) * (seconds - exposed_s);
    cs_log_add(job->log,
               (struct cs_log_item){.kind = CS_LOG_PARAMETERS, .bytes = bytes, .end_s = exposed_s});
    return 0;
}

static int reduce_and_gather(const struct cs_passes *passes, const struct cs_stage *stage,
                             struct cs_data_time *time, struct cs_err *err)
{
    const struct cs_train_job *job = passes->job;
    double times = job->degrees.data_kind == CS_DATA_ZERO2 && job->degrees.pipeline == 1
                       ? job->degrees.accumulation
                       : 1;
    int code = reduce_gradients(passes, stage,
                                cs_train_sums_whole(job) ? &cs_collective_allreduce
                                                         : &cs_collective_reducescatter,
                                time, err);

    time->total_s *= times;
    time->exposed_s *= times;
    time->interference_s *= times;
    return code || job->degrees.adapters ? code : gather_parameters(passes, stage, time, err);
}

static int data_calls(const struct cs_passes *passes, const struct cs_stage *stage,
                      struct cs_data_time *time, struct cs_err *err)
{
    switch (passes->job->degrees.data_kind) {
    case CS_DATA_ZERO1:
    case CS_DATA_ZERO2:
        return reduce_and_gather(passes, stage, time, err);
    case CS_DATA_ZERO3:
    case CS_DATA_HYBRID_SHARD:
        return cs_sharded_step(passes, stage, time, err);
    default:
        return reduce_gradients(passes, stage, &cs_collective_allreduce, time, err);
    }
}

/* The sums of two clocks differ by their rounding, which is no time beside
 * compute. */
static const double rounded_share = 1e-9;

int cs_data_parallel(const struct cs_passes *passes, const struct cs_stage *stage,
                     struct cs_data_time *time, struct cs_err *err)
{
    int code;

    *time = (struct cs_data_time){0};
    if (!cs_train_has_copies(passes->job))
        return 0;
    code = data_calls(passes, stage, time, err);
    if (fabs(time->total_s - time->exposed_s) < rounded_share * time->total_s) {
        time->exposed_s = time->total_s;
        time->interference_s = 0;
    }
    return code;
}
