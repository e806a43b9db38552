#include "scenarios/train/memory/memory.h"

#include <math.h>

struct cs_state_bytes cs_train_states(enum cs_data_kind kind, double elements, uint32_t ranks,
                                      struct cs_state_widths widths)
{
    struct cs_state_bytes bytes = {elements * widths.parameter, elements * widths.gradient,
                                   elements * widths.optimizer};

    if (kind >= CS_DATA_ZERO1)
        bytes.optimizer /= ranks;
    if (kind >= CS_DATA_ZERO2)
        bytes.gradients /= ranks;
    if (kind >= CS_DATA_ZERO3)
        bytes.parameters /= ranks;
    return bytes;
}

struct cs_state_widths cs_train_state_widths(const struct cs_train_job *job)
{
    uint32_t width = cs_train_parameter_width(job);
    uint32_t words = job->model->optimizer_words;

    if (job->degrees.adapters)
        return (struct cs_state_widths){width, 0, 0};
    /* Mixed precision keeps the weights in 32 bits, too. */
    return (struct cs_state_widths){width, cs_train_gradient_width(job),
                                    job->framework.optimizer_width
                                        ? job->framework.optimizer_width
                                        : 4 * (width < 4 ? words + 1 : words)};
}

/* Elements of a sample on one device, divided by tensor and context ranks. */
static double device_elements(const struct cs_train_job *job, double all, double split)
{
    double whole = all - split;

    if (job->degrees.sequence_parallel)
        whole /= job->degrees.tensor;
    return (whole + split / job->degrees.tensor) / job->degrees.context;
}

/* Bytes of elements of a micro batch on a device. */
static double micro_batch_bytes(const struct cs_train_job *job, double all, double split)
{
    return job->degrees.micro_batch * cs_train_parameter_width(job) *
           device_elements(job, all, split);
}

/* Results of the experts' last products that nothing keeps: Megatron-Core since 0.12, whose
 * routers give maps, weighs tokens between the products (weighted_bias_swiglu_impl). */
static double weighed_elements(const struct cs_train_job *job, const struct cs_train_block *block)
{
    return job->framework.router == CS_ROUTER_PLAIN ? 0 : block->routed;
}

/* The busiest rank's rows beyond the mean, and the rows that parts of an expert
 * gather. */
static double more_rows_bytes(const struct cs_train_job *job, const struct cs_train_block *block)
{
    double imbalance = cs_train_imbalance(job);
    double gathered =
        cs_train_divides_tokens(job) ? (cs_train_expert_tensor(job) - 1) * block->routed : 0;
    double kept = block->expert_stored - weighed_elements(job, block);
    double more = imbalance * gathered + (imbalance - 1) * kept;

    return micro_batch_bytes(job, more, more);
}

/* Results of parts that run again. */
static struct cs_layer_part parts_again(const struct cs_train_job *job,
                                        const struct cs_train_block *block)
{
    struct cs_layer_part sum = {0};

    for (int p = 0; p < CS_PARTS; ++p)
        if (job->degrees.recompute_parts >> p & 1) {
            sum.stored += block->parts[p].stored;
            sum.split_stored += block->parts[p].split_stored;
        }
    if (job->degrees.recompute_parts >> CS_PART_EXPERTS & 1)
        sum.stored -= weighed_elements(job, block);
    return sum;
}

static double part_elements(const struct cs_train_job *job, const struct cs_train_block *block,
                            enum cs_part part)
{
    return job->degrees.recompute_parts >> part & 1 ? block->parts[part].stored : 0;
}

static double parts_bytes(const struct cs_train_job *job, const struct cs_train_block *block)
{
    struct cs_layer_part parts = parts_again(job, block);

    return micro_batch_bytes(job, parts.stored, parts.split_stored) +
           (part_elements(job, block, CS_PART_EXPERTS) > 0 ? more_rows_bytes(job, block) : 0);
}

/* Of the bytes of 16 bits, what inputs of products in fp8 and fp4 save: a scale for 16
 * elements of fp4 has 8 bits.  Attention keeps its result in 16 bits beside the input of
 * the next product.  Frozen products of the feed-forward part have no gradient that takes their
 * input, one of two norms' results, unless adapters read it (torch.nn.functional.linear). */
