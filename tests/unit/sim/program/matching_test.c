#include "sim/program/matching.h"

#include "tests/fixture.h"

#define MAILBOX_TEST(name) TEST_OF(struct cs_mailbox, box, cs_mailbox_free, name)

MAILBOX_TEST(a_message_waits_for_its_receive)
{
    struct cs_mail_key key = {.dst = 1, .src = 0, .channel = 0};

    cs_mailbox_init(box);
    assert_null(cs_mailbox_first(box, CS_MAIL_MESSAGES));
    assert_int_equal(cs_mailbox_arrive(box, &key, 41), CS_NONE);
    assert_int_equal(cs_mailbox_first(box, CS_MAIL_MESSAGES)->number, 41);
    assert_int_equal(cs_mailbox_first(box, CS_MAIL_MESSAGES)->key.src, 0);
    assert_null(cs_mailbox_first(box, CS_MAIL_RECEIVES));
    assert_int_equal(cs_mailbox_post(box, &key, 7), 41);
    assert_null(cs_mailbox_first(box, CS_MAIL_MESSAGES));
    assert_null(cs_mailbox_first(box, CS_MAIL_RECEIVES));
}

MAILBOX_TEST(a_receive_waits_for_its_message)
{
    struct cs_mail_key key = {.dst = 0, .src = 1, .channel = 2};

    cs_mailbox_init(box);
    assert_int_equal(cs_mailbox_post(box, &key, 7), CS_NONE);
    assert_int_equal(cs_mailbox_first(box, CS_MAIL_RECEIVES)->number, 7);
    assert_int_equal(cs_mailbox_first(box, CS_MAIL_RECEIVES)->key.channel, 2);
    assert_int_equal(cs_mailbox_arrive(box, &key, 41), 7);
    assert_null(cs_mailbox_first(box, CS_MAIL_RECEIVES));
}

static void post_receive(struct cs_mailbox *box, uint32_t dst, uint32_t src)
{
    const struct cs_mail_key key = {.dst = dst, .src = src, .channel = 0};

    assert_int_equal(cs_mailbox_post(box, &key, 10 * dst + src), CS_NONE);
}

MAILBOX_TEST(waits_lead_back_or_to_an_end)
{
    const struct cs_mail *waits[CS_WAITS];
    const char *end;

    cs_mailbox_init(box);
    post_receive(box, 0, 1);
    assert_int_equal(cs_mailbox_waits(box, cs_mailbox_first(box, CS_MAIL_RECEIVES), waits, &end),
                     0);
    assert_string_equal(end, "");
    post_receive(box, 1, 2);
    assert_int_equal(cs_mailbox_waits(box, cs_mailbox_first(box, CS_MAIL_RECEIVES), waits, &end),
                     1);
    assert_int_equal(waits[0]->number, 12);
    assert_string_equal(end, "");
    post_receive(box, 2, 0);
    assert_int_equal(cs_mailbox_waits(box, cs_mailbox_first(box, CS_MAIL_RECEIVES), waits, &end),
                     2);
    assert_string_equal(end, ": a circle of waits");
}

/* Rank 0 waits for a circle of others. */
MAILBOX_TEST(many_waits_are_not_all_named)
{
    const struct cs_mail *waits[CS_WAITS];
    const char *end;

    cs_mailbox_init(box);
    post_receive(box, 0, 1);
    post_receive(box, 1, 2);
    post_receive(box, 2, 1);
    assert_int_equal(cs_mailbox_waits(box, cs_mailbox_first(box, CS_MAIL_RECEIVES), waits, &end),
                     CS_WAITS);
    assert_string_equal(end, ", and so on");
}

MAILBOX_TEST(messages_of_a_pair_are_taken_in_order)
{
    struct cs_mail_key key = {.dst = 1, .src = 0, .channel = 0};

    cs_mailbox_init(box);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(cs_mailbox_arrive(box, &key, i), CS_NONE);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(cs_mailbox_post(box, &key, 1000 + i), i);
}

MAILBOX_TEST(receives_of_one_number_share_an_entry)
{
    struct cs_mail_key key = {.dst = 1, .src = 0, .channel = 0};

    cs_mailbox_init(box);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(cs_mailbox_post(box, &key, i / 100), CS_NONE);
    assert_int_equal(box->pool.count, 3);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(cs_mailbox_arrive(box, &key, 1000 + i), i / 100);
    assert_null(cs_mailbox_first(box, CS_MAIL_RECEIVES));
}

MAILBOX_TEST(only_messages_are_taken)
{
    struct cs_mail_key key = {.dst = 1, .src = 0, .channel = 0};

    cs_mailbox_init(box);
    assert_int_equal(cs_mailbox_take(box, &key), CS_NONE);
    assert_int_equal(cs_mailbox_arrive(box, &key, 41), CS_NONE);
    assert_int_equal(cs_mailbox_arrive(box, &key, 42), CS_NONE);
    assert_int_equal(cs_mailbox_take(box, &key), 41);
    assert_int_equal(cs_mailbox_take(box, &key), 42);
    assert_int_equal(cs_mailbox_take(box, &key), CS_NONE);
    assert_int_equal(cs_mailbox_post(box, &key, 7), CS_NONE);
    assert_int_equal(cs_mailbox_take(box, &key), CS_NONE);
}

