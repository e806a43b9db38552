#include "scenarios/train/command/result.h"

#include "scenarios/train/job/job.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/search/search.h"
#include "scenarios/train/systems/mindspore_cost.h"
#include "scenarios/train/systems/system.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *cs_train_bottleneck(const struct cs_train_step *step)
{
    double compute = step->forward_s + step->backward_s + step->recompute_s + step->optimizer_s;
    struct cs_train_part part = cs_train_limit(step, CS_TRAIN_COMPUTE_PARTS);

    return part.seconds > compute ? part.name : "compute";
}

bool cs_train_is_gain(const struct cs_train_result *result, const struct cs_train_variant *variant)
{
    return variant->speedup >= 1.001 &&
           variant->memory_bytes <= result->setup->job.gpu->memory_bytes;
}

const struct cs_train_variant *cs_train_fitting(const struct cs_train_result *result)
{
    double room = result->setup->job.gpu->memory_bytes;

    for (uint32_t v = 0; v < result->variant_count; ++v)
        if (!result->variants[v].on_machine && result->variants[v].memory_bytes <= room)
            return &result->variants[v];
    return NULL;
}

double cs_train_scaling_efficiency(const struct cs_train_result *result)
{
    const struct cs_train_step *step = &result->step;
    double compute_s =
        step->forward_s + step->backward_s + step->recompute_s + step->optimizer_s + step->host_s;

    return fmin(compute_s / step->step_s,
                step->samples_per_s / (result->setup->job.site->ranks * result->one_samples_per_s));
}

double cs_train_flops_share(const struct cs_train_result *result)
{
    const struct cs_train_job *job = &result->setup->job;

    return result->step.flops / result->step.step_s /
           (job->site->ranks * job->gpu->flops_per_s[job->precision]);
}

uint32_t cs_train_link_classes(const struct cs_train_result *result,
                               struct cs_class_use classes[CS_LINK_CLASSES_MAX])
{
    const struct cs_train_setup *setup = result->setup;
    struct cs_train_traffic traffic = cs_train_system_traffic(setup->system, &setup->job);
    struct cs_graph graph = setup->graph;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const double *bytes;

    if (!graph.agent_count && traffic.streams->pattern == CS_STREAM_SERVERS)
        cs_graph_place_servers(&graph);
    bytes =
        cs_link_use(&graph, setup->site.node_ranks, traffic.streams, traffic.stream_count, &arena);
    return cs_link_use_classes(&graph, bytes, classes);
}

double cs_train_tokens_per_s(const struct cs_train_result *result)
{
    return result->setup->model.photos
               ? 0
               : result->step.samples_per_s * result->setup->model.transformer.sequence;
}

/* ---- computation ---- */

/* Samples a second of one device with the same micro batches. */
static int one_device(const struct cs_train_job *job, double *samples_per_s, struct cs_err *err)
{
    struct cs_train_step step;
    int code = cs_train_one_device(job, job->degrees.micro_batch, &step, err);

    if (!code)
        *samples_per_s = step.samples_per_s;
    return code;
}

/* The fastest configuration becomes the job.  MindSpore's users have Ascend. */
static int search_job(struct cs_train_setup *setup, struct cs_search *search,
                      struct cs_train_result *result, struct cs_err *err)
{
    int code = cs_train_search(&setup->job, search, err);

    if (code)
        return code;
    for (uint32_t f = 0; f < search->count && strstr(setup->job.gpu->name, "ascend"); ++f) {
        struct cs_mindspore_cost cost = cs_mindspore_cost(&search->best[f].job);
        struct cs_train_step *step = &search->best[f].step;

        cs_train_figure(step, "MindSpore's cost", CS_TRAIN_COUNT, cost.cost);
        cs_train_figure(step, "computation in it", CS_TRAIN_COUNT, cost.computation);
        cs_train_figure(step, "communication in it", CS_TRAIN_COUNT, cost.communication);
    }
    setup->job = search->best[0].job;
    result->step = search->best[0].step;
    result->search = search;
    return 0;
}

int cs_train_compute(const struct cs_train_options *given, struct cs_train_setup *setup,
                     struct cs_search *search, struct cs_train_result *result, struct cs_err *err)
{
    int code = cs_train_setup_on(given, NULL, setup, err);

    *result = (struct cs_train_result){.given = given, .setup = setup};
    *search = (struct cs_search){0};
    if (code)
        return code;
    if (setup->system->searches)
        code = search_job(setup, search, result, err);
    else
        code = setup->system->time(&setup->job, &result->step, err);
    if (!code)
        code = one_device(&setup->job, &result->one_samples_per_s, err);
    /* A collective or a machine beyond the library is the user's choice. */
    return code == CS_ECANNOT ? (err->code = CS_EINPUT) : code;
}

/* ---- memory ---- */

enum {
    ADVICE_TEXT = CS_ERR_TEXT_MAX,
    ADVICE_DEGREES = 48,
};