static double narrow_bytes(const struct cs_train_job *job, const struct cs_train_block *block)
{
    double width = !job->framework.narrow_inputs        ? 1
                   : job->precision == CS_PRECISION_FP8 ? 1. / 2
                   : job->precision == CS_PRECISION_FP4 ? 4.5 / 16
                                                        : 1;
    bool frozen = job->degrees.adapters && !(job->degrees.adapters >> CS_PART_FFN & 1) &&
                  !(block->routed > 0);
    double split = block->split_inputs - part_elements(job, block, CS_PART_ACTIVATION);
    double whole = block->inputs - block->split_inputs - part_elements(job, block, CS_PART_NORMS) -
                   (part_elements(job, block, CS_PART_EXPERTS) > 0 ? block->routed : 0);
    double again = width < 1 && !(part_elements(job, block, CS_PART_ATTENTION) > 0)
                       ? width * block->attention_inputs
                       : 0;
    double unread = frozen ? width * split : 0;

    return micro_batch_bytes(
        job, (1 - width) * (whole + split) - again + unread + (frozen ? width * whole / 2 : 0),
        (1 - width) * split - again + unread);
}

static double stored_bytes(const struct cs_train_job *job, const struct cs_train_block *block)
{
    double less = job->degrees.recompute == CS_RECOMPUTE_SELECTIVE ? block->score_stored : 0;

    if (job->framework.fused_loss)
        less += block->logits;
    return micro_batch_bytes(job, block->stored - less - weighed_elements(job, block),
                             block->split_stored - less) +
           more_rows_bytes(job, block) - narrow_bytes(job, block);
}

/* The result of one of two norms, of the size of the layer's, which a compiler computes again. */
static double norm_elements(const struct cs_train_job *job, const struct cs_train_block *block)
{
    return block->shards && job->framework.fusion == CS_FUSION_COMPILED &&
                   !part_elements(job, block, CS_PART_NORMS)
               ? block->output
               : 0;
}

/* Of a block of which nothing runs again. */
static double all_kept_bytes(const struct cs_train_job *job, const struct cs_train_block *block)
{
    return stored_bytes(job, block) - micro_batch_bytes(job, norm_elements(job, block), 0);
}

/* Of a layer that runs again. */
static double checkpoint_bytes(const struct cs_train_job *job, const struct cs_train_block *block)
{
    return job->degrees.recompute == CS_RECOMPUTE_FULL
               ? micro_batch_bytes(job, block->output, 0)
               : micro_batch_bytes(job, block->ops_stored - norm_elements(job, block),
                                   block->ops_split_stored);
}

double cs_train_block_activations(const struct cs_train_job *job,
                                  const struct cs_train_block *block)
{
    double kept = all_kept_bytes(job, block);
    double share = cs_train_recomputed_share(job);

    if (block->shards && job->degrees.recompute >= CS_RECOMPUTE_FULL)
        return share * checkpoint_bytes(job, block) + (1 - share) * kept;
    return kept - parts_bytes(job, block);
}

double cs_train_in_flight(const struct cs_train_job *job, uint32_t stage)
{
    double p = job->degrees.pipeline, v = job->degrees.chunks;
    /* Of v chunks stage s starts 2 (p - s - 1) + (v - 1) p before its first backward pass
     * (Megatron-Core, schedules.py, get_pp_rank_microbatches). */
    double in_flight = v > 1 ? (2 * (p - stage - 1) + (v - 1) * p + 1) / v : p - stage;

    if (job->degrees.schedule == CS_SCHEDULE_GPIPE)
        return job->degrees.accumulation;
    if (job->degrees.schedule == CS_SCHEDULE_SERIAL)
        return 1;
    if (cs_train_is_dual(job))
        return fmin(job->degrees.accumulation, p + 1);
    return fmin(job->degrees.accumulation, in_flight);
}

uint32_t cs_train_shard_ranks(const struct cs_train_job *job)
{
    uint32_t ranks = cs_train_copies(job);
    uint32_t inside = job->site->node_ranks / job->degrees.tensor;

    if (job->degrees.data_kind != CS_DATA_HYBRID_SHARD && !job->degrees.node_shard)
        return ranks;
    if (!inside)
        inside = 1;
    return inside < ranks ? inside : ranks;
}

