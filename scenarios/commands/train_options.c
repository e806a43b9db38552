#include "scenarios/commands/train_options.h"

#include "scenarios/commands/train_batch.h"
#include "scenarios/commands/train_system_options.h"
#include "scenarios/train/inputs/model_input.h"
#include "sim/base/hint.h"
#include "sim/base/units.h"
#include "topo/formats/source.h"

#include <stdlib.h>
#include <string.h>

static const char *const recompute_names[] = {"none", "selective", "full",
                                              NULL};

static const char *const schedule_names[] = {"1f1b", "gpipe", NULL};
static const char *const server_names[] = {"dedicated", "colocated", "byteps",
                                           NULL};

static int set_gradients(void *target, const char *value, struct cs_err *err)
{
    static const char *const names[] = {"fp32", "fp16", "bf16"};
    struct cs_train_options *given = target;

    for (size_t n = 0; n < 3; ++n)
        if (!strcmp(value, names[n])) {
            given->gradient_width = n ? 2 : 4;
            return 0;
        }
    return cs_err_set(err, CS_EINPUT, "gradients are not '%.40s'%s", value,
                      cs_hint_all(value, names, 3).text);
}

static int read_scale(const char *value, double *scale, struct cs_err *err)
{
    char *end;

    *scale = strtod(value, &end);
    return end != value && !*end && *scale > 0 && *scale <= 1000
               ? 0
               : cs_err_set(err, CS_EINPUT,
                            "'%.40s' is not a number above 0, at most 1000",
                            value);
}

static int set_compute_scale(void *target, const char *value,
                             struct cs_err *err)
{
    struct cs_train_options *given = target;

    return read_scale(value, &given->compute_scale, err);
}

static int set_size_scale(void *target, const char *value, struct cs_err *err)
{
    struct cs_train_options *given = target;

    return read_scale(value, &given->size_scale, err);
}

#define PLACE(member) CS_OPTION_AT(struct cs_train_options, member)
#define COUNT(member, limit) \
    .type = CS_OPTION_COUNT, PLACE(member), .least = 1, .most = (limit)

