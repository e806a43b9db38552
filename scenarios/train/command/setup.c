#include "scenarios/train/command/setup.h"

#include "scenarios/train/model/transformer.h"
#include "scenarios/train/stages/bucket.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

static uint32_t or_one(uint32_t number)
{
    return number ? number : 1;
}

/* ---- batch ---- */

/* Samples of a step for each data parallel rank; 0: not given. */
static int rank_batch(const struct cs_train_options *given, uint32_t data, uint32_t *batch,
                      struct cs_err *err)
{
    *batch = given->batch;
    if (!given->global_batch)
        return 0;
    if (given->global_batch < data)
        return cs_err_set(
            err, CS_EINPUT, "a global batch of %u is smaller than %u data parallel ranks%s",
            given->global_batch, data, cs_hint_multiples(data, given->global_batch).text);
    if (given->global_batch % data)
        return cs_err_set(
            err, CS_EINPUT, "a global batch of %u does not divide over %u data parallel ranks%s",
            given->global_batch, data, cs_hint_multiples(data, given->global_batch).text);
    *batch = given->global_batch / data;
    if (given->batch && given->batch != *batch)
        return cs_err_set(
            err, CS_EINPUT,
            "--global-batch %u is %u for each of %u data parallel ranks, not --batch %u",
            given->global_batch, *batch, data, given->batch);
    return 0;
}

/* Systems with a split of their own take a global batch that does not divide. */
static int whole_batch(const struct cs_train_options *given, bool searches,
                       struct cs_train_job *job, struct cs_err *err)
{
    uint64_t times = or_one(given->job.kept.accumulation);
    uint64_t all = given->global_batch, micro;

    if (given->batch)
        all = (uint64_t)given->batch * job->degrees.data;
    if (given->job.kept.micro_batch && !(searches && all))
        all = given->job.kept.micro_batch * times * job->degrees.data;
    if (!all)
        all = times * job->degrees.data;
    if ((given->batch || given->job.kept.micro_batch) && given->global_batch &&
        all != given->global_batch)
        return cs_err_set(err, CS_EINPUT,
                          "--global-batch %u is not that of the other options, %llu",
                          given->global_batch, (unsigned long long)all);
    if (searches)
        times = 1;
    if (all % times)
        return cs_err_set(err, CS_EINPUT,
                          "a global batch of %llu does not divide into %llu micro batches",
                          (unsigned long long)all, (unsigned long long)times);
    micro = all / times;
    if (micro < job->degrees.data && !searches)
        return cs_err_set(err, CS_EINPUT, "a batch of %llu is smaller than %u devices",
                          (unsigned long long)micro, job->degrees.data);
    job->degrees.accumulation = (uint32_t)times;
    job->degrees.micro_batch = (double)micro / job->degrees.data;
    return 0;
}

static int divided_batch(const struct cs_train_options *given, struct cs_train_job *job,
                         struct cs_err *err)
{
    uint32_t batch, micro = given->job.kept.micro_batch, times = given->job.kept.accumulation;
    int code = rank_batch(given, job->degrees.data, &batch, err);

    if (code)
        return code;
    if (!batch)
        batch = or_one(micro) * or_one(times);
    if (!micro && !times)
        micro =
            job->degrees.pipeline > 1 && job->degrees.schedule != CS_SCHEDULE_SERIAL ? 1 : batch;
    if (!micro && batch % times && job->degrees.schedule == CS_SCHEDULE_GPIPE) {
        job->degrees.micro_batch = (double)batch / times; /* torchgpipe: chunks in any number */
        job->degrees.accumulation = times;
        return 0;
    }
    if (!micro && batch % times)
        return cs_err_set(err, CS_EINPUT,
                          "a batch of %u for each data parallel rank does not divide into %u micro "
                          "batches (--accumulation)%s",
                          batch, times, cs_hint_divisors(batch, times).text);
    if (!micro)
        micro = batch / times;
    if (!times)
        times = batch / or_one(micro);
    if (micro && batch % micro && !given->job.kept.accumulation)
        return cs_err_set(
            err, CS_EINPUT,
            "a batch of %u for each data parallel rank does not divide into micro batches of %u%s",
            batch, micro, cs_hint_divisors(batch, micro).text);
    if ((uint64_t)micro * times != batch)
        return cs_err_set(
            err, CS_EINPUT,
            "a batch of %u for each data parallel rank is not micro batch %u x accumulation %u",
            batch, micro, times);
    job->degrees.micro_batch = micro;
    job->degrees.accumulation = times;
    job->kept.micro_batch = job->kept.accumulation = 0;
    return 0;
}

