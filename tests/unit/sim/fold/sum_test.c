#include "sim/fold/sum.h"

#include "tests/fixture.h"

/* 7 pieces, of which 3 neighbours are long. */
static const struct cs_circle_of_pieces circle = {7, 3, 1};

static struct cs_sum sum_of(uint64_t sure_ps)
{
    return (struct cs_sum){.sure = {.latency_ps = sure_ps}};
}

static void add(struct cs_sum *sum, uint32_t piece, uint64_t weight_ps, enum cs_bound_kind kind)
{
    const struct cs_segment segment = {.weight_ps = weight_ps, .first = piece, .length = 1};

    cs_sum_add(sum, &circle, &segment, kind);
}

static uint64_t most_ps(const struct cs_sum *sum)
{
    struct cs_path most = cs_sum_most(sum, &circle);

    return cs_path_ps(&most);
}

TEST(neighbours_are_one_segment)
{
    struct cs_sum sum = sum_of(100);

    add(&sum, 2, 5, CS_AT_LEAST);
    add(&sum, 1, 5, CS_AT_LEAST);
    add(&sum, 0, 5, CS_AT_LEAST);
    add(&sum, 6, 5, CS_AT_LEAST);
    assert_int_equal(sum.count, 1);
    assert_int_equal(sum.segment[0].first, 6);
    assert_int_equal(sum.segment[0].length, 4);
    assert_int_equal(most_ps(&sum), 115); /* 3 of them are long */
}

TEST(a_block_on_its_route_is_long_every_time_or_never)
{
    struct cs_sum sum = sum_of(0);

    for (uint32_t i = 0; i < 10; i++)
        add(&sum, 4, 5, CS_AT_LEAST);
    assert_int_equal(sum.count, 1);
    assert_int_equal(most_ps(&sum), 50);
}

TEST(all_pieces_together_are_sure)
{
    struct cs_sum sum = sum_of(0);

    for (uint32_t i = 0; i < 7; i++)
        add(&sum, i, 5, CS_AT_LEAST);
    assert_int_equal(sum.count, 0);
    assert_int_equal(cs_path_ps(&sum.sure), 15);
}

TEST(without_room_a_sum_is_a_bound)
{
    struct cs_sum low = sum_of(0);
    struct cs_sum high = sum_of(0);

    for (uint32_t i = 0; i < 6; i++) {
        add(&low, i, 1 + i, CS_AT_LEAST);
        add(&high, i, 1 + i, CS_AT_MOST);
    }
    /* The most of three neighbours is 4 + 5 + 6. */
    assert_true(most_ps(&low) <= 15);
    assert_true(most_ps(&high) >= 15);
}

TEST(sums_differ_by_what_they_do_not_share)
{
    struct cs_sum a = sum_of(11);
    struct cs_sum b = sum_of(0);

    for (uint32_t i = 0; i < 5; i++) {
        add(&a, i, 5, CS_AT_LEAST);
        add(&b, i + 2, 5, CS_AT_LEAST); /* 5 and 6 are b's alone */
    }
    assert_true(cs_sum_exceeds(&a, &b, &circle));
    a.sure.latency_ps = 9;
    assert_false(cs_sum_exceeds(&a, &b, &circle));
    assert_false(cs_sum_exceeds(&b, &a, &circle));
}

/* Random sums, against a count of every piece in every place. */
TEST(a_greater_sum_is_greater_wherever_long_pieces_are)
{
    uint64_t random = cs_mix64(fixture_seed());
    uint32_t found = 0;

    for (uint32_t trial = 0; trial < 20000; trial++) {
        struct cs_sum sums[2] = {sum_of(cs_mix64(random++) % 40), sum_of(0)};
        uint64_t weight[2][7] = {{0}};

        for (uint32_t i = 0; i < 8; i++) {
            uint32_t which = i % 2;
            uint32_t piece = cs_mix64(random++) % 7;
            uint64_t ps = 1 + cs_mix64(random++) % 4;

            weight[which][piece] += ps;
            add(&sums[which], piece, ps, CS_AT_LEAST);
        }
        if (!cs_sum_exceeds(&sums[0], &sums[1], &circle))
            continue;
        found++;
        for (uint32_t by = 0; by < 7; by++) {
            uint64_t of[2] = {cs_path_ps(&sums[0].sure), 0};

            for (uint32_t piece = 0; piece < 7; piece++)
                for (uint32_t which = 0; which < 2; which++)
                    if ((piece + by) % 7 < 3)
                        of[which] += weight[which][piece];
            assert_true(of[0] >= of[1]);
        }
    }
    assert_true(found > 100);
}
