/* Note on a routing that changes nothing. */
#include "scenarios/run/record/record.h"

#include "tests/unit/scenarios/run/opened.h"

static void a_routing_without_alternate_routes_is_noted(void **state)
{
    struct opened opened;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--routing", "ecmp"));
    cs_note_unused_routing(&opened.run);
    assert_string_equal(cs_text_str(&opened.notes),
                        "--routing ecmp has no effect: the routes are those of "
                        "spread\n");
    opened_free(&opened);
}

static void the_default_routing_has_no_note(void **state)
{
    struct opened opened;

    (void)state;
    opened_run(&opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    cs_note_unused_routing(&opened.run);
    assert_string_equal(cs_text_str(&opened.notes), "");
    opened_free(&opened);
}

static void a_routing_with_other_routes_has_no_note(void **state)
{
    struct opened opened;

    (void)state;
    opened_run(&opened,
               WORDS("--topo", "fat-tree:ranks=64,radix=8", "--algo", "ring", "--routing", "ecmp"));
    cs_note_unused_routing(&opened.run);
    assert_string_equal(cs_text_str(&opened.notes), "");
    opened_free(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_routing_without_alternate_routes_is_noted),
        cmocka_unit_test(the_default_routing_has_no_note),
        cmocka_unit_test(a_routing_with_other_routes_has_no_note),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
