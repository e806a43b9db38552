/* The machine of closed forms: the worst route of the program. */
#include "scenarios/run/case/closed_form.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_switch_has_two_links_of_latency_and_the_rate_of_one)
{
    struct cs_textbook book;
    struct cs_hockney before;

    opened_run(opened,
               WORDS("--topo", "switch:ranks=8,bandwidth=10GB/s,latency=1us", "--algo", "ring"));
    book = cs_run_closed_form(&opened->run, CS_LOOKS_AT_ALL);
    before = cs_run_neighbours(&opened->run).within;
    assert_true(book.between.beta_Bps == 10e9);
    assert_true(book.between.alpha_s == before.alpha_s);
    assert_true(book.between.alpha_s > 0);
    assert_true(before.beta_Bps == 10e9);
}

OPENED_TEST(a_slow_link_lowers_the_rate_of_the_routes_through_it)
{
    struct cs_textbook book;

    opened_run(opened, WORDS("--topo", "switch:ranks=8,bandwidth=10GB/s,latency=1us", "--algo",
                             "ring", "--fault", "rank3-switch:rate=50%"));
    book = cs_run_closed_form(&opened->run, CS_LOOKS_AT_ALL);
    assert_true(book.between.beta_Bps == 5e9);
}

/* Every fifth rank of 1,024: not rank 3, nor the one that sends to it. */
OPENED_TEST(some_parties_stand_for_all_of_a_large_machine)
{
    struct cs_textbook all, some;

    opened_run(opened, WORDS("--topo", "switch:ranks=1024,bandwidth=10GB/s,latency=1us", "--algo",
                             "ring", "--fault", "rank3-switch:rate=50%"));
    all = cs_run_closed_form(&opened->run, CS_LOOKS_AT_ALL);
    some = cs_run_closed_form(&opened->run, CS_LOOKS_AT_SOME);
    assert_true(all.between.beta_Bps == 5e9);
    assert_true(some.between.beta_Bps == 10e9);
    assert_true(some.between.alpha_s == all.between.alpha_s);
}
