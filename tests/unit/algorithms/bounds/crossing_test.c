/*
 * Bytes across the border of a set of ranks.
 */
#include "algorithms/bounds/case.h"

#include "tests/fixture.h"

static void expect_crossing(const char *collective, uint32_t inside, bool has_root, double in_bytes,
                            double out_bytes)
{
    const struct cs_crossing_request request = {
        .collective = cs_collective_find(collective), .vector_bytes = 80, .ranks = 8};
    struct cs_crossing crossing = cs_crossing_of(&request, inside, has_root);

    if (crossing.in_bytes != in_bytes || crossing.out_bytes != out_bytes)
        fail_msg("%s: %g in, %g out; not %g, %g", collective, crossing.in_bytes, crossing.out_bytes,
                 in_bytes, out_bytes);
}

TEST(each_collective_moves_its_bytes_across)
{
    expect_crossing("all-reduce", 3, false, 80, 80);
    expect_crossing("all-gather", 3, false, 50, 30);
    expect_crossing("reduce-scatter", 3, false, 30, 50);
    expect_crossing("all-to-all", 3, false, 150, 150);
    expect_crossing("barrier", 3, false, 0, 0);
}

TEST(a_root_s_side_only_sends_or_only_receives)
{
    expect_crossing("broadcast", 3, true, 0, 80);
    expect_crossing("broadcast", 3, false, 80, 0);
    expect_crossing("reduce", 3, true, 80, 0);
    expect_crossing("reduce", 3, false, 0, 80);
    expect_crossing("gather", 3, true, 50, 0);
    expect_crossing("gather", 3, false, 0, 30);
    expect_crossing("scatter", 3, true, 0, 50);
    expect_crossing("scatter", 3, false, 30, 0);
}

/* 10 elements on 4 ranks: blocks of 3 3 2 2.  Two ranks may have the short
 * ones, or the long ones. */
TEST(a_set_may_have_the_short_or_the_long_blocks)
{
    const struct cs_crossing_request request = {
        .collective = &cs_collective_allgather, .vector_bytes = 40, .ranks = 4, .element_bytes = 4};
    struct cs_crossing crossing = cs_crossing_of(&request, 2, false);

    assert_true(crossing.out_bytes == 16);
    assert_true(crossing.in_bytes == 16);
}
