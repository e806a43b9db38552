/* Note on a routing that changes nothing. */

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_routing_without_alternate_routes_is_noted)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring", "--routing", "ecmp"));
    cs_note_unused_routing(&opened->run);
    assert_string_equal(cs_text_str(&opened->notes),
                        "--routing ecmp has no effect: the routes are those of spread\n");
}

OPENED_TEST(the_default_routing_has_no_note)
{
    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    cs_note_unused_routing(&opened->run);
    assert_string_equal(cs_text_str(&opened->notes), "");
}

OPENED_TEST(a_routing_with_other_routes_has_no_note)
{
    opened_run(opened,
               WORDS("--topo", "fat-tree:ranks=64,radix=8", "--algo", "ring", "--routing", "ecmp"));
    cs_note_unused_routing(&opened->run);
    assert_string_equal(cs_text_str(&opened->notes), "");
}
