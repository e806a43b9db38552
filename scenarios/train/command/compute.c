#include "scenarios/train/command/compute.h"

#include "scenarios/train/parallel/one_device.h"
#include "scenarios/train/systems/figures.h"
#include "scenarios/train/systems/mindspore_cost.h"

/* Samples a second of one device with the same micro batches. */
static int one_device(const struct cs_train_job *job, double *samples_per_s, struct cs_err *err)
{
    struct cs_train_step step;
    int code = cs_train_one_device(job, job->degrees.micro_batch, &step, err);

    if (!code)
        *samples_per_s = step.samples_per_s;
    return code;
}

/* The fastest configuration becomes the job. */
static int search_job(struct cs_train_setup *setup, struct cs_search *search,
                      struct cs_train_result *result, struct cs_err *err)
{
    int code = cs_train_search(&setup->job, search, err);

    if (code)
        return code;
    for (uint32_t f = 0; f < search->count; ++f) {
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
    int code = cs_train_setup_open(given, setup, err);

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
