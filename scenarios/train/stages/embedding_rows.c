#include "scenarios/train/stages/embedding_rows.h"

enum {
    ROW_NUMBER_BYTES = 8
};

bool cs_embedding_gathers_rows(const struct cs_train_job *job)
{
    return job->framework.gathered_rows && job->model->transformer.tied && cs_train_copies(job) > 1;
}

double cs_embedding_rows_bytes(const struct cs_train_job *job)
{
    const struct cs_transformer *dims = &job->model->transformer;
    double rows =
        dims->vocabulary + job->degrees.micro_batch * dims->sequence / job->degrees.context;

    return rows * ((double)dims->hidden / job->degrees.tensor * cs_train_gradient_width(job) +
                   ROW_NUMBER_BYTES);
}

/* One process copies between its devices; processes call the library. */
static bool through_device_0(const struct cs_train_job *job, const struct cs_site *group)
{
    return job->framework.one_process && group->nodes < 2;
}

double cs_embedding_rows_sent(const struct cs_train_job *job, const struct cs_site *group)
{
    double peers = group->ranks - 1.;
    double times = through_device_0(job, group) ? group->ranks * peers : peers;

    return times * cs_embedding_rows_bytes(job);
}

int cs_embedding_rows_s(const struct cs_train_job *job, const struct cs_site *group,
                        double *seconds, struct cs_err *err)
{
    double bytes = cs_embedding_rows_bytes(job);
    struct cs_train_call call;
    int code = 0;

    if (through_device_0(job, group)) {
        *seconds = cs_train_send_s(job, 1, (group->ranks - 1) * bytes) +
                   cs_train_send_s(job, 1, cs_embedding_rows_sent(job, group));
        return 0;
    }
    code =
        cs_train_collective(job, group, &cs_collective_allgather, group->ranks * bytes, &call, err);
    *seconds = call.seconds;
    return code;
}
