/* Signed errors by class, decade and table. */
#include "validate/published/score.h"

#include "tests/unit/validate/published/answers.h"

static bool signed_near(double value, double expected)
{
    return fabs(value - expected) < 1e-9;
}

TEST(signed_errors_are_by_class_and_decade)
{
    CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, 2);
    struct cs_published_bias *biases;
    uint32_t count = cs_published_biases(made.items, 3, &made.arena, &biases);

    assert_int_equal(count, 3);
    assert_string_equal(biases[0].name, "nvswitch");
    assert_string_equal(biases[1].name, "efa");
    assert_string_equal(biases[2].name, "all");
    assert_int_equal(biases[0].rows[0], 1);
    assert_int_equal(biases[0].rows[1], 1);
    assert_int_equal(biases[0].rows[2], 1);
    assert_int_equal(biases[0].rows[4], 1);
    assert_int_equal(biases[1].rows[CS_SIZE_DECADES], 2);
    assert_true(signed_near(biases[2].bias[CS_SIZE_DECADES], 1));
}

TEST(the_worst_decade_has_its_largest_part)
{
    CS_AT_END(answers_free) struct answers made = answers_made(TWO_TABLES, TWO_ROWS, 1.1);
    struct cs_decade_error worst;

    made.items[0].points[2].time_s[0] /= 4;
    made.items[0].points[2].launch_s = 1e-6;
    made.items[0].points[2].latency_s = 3e-6;
    made.items[0].points[2].transfer_s = 2e-6;
    worst = cs_published_worst_decade(&made.items[0]);
    assert_string_equal(cs_size_decade_names[worst.decade], "1-16 MiB");
    assert_int_equal(worst.rows, 1);
    assert_true(signed_near(worst.bias, 1.1 / 4 - 1));
    assert_string_equal(worst.part, "latency");
}
