/* Parameters of a run as rows: names, values, and the chooser. */
#include "scenarios/run/case/plan.h"

#include "tests/unit/scenarios/run/opened.h"

/* The row of that name, or NULL. */
static const struct cs_record_parameter *row(const struct cs_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->parameter_count; i++)
        if (strcmp(run->parameter[i].name, name) == 0)
            return &run->parameter[i];
    return NULL;
}

OPENED_TEST(a_given_parameter_is_the_choice_of_the_user)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=8", "--algo", "chain", "--chunks", "7"));
    cs_run_add_parameters(&opened->run, &opened->run.call);
    assert_non_null(row(&opened->run, "chunks"));
    assert_string_equal(row(&opened->run, "chunks")->value, "7");
    assert_string_equal(row(&opened->run, "chunks")->chosen_by, "user");
}

OPENED_TEST(an_open_parameter_is_the_choice_of_the_algorithm)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=8", "--algo", "chain"));
    cs_run_add_parameters(&opened->run, &opened->run.call);
    assert_non_null(row(&opened->run, "chunks"));
    assert_string_equal(row(&opened->run, "chunks")->chosen_by, "algorithm");
}

OPENED_TEST(options_of_machine_and_model_are_rows_of_the_user)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=8", "--algo", "ring", "--link-model", "packet",
                             "--loss", "drop", "--fault", "rank3-switch:rate=50%"));
    cs_run_add_parameters(&opened->run, &opened->run.call);
    assert_string_equal(row(&opened->run, "loss")->value, "drop");
    assert_string_equal(row(&opened->run, "fault")->value, "rank3-switch:rate=50%");
    assert_null(row(&opened->run, "jitter"));
}