static uint32_t expert_shards(const struct cs_train_job *job)
{
    return job->degrees.data_kind == CS_DATA_HYBRID_SHARD ? cs_train_shard_ranks(job)
                                                          : cs_train_expert_copies(job);
}

double cs_train_updated(const struct cs_train_job *job, double elements, double experts)
{
    return job->degrees.data_kind == CS_DATA_DDP
               ? elements
               : (elements - experts) / cs_train_shard_ranks(job) + experts / expert_shards(job);
}

/* Elements beside the stored ones while a block's backward pass runs: its
 * activations computed again but for its checkpoint, softmax and gradients of logits.  Layers
 * have no others. */
static double working_bytes(const struct cs_train_job *job, const struct cs_train_block *block)
{
    if (job->degrees.recompute >= CS_RECOMPUTE_FULL && block->shards)
        return all_kept_bytes(job, block) - checkpoint_bytes(job, block);
    if (job->degrees.recompute == CS_RECOMPUTE_SELECTIVE && block->shards)
        return micro_batch_bytes(job, block->score_stored, block->score_stored);
    if (job->framework.planned_memory || block->shards)
        return parts_bytes(job, block);
    if (job->framework.fused_loss)
        return micro_batch_bytes(job, block->logits, block->logits);
    return micro_batch_bytes(job, block->working, block->working);
}

/* Of a stage's layers, those whose results are in the host's memory. */
static double offloaded_share(const struct cs_train_job *job)
{
    double layers = job->model->transformer.layers;

    return layers > 0 ? fmin(1, job->degrees.offload_layers * job->degrees.pipeline / layers) : 0;
}

void cs_train_offload(const struct cs_passes *passes, const struct cs_stage *stage,
                      struct cs_pass *pass)
{
    const struct cs_train_job *job = passes->job;
    double bytes = 0, copy_s;

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];

        if (block->shards)
            bytes += cs_stage_repeat(stage, block) * cs_train_block_activations(job, block);
    }
    bytes *= offloaded_share(job);
    if (!(bytes > 0) || !(job->site->pcie_Bps > 0))
        return;
    copy_s = bytes / job->site->pcie_Bps;
    pass->forward.compute_s += fmax(0, copy_s - cs_pass_forward_s(pass));
    pass->backward.compute_s += fmax(0, copy_s - cs_pass_backward_s(pass));
}

/* Networks of images run a stage again as a whole, out of its input (passes.c). */
static bool recomputes_stages(const struct cs_train_job *job)
{
    return job->degrees.recompute == CS_RECOMPUTE_FULL && !cs_train_model_has_layers(job->model);
}

/* The last unit's backward pass follows its forward pass: of the logits there is one micro
 * batch, but in GPipe's order. */
static bool is_head(const struct cs_train_job *job, uint32_t block)
{
    return job->model->transformer.layers && block == job->model->block_count - 1;
}

/* Activations of the micro batches in flight.  GPipe's order recomputes all but the
 * last of them (passes.c). */
static double stage_activations(const struct cs_passes *passes, const struct cs_stage *stage,
                                uint32_t index, double *largest_working)
{
    const struct cs_train_job *job = passes->job;
    struct cs_train_job last = *job;
    bool by_stage = recomputes_stages(job);
    double bytes = 0, last_bytes = 0, head_bytes = 0;

    if (by_stage ||
        (job->degrees.schedule == CS_SCHEDULE_GPIPE && job->degrees.recompute == CS_RECOMPUTE_FULL))
        last.degrees.recompute = CS_RECOMPUTE_NONE;
    *largest_working = 0;
    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        uint32_t repeat = cs_stage_repeat(stage, block);
        double kept = repeat * (block->shards ? 1 - offloaded_share(job) : 1);

        if (is_head(job, b))
            head_bytes = repeat * cs_train_block_activations(job, block);
        else if (!by_stage)
            bytes += kept * cs_train_block_activations(job, block);
        else if (b && repeat && block->first <= stage->begin)
            bytes = micro_batch_bytes(job, block[-1].output, 0);
        if (!is_head(job, b))
            last_bytes += kept * cs_train_block_activations(&last, block);
        if (repeat)
            *largest_working = fmax(*largest_working, working_bytes(&last, block));
    }
    return bytes * cs_train_in_flight(job, index) + (last_bytes - bytes) +
           head_bytes *
               (job->degrees.schedule == CS_SCHEDULE_GPIPE ? job->degrees.accumulation : 1);
}