const struct cs_option cs_train_option_table[] = {
    {.name = "model",
     .letter = 'm',
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(model),
     .help = "resnet50, llama2-7b, ...; config.json, layers.csv, megatron:FILE",
     .more = "A model of the library, see below; config.json of Hugging Face; "
             "a CSV of layers (name,params,flops,activation); arguments of "
             "Megatron-LM in a script, or behind 'megatron:', whose degrees "
             "and batch count where the options have none.",
     .complete = "@train-models"},
    {.name = "system",
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(system),
     .help = "ddp, zero1, zero2, zero3, fsdp, hybrid, ...; see below",
     .standard = "ddp",
     .complete = "@train-systems"},
    {.name = "ranks",
     .letter = 'n',
     .argument = "N",
     COUNT(ranks, CS_RANKS_MAX),
     .help = "the machine's first N ranks",
     .standard = "all"},
    {.name = "tp",
     .argument = "N",
     COUNT(tensor, CS_RANKS_MAX),
     .help = "tensor parallel ranks",
     .standard = "1"},
    {.name = "cp",
     .argument = "N",
     COUNT(context, CS_RANKS_MAX),
     .help = "context parallel ranks",
     .standard = "1"},
    {.name = "pp",
     .argument = "N",
     COUNT(pipeline, CS_RANKS_MAX),
     .help = "stages of the pipeline; data parallel ranks are the rest",
     .standard = "1"},
    {.name = "chunks",
     .argument = "N",
     COUNT(chunks, 1024),
     .help = "chunks of a stage: interleaved 1F1B",
     .standard = "1"},
    {.name = "micro-batch",
     .argument = "N",
     COUNT(micro_batch, 1 << 20),
     .help = "samples of a micro batch",
     .standard = "1 in a pipeline, else the batch"},
    {.name = "batch",
     .argument = "N",
     COUNT(batch, 1 << 20),
     .help = "samples of a step for each data parallel rank",
     .standard = "the micro batch"},
    {.name = "global-batch",
     .argument = "N",
     COUNT(global_batch, 1u << 30),
     .help = "samples of a step on all ranks"},
    {.name = "accumulation",
     .argument = "N",
     COUNT(accumulation, 1 << 20),
     .help = "micro batches of a step"},
    {.name = "sequence",
     .argument = "TOKENS",
     COUNT(sequence, 1 << 24),
     .help = "tokens of a sequence",
     .standard = "the model's"},
    {.name = "recompute",
     .argument = "HOW",
     .type = CS_OPTION_CHOICE,
     PLACE(recompute),
     .words = recompute_names,
     .help = "activations computed again: none, selective, full",
     .standard = "none"},
    {.name = "precision",
     .argument = "NAME",
     .type = CS_OPTION_CHOICE,
     PLACE(precision),
     .words = cs_precision_names,
     .help = "matrix products: fp32, tf32, fp16, bf16, fp8, fp4",
     .standard = "bf16, or fp16 before Ampere"},
    {.name = "gradients",
     .argument = "NAME",
     .set = set_gradients,
     .help = "gradients in collectives: fp32, fp16, bf16",
     .standard = "by precision and system",
     .complete = "fp32 fp16 bf16"},
    {.name = "bucket-cap",
     .argument = "BYTES",
     .type = CS_OPTION_BYTES,
     PLACE(bucket_bytes),
     .least = 1,
     .help = "limit of a bucket of gradients",
     .standard = "25MiB, the first 1MiB"},
    {.name = "sequence-parallel",
     .type = CS_OPTION_FLAG,
     PLACE(sequence_parallel),
     .help = "tensor parallel ranks divide norms and sums, too"},
    {.name = "overlap-tensor",
     .type = CS_OPTION_FLAG,
     PLACE(overlap_tensor),
     .help = "products beside the collectives of tensor parallelism"},
    {.name = "no-overlap",
     .type = CS_OPTION_FLAG,
     PLACE(no_overlap),
     .help = "gradients move after the backward pass"},
#include "scenarios/commands/train_system_options.def"
    {.name = "sample-time",
     .argument = "TIME",
     .type = CS_OPTION_TIME,
     PLACE(sample_ps),
     .least = 1,
     .help = "measured step of one device per sample",
     .standard = "predicted from the kernels"},
    {.name = "backend",
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(backend),
     .help = "library of the collectives: nccl, nccl=2.27, gloo, mpi, hccl",
     .standard = "nccl, rccl or hccl, by the GPUs",
     .complete = "@libraries"},
    {.name = "replay",
     .argument = "FILE",
     .type = CS_OPTION_TEXT,
     PLACE(replay),
     .help = "replay a measured trace of the PyTorch profiler, or Chakra",
     .more = "The trace of one rank, JSON of the PyTorch profiler or an "
             "execution trace of Chakra (.et): kernels and gaps as measured, "
             "collectives "
             "by the backend on this machine.  Groups that span the measured "
             "job grow or shrink with the machine.",
     .complete = "file"},
    {.name = "compute-scale",
     .argument = "X",
     .set = set_compute_scale,
     .help = "with --replay: kernels take X times as long",
     .standard = "1"},
    {.name = "size-scale",
     .argument = "X",
     .set = set_size_scale,
     .help = "with --replay: collectives have X times the bytes",
     .more = "0.5: gradients of 16 bits where 32 were measured.",
     .standard = "1"},
    {.name = "collective-algo",
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(collective_algo),
     .help = "with --replay: algorithm of the collectives that have it",
     .standard = "the backend's choice"},
    {.name = "device",
     .argument = "NAME",
     .type = CS_OPTION_TEXT,
     PLACE(device),
     .help = "GPU whose peaks count: a100-40gb, v100-32gb, ...",
     .standard = "the machine's",
     .complete = "@train-gpus"},
    {0},
};

/* ---- the machine ---- */

static int setup_machine(const struct cs_train_options *given,
                         struct cs_train_setup *setup, struct cs_err *err)
{
    const struct cs_scenario *scenario = &given->scenario;
    struct cs_topo_request request = {.spec = scenario->topo,
                                      .ranks = given->ranks,
                                      .platform = scenario->machine.platform,
                                      .gpu = scenario->machine.gpu};
    int code = cs_topo_open(&request, &setup->graph, scenario->arena, err);

    return code ? code
                : cs_site_read(&setup->graph, scenario->arena, &setup->site,
                               err);
}

static const char *setup_backend(const struct cs_site *site)
{
    switch (site->maker) {
    case CS_MAKER_NVIDIA:
        return "nccl";
    case CS_MAKER_AMD:
        return "rccl";
    case CS_MAKER_OTHER:
        return "hccl";
    default:
        return "gloo";
    }
}

int cs_train_setup_machine(const struct cs_train_options *given,
                           struct cs_train_setup *setup, struct cs_err *err)
{
    struct cs_train_job *job = &setup->job;
    int code = setup_machine(given, setup, err);

    return code ? code
                : cs_library_find(given->backend ? given->backend
                                                 : setup_backend(&setup->site),
                                  &job->library, &job->library_version, err);
}

static int setup_device(const struct cs_train_options *given,
                        struct cs_train_setup *setup, struct cs_err *err)
{
    const char *device = given->device ? given->device : setup->site.gpu;

    if (!device)
        return cs_err_set(err, CS_EINPUT,
                          "the GPUs of %s have no known model; name one with "
                          "--device",
                          given->scenario.topo);
    return cs_gpu_peak_find(device, &setup->job.gpu, err);
}

