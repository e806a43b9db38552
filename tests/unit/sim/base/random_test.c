#include "sim/base/random.h"

#include "tests/test.h"

#include <stdbool.h>

TEST(the_same_seed_and_name_give_the_same_numbers)
{
    struct cs_random *one = cs_random_open(42, "placement");
    struct cs_random *two = cs_random_open(42, "placement");

    for (int i = 0; i < 1000; i++)
        assert_int_equal(cs_random_bits(one), cs_random_bits(two));
    cs_random_close(one);
    cs_random_close(two);
}

/* Written down once, so that a change of generator, hash or mix is seen: it
 * would change what a seed means. */
TEST(seed_1_of_placement_begins_as_it_always_did)
{
    struct cs_random *random = cs_random_open(1, "placement");

    assert_int_equal(cs_random_bits(random), UINT64_C(0x2b9158ce25cab63a));
    assert_int_equal(cs_random_bits(random), UINT64_C(0x3e7904f705aa3106));
    cs_random_close(random);
}

static int equal_draws(uint64_t seed_a, const char *name_a, uint64_t seed_b, const char *name_b)
{
    struct cs_random *a = cs_random_open(seed_a, name_a);
    struct cs_random *b = cs_random_open(seed_b, name_b);
    int equal = 0;

    for (int i = 0; i < 1000; i++)
        equal += cs_random_bits(a) == cs_random_bits(b);
    cs_random_close(a);
    cs_random_close(b);
    return equal;
}

TEST(another_name_or_seed_gives_other_numbers)
{
    assert_int_equal(equal_draws(1, "placement", 1, "values"), 0);
    assert_int_equal(equal_draws(1, "placement", 2, "placement"), 0);
    assert_int_equal(equal_draws(0, "", 0, "a"), 0);
    assert_int_equal(equal_draws(1, "a", UINT64_C(1) << 32 | 1, "a"), 0);
}

TEST(below_stays_below_and_reaches_everything)
{
    struct cs_random *random = cs_random_open(3, "below");
    int seen[7] = {0};

    for (int i = 0; i < 70000; i++) {
        uint64_t number = cs_random_below(random, 7);

        assert_true(number < 7);
        seen[number]++;
    }
    /* 10000 expected; the standard deviation is 93, five of them allowed. */
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 9535, 10465);
    assert_int_equal(cs_random_below(random, 1), 0);
    for (int i = 0; i < 1000; i++)
        assert_true(cs_random_below(random, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
    cs_random_close(random);
}

TEST(unit_is_uniform_from_0_to_below_1)
{
    struct cs_random *random = cs_random_open(4, "unit");
    double sum = 0;

    for (int i = 0; i < 100000; i++) {
        double number = cs_random_unit(random);

        assert_true(number >= 0 && number < 1);
        sum += number;
    }
    /* The mean's standard deviation is 0.00091; five of them allowed. */
    assert_true(sum / 100000 > 0.4954 && sum / 100000 < 0.5046);
    cs_random_close(random);
}

TEST(a_shuffle_moves_every_item_everywhere)
{
    struct cs_random *random = cs_random_open(5, "shuffle");
    int at[5][5] = {{0}};

    for (int turn = 0; turn < 5000; turn++) {
        uint32_t items[5] = {0, 1, 2, 3, 4};
        bool seen[5] = {false};

        cs_random_shuffle(random, items, 5);
        for (uint32_t i = 0; i < 5; i++) {
            assert_false(seen[items[i]]);
            seen[items[i]] = true;
            at[items[i]][i]++;
        }
    }
    /* 1000 expected; the standard deviation is 28, five of them allowed. */
    for (int item = 0; item < 5; item++)
        for (int place = 0; place < 5; place++)
            assert_in_range(at[item][place], 860, 1140);
    cs_random_shuffle(random, NULL, 0);
    cs_random_close(random);
}

TEST(closing_nothing_is_fine)
{
    cs_random_close(NULL);
}

/* splitmix64 seeded with 0 gives mix(golden), mix(2 golden), ...; the values are
 * those of the reference implementation (prng.di.unimi.it/splitmix64.c). */
TEST(mix64_is_splitmix64)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

    assert_int_equal(cs_mix64(golden), UINT64_C(0xe220a8397b1dcdaf));
    assert_int_equal(cs_mix64(2 * golden), UINT64_C(0x6e789e6aa1b965f4));
    assert_int_equal(cs_mix64(3 * golden), UINT64_C(0x06c45d188009454f));
}
