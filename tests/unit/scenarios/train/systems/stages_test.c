/* Layer splits and pipelines. */
#include "scenarios/train/job/job.h"
#include "scenarios/train/memory/memory.h"

#include "tests/train_job.h"

/* ResNet-50 on two GPUs: 120 images take 1.34 s in a layer split, and a stage
 * .00786 s more for each micro batch (PyTorch's model parallel tutorial, three
 * batches; the overhead is fitted there, at micro batches of 20). */
static void open_tutorial(struct train_job *trial)
{
    train_job_open(trial, "resnet50", 2);
    trial->job.degrees.micro_batch = 120;
    trial->job.precision = CS_PRECISION_FP32;
    trial->job.sample_s = 1.34 / 120;
    trial->job.slot_overhead_s = .00786;
    trial->parameters[CS_KERNEL_STEP_HOST] = 0;
}

TRAIN_JOB_TEST(the_published_pipeline_is_fastest_near_splits_of_12)
{
    struct cs_train_step step;
    double best;

    open_tutorial(trial);
    step = train_job_step(trial, "pipeline");
    best = train_figure(&step, "m of the fastest split");
    /* Tested splits beside 12 are 10 and 20 images. */
    assert_true(best >= 120 / 20. && best <= 120 / 10.);
    assert_true(fabs(train_figure(&step, "step of the fastest split") / (2.43 / 3) - 1) < .05);
}

/* A layer split computes all stages in turn; transfers are small here. */
TRAIN_JOB_TEST(a_layer_split_takes_the_sum_of_its_stages)
{
    struct cs_train_step step, one;

    train_job_open(trial, "vgg16", 4);
    trial->site.link_Bps = 1e24;
    trial->job.degrees.micro_batch = 64;
    step = train_job_step(trial, "mp");
    assert_done(cs_train_one_device(&trial->job, 64, &one, &err));
    assert_true(train_near(step.step_s, train_parts(&step)));
    assert_true(train_near(step.step_s - step.optimizer_s, one.step_s - one.optimizer_s));
    assert_true(train_figure(&step, "idle share of a device") > .5);
}

TRAIN_JOB_TEST(a_pipeline_beats_its_layer_split)
{
    struct cs_train_step split, pipeline;

    train_job_open(trial, "llama2-7b", 8);
    trial->job.degrees.micro_batch = 1;
    trial->job.degrees.accumulation = 16;
    split = train_job_step(trial, "mp");
    pipeline = train_job_step(trial, "pipeline");
    assert_true(pipeline.step_s < split.step_s);
    assert_true(pipeline.step_s > split.step_s / 8);
}

/* Stages in chunks send beside the passes: only those of the first micro batch show. */
TRAIN_JOB_TEST(chunks_hide_their_sends)
{
    struct cs_train_step whole, chunks;

    train_job_open(trial, "gpt2-small", 2);
    trial->job.degrees.data = 1;
    trial->job.degrees.pipeline = 2;
    trial->job.degrees.accumulation = 16;
    whole = train_job_step(trial, "pipeline");
    assert_true(train_near(whole.pipeline_s, 16 * cs_train_slot_sends_s(&trial->job)));
    trial->job.degrees.chunks = 2;
    chunks = train_job_step(trial, "pipeline");
    assert_true(chunks.pipeline_s == 0);
    assert_true(chunks.step_s < whole.step_s);
}

/* GPipe keeps all micro batches, 1F1B as many as stages follow, a layer split
 * one. */
