/* GOAL labels: many names, one rank after another. */
#include "algorithms/schedules/goal/labels.h"

#include "tests/fixture.h"

#include <stdio.h>
#include <string.h>

enum {
    MANY = 10000
};

static uint32_t name_of(uint32_t i, char name[16])
{
    return (uint32_t)snprintf(name, 16, "%c%u", 'a' + (int)(i % 3), i);
}

static void a_name_has_one_op(void **state)
{
    struct cs_goal_labels labels = {0};

    (void)state;
    assert_int_equal(cs_goal_labels_find(&labels, "a", 1), CS_GOAL_NO_LABEL);
    assert_true(cs_goal_labels_add(&labels, "a", 1, 3));
    assert_false(cs_goal_labels_add(&labels, "a", 1, 4));
    assert_true(cs_goal_labels_add(&labels, "ab", 2, 5));
    assert_int_equal(cs_goal_labels_find(&labels, "a", 1), 3);
    assert_int_equal(cs_goal_labels_find(&labels, "abc", 2), 5);
    assert_int_equal(cs_goal_labels_find(&labels, "abc", 3), CS_GOAL_NO_LABEL);
    cs_goal_labels_free(&labels);
}

static void many_names_are_found_and_forgotten(void **state)
{
    struct cs_goal_labels labels = {0};
    char name[16];

    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        for (uint32_t i = 0; i < MANY; i++)
            assert_true(cs_goal_labels_add(&labels, name, name_of(i, name), i));
        for (uint32_t i = 0; i < MANY; i++)
            assert_int_equal(cs_goal_labels_find(&labels, name, name_of(i, name)), i);
        cs_goal_labels_clear(&labels);
        assert_int_equal(cs_goal_labels_find(&labels, "a0", 2), CS_GOAL_NO_LABEL);
    }
    cs_goal_labels_free(&labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_has_one_op),
        cmocka_unit_test(many_names_are_found_and_forgotten),
    };

    return cmocka_run_group_tests_name("goal_labels", tests, NULL, NULL);
}
