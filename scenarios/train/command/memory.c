#include "scenarios/train/command/memory.h"

#include "scenarios/train/search/search.h"
#include "scenarios/train/systems/system.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <stdio.h>
#include <string.h>

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
    char step[CS_UNITS_TEXT], more[ADVICE_DEGREES] = "";

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
                   cs_units_show_seconds(step, found->step.step_s));
}

static void advice_by_search(const struct cs_train_job *given, char advice[ADVICE_TEXT])
{
    struct cs_train_job job = *given;
    const struct cs_train_system *system;
    struct cs_search search = {0};
    struct cs_err err = {0};
    double batch = job.degrees.micro_batch * job.degrees.accumulation * job.degrees.data;
    int code = cs_train_system_find("auto", &system, &err);

    job.degrees.tensor = job.degrees.context = job.degrees.pipeline = job.degrees.chunks =
        job.degrees.accumulation = 1;
    job.degrees.expert = job.degrees.expert_tensor = 0;
    job.degrees.data = job.site->ranks;
    job.degrees.micro_batch = batch / job.degrees.data;
    job.degrees.cuts = NULL;
    job.degrees.cut_count = 0;
    job.log = NULL;
    if (!code) {
        system->prepare(&job);
        code = cs_train_search(&job, &search, &err);
    }
    if (code)
        (void)snprintf(advice, ADVICE_TEXT, "%s", err.text);
    else
        advice_configuration(&search.best[0], advice);
}

int cs_train_check_memory(const struct cs_train_result *result, struct cs_err *err)
{
    const struct cs_train_job *job = &result->setup->job;
    const struct cs_train_variant *fits = cs_train_fitting(result);
    double over = result->step.memory_bytes - job->gpu->memory_bytes;
    const char *most = largest_memory(&result->step);
    char advice[ADVICE_TEXT], length[64] = "";

    if (over <= 0)
        return 0;
    if (job->model->transformer.layers)
        (void)snprintf(length, sizeof(length), " of %u tokens (--sequence)",
                       job->model->transformer.sequence);
    if (fits)
        (void)snprintf(advice, sizeof(advice), "fits: %s", fits->name);
    else
        advice_by_search(job, advice);
    return cs_err_set(
        err, CS_EANSWER,
        "%.2f GiB on the peak device, %.2f GiB more than the %.0f GiB of %s; most are %s%s; %s",
        result->step.memory_bytes / (1 << 30), over / (1 << 30), job->gpu->memory_bytes / (1 << 30),
        job->gpu->name, most, cs_same(most, "activations") ? length : "", advice);
}
