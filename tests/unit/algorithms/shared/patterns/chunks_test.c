/* Chunks: the limits of the number that an algorithm settles. */
#include "algorithms/shared/patterns/pattern.h"

#include "tests/fixture.h"

static uint32_t settled(uint32_t given, uint64_t most, double best)
{
    struct cs_call call = {.ranks = 4, .elements = most, .chunks = given};

    cs_settle_chunks(&call, most, best);
    return call.chunks;
}

TEST(a_given_number_of_chunks_stays)
{
    assert_int_equal(settled(7, 100, 20), 7);
}

TEST(the_best_number_is_rounded_within_the_limits)
{
    assert_int_equal(settled(0, 100, 19.5), 20);
    assert_int_equal(settled(0, 100, 0.2), 1);
    assert_int_equal(settled(0, 100, 1e9), 100);
    assert_int_equal(settled(0, 1 << 20, 1e9), CS_CHUNKS_MAX);
}

TEST(without_latency_1024_chunks_are_enough)
{
    assert_int_equal(settled(0, 1 << 20, (double)INFINITY), 1024);
    assert_int_equal(settled(0, 1 << 20, (double)NAN), 1024);
    assert_int_equal(settled(0, 3, (double)NAN), 3);
}

static uint32_t settled_equal(uint64_t elements, uint64_t most, double best)
{
    struct cs_call call = {.ranks = 4, .elements = elements};

    cs_settle_equal_chunks(&call, 16, most, best);
    return call.chunks;
}

/* Upwards first, up to a factor; otherwise the best number stays. */
TEST(equal_chunks_near_the_best_number_are_preferred)
{
    assert_int_equal(settled_equal(1 << 20, 1 << 16, 25), 32);
    assert_int_equal(settled_equal(1 << 20, 1 << 16, 9), 8);
    assert_int_equal(settled_equal(1 << 20, 30, 25), 16);
    assert_int_equal(settled_equal(UINT64_C(16) * 97, 60, 10), 10);
    assert_int_equal(settled_equal(UINT64_C(16) * 100, 100, 21), 25);
}
