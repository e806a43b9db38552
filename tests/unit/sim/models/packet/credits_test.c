#include "sim/models/packet/credits.h"

#include "tests/fixture.h"

static void credits_open(struct cs_credits *credits)
{
    cs_credits_open(credits);
    assert_int_equal(cs_credits_add(credits, 2), 0);
    for (uint32_t i = 0; i < 2; i++)
        cs_credits_resize(credits, i, 100);
}

#define CREDITS_TEST(name) TEST_OF(struct cs_credits, credits, cs_credits_close, name)

CREDITS_TEST(what_is_taken_is_there_again_when_it_comes_back)
{
    credits_open(credits);
    assert_true(cs_credits_fit(credits, 0, 100, 0));
    assert_false(cs_credits_fit(credits, 0, 101, 0));
    cs_credits_take(credits, 0, 70);
    assert_false(cs_credits_fit(credits, 0, 31, 0));
    assert_true(cs_credits_fit(credits, 1, 100, 0));
    assert_int_equal(cs_credits_next_ps(credits, 0), UINT64_MAX);
    cs_credits_give(credits, 0, 70, 50);
    assert_int_equal(cs_credits_next_ps(credits, 0), 50);
    assert_false(cs_credits_fit(credits, 0, 31, 49));
    assert_true(cs_credits_fit(credits, 0, 100, 50));
    assert_int_equal(cs_credits_next_ps(credits, 0), UINT64_MAX);
}

CREDITS_TEST(credits_may_overtake_each_other)
{
    const uint64_t at_ps[] = {40, 10, 30, 20, 30};

    credits_open(credits);
    cs_credits_take(credits, 0, 100);
    for (int i = 0; i < 5; i++)
        cs_credits_give(credits, 0, 20, at_ps[i]);
    assert_int_equal(cs_credits_next_ps(credits, 0), 10);
    assert_true(cs_credits_fit(credits, 0, 20, 19));
    assert_false(cs_credits_fit(credits, 0, 21, 19));
    assert_true(cs_credits_fit(credits, 0, 40, 20));
    assert_true(cs_credits_fit(credits, 0, 80, 30));
    assert_false(cs_credits_fit(credits, 0, 81, 39));
    assert_true(cs_credits_fit(credits, 0, 100, 40));
}

/* Random takes and gives against a list that is searched. */
CREDITS_TEST(room_is_what_was_not_taken_or_has_come_back)
{
    enum {
        GIVEN = 4000
    };
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("credits");
    static uint64_t back_ps[GIVEN];
    uint32_t given = 0;

    credits_open(credits);
    for (uint64_t now_ps = 0; given < GIVEN; now_ps += 3) {
        uint32_t room = 100;

        for (uint32_t i = 0; i < given; i++)
            room -= back_ps[i] > now_ps ? 7 : 0;
        assert_true(cs_credits_fit(credits, 1, room, now_ps));
        assert_false(cs_credits_fit(credits, 1, room + 1, now_ps));
        if (room < 7)
            continue;
        back_ps[given] = now_ps + 1 + cs_random_below(random, 60);
        cs_credits_take(credits, 1, 7);
        cs_credits_give(credits, 1, 7, back_ps[given++]);
    }
    assert_true(credits->pool_count <= 15);
}

CREDITS_TEST(links_that_are_added_leave_the_others_alone)
{
    credits_open(credits);
    cs_credits_take(credits, 1, 30);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(cs_credits_add(credits, 3), 2 + 3 * i);
    assert_false(cs_credits_fit(credits, 301, 1, 0));
    assert_false(cs_credits_fit(credits, 1, 71, 0));
    cs_credits_give(credits, 1, 30, 500);
    cs_credits_resize(credits, 1, 20);
    assert_true(cs_credits_fit(credits, 1, 20, 0));
    assert_int_equal(cs_credits_next_ps(credits, 1), UINT64_MAX);
}
