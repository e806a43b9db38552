/* Calibrations: the newest whole one. */

#include "tests/unit/validate/synthetic.h"

/* A stream of a calibration and, if `ends`, the line that ends it. */
static void calibration(struct cs_measurements *all, const char *name, uint64_t failed_parts,
                        bool ends)
{
    synthetic_add(all, (struct cs_measured){.kind = CS_MEASURED_STREAM, .calibration = name});
    if (ends)
        synthetic_add(all, (struct cs_measured){.kind = CS_MEASURED_CALIBRATED,
                                                .calibration = name,
                                                .part.failed_parts = failed_parts});
}

TEST(the_newest_whole_calibration_is_chosen)
{
    CS_AT_END(cs_measurements_free) struct cs_measurements all = {0};

    assert_string_equal(cs_calibration_newest(&all, SYNTHETIC_GPU), "");
    calibration(&all, "3", 0, false);
    assert_string_equal(cs_calibration_newest(&all, SYNTHETIC_GPU), "3");
    calibration(&all, "2", 1, true);
    assert_string_equal(cs_calibration_newest(&all, SYNTHETIC_GPU), "2");
    calibration(&all, "1", 0, true);
    assert_string_equal(cs_calibration_newest(&all, SYNTHETIC_GPU), "1");
    assert_string_equal(cs_calibration_newest(&all, "other"), "");
}

TEST(a_failed_line_belongs_to_no_calibration)
{
    CS_AT_END(cs_measurements_free) struct cs_measurements all = {0};

    calibration(&all, "1", 0, false);
    assert_true(cs_calibration_has(SYNTHETIC_GPU, "1", &all.items[0]));
    assert_false(cs_calibration_has(SYNTHETIC_GPU, "2", &all.items[0]));
    assert_false(cs_calibration_has("other", "1", &all.items[0]));
    all.items[0].failed = "out of memory";
    assert_false(cs_calibration_has(SYNTHETIC_GPU, "1", &all.items[0]));
}
