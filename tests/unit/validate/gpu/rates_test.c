/* Rates of a GPU: the measured rates, of that GPU and one calibration. */
#include "tests/unit/validate/gpu/bench.h"

#define BENCH_TEST(name) TEST_OF(struct bench, bench, bench_free, name)

BENCH_TEST(rates_are_those_that_were_measured)
{
    synthetic_calibrate(&bench->all);
    assert_int_equal(bench_make(bench), 0);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_PUT, 4, 1 << 20), 40e9, 1e-9);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_ADD, 4, 1 << 20), 20e9, 1e-9);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_PUT, 4, 1 << 30), 10e9, 1e-9);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_PUT, 12, 1 << 20), 120e9, 1e-9);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_GET, 9999, 1 << 20), 1e12, 1e-9);
    assert_true(cs_gpu_rate(&bench->model, CS_GPU_HOST_PUT, 4, 1 << 20) == 0);
    assert_true(cs_gpu_rate(&bench->model, CS_GPU_ADD16, 4, 1 << 20) == 0);
}

BENCH_TEST(sums_of_fp16_are_apart)
{
    synthetic_calibrate(&bench->all);
    synthetic_stream(&bench->all, "add", "device", 4, 33e9, 1 << 20);
    bench->all.items[bench->all.count - 1].work.dtype = "fp16";
    assert_int_equal(bench_make(bench), 0);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_ADD16, 4, 1 << 20), 33e9, 1e-9);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_ADD, 4, 1 << 20), 20e9, 1e-9);
}

/* The slowest of several peers counts; rings have a curve for each size. */
BENCH_TEST(peers_are_as_fast_as_the_slowest)
{
    synthetic_calibrate(&bench->all);
    synthetic_peers(&bench->all, 4, 200e9, 50e9);
    synthetic_peers(&bench->all, 2, 150e9, 70e9);
    assert_int_equal(bench_make(bench), 0);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_PEER_PUT, 64, 0), 150e9, 1e-9);
    assert_near(cs_gpu_ring_rate(&bench->model, 4, 64, 0), 50e9, 1e-9);
    assert_near(cs_gpu_ring_rate(&bench->model, 2, 64, 0), 70e9, 1e-9);
    assert_true(cs_gpu_ring_rate(&bench->model, 3, 64, 0) == 0);
    assert_true(cs_gpu_ring_rate(&bench->model, 1000, 64, 0) == 0);
    assert_near(cs_gpu_ping_s(&bench->model.pings[CS_GPU_ON_PEER], 16),
                synthetic_message_s(16, SYNTHETIC_PEER_ALPHA_S, 10e9, 0), 1e-9);
    assert_near(cs_gpu_ping_s(&bench->model.pings[CS_GPU_ON_DEVICE], 1),
                synthetic_message_s(16, SYNTHETIC_ALPHA_S, 10e9, 0), 1e-9);
}

BENCH_TEST(calibrations_do_not_mix)
{
    synthetic_calibrate(&bench->all);
    bench->all.items[3].work.depth = 4;
    assert_int_equal(bench_make(bench), CS_EINPUT);
    assert_non_null(strstr(bench->err.text, "but the calibration has"));
    bench->all.items[3].uuid = "GPU-other"; /* not the requested GPU */
    assert_int_equal(bench_make(bench), 0);
}

/* A named calibration with `rate` times the synthetic rates. */
static void calibrate_as(struct bench *bench, const char *name, double rate, uint64_t failed_parts,
                         bool ends)
{
    size_t first = bench->all.count;

    synthetic_calibrate(&bench->all);
    if (ends)
        synthetic_add(&bench->all, (struct cs_measured){.kind = CS_MEASURED_CALIBRATED,
                                                        .part.failed_parts = failed_parts});
    for (size_t i = first; i < bench->all.count; i++) {
        bench->all.items[i].calibration = name;
        bench->all.items[i].time_s /= rate;
    }
}

BENCH_TEST(the_newest_whole_calibration_counts)
{
    calibrate_as(bench, "20260103T", 1.2, 0, true);
    calibrate_as(bench, "20260101T", 1, 0, true); /* later in the file, but older */
    assert_int_equal(bench_make(bench), 0);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_PUT, 4, 1 << 20), 48e9, 1e-9);
    assert_near(bench->model.copy_Bps, 1.2 * SYNTHETIC_COPY_BPS, 1e-9);
    calibrate_as(bench, "20260104T", 3, 1, true);  /* a part of it failed */
    calibrate_as(bench, "20260105T", 4, 0, false); /* cut short */
    assert_int_equal(bench_make(bench), 0);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_PUT, 4, 1 << 20), 48e9, 1e-9);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_GET, 4, 1 << 30), 12e9, 1e-9);
}

BENCH_TEST(of_calibrations_with_failures_the_newest_that_ended_counts)
{
    calibrate_as(bench, "20260101T", 1, 2, true);
    calibrate_as(bench, "20260102T", 4, 0, false);
    assert_int_equal(bench_make(bench), 0);
    assert_near(cs_gpu_rate(&bench->model, CS_GPU_PUT, 4, 1 << 20), 40e9, 1e-9);
}
