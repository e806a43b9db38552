/* Chunks: the limits of the number that an algorithm settles. */
#include "algorithms/shared/patterns/pattern.h"

#include "tests/fixture.h"

#include <math.h>

static uint32_t settled(uint32_t given, uint64_t most, double best)
{
    struct cs_call call = {.ranks = 4, .elements = most, .chunks = given};

    cs_settle_chunks(&call, most, best);
    return call.chunks;
}

static void a_given_number_of_chunks_stays(void **state)
{
    (void)state;
    assert_int_equal(settled(7, 100, 20), 7);
}

static void the_best_number_is_rounded_within_the_limits(void **state)
{
    (void)state;
    assert_int_equal(settled(0, 100, 19.5), 20);
    assert_int_equal(settled(0, 100, 0.2), 1);
    assert_int_equal(settled(0, 100, 1e9), 100);
    assert_int_equal(settled(0, 1 << 20, 1e9), CS_CHUNKS_MAX);
}

static void without_latency_1024_chunks_are_enough(void **state)
{
    (void)state;
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
static void equal_chunks_near_the_best_number_are_preferred(void **state)
{
    (void)state;
    assert_int_equal(settled_equal(1 << 20, 1 << 16, 25), 32);
    assert_int_equal(settled_equal(1 << 20, 1 << 16, 9), 8);
    assert_int_equal(settled_equal(1 << 20, 30, 25), 16);
    assert_int_equal(settled_equal(UINT64_C(16) * 97, 60, 10), 10);
    assert_int_equal(settled_equal(UINT64_C(16) * 100, 100, 21), 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_given_number_of_chunks_stays),
        cmocka_unit_test(the_best_number_is_rounded_within_the_limits),
        cmocka_unit_test(without_latency_1024_chunks_are_enough),
        cmocka_unit_test(equal_chunks_near_the_best_number_are_preferred),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
