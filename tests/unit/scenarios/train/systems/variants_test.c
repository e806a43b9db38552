/* Variants: what a name says, done by hand to the job or its machine. */
#include "scenarios/train/systems/variants.h"

#include "tests/train_job.h"

/* A job with a machine and a GPU of its own. */
struct own {
    struct train_job trial;
    struct cs_gpu_peak gpu;
};

/* Adapters between nodes, links inside, and a microsecond for each. */
static int own_time(const struct cs_library_request *request, struct cs_library_time *time,
                    struct cs_err *err)
{
    const struct cs_site *site = request->site;
    double bytes = (double)request->bytes *
                   cs_collective_bus_factor(request->collective, request->site->ranks);

    (void)err;
    *time = (struct cs_library_time){.engine = "ring", .protocol = "", .channels = 1};
    if (site->nodes > 1)
        time->total_s += 1e-6 / site->adapters + bytes / site->node_Bps;
    if (site->node_ranks > 1)
        time->total_s += bytes / site->link_Bps + bytes / site->ring_Bps;
    return 0;
}

static const struct cs_library own_library = {
    .name = "own", .launches_kernels = true, .time = own_time};

static void own_open(struct own *own)
{
    train_job_open(&own->trial, "llama2-7b", 64);
    if (own->trial.job.gpu)
        own->gpu = *own->trial.job.gpu;
    own->trial.job.gpu = &own->gpu;
    own->trial.job.library = &own_library;
    own->trial.job.degrees.tensor = own->trial.job.degrees.pipeline = 4;
    own->trial.job.degrees.data = 4;
    own->trial.job.degrees.chunks = 2;
    own->trial.job.degrees.accumulation = 16;
    own->trial.job.degrees.micro_batch = 4;
    own->trial.job.loader_samples_per_s = 1e5;
    own->trial.job.framework.overlap = true;
    own->trial.job.framework.bucket_bytes = 50 << 20;
}

static void twice_adapters(struct own *own, double times)
{
    own->trial.site.adapters = (uint32_t)(own->trial.site.adapters * times);
    own->trial.site.node_Bps *= times;
}

static void twice_links(struct own *own, double times)
{
    own->trial.site.link_Bps *= times;
    own->trial.site.ring_Bps *= times;
}

static void twice_units(struct own *own, double times)
{
    for (int p = 0; p < CS_PRECISIONS; ++p)
        own->gpu.flops_per_s[p] *= times;
}

static void twice_memory(struct own *own, double times)
{
    own->gpu.memory_Bps *= times;
}

static void twice_bucket(struct own *own, double times)
{
    own->trial.job.framework.bucket_bytes =
        (uint64_t)((double)own->trial.job.framework.bucket_bytes * times);
}

static void twice_loader(struct own *own, double times)
{
    own->trial.job.loader_samples_per_s = times < 1 ? 1 : 2; /* steps wait for it */
}

static uint32_t times_of(uint32_t number, double times)
{
    return (uint32_t)(number * times);
}

static void twice_micro_batch(struct own *own, double times)
{
    struct cs_train_degrees *degrees = &own->trial.job.degrees;

    degrees->micro_batch *= times;
    degrees->accumulation = times_of(degrees->accumulation, 1 / times);
}

static void twice_chunks(struct own *own, double times)
{
    own->trial.job.degrees.chunks = times_of(own->trial.job.degrees.chunks, times);
}

/* Ranks that data parallelism gives, and as many samples in all. */
static void take_from_data(struct own *own, double times)
{
    struct cs_train_degrees *degrees = &own->trial.job.degrees;

    degrees->data = times_of(degrees->data, 1 / times);
    degrees->accumulation = times_of(degrees->accumulation, times);
}

static void twice_tensor(struct own *own, double times)
{
    own->trial.job.degrees.tensor = times_of(own->trial.job.degrees.tensor, times);
    take_from_data(own, times);
}

static void twice_stages(struct own *own, double times)
{
    own->trial.job.degrees.pipeline = times_of(own->trial.job.degrees.pipeline, times);
    take_from_data(own, times);
}

static void recompute(struct own *own, double times)
{
    own->trial.job.degrees.recompute = times > 1 ? CS_RECOMPUTE_FULL : CS_RECOMPUTE_NONE;
}