/* The most parameters of two units of a stage in a row that a device gathers.  Experts that
 * no other rank has are all there. */
static double largest_pair(const struct cs_train_job *job, const struct cs_stage *stage)
{
    double largest = 0, before = 0;

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        uint32_t repeat = cs_stage_repeat(stage, block);
        double each = cs_train_rank_parameters(job, block);

        if (!repeat)
            continue;
        if (expert_shards(job) < 2)
            each -= cs_train_rank_experts(job, block);
        largest = fmax(largest, each + (repeat > 1 ? fmax(before, each) : before));
        before = each;
    }
    return largest;
}

/* The largest tensor of a stage, in elements of one device. */
static double largest_tensor(const struct cs_passes *passes, const struct cs_stage *stage)
{
    const struct cs_train_job *job = passes->job;
    double largest = 0;

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        uint32_t dense = block->tensor_count - block->expert_tensors;

        for (uint32_t t = 0; t < block->tensor_count && cs_stage_repeat(stage, block); ++t) {
            uint32_t parts = t < dense ? job->degrees.tensor
                                       : cs_train_expert(job) * cs_train_expert_tensor(job);

            largest = fmax(largest, (double)block->tensors[t] / parts);
        }
    }
    return largest;
}

/* DeepSpeed beside the states of ZeRO-1: gradients of the backward pass in 16 bits
 * where their sums have 32 (bf16_optimizer.py), else a copy in 32 bits of the
 * gradients of a rank's share (stage_1_and_2.py, step); the norm of a gradient is
 * that of a copy in 64 bits (get_grad_norm_direct). */
static double deepspeed_bytes(const struct cs_passes *passes, const struct cs_stage *stage,
                              double elements)
{
    const struct cs_train_job *job = passes->job;
    double copy =
        cs_train_gradient_width(job) > 2 ? 2 * elements : 4 * elements / cs_train_shard_ranks(job);

    return copy + 8 * largest_tensor(passes, stage);
}

/* Storages of PaddlePaddle hold all gradients beside the share: its published peaks show
 * them. */
static bool keeps_gradients(const struct cs_train_job *job)
{
    return job->framework.whole_gradients && job->degrees.data_kind == CS_DATA_ZERO2;
}

/* Buckets of ZeRO-2, one fills while the other is summed: each has a tensor or more.  A
 * rank's share of the sums stays in them, where they hold all gradients.  They are
 * allocated once: the allocator keeps no pages for them. */
static double pair_of_buckets_bytes(const struct cs_passes *passes, const struct cs_stage *stage,
                                    const struct cs_stage_time *sum)
{
    const struct cs_train_job *job = passes->job;
    double width = cs_train_gradient_width(job);
    double bucket =
        fmax((double)job->framework.bucket_bytes, width * largest_tensor(passes, stage));

    if (job->degrees.data_kind != CS_DATA_ZERO2 || !job->framework.bucket_bytes ||
        !cs_train_has_copies(job) || keeps_gradients(job))
        return 0;
    return fmin(2 * bucket,
                width * (sum->parameters - cs_train_updated(job, sum->parameters, sum->experts)));
}

/* Two gathered blocks of ZeRO-3, one of which runs (sharded.c); a copy of the gradients
 * in DDP's buckets, but for gradients wider than parameters, whose sums are parts of
 * the buckets themselves, as are gradients of any width beside a sharded optimizer
 * (Megatron-Core, param_and_grad_buffer.py, main_grad). */
static double buffer_bytes(const struct cs_passes *passes, const struct cs_stage *stage,
                           double elements)
{
    const struct cs_train_job *job = passes->job;

    if (job->framework.whole_gradients && job->degrees.data_kind == CS_DATA_ZERO1)
        return deepspeed_bytes(passes, stage, elements);
    if (!cs_train_has_copies(job))
        return 0;
    if (keeps_gradients(job))
        return elements * cs_train_gradient_width(job);
    if (job->degrees.data_kind >= CS_DATA_ZERO3)
        return largest_pair(job, stage) * cs_train_parameter_width(job);
    if (job->framework.bucket_bytes && job->degrees.data_kind < CS_DATA_ZERO1 &&
        cs_train_gradient_width(job) <= cs_train_parameter_width(job))
        return elements * cs_train_gradient_width(job);
    return 0;
}

