/* Rates of a GPU: those that were measured, of that GPU and in one shape. */
#include "tests/unit/validate/synthetic.h"

#include <math.h>

struct bench {
    struct cs_arena arena;
    struct cs_measurements all;
    struct cs_gpu_model model;
    struct cs_err err;
};

static int bench_make(struct bench *bench)
{
    return cs_gpu_model_make(&bench->all, SYNTHETIC_GPU, &bench->arena,
                             &bench->model, &bench->err);
}

static void bench_free(struct bench *bench)
{
    cs_measurements_free(&bench->all);
    cs_arena_free(&bench->arena);
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * expected))
        fail_msg("%.9g, expected %.9g", value, expected);
}

static void rates_are_those_that_were_measured(void **state)
{
    struct bench bench = {0};

    (void)state;
    synthetic_calibrate(&bench.all);
    assert_int_equal(bench_make(&bench), 0);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_PUT, 4, 1 << 20), 40e9);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_ADD, 4, 1 << 20), 20e9);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_PUT, 4, 1 << 30), 10e9);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_PUT, 12, 1 << 20), 120e9);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_GET, 9999, 1 << 20), 1e12);
    assert_true(cs_gpu_rate(&bench.model, CS_GPU_HOST_PUT, 4, 1 << 20) == 0);
    assert_true(cs_gpu_rate(&bench.model, CS_GPU_ADD16, 4, 1 << 20) == 0);
    bench_free(&bench);
}

static void sums_of_fp16_are_apart(void **state)
{
    struct bench bench = {0};

    (void)state;
    synthetic_calibrate(&bench.all);
    synthetic_stream(&bench.all, "add", "device", 4, 33e9, 1 << 20);
    bench.all.items[bench.all.count - 1].dtype = "fp16";
    assert_int_equal(bench_make(&bench), 0);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_ADD16, 4, 1 << 20), 33e9);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_ADD, 4, 1 << 20), 20e9);
    bench_free(&bench);
}

/* Of several peers the slowest; of rings that of so many GPUs. */
static void peers_are_as_fast_as_the_slowest(void **state)
{
    struct bench bench = {0};

    (void)state;
    synthetic_calibrate(&bench.all);
    synthetic_peers(&bench.all, 4, 200e9, 50e9);
    synthetic_peers(&bench.all, 2, 150e9, 70e9);
    assert_int_equal(bench_make(&bench), 0);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_PEER_PUT, 64, 0), 150e9);
    assert_near(cs_gpu_ring_rate(&bench.model, 4, 64, 0), 50e9);
    assert_near(cs_gpu_ring_rate(&bench.model, 2, 64, 0), 70e9);
    assert_true(cs_gpu_ring_rate(&bench.model, 3, 64, 0) == 0);
    assert_true(cs_gpu_ring_rate(&bench.model, 1000, 64, 0) == 0);
    assert_near(cs_gpu_ping_s(&bench.model.pings[CS_GPU_ON_PEER], 16),
                synthetic_message_s(16, SYNTHETIC_PEER_ALPHA_S, 10e9, 0));
    assert_near(cs_gpu_ping_s(&bench.model.pings[CS_GPU_ON_DEVICE], 1),
                synthetic_message_s(16, SYNTHETIC_ALPHA_S, 10e9, 0));
    bench_free(&bench);
}

static void calibrations_do_not_mix(void **state)
{
    struct bench bench = {0};

    (void)state;
    synthetic_calibrate(&bench.all);
    bench.all.items[3].depth = 4;
    assert_int_equal(bench_make(&bench), CS_EINPUT);
    assert_non_null(strstr(bench.err.text, "calibrations do not mix"));
    bench.all.items[3].uuid = "GPU-other"; /* which is not asked for */
    assert_int_equal(bench_make(&bench), 0);
    bench_free(&bench);
}

/* Messages of an earlier calibration, by its name; `rate` of what there is. */
static void calibrate_as(struct bench *bench, const char *name, double rate,
                         uint64_t failed_parts, bool ends)
{
    size_t first = bench->all.count;

    synthetic_calibrate(&bench->all);
    if (ends)
        synthetic_add(&bench->all,
                      (struct cs_measured){.kind = CS_MEASURED_CALIBRATED,
                                           .failed_parts = failed_parts});
    for (size_t i = first; i < bench->all.count; i++) {
        bench->all.items[i].calibration = name;
        bench->all.items[i].time_s /= rate;
    }
}

static void the_newest_whole_calibration_counts(void **state)
{
    struct bench bench = {0};
    struct cs_gpu_model again;

    (void)state;
    calibrate_as(&bench, "20260103T", 1.2, 0, true);
    calibrate_as(&bench, "20260101T", 1, 0, true); /* behind, and older */
    assert_int_equal(bench_make(&bench), 0);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_PUT, 4, 1 << 20), 48e9);
    assert_near(bench.model.copy_Bps, 1.2 * SYNTHETIC_COPY_BPS);
    calibrate_as(&bench, "20260104T", 3, 1, true);  /* a part of it failed */
    calibrate_as(&bench, "20260105T", 4, 0, false); /* cut short */
    assert_int_equal(bench_make(&bench), 0);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_PUT, 4, 1 << 20), 48e9);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_GET, 4, 1 << 30), 12e9);
    assert_int_equal(cs_gpu_model_again(&bench.all, &bench.model, &bench.arena,
                                        &again, &bench.err),
                     0);
    assert_near(cs_gpu_rate(&again, CS_GPU_PUT, 4, 1 << 20), 40e9);
    bench_free(&bench);
}

