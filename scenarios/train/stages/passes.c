#include "scenarios/train/stages/passes.h"

#include "scenarios/train/kernels/open.h"
#include "scenarios/train/stages/layer_calls.h"
#include "sim/base/roots.h"

#include <math.h>

/* A product and its collective in as many parts as ranks: all but the first part of
 * the shorter is hidden (Transformer Engine, userbuffers). */
static double exposed_call_s(const struct cs_train_job *job, double call_s, double product_s)
{
    double parts = job->degrees.tensor;

    if (!job->framework.overlap_tensor || job->degrees.tensor < 2)
        return call_s;
    return fmax(call_s / parts, call_s - product_s * (1 - 1 / parts));
}

/* Of one half of a layer: its input is gathered, its result summed. */
static double half_forward_s(const struct cs_train_job *job, const struct cs_layer_calls *calls,
                             const struct cs_block_time *time, int half)
{
    return exposed_call_s(job, calls->gather_s, time->columns_s[half]) +
           exposed_call_s(job, calls->sum_s, time->rows_s[half]);
}

/* The gradient of the result is gathered, the input gathered again for its weights, and
 * its gradient summed: inputs are kept divided (arXiv 2205.05198, section 4.2.2).  Each is
 * beside a product of its own, the last two beside those of the input's gradient and of
 * the weights' (Transformer Engine, ub_bulk_dgrad and ub_bulk_wgrad). */
static double half_backward_s(const struct cs_train_job *job, const struct cs_layer_calls *calls,
                              const struct cs_block_time *time, int half)
{
    return exposed_call_s(job, calls->gather_s, time->rows_back_s[half]) +
           exposed_call_s(job, calls->gather_s, time->columns_back_s[half]) +
           exposed_call_s(job, calls->sum_s, time->weights_s[half]);
}

/* GPipe's order keeps the activations of the last micro batch (torchgpipe,
 * checkpoint='except_last'). */
double cs_passes_recomputed_share(const struct cs_train_job *job)
{
    double share = cs_train_recomputed_share(job);

    if (job->degrees.recompute != CS_RECOMPUTE_FULL)
        return 0;
    return job->degrees.schedule == CS_SCHEDULE_GPIPE ? share * (1 - 1. / job->degrees.accumulation)
                                                      : share;
}

/* Experts run again, tokens travel to them again, as a whole (Megatron-Core,
 * moe_layer.py, moe_layer_recompute). */
static bool experts_again(const struct cs_train_job *job)
{
    return job->degrees.recompute_parts >> CS_PART_EXPERTS & 1;
}

double cs_passes_dispatched_again(const struct cs_train_job *job)
{
    return experts_again(job) || job->degrees.recompute == CS_RECOMPUTE_OPS
               ? 1
               : cs_passes_recomputed_share(job);
}

/* Keys and values travel beside the attention to others: what is left of the
 * exchange.  The backward pass gathers them again, and sums their gradients. */
static double keys_exposed_s(const struct cs_train_block *block, const struct cs_layer_calls *calls,
                             const struct cs_block_time *time)
{
    return block->shards ? fmax(0, calls->keys_s - time->scores_s) : 0;
}

static void layer_calls(const struct cs_train_job *job, const struct cs_train_block *block,
                        const struct cs_layer_calls *calls, const struct cs_block_time *time,
                        struct cs_pass *pass)
{
    double keys_s = keys_exposed_s(block, calls, time);
    int halves = (int)cs_train_block_sums(job, block);

    for (int half = 0; half < halves; ++half) {
        pass->forward.tensor_s += half_forward_s(job, calls, time, half);
        pass->backward.tensor_s += half_backward_s(job, calls, time, half);
    }
    /* An early stop ends before the last product and its sum. */
    pass->recompute.tensor_s =
        pass->forward.tensor_s - (job->framework.early_stop && halves
                                      ? exposed_call_s(job, calls->sum_s, time->rows_s[halves - 1])
                                      : 0);
    pass->forward.context_s = keys_s;
    pass->backward.context_s = 2 * keys_s;
    pass->recompute.context_s = cs_passes_recomputed_share(job) * keys_s;
}

