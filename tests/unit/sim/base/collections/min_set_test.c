#include "sim/base/collections/min_set.h"

#include "tests/fixture.h"

TEST(the_least_comes_first)
{
    static const uint32_t sizes[] = {1, 63, 64, 65, 4096, 4097, 300000};
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("least");

    for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
        struct cs_min_set set;
        struct cs_min_set_taken taken = {0};
        uint32_t number = 0;
        bool *is_in = cs_arena_alloc(&arena, sizes[s], sizeof(bool));
        uint32_t next = 0;

        cs_min_set_open(&set, sizes[s], &arena);
        assert_true(cs_min_set_is_empty(&set));
        for (uint32_t i = 0; i < 200; i++) {
            number = (uint32_t)cs_random_below(random, sizes[s]);

            is_in[number] = true;
            cs_min_set_add(&set, number);
        }
        cs_min_set_add(&set, sizes[s] - 1);
        is_in[sizes[s] - 1] = true;
        for (; next < sizes[s]; next++)
            if (is_in[next]) {
                assert_true(cs_min_set_next(&set, &taken, &number));
                assert_int_equal(number, next);
            }
        assert_false(cs_min_set_next(&set, &taken, &number));
    }
}

/* A word at a time. */
ARENA_TEST(what_is_added_comes_behind_what_is_taken)
{
    static const uint32_t added[] = {5000, 5001, 9000};
    static const uint32_t expected[] = {5000, 5001, 3, 4999, 9000};
    struct cs_min_set_taken taken = {0};
    struct cs_min_set set;
    uint32_t number = 0;

    cs_min_set_open(&set, 10000, arena);
    for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++)
        cs_min_set_add(&set, added[i]);
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
        assert_true(cs_min_set_next(&set, &taken, &number));
        assert_int_equal(number, expected[i]);
        if (i > 0)
            continue;
        cs_min_set_add(&set, 4999);
        cs_min_set_add(&set, 3);
    }
    assert_false(cs_min_set_next(&set, &taken, &number));
}
