#include "sim/base/collections/min_set.h"

#include "tests/fixture.h"

static void the_least_comes_first(void **state)
{
    static const uint32_t sizes[] = {1, 63, 64, 65, 4096, 4097, 300000};
    struct cs_random *random = cs_random_open(fixture_seed(), "least");

    (void)state;
    for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
        struct cs_arena arena = {0};
        struct cs_min_set set;
        bool *is_in = cs_arena_alloc(&arena, sizes[s], sizeof(bool));
        uint32_t next = 0;

        cs_min_set_open(&set, sizes[s], &arena);
        assert_true(cs_min_set_is_empty(&set));
        for (uint32_t i = 0; i < 200; i++) {
            uint32_t number = (uint32_t)cs_random_below(random, sizes[s]);

            is_in[number] = true;
            cs_min_set_add(&set, number);
        }
        cs_min_set_add(&set, sizes[s] - 1);
        is_in[sizes[s] - 1] = true;
        for (; next < sizes[s]; next++)
            if (is_in[next])
                assert_int_equal(cs_min_set_take(&set), next);
        assert_true(cs_min_set_is_empty(&set));
        cs_arena_free(&arena);
    }
    cs_random_close(random);
}

static void what_is_added_below_comes_before_the_rest(void **state)
{
    struct cs_arena arena = {0};
    struct cs_min_set set;

    (void)state;
    cs_min_set_open(&set, 10000, &arena);
    cs_min_set_add(&set, 5000);
    cs_min_set_add(&set, 9000);
    assert_int_equal(cs_min_set_take(&set), 5000);
    cs_min_set_add(&set, 3);
    assert_int_equal(cs_min_set_take(&set), 3);
    assert_int_equal(cs_min_set_take(&set), 9000);
    assert_true(cs_min_set_is_empty(&set));
    cs_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_comes_first),
        cmocka_unit_test(what_is_added_below_comes_before_the_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
