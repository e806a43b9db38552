#include "scenarios/train/systems/variants.h"

#include "algorithms/libraries/site/site.h"
#include "scenarios/train/stages/group.h"

#include <stddef.h>

/* A copy of the job that a change may write to. */
struct variant_copy {
    struct cs_train_job job;
    struct cs_site site;
    struct cs_gpu_peak gpu;
    size_t place; /* in the job, of the flag or degree that changes */
};

/* False where the change has no meaning for the job. */
typedef bool variant_fn(struct variant_copy *copy);

static bool double_adapters(struct variant_copy *copy)
{
    copy->site.adapters *= 2;
    copy->site.node_Bps *= 2;
    return copy->site.nodes > 1;
}

static bool double_links(struct variant_copy *copy)
{
    cs_site_scale_links(&copy->site, 2);
    return copy->site.link_Bps > 0 && copy->site.node_ranks > 1;
}

/* The same wires and adapters by RDMA: what kernel TCP costs. */
static bool use_rdma(struct variant_copy *copy)
{
    bool is_tcp = cs_network_is_tcp(copy->site.net) && copy->site.nodes > 1;

    cs_site_use_rdma(&copy->site);
    return is_tcp;
}

static bool double_compute(struct variant_copy *copy)
{
    for (int p = 0; p < CS_PRECISIONS; ++p)
        copy->gpu.flops_per_s[p] *= 2;
    return true;
}

static bool double_memory_rate(struct variant_copy *copy)
{
    copy->gpu.memory_Bps *= 2;
    return true;
}

/* A limit that is not the default is that of the first bucket, too. */
static bool set_bucket(struct variant_copy *copy, uint64_t bytes)
{
    copy->job.framework.bucket_bytes = bytes;
    copy->job.framework.first_bucket_bytes = 0;
    return bytes > 0 && copy->job.degrees.data > 1;
}

static bool double_bucket(struct variant_copy *copy)
{
    return set_bucket(copy, 2 * copy->job.framework.bucket_bytes);
}

static bool halve_bucket(struct variant_copy *copy)
{
    return set_bucket(copy, copy->job.framework.bucket_bytes / 2);
}

static bool double_loader(struct variant_copy *copy)
{
    copy->job.loader_samples_per_s *= 2;
    return copy->job.loader_samples_per_s > 0;
}

/* Of a job that lacks it. */
static bool turn_on(struct variant_copy *copy)
{
    bool *flag = (bool *)((char *)&copy->job + copy->place), lacked = !*flag;

    *flag = true;
    return lacked;
}

static bool overlap_gradients(struct variant_copy *copy)
{
    copy->job.framework.bucket_bytes = (uint64_t)100 << 20;
    return copy->job.degrees.data > 1 && turn_on(copy);
}

static bool overlap_tensor(struct variant_copy *copy)
{
    return copy->job.degrees.tensor > 1 && turn_on(copy);
}

static bool overlap_gather(struct variant_copy *copy)
{
    enum cs_data_kind kind = copy->job.degrees.data_kind;

    return (kind == CS_DATA_ZERO1 || kind == CS_DATA_ZERO2) && copy->job.degrees.data > 1 &&
           turn_on(copy);
}

static bool lower_precision(struct variant_copy *copy)
{
    enum cs_precision to =
        copy->gpu.flops_per_s[CS_PRECISION_BF16] > 0 ? CS_PRECISION_BF16 : CS_PRECISION_FP16;

    if (copy->job.precision > CS_PRECISION_TF32 || !(copy->gpu.flops_per_s[to] > 0))
        return false;
    copy->job.precision = to;
    copy->job.framework.gradient_width = 0;
    return true;
}

static bool use_fp8(struct variant_copy *copy)
{
    if (copy->job.precision < CS_PRECISION_FP16 || copy->job.precision > CS_PRECISION_BF16)
        return false;
    copy->job.precision = CS_PRECISION_FP8;
    return copy->gpu.flops_per_s[CS_PRECISION_FP8] > 0;
}

static bool halve_gradients(struct variant_copy *copy)
{
    if (cs_train_gradient_width(&copy->job) != 4 || copy->job.precision <= CS_PRECISION_TF32 ||
        copy->job.degrees.data < 2)
        return false;
    copy->job.framework.gradient_width = 2;
    return true;
}