static void of_calibrations_with_failures_the_newest_that_ended_counts(
    void **state)
{
    struct bench bench = {0};
    struct cs_gpu_model again;

    (void)state;
    calibrate_as(&bench, "20260101T", 1, 2, true);
    calibrate_as(&bench, "20260102T", 4, 0, false);
    assert_int_equal(bench_make(&bench), 0);
    assert_near(cs_gpu_rate(&bench.model, CS_GPU_PUT, 4, 1 << 20), 40e9);
    assert_int_equal(cs_gpu_model_again(&bench.all, &bench.model, &bench.arena,
                                        &again, &bench.err),
                     CS_ECANNOT);
    bench_free(&bench);
}

/* 5 us beside the messages: a 64th of it in each of 64, a quarter of it in each of
 * 4. */
static void a_run_starts_beyond_its_messages(void **state)
{
    struct bench bench = {0};
    double message_s = synthetic_message_s(16, SYNTHETIC_ALPHA_S, 10e9, 0);

    (void)state;
    synthetic_calibrate(&bench.all);
    for (size_t i = 0; i < bench.all.count; i++)
        if (bench.all.items[i].kind == CS_MEASURED_PINGPONG) {
            bench.all.items[i].rounds = 64;
            bench.all.items[i].time_s += 5e-6 / 64;
        }
    synthetic_add(&bench.all, (struct cs_measured){
                                  .kind = CS_MEASURED_PINGPONG,
                                  .transport = "device",
                                  .ranks = 2,
                                  .bytes = 16,
                                  .rounds = 4,
                                  .time_s = message_s + 5e-6 / 4,
                              });
    assert_int_equal(bench_make(&bench), 0);
    assert_near(bench.model.pings[CS_GPU_ON_DEVICE].start_s, 5e-6);
    assert_near(cs_gpu_ping_s(&bench.model.pings[CS_GPU_ON_DEVICE], 16),
                message_s);
    assert_near(bench.model.pings[CS_GPU_ON_DEVICE].sync_s, SYNTHETIC_SYNC_S);
    bench_free(&bench);
}

/* Copies of a chain take 1 us, 0.4 us of which keep the engine busy; a kernel
 * between them takes 3 us. */
static void graphs_separate_latency_and_occupancy(void **state)
{
    struct bench bench = {0};

    (void)state;
    synthetic_calibrate(&bench.all);
    synthetic_engines(&bench.all, 20e9, 1e-6);
    synthetic_graph(&bench.all, "sum", 9e-6, 1e-6 + 3e-6 / 2);
    synthetic_graph(&bench.all, "out", 10e-6, 0.3e-6);
    synthetic_graph(&bench.all, "in", 10e-6, 0.4e-6);
    assert_int_equal(bench_make(&bench), 0);
    assert_near(bench.model.engine_alpha_s, 2e-6);
    assert_near(bench.model.engine_copy_s, 0.4e-6);
    assert_near(bench.model.engine_sum_s, 3e-6);
    assert_near(bench.model.graph_s, SYNTHETIC_GRAPH_S);
    bench_free(&bench);
}

static void launches_take_longer_with_more_blocks(void **state)
{
    struct bench bench = {0};

    (void)state;
    synthetic_calibrate(&bench.all);
    synthetic_add(&bench.all, (struct cs_measured){.kind = CS_MEASURED_LAUNCH,
                                                   .blocks = 2,
                                                   .time_s = 4e-6});
    synthetic_add(&bench.all, (struct cs_measured){.kind = CS_MEASURED_LAUNCH,
                                                   .blocks = 202,
                                                   .time_s = 8e-6});
    assert_int_equal(bench_make(&bench), 0);
    assert_near(cs_gpu_launch_s(&bench.model, 1), 4e-6);
    assert_near(cs_gpu_launch_s(&bench.model, 102), 6e-6);
    assert_near(cs_gpu_launch_s(&bench.model, 999), 8e-6);
    bench_free(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_those_that_were_measured),
        cmocka_unit_test(sums_of_fp16_are_apart),
        cmocka_unit_test(peers_are_as_fast_as_the_slowest),
        cmocka_unit_test(calibrations_do_not_mix),
        cmocka_unit_test(the_newest_whole_calibration_counts),
        cmocka_unit_test(
            of_calibrations_with_failures_the_newest_that_ended_counts),
        cmocka_unit_test(a_run_starts_beyond_its_messages),
        cmocka_unit_test(graphs_separate_latency_and_occupancy),
        cmocka_unit_test(launches_take_longer_with_more_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
