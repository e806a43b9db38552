/* Rows of a tied embedding against volumes by hand, and launches of one process. */
#include "scenarios/train/stages/embedding_rows.h"

#include "scenarios/train/memory/traffic.h"
#include "tests/train_job.h"

/* GPT-2 with 50257 words of 768 elements, 8 samples of 1024 tokens, in 16 bits. */
static const double rows_bytes = (50257 + 8. * 1024) * (768 * 2 + 8);

static void open_rows(struct train_job *trial, uint32_t ranks)
{
    train_job_open(trial, "gpt2-small", ranks);
    trial->job.degrees.data_kind = CS_DATA_DDP;
    trial->job.framework.gathered_rows = true;
}

TEST(rows_are_words_and_tokens)
{
    struct train_job trial;

    open_rows(&trial, 8);
    assert_true(cs_embedding_gathers_rows(&trial.job));
    assert_true(train_near(cs_embedding_rows_bytes(&trial.job), rows_bytes));
    trial.job.framework.gathered_rows = false;
    assert_false(cs_embedding_gathers_rows(&trial.job));
    train_job_close(&trial);
    train_job_open(&trial, "llama2-7b", 8);
    trial.job.framework.gathered_rows = true;
    assert_false(cs_embedding_gathers_rows(&trial.job)); /* untied */
    train_job_close(&trial);
    open_rows(&trial, 1);
    assert_false(cs_embedding_gathers_rows(&trial.job));
    train_job_close(&trial);
}

/* Processes: an all-gather; one process: to device 0 and away. */
TEST(rows_travel_by_the_processes)
{
    struct train_job trial;
    double seconds, rate;

    open_rows(&trial, 8);
    assert_done(cs_embedding_rows_s(&trial.job, &trial.site, &seconds, &err));
    assert_true(train_near(seconds, 7 * rows_bytes / TRAIN_BUS_BPS));
    trial.job.framework.one_process = true;
    rate = trial.site.link_Bps * trial.parameters[CS_KERNEL_SEND_RATE];
    assert_done(cs_embedding_rows_s(&trial.job, &trial.site, &seconds, &err));
    assert_true(train_near(seconds, (7 + 7 * 8) * rows_bytes / rate));
    train_job_close(&trial);
    open_rows(&trial, 16);
    trial.job.framework.one_process = true; /* of each of two nodes */
    assert_done(cs_embedding_rows_s(&trial.job, &trial.site, &seconds, &err));
    assert_true(train_near(seconds, 15 * rows_bytes / TRAIN_BUS_BPS));
    train_job_close(&trial);
}

/* The sum leaves the embedding out; the rows are sent besides. */
TRAIN_JOB_TEST(a_step_sends_rows_in_place_of_the_sum)
{
    struct cs_train_step rows, sum;
    double table = 50257. * 768 * 2, share = 2 * 7. / 8;

    open_rows(trial, 8);
    trial->job.framework.bucket_bytes = trial->job.framework.first_bucket_bytes = 0;
    assert_done(cs_train_step_time(&trial->job, &rows, &err));
    assert_true(train_near(cs_train_traffic_of(&trial->job).data,
                           share * (2 * trial->model.parameters - table) + 7 * rows_bytes));
    trial->job.framework.gathered_rows = false;
    assert_done(cs_train_step_time(&trial->job, &sum, &err));
    assert_true(fabs(rows.data_s - sum.data_s - (7 * rows_bytes - share * table) / TRAIN_BUS_BPS) <
                1e-9);
    assert_true(train_near(rows.step_s, train_parts(&rows)));
    assert_true(rows.data_exposed_s > sum.data_exposed_s);
}

/* A host that waits for each gradient launches nothing ahead: at most the device
 * and the launches of all devices of the process after one another. */
TRAIN_JOB_TEST(launches_behind_collectives_add_up)
{
    struct cs_train_step ahead, waits, turns, micro;
    double kernels = 0, launches;

    train_job_open(trial, "gpt2-small", 8);
    trial->job.degrees.data_kind = CS_DATA_DDP;
    trial->parameters[CS_KERNEL_LAUNCH_BACKWARD] = 50;
    for (uint32_t b = 0; b < trial->model.block_count; b++)
        kernels += trial->model.blocks[b].repeat * trial->model.blocks[b].kernels;
    launches = kernels * 50e-6;
    assert_done(cs_train_step_time(&trial->job, &ahead, &err));
    trial->job.framework.blocking_collectives = true;
    assert_done(cs_train_step_time(&trial->job, &waits, &err));
    assert_true(waits.backward_s > ahead.backward_s);
    assert_true(waits.backward_s <= ahead.backward_s + launches);
    trial->job.framework.launch_turns = 8;
    assert_done(cs_train_step_time(&trial->job, &turns, &err));
    assert_true(train_near(turns.backward_s - waits.backward_s, 7 * launches));
    trial->job.degrees.accumulation = 4; /* the last micro batch alone */
    assert_done(cs_train_step_time(&trial->job, &micro, &err));
    assert_true(
        train_near(micro.backward_s - 4 * ahead.backward_s, turns.backward_s - ahead.backward_s));
    trial->job.framework.device_graph = true;
    assert_done(cs_train_step_time(&trial->job, &micro, &err));
    assert_true(micro.backward_s < 4 * ahead.backward_s);
}
