/*
 * The time of a plan's case with a model: a training step.
 */
#include "scenarios/plan/cases/cases.h"
#include "scenarios/train/calibrate/step_fit.h"
#include "scenarios/train/search/layout_kind.h"
#include "scenarios/train/search/search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A transformer on many devices is divided by a search, unless degrees are given; NULL: the
 * system is the user's. */
static const char *default_system(const struct cs_train_options *given)
{
    const char *implied = given->implied ? given->implied->system : NULL;
    bool says_degrees =
        given->job.degrees.tensor || given->job.degrees.pipeline || given->job.degrees.context;

    if (given->system && given->system != implied)
        return NULL;
    if (!says_degrees)
        return "auto";
    return implied ? NULL : "hybrid";
}

static const char *setting_text(const struct cs_train_setup *setup, struct cs_arena *arena)
{
    const struct cs_train_job *job = &setup->job;
    struct cs_text text = {0};

    cs_text_printf(&text, "tp %u, pp %u, dp %u", job->degrees.tensor, job->degrees.pipeline,
                   job->degrees.data);
    if (job->degrees.context > 1)
        cs_text_printf(&text, ", cp %u", job->degrees.context);
    if (cs_train_expert(job) > 1)
        cs_text_printf(&text, ", ep %u", cs_train_expert(job));
    cs_text_printf(&text, ", micro batch %.4g", job->degrees.micro_batch);
    if (job->degrees.data_kind != CS_DATA_DDP)
        cs_text_printf(&text, ", %s", cs_data_kind_names[job->degrees.data_kind]);
    if (job->degrees.recompute != CS_RECOMPUTE_NONE)
        cs_text_printf(&text, ", %s recompute", cs_recompute_names[job->degrees.recompute]);
    cs_layout_note(job, &text);
    return cs_text_keep(&text, arena);
}

static int training_step(struct cs_train_setup *setup, struct cs_train_result *result,
                         struct cs_arena *arena, struct cs_err *err)
{
    struct cs_search *search;
    int code;

    if (!setup->system->searches)
        return setup->system->time(&setup->job, &result->step, err);
    search = cs_arena_alloc(arena, 1, sizeof(*search));
    *search = (struct cs_search){0};
    code = cs_train_search(&setup->job, search, err);
    if (code)
        return code;
    setup->job = search->best[0].job;
    result->step = search->best[0].step;
    return 0;
}

static int check_fits(const struct cs_train_setup *setup, const struct cs_train_step *step,
                      struct cs_err *err)
{
    double room = setup->job.gpu->memory_bytes;

    if (step->memory_bytes <= room)
        return 0;
    return cs_err_set(err, CS_EANSWER, "%.1f GiB on the peak device, %.1f GiB more than %s has",
                      step->memory_bytes / (1 << 30), (step->memory_bytes - room) / (1 << 30),
                      setup->job.gpu->name);
}

static void fill_time(const struct cs_train_result *result, struct cs_plan_time *time,
                      struct cs_arena *arena)
{
    const struct cs_train_step *step = &result->step;

    *time = (struct cs_plan_time){
        .time_s = step->step_s,
        .low_s = step->step_s / CS_STEP_INTERVAL,
        .high_s = step->step_s * CS_STEP_INTERVAL,
        .bound_s = (double)NAN,
        .rate = step->samples_per_s,
        .tokens_per_s = cs_train_tokens_per_s(result),
        .flops = step->flops,
        .flops_share = cs_train_flops_share(result),
        .memory_bytes = step->memory_bytes,
        .setting = setting_text(result->setup, arena),
        .framework = result->given->framework_entry,
        .largest = cs_train_bottleneck(step),
        .part_count = CS_TRAIN_PARTS,
    };
    cs_train_list_parts(step, time->parts);
}

/* Of a step, about: tokens of Llama 3 405B on 16,384 GPUs (arXiv 2407.21783 table 4), images of
 * ResNet-50 on 2,048 (arXiv 1807.11205). */
static const double most_tokens = 0x1p24, most_images = 0x1p16;

/* Samples of a step where the job says nothing, a multiple of `copies`: 8,192 tokens or 128
 * images of a GPU, by halves down to what people run on many; 0: neither. */
static uint32_t usual_batch(const struct cs_train_model *model, uint32_t gpus, uint32_t copies)
{
    uint32_t sequence = model->transformer.sequence, batch = gpus;
    double most = most_images;

    if (model->photos) {
        batch *= 128;
    } else if (model->transformer.layers) {
        batch *= sequence < 8192 ? 8192 / sequence : 1;
        most = most_tokens / sequence;
    } else {
        return 0;
    }
    while (batch > 1.5 * most && batch % (2 * copies) == 0)
        batch /= 2;
    return batch;
}

