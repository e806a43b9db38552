/* Rank order: placement permutes the ranks, agents keep their places. */
#include "scenarios/run/case/plan.h"

#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(packed_ranks_need_no_order)
{
    uint32_t *order;

    opened_run(opened, WORDS("--topo", "ib-2xdgx", "--algo", "ring"));
    assert_int_equal(cs_rank_order(&opened->run, &order), 0);
    assert_null(order);
}

OPENED_TEST(a_random_placement_is_a_permutation_by_the_seed)
{
    uint32_t *order;
    uint32_t *again;
    uint32_t seen = 0;

    opened_run(opened, WORDS("--topo", "ib-2xdgx", "--algo", "ring", "--placement", "random",
                             "--seed", "7"));
    assert_int_equal(cs_rank_order(&opened->run, &order), 0);
    assert_int_equal(cs_rank_order(&opened->run, &again), 0);
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(order[i], again[i]);
        seen |= 1u << order[i];
    }
    assert_int_equal(seen, 0xffff);
}
