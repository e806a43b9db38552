/* The search for a configuration. */
#include "scenarios/train/search.h"
#include "scenarios/train/step.h"

#include "tests/train_job.h"

static void open_search(struct train_job *trial, const char *model,
                        uint32_t ranks)
{
    train_job_open(trial, model, ranks);
    trial->job.micro_batch = 4;
    trial->job.overlap = true;
    trial->job.bucket_bytes = 25 << 20;
}

/* Closed forms spare steps; the fastest stays the same. */
static void pruning_leaves_the_fastest(void **state)
{
    static const char *const models[] = {"gpt2-small", "bert-base", "resnet50",
                                         "gpt3-1.3b"};

    (void)state;
    for (size_t m = 0; m < sizeof(models) / sizeof(*models); ++m) {
        struct train_job trial;
        struct cs_search pruned = {0}, all = {.exhaustive = true};
        struct cs_err err = {0};

        open_search(&trial, models[m], 8);
        assert_int_equal(cs_train_search(&trial.job, &pruned, &err), 0);
        assert_int_equal(cs_train_search(&trial.job, &all, &err), 0);
        assert_true(pruned.best[0].step.step_s == all.best[0].step.step_s);
        assert_true(pruned.computed <= all.computed);
        assert_true(all.bounded == 0);
        train_job_close(&trial);
    }
}

/* Each is a job of all ranks at the global batch, within the memory. */
static void the_best_are_sorted_jobs_that_fit(void **state)
{
    struct train_job trial;
    struct cs_search search = {0};
    struct cs_err err = {0};

    (void)state;
    open_search(&trial, "llama2-7b", 16);
    assert_int_equal(cs_train_search(&trial.job, &search, &err), 0);
    assert_int_equal(search.count, CS_SEARCH_BEST);
    for (uint32_t f = 0; f < search.count; ++f) {
        const struct cs_train_job *job = &search.best[f].job;
        struct cs_train_step step;

        assert_int_equal(job->tensor * job->context * job->data * job->pipeline,
                         16);
        assert_true(job->micro_batch * job->accumulation * job->data == 64);
        assert_int_equal(cs_train_step_time(job, &step, &err), 0);
        assert_true(step.step_s == search.best[f].step.step_s);
        assert_true(step.memory_bytes <= job->gpu->memory_bytes);
        assert_true(!f || step.step_s >= search.best[f - 1].step.step_s);
    }
    train_job_close(&trial);
}

static void given_degrees_are_kept(void **state)
{
    struct train_job trial;
    struct cs_search search = {0};
    struct cs_err err = {0};

    (void)state;
    open_search(&trial, "llama2-7b", 16);
    trial.job.tensor = 4;
    trial.job.data = 4;
    assert_int_equal(cs_train_search(&trial.job, &search, &err), 0);
    for (uint32_t f = 0; f < search.count; ++f)
        assert_int_equal(search.best[f].job.tensor, 4);
    train_job_close(&trial);
}

static void kept_settings_are_those_of_every_configuration(void **state)
{
    struct train_job trial;
    struct cs_search search = {0};
    struct cs_err err = {0};

    (void)state;
    open_search(&trial, "llama2-7b", 16);
    trial.job.recompute = CS_RECOMPUTE_FULL;
    trial.job.recompute_layers = 5;
    trial.job.kept = (struct cs_train_kept){
        .chunks = 3, .micro_batch = 1, .accumulation = 8, .recompute = true};
    assert_int_equal(cs_train_search(&trial.job, &search, &err), CS_EINPUT);
    trial.job.kept.chunks = 2;
    assert_int_equal(cs_train_search(&trial.job, &search, &err), 0);
    assert_true(search.count > 0);
    for (uint32_t f = 0; f < search.count; ++f) {
        const struct cs_train_job *job = &search.best[f].job;

        assert_true(job->chunks == 2 && job->micro_batch == 1);
        assert_int_equal(job->accumulation, 8);
        assert_true(job->recompute == CS_RECOMPUTE_FULL);
        assert_int_equal(job->recompute_layers, 5);
        assert_true(cs_train_chunk_layers(job) >= 5);
    }
    train_job_close(&trial);
}

/* 405 billion parameters on eight GPUs of 80 GiB. */
static void a_model_that_fits_nowhere_states_the_least(void **state)
{
    struct train_job trial;
    struct cs_search search = {0};
    struct cs_err err = {0};

    (void)state;
    open_search(&trial, "llama3-405b", 8);
    assert_int_equal(cs_train_search(&trial.job, &search, &err), CS_EANSWER);
    assert_non_null(strstr(err.text, "fits the 80 GiB of a100"));
    assert_true(search.least_bytes > trial.job.gpu->memory_bytes);
    assert_true(search.computed == 0);
    train_job_close(&trial);
}

/* 175 billion parameters on 512 GPUs: tensor parallelism stays inside a node. */
static void large_models_stay_inside_nodes_with_tensor_ranks(void **state)
{
    struct train_job trial;
    struct cs_search search = {0};
    struct cs_err err = {0};

    (void)state;
    open_search(&trial, "gpt3-175b", 512);
    trial.job.micro_batch = 3;
    assert_int_equal(cs_train_search(&trial.job, &search, &err), 0);
    assert_true(search.best[0].job.tensor <= 8);
    assert_true(search.tried > 1000 && search.too_large > 0);
    train_job_close(&trial);
}

static void the_limit_is_the_largest_loss(void **state)
{
    struct cs_train_step step = {
        .forward_s = 9, .backward_s = 20, .bubble_s = 3, .data_exposed_s = 2};
    double seconds;

    (void)state;
    assert_string_equal(cs_train_limit(&step, &seconds), "bubble");
    assert_true(seconds == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pruning_leaves_the_fastest),
        cmocka_unit_test(the_best_are_sorted_jobs_that_fit),
        cmocka_unit_test(given_degrees_are_kept),
        cmocka_unit_test(kept_settings_are_those_of_every_configuration),
        cmocka_unit_test(a_model_that_fits_nowhere_states_the_least),
        cmocka_unit_test(large_models_stay_inside_nodes_with_tensor_ranks),
        cmocka_unit_test(the_limit_is_the_largest_loss),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
