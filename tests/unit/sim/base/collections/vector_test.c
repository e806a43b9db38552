#include "sim/base/collections/vector.h"

#include "tests/fixture.h"

TEST(room_is_made_and_items_are_kept)
{
    uint32_t *items = NULL;
    uint32_t capacity = 0;

    for (uint32_t i = 0; i < 1000; i++) {
        items = cs_vector_room(items, i + 1, &capacity, sizeof(*items));
        assert_true(capacity > i);
        items[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    assert_true(capacity < 2000);
    free(items);
}

TEST(an_array_with_room_is_not_moved)
{
    uint32_t capacity = 0;
    uint32_t *items = cs_vector_room(NULL, 100, &capacity, sizeof(*items));
    uint32_t before = capacity;

    assert_true(before >= 100);
    assert_ptr_equal(cs_vector_room(items, before, &capacity, sizeof(*items)), items);
    assert_int_equal(capacity, before);
    free(items);
}
