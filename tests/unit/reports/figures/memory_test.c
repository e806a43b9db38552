/* Memory: rows and scripts of curves. */
#include "reports/figures/memory.h"

#include "tests/test.h"

TEXT_TEST(every_interval_is_a_row_with_its_start)
{
    struct cs_memory_curve curve = {
        .count = 2,
        .interval_ps = 500,
        .points = {{100, 60}, {40, 40}},
    };
    CS_AT_END(cs_sheet_free) struct cs_sheet sheet = {0};

    cs_memory_sheet(&curve, &sheet);
    cs_sheet_write(&sheet, CS_FORMAT_CSV, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out), "time_s,all_ranks_bytes,peak_rank_bytes\n"
                                          "0,100,60\n0.0000000005,40,40\n");
}

TEST(the_last_step_extends_to_the_end)
{
    struct cs_memory_curve curve = {
        .count = 2,
        .interval_ps = 500,
        .points = {{100, 60}, {40, 40}},
    };
    struct cs_text out = {0};

    cs_memory_script(&curve, "it's", "m.png", &out);
    assert_non_null(strstr(cs_text_str(&out), "0 100 60\n500 40 40\n1000 40 40\nEND\n"));
    assert_non_null(strstr(cs_text_str(&out), "set terminal pngcairo"));
    assert_non_null(strstr(cs_text_str(&out), "set title 'it''s'"));
    cs_text_free(&out);
    cs_memory_script(&curve, "t", "m.svg", &out);
    assert_non_null(strstr(cs_text_str(&out), "set terminal svg"));
    cs_text_free(&out);
}

TEXT_TEST(a_unit_has_at_most_three_digits)
{
    struct cs_memory_curve curve = {
        .count = 1,
        .interval_ps = 2500000,
        .points = {{1500000, 1}},
    };

    cs_memory_script(&curve, "t", "m.svg", out);
    assert_non_null(strstr(cs_text_str(out), "time (us)"));
    assert_non_null(strstr(cs_text_str(out), "(MB)"));
}
