/* Ranks of a factor: exact for few ranks, an interval for many. */
#include "validate/logs/builder.h"

#include "algorithms/collective.h"
#include "tests/fixture.h"

TEST(every_number_of_ranks_has_its_own_factor)
{
    static const struct cs_collective *const kinds[] = {&cs_collective_allreduce,
                                                        &cs_collective_allgather};

    for (uint32_t ranks = 2; ranks < 5000; ranks++)
        for (int k = 0; k < 2; k++) {
            double factor = cs_collective_bus_factor(kinds[k], ranks);
            uint32_t least, most;

            cs_log_ranks_of_factor(kinds[k], factor, factor, &least, &most);
            assert_int_equal(least, ranks);
            assert_int_equal(most, ranks);
        }
}

TEST(a_factor_beyond_the_limit_has_no_ranks)
{
    uint32_t least, most;

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