TRAIN_JOB_TEST(schedules_keep_their_micro_batches)
{
    train_job_open(trial, "gpt2-small", 4);
    trial->job.degrees.data = 1;
    trial->job.degrees.pipeline = 4;
    trial->job.degrees.accumulation = 10;
    for (uint32_t stage = 0; stage < 4; ++stage) {
        trial->job.degrees.schedule = CS_SCHEDULE_1F1B;
        assert_true(cs_train_in_flight(&trial->job, stage) == 4 - stage);
        trial->job.degrees.schedule = CS_SCHEDULE_GPIPE;
        assert_true(cs_train_in_flight(&trial->job, stage) == 10);
        trial->job.degrees.schedule = CS_SCHEDULE_SERIAL;
        assert_true(cs_train_in_flight(&trial->job, stage) == 1);
    }
    trial->job.degrees.schedule = CS_SCHEDULE_1F1B;
    trial->job.degrees.accumulation = 2;
    assert_true(cs_train_in_flight(&trial->job, 0) == 2);
}

/* All but the last micro batch are computed again, and keep inputs alone. */
TRAIN_JOB_TEST(gpipe_recomputes_all_but_the_last_micro_batch)
{
    struct cs_train_step kept, again;

    train_job_open(trial, "gpt2-xl", 4);
    trial->job.degrees.schedule = CS_SCHEDULE_GPIPE;
    for (uint32_t m = 1; m <= 4; m *= 4) {
        trial->job.degrees.data = 1;
        trial->job.degrees.pipeline = 4;
        trial->job.degrees.accumulation = m;
        trial->job.degrees.recompute = CS_RECOMPUTE_NONE;
        kept = train_job_step(trial, "pipeline");
        trial->job.degrees.recompute = CS_RECOMPUTE_FULL;
        again = train_job_step(trial, "pipeline");
        assert_true((again.recompute_s > 0) == (m > 1));
        assert_true(m > 1 ? again.activation_bytes < kept.activation_bytes / 2
                          : again.activation_bytes == kept.activation_bytes);
        assert_true(again.activation_bytes >= kept.activation_bytes / m);
    }
}

/* The tutorial cuts behind layer2: stem and seven blocks. */
TRAIN_JOB_TEST(cuts_by_hand_move_the_stages)
{
    static const uint32_t behind_layer2[] = {8}, behind_stem[] = {1};
    struct cs_train_step even, uneven;

    open_tutorial(trial);
    trial->job.degrees.cuts = behind_layer2;
    trial->job.degrees.cut_count = 1;
    even = train_job_step(trial, "pipeline");
    trial->job.degrees.cuts = behind_stem;
    uneven = train_job_step(trial, "pipeline");
    assert_true(uneven.forward_s > even.forward_s);
}

/* Two stages on each rank: half the gaps or less, and the parameters twice. */
TRAIN_JOB_TEST(both_ends_fill_a_pipeline)
{
    struct cs_train_step plain, dual;
    struct cs_err err = {0};

    train_job_open(trial, "gpt3-6.7b", 16);
    trial->job.degrees.pipeline = 8;
    trial->job.degrees.data = 2;
    trial->job.degrees.accumulation = 16;
    trial->job.degrees.micro_batch = 1;
    plain = train_job_step(trial, "zero1");
    trial->job.degrees.schedule = CS_SCHEDULE_DUALPIPE;
    dual = train_job_step(trial, "zero1");
    assert_true(dual.bubble_s > 0 && dual.bubble_s < plain.bubble_s / 2);
    assert_true(dual.step_s < plain.step_s);
    assert_true(dual.parameter_bytes > 1.5 * plain.parameter_bytes);
    assert_true(dual.data_s > plain.data_s);
    trial->job.degrees.accumulation = 14;
    assert_non_null(strstr(train_job_refusal(trial, "zero1", &err), "an even number of stages"));
    trial->job.degrees.pipeline = 1;
    trial->job.degrees.data = 16;
    assert_true(train_job_step(trial, "zero1").bubble_s == 0);
}

/* Chunks of 4 layers, the last of 1, which make stages of 16 layers and one of 13
 * (Megatron-Bridge, recipes/deepseek/deepseek_v3.py); and cuts where even chunks are. */
