#include "reports/document/chart.h"

#include "tests/near.h"

TEST(ticks_enclose_the_range)
{
    srand(1);
    for (int i = 0; i < 20000; ++i) {
        double low = 1e-9 * (1 + rand() % 100000);
        struct cs_chart_axis axis = {
            .last = 100, .low = low, .high = low * (1 + rand() % 5000 / 7.0), .is_log = i % 2};
        double high = axis.high;

        cs_axis_round(&axis);
        assert_true(axis.low <= low * (1 + 1e-9));
        assert_true(axis.high >= high * (1 - 1e-9));
        assert_true(axis.high > axis.low);
        assert_true(axis.tick_count >= 2);
        for (uint32_t t = 1; t < axis.tick_count; ++t)
            assert_true(axis.ticks[t] > axis.ticks[t - 1]);
    }
}

TEST(ticks_at_values_keep_their_distance)
{
    static const double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    struct cs_chart_axis axis = {.last = 100, .low = 1, .high = 10};

    cs_axis_at(&axis, values, 10, 20);
    assert_int_equal(axis.tick_count, 5);
    assert_within(axis.ticks[1], 3, 0);
    assert_within(cs_axis_place(&axis, 10), 100, 1e-12);
}
