/* Samples: medians and percentiles. */
#include "validate/cuda/sample.h"

#include "tests/fixture.h"

TEST(percentiles_lie_between_neighbours)
{
    double values[] = {5, 1, 4, 2, 3};
    struct cs_sample sample = {values, 5};
    struct cs_sample_figures figures = cs_sample_figures_of(&sample);

    assert_true(figures.median == 3);
    assert_true(figures.least == 1);
    assert_true(figures.most == 5);
    assert_true(fabs(figures.p10 - 1.4) < 1e-12);
    assert_true(fabs(figures.p90 - 4.6) < 1e-12);
    sample.count = 1;
    assert_true(cs_sample_figures_of(&sample).p90 == 1);
    sample.count = 0;
    assert_true(isnan(cs_sample_figures_of(&sample).median));
}

TEST(the_middle_is_not_moved_by_an_outlier)
{
    double values[] = {2, 2, 2, 2, 2, 2, 2, 2, 1, 1000};
    struct cs_sample sample = {values, 10};

    assert_true(cs_sample_figures_of(&sample).middle == 2);
    sample.count = 3; /* too few for a cut */
    assert_true(fabs(cs_sample_figures_of(&sample).middle - 5.0 / 3) < 1e-12);
}
