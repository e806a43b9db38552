/* The search for a configuration. */
#include "scenarios/train/kernels/open.h"
#include "scenarios/train/search/search.h"

#include "tests/train_job.h"

#include <assert.h>

struct searching {
    struct train_job trial;
    struct cs_search search;
    struct cs_err err;
};

static void searching_free(struct searching *searching)
{
    train_job_close(&searching->trial);
}

static struct searching open_search(const char *model, uint32_t ranks)
{
    struct searching of = {0};

    train_job_open(&of.trial, model, ranks);
    of.trial.job.degrees.micro_batch = 4;
    of.trial.job.framework.overlap = true;
    of.trial.job.framework.bucket_bytes = 25 << 20;
    return of;
}

static void search(struct searching *of, int code)
{
    assert_int_equal(cs_train_search(&of->trial.job, &of->search, &of->err), code);
}

/* Closed forms spare steps; the fastest stays the same. */
TEST(pruning_leaves_the_fastest)
{
    static const char *const models[] = {"gpt2-small", "bert-base", "resnet50", "gpt3-1.3b"};

    for (size_t m = 0; m < sizeof(models) / sizeof(*models); ++m) {
        CS_AT_END(searching_free) struct searching of = open_search(models[m], 8);
        struct cs_search pruned;

        search(&of, 0);
        pruned = of.search;
        of.search = (struct cs_search){.exhaustive = true};
        search(&of, 0);
        assert_true(pruned.best[0].step.step_s == of.search.best[0].step.step_s);
        assert_true(pruned.computed <= of.search.computed);
        assert_true(of.search.bounded == 0);
    }
}

/* 4 samples more in each of 3 micro batches of 2 copies, forward and backward on 16
 * ranks; of 4 stages with 2 chunks each idle 3/2 of the 3 micro batches' time. */
TRAIN_JOB_TEST(a_bound_has_the_products_of_a_rank_and_the_idle_stages)
{
    struct cs_kernels kernels;
    double bound_s, more_s;

    train_job_open(trial, "gpt3-1.3b", 16);
    assert_int_equal(cs_kernels_open(trial->job.gpu, trial->job.precision, trial->job.parameters,
                                     &kernels, NULL),
                     0);
    trial->job.degrees.tensor = 2;
    trial->job.degrees.data = 2;
    trial->job.degrees.pipeline = 4;
    trial->job.degrees.chunks = 2;
    trial->job.degrees.accumulation = 3;
    bound_s = cs_train_bound_s(&trial->job);
    trial->job.degrees.micro_batch += 4;
    more_s = cs_train_bound_s(&trial->job) - bound_s;
    assert_true(train_near(more_s, 4 * 3 * 2 * 3 * cs_train_model_flops(&trial->model) / 16 /
                                       kernels.flops_per_s * (1 + 1.5 / 3)));
}

/* Each is a job of all ranks at the global batch, within the memory. */
TEST(the_best_are_sorted_jobs_that_fit)
{
    CS_AT_END(searching_free) struct searching of = open_search("llama2-7b", 16);

    search(&of, 0);
    assert_int_equal(of.search.count, CS_SEARCH_BEST);
    for (uint32_t f = 0; f < of.search.count; ++f) {
        const struct cs_train_job *job = &of.search.best[f].job;
        struct cs_train_step step;

        assert_int_equal(job->degrees.tensor * job->degrees.context * job->degrees.data *
                             job->degrees.pipeline,
                         16);
        assert_true(job->degrees.micro_batch * job->degrees.accumulation * job->degrees.data == 64);
        assert_int_equal(cs_train_step_time(job, &step, &of.err), 0);
        assert_true(step.step_s == of.search.best[f].step.step_s);
        assert_true(step.memory_bytes <= job->gpu->memory_bytes);
        assert_true(!f || step.step_s >= of.search.best[f - 1].step.step_s);
    }
}

TEST(given_degrees_are_kept)
{
    CS_AT_END(searching_free) struct searching of = open_search("llama2-7b", 16);

    of.trial.job.degrees.tensor = 4;
    of.trial.job.degrees.data = 4;
    search(&of, 0);
    for (uint32_t f = 0; f < of.search.count; ++f)
        assert_int_equal(of.search.best[f].job.degrees.tensor, 4);
}