/* Gradients travel as their tokens did; their numbers are known. */
static void routed_pass(const struct cs_train_job *job, const struct cs_layer_calls *calls,
                        struct cs_pass *pass)
{
    double again = cs_passes_dispatched_again(job);

    pass->forward.expert_s = calls->routed_s + calls->counts_s;
    pass->backward.expert_s = calls->routed_s;
    pass->recompute.expert_s = again * pass->forward.expert_s;
}

static double blocking_share(const struct cs_train_job *job)
{
    const double *p = job->parameters ? job->parameters : cs_kernel_parameters;

    return p[CS_KERNEL_BLOCKING];
}

/* Some kernels of a pass are short and wait for the host, during others the host
 * runs ahead: a sum of cubes is close to the larger, and above where both are
 * equal (published steps of small models on A100).  Collectives count as device
 * time. */
static double device_or_host(const struct cs_train_job *job, double device_s, double host_s,
                             double calls_s)
{
    double all_s = device_s + calls_s;

    if (job->framework.device_graph)
        return device_s;
    if (job->framework.blocking_launch)
        return device_s + host_s * blocking_share(job);
    return cs_cube_root(all_s * all_s * all_s + host_s * host_s * host_s) - calls_s;
}

static double devices_in_turn(const struct cs_train_job *job)
{
    return job->framework.launch_turns ? job->framework.launch_turns : 1;
}

/* Where the host waits for the collective of each gradient, the last micro batch
 * takes its device and host time in turn. */
static double backward_pass_s(const struct cs_train_job *job, double device_s, double host_s,
                              double calls_s)
{
    double ahead_s = device_or_host(job, device_s, host_s, calls_s);
    double in_turn_s = device_s + devices_in_turn(job) * host_s;

    if (!job->framework.blocking_collectives || job->framework.device_graph ||
        cs_train_copies(job) < 2)
        return ahead_s;
    return ahead_s + fmax(0, in_turn_s - ahead_s) / job->degrees.accumulation;
}

/* Full recomputation repeats a transformer's layers, or all of a network of
 * images. */
static bool recomputes(const struct cs_train_job *job, const struct cs_train_block *block)
{
    return job->degrees.recompute == CS_RECOMPUTE_FULL &&
           (block->shards || !cs_train_model_has_layers(job->model));
}

/* Waits for the slowest host, and for keys beyond attention's time. */
struct pass_waits {
    double skew_s, keys_s;
};

/* The forward pass again, up to the input of the last product with an early
 * stop. */
static double again_s(const struct cs_passes *passes, const struct cs_train_block *block,
                      const struct cs_block_time *time, const struct cs_pass *pass,
                      struct pass_waits waits)
{
    const struct cs_train_job *job = passes->job;

    if (!job->framework.early_stop || !block->shards)
        return pass->forward.compute_s;
    return passes->scale *
           device_or_host(job, time->forward_s - time->last_s,
                          devices_in_turn(job) * time->forward_host_s + waits.skew_s,
                          pass->recompute.tensor_s + waits.keys_s);
}

/* Autocast and graphs of frameworks keep 32-bit variables on every rank.  Kernels by
 * hand and sharded optimizers keep 16-bit weights, and add gradients in the product. */
static bool keeps_variables(const struct cs_train_job *job)
{
    return job->framework.fusion != CS_FUSION_BY_HAND && job->degrees.data_kind == CS_DATA_DDP &&
           job->degrees.tensor * job->degrees.pipeline == 1;
}

enum {
    CAST_BYTES = 4 + 2, /* of a variable: read in 32 bits, written in 16 */
    SUM_BYTES = 3 * 4,  /* of a gradient: read, and its sum read and written */
};

/* A micro batch casts variables and gradients for matrix units, and all but one add
 * to the sum of gradients. */
static void add_variables(const struct cs_passes *passes, const struct cs_train_block *block,
                          struct cs_block_time *time)
{
    const struct cs_train_job *job = passes->job;
    double cast = passes->kernels.element_bytes < 4 ? CAST_BYTES : 0;
    double sum = SUM_BYTES * (1 - 1. / job->degrees.accumulation);
    double parameters = 0;

    if (!keeps_variables(job))
        return;
    for (uint32_t t = 0; t < block->tensor_count; ++t)
        parameters += (double)block->tensors[t];
    time->forward_s += cast * parameters / passes->kernels.memory_Bps;
    time->backward_s += (cast + sum) * parameters / passes->kernels.memory_Bps;
}

