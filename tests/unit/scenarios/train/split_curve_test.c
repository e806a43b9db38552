/* Splits of a batch over two stages, against a published run. */
#include "scenarios/train/split_curve.h"

#include "tests/fixture.h"

#include <math.h>

/* PyTorch's tutorial (pytorch/tutorials, model_parallel_tutorial.py): ResNet-50 on
 * two GPUs, 120 images in micro batches of so many; 4.02 s without pipelining and
 * 2.51 s at 20; the best of these is 12 with 2.43 s. */
static const uint32_t tested[] = {1, 3, 5, 8, 10, 12, 20, 40, 60};

enum {
    TESTED = sizeof(tested) / sizeof(*tested),
    IMAGES = 120
};

static struct cs_split_curve fitted(void)
{
    struct cs_split_curve curve = {.work_s = 4.02, .stages = 2};

    /* The one fitted constant, from the time at 20. */
    curve.overhead_s = cs_split_curve_overhead(&curve, IMAGES / 20., 2.51);
    return curve;
}

static void a_fitted_overhead_passes_through_the_measured_time(void **state)
{
    struct cs_split_curve curve = fitted();

    (void)state;
    assert_true(fabs(cs_split_curve_s(&curve, 6) - 2.51) < 1e-12);
    assert_true(curve.overhead_s > .02 && curve.overhead_s < .025);
}

static void the_best_time_is_predicted_within_two_percent(void **state)
{
    struct cs_split_curve curve = fitted();

    (void)state;
    assert_true(fabs(cs_split_curve_s(&curve, IMAGES / 12.) / 2.43 - 1) < .02);
}

static void the_optimum_is_within_a_tested_step_of_the_measured(void **state)
{
    struct cs_split_curve curve = fitted();
    double aim = IMAGES / cs_split_curve_best(&curve);
    uint32_t best = 0, published = 5;

    (void)state;
    for (uint32_t t = 1; t < TESTED; ++t)
        if (cs_split_curve_s(&curve, (double)IMAGES / tested[t]) <
            cs_split_curve_s(&curve, (double)IMAGES / tested[best]))
            best = t;
    assert_in_range(best, published - 1, published + 1);
    assert_true(aim > tested[published - 1] && aim < tested[published + 1]);
}

static void the_real_optimum_is_below_its_neighbours(void **state)
{
    (void)state;
    for (uint32_t stages = 2; stages < 20; ++stages) {
        struct cs_split_curve curve = {1, .01 / stages, stages};
        double best = cs_split_curve_best(&curve);
        double least = cs_split_curve_s(&curve, best);

        assert_true(least <= cs_split_curve_s(&curve, best * 1.01));
        assert_true(least <= cs_split_curve_s(&curve, best / 1.01));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fitted_overhead_passes_through_the_measured_time),
        cmocka_unit_test(the_best_time_is_predicted_within_two_percent),
        cmocka_unit_test(the_optimum_is_within_a_tested_step_of_the_measured),
        cmocka_unit_test(the_real_optimum_is_below_its_neighbours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
