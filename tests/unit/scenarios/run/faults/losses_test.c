/* Losses: the links in use, and kinds of devices that the machine has not. */
#include "scenarios/run/faults/losses.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(each_link_in_use_is_a_loss_of_its_own)
{
    struct cs_losses losses;

    opened_run(opened, WORDS("--topo", "switch:ranks=6", "--ranks", "4", "--algo", "ring", "--size",
                             "4MB"));
    opened_simulate(opened);
    assert_int_equal(cs_losses_find(&opened->run, CS_WHAT_IF_LINK, &losses, &opened->arena), 0);
    assert_int_equal(losses.count, 4);
    for (uint32_t i = 0; i < losses.count; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_string_not_equal(losses.items[i].where, losses.items[j].where);
}

OPENED_TEST(a_machine_without_adapters_names_the_kinds_in_use)
{
    struct cs_losses losses;

    opened_run(opened, WORDS("--topo", "switch:ranks=4", "--algo", "ring"));
    opened_simulate(opened);
    assert_int_equal(cs_losses_find(&opened->run, CS_WHAT_IF_NIC, &losses, &opened->arena),
                     CS_EINPUT);
    assert_non_null(strstr(opened->err.text, "write each-link"));
}
