#include "scenarios/train/command/batch.h"

#include "sim/base/hint.h"

static uint32_t batch_or_one(uint32_t number)
{
    return number ? number : 1;
}

/* Samples of a step for each data parallel rank; 0: not given. */
static int rank_batch(const struct cs_train_options *given, uint32_t data, uint32_t *batch,
                      struct cs_err *err)
{
    *batch = given->batch;
    if (!given->global_batch)
        return 0;
    if (given->global_batch < data)
        return cs_err_set(
            err, CS_EINPUT, "a global batch of %u is smaller than %u data parallel ranks%s",
            given->global_batch, data, cs_hint_multiples(data, given->global_batch).text);
    if (given->global_batch % data)
        return cs_err_set(
            err, CS_EINPUT, "a global batch of %u does not divide over %u data parallel ranks%s",
            given->global_batch, data, cs_hint_multiples(data, given->global_batch).text);
    *batch = given->global_batch / data;
    if (given->batch && given->batch != *batch)
        return cs_err_set(
            err, CS_EINPUT,
            "--global-batch %u is %u for each of %u data parallel ranks, not --batch %u",
            given->global_batch, *batch, data, given->batch);
    return 0;
}

/* Systems with a split of their own take a global batch that does not divide. */
static int whole_batch(const struct cs_train_options *given, bool searches,
                       struct cs_train_job *job, struct cs_err *err)
{
    uint64_t times = batch_or_one(given->job.kept.accumulation);
    uint64_t all = given->global_batch, micro;

    if (given->batch)
        all = (uint64_t)given->batch * job->degrees.data;
    if (given->job.kept.micro_batch && !(searches && all))
        all = given->job.kept.micro_batch * times * job->degrees.data;
    if (!all)
        all = times * job->degrees.data;
    if ((given->batch || given->job.kept.micro_batch) && given->global_batch &&
        all != given->global_batch)
        return cs_err_set(err, CS_EINPUT,
                          "--global-batch %u is not that of the other options, %llu",
                          given->global_batch, (unsigned long long)all);
    if (searches)
        times = 1;
    if (all % times)
        return cs_err_set(err, CS_EINPUT,
                          "a global batch of %llu does not divide into %llu micro batches",
                          (unsigned long long)all, (unsigned long long)times);
    micro = all / times;
    if (micro < job->degrees.data && !searches)
        return cs_err_set(err, CS_EINPUT, "a batch of %llu is smaller than %u devices",
                          (unsigned long long)micro, job->degrees.data);
    job->degrees.accumulation = (uint32_t)times;
    job->degrees.micro_batch = (double)micro / job->degrees.data;
    return 0;
}

static int divided_batch(const struct cs_train_options *given, struct cs_train_job *job,
                         struct cs_err *err)
{
    uint32_t batch, micro = given->job.kept.micro_batch, times = given->job.kept.accumulation;
    int code = rank_batch(given, job->degrees.data, &batch, err);

    if (code)
        return code;
    if (!batch)
        batch = batch_or_one(micro) * batch_or_one(times);
    if (!micro && !times)
        micro =
            job->degrees.pipeline > 1 && job->degrees.schedule != CS_SCHEDULE_SERIAL ? 1 : batch;
    if (!micro && batch % times && job->degrees.schedule == CS_SCHEDULE_GPIPE) {
        job->degrees.micro_batch = (double)batch / times; /* torchgpipe: chunks in any number */
        job->degrees.accumulation = times;
        return 0;
    }
    if (!micro && batch % times)
        return cs_err_set(err, CS_EINPUT,
                          "a batch of %u for each data parallel rank does not divide into %u micro "
                          "batches (--accumulation)%s",
                          batch, times, cs_hint_divisors(batch, times).text);
    if (!micro)
        micro = batch / times;
    if (!times)
        times = batch / batch_or_one(micro);
    if (micro && batch % micro && !given->job.kept.accumulation)
        return cs_err_set(
            err, CS_EINPUT,
            "a batch of %u for each data parallel rank does not divide into micro batches of %u%s",
            batch, micro, cs_hint_divisors(batch, micro).text);
    if ((uint64_t)micro * times != batch)
        return cs_err_set(
            err, CS_EINPUT,
            "a batch of %u for each data parallel rank is not micro batch %u x accumulation %u",
            batch, micro, times);
    job->degrees.micro_batch = micro;
    job->degrees.accumulation = times;
    job->kept.micro_batch = job->kept.accumulation = 0;
    return 0;
}

int cs_train_set_batch(const struct cs_train_options *given, const struct cs_train_system *system,
                       struct cs_train_job *job, struct cs_err *err)
{
    return system->splits_batch ? whole_batch(given, system->searches, job, err)
                                : divided_batch(given, job, err);
}