TEST(chunks_that_differ_take_cuts)
{
    static const uint32_t deepseek[] = {17, 33, 49}, even[] = {9, 17, 25};
    struct train_job trial;
    struct cs_err err = {0};
    double laid_s, without_s;

    train_job_open(&trial, "deepseek-v3", 16);
    trial.job.degrees.pipeline = trial.job.degrees.chunks = trial.job.degrees.data = 4;
    trial.job.degrees.accumulation = 8;
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(cs_train_chunk_cut(&trial.job, i + 1), deepseek[i]);
    laid_s = train_job_step(&trial, "zero1").step_s;
    trial.job.degrees.cuts = deepseek;
    trial.job.degrees.cut_count = 3;
    assert_true(train_job_step(&trial, "zero1").step_s == laid_s);
    trial.job.degrees.cuts = NULL;
    trial.job.degrees.chunks = 15;
    assert_string_equal(train_job_refusal(&trial, "zero1", &err),
                        "61 layers of deepseek-v3 do not divide over 4 stages x 15 chunks; "
                        "expected other chunks, or --cuts");
    train_job_close(&trial);
    train_job_open(&trial, "llama2-7b", 16);
    trial.job.degrees.pipeline = trial.job.degrees.data = 4;
    trial.job.degrees.chunks = 2;
    trial.job.degrees.accumulation = 8;
    without_s = train_job_step(&trial, "zero1").step_s;
    trial.job.degrees.cuts = even;
    trial.job.degrees.cut_count = 3;
    assert_true(train_job_step(&trial, "zero1").step_s == without_s);
    train_job_close(&trial);
}

TRAIN_JOB_TEST(splits_that_cannot_be_are_refused)
{
    static const uint32_t falling[] = {5, 5, 9}, far[] = {5, 9, 300};
    struct cs_err err = {0};

    train_job_open(trial, "resnet50", 4);
    trial->job.degrees.cuts = falling;
    trial->job.degrees.cut_count = 3;
    assert_non_null(strstr(train_job_refusal(trial, "mp", &err), "cut 5 is not between 6 and 17"));
    trial->job.degrees.cuts = far;
    assert_non_null(
        strstr(train_job_refusal(trial, "pipeline", &err), "cut 300 is not between 10 and 17"));
    trial->job.degrees.cut_count = 2;
    assert_non_null(strstr(train_job_refusal(trial, "pipeline", &err),
                           "2 cuts make 3 stages; the pipeline has 4"));
    trial->job.degrees.cuts = NULL;
    train_job_machine(trial, 1);
    assert_non_null(strstr(train_job_refusal(trial, "mp", &err), "two stages or more"));
    train_job_machine(trial, 4);
    trial->job.degrees.chunks = 2;
    trial->job.degrees.schedule = CS_SCHEDULE_GPIPE;
    assert_non_null(strstr(train_job_refusal(trial, "pipeline", &err), "--schedule 1f1b"));
}

/* A cut behind the third part of ResNet-50 hands on 14 x 14 x 1024 elements, one
 * behind the stem 56 x 56 x 64; without cuts the most of any block counts. */
TRAIN_JOB_TEST(sends_carry_the_output_before_a_cut)
{
    static const uint32_t behind_stem[] = {1}, behind_third[] = {14};
    double rate;

    train_job_open(trial, "resnet50", 2);
    trial->job.degrees.data = 1;
    trial->job.degrees.pipeline = 2;
    rate = trial->site.link_Bps * trial->parameters[CS_KERNEL_SEND_RATE];
    trial->job.degrees.cut_count = 1;
    trial->job.degrees.cuts = behind_third;
    assert_true(train_near(cs_train_slot_sends_s(&trial->job), 2 * 8. * 14 * 14 * 1024 * 2 / rate));
    trial->job.degrees.cuts = behind_stem;
    assert_true(train_near(cs_train_slot_sends_s(&trial->job), 2 * 8. * 56 * 56 * 64 * 2 / rate));
    trial->job.degrees.cuts = NULL;
    assert_true(train_near(cs_train_slot_sends_s(&trial->job), 2 * 8. * 56 * 56 * 256 * 2 / rate));
}