MAILBOX_TEST(other_sources_lanes_and_destinations_do_not_match)
{
    struct cs_mail_key key = {.dst = 1, .src = 0, .channel = 0};
    struct cs_mail_key source = {.dst = 1, .src = 2, .channel = 0};
    struct cs_mail_key lane = {.dst = 1, .src = 0, .channel = 1};
    struct cs_mail_key destination = {.dst = 2, .src = 0, .channel = 0};

    cs_mailbox_init(box);
    assert_int_equal(cs_mailbox_arrive(box, &key, 5), CS_NONE);
    assert_int_equal(cs_mailbox_post(box, &source, 6), CS_NONE);
    assert_int_equal(cs_mailbox_post(box, &lane, 7), CS_NONE);
    assert_int_equal(cs_mailbox_post(box, &destination, 8), CS_NONE);
    assert_int_equal(cs_mailbox_post(box, &key, 9), 5);
}

enum {
    PARTIES = 4,
    LANES = 2,
    KEYS = PARTIES * PARTIES * LANES,
    DEPTH = 64,
};

/* For each key one queue, of messages (positive) or receives. */
struct reference {
    uint32_t first[KEYS], count[KEYS];
    uint32_t number[KEYS][DEPTH];
    bool messages[KEYS];
};

static uint32_t reference_meet(struct reference *reference, struct cs_mail_key key, bool message,
                               uint32_t number)
{
    uint32_t k = (key.dst * PARTIES + key.src) * LANES + key.channel;
    uint32_t end = reference->first[k] + reference->count[k];

    if (reference->count[k] && reference->messages[k] != message) {
        reference->count[k]--;
        return reference->number[k][reference->first[k]++ % DEPTH];
    }
    reference->messages[k] = message;
    reference->number[k][end % DEPTH] = number;
    reference->count[k]++;
    return CS_NONE;
}

/* The first `channels` channels of each destination have slots. */
static void match_any_traffic(uint32_t channels)
{
    struct cs_random *random = cs_random_open(1, "mailbox");
    struct reference reference = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    CS_AT_END(cs_mailbox_free) struct cs_mailbox box;

    cs_mailbox_init(&box);
    cs_mailbox_give_slots(&box, PARTIES, channels, &arena);
    for (uint32_t turn = 0; turn < 200000; turn++) {
        struct cs_mail_key key = {.dst = (uint32_t)cs_random_below(random, PARTIES),
                                  .src = (uint32_t)cs_random_below(random, PARTIES),
                                  .channel = (uint32_t)cs_random_below(random, LANES)};
        uint32_t k = (key.dst * PARTIES + key.src) * LANES + key.channel;
        bool message = cs_random_below(random, 2);

        if (reference.count[k] == DEPTH)
            message = !reference.messages[k];
        assert_int_equal(message ? cs_mailbox_arrive(&box, &key, turn)
                                 : cs_mailbox_post(&box, &key, turn),
                         reference_meet(&reference, key, message, turn));
    }
    assert_true(box.pool.capacity <= 2 * KEYS * DEPTH);
    assert_true(box.slot_room <= 4 * KEYS);
    cs_random_close(random);
}

TEST(any_traffic_matches_as_with_a_queue_for_each_pair)
{
    match_any_traffic(0);
}

TEST(slots_of_destinations_and_channels_change_nothing)
{
    match_any_traffic(LANES);
    match_any_traffic(LANES - 1);
}

ARENA_TEST(slots_are_visited)
{
    CS_AT_END(cs_mailbox_free) struct cs_mailbox box;
    struct cs_mail_key keys[] = {{0, 1, 0}, {0, 2, 0}, {1, 0, 1}};
    uint32_t waiting = 0;

    cs_mailbox_init(&box);
    cs_mailbox_give_slots(&box, 2, 1, arena);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(cs_mailbox_post(&box, &keys[i], i), CS_NONE);
    for (uint32_t i = 0; i < cs_mailbox_room(&box); i++)
        waiting += cs_mailbox_at(&box, i)->kind == CS_MAIL_RECEIVES;
    assert_int_equal(waiting, 3);
    assert_int_equal(cs_mailbox_first(&box, CS_MAIL_RECEIVES)->number, 0);
    assert_int_equal(cs_mailbox_arrive(&box, &keys[0], 9), 0);
    assert_int_equal(cs_mailbox_first(&box, CS_MAIL_RECEIVES)->number, 1);
    assert_int_equal(cs_mailbox_arrive(&box, &keys[1], 9), 1);
    assert_int_equal(cs_mailbox_arrive(&box, &keys[2], 9), 2);
    assert_null(cs_mailbox_first(&box, CS_MAIL_RECEIVES));
}

MAILBOX_TEST(the_least_that_waits_is_reported)
{
    cs_mailbox_init(box);
    for (uint32_t i = 100; i-- > 0;)
        cs_mailbox_post(box, &(struct cs_mail_key){i / 10, i % 10, 3}, i);
    cs_mailbox_arrive(box, &(struct cs_mail_key){0, 0, 4}, 777);
    assert_int_equal(cs_mailbox_first(box, CS_MAIL_MESSAGES)->number, 777);
    for (uint32_t i = 0; i < 100; i++) {
        const struct cs_mail *mail = cs_mailbox_first(box, CS_MAIL_RECEIVES);
        struct cs_mail_key key = mail->key;

        assert_int_equal(mail->number, i);
        assert_int_equal(cs_mailbox_arrive(box, &key, 5), i);
    }
    assert_null(cs_mailbox_first(box, CS_MAIL_RECEIVES));
}