/* Fills micro batch and accumulation from the options and the job's degrees;
 * CS_EINPUT for sizes that do not divide or that contradict each other. */
static int set_batch(const struct cs_train_options *given, const struct cs_train_system *system,
                     struct cs_train_job *job, struct cs_err *err)
{
    return system->splits_batch ? whole_batch(given, system->searches, job, err)
                                : divided_batch(given, job, err);
}

/* ---- the model ---- */

/* What the model's file says, without what other options replace. */
static void setup_file(const struct cs_model_division *division,
                       const struct cs_train_options *given, struct cs_train_options *file)
{
    uint32_t width = division->job.framework.gradient_width;

    cs_train_options_init(file, given->scenario.arena);
    file->system = division->system;
    file->job = division->job;
    file->global_batch = division->global_batch;
    file->no_overlap = division->no_overlap;
    file->gradients = width == 4 ? CS_GRADIENTS_FP32 : width ? CS_GRADIENTS_BF16 : 0;
    if (given->batch || given->job.kept.micro_batch || given->global_batch ||
        given->job.kept.accumulation)
        file->job.kept.micro_batch = file->global_batch = 0;
    if (given->job.degrees.recompute != CS_RECOMPUTES)
        file->job.degrees.recompute_layers = 0;
    if (given->job.degrees.recompute_parts || given->job.degrees.recompute != CS_RECOMPUTES)
        file->job.degrees.recompute_parts = 0;
    /* Another system has its own gradients. */
    if (given->system) {
        file->gradients = CS_GRADIENTS_BY_PRECISION;
        file->no_overlap = file->job.framework.overlap_gather = false;
    }
}

/* Degrees, batch and settings of the model's file, where the options have none. */
static void setup_division(const struct cs_model_division *division, struct cs_train_options *given)
{
    struct cs_train_options none, file;
    const struct cs_train_options *base = given->implied ? given->implied : &none;

    cs_train_options_init(&none, given->scenario.arena);
    setup_file(division, given, &file);
    for (const struct cs_option *option = cs_train_option_table; !cs_option_is_end(option);
         ++option)
        if (option->name && option->type != CS_OPTION_SPECIAL &&
            option->place >= offsetof(struct cs_train_options, job) &&
            cs_option_equal(option, given, base) && !cs_option_equal(option, &file, &none))
            cs_option_copy(option, &file, given);
    given->job.degrees.recompute_parts |= file.job.degrees.recompute_parts;
}

/* Options of models that predict the next token. */
static int setup_next_token(const struct cs_train_options *given, const char *name,
                            const struct cs_transformer *dims, struct cs_err *err)
{
    bool predicts = dims->layers && !dims->encoder && !dims->patch;
    bool skips =
        cs_attention_skips(given->attention == CS_ATTENTIONS ? dims->attention : given->attention);

    if (given->mtp && !predicts)
        return cs_err_set(err, CS_EINPUT, "--mtp: %s predicts no next token", name);
    if (given->document && (!predicts || !skips))
        return cs_err_set(
            err, CS_EINPUT,
            "--document: expected a model of the next token, and --attention flash-2");
    return 0;
}

static int setup_model(const struct cs_train_options *given, struct cs_train_setup *setup,
                       struct cs_err *err)
{
    struct cs_arena *arena = given->scenario.arena;
    struct cs_train_model *model = &setup->model;
    struct cs_transformer dims;
    int code;

