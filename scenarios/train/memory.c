#include "scenarios/train/memory.h"

#include <math.h>

struct cs_state_bytes cs_train_states(enum cs_data_kind kind, double elements,
                                      uint32_t ranks,
                                      struct cs_state_widths widths)
{
    struct cs_state_bytes bytes = {elements * widths.parameter,
                                   elements * widths.gradient,
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

    /* Mixed precision keeps the weights in 32 bits, too. */
    return (struct cs_state_widths){width, cs_train_gradient_width(job),
                                    4 * (width < 4 ? words + 1 : words)};
}

/* Elements of a sample on one device, divided by tensor and context ranks. */
static double device_elements(const struct cs_train_job *job, double all,
                              double split)
{
    double whole = all - split;

    if (job->sequence_parallel)
        whole /= job->tensor;
    return (whole + split / job->tensor) / job->context;
}

static double stored_bytes(const struct cs_train_job *job,
                           const struct cs_train_block *block)
{
    double scores =
        job->recompute == CS_RECOMPUTE_SELECTIVE ? block->score_stored : 0;

    return job->micro_batch * cs_train_parameter_width(job) *
           device_elements(job, block->stored - scores,
                           block->split_stored - scores);
}

double cs_train_block_activations(const struct cs_train_job *job,
                                  const struct cs_train_block *block)
{
    if (job->recompute != CS_RECOMPUTE_FULL || !block->shards)
        return stored_bytes(job, block);
    return job->micro_batch * cs_train_parameter_width(job) *
           device_elements(job, block->output, 0);
}

double cs_train_in_flight(const struct cs_train_job *job, uint32_t stage)
{
    double p = job->pipeline, v = job->chunks;
    double in_flight = v > 1 ? p * (1 + (p - 1) / (p * v)) : p - stage;

    if (job->schedule == CS_SCHEDULE_GPIPE)
        return job->accumulation;
    if (job->schedule == CS_SCHEDULE_SERIAL)
        return 1;
    return fmin(job->accumulation, in_flight);
}

uint32_t cs_train_shard_ranks(const struct cs_train_job *job)
{
    uint32_t ranks = job->data * job->context;
    uint32_t inside = job->site->node_ranks / job->tensor;

    if (job->data_kind != CS_DATA_HYBRID_SHARD)
        return ranks;
    if (!inside)
        inside = 1;
    return inside < ranks ? inside : ranks;
}

static double stage_activations(const struct cs_passes *passes,
                                const struct cs_stage *stage, uint32_t index,
                                double *largest_working)
{
    const struct cs_train_job *job = passes->job;
    double bytes = 0;
    uint32_t first = 0;

    *largest_working = 0;
    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        uint32_t repeat = cs_stage_repeat(stage, first, block);

        bytes += repeat * cs_train_block_activations(job, block);
        if (repeat && job->recompute == CS_RECOMPUTE_FULL && block->shards)
            *largest_working = fmax(*largest_working, stored_bytes(job, block));
        first += block->repeat;
    }
    return bytes * cs_train_in_flight(job, index);
}

/* Parameters of the largest block of the model, on one device. */
static double largest_block(const struct cs_train_model *model)
{
    double largest = 0;

    for (uint32_t b = 0; b < model->block_count; ++b) {
        double elements = 0;

        for (uint32_t t = 0; t < model->blocks[b].tensor_count; ++t)
            elements += (double)model->blocks[b].tensors[t];
        largest = fmax(largest, elements);
    }
    return largest;
}

/* Two gathered blocks of ZeRO-3; a copy of the gradients in DDP's buckets; what
 * libraries and the allocator keep. */
static double buffer_bytes(const struct cs_passes *passes, double elements)
{
    const struct cs_train_job *job = passes->job;
    double bytes =
        passes->kernels.parameters[CS_KERNEL_CONTEXT_MEMORY] * (1 << 20);

    if (job->data_kind >= CS_DATA_ZERO3)
        return bytes + 2 * largest_block(job->model) / job->tensor *
                           cs_train_parameter_width(job);
    if (job->data > 1 && job->bucket_bytes)
        bytes += elements * cs_train_gradient_width(job);
    return bytes;
}

void cs_train_memory(const struct cs_passes *passes, struct cs_train_step *step)
{
    const struct cs_train_job *job = passes->job;
    double peak = -1;

    for (uint32_t s = 0; s < job->pipeline; ++s) {
        struct cs_stage stage = cs_stage_of(passes, s);
        double elements = cs_stage_sum(passes, &stage).parameters;
        struct cs_state_bytes states =
            cs_train_states(job->data_kind, elements, cs_train_shard_ranks(job),
                            cs_train_state_widths(job));
        double working;
        double stored = stage_activations(passes, &stage, s, &working);
        double buffers = buffer_bytes(passes, elements);
        double all = states.parameters + states.gradients + states.optimizer +
                     stored + working + buffers;

        if (all <= peak)
            continue;
        peak = all;
        step->parameter_bytes = states.parameters;
        step->gradient_bytes = states.gradients;
        step->optimizer_bytes = states.optimizer;
        step->activation_bytes = stored + working;
        step->buffer_bytes = buffers;
        step->memory_bytes = all;
    }
}
