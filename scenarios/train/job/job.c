#include "scenarios/train/job/job.h"

#include "scenarios/train/kernels/open.h"
#include "sim/base/divisor.h"
#include "sim/base/hint.h"
#include "sim/base/roots.h"
#include "sim/base/statistics.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>

const char *const cs_recompute_names[CS_RECOMPUTES + 1] = {"none", "selective", "full", "ops",
                                                           NULL};

const char *const cs_data_kind_names[CS_DATA_KINDS] = {"ddp", "zero1", "zero2", "zero3",
                                                       "hybrid-shard"};

bool cs_train_is_dual(const struct cs_train_job *job)
{
    return job->degrees.schedule == CS_SCHEDULE_DUALPIPE && job->degrees.pipeline > 1;
}

static int check_degrees(const struct cs_train_job *job, struct cs_err *err)
{
    uint64_t ranks = (uint64_t)job->degrees.tensor * job->degrees.context * job->degrees.data *
                     job->degrees.pipeline;

    if (!ranks)
        return cs_err_set(err, CS_EINPUT, "a degree of parallelism is 0");
    if (ranks != job->site->ranks)
        return cs_err_set(
            err, CS_EINPUT,
            "tensor %u x context %u x data %u x pipeline %u is %llu ranks; the machine has %u",
            job->degrees.tensor, job->degrees.context, job->degrees.data, job->degrees.pipeline,
            (unsigned long long)ranks, job->site->ranks);
    if (!job->degrees.accumulation || !job->degrees.chunks || !(job->degrees.micro_batch > 0))
        return cs_err_set(err, CS_EINPUT, "micro batch, accumulation and chunks start at 1");
    if (job->degrees.chunks > 1 && job->degrees.pipeline < 2)
        return cs_err_set(err, CS_EINPUT,
                          "%u chunks of a stage need a pipeline of two stages or more",
                          job->degrees.chunks);
    if (cs_train_is_dual(job) &&
        (job->degrees.pipeline % 2 || job->degrees.chunks > 1 || job->degrees.accumulation % 2 ||
         job->degrees.accumulation < 2 * job->degrees.pipeline))
        return cs_err_set(err, CS_EINPUT,
                          "--schedule dualpipe: %u stages of %u chunks and %u micro batches; "
                          "expected an even number of stages of 1 chunk, and an even number of "
                          "micro batches, at least 2 for each stage",
                          job->degrees.pipeline, job->degrees.chunks, job->degrees.accumulation);
    return 0;
}

/* Layers of chunks: as many in each, fewer in the last. */
struct chunk_layout {
    uint32_t each, last;
    bool embedding; /* counts as a layer of the first */
};

/* The layouts of DeepSeek V3 in Megatron-Bridge (recipes/deepseek/deepseek_v3.py).
 * False where the chunks are too many. */
static bool lay_chunks(const struct cs_train_job *job, struct chunk_layout *layout)
{
    uint32_t places = job->degrees.pipeline * job->degrees.chunks;

    for (int embedding = 0; embedding < 2; ++embedding) {
        uint32_t layers = job->model->transformer.layers + (uint32_t)embedding;
        uint32_t each = (uint32_t)cs_divide_up(layers, places);

        *layout = (struct chunk_layout){each, layers - (places - 1) * each, embedding};
        if ((uint64_t)(places - 1) * each <= layers)
            return true;
    }
    return false;
}

/* Chunks are dealt to the stages in turn. */
static uint32_t stage_layers(const struct cs_train_job *job, const struct chunk_layout *layout,
                             uint32_t stage)
{
    uint32_t layers = job->degrees.chunks * layout->each;

    if (stage == 0 && layout->embedding)
        --layers;
    return stage + 1 < job->degrees.pipeline ? layers : layers - layout->each + layout->last;
}

/* Embedding and head may count as a layer each. */
static bool chunks_differ(const struct cs_train_job *job)
{
    uint32_t layers = job->model->transformer.layers;
    uint32_t places = job->degrees.pipeline * job->degrees.chunks;

    return job->degrees.chunks > 1 && layers % places && (layers + 2) % places;
}

