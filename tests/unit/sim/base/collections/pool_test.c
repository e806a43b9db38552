#include "sim/base/collections/pool.h"

#include "sim/base/mem.h"
#include "tests/test.h"

struct thing {
    uint64_t value;
    uint32_t next;
};

struct things {
    struct cs_pool pool;
    struct thing *item;
};

static uint32_t take(struct things *things)
{
    if (cs_pool_is_full(&things->pool))
        things->item = cs_grow(things->item, cs_pool_enlarge(&things->pool), sizeof(*things->item));
    return cs_pool_take(&things->pool, &things->item->next, sizeof(*things->item));
}

static void give(struct things *things, uint32_t number)
{
    cs_pool_give(&things->pool, number, &things->item[number].next);
}

TEST(numbers_are_dense_from_zero)
{
    struct things things = {0};

    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(take(&things), i);
        things.item[i].value = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(things.item[i].value, i);
    free(things.item);
}

TEST(the_number_given_back_last_is_taken_first)
{
    struct things things = {0};

    for (uint32_t i = 0; i < 3; i++)
        (void)take(&things);
    give(&things, 0);
    give(&things, 2);
    assert_int_equal(take(&things), 2);
    assert_int_equal(take(&things), 0);
    assert_int_equal(take(&things), 3);
    free(things.item);
}

TEST(memory_does_not_grow_while_numbers_are_reused)
{
    struct things things = {0};
    uint32_t capacity;

    (void)take(&things);
    capacity = things.pool.capacity;
    for (uint32_t i = 0; i < 1000; i++)
        give(&things, take(&things));
    assert_int_equal(things.pool.capacity, capacity);
    assert_int_equal(things.pool.count, 2);
    free(things.item);
}