static bool has_batch(const struct cs_train_options *given)
{
    return given->global_batch || given->batch || given->job.kept.micro_batch ||
           given->job.kept.accumulation;
}

/* Fills what the user and the framework leave open; whether anything was.  A machine is
 * bought for what people run today: models whose own files have plain attention (GPT, BERT)
 * run with fused kernels, and none with a sample a GPU. */
static bool fill_settings(struct cs_train_options *given, uint32_t gpus,
                          const struct cs_train_setup *setup)
{
    const struct cs_train_model *model = &setup->model;
    bool is_changed = false;

    if (given->attention == CS_ATTENTIONS && !given->framework && model->transformer.layers &&
        model->transformer.attention == CS_ATTENTION_PLAIN) {
        given->attention = CS_ATTENTION_FLASH_3;
        is_changed = true;
    }
    if (!has_batch(given) && (model->photos || model->transformer.layers)) {
        bool divides = setup->system->searches && !model->photos;

        given->global_batch = usual_batch(model, gpus, divides ? 1 : setup->job.degrees.data);
        /* Of degrees that the user gives; a search finds its own. */
        if (setup->job.degrees.data < gpus)
            given->job.kept.micro_batch = 1;
        is_changed = true;
    }
    return is_changed;
}

/* Opens the job on the case's machine, again where its options leave something open. */
static int open_job(const struct cs_plan_options *options, const struct cs_plan_case *one,
                    struct cs_train_result *result, struct cs_train_setup *setup,
                    struct cs_err *err)
{
    struct cs_train_options *given =
        cs_arena_alloc(options->train.scenario.arena, 1, sizeof(*given));
    int code;

    *given = cs_plan_given(options, one);
    if (default_system(given))
        given->system = default_system(given);
    *setup = (struct cs_train_setup){0};
    *result = (struct cs_train_result){.given = given, .setup = setup};
    code = cs_train_setup_on(given, NULL, setup, err);
    if (!code && fill_settings(given, one->gpus, setup)) {
        *setup = (struct cs_train_setup){0};
        code = cs_train_setup_on(given, NULL, setup, err);
    }
    return code;
}

const struct cs_plan_options *cs_plan_as(const struct cs_plan_options *options,
                                         enum cs_plan_framework framework)
{
    struct cs_plan_options *as;

    if (!options->as[framework])
        return NULL;
    as = cs_arena_alloc(options->train.scenario.arena, 1, sizeof(*as));
    *as = *options;
    as->train = *options->as[framework];
    memset(as->as, 0, sizeof(as->as));
    return as;
}

/* How people train a language model on the GPUs of an open job; NULL: unknown, or the user
 * says how. */
static const struct cs_plan_options *usual_options(const struct cs_plan_options *options,
                                                   const struct cs_train_setup *setup)
{
    const struct cs_transformer *dims = &setup->model.transformer;

    if (!dims->layers || dims->encoder || dims->patch || setup->site.maker != CS_MAKER_NVIDIA)
        return NULL;
    switch (setup->job.gpu->generation) {
    case 80:
        return cs_plan_as(options, CS_PLAN_AMPERE);
    case 90:
    case 100:
    case 103:
        return cs_plan_as(options, CS_PLAN_HOPPER);
    default:
        return NULL;
    }
}

static int time_open(const struct cs_plan_options *options, const struct cs_plan_case *one,
                     struct cs_train_result *result, struct cs_train_setup *setup,
                     struct cs_err *err)
{
    int code;

    cs_plan_route(options, one, &setup->graph, &setup->site);
    code = training_step(setup, result, result->given->scenario.arena, err);
    return code ? code : check_fits(setup, &result->step, err);
}

int cs_plan_time_training(const struct cs_plan_options *options, const struct cs_plan_case *one,
                          struct cs_train_setup *setup, struct cs_train_result *result,
                          struct cs_plan_time *time, struct cs_err *err)
{
    const struct cs_plan_options *usual;
    int code = open_job(options, one, result, setup, err);

    usual = code ? NULL : usual_options(options, setup);
    if (usual) {
        struct cs_err unused = {0};

        /* What does not suit the settings, or does not fit with them, runs without. */
        if (!open_job(usual, one, result, setup, &unused) &&
            !time_open(usual, one, result, setup, &unused)) {
            fill_time(result, time, options->train.scenario.arena);
            return 0;
        }
        code = open_job(options, one, result, setup, err);
    }
    if (!code)
        code = time_open(options, one, result, setup, err);
    if (!code)
        fill_time(result, time, options->train.scenario.arena);
    return code;
}