uint32_t cs_train_chunk_cut(const struct cs_train_job *job, uint32_t index)
{
    struct chunk_layout layout;
    uint32_t layers = job->model->transformer.layers, stages = job->degrees.pipeline, cut = 1;
    bool even = layers % stages == 0 || (layers + 2) % stages == 0;

    /* The last may have the head and further modules alone. */
    if (even || !chunks_differ(job) || !lay_chunks(job, &layout) ||
        (!layout.last && !layout.embedding))
        return 0;
    for (uint32_t s = 0; s < index; ++s)
        cut += stage_layers(job, &layout, s);
    return cut;
}

static int check_transformer(const struct cs_train_job *job, struct cs_err *err)
{
    const struct cs_transformer *dims = &job->model->transformer;
    uint32_t slots = job->degrees.pipeline * job->degrees.chunks;

    if (dims->heads % job->degrees.tensor)
        return cs_err_set(
            err, CS_EINPUT, "%u heads of %s do not divide over %u tensor parallel ranks%s",
            dims->heads, job->model->name, job->degrees.tensor,
            cs_hint_divisors(cs_common_divisor(dims->heads, job->site->ranks), job->degrees.tensor)
                .text);
    if (dims->sequence % job->degrees.context)
        return cs_err_set(
            err, CS_EINPUT,
            "a sequence of %u tokens does not divide over %u context parallel ranks%s",
            dims->sequence, job->degrees.context,
            cs_hint_multiples(job->degrees.context, dims->sequence).text);
    if (job->degrees.sequence_parallel &&
        dims->sequence / job->degrees.context % job->degrees.tensor)
        return cs_err_set(
            err, CS_EINPUT,
            "--sequence-parallel: a sequence of %u tokens does not divide over %u tensor x %u "
            "context parallel ranks%s",
            dims->sequence, job->degrees.tensor, job->degrees.context,
            cs_hint_multiples((uint64_t)job->degrees.tensor * job->degrees.context, dims->sequence)
                .text);
    /* Embedding and head may count as a layer each. */
    if (slots > dims->layers + 2)
        return cs_err_set(err, CS_EINPUT, "%u layers of %s are fewer than %u stages x %u chunks",
                          dims->layers, job->model->name, job->degrees.pipeline,
                          job->degrees.chunks);
    if (!job->degrees.cuts && chunks_differ(job) && !cs_train_chunk_cut(job, 1))
        return cs_err_set(err, CS_EINPUT,
                          "%u layers of %s do not divide over %u stages x %u chunks; expected "
                          "other chunks, or --cuts",
                          dims->layers, job->model->name, job->degrees.pipeline,
                          job->degrees.chunks);
    return 0;
}

/* Whether experts have groups of ranks of their own. */
static bool divides_experts(const struct cs_train_job *job)
{
    return cs_train_expert(job) > 1 || cs_train_expert_tensor(job) != job->degrees.tensor;
}

static int check_expert_settings(const struct cs_train_job *job, struct cs_err *err)
{
    const struct cs_transformer *dims = &job->model->transformer;

    if (dims->experts && job->degrees.imbalance * dims->active > dims->experts)
        return cs_err_set(err, CS_EINPUT,
                          "--imbalance: the busiest rank has at most %.4g times the mean, as a "
                          "token has %u of %u experts",
                          (double)dims->experts / dims->active, dims->active, dims->experts);
    if (dims->experts)
        return 0;
    if (job->degrees.expert > 1 || job->degrees.expert_tensor)
        return cs_err_set(
            err, CS_EINPUT,
            "--ep, --etp: %s has no experts; expected a mixture of experts, as mixtral-8x7b",
            job->model->name);
    if (job->degrees.imbalance > 0)
        return cs_err_set(err, CS_EINPUT, "--imbalance: %s has no experts", job->model->name);
    return 0;
}

