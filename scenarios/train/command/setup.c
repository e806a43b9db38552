#include "scenarios/train/command/setup.h"

#include "algorithms/libraries/profile.h"
#include "scenarios/train/command/batch.h"
#include "scenarios/train/command/segment.h"
#include "scenarios/train/inputs/model_input.h"
#include "scenarios/train/model/transformer.h"
#include "scenarios/train/stages/bucket.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"

enum {
    /* From this number of ranks on, identical nodes are stored once. */
    SETUP_REPLICAS_FROM = 256,
};

/* ---- the machine ---- */

static int setup_machine(const struct cs_train_options *given, struct cs_train_setup *setup,
                         struct cs_err *err)
{
    const struct cs_scenario *scenario = &given->scenario;
    const char *note;
    struct cs_topo_request request = {.ranks = given->ranks,
                                      .replicas_from = SETUP_REPLICAS_FROM,
                                      .platform = scenario->machine.platform,
                                      .gpu = scenario->machine.gpu};
    int code = cs_segment_machine(given, &request.spec, &note, err);

    if (!code)
        code = cs_topo_open(&request, &setup->graph, scenario->arena, err);
    if (code)
        return code;
    if (note)
        cs_graph_note(&setup->graph, "%s", note);
    cs_graph_place_first(&setup->graph);
    return cs_site_read(&setup->graph, scenario->arena, &setup->site, err);
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

static int setup_library(const struct cs_train_options *given, struct cs_train_setup *setup,
                         struct cs_err *err)
{
    struct cs_train_job *job = &setup->job;
    const struct cs_profile *profile = NULL;
    int code =
        cs_profile_find(given->library ? given->library : setup_backend(&setup->site),
                        given->scenario.arena, &job->library, &job->library_version, &profile, err);

    job->library_parameters = cs_profile_values(profile);
    return code;
}

int cs_train_setup_machine(const struct cs_train_options *given, struct cs_train_setup *setup,
                           struct cs_err *err)
{
    int code = setup_machine(given, setup, err);

    return code ? code : setup_library(given, setup, err);
}

/* The slower of the peaks and those of the model; in half precision, which
 * trains, or in single precision before. */
static const struct cs_gpu_peak *setup_slower(const struct cs_gpu_peak *peak, const char *model)
{
    const struct cs_gpu_peak *other;
    enum cs_precision at = CS_PRECISION_FP16;

    if (cs_gpu_peak_find(model, &other, NULL))
        return peak;
    if (!(peak->flops_per_s[at] > 0) || !(other->flops_per_s[at] > 0))
        at = CS_PRECISION_FP32;
    return other->flops_per_s[at] < peak->flops_per_s[at] ? other : peak;
}

/* Steps end with the slowest GPU, so all ranks compute as this one.  Nodes of
 * the folded form are equal. */
static void setup_slowest(struct cs_graph *graph, struct cs_train_job *job)
{
    const char *first = job->gpu->name;
    bool is_mixed = false;

    for (uint32_t r = 0; r < graph->rank_count && !graph->replicated.count; r++) {
        const struct cs_gpu_kind *model = graph->devices[graph->rank_device[r]].model;

        if (!model || cs_same(model->name, first))
            continue;
        is_mixed = true;
        job->gpu = setup_slower(job->gpu, model->name);
    }
    if (is_mixed)
        cs_graph_note(
            graph,
            "GPUs of several models: each rank computes as %s, the slowest, and has its memory",
            job->gpu->name);
}

static int setup_device(const struct cs_train_options *given, struct cs_train_setup *setup,
                        struct cs_err *err)
{
    const char *device = setup->site.gpu;

    if (given->device && setup->site.maker == CS_MAKER_HOST)
        cs_graph_note(&setup->graph,
                      "the ranks of %.60s are hosts, whose collectives move data through CPUs; a "
                      "host with a GPU is node:gpu=%.20s,gpus=1,port=10gbe in a cluster",
                      given->scenario.topo, given->device);
    if (given->device)
        return cs_gpu_peak_find(given->device, &setup->job.gpu, err);
    if (!device)
        return cs_err_set(err, CS_EINPUT,
                          "the GPUs of %s have no known model; name one with --device",
                          given->scenario.topo);
    if (cs_gpu_peak_find(device, &setup->job.gpu, NULL))
        return cs_err_set(err, CS_EINPUT,
                          "the peaks of %s, the GPU of %s, are not known; name another with "
                          "--device ('collsim list train-gpus')",
                          device, given->scenario.topo);
    setup_slowest(&setup->graph, &setup->job);
    return 0;
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
    if (code || (!given->sequence && given->attention == CS_ATTENTIONS))
        return code;
    dims = model->transformer;
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
    return cs_train_model_of(model->name, &dims, arena, model, err);
}

/* ---- degrees and batch ---- */

static uint32_t or_one(uint32_t number)
{
    return number ? number : 1;
}

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
    uint64_t ranks = (uint64_t)job->degrees.data * job->degrees.context;

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
    implied->prepare(&job);
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
    setup->system->prepare(job);
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
    job.library_parameters = setup->job.library_parameters;
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
        code = cs_train_set_batch(&given, setup->system, job, err);
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
        code =
            machine ? setup_library(given, setup, err) : cs_train_setup_machine(given, setup, err);
    if (!code)
        code = setup_device(given, setup, err);
    if (!code)
        code = cs_train_setup_job(given, setup, err);
    if (!code)
        setup_note_model(given, setup);
    if (!code)
        setup_note_positions(setup);
    return code;
}

int cs_train_setup_open(const struct cs_train_options *given, struct cs_train_setup *setup,
                        struct cs_err *err)
{
    return cs_train_setup_on(given, NULL, setup, err);
}