/* Parts of a layer that run again. */
static double parts_again_s(const struct cs_train_job *job, const struct cs_train_block *block,
                            const struct cs_block_time *time)
{
    const double products_s[CS_PARTS] = {[CS_PART_KEYS] = time->columns_s[0],
                                         [CS_PART_ATTENTION] = time->scores_s,
                                         [CS_PART_OUTPUT] = time->rows_s[0],
                                         [CS_PART_FFN] = time->columns_s[1],
                                         [CS_PART_EXPERTS] = time->columns_s[1] + time->rows_s[1] +
                                                             time->experts_s};
    double sum_s = 0;

    for (int p = 0; p < CS_PARTS; ++p)
        if (job->degrees.recompute_parts >> p & 1)
            sum_s += block->parts[p].again * products_s[p] +
                     time->other_s * block->parts[p].elementwise / block->elementwise;
    return sum_s;
}

/* Compute of a pass whose collectives are filled in. */
static void compute_pass(const struct cs_passes *passes, const struct cs_train_block *block,
                         const struct cs_block_time *time, struct pass_waits waits,
                         struct cs_pass *pass)
{
    const struct cs_train_job *job = passes->job;
    double scale = passes->scale, keys_s = waits.keys_s;

    pass->forward.compute_s =
        scale * device_or_host(job, time->forward_s,
                               devices_in_turn(job) * time->forward_host_s + waits.skew_s,
                               pass->forward.tensor_s + pass->forward.expert_s + keys_s);
    pass->backward.compute_s =
        scale * backward_pass_s(job, time->backward_s, time->backward_host_s + waits.skew_s,
                                pass->backward.tensor_s + pass->backward.expert_s + 2 * keys_s);
    pass->forward.device_s = scale * time->forward_s;
    pass->forward.host_s = scale * (devices_in_turn(job) * time->forward_host_s + waits.skew_s);
    pass->backward.device_s = scale * time->backward_s;
    pass->backward.host_s = scale * (time->backward_host_s + waits.skew_s);
    if (recomputes(job, block))
        pass->recompute.compute_s =
            cs_passes_recomputed_share(job) * again_s(passes, block, time, pass, waits);
    if (block->shards && job->degrees.recompute == CS_RECOMPUTE_SELECTIVE)
        pass->recompute.compute_s = scale * time->scores_s;
    if (block->shards && job->degrees.recompute_parts)
        pass->recompute.compute_s +=
            scale *
            device_or_host(job, parts_again_s(job, block, time),
                           block->routed > 0 && experts_again(job) ? time->experts_host_s : 0,
                           pass->recompute.expert_s);
    if (block->shards && job->degrees.recompute == CS_RECOMPUTE_OPS)
        pass->recompute.compute_s =
            scale * device_or_host(job,
                                   time->forward_s - time->scores_s -
                                       (1 - block->ops_again) * time->products_s,
                                   time->forward_host_s, pass->recompute.expert_s);
}

/* Exchanges of tokens beside a pass are those of another micro batch, which end with it or
 * later; the first or last of a step has its own.  None is device time of the pass, nor
 * beside a product that hides a tensor collective.  Returns seconds that are hidden. */
static double put_beside(const struct cs_train_job *job, const struct cs_pass_part *alone,
                         double others_s, double calls_s, struct cs_pass_part *part)
{
    double spare_s = fmax(0, alone->compute_s + alone->tensor_s - calls_s);
    double beside = 1 - 1. / job->degrees.accumulation;

    part->expert_s += beside * (fmax(0, others_s - spare_s) - part->expert_s);
    return beside * fmin(others_s, spare_s);
}

/* The forward pass of a micro batch runs beside the backward pass of the one before: each
 * hides the other's exchanges, which take multiprocessors from it. */
static void hide_exchanges(const struct cs_passes *passes, const struct cs_train_block *block,
                           const struct cs_block_time *time, const struct cs_layer_calls *calls,
                           struct pass_waits waits, struct cs_pass *pass)
{
    const struct cs_train_job *job = passes->job;
    double slower = passes->kernels.parameters[CS_KERNEL_INTERFERENCE] * calls->routed_taken /
                    job->gpu->multiprocessors;
    double halves = cs_train_block_sums(job, block);
    double dispatched_s = pass->forward.expert_s;
    struct cs_pass alone = *pass;
    double forward_s, backward_s;

