/*
 * Training jobs on a machine that is stated by hand, for tests.
 *
 * The library takes bus bytes over 10 GB/s for a collective, so that volumes are
 * exact.
 */
#pragma once

#include "algorithms/collective.h"
#include "scenarios/train/kernels/kernels.h"
#include "scenarios/train/model/library.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/systems/system.h"
#include "tests/fixture.h"

#include <math.h>
#include <string.h>

#define TRAIN_BUS_BPS 10e9

struct train_job {
    struct cs_arena arena;
    struct cs_train_model model;
    struct cs_site site;
    double parameters[CS_KERNEL_PARAMETERS];
    struct cs_train_job job;
};

static inline int train_linear_time(const struct cs_library_request *request,
                                    struct cs_library_time *time, struct cs_err *err)
{
    (void)err;
    *time = (struct cs_library_time){
        .engine = "ring",
        .protocol = "",
        .channels = 16,
        .total_s = (double)request->bytes *
                   cs_collective_bus_factor(request->collective, request->site->ranks) /
                   TRAIN_BUS_BPS};
    return 0;
}

static const struct cs_library train_linear_library = {
    .name = "linear", .launches_kernels = true, .time = train_linear_time};

/* 10 GB/s inside a node; across nodes 1 GB/s for each rank of the group in a node, so
 * that a time shows which ranks a call joins. */
static inline double train_levels_Bps(uint32_t nodes, uint32_t node_ranks)
{
    return nodes < 2 ? TRAIN_BUS_BPS : 1e9 * node_ranks;
}

static inline int train_levels_time(const struct cs_library_request *request,
                                    struct cs_library_time *time, struct cs_err *err)
{
    const struct cs_site *site = request->site;

    (void)err;
    *time = (struct cs_library_time){
        .engine = "ring",
        .protocol = "",
        .channels = 16,
        .total_s = (double)request->bytes *
                   cs_collective_bus_factor(request->collective, site->ranks) /
                   train_levels_Bps(site->nodes, site->node_ranks)};
    return 0;
}

static const struct cs_library train_levels_library __attribute__((unused)) = {
    .name = "levels", .launches_kernels = true, .time = train_levels_time};

/* GPUs of a DGX A100, eight a node; no host time of sends, so that copies take
 * bytes over rates. */
static inline void train_job_machine(struct train_job *trial, uint32_t ranks)
{
    trial->site = (struct cs_site){.ranks = ranks,
                                   .nodes = (ranks + 7) / 8,
                                   .node_ranks = ranks < 8 ? ranks : 8,
                                   .maker = CS_MAKER_NVIDIA,
                                   .generation = 80,
                                   .has_switch = true,
                                   .link_Bps = 250e9,
                                   .ring_Bps = 230e9,
                                   .pcie_Bps = 24e9,
                                   .host_Bps = 150e9,
                                   .adapters = 8,
                                   .adapter_Bps = 25e9,
                                   .node_Bps = 200e9};
    trial->job.site = &trial->site;
    trial->job.degrees.data = ranks;
}

static inline void train_job_open(struct train_job *trial, const char *model, uint32_t ranks)
{
    const struct cs_gpu_peak *gpu = NULL;

    *trial = (struct train_job){0};
    assert_done(cs_train_model_open(model, &trial->arena, &trial->model, &err) ||
                cs_gpu_peak_find("a100", &gpu, &err));
    memcpy(trial->parameters, cs_kernel_parameters, sizeof(trial->parameters));
    trial->parameters[CS_KERNEL_SEND_HOST] = 0;
    trial->job = (struct cs_train_job){.model = &trial->model,
                                       .library = &train_linear_library,
                                       .gpu = gpu,
                                       .degrees.tensor = 1,
                                       .degrees.context = 1,
                                       .degrees.pipeline = 1,
                                       .degrees.chunks = 1,
                                       .degrees.accumulation = 1,
                                       .degrees.micro_batch = 8,
                                       .precision = CS_PRECISION_BF16,
                                       .parameters = trial->parameters};
    train_job_machine(trial, ranks);
}

static inline void train_job_close(struct train_job *trial)
{
    cs_arena_free(&trial->arena);
}

#define TRAIN_JOB_TEST(name) TEST_OF(struct train_job, trial, train_job_close, name)

/* The step of a job with the systems that share states; a refusal ends the test. */
static inline struct cs_train_step train_job_time(const struct cs_train_job *job)
{
    struct cs_train_step step = {0};

    assert_done(cs_train_step_time(job, &step, &err));
    return step;
}

/* The step of a system of that name; a refusal ends the test. */
static inline struct cs_train_step train_job_step(const struct train_job *trial, const char *system)
{
    const struct cs_train_system *found;
    struct cs_train_job job = trial->job;
    struct cs_train_step step = {0};

    assert_done(cs_train_system_find(system, &found, &err));
    cs_train_system_prepare(found, &job);
    assert_done_of(system, found->check(&job, &err) || found->time(&job, &step, &err));
    return step;
}

/* The message of a refusal. */
static inline const char *train_job_refusal(const struct train_job *trial, const char *system,
                                            struct cs_err *err)
{
    const struct cs_train_system *found;
    struct cs_train_job job = trial->job;

    *err = (struct cs_err){0};
    assert_int_equal(cs_train_system_find(system, &found, err), 0);
    cs_train_system_prepare(found, &job);
    assert_int_equal(found->check(&job, err), CS_EINPUT);
    return err->text;
}

/* Compute and calls alone: no time of hosts, of copies of buckets, no jitter and no
 * interference. */
static inline void train_job_no_overheads(struct train_job *trial)
{
    static const enum cs_kernel_parameter none[] = {
        CS_KERNEL_STEP_HOST, CS_KERNEL_BUCKET_HOST,   CS_KERNEL_BUCKET_COPIES, CS_KERNEL_UNIT_HOST,
        CS_KERNEL_JITTER,    CS_KERNEL_DEVICE_SPREAD, CS_KERNEL_INTERFERENCE,
    };

    for (size_t i = 0; i < sizeof(none) / sizeof(*none); ++i)
        trial->parameters[none[i]] = 0;
}

static inline double train_parts(const struct cs_train_step *step)
{
    return step->forward_s + step->backward_s + step->recompute_s + step->optimizer_s +
           step->host_s + step->interference_s + step->jitter_s + step->tensor_s + step->expert_s +
           step->context_s + step->pipeline_s + step->bubble_s + step->data_exposed_s +
           step->input_s;
}

/* The figure of the name, NAN without. */
static inline double train_figure(const struct cs_train_step *step, const char *name)
{
    for (uint32_t f = 0; f < step->figure_count; ++f)
        if (!strcmp(step->figures[f].name, name))
            return step->figures[f].value;
    return (double)NAN;
}

static inline bool train_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* Where sizes of calls are cut to whole bytes. */
static inline bool train_close(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)) + 1e-12;
}

static inline uint32_t train_draw(struct cs_random *random, uint32_t least, uint32_t most)
{
    return least + (uint32_t)cs_random_below(random, most - least + 1);
}

/* 1, 2, 4 ... up to 2^most. */
static inline uint32_t train_draw_power(struct cs_random *random, uint32_t most)
{
    return 1u << cs_random_below(random, most + 1);
}
