/* Curves: rates between and beyond the measured points. */
#include "validate/gpu/calibrated.h"

#include "tests/near.h"

#define MIB ((double)(1 << 20))

struct drawing {
    struct cs_arena arena;
    struct cs_gpu_curve curve;
};

static void draw(struct drawing *drawing, double blocks, double vector_bytes, double rate_Bps)
{
    cs_gpu_curve_add(&drawing->curve, (struct cs_gpu_point){blocks, vector_bytes, rate_Bps}, 16,
                     &drawing->arena);
    cs_gpu_curve_sort(&drawing->curve);
}

static double rate(const struct drawing *drawing, double blocks, double bytes)
{
    return cs_gpu_curve_rate(&drawing->curve, blocks, bytes);
}

TEST(an_empty_curve_has_no_rate)
{
    struct drawing drawing = {0};

    assert_true(rate(&drawing, 4, MIB) == 0);
}

TEST(rates_between_blocks_are_powers_of_the_blocks)
{
    struct drawing drawing = {0};

    draw(&drawing, 16, MIB, 20e9);
    draw(&drawing, 4, MIB, 10e9);
    assert_near(rate(&drawing, 8, MIB), 10e9 * sqrt(2), 1e-9);
    assert_near(rate(&drawing, 2, MIB), 5e9, 1e-9);   /* in proportion */
    assert_near(rate(&drawing, 64, MIB), 20e9, 1e-9); /* no faster */
    cs_arena_free(&drawing.arena);
}

/* The sizes of 4 blocks place 8 MiB halfway in time between small and large;
 * 16 blocks follow. */
TEST(the_step_between_sizes_is_that_of_the_blocks_with_most_sizes)
{
    struct drawing drawing = {0};

    draw(&drawing, 4, MIB, 4e9);
    draw(&drawing, 4, 8 * MIB, 2e9);
    draw(&drawing, 4, 64 * MIB, 4e9 / 3);
    draw(&drawing, 16, MIB, 16e9);
    draw(&drawing, 16, 64 * MIB, 8e9);
    assert_near(rate(&drawing, 4, 8 * MIB), 2e9, 1e-9);
    assert_near(rate(&drawing, 16, 8 * MIB), 2 / (1 / 16e9 + 1 / 8e9), 1e-9);
    cs_arena_free(&drawing.arena);
}

TEST(the_slowest_of_equal_points_counts)
{
    struct drawing drawing = {0};

    draw(&drawing, 4, MIB, 3e9);
    draw(&drawing, 4, MIB, 2e9);
    draw(&drawing, 4, MIB, 5e9);
    assert_int_equal(drawing.curve.count, 1);
    assert_near(rate(&drawing, 4, MIB), 2e9, 1e-9);
    cs_arena_free(&drawing.arena);
}