    alone.forward.expert_s = alone.backward.expert_s = 0;
    compute_pass(passes, block, time, waits, &alone);
    forward_s = put_beside(job, &alone.forward, pass->backward.expert_s,
                           halves * (calls->gather_s + calls->sum_s), &pass->forward);
    backward_s = put_beside(job, &alone.backward, dispatched_s,
                            halves * (2 * calls->gather_s + calls->sum_s), &pass->backward);
    compute_pass(passes, block, time, waits, pass);
    pass->forward.compute_s += slower * forward_s;
    pass->forward.device_s += slower * forward_s;
    pass->backward.compute_s += slower * backward_s;
    pass->backward.device_s += slower * backward_s;
}

static void fill_pass(const struct cs_passes *passes, const struct cs_train_block *block,
                      const struct cs_block_time *time, const struct cs_layer_calls *calls,
                      struct cs_pass *pass)
{
    const struct cs_train_job *job = passes->job;
    double skew_s = block->shards ? cs_train_block_sums(job, block) * calls->skew_s : 0;
    struct cs_pass alone = {0};
    struct pass_waits waits;

    *pass = (struct cs_pass){0};
    if (block->routed > 0) {
        skew_s += calls->routed_host_s;
        routed_pass(job, calls, pass);
    }
    if (block->shards)
        layer_calls(job, block, calls, time, pass);
    else if (job->degrees.tensor > 1) {
        /* The embedding is summed forward, the head's input gradient
         * backward. */
        double pair_s = calls->gather_s + calls->sum_s;

        pass->forward.tensor_s = block->output > 0 ? pair_s : 0;
        pass->backward.tensor_s = block->output > 0 ? 0 : pair_s;
    }
    waits = (struct pass_waits){skew_s, keys_exposed_s(block, calls, time)};
    if (job->framework.overlap_experts && block->routed > 0)
        hide_exchanges(passes, block, time, calls, waits, pass);
    else
        compute_pass(passes, block, time, waits, pass);
    compute_pass(passes, block, time, (struct pass_waits){skew_s, 0}, &alone);
    pass->alone_s = alone.forward.compute_s + alone.backward.compute_s + alone.recompute.compute_s;
    pass->recompute.tensor_s *= cs_passes_recomputed_share(job);
}

/* A step of one device that computes all of the model, without
 * recomputation. */
static double one_device_s(const struct cs_passes *passes)
{
    const struct cs_train_job *job = passes->job;
    struct cs_kernel_split split = {.tensor = 1,
                                    .context = 1,
                                    .attention = job->model->transformer.attention,
                                    .samples = job->degrees.micro_batch,
                                    .padded = job->framework.fusion == CS_FUSION_COMPILED,
                                    .adapters = job->degrees.adapters};
    struct cs_pass layers = {0};
    double pass_s = 0;

    for (uint32_t b = 0; b < job->model->block_count; ++b) {
        const struct cs_train_block *block = &job->model->blocks[b];
        struct cs_block_time time = cs_kernel_block(&passes->kernels, block, &split);

        add_variables(passes, block, &time);
        if (block->shards) {
            layers.forward.device_s += block->repeat * time.forward_s;
            layers.forward.host_s += block->repeat * time.forward_host_s;
            layers.backward.device_s += block->repeat * time.backward_s;
            layers.backward.host_s += block->repeat * time.backward_host_s;
            continue;
        }
        pass_s += block->repeat * (device_or_host(job, time.forward_s, time.forward_host_s, 0) +
                                   device_or_host(job, time.backward_s, time.backward_host_s, 0));
    }
    pass_s += device_or_host(job, layers.forward.device_s, layers.forward.host_s, 0) +
              device_or_host(job, layers.backward.device_s, layers.backward.host_s, 0);
    return job->degrees.accumulation * pass_s +
           cs_passes_optimizer_s(passes, job->model->parameters) + cs_passes_host_s(passes);
}

static struct cs_pass_part *part_of(struct cs_passes *passes, uint32_t block, bool backward)
{
    struct cs_pass *pass = &passes->blocks[block];

