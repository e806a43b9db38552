#include "scenarios/train/parallel/one_device.h"

#include "scenarios/train/parallel/step.h"

int cs_train_one_device(const struct cs_train_job *job, double micro_batch,
                        struct cs_train_step *step, struct cs_err *err)
{
    struct cs_site site = *job->site;
    struct cs_train_job one = *job;

    site.ranks = site.nodes = site.node_ranks = 1;
    one.site = &site;
    one.degrees.tensor = one.degrees.context = one.degrees.data = one.degrees.pipeline =
        one.degrees.chunks = 1;
    one.degrees.expert = one.degrees.expert_tensor = 0;
    one.degrees.data_kind = CS_DATA_DDP;
    one.degrees.micro_batch = micro_batch;
    one.degrees.cuts = NULL;
    one.degrees.cut_count = 0;
    one.slot_overhead_s = 0;
    one.log = NULL;
    one.loader_samples_per_s = 0;
    return cs_train_step_time(&one, step, err);
}
