#include "scenarios/train/parallel/sharded.h"

#include "scenarios/train/memory/memory.h"

#include <math.h>

/* The most that was measured: compute 40 % slower (arXiv 2507.03114). */
static const double interference_most = 0.4;

double cs_interference(const struct cs_passes *passes, const struct cs_train_call *call)
{
    double taken;

    if (call->in_switch || !passes->job->library->launches_kernels)
        return 0;
    taken = (double)call->channels / passes->job->gpu->multiprocessors;
    if (call->seconds > 0)
        taken += passes->memory_share * call->moved / call->seconds / passes->job->gpu->memory_Bps;
    return fmin(interference_most, passes->kernels.parameters[CS_KERNEL_INTERFERENCE] * taken);
}

/* Collectives of a block. */
struct shard_calls {
    struct cs_train_call gather, scatter, sum;
    double gathered, scattered; /* bytes */
};

/* Two resources: the stream of products and the stream of collectives. */
struct shard_clock {
    double compute_end_s, call_end_s;
    double compute_s, calls_s; /* sums */
    double interfering_s;      /* of products, if all calls were beside them */
    double hooks_s;            /* of the host, of all layers */
};

static int expert_calls_of(const struct cs_train_job *job, double elements,
                           struct shard_calls *calls, struct cs_err *err)
{
    struct cs_site copies = cs_train_group_site(job->site, cs_train_copies_group(job));
    double gathered = elements * cs_train_parameter_width(job);
    double scattered = elements * cs_train_gradient_width(job);
    struct cs_train_call gather, scatter;
    int code = cs_train_collective(job, &copies, &cs_collective_allgather, gathered, &gather, err);

    if (!code)
        code = cs_train_collective(job, &copies, &cs_collective_reducescatter, scattered, &scatter,
                                   err);
    if (code)
        return code;
    calls->gathered += gathered;
    calls->scattered += scattered;
    calls->gather.seconds += gather.seconds;
    calls->scatter.seconds += scatter.seconds;
    return 0;
}

/* Calls of a block with `more` elements beside its own. */
static int shard_calls_of(const struct cs_passes *passes, const struct cs_train_block *block,
                          double more, struct shard_calls *calls, struct cs_err *err)
{
    const struct cs_train_job *job = passes->job;
    uint32_t shards = cs_train_shard_ranks(job);
    uint32_t copies = cs_train_copies(job) / shards;
    struct cs_site inside =
        cs_train_group_site(job->site, (struct cs_train_group){job->degrees.tensor, shards});
    struct cs_site outside = cs_train_group_site(
        job->site, (struct cs_train_group){job->degrees.tensor * shards, copies});
    double experts = cs_train_experts_apart(job) ? cs_train_rank_experts(job, block) : 0;
    double elements = cs_train_rank_parameters(job, block) - experts + more;
    int code;

    calls->gathered = elements * cs_train_parameter_width(job);
    calls->scattered = elements * cs_train_gradient_width(job);
    code = cs_train_collective(job, &inside, &cs_collective_allgather, calls->gathered,
                               &calls->gather, err);
    if (!code)
        code = cs_train_collective(job, &inside, &cs_collective_reducescatter, calls->scattered,
                                   &calls->scatter, err);
    if (!code)
        code =
            cs_train_collective(job, &outside, &cs_collective_allreduce,
                                elements * cs_train_gradient_width(job) / shards, &calls->sum, err);
    return code ? code : expert_calls_of(job, experts, calls, err);
}

/* An item that ends at `end_s`. */
static void shard_log(const struct cs_passes *passes, enum cs_log_kind kind, uint32_t unit,
                      double bytes, double seconds, double end_s)
{
    cs_log_add(passes->job->log, (struct cs_log_item){.kind = kind,
                                                      .number = unit,
                                                      .bytes = bytes,
                                                      .begin_s = end_s - seconds,
                                                      .end_s = end_s});
}

/* The gather of a block starts when the block before the previous has ended:
 * two blocks are in memory. */
static void shard_forward(struct shard_clock *clock, double pass_s, double gather_s,
                          double *before_s)
{
    double gathered = fmax(clock->call_end_s, *before_s) + gather_s;

    *before_s = clock->compute_end_s;
    clock->call_end_s = gathered;
    clock->compute_end_s = fmax(clock->compute_end_s, gathered) + pass_s;
    clock->compute_s += pass_s;
    clock->calls_s += gather_s;
}

struct shard_units {
    const struct cs_passes *passes;
    const struct cs_stage *stage;
    const struct shard_calls *calls; /* by block */
};

/* Products that a call slows while it moves. */
static void shard_interfere(const struct shard_units *units, const struct cs_train_call *call,
                            struct shard_clock *clock)
{
    clock->interfering_s += cs_interference(units->passes, call) * call->seconds;
}

/* `gathered_s` is the end of this block's gather, and afterwards of the next
 * one's, which is queued before this block's reduce-scatter. */