static void graph(struct own *own, double times)
{
    own->trial.job.framework.device_graph = times > 1;
}

static void overlap(struct own *own, double times)
{
    own->trial.job.framework.overlap = times > 1;
    own->trial.job.framework.bucket_bytes = 100 << 20;
}

static void overlap_tensor(struct own *own, double times)
{
    own->trial.job.framework.overlap_tensor = times > 1;
}

static void precision(struct own *own, double times)
{
    own->trial.job.precision = times > 1 ? CS_PRECISION_BF16 : CS_PRECISION_TF32;
    own->trial.job.framework.gradient_width = 0; /* that of the precision */
}

static void gradients(struct own *own, double times)
{
    own->trial.job.framework.gradient_width = times > 1 ? 2 : 4;
}

/* A variant, and the change of which it is `times` times.  A setting that is on is no
 * variant. */
static const struct {
    const char *name;
    void (*change)(struct own *own, double times);
    double times;
    bool is_setting;
} named[] = {
    {"twice the network adapters", twice_adapters, 2, false},
    {"twice the rate of GPU links", twice_links, 2, false},
    {"twice the matrix units", twice_units, 2, false},
    {"twice the memory rate", twice_memory, 2, false},
    {"twice the bucket", twice_bucket, 2, false},
    {"half the bucket", twice_bucket, .5, false},
    {"twice the loader's threads", twice_loader, 2, false},
    {"twice the micro batch", twice_micro_batch, 2, false},
    {"half the micro batch", twice_micro_batch, .5, false},
    {"twice the chunks of a stage", twice_chunks, 2, false},
    {"half the tensor parallel ranks", twice_tensor, .5, false},
    {"twice the tensor parallel ranks", twice_tensor, 2, false},
    {"half the stages", twice_stages, .5, false},
    {"twice the stages", twice_stages, 2, false},
    {"full recomputation", recompute, 2, true},
    {"no recomputation", recompute, .5, true},
    {"one graph on the device", graph, 2, true},
    {"gradients beside the backward pass", overlap, 2, true},
    {"products beside tensor collectives", overlap_tensor, 2, true},
    {"16-bit mixed precision", precision, 2, true},
    {"16-bit gradients", gradients, 2, true},
};

static bool find_variant(struct own *own, const struct cs_train_system *system, const char *name,
                         struct cs_train_variant *variant)
{
    struct cs_train_variant variants[CS_TRAIN_VARIANTS_MAX];
    uint32_t count = cs_train_variants(system, &own->trial.job, variants);

    for (uint32_t v = 0; v < count; ++v) {
        assert_true(v == 0 || variants[v].speedup <= variants[v - 1].speedup);
        *variant = variants[v];
        if (!strcmp(variants[v].name, name))
            return true;
    }
    return false;
}

/* From half of it, twice is the job itself. */
TEST(a_variant_is_what_its_name_says)
{
    const struct cs_train_system *system;

    assert_int_equal(cs_train_system_find("hybrid", &system, NULL), 0);
    for (size_t i = 0; i < sizeof(named) / sizeof(*named); ++i) {
        struct own own;
        struct cs_train_variant variant = {0};
        struct cs_train_step before = {0}, after = {0};

        own_open(&own);
        named[i].change(&own, 1 / named[i].times);
        cs_train_system_prepare(system, &own.trial.job);
        assert_done_of(named[i].name, system->check(&own.trial.job, &err) ||
                                          system->time(&own.trial.job, &before, &err));

        if (!find_variant(&own, system, named[i].name, &variant))
            fail_msg("no variant '%s'", named[i].name);
        named[i].change(&own, named[i].times);
        assert_int_equal(system->time(&own.trial.job, &after, NULL), 0);
        if (!(fabs(variant.step_s / after.step_s - 1) <= 1e-12) ||
            !(fabs(variant.speedup * before.samples_per_s / after.samples_per_s - 1) <= 1e-12) ||
            !(fabs(variant.memory_bytes / after.memory_bytes - 1) <= 1e-12))
            fail_msg("%s: %.9g s, by hand %.9g s", named[i].name, variant.step_s, after.step_s);
        if (named[i].is_setting && find_variant(&own, system, named[i].name, &variant))
            fail_msg("'%s' of a job that has it", named[i].name);
        train_job_close(&own.trial);
    }
}
