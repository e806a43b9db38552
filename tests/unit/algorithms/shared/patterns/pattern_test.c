#include "algorithms/shared/patterns/pattern.h"

#include "tests/fixture.h"

TEST(ahead_and_behind_go_round_the_circle)
{
    for (uint32_t p = 1; p < 20; p++)
        for (uint32_t rank = 0; rank < p; rank++)
            for (uint32_t step = 0; step <= p; step++) {
                assert_int_equal(cs_ahead(rank, step, p), (rank + step) % p);
                assert_int_equal(cs_behind(rank, step, p), (rank + p - step) % p);
            }
}

TEST(circle_arithmetic_holds_for_the_largest_machine)
{
    const uint32_t p = 1 << 20;

    assert_int_equal(cs_ahead(p - 1, 1, p), 0);
    assert_int_equal(cs_behind(0, 1, p), p - 1);
    assert_int_equal(cs_ahead(p - 1, p, p), p - 1);
}

TEST(log2_up_is_the_depth_of_a_tree)
{
    assert_int_equal(cs_log2_up(1), 0);
    for (uint32_t log = 1; log < 32; log++) {
        uint32_t power = (uint32_t)1 << log;

        assert_int_equal(cs_log2_up(power), log);
        assert_int_equal(cs_log2_up(power - 1), log == 1 ? 0 : log);
        assert_int_equal(cs_log2_up(power + 1), log + 1);
    }
    assert_int_equal(cs_log2_up(UINT32_MAX), 32);
}

TEST(a_stride_times_its_inverse_is_one)
{
    for (uint32_t p = 2; p < 60; p++)
        for (uint32_t number = 0; number < cs_stride_count(p, p); number++) {
            uint32_t step = cs_stride_step(p, number);
            uint32_t inverse = cs_stride_inverse(p, step);

            assert_in_range(inverse, 1, p - 1);
            assert_int_equal((uint64_t)step * inverse % p, 1);
        }
}

TEST(blocks_are_the_vector_or_one_for_each_rank)
{
    struct cs_call call = {.ranks = 7, .elements = 15, .element_bytes = 4};

    assert_int_equal(cs_blocks_one(&call), 1);
    assert_int_equal(cs_blocks_per_rank(&call), 7);
    assert_int_equal(cs_block(3).first, 3);
    assert_int_equal(cs_block(3).count, 1);
    assert_int_equal(cs_whole().first, 0);
    assert_int_equal(cs_whole().count, 1);
}

/* The largest block of the textbook is the largest of the program's cut. */
TEST(the_largest_block_is_that_of_the_cut)
{
    for (uint32_t p = 1; p < 12; p++)
        for (uint64_t elements = 0; elements < 50; elements++) {
            struct cs_call call = {.ranks = p, .elements = elements, .element_bytes = 4};
            struct cs_program program = {
                .ranks = p, .blocks = p, .elements = elements, .element_bytes = 4};
            struct cs_cut cut = cs_cut_of(&program);

            assert_true(cs_vector_bytes(&call) == 4.0 * (double)elements);
            assert_true(cs_largest_block_bytes(&call) ==
                        (double)cs_cut_bytes(&cut, (struct cs_blocks){0, 1}));
        }
}