    if (!given->model)
        return cs_err_set(
            err, CS_EINPUT,
            "no model; add --model NAME: resnet50, gpt2-xl, llama2-7b (train --help lists all)");
    code = cs_model_load(given->model, arena, model, &setup->division, err);
    if (code ||
        (!given->sequence && !given->mtp && !given->document && given->attention == CS_ATTENTIONS))
        return code;
    dims = model->transformer;
    code = setup_next_token(given, model->name, &dims, err);
    if (code)
        return code;
    /* A framework's kernels of attention say nothing of other models. */
    if (!dims.layers && !given->sequence && given->implied &&
        given->attention == given->implied->attention)
        return 0;
    if (!dims.layers || (model->photos && given->sequence))
        return given->sequence
                   ? cs_err_set(err, CS_EINPUT, "--sequence: inputs of %s have a fixed size",
                                model->name)
                   : cs_err_set(err, CS_EINPUT, "--attention: %s has kernels of its own",
                                model->name);
    /* Rows of learned positions stay. */
    if (given->sequence && dims.positions < dims.sequence)
        dims.positions = dims.sequence;
    if (given->sequence)
        dims.sequence = given->sequence;
    if (given->attention != CS_ATTENTIONS)
        dims.attention = given->attention;
    if (given->mtp)
        dims.further = given->mtp;
    dims.document = given->document;
    return cs_train_model_of(model->name, &dims, arena, model, err);
}

/* ---- degrees and batch ---- */

static int setup_degrees(struct cs_train_job *job, bool searches, struct cs_err *err)
{
    struct cs_train_degrees *degrees = &job->degrees;
    uint32_t data = degrees->data;
    uint64_t model_ranks;

    degrees->tensor = or_one(degrees->tensor);
    degrees->context = or_one(degrees->context);
    degrees->pipeline = or_one(degrees->pipeline);
    degrees->chunks = searches ? 1 : or_one(job->kept.chunks);
    model_ranks = (uint64_t)degrees->tensor * degrees->context * degrees->pipeline;
    if (job->site->ranks % model_ranks)
        return cs_err_set(
            err, CS_EINPUT, "%u ranks do not divide over tp %u x cp %u x pp %u = %llu%s",
            job->site->ranks, degrees->tensor, degrees->context, degrees->pipeline,
            (unsigned long long)model_ranks, cs_hint_divisors(job->site->ranks, model_ranks).text);
    degrees->data = (uint32_t)(job->site->ranks / model_ranks);
    if (data && data != degrees->data)
        return cs_err_set(
            err, CS_EINPUT,
            "--dp %u: %u of %u ranks are left beside tp %u x cp %u x pp %u; leave --dp "
            "out, or set --ranks %llu",
            data, degrees->data, job->site->ranks, degrees->tensor, degrees->context,
            degrees->pipeline, (unsigned long long)data * model_ranks);
    return 0;
}

/* ---- all ---- */

static enum cs_precision setup_precision(const struct cs_gpu_peak *gpu)
{
    return gpu->flops_per_s[CS_PRECISION_BF16] > 0   ? CS_PRECISION_BF16
           : gpu->flops_per_s[CS_PRECISION_FP16] > 0 ? CS_PRECISION_FP16
                                                     : CS_PRECISION_FP32;
}

/* Behind what the system implies. */
static void setup_over_system(const struct cs_train_options *given, struct cs_train_job *job)
{
    struct cs_train_framework *framework = &job->framework;
    uint64_t ranks = (uint64_t)cs_train_copies(job);

    if (given->no_overlap)
        framework->overlap = false;
    if (given->early_stop)
        framework->early_stop = given->early_stop == CS_CHOICE_YES;
    if (framework->bucket_bytes == CS_BUCKETS_ALL)
        framework->bucket_bytes = 0;
    if (framework->bucket_bytes == CS_BUCKETS_TORCH) {
        framework->bucket_bytes = CS_BUCKET_BYTES;
        framework->first_bucket_bytes = CS_BUCKET_FIRST_BYTES;
    }
    if (framework->bucket_bytes == CS_BUCKETS_MEGATRON)
        framework->bucket_bytes = cs_bucket_megatron(ranks) * cs_train_gradient_width(job);
}