    return backward ? &pass->backward : &pass->forward;
}

/* Launches wait in a queue: in layers whose kernels take longer the host gets ahead, and is
 * less behind in those of another kind between them, as of experts. */
static void run_ahead(struct cs_passes *passes, bool backward)
{
    const struct cs_train_job *job = passes->job;
    const struct cs_train_model *model = job->model;
    struct cs_pass_part all = {0};
    double calls_s = 0, waits_s, left;

    if (job->framework.blocking_collectives)
        return;
    for (uint32_t b = 0; b < model->block_count; ++b) {
        const struct cs_pass_part *part = part_of(passes, b, backward);
        double repeat = model->blocks[b].repeat;

        if (!model->blocks[b].shards)
            continue;
        all.compute_s += repeat * part->compute_s;
        all.device_s += repeat * part->device_s;
        all.host_s += repeat * part->host_s;
        calls_s += repeat * passes->scale * (part->tensor_s + part->expert_s + part->context_s);
    }
    waits_s = all.compute_s - all.device_s;
    if (!(waits_s > 0))
        return;
    left = (device_or_host(job, all.device_s, all.host_s, calls_s) - all.device_s) / waits_s;
    for (uint32_t b = 0; b < model->block_count; ++b) {
        struct cs_pass_part *part = part_of(passes, b, backward);

        if (model->blocks[b].shards)
            part->compute_s = part->device_s + left * (part->compute_s - part->device_s);
    }
}

/* Fills the pass of each block, and the share of all at the memory's rate. */
static void fill_passes(struct cs_passes *passes, const struct cs_kernel_split *split,
                        const struct cs_layer_calls *calls)
{
    const struct cs_train_model *model = passes->job->model;
    double all_s = 0, traffic_s = 0;

    for (uint32_t b = 0; b < model->block_count; ++b) {
        const struct cs_train_block *block = &model->blocks[b];
        struct cs_block_time time = cs_kernel_block(&passes->kernels, block, split);

        add_variables(passes, block, &time);
        fill_pass(passes, block, &time, calls, &passes->blocks[b]);
        traffic_s += block->repeat * passes->scale * time.traffic_s;
    }
    run_ahead(passes, false);
    run_ahead(passes, true);
    for (uint32_t b = 0; b < model->block_count; ++b)
        all_s += model->blocks[b].repeat *
                 (passes->blocks[b].forward.compute_s + passes->blocks[b].backward.compute_s);
    passes->memory_share = all_s > 0 ? traffic_s / all_s : 0;
}

/* Autocast to fp16 keeps norms, softmax and sums in 32 bits, compiled or not: twice
 * the bytes.  Kernels by hand take 16 bits, and bf16 holds all of them. */
static double unfused_traffic(const struct cs_passes *passes)
{
    const struct cs_train_job *job = passes->job;

    double width =
        job->framework.fusion != CS_FUSION_BY_HAND && job->precision == CS_PRECISION_FP16 ? 2 : 1;

    return width * (job->framework.fusion == CS_FUSION_NONE
                        ? passes->kernels.parameters[CS_KERNEL_UNFUSED]
                        : 1);
}

/* Kernels of a router and of what precedes an exchange.  Of DeepSeek V3 with Megatron-Core
 * 72, fused 31, with those of DeepEP 17 (NVIDIA/Megatron-LM@1d9edcf8, docs/discussions,
 * DeepSeek V3 on GB200, 2.1.4 and 2.2.1); groups of experts and their biases take 10
 * (megatron/core/transformer/moe/moe_utils.py, group_limited_topk).  Plain: a product, a
 * softmax, the best, their weights, and two counts. */
static double router_kernels(const struct cs_train_job *job)
{
    static const double kernels[CS_ROUTERS] = {
        [CS_ROUTER_PLAIN] = 5 + 2, [CS_ROUTER_MAPS] = 72 - 10, [CS_ROUTER_FUSED] = 31};
    enum cs_router router = job->framework.router;
    double groups = router == CS_ROUTER_MAPS && job->model->transformer.expert_groups ? 10 : 0;
    double ahead = router != CS_ROUTER_PLAIN && job->framework.dispatch_once ? 31 - 17 : 0;

    return kernels[router] + groups - ahead;
}

