#include "sim/base/collections/disjoint.h"

#include "tests/test.h"

enum {
    NUMBERS = 64
};

TEST(every_number_begins_as_a_set_of_its_own)
{
    uint32_t parent[NUMBERS];

    cs_disjoint_open(parent, NUMBERS);
    for (uint32_t i = 0; i < NUMBERS; i++)
        assert_int_equal(cs_disjoint_root(parent, i), i);
}

TEST(a_join_keeps_the_root_that_the_caller_names)
{
    uint32_t parent[NUMBERS];

    cs_disjoint_open(parent, NUMBERS);
    cs_disjoint_join(parent, 7, 3);
    cs_disjoint_join(parent, 3, 12);
    assert_int_equal(cs_disjoint_root(parent, 3), 7);
    assert_int_equal(cs_disjoint_root(parent, 12), 7);
    cs_disjoint_join(parent, 12, 7);
    assert_int_equal(cs_disjoint_root(parent, 7), 7);
}

TEST(a_chain_of_joins_is_one_set_and_leaves_the_others)
{
    uint32_t parent[NUMBERS], i;

    cs_disjoint_open(parent, NUMBERS);
    for (i = 2; i < NUMBERS; i += 2)
        cs_disjoint_join(parent, i, i - 2);
    for (i = 0; i < NUMBERS; i++)
        assert_int_equal(cs_disjoint_root(parent, i), i % 2 ? i : NUMBERS - 2);
}