TEST(kept_settings_are_those_of_every_configuration)
{
    CS_AT_END(searching_free) struct searching of = open_search("llama2-7b", 16);

    of.trial.job.degrees.recompute = CS_RECOMPUTE_FULL;
    of.trial.job.degrees.recompute_layers = 5;
    of.trial.job.kept =
        (struct cs_train_kept){.chunks = 3, .micro_batch = 1, .accumulation = 8, .recompute = true};
    search(&of, CS_EINPUT);
    of.trial.job.kept.chunks = 2;
    search(&of, 0);
    assert_true(of.search.count > 0);
    for (uint32_t f = 0; f < of.search.count; ++f) {
        const struct cs_train_job *job = &of.search.best[f].job;

        assert_true(job->degrees.chunks == 2 && job->degrees.micro_batch == 1);
        assert_int_equal(job->degrees.accumulation, 8);
        assert_true(job->degrees.recompute == CS_RECOMPUTE_FULL);
        assert_int_equal(job->degrees.recompute_layers, 5);
        assert_true(cs_train_chunk_layers(job) >= 5);
    }
}

/* Each layout once, and experts on several ranks, as in all publications. */
TEST(layouts_are_listed_once)
{
    CS_AT_END(searching_free) struct searching of = open_search("mixtral-8x7b", 64);

    search(&of, 0);
    assert_true(of.search.count > 2 && !of.search.unusual);
    for (uint32_t f = 0; f < of.search.count; ++f) {
        const struct cs_train_degrees *degrees = &of.search.best[f].job.degrees;

        assert_true(degrees->expert > 1);
        for (uint32_t g = 0; g < f; ++g) {
            const struct cs_train_degrees *other = &of.search.best[g].job.degrees;

            assert_true(of.search.best[g].step.step_s <= of.search.best[f].step.step_s);
            assert_true(degrees->tensor != other->tensor || degrees->context != other->context ||
                        degrees->pipeline != other->pipeline || degrees->expert != other->expert);
        }
    }
}

/* 405 billion parameters on eight GPUs of 80 GiB. */
TEST(a_model_that_fits_nowhere_states_the_least)
{
    CS_AT_END(searching_free) struct searching of = open_search("llama3-405b", 8);

    search(&of, CS_EANSWER);
    assert_non_null(strstr(of.err.text, "fits the 80 GiB of a100"));
    assert(of.trial.job.gpu);
    assert_true(of.search.least_bytes > of.trial.job.gpu->memory_bytes);
    assert_true(of.search.computed == 0);
}

/* 175 billion parameters on 512 GPUs: tensor parallelism stays inside a node. */
TEST(large_models_stay_inside_nodes_with_tensor_ranks)
{
    CS_AT_END(searching_free) struct searching of = open_search("gpt3-175b", 512);

    of.trial.job.degrees.micro_batch = 3;
    search(&of, 0);
    assert_true(of.search.best[0].job.degrees.tensor <= 8);
    assert_true(of.search.tried > 1000 && of.search.too_large > 0);
}
/* 2,048 tokens stay whole if that fits; otherwise, or if the user asks for it, they are
 * divided. */
TEST(a_context_degree_leaves_as_many_tokens_as_people_run)
{
    CS_AT_END(searching_free) struct searching of = open_search("gpt3-1.3b", 16);

    search(&of, 0);
    for (uint32_t f = 0; f < of.search.count; ++f)
        assert_int_equal(of.search.best[f].job.degrees.context, 1);
    of.trial.job.degrees.context = 4;
    search(&of, 0);
    assert_int_equal(of.search.best[0].job.degrees.context, 4);
    of.trial.job.degrees.context = 1;
    of.trial.model.transformer.sequence = 8192;
    search(&of, 0);
    for (uint32_t f = 0; f < of.search.count; ++f)
        assert_true(of.search.best[f].job.degrees.context <= 2);
}

TEST(the_limit_is_the_largest_loss)
{
    struct cs_train_step step = {
        .forward_s = 9, .backward_s = 20, .bubble_s = 3, .data_exposed_s = 2};
    struct cs_train_part limit = cs_train_limit(&step, 2);

    assert_string_equal(limit.name, "bubble");
    assert_true(limit.seconds == 3);
}