/* A search among what a framework does keeps what its data parallel ranks share. */
static void setup_kept_kind(const struct cs_train_options *given, struct cs_train_setup *setup)
{
    const struct cs_train_system *implied;
    struct cs_train_job job = setup->job;

    if (!setup->system->searches || !given->implied || !given->implied->system ||
        cs_train_system_find(given->implied->system, &implied, NULL))
        return;
    cs_train_system_prepare(implied, &job);
    setup->job.degrees.data_kind = job.degrees.data_kind;
    setup->job.kept.data_kind = true;
}

/* Values that follow from several options, or from the machine. */
static void setup_settings(const struct cs_train_options *given, struct cs_train_setup *setup)
{
    struct cs_train_job *job = &setup->job;
    struct cs_train_degrees *degrees = &job->degrees;
    struct cs_train_framework *framework = &job->framework;

    job->kept.recompute = degrees->recompute != CS_RECOMPUTES || degrees->recompute_layers;
    /* Parts that a framework computes again are among all layers. */
    if (degrees->recompute == CS_RECOMPUTE_FULL && given->implied &&
        given->implied->job.degrees.recompute_parts == degrees->recompute_parts)
        degrees->recompute_parts = 0;
    if (degrees->recompute == CS_RECOMPUTES)
        degrees->recompute = CS_RECOMPUTE_NONE;
    if (job->precision == CS_PRECISIONS)
        job->precision = setup_precision(job->gpu);
    framework->one_process = given->processes != CS_PROCESS_EACH;
    if (given->processes == CS_PROCESS_IN_TURN)
        framework->launch_turns =
            degrees->data < job->site->node_ranks ? degrees->data : job->site->node_ranks;
    if (given->gradients)
        framework->gradient_width = given->gradients == CS_GRADIENTS_FP32 ? 4 : 2;
    cs_train_system_prepare(setup->system, job);
    setup_over_system(given, job);
    setup_kept_kind(given, setup);
}

/* Parts and layers beside full recomputation, which has no others. */
static int setup_parts(const struct cs_train_job *job, struct cs_err *err)
{
    uint32_t layers = job->model->transformer.layers;

    if (job->degrees.recompute_parts &&
        (job->degrees.recompute > CS_RECOMPUTE_SELECTIVE || !layers))
        return cs_err_set(err, CS_EINPUT,
                          "--recompute-parts: expected a transformer, and --recompute none or "
                          "selective");
    if (job->degrees.adapters && (!layers || job->precision <= CS_PRECISION_TF32))
        return cs_err_set(err, CS_EINPUT, "--lora: expected a transformer in 16 bits or fewer");
    if (job->degrees.offload_layers &&
        (uint64_t)job->degrees.offload_layers * job->degrees.pipeline >= layers)
        return cs_err_set(err, CS_EINPUT,
                          "--offload-layers: %u; expected fewer than the %u layers of a stage",
                          job->degrees.offload_layers,
                          (layers + job->degrees.pipeline - 1) / job->degrees.pipeline);
    return 0;
}

/* The rate of threads that decode photos is that of no other sample. */
static int setup_loader(const struct cs_train_options *given, struct cs_train_job *job,
                        struct cs_err *err)
{
    double rate = given->loader_rate ? given->loader_rate : CS_TRAIN_LOADER_RATE;

    if (given->loader_workers && !given->loader_rate && !job->model->photos)
        return cs_err_set(err, CS_EINPUT,
                          "--loader-workers: samples of %s are no photos; --loader-rate says how "
                          "many a thread prepares in a second",
                          job->model->name);
    job->loader_samples_per_s = given->loader_workers * rate;
    return 0;
}

