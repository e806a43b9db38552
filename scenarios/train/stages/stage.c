#include "scenarios/train/stages/stage.h"

#include "scenarios/train/stages/group.h"

#include <math.h>

uint32_t cs_stage_repeat(const struct cs_stage *stage, const struct cs_train_block *block)
{
    uint32_t begin = stage->begin > block->first ? stage->begin : block->first;
    uint32_t last = block->first + block->repeat;
    uint32_t end = stage->end < last ? stage->end : last;

    return end > begin ? end - begin : 0;
}

/* Cuts `count` units so that part `index` of `parts` begins here. */
static uint32_t even_cut(uint32_t count, uint32_t parts, uint32_t index)
{
    return (uint32_t)((uint64_t)count * index / parts);
}

/* Units: the embedding, the layers, those that predict further tokens, the head. */
static uint32_t layer_cut(const struct cs_train_job *job, uint32_t index)
{
    uint32_t layers = job->model->transformer.layers, stages = job->degrees.pipeline;
    uint32_t units = cs_train_model_units(job->model), laid = cs_train_chunk_cut(job, index);

    if (!index)
        return 0;
    if (index == stages)
        return units;
    if (laid)
        return laid;
    if (layers % stages)
        return even_cut(units, stages, index);
    return 1 + even_cut(layers, stages, index);
}

double cs_stage_output_before(const struct cs_train_model *model, uint32_t cut)
{
    return model->blocks[cs_train_unit_block(model, cut - 1)].output;
}

static double unit_s(const struct cs_pass *pass)
{
    return cs_pass_forward_s(pass) + cs_pass_backward_s(pass);
}

/* ---- stages of equal times ---- */

enum {
    CUT_HALVINGS = 64 /* of the range of the slowest stage's time */
};

/* The units of a network of images in stages that take no longer than `most_s`. */
struct time_cuts {
    const struct cs_passes *passes;
    uint32_t units;
    double total_s, most_s;
};

static double cuts_unit_s(const struct time_cuts *cuts, uint32_t unit)
{
    const struct cs_passes *passes = cuts->passes;

    return unit_s(&passes->blocks[cs_train_unit_block(passes->job->model, unit)]);
}

/* The end of the longest stage that begins here; a unit at least. */
static uint32_t cuts_longest(const struct time_cuts *cuts, uint32_t begin)
{
    double sum_s = cuts_unit_s(cuts, begin++);

    while (begin < cuts->units) {
        sum_s += cuts_unit_s(cuts, begin);
        if (sum_s > cuts->most_s)
            break;
        begin++;
    }
    return begin;
}

static bool cuts_fit(const struct time_cuts *cuts, uint32_t begin, uint32_t stages)
{
    while (begin < cuts->units && stages-- > 0)
        begin = cuts_longest(cuts, begin);
    return begin == cuts->units;
}

/* The least time of the slowest stage. */
static struct time_cuts cuts_open(const struct cs_passes *passes)
{
    const struct cs_train_model *model = passes->job->model;
    struct time_cuts cuts = {.passes = passes};
    double low_s = 0, high_s;

    for (uint32_t b = 0; b < model->block_count; ++b) {
        double one = unit_s(&passes->blocks[b]);

        cuts.total_s += model->blocks[b].repeat * one;
        cuts.units += model->blocks[b].repeat;
        low_s = fmax(low_s, one);
    }
    high_s = 2 * cuts.total_s; /* of one stage, and rounding */
    for (int i = 0; i < CUT_HALVINGS; ++i) {
        cuts.most_s = (low_s + high_s) / 2;
        if (cuts_fit(&cuts, 0, passes->job->degrees.pipeline))
            high_s = cuts.most_s;
        else
            low_s = cuts.most_s;
    }
    cuts.most_s = high_s;
    return cuts;
}

/* The first unit behind the share index / stages of all time. */
static uint32_t cuts_even(const struct time_cuts *cuts, uint32_t index)
{
    double aim = cuts->total_s * index / cuts->passes->job->degrees.pipeline;
    double before = 0;
    uint32_t unit = 0;

    for (uint32_t u = 0; u < cuts->units; ++u) {
        double one = cuts_unit_s(cuts, u);

        if (before + one / 2 < aim)
            ++unit;
        before += one;
    }
    return unit;
}

/* Even shares of the time, as far as no stage takes longer than the slowest must;
 * each stage keeps a unit at least. */
static uint32_t time_cut(const struct cs_passes *passes, uint32_t index)
{
    uint32_t stages = passes->job->degrees.pipeline, cut = 0;
    struct time_cuts cuts;

    if (!index)
        return 0;
    if (index == stages)
        return cs_train_model_units(passes->job->model);
    cuts = cuts_open(passes);
    for (uint32_t i = 1; i <= index; ++i) {
        uint32_t even = cuts_even(&cuts, i), last = cuts.units - (stages - i);
        uint32_t longest = cuts_longest(&cuts, cut);

        cut = even > cut ? even : cut + 1;
        while (cut < longest && !cuts_fit(&cuts, cut, stages - i))
            cut++;
        cut = cut < longest ? cut : longest;
        cut = cut < last ? cut : last;
    }
    return cut;
}