static int check_expert_degrees(const struct cs_train_job *job, struct cs_err *err)
{
    const struct cs_transformer *dims = &job->model->transformer;
    uint32_t stage = cs_train_stage_ranks(job);
    uint32_t expert = cs_train_expert(job), parts = cs_train_expert_tensor(job);

    if (dims->experts % expert)
        return cs_err_set(err, CS_EINPUT, "%u experts of %s do not divide over --ep %u ranks%s",
                          dims->experts, job->model->name, expert,
                          cs_hint_divisors(cs_common_divisor(dims->experts, stage), expert).text);
    if (dims->expert_ffn % parts)
        return cs_err_set(err, CS_EINPUT,
                          "experts of a width of %u do not divide over --etp %u ranks%s",
                          dims->expert_ffn, parts, cs_hint_divisors(dims->expert_ffn, parts).text);
    if (stage % ((uint64_t)expert * parts))
        return cs_err_set(err, CS_EINPUT,
                          "the %u ranks of a stage do not divide over --ep %u x --etp %u", stage,
                          expert, parts);
    return 0;
}

static int check_experts(const struct cs_train_job *job, struct cs_err *err)
{
    int code = check_expert_settings(job, err);

    if (code || !job->model->transformer.experts)
        return code;
    code = check_expert_degrees(job, err);
    if (code || !divides_experts(job))
        return code;
    if (job->degrees.tensor > 1 && !job->degrees.sequence_parallel)
        return cs_err_set(
            err, CS_EINPUT,
            "--ep and --etp with --tp %u send each token from one rank; add --sequence-parallel",
            job->degrees.tensor);
    if (job->degrees.data_kind == CS_DATA_HYBRID_SHARD)
        return cs_err_set(
            err, CS_EINPUT,
            "hybrid-shard divides all parameters over one set of ranks; take zero3 with --ep");
    return 0;
}

/* Cuts rise, inside the model, and make a stage for each rank of the pipeline. */
static int check_cuts(const struct cs_train_job *job, struct cs_err *err)
{
    uint32_t units = cs_train_model_units(job->model), last = 0;

    if (!job->degrees.cuts)
        return 0;
    if (job->degrees.cut_count + 1 != job->degrees.pipeline)
        return cs_err_set(err, CS_EINPUT, "%u cuts make %u stages; the pipeline has %u",
                          job->degrees.cut_count, job->degrees.cut_count + 1,
                          job->degrees.pipeline);
    for (uint32_t c = 0; c < job->degrees.cut_count; ++c) {
        if (job->degrees.cuts[c] <= last || job->degrees.cuts[c] >= units)
            return cs_err_set(err, CS_EINPUT,
                              "cut %u is not between %u and %u: %s has %u blocks, and cuts rise",
                              job->degrees.cuts[c], last + 1, units - 1, job->model->name, units);
        last = job->degrees.cuts[c];
    }
    return 0;
}

int cs_train_job_check(const struct cs_train_job *job, struct cs_err *err)
{
    struct cs_kernels kernels;
    int code = check_degrees(job, err);

    if (!code)
        code = cs_kernels_open(job->gpu, job->precision, job->parameters, &kernels, err);
    if (!code)
        code = check_cuts(job, err);
    if (!code)
        code = check_experts(job, err);
    if (code)
        return code;
    if (job->model->transformer.layers)
        return check_transformer(job, err);
    if (job->degrees.tensor > 1 || job->degrees.context > 1)
        return cs_err_set(err, CS_EINPUT,
                          "%s has no layers that tensor and context parallel ranks divide; their "
                          "degrees must be 1",
                          job->model->name);
    if (job->degrees.pipeline * job->degrees.chunks > cs_train_model_units(job->model))
        return cs_err_set(err, CS_EINPUT, "%u blocks of %s are fewer than %u stages",
                          cs_train_model_units(job->model), job->model->name,
                          job->degrees.pipeline * job->degrees.chunks);
    return 0;
}