static const char *largest_memory(const struct cs_train_step *step)
{
    const struct {
        const char *name;
        double bytes;
    } parts[] = {{"parameters", step->parameter_bytes},
                 {"gradients", step->gradient_bytes},
                 {"states of the optimizer", step->optimizer_bytes},
                 {"activations", step->activation_bytes},
                 {"buffers", step->buffer_bytes}};
    size_t most = 0;

    for (size_t p = 1; p < sizeof(parts) / sizeof(*parts); ++p)
        if (parts[p].bytes > parts[most].bytes)
            most = p;
    return parts[most].name;
}

/* Degrees, states and recomputation, as the options have them. */
static void advice_configuration(const struct cs_search_found *found, char advice[ADVICE_TEXT])
{
    const struct cs_train_job *job = &found->job;
    char more[ADVICE_DEGREES] = "";

    if (job->model->transformer.experts)
        (void)snprintf(more, sizeof(more), "ep %u, ", cs_train_expert(job));
    if (job->degrees.chunks > 1)
        (void)snprintf(more + strlen(more), sizeof(more) - strlen(more), "chunks %u, ",
                       job->degrees.chunks);
    (void)snprintf(advice, ADVICE_TEXT,
                   "no single change fits; --system auto finds tp %u, cp %u, pp %u, dp %u, %smicro "
                   "batch %.0f, %s, recomputation %s: %.1f GiB, a step of %s",
                   job->degrees.tensor, job->degrees.context, job->degrees.pipeline,
                   job->degrees.data, more, job->degrees.micro_batch,
                   cs_data_kind_names[job->degrees.data_kind],
                   cs_recompute_names[job->degrees.recompute], found->step.memory_bytes / (1 << 30),
                   cs_show_seconds(found->step.step_s).text);
}

static void advice_by_search(const struct cs_train_job *given, char advice[ADVICE_TEXT])
{
    struct cs_train_job job = *given;
    const struct cs_train_system *system;
    struct cs_search search = {0};
    struct cs_err err = {0};
    double batch = job.degrees.micro_batch * job.degrees.accumulation * job.degrees.data;
    int code = cs_train_system_find("auto", &system, &err);

    cs_train_undivide(&job);
    job.degrees.accumulation = 1;
    job.degrees.data = job.site->ranks;
    job.degrees.micro_batch = batch / job.degrees.data;
    if (!code) {
        cs_train_system_prepare(system, &job);
        code = cs_train_search(&job, &search, &err);
    }
    if (code)
        (void)snprintf(advice, ADVICE_TEXT, "%s", err.text);
    else
        advice_configuration(&search.best[0], advice);
}

/* The largest half, quarter, ... of the micro batch that fits, with the global batch as it
 * is; 0: none. */
static double advice_micro_batch(const struct cs_train_result *result, struct cs_train_step *step)
{
    struct cs_train_job job = result->setup->job;
    struct cs_train_degrees *degrees = &job.degrees;

    job.calls = NULL;
    while (degrees->micro_batch >= 2 && fmod(degrees->micro_batch, 2) == 0) {
        degrees->micro_batch /= 2;
        degrees->accumulation *= 2;
        if (result->setup->system->check(&job, NULL) ||
            result->setup->system->time(&job, step, NULL))
            break;
        if (step->memory_bytes <= job.gpu->memory_bytes)
            return degrees->micro_batch;
    }
    return 0;
}

/* The faster of a micro batch and of the changes among the variants; else a search. */
static void advice_that_fits(const struct cs_train_result *result, char advice[ADVICE_TEXT])
{
    const struct cs_train_variant *fits = cs_train_fitting(result);
    struct cs_train_step step = {0};
    double micro = advice_micro_batch(result, &step);

    if (micro > 0 && (!fits || step.step_s <= fits->step_s))
        (void)snprintf(advice, ADVICE_TEXT, "fits: --micro-batch %.0f: %.1f GiB, a step of %s",
                       micro, step.memory_bytes / (1 << 30), cs_show_seconds(step.step_s).text);
    else if (fits)
        (void)snprintf(advice, ADVICE_TEXT, "fits: %s", fits->name);
    else
        advice_by_search(&result->setup->job, advice);
}

int cs_train_check_memory(const struct cs_train_result *result, struct cs_err *err)
{
    const struct cs_train_job *job = &result->setup->job;
    double over = result->step.memory_bytes - job->gpu->memory_bytes;
    const char *most = largest_memory(&result->step);
    char advice[ADVICE_TEXT], length[64] = "";

    if (over <= 0)
        return 0;
    if (job->model->transformer.layers)
        (void)snprintf(length, sizeof(length), " of %u tokens (--sequence)",
                       job->model->transformer.sequence);
    advice_that_fits(result, advice);
    return cs_err_set(
        err, CS_EANSWER,
        "%.2f GiB on the peak device, %.2f GiB more than the %.0f GiB of %s; most are %s%s; %s",
        result->step.memory_bytes / (1 << 30), over / (1 << 30), job->gpu->memory_bytes / (1 << 30),
        job->gpu->name, most, cs_same(most, "activations") ? length : "", advice);
}
