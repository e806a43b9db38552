#include "sim/engine/order.h"

#include "tests/fixture.h"

static struct cs_order_key key_of(uint32_t src, uint32_t dst, uint32_t channel)
{
    return (struct cs_order_key){src, dst, channel};
}

#define ORDER_TEST(name) TEST_OF(struct cs_order, order, cs_order_free, name)

ORDER_TEST(those_of_one_key_take_queue_as_they_came)
{
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 5), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 3), 5);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 9), 3);
    assert_int_equal(cs_order_after(order, 5), 3);
    assert_int_equal(cs_order_after(order, 9), CS_ORDER_NONE);
    assert_int_equal(cs_order_end(order, 5), 3);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 5), 9);
    assert_int_equal(cs_order_end(order, 3), 9);
    assert_int_equal(cs_order_end(order, 9), 5);
    assert_int_equal(cs_order_end(order, 5), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 3), CS_ORDER_NONE);
}

ORDER_TEST(different_keys_do_not_wait_for_each_other)
{
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 0), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(2, 1, 0), 1), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 1), 2), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(1, 0, 2), 3), CS_ORDER_NONE);
    assert_int_equal(cs_order_end(order, 0), CS_ORDER_NONE);
    assert_int_equal(cs_order_end(order, 3), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 0), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 1), 3), 2);
}

ORDER_TEST(who_gives_up_is_passed_over)
{
    for (uint32_t i = 0; i < 4; i++)
        (void)cs_order_begin(order, key_of(1, 2, 0), i);
    assert_int_equal(cs_order_leave(order, 1), CS_ORDER_NONE);
    assert_int_equal(cs_order_leave(order, 3), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 1), 2);
    assert_int_equal(cs_order_leave(order, 0), 2);
    assert_int_equal(cs_order_end(order, 2), 1);
    assert_int_equal(cs_order_leave(order, 1), CS_ORDER_NONE);
    assert_int_equal(cs_order_begin(order, key_of(1, 2, 0), 1), CS_ORDER_NONE);
}

/* The table grows while turns are taken. */
ORDER_TEST(many_keys_are_reported_apart)
{
    enum {
        KEYS = 1000,
        EACH = 5
    };

    for (uint32_t i = 0; i < KEYS * EACH; i++)
        assert_int_equal(cs_order_begin(order, key_of(i % 10, i % KEYS / 10, 7), i),
                         i < KEYS ? CS_ORDER_NONE : i - KEYS);
    for (uint32_t i = 0; i < KEYS * EACH; i++)
        assert_int_equal(cs_order_end(order, i), i + KEYS < KEYS * EACH ? i + KEYS : CS_ORDER_NONE);
}