int cs_train_whole_check(const struct cs_train_job *job, const char *why, struct cs_err *err)
{
    const struct cs_train_degrees *degrees = &job->degrees;
    int code = cs_train_job_check(job, err);

    if (!code && degrees->tensor * degrees->context * degrees->pipeline * cs_train_expert(job) > 1)
        code = cs_err_set(err, CS_EINPUT,
                          "%s; tensor, context, pipeline and expert degrees must be 1", why);
    return code;
}

void cs_train_undivide(struct cs_train_job *job)
{
    struct cs_train_degrees *degrees = &job->degrees;

    degrees->tensor = degrees->context = degrees->pipeline = degrees->chunks = 1;
    degrees->expert = degrees->expert_tensor = 0;
    degrees->cuts = NULL;
    degrees->cut_count = 0;
    job->log = NULL;
}

uint32_t cs_train_stage_ranks(const struct cs_train_job *job)
{
    return job->degrees.tensor * job->degrees.context * job->degrees.data;
}

uint32_t cs_train_copies(const struct cs_train_job *job)
{
    return job->degrees.context * job->degrees.data;
}

double cs_train_batch(const struct cs_train_job *job)
{
    return job->degrees.micro_batch * job->degrees.accumulation * job->degrees.data;
}

uint32_t cs_train_expert(const struct cs_train_job *job)
{
    return job->degrees.expert ? job->degrees.expert : 1;
}

uint32_t cs_train_expert_tensor(const struct cs_train_job *job)
{
    return job->degrees.expert_tensor ? job->degrees.expert_tensor : job->degrees.tensor;
}

uint32_t cs_train_expert_copies(const struct cs_train_job *job)
{
    return job->degrees.tensor * job->degrees.context * job->degrees.data / cs_train_expert(job) /
           cs_train_expert_tensor(job);
}

bool cs_train_experts_apart(const struct cs_train_job *job)
{
    return cs_train_expert(job) * cs_train_expert_tensor(job) != job->degrees.tensor;
}

bool cs_train_has_copies(const struct cs_train_job *job)
{
    return cs_train_copies(job) > 1 ||
           (job->model->transformer.experts && cs_train_experts_apart(job) &&
            cs_train_expert_copies(job) > 1);
}

bool cs_train_sums_whole(const struct cs_train_job *job)
{
    return job->degrees.node_shard ||
           (job->framework.whole_gradients && job->degrees.data_kind == CS_DATA_ZERO1);
}

double cs_train_imbalance(const struct cs_train_job *job)
{
    const struct cs_transformer *dims = &job->model->transformer;
    double expert = cs_train_expert(job), active = dims->active;

    if (!(job->degrees.imbalance > 0) || !dims->experts)
        return 1;
    return fmin(job->degrees.imbalance, fmin(active, dims->experts / expert) * expert / active);
}

bool cs_train_divides_tokens(const struct cs_train_job *job)
{
    return job->degrees.sequence_parallel || job->degrees.tensor < 2;
}

uint32_t cs_train_block_sums(const struct cs_train_job *job, const struct cs_train_block *block)
{
    return block->routed > 0 && !cs_train_divides_tokens(job) ? 2 : block->sums;
}

double cs_train_rank_experts(const struct cs_train_job *job, const struct cs_train_block *block)
{
    return cs_train_expert_parameters(block) / cs_train_expert(job) / cs_train_expert_tensor(job);
}

double cs_train_rank_parameters(const struct cs_train_job *job, const struct cs_train_block *block)
{
    double dense = cs_train_block_parameters(block) - cs_train_expert_parameters(block);

    return dense / job->degrees.tensor + cs_train_rank_experts(job, block);
}

uint32_t cs_train_gradient_width(const struct cs_train_job *job)
{
    if (job->degrees.adapters)
        return 0;
    if (job->framework.gradient_width)
        return job->framework.gradient_width;
    return job->precision <= CS_PRECISION_TF32 ? 4 : 2;
}

uint32_t cs_train_parameter_width(const struct cs_train_job *job)
{
    return job->precision <= CS_PRECISION_TF32 ? 4 : 2;
}

