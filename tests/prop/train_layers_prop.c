/*
 * Collectives inside layers against closed forms: sums of tensor parallelism, gathers of
 * context parallelism, with sequence parallelism, recomputation and stages.
 *
 * Calls take bus bytes over the rate of their places (train_levels_library).
 */
#include "scenarios/train/memory/traffic.h"

#include "tests/train_job.h"

enum {
    TRIALS = 200,
    NODE = 8,
};

/* Tensor parallel ranks first, then those of context, then those of data. */
static void draw_job(struct train_job *trial, struct cs_random *random)
{
    static const char *const names[] = {"gpt2-small", "llama2-7b", "bert-large"};
    uint32_t tensor = train_draw_power(random, 4), context = train_draw_power(random, 3);
    struct cs_train_job *job = &trial->job;

    train_job_open(trial, names[cs_random_below(random, 3)], 1);
    train_job_no_overheads(trial);
    /* Scores hide gathers of keys: none here. */
    for (int a = CS_ATTENTION_PLAIN; a <= CS_ATTENTION_FLASH_3; ++a)
        trial->parameters[CS_KERNEL_ATTENTION + a] = 1e12;
    train_job_machine(trial, tensor * context * 2);
    job->library = &train_levels_library;
    job->degrees.tensor = tensor;
    job->degrees.context = context;
    job->degrees.data = 2;
    job->degrees.sequence_parallel = tensor > 1 && cs_random_below(random, 2);
    job->degrees.micro_batch = train_draw_power(random, 3);
    job->degrees.accumulation = train_draw_power(random, 3);
    job->framework.early_stop = cs_random_below(random, 2);
    job->degrees.recompute = (enum cs_recompute)cs_random_below(random, CS_RECOMPUTES);
    if (job->degrees.recompute == CS_RECOMPUTE_FULL && cs_random_below(random, 2))
        job->degrees.recompute_layers = 6;
    if (cs_random_below(random, 2))
        job->degrees.schedule = CS_SCHEDULE_GPIPE;
}

/* Bytes/s of so many ranks, so far apart. */
static double group_Bps(uint32_t stride, uint32_t size)
{
    uint32_t inside = 0;

    for (uint32_t i = 0; i < size; ++i)
        inside += i * stride < NODE;
    return train_levels_Bps(inside < size ? 2 : 1, inside);
}

/* Share of the passes of layers that run again: of the chosen layers, in GPipe's order
 * not of the last micro batch. */
static double again(const struct cs_train_job *job)
{
    double share = job->degrees.recompute_layers ? 6. / job->model->transformer.layers : 1;

    if (job->degrees.recompute != CS_RECOMPUTE_FULL)
        return 0;
    if (job->degrees.schedule == CS_SCHEDULE_GPIPE)
        share *= 1 - 1. / job->degrees.accumulation;
    return share;
}

/* All-reduces of b s h/c in a micro batch: two of each layer forward and backward, one
 * each of embedding and head; in sequence parallelism two gathers more, half an
 * all-reduce each.  An early stop spares the last sum, a reduce-scatter. */
static double sums(const struct cs_train_job *job)
{
    double half = job->degrees.sequence_parallel ? .5 : 1;
    double layer = 4 + (job->degrees.sequence_parallel ? 1 : 0) +
                   again(job) * (2 - (job->framework.early_stop ? half : 0));

    return layer * job->model->transformer.layers + 2;
}

static void check(const struct train_job *trial)
{
    const struct cs_train_job *job = &trial->job;
    const struct cs_transformer *dims = &job->model->transformer;
    struct cs_train_step step = train_job_time(job);
    struct cs_train_traffic traffic = cs_train_traffic_of(job);
    double t = job->degrees.tensor, c = job->degrees.context, micro = job->degrees.accumulation;
    double tokens = job->degrees.micro_batch * dims->sequence;
    double sent = micro * sums(job) * 2 * (t - 1) / t * 2 * tokens / c * dims->hidden;
    double keys = 2. * dims->kv_heads * dims->hidden / dims->heads / t;
    /* Gathered forward and backward, and the gradients summed. */
    double gathered = micro * dims->layers * (3 + again(job)) * (c - 1) / c * 2 * tokens * keys;
    /* Scores without FlashAttention take their traffic. */
    bool hidden = dims->attention == CS_ATTENTION_PLAIN;

    if (!train_close(step.tensor_s, sent / group_Bps(1, job->degrees.tensor)) ||
        !train_close(traffic.tensor, sent))
        fail_msg("%s, tp %u, cp %u: %g s, expected %g; %g bytes of %g", job->model->name,
                 job->degrees.tensor, job->degrees.context, step.tensor_s,
                 sent / group_Bps(1, job->degrees.tensor), traffic.tensor, sent);
    if (hidden ? step.context_s > gathered / group_Bps(job->degrees.tensor, job->degrees.context)
               : !train_close(step.context_s,
                              gathered / group_Bps(job->degrees.tensor, job->degrees.context)))
        fail_msg("%s, tp %u, cp %u: %g s, expected %g", job->model->name, job->degrees.tensor,
                 job->degrees.context, step.context_s,
                 gathered / group_Bps(job->degrees.tensor, job->degrees.context));
    assert_true(train_close(traffic.context, gathered));
}

TEST(layers_call_what_their_degrees_take)
{
    uint32_t checked = 0;

    for (uint64_t t = 0; t < TRIALS; ++t) {
        struct cs_random *random = cs_random_open(fixture_seed() + t, "layers");
        CS_AT_END(train_job_close) struct train_job trial;

        draw_job(&trial, random);
        if (!cs_train_job_check(&trial.job, NULL)) {
            check(&trial);
            checked++;
        }
        cs_random_close(random);
    }
    assert_true(checked > TRIALS / 2);
}