/* ---- the model ---- */

/* Degrees and batch of the model's file, where the options have none. */
static void setup_division(const struct cs_model_division *division,
                           struct cs_train_options *given)
{
    bool has_batch = given->batch || given->micro_batch ||
                     given->global_batch || given->accumulation;

    if (!given->tensor)
        given->tensor = division->tensor;
    if (!given->context)
        given->context = division->context;
    if (!given->pipeline)
        given->pipeline = division->pipeline;
    if (!given->chunks)
        given->chunks = division->chunks;
    if (!has_batch) {
        given->micro_batch = division->micro_batch;
        given->global_batch = division->global_batch;
    }
    given->sequence_parallel |= division->sequence_parallel;
}

static int setup_model(struct cs_train_options *given,
                       struct cs_train_setup *setup, struct cs_err *err)
{
    struct cs_arena *arena = given->scenario.arena;
    struct cs_train_model *model = &setup->model;
    struct cs_model_division division;
    struct cs_transformer dims;
    int code;

    if (!given->model)
        return cs_err_set(err, CS_EINPUT,
                          "no model; add --model NAME: resnet50, gpt2-xl, "
                          "llama2-7b (train --help lists all)");
    code = cs_model_load(given->model, arena, model, &division, err);
    if (!code)
        setup_division(&division, given);
    if (code || !given->sequence)
        return code;
    dims = model->transformer;
    if (!dims.layers)
        return cs_err_set(err, CS_EINPUT, "--sequence: %s is not a transformer",
                          model->name);
    dims.sequence = given->sequence;
    return cs_train_model_of(model->name, &dims, arena, model, err);
}

/* ---- degrees and batch ---- */

static uint32_t or_one(uint32_t number)
{
    return number ? number : 1;
}

static int setup_degrees(const struct cs_train_options *given,
                         struct cs_train_job *job, struct cs_err *err)
{
    uint64_t model_ranks;

    job->tensor = or_one(given->tensor);
    job->context = or_one(given->context);
    job->pipeline = or_one(given->pipeline);
    job->chunks = or_one(given->chunks);
    model_ranks = (uint64_t)job->tensor * job->context * job->pipeline;
    if (job->site->ranks % model_ranks)
        return cs_err_set(err, CS_EINPUT,
                          "%u ranks do not divide over tp %u x cp %u x pp %u = "
                          "%llu",
                          job->site->ranks, job->tensor, job->context,
                          job->pipeline, (unsigned long long)model_ranks);
    job->data = (uint32_t)(job->site->ranks / model_ranks);
    return 0;
}

/* ---- all ---- */

static void setup_settings(const struct cs_train_options *given,
                           struct cs_train_setup *setup)
{
    struct cs_train_job *job = &setup->job;

    job->recompute = given->recompute;
    job->precision = given->precision;
    if (job->precision == CS_PRECISIONS)
        job->precision =
            job->gpu->flops_per_s[CS_PRECISION_BF16] > 0   ? CS_PRECISION_BF16
            : job->gpu->flops_per_s[CS_PRECISION_FP16] > 0 ? CS_PRECISION_FP16
                                                           : CS_PRECISION_FP32;
    job->sequence_parallel = given->sequence_parallel;
    job->overlap_tensor = given->overlap_tensor;
    job->gradient_width = given->gradient_width;
    job->bucket_bytes = given->bucket_bytes;
    job->sample_s = (double)given->sample_ps * 1e-12;
    job->schedule = given->schedule;
    job->slot_overhead_s = (double)given->slot_ps * 1e-12;
    job->cut_count = given->cut_count;
    job->first_batch = given->first_batch;
    job->servers = given->servers;
    job->servers.jitter_s = (double)given->jitter_ps * 1e-12;
    setup->system->prepare(job);
    if (given->no_overlap)
        job->overlap = false;
}

int cs_train_setup_open(const struct cs_train_options *options,
                        struct cs_train_setup *setup, struct cs_err *err)
{
    struct cs_train_options given = *options;
    struct cs_train_job *job = &setup->job;
    int code = cs_train_system_find(given.system ? given.system : "ddp",
                                    &setup->system, err);

    *job = (struct cs_train_job){.model = &setup->model, .site = &setup->site};
    if (!code)
        code = setup_model(&given, setup, err);
    if (!code)
        code = cs_train_setup_machine(&given, setup, err);
    if (!code)
        code = setup_device(&given, setup, err);
    if (!code)
        code = setup_degrees(&given, job, err);
    if (code)
        return code;
    job->cuts = options->cut_count ? options->cuts : NULL;
    setup_settings(&given, setup);
    code = cs_train_set_batch(&given, setup->system, job, err);
    return code ? code : setup->system->check(job, err);
}
