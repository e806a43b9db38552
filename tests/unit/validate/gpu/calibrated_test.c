/* A calibrated GPU: figures between and beyond the measured points. */
#include "validate/gpu/calibrated.h"

#include "tests/test.h"

TEST(a_message_between_two_sizes_lies_on_the_line)
{
    struct cs_gpu_ping points[] = {{16, 1e-6}, {1016, 3e-6}};
    const struct cs_gpu_pings pings = {.points = points, .count = 2};

    assert_true(cs_gpu_ping_s(&pings, 8) == 1e-6);
    assert_true(fabs(cs_gpu_ping_s(&pings, 516) - 2e-6) < 1e-15);
    assert_true(cs_gpu_ping_s(&pings, 4000) == 3e-6);
    assert_true(cs_gpu_ping_s(&(struct cs_gpu_pings){0}, 16) == 0);
}

TEST(a_launch_between_two_grids_lies_on_the_line)
{
    const struct cs_gpu_model model = {.launch_s = {2e-6, 4e-6}, .launch_blocks = {10, 30}};

    assert_true(cs_gpu_launch_s(&model, 1) == 2e-6);
    assert_true(fabs(cs_gpu_launch_s(&model, 20) - 3e-6) < 1e-15);
    assert_true(cs_gpu_launch_s(&model, 99) == 4e-6);
}

TEST(a_ring_of_too_many_gpus_has_no_rate)
{
    const struct cs_gpu_model model = {.card = ""};

    assert_true(cs_gpu_ring_rate(&model, CS_GPU_PEERS_MAX + 1, 4, 1024) == 0);
    assert_true(cs_gpu_ring_rate(&model, 2, 4, 1024) == 0);
    assert_true(cs_gpu_rate(&model, CS_GPU_PUT, 4, 1024) == 0);
}
