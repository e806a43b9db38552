/* Notes of sizes that take longer than greater ones. */
#include "scenarios/run/command/unused_options.h"

#include "tests/unit/scenarios/run/opened.h"

/* Sizes of a run in model packet, the smaller of which takes longer. */
static void note_sizes(struct cs_progress_line *display, struct cs_text *notes)
{
    CS_AT_END(opened_free) struct opened opened;
    struct cs_record items[] = {
        {.algorithm = "direct", .bytes = 40396, .ranks = 32, .time_ps = 6564000},
        {.algorithm = "direct", .bytes = 40400, .ranks = 32, .time_ps = 6561000}};
    const struct cs_records records = {.items = items, .count = 2};

    if (opened_finish(&opened,
                      WORDS("--topo", "dgx-2", "--nodes", "2", "--collective", "reduce-scatter",
                            "--algo", "direct", "--link-model", "packet", "--size", "40396,40400")))
        fail_msg("%s", opened.err.text);
    cs_slower_sizes_note(&opened.scenario, &records, display, notes);
}

TEXT_TEST(a_smaller_size_has_a_reason)
{
    note_sizes(NULL, out);
    assert_non_null(strstr(cs_text_str(out), "longer than of 40.4 kB"));
}

/* Plans and simulations of reasons take as long as those of the runs. */
TEXT_TEST(a_signal_ends_the_search_for_reasons)
{
    CS_AT_END(cs_progress_line_close)
    struct cs_progress_line display = {.messages = stderr, .stopped = true};

    note_sizes(&display, out);
    assert_int_equal(out->length, 0);
}
