#include "scenarios/train/command/setup.h"

#include "algorithms/libraries/profile.h"
#include "scenarios/train/command/batch.h"
#include "scenarios/train/inputs/model_input.h"
#include "scenarios/train/model/transformer.h"
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
    struct cs_topo_request request = {.spec = scenario->topo,
                                      .ranks = given->ranks,
                                      .replicas_from = SETUP_REPLICAS_FROM,
                                      .platform = scenario->machine.platform,
                                      .gpu = scenario->machine.gpu};
    int code = cs_topo_open(&request, &setup->graph, scenario->arena, err);

    if (code)
        return code;
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

int cs_train_setup_machine(const struct cs_train_options *given, struct cs_train_setup *setup,
                           struct cs_err *err)
{
    struct cs_train_job *job = &setup->job;
    const struct cs_profile *profile = NULL;
    int code = setup_machine(given, setup, err);

    if (!code)
        code = cs_profile_find(given->backend ? given->backend : setup_backend(&setup->site),
                               given->scenario.arena, &job->library, &job->library_version,
                               &profile, err);
    job->library_parameters = cs_profile_values(profile);
    return code;
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

/* Degrees, batch and settings of the model's file, where the options have none. */
static void setup_division(const struct cs_model_division *division, struct cs_train_options *given)
{
    bool has_batch =
        given->batch || given->micro_batch || given->global_batch || given->accumulation;

    if (!given->tensor)
        given->tensor = division->tensor;
    if (!given->context)
        given->context = division->context;
    if (!given->pipeline)
        given->pipeline = division->pipeline;
    if (!given->chunks)
        given->chunks = division->chunks;
    if (!given->expert)
        given->expert = division->expert;
    if (!given->expert_tensor)
        given->expert_tensor = division->expert_tensor;
    if (!(given->imbalance > 0))
        given->imbalance = division->imbalance;
    if (!has_batch) {
        given->micro_batch = division->micro_batch;
        given->global_batch = division->global_batch;
    }
    given->sequence_parallel |= division->sequence_parallel;
    if (given->precision == CS_PRECISIONS)
        given->precision = division->precision;
    if (given->recompute == CS_RECOMPUTES && division->recompute) {
        given->recompute = division->recompute;
        if (!given->recompute_layers)
            given->recompute_layers = division->recompute_layers;
    }
    given->overlap_tensor |= division->overlap_tensor;
    /* Another system has its own gradients. */
    if (given->system)
        return;
    given->system = division->system;
    if (!given->gradient_width)
        given->gradient_width = division->gradient_width;
    given->no_overlap |= division->no_overlap;
    given->overlap_gather |= division->overlap_gather;
}

static int setup_model(struct cs_train_options *given, struct cs_train_setup *setup,
                       struct cs_err *err)
{
    struct cs_arena *arena = given->scenario.arena;
    struct cs_train_model *model = &setup->model;
    struct cs_model_division division;
    struct cs_transformer dims;
    int code;

    if (!given->model)
        return cs_err_set(
            err, CS_EINPUT,
            "no model; add --model NAME: resnet50, gpt2-xl, llama2-7b (train --help lists all)");
    code = cs_model_load(given->model, arena, model, &division, err);
    if (!code)
        setup_division(&division, given);
    if (code || (!given->sequence && given->attention == CS_ATTENTIONS))
        return code;
    dims = model->transformer;
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

static int setup_degrees(const struct cs_train_options *given, bool searches,
                         struct cs_train_job *job, struct cs_err *err)
{
    uint64_t model_ranks;