/* Megatron-LM refuses more layers than those of a stage, too. */
static int setup_recompute(const struct cs_train_job *job, struct cs_err *err)
{
    uint32_t layers = job->model->transformer.layers;
    uint64_t most = cs_train_chunk_layers(job);

    if (!job->degrees.recompute_layers)
        return 0;
    if (job->degrees.recompute != CS_RECOMPUTE_FULL || !layers)
        return cs_err_set(err, CS_EINPUT,
                          "--recompute-layers: expected --recompute full and a transformer");
    if (job->degrees.recompute_layers > most)
        return cs_err_set(err, CS_EINPUT,
                          "--recompute-layers: %u; a stage or chunk has %llu of the %u layers",
                          job->degrees.recompute_layers, (unsigned long long)most, layers);
    return 0;
}

static void setup_note_model(const struct cs_train_options *given, struct cs_train_setup *setup)
{
    if (setup->division.note)
        cs_graph_note(&setup->graph, "%s", setup->division.note);
    if (setup->division.longest && !given->sequence)
        cs_graph_note(&setup->graph, "a sequence of %u tokens; %.40s takes up to %u, by --sequence",
                      setup->model.transformer.sequence, setup->model.name,
                      setup->division.longest);
}

static void setup_note_chunks(struct cs_train_setup *setup)
{
    const struct cs_train_degrees *degrees = &setup->job.degrees;
    uint32_t layers = setup->model.transformer.layers;

    if (layers && !degrees->cuts && cs_train_chunk_cut(&setup->job, 1))
        cs_graph_note(&setup->graph,
                      "%u layers do not divide over %u stages x %u chunks: the last chunk has "
                      "fewer; --cuts sets others",
                      layers, degrees->pipeline, degrees->chunks);
}

static void setup_note_positions(struct cs_train_setup *setup)
{
    const struct cs_transformer *dims = &setup->model.transformer;

    if (dims->learned_positions && dims->positions && dims->positions < dims->sequence)
        cs_graph_note(&setup->graph,
                      "%.40s has %u learned positions; %u are added for a sequence of %u tokens",
                      setup->model.name, dims->positions, dims->sequence - dims->positions,
                      dims->sequence);
}

/* The given job on this machine. */
static struct cs_train_job setup_job(const struct cs_train_options *given,
                                     const struct cs_train_setup *setup)
{
    struct cs_train_job job = given->job;

    job.model = &setup->model;
    job.site = &setup->site;
    job.library = setup->job.library;
    job.library_version = setup->job.library_version;
    job.library_profile = setup->job.library_profile;
    job.gpu = setup->job.gpu;
    return job;
}

int cs_train_setup_job(const struct cs_train_options *options, struct cs_train_setup *setup,
                       struct cs_err *err)
{
    struct cs_train_options given = *options;
    struct cs_train_job *job = &setup->job;
    int code;

    setup_division(&setup->division, &given);
    *job = setup_job(&given, setup);
    code = setup_degrees(job, setup->system->searches, err);
    if (code)
        return code;
    setup_settings(&given, setup);
    code = setup_recompute(job, err);
    if (!code)
        code = setup_parts(job, err);
    if (!code)
        code = setup_loader(&given, job, err);
    if (!code)
        code = set_batch(&given, setup->system, job, err);
    return code ? code : setup->system->check(job, err);
}

int cs_train_setup_on(const struct cs_train_options *given, const struct cs_train_setup *machine,
                      struct cs_train_setup *setup, struct cs_err *err)
{
    const char *system;
    int code;

    setup->job = (struct cs_train_job){0};
    code = setup_model(given, setup, err);
    system = given->system ? given->system : setup->division.system;
    if (!code)
        code = cs_train_system_find(system ? system : "ddp", &setup->system, err);
    if (machine) {
        setup->graph = machine->graph;
        setup->site = machine->site;
    }
    if (!code)
        code = machine ? cs_train_setup_library(given, setup, err)
                       : cs_train_setup_machine(given, setup, err);
    if (!code)
        code = cs_train_setup_device(given, setup, err);
    if (!code)
        code = cs_train_setup_job(given, setup, err);
    if (!code)
        setup_note_model(given, setup);
    if (!code)
        setup_note_positions(setup);
    if (!code)
        setup_note_chunks(setup);
    return code;
}
