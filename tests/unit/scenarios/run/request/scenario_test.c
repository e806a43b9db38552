/* Scenario: defaults, names of machines, and options of the run key. */
#include "scenarios/run/request/scenario.h"

#include "tests/unit/scenarios/run/opened.h"

ARENA_TEST(the_default_is_an_allreduce_of_fp32_on_a_dgx)
{
    struct cs_scenario scenario;

    cs_scenario_init(&scenario, arena);
    assert_string_equal(scenario.topo, "dgx.yaml");
    assert_string_equal(scenario.collective->name, "all-reduce");
    assert_string_equal(scenario.dtype->name, "fp32");
    assert_string_equal(scenario.model->name, "fifo");
}

TEST(files_library_names_and_generators_are_machines)
{
    assert_true(cs_scenario_is_machine("mine.yaml"));
    assert_true(cs_scenario_is_machine("system.xml"));
    assert_true(cs_scenario_is_machine("dgx"));
    assert_true(cs_scenario_is_machine("switch:ranks=4"));
    assert_false(cs_scenario_is_machine("ring"));
    assert_false(cs_scenario_is_machine(".yaml"));
}

OPENED_TEST(a_given_option_is_distinguished_from_its_default)
{
    assert_int_equal(opened_finish(opened, WORDS("--link-model", "fifo")), 0);
    assert_true(cs_scenario_given(&opened->scenario, "link-model"));
    assert_false(cs_scenario_given(&opened->scenario, "seed"));
}

/* A cs_option_visit's function: appends "name=value;". */
static void append_key(void *ctx, const struct cs_option *option, const char *value)
{
    cs_text_printf(ctx, "%s=%s;", option->name, value);
}

OPENED_TEST(the_key_has_values_that_differ_from_the_default)
{
    CS_AT_END(cs_text_free) struct cs_text key = {0};

    assert_int_equal(opened_finish(opened, WORDS("--link-model", "packet", "--loss", "drop")), 0);
    cs_scenario_each_of_key(&opened->scenario, CS_KEY_PARAMETER,
                            (struct cs_option_visit){append_key, &key});
    assert_string_equal(cs_text_str(&key), "loss=drop;");
}