    job->degrees.tensor = or_one(given->tensor);
    job->degrees.context = or_one(given->context);
    job->degrees.pipeline = or_one(given->pipeline);
    job->degrees.expert = given->expert;
    job->degrees.expert_tensor = given->expert_tensor;
    job->degrees.imbalance = given->imbalance;
    job->degrees.chunks = searches ? 1 : or_one(given->chunks);
    job->kept.chunks = given->chunks;
    model_ranks = (uint64_t)job->degrees.tensor * job->degrees.context * job->degrees.pipeline;
    if (job->site->ranks % model_ranks)
        return cs_err_set(
            err, CS_EINPUT, "%u ranks do not divide over tp %u x cp %u x pp %u = %llu%s",
            job->site->ranks, job->degrees.tensor, job->degrees.context, job->degrees.pipeline,
            (unsigned long long)model_ranks, cs_hint_divisors(job->site->ranks, model_ranks).text);
    job->degrees.data = (uint32_t)(job->site->ranks / model_ranks);
    return 0;
}

/* ---- all ---- */

static void setup_settings(const struct cs_train_options *given, struct cs_train_setup *setup)
{
    struct cs_train_job *job = &setup->job;

    job->kept.recompute = given->recompute != CS_RECOMPUTES || given->recompute_layers;
    job->degrees.recompute =
        given->recompute == CS_RECOMPUTES ? CS_RECOMPUTE_NONE : given->recompute;
    job->degrees.recompute_layers = given->recompute_layers;
    job->precision = given->precision;
    if (job->precision == CS_PRECISIONS)
        job->precision = job->gpu->flops_per_s[CS_PRECISION_BF16] > 0   ? CS_PRECISION_BF16
                         : job->gpu->flops_per_s[CS_PRECISION_FP16] > 0 ? CS_PRECISION_FP16
                                                                        : CS_PRECISION_FP32;
    job->degrees.sequence_parallel = given->sequence_parallel;
    job->framework.overlap_tensor = given->overlap_tensor;
    job->framework.overlap_gather = given->overlap_gather;
    job->framework.fusion = given->fusion;
    job->framework.channels_first = given->channels_first;
    job->framework.row_scales = given->row_scales;
    job->framework.device_graph = given->device_graph;
    job->framework.blocking_collectives = given->blocking_collectives;
    job->framework.gathered_rows = given->gathered_rows;
    job->framework.negotiated = given->negotiated;
    job->framework.by_tensor = given->by_tensor;
    job->framework.one_process = given->processes != CS_PROCESS_EACH;
    if (given->processes == CS_PROCESS_IN_TURN)
        job->framework.launch_turns =
            job->degrees.data < job->site->node_ranks ? job->degrees.data : job->site->node_ranks;
    job->framework.gradient_width = given->gradient_width;
    job->framework.bucket_bytes = given->bucket_bytes;
    job->sample_s = (double)given->sample_ps * 1e-12;
    job->degrees.schedule = given->schedule;
    job->slot_overhead_s = (double)given->slot_ps * 1e-12;
    job->degrees.cut_count = given->cut_count;
    job->degrees.first_batch = given->first_batch;
    job->batch_spread = given->batch_spread / 100.;
    job->servers = given->servers;
    job->servers.jitter_s = (double)given->jitter_ps * 1e-12;
    setup->system->prepare(job);
    if (given->no_overlap)
        job->framework.overlap = false;
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

static void setup_note_positions(struct cs_train_setup *setup)
{
    const struct cs_transformer *dims = &setup->model.transformer;

    if (dims->learned_positions && dims->positions && dims->positions < dims->sequence)
        cs_graph_note(&setup->graph,
                      "%.40s has %u learned positions; %u are added for a sequence of %u tokens",
                      setup->model.name, dims->positions, dims->sequence - dims->positions,
                      dims->sequence);
}

int cs_train_setup_open(const struct cs_train_options *options, struct cs_train_setup *setup,
                        struct cs_err *err)
{
    struct cs_train_options given = *options;
    struct cs_train_job *job = &setup->job;
    int code;

    *job = (struct cs_train_job){.model = &setup->model, .site = &setup->site};
    code = setup_model(&given, setup, err);
    if (!code)
        code = cs_train_system_find(given.system ? given.system : "ddp", &setup->system, err);
    if (!code)
        code = cs_train_setup_machine(&given, setup, err);
    if (!code)
        code = setup_device(&given, setup, err);
    if (!code)
        code = setup_degrees(&given, setup->system->searches, job, err);
    if (code)
        return code;
    setup_note_positions(setup);
    job->degrees.cuts = options->cut_count ? options->cuts : NULL;
    setup_settings(&given, setup);
    code = setup_recompute(job, err);
    if (!code)
        code = setup_loader(&given, job, err);
    if (!code)
        code = cs_train_set_batch(&given, setup->system, job, err);
    return code ? code : setup->system->check(job, err);
}
