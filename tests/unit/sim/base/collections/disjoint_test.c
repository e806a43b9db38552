#include "sim/base/collections/disjoint.h"

#include "tests/fixture.h"

enum {
    NUMBERS = 64
};

static void every_number_begins_as_a_set_of_its_own(void **state)
{
    uint32_t parent[NUMBERS];

    (void)state;
    cs_disjoint_open(parent, NUMBERS);
    for (uint32_t i = 0; i < NUMBERS; i++)
        assert_int_equal(cs_disjoint_root(parent, i), i);
}

static void a_join_keeps_the_root_that_the_caller_names(void **state)
{
    uint32_t parent[NUMBERS];

    (void)state;
    cs_disjoint_open(parent, NUMBERS);
    cs_disjoint_join(parent, 7, 3);
    cs_disjoint_join(parent, 3, 12);
    assert_int_equal(cs_disjoint_root(parent, 3), 7);
    assert_int_equal(cs_disjoint_root(parent, 12), 7);
    cs_disjoint_join(parent, 12, 7);
    assert_int_equal(cs_disjoint_root(parent, 7), 7);
}

static void a_chain_of_joins_is_one_set_and_leaves_the_others(void **state)
{
    uint32_t parent[NUMBERS];
    uint32_t i;

    (void)state;
    cs_disjoint_open(parent, NUMBERS);
    for (i = 2; i < NUMBERS; i += 2)
        cs_disjoint_join(parent, i, i - 2);
    for (i = 0; i < NUMBERS; i++)
        assert_int_equal(cs_disjoint_root(parent, i), i % 2 ? i : NUMBERS - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_begins_as_a_set_of_its_own),
        cmocka_unit_test(a_join_keeps_the_root_that_the_caller_names),
        cmocka_unit_test(a_chain_of_joins_is_one_set_and_leaves_the_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
