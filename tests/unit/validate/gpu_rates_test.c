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
    assert_near(bench.model.peer_alpha_s, SYNTHETIC_PEER_ALPHA_S);
    assert_near(bench.model.alpha_s, SYNTHETIC_ALPHA_S);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_those_that_were_measured),
        cmocka_unit_test(sums_of_fp16_are_apart),
        cmocka_unit_test(peers_are_as_fast_as_the_slowest),
        cmocka_unit_test(calibrations_do_not_mix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
