/* Latencies of a GPU: the parts that differences of microbenchmarks separate. */
#include "tests/unit/validate/gpu/bench.h"

#define BENCH_TEST(name) TEST_OF(struct bench, bench, bench_free, name)

/* 5 us beside the messages: a 64th of it in each of 64, a quarter of it in each of
 * 4. */
BENCH_TEST(a_run_starts_beyond_its_messages)
{
    double message_s = synthetic_message_s(16, SYNTHETIC_ALPHA_S, 10e9, 0);

    synthetic_calibrate(&bench->all);
    for (size_t i = 0; i < bench->all.count; i++)
        if (bench->all.items[i].kind == CS_MEASURED_PINGPONG) {
            bench->all.items[i].part.rounds = 64;
            bench->all.items[i].time_s += 5e-6 / 64;
        }
    synthetic_add(&bench->all, (struct cs_measured){
                                   .kind = CS_MEASURED_PINGPONG,
                                   .work.transport = "device",
                                   .work.ranks = 2,
                                   .work.bytes = 16,
                                   .part.rounds = 4,
                                   .time_s = message_s + 5e-6 / 4,
                               });
    assert_int_equal(bench_make(bench), 0);
    assert_near(bench->model.pings[CS_GPU_ON_DEVICE].start_s, 5e-6, 1e-9);
    assert_near(cs_gpu_ping_s(&bench->model.pings[CS_GPU_ON_DEVICE], 16), message_s, 1e-9);
    assert_near(bench->model.pings[CS_GPU_ON_DEVICE].sync_s, SYNTHETIC_SYNC_S, 1e-9);
}

/* Copies of a chain take 1 us, 0.4 us of which keep the engine busy; a kernel
 * between them takes 3 us. */
BENCH_TEST(graphs_separate_latency_and_occupancy)
{
    synthetic_calibrate(&bench->all);
    synthetic_engines(&bench->all, 20e9, 1e-6);
    synthetic_graph(&bench->all, "sum", 9e-6, 1e-6 + 3e-6 / 2);
    synthetic_graph(&bench->all, "out", 10e-6, 0.3e-6);
    synthetic_graph(&bench->all, "in", 10e-6, 0.4e-6);
    assert_int_equal(bench_make(bench), 0);
    assert_near(bench->model.engine_alpha_s, 2e-6, 1e-9);
    assert_near(bench->model.engine_copy_s, 0.4e-6, 1e-9);
    assert_near(bench->model.engine_sum_s, 3e-6, 1e-9);
    assert_near(bench->model.graph_s, SYNTHETIC_GRAPH_S, 1e-9);
}

BENCH_TEST(launches_take_longer_with_more_blocks)
{
    synthetic_calibrate(&bench->all);
    synthetic_add(&bench->all, (struct cs_measured){
                                   .kind = CS_MEASURED_LAUNCH, .part.blocks = 2, .time_s = 4e-6});
    synthetic_add(&bench->all, (struct cs_measured){
                                   .kind = CS_MEASURED_LAUNCH, .part.blocks = 202, .time_s = 8e-6});
    assert_int_equal(bench_make(bench), 0);
    assert_near(cs_gpu_launch_s(&bench->model, 1), 4e-6, 1e-9);
    assert_near(cs_gpu_launch_s(&bench->model, 102), 6e-6, 1e-9);
    assert_near(cs_gpu_launch_s(&bench->model, 999), 8e-6, 1e-9);
}
