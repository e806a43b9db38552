#include "algorithms/collective.h"

#include "tests/fixture.h"

static const struct cs_collective *named(const char *name)
{
    const struct cs_collective *collective = cs_collective_find(name);

    if (!collective)
        fail_msg("no collective '%s'", name);
    return collective;
}

TEST(every_collective_is_found_by_its_name)
{
    for (size_t i = 0; i < cs_collective_count; i++) {
        assert_ptr_equal(cs_collective_find(cs_collectives[i]->name), cs_collectives[i]);
        assert_true(strlen(cs_collectives[i]->about) > 0);
    }
    assert_null(cs_collective_find(""));
    assert_null(cs_collective_find("all-reducer"));
    assert_null(cs_collective_find("all-reduc"));
}

TEST(spellings_of_mpi_and_nccl_tests_are_read)
{
    static const char *const pairs[][2] = {
        {"allreduce", "all-reduce"},
        {"all_reduce", "all-reduce"},
        {"MPI_Allreduce", "all-reduce"},
        {"all_gather_perf", "all-gather"},
        {"sendrecv_perf", "send-receive"},
        {"MPI_Reduce_scatter_block", "reduce-scatter"},
        {"reduce_scatter", "reduce-scatter"},
        {"AllGather", "all-gather"},
        {"Bcast", "broadcast"},
        {"alltoall", "all-to-all"},
        {"sendrecv", "send-receive"},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
        assert_ptr_equal(cs_collective_find(pairs[i][0]), named(pairs[i][1]));
}

/* doc/PERFORMANCE.md of nccl-tests. */
TEST(bus_factors_are_those_of_nccl_tests)
{
    static const char *const shares[] = {"reduce-scatter", "all-gather", "gather", "scatter",
                                         "alltoall"};
    static const char *const ones[] = {"broadcast", "reduce", "sendrecv"};

    for (uint32_t p = 2; p < 100; p++) {
        double share = (p - 1.0) / p;

        assert_true(fabs(cs_collective_bus_factor(named("allreduce"), p) - 2 * share) < 1e-15);
        for (size_t i = 0; i < 5; i++)
            assert_true(fabs(cs_collective_bus_factor(named(shares[i]), p) - share) < 1e-15);
        for (size_t i = 0; i < 3; i++)
            assert_true(cs_collective_bus_factor(named(ones[i]), p) == 1);
    }
}

TEST(one_rank_has_no_bus_bandwidth)
{
    for (size_t i = 0; i < cs_collective_count; i++)
        assert_true(cs_collective_bus_factor(cs_collectives[i], 1) == 0);
}

TEST(only_collectives_with_sums_reduce)
{
    static const char *const sums[] = {"allreduce", "reduce-scatter", "reduce"};
    static const char *const moves[] = {"all-gather", "broadcast", "gather",
                                        "scatter",    "alltoall",  "sendrecv"};

    for (size_t i = 0; i < 3; i++)
        assert_true(cs_collective_reduces(named(sums[i])));
    for (size_t i = 0; i < 6; i++)
        assert_false(cs_collective_reduces(named(moves[i])));
}
