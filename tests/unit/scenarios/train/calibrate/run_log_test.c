/* Logs of runs: the lines of each framework, and lines that are none. */
#include "scenarios/train/calibrate/run_log.h"

#include "tests/fixture.h"

static int parse(const char *text, struct cs_arena *arena, struct cs_run_log *log,
                 struct cs_err *err)
{
    return cs_run_log_parse("run.log", cs_arena_text(arena, text), strlen(text), arena, log, err);
}

/* Lines of fixtures of our own, in the forms of the frameworks' loggers. */
TEST(every_framework_has_its_line)
{
    static const struct {
        const char *framework, *text;
        enum cs_run_quantity quantity;
        double value;
    } lines[] = {
        {"Megatron-LM", " iteration 7/ 100 | elapsed time per iteration (ms): 6213.5 | lm loss",
         CS_RUN_STEP_S, 6.2135},
        {"nanotron", "iteration: 2 / 9 | elapsed_time_per_iteration_ms: 1.25K | lr: 0.0003",
         CS_RUN_STEP_S, 1.25},
        {"NeMo", "Epoch 0: 3/9 [00:10, v_num=, train_step_timing in s=5.430, global_step=2]",
         CS_RUN_STEP_S, 5.43},
        {"NeMo", "iteration 2/9 | lr: 1e-06 | train_step_timing in s: 2.5 | consumed: 8",
         CS_RUN_STEP_S, 2.5},
        {"Megatron-Bridge", "Step Time : 5.21s GPU utilization: 512.3MODEL_TFLOP/s/GPU",
         CS_RUN_STEP_S, 5.21},
        {"MaxText", "completed step: 4, seconds: 1.234, TFLOP/s/device: 410.2, loss: 9.8",
         CS_RUN_STEP_S, 1.234},
        {"nanoGPT", "iter 100: loss 3.2001, time 345.12ms, mfu 35.20%", CS_RUN_STEP_S, .34512},
        {"LitGPT", "Epoch 1 | iter 9 step 9 | loss: 3.1, iter time: 250.00 ms (step)",
         CS_RUN_STEP_S, .25},
        {"the PyTorch profiler",
         "{\"ph\": \"X\", \"name\": \"ProfilerStep#3\", \"pid\": 1,\n \"ts\": 5, \"dur\": 4500.5,",
         CS_RUN_STEP_S, .0045005},
        {"llm-foundry", "[batch=3/9]:\n\t Train throughput/batches_per_sec: 0.5200",
         CS_RUN_STEPS_PER_S, .52},
        {"DeepSpeed", "global_step=9, RunningAvgSamplesPerSec=30.1, CurrSamplesPerSec=31.25",
         CS_RUN_SAMPLES_PER_S, 31.25},
        {"torchtitan", "\033[31mstep:  3  \033[34mtps: 7,200  \033[36mtflops: 420.11",
         CS_RUN_DEVICE_TOKENS_PER_S, 7200},
        {"torchtitan", "step:  3  memory: 50.20GiB(63.4%)  wps: 6,980  mfu: 42.1%",
         CS_RUN_DEVICE_TOKENS_PER_S, 6980},
        {"AutoModel", "step 1 | loss 2.1 | mem 11.4 GiB | tps 35,000.25(4375.03/gpu) | n 2",
         CS_RUN_TOKENS_PER_S, 35000.25},
        {"Hugging Face's Trainer", " 10%|#     | 10/100 [00:20<03:00,  2.05s/it]\r", CS_RUN_STEP_S,
         2.05},
        {"Hugging Face's Trainer", " 10%|#     | 10/100 [00:20<03:00,  1.25it/s]\r",
         CS_RUN_STEPS_PER_S, 1.25},
        {"Hugging Face's Trainer", "{'train_runtime': 9.1, 'train_steps_per_second': 0.625}",
         CS_RUN_STEPS_PER_S, .625},
        {"", "perf/samples_per_sec=12.5", CS_RUN_SAMPLES_PER_S, 12.5},
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_run_log log;
        struct cs_err err = {0};

        if (parse(lines[i].text, &arena, &log, &err) || log.count != 1 ||
            strcmp(log.framework, lines[i].framework) != 0 || log.quantity != lines[i].quantity ||
            fabs(log.values[0] / lines[i].value - 1) > 1e-12)
            fail_msg("'%s': %s, %u of '%s', %g", lines[i].text, err.text, log.count, log.framework,
                     log.count ? log.values[0] : 0);
    }
}

ARENA_TEST(a_time_of_steps_counts_before_a_rate)
{
    struct cs_run_log log;

    assert_done(parse("start\ntokens_per_sec: 340K | elapsed_time_per_iteration_ms: 80\n"
                      "global_batch_size: 1.02K\n",
                      arena, &log, &err));
    assert_int_equal(log.quantity, CS_RUN_STEP_S);
    assert_int_equal(log.line, 2);
    assert_true(log.batch == 1020 && log.batch_line == 3);
}

/* Words that end in the text of a shape, numbers that are none, and zero bytes. */
TEST(other_words_and_numbers_are_not_taken)
{
    static const char *const none[] = {
        "see https: 80 and steps: 9",
        "tps: nan",
        "tps: -5",
        "tps: 0",
        "tps:",
        "?it/s",
        "Step Time : inf",
        "ProfilerStep#1",
        "\"dur\": 5",
        "tps: 1e999",
        "\033[",
        "loss 3.1",
    };

    for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_run_log log;
        struct cs_err err = {0};

        if (parse(none[i], &arena, &log, &err) != CS_EINPUT)
            fail_msg("'%s' is read", none[i]);
        assert_non_null(strstr(err.text, "run.log: no step's time"));
    }
}

ARENA_TEST(zero_bytes_end_no_log)
{
    char text[] = "noise\0\0tps: 5\0tps: 7";
    struct cs_run_log log;

    assert_done(cs_run_log_parse("run.log", text, sizeof(text) - 1, arena, &log, &err));
    assert_true(log.count == 2 && log.values[1] == 7);
}
