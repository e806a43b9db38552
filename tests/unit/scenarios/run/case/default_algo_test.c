/* The default algorithm: rings, and the collectives without a ring. */
#include "scenarios/run/case/finish.h"

#include "tests/unit/scenarios/run/opened.h"

static void nodes_of_several_ranks_have_rings_over_all_adapters(void **state)
{
    struct opened opened;

    (void)state;
    opened_run(&opened, WORDS("--topo", "ib-2xdgx"));
    assert_string_equal(opened.which.algo->name, "multi-ring");
    opened_free(&opened);
    opened_run(&opened, WORDS("--topo", "dgx"));
    assert_string_equal(opened.which.algo->name, "ring");
    opened_free(&opened);
}

static void every_collective_with_rings_has_those_of_the_nodes(void **state)
{
    static const char *const collectives[] = {"all-gather", "reduce-scatter", "broadcast",
                                              "reduce"};

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct opened opened;

        opened_run(&opened, WORDS("--topo", "ib-2xdgx", "--collective", (char *)collectives[i]));
        assert_string_equal(opened.which.algo->name, "multi-ring");
        opened_free(&opened);
    }
}

static void a_collective_without_a_ring_has_its_first_algorithm(void **state)
{
    const char *name = cs_default_algo(&cs_collective_alltoall, NULL);

    (void)state;
    assert_non_null(cs_algo_find(name, &cs_collective_alltoall));
    assert_string_equal(cs_default_algo(&cs_collective_allreduce, NULL), "ring");
}

static void a_machine_that_cannot_be_opened_has_a_default(void **state)
{
    struct opened opened;

    (void)state;
    assert_int_equal(opened_finish(&opened, WORDS("--topo", "dgx", "--ranks", "1000")), 0);
    assert_string_equal(cs_default_algo_of(&opened.scenario), "ring");
    opened_free(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_several_ranks_have_rings_over_all_adapters),
        cmocka_unit_test(every_collective_with_rings_has_those_of_the_nodes),
        cmocka_unit_test(a_collective_without_a_ring_has_its_first_algorithm),
        cmocka_unit_test(a_machine_that_cannot_be_opened_has_a_default),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
