/* Splits of a batch over two equal stages, against a published run. */
#include "scenarios/train/stages/stage.h"

#include "tests/fixture.h"

/* PyTorch's tutorial (pytorch/tutorials, model_parallel_tutorial.py): ResNet-50 on
 * two GPUs, 120 images in micro batches of so many; 4.02 s without pipelining and
 * 2.51 s at 20; the best of these is 12 with 2.43 s. */
static const uint32_t tested[] = {1, 3, 5, 8, 10, 12, 20, 40, 60};

enum {
    IMAGES = 120,
    STAGES = 2,
};

static const double work_s = 4.02;

/* Of a stage for each micro batch: the one fitted constant, from the time at 20. */
static double overhead_s(void)
{
    uint32_t micro = IMAGES / 20;

    return 2.51 / (micro + STAGES - 1) - work_s / (STAGES * micro);
}

/* The batch in micro batches of that many images. */
static double pipelined_s(uint32_t images)
{
    uint32_t micro = IMAGES / images;
    double stage_s = work_s / (STAGES * micro) + overhead_s();

    return cs_pipeline_s(STAGES * stage_s, stage_s, micro, STAGES, 1);
}

TEST(a_fitted_overhead_passes_through_the_measured_time)
{
    assert_true(fabs(pipelined_s(20) - 2.51) < 1e-12);
    assert_true(overhead_s() > .02 && overhead_s() < .025);
}

TEST(the_best_time_is_predicted_within_two_percent)
{
    assert_true(fabs(pipelined_s(12) / 2.43 - 1) < .02);
}

/* The least of (m + s - 1)(T/(s m) + o) is at m = sqrt((s - 1) T/(s o)). */
TEST(the_optimum_is_within_a_tested_step_of_the_measured)
{
    double aim = IMAGES / sqrt((STAGES - 1) * work_s / (STAGES * overhead_s()));
    uint32_t best = 0, published = 5;

    for (uint32_t t = 1; t < COUNT(tested); ++t)
        if (pipelined_s(tested[t]) < pipelined_s(tested[best]))
            best = t;
    assert_in_range(best, published - 1, published + 1);
    assert_true(aim > tested[published - 1] && aim < tested[published + 1]);
}