/* Groups of ranks with a communicator of their own: all, and those of every degree,
 * of experts and of their copies; first and last stage for a tied embedding. */
static uint32_t communicators(const struct cs_train_job *job)
{
    bool copies = cs_train_expert(job) > 1 && cs_train_expert_copies(job) > 1;
    uint32_t degrees = (job->degrees.tensor > 1) + (job->degrees.context > 1) +
                       (job->degrees.data > 1) + (job->degrees.pipeline > 1) +
                       (cs_train_expert(job) > 1) + copies;
    bool tied = job->degrees.pipeline > 1 && job->model->transformer.tied;

    return degrees > 1 ? 1 + degrees + tied : degrees;
}

/* A channel keeps buffers for a ring's neighbour, and for a tree's parent and child;
 * each 4 MiB for Simple, 512 KiB for LL and 4.69 MiB for LL128 (NCCL, init.cc and
 * device.h).  Sixteen channels are an assumption. */
static double communicator_bytes(void)
{
    return 16 * 3 * (4194304. + 524288. + 4915200.);
}

/* CUDA's context and the library's buffers. */
static double context_bytes(const struct cs_passes *passes)
{
    return passes->kernels.parameters[CS_KERNEL_CONTEXT_MEMORY] * (1 << 20) +
           communicators(passes->job) * communicator_bytes();
}

/* Freed pages that the allocator keeps of `allocated`: at most what `used` leaves of the
 * GPU, for it returns them before it fails (c10/cuda/CUDACachingAllocator.cpp,
 * release_cached_blocks). */
static double reserve_bytes(const struct cs_passes *passes, double allocated, double used)
{
    double share = passes->kernels.parameters[CS_KERNEL_ALLOCATOR] - 1;

    if (passes->job->framework.planned_memory)
        return 0;
    return fmin(share * allocated, fmax(0, passes->job->gpu->memory_bytes - used));
}

static double states_sum(const struct cs_state_bytes *states)
{
    return states->parameters + states->gradients + states->optimizer;
}

/* Experts and the rest are shared by ranks of their own; `even`: all of them. */
static struct cs_state_bytes stage_states(const struct cs_train_job *job,
                                          const struct cs_stage_time *sum, bool even)
{
    enum cs_data_kind kind = even ? CS_DATA_ZERO3 : job->degrees.data_kind;
    struct cs_state_widths widths = cs_train_state_widths(job);
    struct cs_state_bytes dense =
        cs_train_states(kind, sum->parameters - sum->experts,
                        even ? cs_train_copies(job) : cs_train_shard_ranks(job), widths);
    struct cs_state_bytes experts = cs_train_states(
        kind, sum->experts, even ? cs_train_expert_copies(job) : expert_shards(job), widths);

    return (struct cs_state_bytes){dense.parameters + experts.parameters,
                                   dense.gradients + experts.gradients,
                                   dense.optimizer + experts.optimizer};
}

void cs_train_memory(const struct cs_passes *passes, struct cs_train_step *step)
{
    const struct cs_train_job *job = passes->job;
    double peak = -1;

    for (uint32_t s = 0; s < job->degrees.pipeline; ++s) {
        struct cs_stage stage = cs_stage_of(passes, s);
        struct cs_stage_time sum = cs_stage_ranks_sum(passes, s);
        struct cs_state_bytes states = stage_states(job, &sum, false);
        struct cs_state_bytes even = stage_states(job, &sum, true);
        double working;
        double stored = stage_activations(passes, &stage, s, &working);
        double buffers = buffer_bytes(passes, &stage, sum.parameters);
        double once = context_bytes(passes) + pair_of_buckets_bytes(passes, &stage, &sum);
        double all = states_sum(&states) + stored + working + buffers + once;
        double reserve = reserve_bytes(passes, stored + working + buffers, all);

        buffers += once + reserve;
        all += reserve;
        if (all <= peak)
            continue;
        peak = all;
        step->parameter_bytes = states.parameters;
        step->gradient_bytes = states.gradients;
        step->optimizer_bytes = states.optimizer;
        step->activation_bytes = stored + working;
        step->buffer_bytes = buffers;
        step->memory_bytes = all;
        step->redundant_bytes = states_sum(&states) - states_sum(&even);
    }
}
