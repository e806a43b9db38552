/* The default algorithm: rings, and the collectives without a ring. */

#include "tests/unit/scenarios/run/opened.h"

TEST(nodes_of_several_ranks_have_rings_over_all_adapters)
{
    struct opened opened;

    opened_run(&opened, WORDS("--topo", "ib-2xdgx"));
    assert_string_equal(opened.which.algo->name, "multi-ring");
    opened_free(&opened);
    opened_run(&opened, WORDS("--topo", "dgx"));
    assert_string_equal(opened.which.algo->name, "ring");
    opened_free(&opened);
}

TEST(every_collective_with_rings_has_those_of_the_nodes)
{
    static const char *const collectives[] = {"all-gather", "reduce-scatter", "broadcast",
                                              "reduce"};

    for (int i = 0; i < 4; i++) {
        CS_AT_END(opened_free) struct opened opened;

        opened_run(&opened, WORDS("--topo", "ib-2xdgx", "--collective", (char *)collectives[i]));
        assert_string_equal(opened.which.algo->name, "multi-ring");
    }
}

TEST(a_collective_without_a_ring_has_its_first_algorithm)
{
    const char *name = cs_default_algo(&cs_collective_alltoall, NULL);

    assert_non_null(cs_algo_find(name, &cs_collective_alltoall));
    assert_string_equal(cs_default_algo(&cs_collective_allreduce, NULL), "ring");
}

OPENED_TEST(a_machine_that_cannot_be_opened_has_a_default)
{
    assert_int_equal(opened_finish(opened, WORDS("--topo", "dgx", "--ranks", "1000")), 0);
    assert_string_equal(cs_default_algo_of(&opened->scenario), "ring");
}
