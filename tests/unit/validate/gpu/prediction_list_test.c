/* Predictions that are written down: read back, they are the comparison's. */
#include "validate/gpu/prediction_list.h"

#include "tests/unit/validate/synthetic.h"
#include "validate/gpu/comparison.h"

struct bench {
    struct cs_arena arena;
    struct cs_measurements all;
    struct cs_prediction_list list;
    struct cs_text text;
    struct cs_err err;
};

static void calibrate(struct bench *bench)
{
    synthetic_calibrate(&bench->all);
    for (uint64_t blocks = 2; blocks <= 264; blocks += 262)
        synthetic_add(&bench->all, (struct cs_measured){.kind = CS_MEASURED_LAUNCH,
                                                        .part.blocks = blocks,
                                                        .time_s = 5e-6});
    for (size_t i = 0; i < bench->all.count; i++)
        bench->all.items[i].work.depth = 2;
}

static int write_list(struct bench *bench)
{
    bench->list.date = "2026-11-22T12:00:00Z";
    cs_text_free(&bench->text);
    return cs_prediction_list_write(&bench->all, &bench->list, &bench->text, &bench->err);
}

static void bench_free(struct bench *bench)
{
    cs_measurements_free(&bench->all);
    cs_text_free(&bench->text);
    cs_arena_free(&bench->arena);
}

#define BENCH_TEST(name) TEST_OF(struct bench, bench, bench_free, name)

BENCH_TEST(the_same_is_written_twice)
{
    uint64_t hash;

    calibrate(bench);
    assert_int_equal(write_list(bench), 0);
    hash = bench->list.hash;
    assert_true(bench->list.count > 500);
    assert_true(bench->list.left_out > 500); /* host and engines */
    assert_int_equal(write_list(bench), 0);
    assert_true(bench->list.hash == hash);
    bench->all.items[0].time_s *= 1.1;
    assert_int_equal(write_list(bench), 0);
    assert_true(bench->list.hash != hash);
}

/* Each line, taken for a run that took as long, has no error. */
BENCH_TEST(lines_are_what_the_comparison_predicts)
{
    struct cs_comparison comparison;
    struct cs_measured_line line = {.file = "list"};
    size_t before;

    calibrate(bench);
    assert_int_equal(write_list(bench), 0);
    before = bench->all.count;
    for (const char *at = bench->text.data; *at; at += line.length + 1) {
        struct cs_measured m;

        line.text = at;
        line.length = strcspn(at, "\n");
        if (++line.line % 37)
            continue;
        assert_ok(cs_measured_read_line(line, &bench->arena, &m, &bench->err), &bench->err);
        assert_int_equal(m.kind, CS_MEASURED_PREDICTED);
        if (m.run.unknown[0])
            continue;
        synthetic_add(&bench->all, m);
        m.kind = CS_MEASURED_RUN;
        m.work.runs = 20;
        m.run.agents = cs_same(m.run.algorithm, "ps");
        m.date = "2026-11-22T12:00:01Z";
        synthetic_add(&bench->all, m);
    }
    assert_true(bench->all.count > before + 20);
    /* What the fixture sets of each line. */
    for (size_t i = before; i < bench->all.count; i++)
        bench->all.items[i].work.depth = 2;
    assert_ok(cs_compare(&bench->all, &bench->arena, &comparison, &bench->err), &bench->err);
    for (size_t i = 0; i < comparison.run_count; i++) {
        const struct cs_compared *run = &comparison.runs[i];

        if (run->unknown)
            fail_msg("%s-%d: %s", run->measured->run.algorithm, (int)run->measured->work.ranks,
                     run->unknown);
        assert_true(run->factor < 1e-6);
        assert_int_equal(run->registered, CS_REGISTERED_BEFORE);
    }
}

/* Whatever order their lines are in, and with whatever else beside them. */
BENCH_TEST(inputs_are_those_of_the_calibration)
{
    struct cs_gpu_model model = {.card = SYNTHETIC_GPU, .calibration = ""};
    const char *inputs;

    calibrate(bench);
    for (size_t i = 0; i < bench->all.count; i++)
        bench->all.items[i].hash = 1000 + i;
    inputs = cs_gpu_model_inputs(&bench->all, &model, &bench->arena);
    bench->all.items[0].hash = 1001;
    bench->all.items[1].hash = 1000;
    synthetic_add(&bench->all, synthetic_run("ring", 4, 1 << 20, 1e-3));
    assert_string_equal(cs_gpu_model_inputs(&bench->all, &model, &bench->arena), inputs);
    bench->all.items[0].hash = 7;
    assert_string_not_equal(cs_gpu_model_inputs(&bench->all, &model, &bench->arena), inputs);
}

BENCH_TEST(nothing_is_written_of_what_is_not_calibrated)
{
    assert_int_equal(write_list(bench), CS_ECANNOT);
    assert_string_equal(bench->err.text, "no GPU was calibrated");
    bench->err = (struct cs_err){0};
    synthetic_calibrate(&bench->all);
    assert_int_equal(write_list(bench), CS_ECANNOT);
    assert_string_equal(bench->err.text,
                        "'made up': the number of resident thread blocks is not calibrated");
}
