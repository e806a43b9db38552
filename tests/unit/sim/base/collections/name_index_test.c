#include "sim/base/collections/name_index.h"

#include "tests/test.h"

ARENA_TEST(a_name_is_found_by_its_text)
{
    struct cs_names names;

    cs_names_init(&names, arena, 0);
    assert_int_equal(cs_names_find(&names, "a"), CS_NO_NAME);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(cs_names_add(&names, cs_arena_printf(arena, "x%u", i), i), CS_NO_NAME);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(cs_names_find(&names, cs_arena_printf(arena, "x%u", i)), i);
    assert_int_equal(cs_names_find(&names, "x10000"), CS_NO_NAME);
}

ARENA_TEST(a_name_keeps_its_first_number)
{
    struct cs_names names;

    cs_names_init(&names, arena, 100);
    assert_int_equal(cs_names_add(&names, "a", 7), CS_NO_NAME);
    assert_int_equal(cs_names_add(&names, "a", 8), 7);
    assert_int_equal(cs_names_find(&names, "a"), 7);
    assert_int_equal(names.count, 1);
}