double cs_train_optimizer_words(const struct cs_train_job *job)
{
    double copy = cs_train_parameter_width(job) < 4 ? 1 : 0;

    return job->framework.optimizer_width ? job->framework.optimizer_width / 4. - copy
                                          : job->model->optimizer_words;
}

uint64_t cs_train_chunk_layers(const struct cs_train_job *job)
{
    uint64_t parts = (uint64_t)job->degrees.pipeline * job->degrees.chunks;

    return (uint32_t)cs_divide_up(job->model->transformer.layers, parts);
}

double cs_train_recomputed_share(const struct cs_train_job *job)
{
    double layers = job->model->transformer.layers;
    double parts = (double)job->degrees.pipeline * job->degrees.chunks;

    if (!job->degrees.recompute_layers || !(layers > 0))
        return 1;
    return fmin(1, job->degrees.recompute_layers * parts / layers);
}

double cs_train_jitter_s(const struct cs_train_job *job, double passes_s)
{
    const double *p = job->parameters ? job->parameters : cs_kernel_parameters;
    uint32_t ranks = cs_train_copies(job);
    double late = 0, uneven = 0, slow = 0;

    if (!job->framework.device_graph && ranks > 1) /* hosts are late, not devices */
        late = p[CS_KERNEL_JITTER] * cs_normal_largest(ranks);
    if (job->degrees.data > 1)
        uneven = job->batch_spread * cs_normal_largest(job->degrees.data);
    ranks *= job->degrees.tensor;
    if (ranks > 1 && job->gpu->generation > 0) /* makers that were measured */
        slow = p[CS_KERNEL_DEVICE_SPREAD] * cs_normal_largest(ranks);
    late = cs_length(late, uneven) / sqrt(job->degrees.accumulation);
    return cs_length(late, slow) * passes_s;
}

void cs_train_wait_for_input(const struct cs_train_job *job, struct cs_train_step *step)
{
    double samples = cs_train_batch(job);
    uint32_t nodes = job->site->nodes ? job->site->nodes : 1;

    if (!(job->loader_samples_per_s > 0))
        return;
    step->input_s = fmax(0, samples / nodes / job->loader_samples_per_s - step->step_s);
    step->step_s += step->input_s;
}

/* ---- parts ---- */

void cs_train_list_parts(const struct cs_train_step *step,
                         struct cs_train_part parts[CS_TRAIN_PARTS])
{
    const struct cs_train_part all[CS_TRAIN_PARTS] = {
#define PART(member, column, title, name, about) {name, step->member, about},
#include "scenarios/train/job/step_parts.def"
#undef PART
    };

    for (int p = 0; p < CS_TRAIN_PARTS; ++p) {
        parts[p] = all[p];
        if (cs_same(parts[p].name, "host") && step->hooks_s > 0)
            parts[p].about = "input, loss, calls of the optimizer, hooks of sharded layers";
    }
}

double cs_train_sum_parts(const struct cs_train_step *step)
{
    double sum_s = 0;

#define PART(member, column, title, name, about) sum_s += step->member;
#include "scenarios/train/job/step_parts.def"
#undef PART
    return sum_s;
}

struct cs_train_part cs_train_limit(const struct cs_train_step *step, int first)
{
    struct cs_train_part parts[CS_TRAIN_PARTS];
    int most = first;

    cs_train_list_parts(step, parts);
    for (int p = first + 1; p < CS_TRAIN_PARTS; ++p)
        if (parts[p].seconds > parts[most].seconds)
            most = p;
    return parts[most];
}

/* ---- figures ---- */

void cs_train_figure(struct cs_train_step *step, const char *name, enum cs_train_unit unit,
                     double value)
{
    struct cs_train_figure *figure;

    if (step->figure_count == CS_TRAIN_FIGURES_MAX)
        return;
    figure = &step->figures[step->figure_count++];
    snprintf(figure->name, sizeof(figure->name), "%s", name);
    figure->unit = unit;
    figure->value = value;
}
