/* The script of bars and curves, with and without measured values. */
#include "reports/figures/bars.h"

#include "tests/fixture.h"

static void script_contains(const struct cs_bars *bars, const char *name, const char *expected)
{
    CS_AT_END(cs_text_free) struct cs_text script = {0};

    cs_bars_script(bars, name, &script);
    if (!strstr(cs_text_str(&script), expected))
        fail_msg("no '%s' in:\n%s", expected, cs_text_str(&script));
}

static const struct cs_bar two[] = {
    {.label = "1", .note = "it's `one`", .at = 1, .value = 10},
    {.label = "2", .at = 2, .value = 30, .measured = 40},
};

TEST(bars_have_labels_and_measured_points)
{
    const struct cs_bars bars = {.title = "two", .what = "samples/s", .bars = two, .count = 2};

    script_contains(&bars, "x.svg", "set terminal svg");
    script_contains(&bars, "x.png", "set terminal pngcairo");
    script_contains(&bars, "x.svg", "set xtics ('1' 0, '2' 1)");
    script_contains(&bars, "x.svg", "1 30 40\n");
    script_contains(&bars, "x.svg", "0 10 NaN\n");
    script_contains(&bars, "x.svg", "title 'measured'");
    /* Beside the bars, whose labels it would cover. */
    script_contains(&bars, "x.svg", "set key tmargin");
    script_contains(&bars, "x.svg", "set ylabel 'samples/s'");
}

TEST(a_curve_has_the_numbers_as_places)
{
    const struct cs_bars bars = {.title = "two",
                                 .what = "step (s)",
                                 .x = "micro-batch",
                                 .bars = two,
                                 .count = 1,
                                 .curve = true};

    script_contains(&bars, "x.svg", "1 10 NaN\n");
    script_contains(&bars, "x.svg", "set xlabel 'micro-batch'");
    script_contains(&bars, "x.svg", "unset key");
}

TEXT_TEST(no_text_runs_a_command)
{
    const struct cs_bars bars = {.title = "`rm`", .what = "x", .bars = two, .count = 2};

    cs_bars_script(&bars, "x.svg", out);
    assert_null(strchr(cs_text_str(out), '`'));
}