static void shard_backward(struct shard_clock *clock, double pass_s, double next_gather_s,
                           double scatter_s, double *gathered_s)
{
    double start = fmax(clock->compute_end_s, *gathered_s);

    clock->compute_end_s = start + pass_s;
    if (next_gather_s > 0) {
        clock->call_end_s = fmax(clock->call_end_s, start) + next_gather_s;
        *gathered_s = clock->call_end_s;
    }
    clock->call_end_s = fmax(clock->call_end_s, clock->compute_end_s) + scatter_s;
    clock->compute_s += pass_s;
    clock->calls_s += next_gather_s + scatter_s;
}

/* One micro batch; `last` adds the sum over the copies of hybrid sharding. */
static struct shard_clock shard_micro_batch(const struct shard_units *units, bool last)
{
    const struct cs_train_model *model = units->passes->job->model;
    double host_s = cs_passes_call_host_s(units->passes, CS_KERNEL_UNIT_HOST);
    struct shard_clock clock = {0};
    double before_s = 0, gathered_s;

    if (units->passes->job->log)
        units->passes->job->log->last = last;
    for (uint32_t u = units->stage->begin; u < units->stage->end; ++u) {
        uint32_t b = cs_train_unit_block(model, u);

        double pass_s = cs_pass_forward_s(&units->passes->blocks[b]) + host_s;

        shard_forward(&clock, pass_s, units->calls[b].gather.seconds, &before_s);
        shard_interfere(units, &units->calls[b].gather, &clock);
        shard_log(units->passes, CS_LOG_GATHER, u, units->calls[b].gathered,
                  units->calls[b].gather.seconds, clock.call_end_s);
        shard_log(units->passes, CS_LOG_FORWARD, u, 0, pass_s, clock.compute_end_s);
    }
    /* The last block is still in memory. */
    gathered_s = clock.compute_end_s;
    for (uint32_t u = units->stage->end; u-- > units->stage->begin;) {
        uint32_t b = cs_train_unit_block(model, u);
        const struct shard_calls *calls = &units->calls[b];
        const struct shard_calls *before =
            u > units->stage->begin ? &units->calls[cs_train_unit_block(model, u - 1)] : NULL;
        double next = before ? before->gather.seconds : 0;
        double pass_s = cs_pass_backward_s(&units->passes->blocks[b]) + host_s;
        double scatter_s = calls->scatter.seconds + (last ? calls->sum.seconds : 0);

        shard_backward(&clock, pass_s, next, scatter_s, &gathered_s);
        shard_log(units->passes, CS_LOG_BACKWARD, u, 0, pass_s, clock.compute_end_s);
        if (before && next > 0)
            shard_log(units->passes, CS_LOG_GATHER, u - 1, before->gathered, next, gathered_s);
        shard_log(units->passes, CS_LOG_SCATTER, u, calls->scattered, scatter_s, clock.call_end_s);
        if (before)
            shard_interfere(units, &before->gather, &clock);
        shard_interfere(units, &calls->scatter, &clock);
        if (last)
            shard_interfere(units, &calls->sum, &clock);
    }
    clock.hooks_s = 2 * host_s * (units->stage->end - units->stage->begin);
    clock.compute_s -= clock.hooks_s;
    return clock;
}

static void add_micro_batches(struct cs_data_time *time, const struct shard_clock *clock,
                              double count)
{
    double exposed = fmax(clock->compute_end_s, clock->call_end_s) - clock->compute_s;

    time->total_s += count * clock->calls_s;
    time->hooks_s += count * clock->hooks_s;
    time->exposed_s += count * (exposed - clock->hooks_s);
    if (clock->calls_s > 0)
        time->interference_s +=
            count * clock->interfering_s * fmax(0, 1 - exposed / clock->calls_s);
}

int cs_sharded_step(const struct cs_passes *passes, const struct cs_stage *stage,
                    struct cs_data_time *time, struct cs_err *err)
{
    const struct cs_train_job *job = passes->job;
    double before = job->degrees.pipeline > 1 ? 0 : job->degrees.accumulation - 1.;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct shard_calls *calls = cs_arena_alloc(&arena, job->model->block_count, sizeof(*calls));
    struct shard_units units = {passes, stage, calls};
    struct shard_clock clock;
    int code = 0;

    *time = (struct cs_data_time){0};
    for (uint32_t b = 0; b < job->model->block_count && !code; ++b)
        code = shard_calls_of(passes, &job->model->blocks[b],
                              b + 1 == job->model->block_count ? cs_stage_tied_copy(job, stage) : 0,
                              &calls[b], err);
    if (!code) {
        clock = shard_micro_batch(&units, false);
        add_micro_batches(time, &clock, before);
        clock = shard_micro_batch(&units, true);
        add_micro_batches(time, &clock, 1);
    }
    return code;
}