static bool double_micro_batch(struct variant_copy *copy)
{
    if (copy->job.degrees.accumulation % 2)
        return false;
    copy->job.degrees.accumulation /= 2;
    copy->job.degrees.micro_batch *= 2;
    return true;
}

static bool halve_micro_batch(struct variant_copy *copy)
{
    if (copy->job.degrees.micro_batch < 2 || (uint64_t)copy->job.degrees.micro_batch % 2)
        return false;
    copy->job.degrees.accumulation *= 2;
    copy->job.degrees.micro_batch /= 2;
    return true;
}

static bool recompute_less(struct variant_copy *copy)
{
    if (copy->job.degrees.recompute == CS_RECOMPUTE_NONE && !copy->job.degrees.recompute_parts)
        return false;
    copy->job.degrees.recompute = CS_RECOMPUTE_NONE;
    copy->job.degrees.recompute_parts = 0;
    return true;
}

static bool recompute_all(struct variant_copy *copy)
{
    if ((copy->job.degrees.recompute == CS_RECOMPUTE_FULL && !copy->job.degrees.recompute_layers) ||
        !copy->job.model->transformer.layers)
        return false;
    copy->job.degrees.recompute = CS_RECOMPUTE_FULL;
    copy->job.degrees.recompute_layers = copy->job.degrees.recompute_parts = 0;
    return true;
}

static bool interleave(struct variant_copy *copy)
{
    if (copy->job.degrees.pipeline < 2)
        return false;
    copy->job.degrees.chunks *= 2;
    return true;
}

/* Degrees change with the global batch unchanged. */
static bool less_ranks(struct variant_copy *copy)
{
    struct cs_train_degrees *degrees = &copy->job.degrees;
    uint32_t *from = (uint32_t *)((char *)&copy->job + copy->place);

    if (*from % 2 || degrees->accumulation % 2)
        return false;
    if (from == &degrees->pipeline && *from == 2)
        degrees->chunks = 1;
    *from /= 2;
    degrees->data *= 2;
    degrees->accumulation /= 2;
    return true;
}

static bool more_ranks(struct variant_copy *copy)
{
    struct cs_train_degrees *degrees = &copy->job.degrees;

    if (degrees->data % 2 || !copy->job.model->transformer.layers)
        return false;
    degrees->data /= 2;
    degrees->accumulation *= 2;
    *(uint32_t *)((char *)&copy->job + copy->place) *= 2;
    return true;
}

static bool more_experts(struct variant_copy *copy)
{
    copy->job.degrees.expert = 2 * cs_train_expert(&copy->job);
    return copy->job.model->transformer.experts > 0;
}

static bool less_experts(struct variant_copy *copy)
{
    copy->job.degrees.expert = cs_train_expert(&copy->job) / 2;
    return copy->job.degrees.expert > 0;
}

static bool shard_optimizer(struct variant_copy *copy)
{
    if (copy->job.degrees.data_kind != CS_DATA_DDP || copy->job.degrees.data < 2)
        return false;
    copy->job.degrees.data_kind = CS_DATA_ZERO1;
    return true;
}

static bool shard_all(struct variant_copy *copy)
{
    if (copy->job.degrees.data_kind >= CS_DATA_ZERO3 || copy->job.degrees.data < 2)
        return false;
    copy->job.degrees.data_kind = CS_DATA_ZERO3;
    copy->job.framework.early_stop = true; /* as in system zero3 */
    return true;
}

const char cs_train_rdma[] = "RDMA in place of kernel TCP";
const char cs_train_one_graph[] = "one graph on the device";

