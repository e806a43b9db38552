/* Ranks of a factor: exact for few ranks, an interval for many. */
#include "validate/logs/builder.h"

#include "algorithms/collective.h"
#include "tests/fixture.h"

static void every_number_of_ranks_has_its_own_factor(void **state)
{
    static const struct cs_collective *const kinds[] = {&cs_collective_allreduce,
                                                        &cs_collective_allgather};

    (void)state;
    for (uint32_t ranks = 2; ranks < 5000; ranks++)
        for (int k = 0; k < 2; k++) {
            double factor = cs_collective_bus_factor(kinds[k], ranks);
            uint32_t least;
            uint32_t most;

            cs_log_ranks_of_factor(kinds[k], factor, factor, &least, &most);
            assert_int_equal(least, ranks);
            assert_int_equal(most, ranks);
        }
}

static void a_factor_beyond_the_limit_has_no_ranks(void **state)
{
    uint32_t least;
    uint32_t most;

    (void)state;
    cs_log_ranks_of_factor(&cs_collective_allreduce, 2.1, 2.2, &least, &most);
    assert_int_equal(least, 0);
    cs_log_ranks_of_factor(&cs_collective_broadcast, 1, 1, &least, &most);
    assert_int_equal(least, 0);
    cs_log_ranks_of_factor(&cs_collective_allreduce, 1.9, 2.1, &least, &most);
    assert_int_equal(least, 20);
    assert_int_equal(most, UINT32_MAX);
    cs_log_ranks_of_factor(&cs_collective_allreduce, 1.51, 1.52, &least, &most);
    assert_int_equal(least, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_ranks_has_its_own_factor),
        cmocka_unit_test(a_factor_beyond_the_limit_has_no_ranks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
