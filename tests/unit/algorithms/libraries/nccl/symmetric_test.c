/* NCCL's model of symmetric-memory kernels. */
#include "algorithms/libraries/nccl/symmetric.h"

#include "tests/fixture.h"

static struct cs_nccl_symmetric on_hoppers(enum cs_nccl_func func, uint64_t bytes, bool multicast)
{
    struct cs_nccl_symmetric_call call = {
        .func = func, .bytes = bytes, .ranks = 8, .capability = 90, .has_multicast = multicast};

    return cs_nccl_symmetric_choose(&call);
}

TEST(small_calls_take_ll_kernels_and_large_calls_the_switch)
{
    struct cs_nccl_symmetric small, large;

    small = on_hoppers(CS_NCCL_ALL_REDUCE, 1024, true);
    assert_non_null(strstr(small.kernel, "LL"));
    /* 4.5 us and log(1 + e^-1) for a call that fills nothing. */
    assert_true(fabs(small.time_s * 1e6 - 4.5 - log1p(exp(-1))) < .3);
    large = on_hoppers(CS_NCCL_ALL_REDUCE, 1ull << 30, true);
    assert_string_equal(large.kernel, "AllReduce_RSxLDMC_AGxSTMC");
    assert_int_equal(large.blocks, 2);
    large = on_hoppers(CS_NCCL_ALL_REDUCE, 1ull << 30, false);
    assert_string_equal(large.kernel, "AllReduce_RSxLD_AGxST");
}

/* 7 GiB of the other ranks at 320 x 2^30 B/s. */
TEST(a_large_gather_runs_at_the_peak_of_the_links)
{
    struct cs_nccl_symmetric choice = on_hoppers(CS_NCCL_ALL_GATHER, 1ull << 30, false);

    assert_string_equal(choice.kernel, "AllGather_ST");
    assert_true(fabs(choice.time_s - 7. / 320) < .03 * 7. / 320);
}

TEST(other_collectives_and_one_rank_have_no_kernel)
{
    struct cs_nccl_symmetric_call lone = {
        .func = CS_NCCL_ALL_REDUCE, .bytes = 8, .ranks = 1, .capability = 90};

    assert_null(on_hoppers(CS_NCCL_BROADCAST, 8, true).kernel);
    assert_null(cs_nccl_symmetric_choose(&lone).kernel);
    assert_null(on_hoppers(CS_NCCL_ALL_REDUCE, 64ull << 30, true).kernel);
}
