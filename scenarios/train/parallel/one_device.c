#include "scenarios/train/parallel/one_device.h"

#include "scenarios/train/parallel/step.h"

int cs_train_one_device(const struct cs_train_job *job, double micro_batch,
                        struct cs_train_step *step, struct cs_err *err)
{
    struct cs_site site = *job->site;
    struct cs_train_job one = *job;

    site.ranks = site.nodes = site.node_ranks = 1;
    one.site = &site;
    one.tensor = one.context = one.data = one.pipeline = one.chunks = 1;
    one.expert = one.expert_tensor = 0;
    one.data_kind = CS_DATA_DDP;
    one.micro_batch = micro_batch;
    one.cuts = NULL;
    one.cut_count = 0;
    one.slot_overhead_s = 0;
    one.log = NULL;
    one.loader_samples_per_s = 0;
    return cs_train_step_time(&one, step, err);
}