static struct cs_stage given_stage(const struct cs_train_job *job, const uint32_t *cuts,
                                   uint32_t count, uint32_t index)
{
    return (struct cs_stage){index ? cuts[index - 1] : 0,
                             index < count ? cuts[index] : cs_train_model_units(job->model)};
}

struct cs_stage cs_stage_of(const struct cs_passes *passes, uint32_t index)
{
    const struct cs_train_job *job = passes->job;
    const struct cs_train_calls *decided = job->decided;
    uint32_t layers = job->model->transformer.layers;

    if (job->degrees.cuts)
        return given_stage(job, job->degrees.cuts, job->degrees.cut_count, index);
    if (!layers && decided && decided->cut_count == job->degrees.pipeline - 1)
        return given_stage(job, decided->cuts, decided->cut_count, index);
    if (layers)
        return (struct cs_stage){layer_cut(job, index), layer_cut(job, index + 1)};
    return (struct cs_stage){time_cut(passes, index), time_cut(passes, index + 1)};
}

static void add_part(struct cs_pass_part *sum, const struct cs_pass_part *part, double n)
{
    sum->compute_s += n * part->compute_s;
    sum->tensor_s += n * part->tensor_s;
    sum->expert_s += n * part->expert_s;
    sum->context_s += n * part->context_s;
}

static void add_pass(struct cs_pass *sum, const struct cs_pass *pass, double n)
{
    add_part(&sum->forward, &pass->forward, n);
    add_part(&sum->backward, &pass->backward, n);
    add_part(&sum->recompute, &pass->recompute, n);
    sum->alone_s += n * pass->alone_s;
}

double cs_stage_tied_copy(const struct cs_train_job *job, const struct cs_stage *stage)
{
    const struct cs_transformer *dims = &job->model->transformer;

    return dims->tied && stage->begin && stage->end == cs_train_model_units(job->model)
               ? (double)dims->vocabulary * dims->hidden / job->degrees.tensor
               : 0;
}

struct cs_stage_time cs_stage_sum(const struct cs_passes *passes, const struct cs_stage *stage)
{
    const struct cs_train_job *job = passes->job;
    struct cs_stage_time sum = {0};

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        uint32_t repeat = cs_stage_repeat(stage, block);

        add_pass(&sum.pass, &passes->blocks[b], repeat);
        sum.parameters +=
            repeat * (cs_train_block_parameters(block) - cs_train_expert_parameters(block));
        sum.experts += repeat * cs_train_rank_experts(job, block);
    }
    sum.parameters =
        sum.parameters / job->degrees.tensor + sum.experts + cs_stage_tied_copy(job, stage);
    return sum;
}

struct cs_stage_time cs_stage_ranks_sum(const struct cs_passes *passes, uint32_t index)
{
    uint32_t stages = passes->job->degrees.pipeline;
    struct cs_stage stage = cs_stage_of(passes, index);
    struct cs_stage_time sum = cs_stage_sum(passes, &stage), mirror, mean = {0};

    if (!cs_train_is_dual(passes->job))
        return sum;
    stage = cs_stage_of(passes, stages - 1 - index);
    mirror = cs_stage_sum(passes, &stage);
    add_pass(&mean.pass, &sum.pass, .5);
    add_pass(&mean.pass, &mirror.pass, .5);
    mean.parameters = sum.parameters + mirror.parameters;
    mean.experts = sum.experts + mirror.experts;
    return mean;
}

/* Half of the products of a backward pass are of weights. */
double cs_dualpipe_idle_share(const struct cs_pass *pass, uint32_t stages)
{
    double forward_s = cs_pass_forward_s(pass), backward_s = cs_pass_backward_s(pass);
    double idle_s = forward_s + 2 * backward_s - 3 * pass->backward.compute_s / 2;

    return (stages / 2. - 1) / (stages - 1) * idle_s / (forward_s + backward_s);
}

double cs_pipeline_s(double sum_s, double max_s, uint32_t micro_batches, uint32_t stages,
                     uint32_t chunks)
{
    uint32_t left = micro_batches > stages ? micro_batches % stages : 0;
    double busy_s = micro_batches * max_s + (sum_s - max_s) / chunks;
    double first_s = sum_s + (micro_batches - 1) * max_s / chunks;
    double idle_s = left ? (chunks - 1) * (stages - left) * max_s / chunks : 0;

    return fmax(busy_s, first_s) + idle_s;
}
