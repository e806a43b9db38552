#include "scenarios/train/stage.h"

#include <math.h>

uint32_t cs_stage_repeat(const struct cs_stage *stage, uint32_t first_unit,
                         const struct cs_train_block *block)
{
    uint32_t begin = stage->begin > first_unit ? stage->begin : first_unit;
    uint32_t last = first_unit + block->repeat;
    uint32_t end = stage->end < last ? stage->end : last;

    return end > begin ? end - begin : 0;
}

/* Cuts `count` units so that part `index` of `parts` begins here. */
static uint32_t even_cut(uint32_t count, uint32_t parts, uint32_t index)
{
    return (uint32_t)((uint64_t)count * index / parts);
}

/* Units: the embedding, the layers, the head. */
static uint32_t layer_cut(uint32_t layers, uint32_t stages, uint32_t index)
{
    if (!index)
        return 0;
    if (index == stages)
        return layers + 2;
    if (layers % stages)
        return even_cut(layers + 2, stages, index);
    return 1 + even_cut(layers, stages, index);
}

double cs_stage_output_before(const struct cs_train_model *model, uint32_t cut)
{
    uint32_t block = 0;

    while (cut > model->blocks[block].repeat)
        cut -= model->blocks[block++].repeat;
    return model->blocks[block].output;
}

static double unit_s(const struct cs_pass *pass)
{
    return cs_pass_forward_s(pass) + cs_pass_backward_s(pass);
}

/* The first unit behind the share index / stages of all time; each stage keeps a
 * unit at least. */
static uint32_t time_cut(const struct cs_passes *passes, uint32_t index)
{
    const struct cs_train_model *model = passes->job->model;
    uint32_t stages = passes->job->pipeline, unit = 0, units = 0;
    double total = 0, before = 0, aim;

    for (uint32_t b = 0; b < model->block_count; ++b) {
        total += model->blocks[b].repeat * unit_s(&passes->blocks[b]);
        units += model->blocks[b].repeat;
    }
    aim = total * index / stages;
    for (uint32_t b = 0; b < model->block_count; ++b)
        for (uint32_t r = 0; r < model->blocks[b].repeat; ++r) {
            double one = unit_s(&passes->blocks[b]);

            if (before + one / 2 < aim)
                ++unit;
            before += one;
        }
    if (unit < index)
        unit = index;
    if (unit > units - (stages - index))
        unit = units - (stages - index);
    return index ? unit : 0;
}

struct cs_stage cs_stage_of(const struct cs_passes *passes, uint32_t index)
{
    const struct cs_train_job *job = passes->job;
    uint32_t layers = job->model->transformer.layers;

    if (job->cuts)
        return (struct cs_stage){index ? job->cuts[index - 1] : 0,
                                 index < job->cut_count
                                     ? job->cuts[index]
                                     : cs_train_model_units(job->model)};
    if (layers)
        return (struct cs_stage){layer_cut(layers, job->pipeline, index),
                                 layer_cut(layers, job->pipeline, index + 1)};
    return (struct cs_stage){time_cut(passes, index),
                             time_cut(passes, index + 1)};
}

static void add_pass(struct cs_pass *sum, const struct cs_pass *pass, double n)
{
    sum->forward_s += n * pass->forward_s;
    sum->backward_s += n * pass->backward_s;
    sum->recompute_s += n * pass->recompute_s;
    sum->tensor_forward_s += n * pass->tensor_forward_s;
    sum->tensor_backward_s += n * pass->tensor_backward_s;
    sum->tensor_recompute_s += n * pass->tensor_recompute_s;
    sum->expert_forward_s += n * pass->expert_forward_s;
    sum->expert_backward_s += n * pass->expert_backward_s;
    sum->expert_recompute_s += n * pass->expert_recompute_s;
    sum->context_s += n * pass->context_s;
}

double cs_stage_tied_copy(const struct cs_train_job *job,
                          const struct cs_stage *stage)
{
    const struct cs_transformer *dims = &job->model->transformer;

    return dims->tied && stage->begin &&
                   stage->end == cs_train_model_units(job->model)
               ? (double)dims->vocabulary * dims->hidden / job->tensor
               : 0;
}

struct cs_stage_time cs_stage_sum(const struct cs_passes *passes,
                                  const struct cs_stage *stage)
{
    const struct cs_train_job *job = passes->job;
    struct cs_stage_time sum = {0};
    uint32_t first = 0;

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        uint32_t repeat = cs_stage_repeat(stage, first, block);

        add_pass(&sum.pass, &passes->blocks[b], repeat);
        sum.parameters += repeat * (cs_train_block_parameters(block) -
                                    cs_train_expert_parameters(block));
        sum.experts += repeat * cs_train_rank_experts(job, block);
        first += block->repeat;
    }
    sum.parameters = sum.parameters / job->tensor + sum.experts +
                     cs_stage_tied_copy(job, stage);
    return sum;
}

double cs_pipeline_s(double sum_s, double max_s, uint32_t micro_batches,
                     uint32_t stages, uint32_t chunks)
{
    uint32_t left = micro_batches > stages ? micro_batches % stages : 0;
    double busy_s = micro_batches * max_s + (sum_s - max_s) / chunks;
    double first_s = sum_s + (micro_batches - 1) * max_s / chunks;
    double idle_s = left ? (chunks - 1) * (stages - left) * max_s / chunks : 0;

    return fmax(busy_s, first_s) + idle_s;
}