/* Kernels for MXFP8 on the matrix units of Blackwell (cuDNN frontend, Grouped GEMM + GLU). */
static bool fuses_experts(const struct cs_train_job *job)
{
    return job->framework.fused_experts && job->precision == CS_PRECISION_FP8 &&
           job->gpu->generation >= 100 && job->gpu->generation < 120;
}

int cs_passes_open(const struct cs_train_job *job, struct cs_arena *arena, struct cs_passes *passes,
                   struct cs_err *err)
{
    struct cs_kernel_split split = {job->degrees.tensor,
                                    job->degrees.context,
                                    job->degrees.sequence_parallel,
                                    job->model->transformer.attention,
                                    job->degrees.micro_batch,
                                    cs_train_expert(job),
                                    cs_train_expert_tensor(job),
                                    cs_train_imbalance(job),
                                    job->framework.fusion == CS_FUSION_COMPILED,
                                    job->framework.layer_graphs,
                                    job->framework.dispatch_once && cs_train_expert(job) > 1,
                                    router_kernels(job),
                                    fuses_experts(job),
                                    job->degrees.adapters};
    struct cs_layer_calls calls = {0};
    int code = cs_kernels_open(job->gpu, job->precision, job->parameters, &passes->kernels, err);

    passes->job = job;
    if (code)
        return code;
    if (job->framework.row_scales && job->precision >= CS_PRECISION_FP8)
        passes->kernels.flops_per_s *= passes->kernels.parameters[CS_KERNEL_ROW_SCALES];
    passes->kernels.unfused = unfused_traffic(passes);
    passes->kernels.converts = job->framework.channels_first && job->precision != CS_PRECISION_FP32;
    passes->scale = 1;
    code = cs_layer_calls_open(job, passes->kernels.memory_Bps, &calls, err);
    if (code)
        return code;
    if (job->sample_s > 0)
        passes->scale = job->sample_s * job->degrees.micro_batch * job->degrees.accumulation /
                        one_device_s(passes);
    if (job->compute_scale > 0)
        passes->scale *= job->compute_scale;
    passes->blocks = cs_arena_alloc(arena, job->model->block_count, sizeof(*passes->blocks));
    fill_passes(passes, &split, &calls);
    return 0;
}

double cs_pass_forward_s(const struct cs_pass *pass)
{
    const struct cs_pass_part *part = &pass->forward;

    return part->compute_s + part->tensor_s + part->expert_s + part->context_s;
}

double cs_pass_backward_s(const struct cs_pass *pass)
{
    const struct cs_pass_part *part = &pass->backward, *again = &pass->recompute;

    return part->compute_s + part->tensor_s + again->compute_s + again->tensor_s + part->expert_s +
           again->expert_s + part->context_s + again->context_s;
}

double cs_passes_optimizer_s(const struct cs_passes *passes, double parameters)
{
    if (passes->job->degrees.adapters)
        return 0;
    return passes->scale * cs_kernel_optimizer_s(&passes->kernels, parameters,
                                                 cs_train_optimizer_words(passes->job),
                                                 passes->job->framework.fusion != CS_FUSION_NONE);
}

double cs_passes_call_host_s(const struct cs_passes *passes, enum cs_kernel_parameter parameter)
{
    return passes->job->framework.device_graph ? 0 : passes->kernels.parameters[parameter] * 1e-6;
}

/* A wait for each gradient of a stage. */
static double overflow_check_s(const struct cs_passes *passes)
{
    const struct cs_train_job *job = passes->job;
    double tensors = 0;

    if (!job->framework.by_tensor || job->precision != CS_PRECISION_FP16)
        return 0;
    for (uint32_t b = 0; b < job->model->block_count; ++b)
        tensors += (double)job->model->blocks[b].repeat * job->model->blocks[b].tensor_count;
    return tensors / job->degrees.pipeline * passes->kernels.parameters[CS_KERNEL_BLOCKING] *
           cs_passes_call_host_s(passes, CS_KERNEL_LAUNCH_FORWARD);
}

double cs_passes_host_s(const struct cs_passes *passes)
{
    return passes->scale *
           (cs_passes_call_host_s(passes, CS_KERNEL_STEP_HOST) + overflow_check_s(passes));
}