#define AT(member) offsetof(struct cs_train_job, member)
static const struct {
    const char *name;
    variant_fn *change;
    size_t place;
    bool on_machine;
} variant_table[] = {
    {"twice the network adapters", double_adapters, 0, true},
    {cs_train_rdma, use_rdma, 0, true},
    {"twice the rate of GPU links", double_links, 0, true},
    {"twice the matrix units", double_compute, 0, true},
    {"twice the memory rate", double_memory_rate, 0, true},
    {"twice the bucket", double_bucket, 0, false},
    {"half the bucket", halve_bucket, 0, false},
    {cs_train_one_graph, turn_on, AT(framework.device_graph), false},
    {"twice the loader's threads", double_loader, 0, false},
    {"gradients beside the backward pass", overlap_gradients, AT(framework.overlap), false},
    {"products beside tensor collectives", overlap_tensor, AT(framework.overlap_tensor), false},
    {"parameters beside the forward pass", overlap_gather, AT(framework.overlap_gather), false},
    {"16-bit mixed precision", lower_precision, 0, false},
    {"fp8 products", use_fp8, 0, false},
    {"16-bit gradients", halve_gradients, 0, false},
    {"twice the micro batch", double_micro_batch, 0, false},
    {"half the micro batch", halve_micro_batch, 0, false},
    {"no recomputation", recompute_less, 0, false},
    {"full recomputation", recompute_all, 0, false},
    {"twice the chunks of a stage", interleave, 0, false},
    {"half the tensor parallel ranks", less_ranks, AT(degrees.tensor), false},
    {"half the stages", less_ranks, AT(degrees.pipeline), false},
    {"experts on half the ranks", less_experts, 0, false},
    {"experts on twice the ranks", more_experts, 0, false},
    {"twice the tensor parallel ranks", more_ranks, AT(degrees.tensor), false},
    {"twice the stages", more_ranks, AT(degrees.pipeline), false},
    {"sharded optimizer (zero1)", shard_optimizer, 0, false},
    {"sharded parameters (zero3)", shard_all, 0, false},
};

_Static_assert(sizeof(variant_table) / sizeof(*variant_table) == CS_TRAIN_VARIANTS_MAX,
               "CS_TRAIN_VARIANTS_MAX");

/* Keeps the list in order of speed. */
static void insert_variant(struct cs_train_variant *variants, uint32_t count,
                           struct cs_train_variant variant)
{
    uint32_t at = count;

    for (; at > 0 && variants[at - 1].speedup < variant.speedup; --at)
        variants[at] = variants[at - 1];
    variants[at] = variant;
}

/* Times a slower step on a faster machine by the library's decisions for `calls`. */
static void explain_variant(const struct cs_train_system *system, const struct cs_train_job *job,
                            const struct cs_train_calls *calls, const struct cs_train_step *now,
                            struct cs_train_variant *variant)
{
    struct cs_train_job kept = *job;
    struct cs_train_step step;

    kept.decided = calls;
    if (!variant->on_machine || variant->step_s <= now->step_s || system->time(&kept, &step, NULL))
        return;
    variant->kept_s = step.step_s;
    variant->by_decision = step.step_s < variant->step_s;
}

bool cs_train_is_slower_by_decision(const struct cs_train_system *system,
                                    const struct cs_train_job *before,
                                    const struct cs_train_job *after, double *kept_s)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_calls calls = {.arena = &arena};
    struct cs_train_job recorded = *before, changed = *after;
    struct cs_train_variant variant = {.on_machine = true};
    struct cs_train_step now, then;

    recorded.calls = &calls;
    changed.calls = NULL;
    if (!system->time(&recorded, &now, NULL) && !system->time(&changed, &then, NULL)) {
        variant.step_s = then.step_s;
        explain_variant(system, &changed, &calls, &now, &variant);
        *kept_s = variant.kept_s;
    }
    return variant.by_decision && variant.kept_s <= now.step_s;
}

uint32_t cs_train_variants(const struct cs_train_system *system, const struct cs_train_job *job,
                           struct cs_train_variant *variants)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_train_calls calls = {.arena = &arena};
    struct cs_train_job recorded = *job;
    struct cs_train_step now, then;
    bool is_timed;
    uint32_t count = 0;

    recorded.calls = &calls;
    is_timed = !system->time(&recorded, &now, NULL);
    for (size_t v = 0; is_timed && v < sizeof(variant_table) / sizeof(*variant_table); ++v) {
        struct variant_copy copy = {*job, *job->site, *job->gpu, variant_table[v].place};
        struct cs_train_variant variant;

        copy.job.site = &copy.site;
        copy.job.gpu = &copy.gpu;
        copy.job.calls = NULL;
        if (!variant_table[v].change(&copy) || system->check(&copy.job, NULL) ||
            system->time(&copy.job, &then, NULL))
            continue;
        variant = (struct cs_train_variant){
            .name = variant_table[v].name,
            .step_s = then.step_s,
            .speedup = then.samples_per_s / now.samples_per_s,
            .memory_bytes = then.memory_bytes,
            .on_machine = variant_table[v].on_machine,
        };
        /* Another network is advice where it helps, no faster machine. */
        if (variant.name == cs_train_rdma && variant.speedup <= 1)
            continue;
        explain_variant(system, &copy.job, &calls, &now, &variant);
        insert_variant(variants, count++, variant);
    }
    return count;
}
