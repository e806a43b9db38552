/* Notes on a finished run. */
#include "scenarios/run/record/record.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_fault_after_the_end_is_noted)
{
    const struct cs_record_spread none = {0};

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--size", "4kB",
                             "--fault", "rank3-switch:rate=50%@5s"));
    opened_simulate(opened);
    cs_note_late_faults(&opened->run, &none);
    assert_non_null(
        strstr(cs_text_str(&opened->notes), "fault rank3-switch:rate=50%@5s has no effect"));
}

OPENED_TEST(a_fault_during_the_run_is_not_called_late)
{
    const struct cs_record_spread none = {0};

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--size", "64MB",
                             "--fault", "rank3-switch:rate=50%@1us"));
    opened_simulate(opened);
    cs_note_late_faults(&opened->run, &none);
    assert_string_equal(cs_text_str(&opened->notes), "");
}

TEST(models_with_queues_keep_the_rate_of_a_message)
{
    struct opened opened;

    opened_run(&opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--fault",
                              "rank3-switch:rate=50%@1us", "--link-model", "fluid"));
    cs_note_kept_rates(&opened.run);
    assert_string_equal(cs_text_str(&opened.notes), "");
    opened_free(&opened);
    opened_run(&opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--fault",
                              "rank3-switch:rate=50%@1us", "--link-model", "fifo"));
    cs_note_kept_rates(&opened.run);
    assert_non_null(strstr(cs_text_str(&opened.notes), "keeps its rate"));
    opened_free(&opened);
}

OPENED_TEST(default_parameters_of_loggp_are_noted)
{
    const struct cs_record record = {0};

    opened_run(opened,
               WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--link-model", "loggp"));
    cs_note_closed_form(&opened->run, &record);
    assert_non_null(strstr(cs_text_str(&opened->notes), "model loggp"));
}
