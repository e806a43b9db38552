#include "sim/proof/races.h"

#include "tests/fixture.h"

/* Two parties with two lanes each: lanes 0 and 1 of party 0, 2 and 3 of 1. */
static const struct script nothing = {0};

static uint64_t four_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return 4;
}

static struct cs_races *open_races(void)
{
    struct cs_program program = script_program(&nothing, 2, 10);

    program.lanes = 2;
    program.rounds = four_rounds;
    return cs_races_open(&program, NULL, 8, 0);
}

static void begin_all(struct cs_races *races)
{
    for (uint32_t lane = 0; lane < 4; lane++)
        cs_races_begin(races, lane);
}

static bool uses(struct cs_races *races, uint32_t lane, enum cs_use use)
{
    struct cs_race_round other;

    return cs_races_use(races, (struct cs_race_use){lane, use, 5, NULL}, &other);
}

TEST(one_lane_has_no_races)
{
    struct cs_program program = script_program(&nothing, 2, 10);

    program.rounds = four_rounds;
    assert_null(cs_races_open(&program, NULL, 8, 0));
}

static uint64_t too_many_rounds(const void *ctx, struct cs_at at)
{
    (void)ctx;
    return at.party == 1 && at.lane == 1 ? UINT64_MAX : CS_RACES_MAX / 16;
}

TEST(clocks_that_would_be_too_large_are_not_kept)
{
    struct cs_program program = script_program(&nothing, 2, 10);

    program.lanes = 2;
    program.rounds = too_many_rounds;
    assert_null(cs_races_open(&program, NULL, 8, 0));
}

TEST(a_lane_does_not_race_with_itself)
{
    struct cs_races *races = open_races();

    begin_all(races);
    assert_false(uses(races, 0, CS_USE_REPLACES));
    cs_races_begin(races, 0);
    assert_false(uses(races, 0, CS_USE_REPLACES));
    assert_false(uses(races, 0, CS_USE_SENDS));
    cs_races_free(races);
}

TEST(the_other_lane_and_its_round_are_named)
{
    struct cs_races *races = open_races();
    struct cs_race_round other;

    begin_all(races);
    cs_races_begin(races, 1);
    assert_false(uses(races, 1, CS_USE_SENDS));
    assert_true(cs_races_use(races, (struct cs_race_use){0, CS_USE_ADDS, 5, NULL}, &other));
    assert_int_equal(other.lane, 1);
    assert_int_equal(other.round, 1);
    assert_false(cs_races_use(races, (struct cs_race_use){0, CS_USE_ADDS, 6, NULL}, &other));
    cs_races_free(races);
}

TEST(only_readers_and_only_reducers_come_in_any_order)
{
    const bool race[CS_USES][CS_USES] = {
        {false, false, true, true},
        {false, false, true, true},
        {true, true, false, true},
        {true, true, true, true},
    };

    for (int a = 0; a < CS_USES; a++)
        for (int b = 0; b < CS_USES; b++) {
            struct cs_races *races = open_races();

            begin_all(races);
            assert_false(uses(races, 0, (enum cs_use)a));
            assert_int_equal(uses(races, 1, (enum cs_use)b), race[a][b]);
            cs_races_free(races);
        }
}

/* Lane 1 waits for round 0 of lane 0: for the start of round 1. */
TEST(who_waits_comes_after)
{
    struct cs_races *races = open_races();

    begin_all(races);
    assert_false(uses(races, 0, CS_USE_REPLACES));
    cs_races_begin(races, 0);
    cs_races_after(races, 1, (struct cs_race_round){0, 1}, CS_RACE_BEFORE);
    assert_true(uses(races, 1, CS_USE_SENDS)); /* not in the round that waits */
    cs_races_begin(races, 1);
    assert_false(uses(races, 1, CS_USE_SENDS));
    cs_races_free(races);
}

/* Waiting for a round says nothing of what its lane did since. */
TEST(who_waits_for_a_round_knows_of_no_later_one)
{
    struct cs_races *races = open_races();

    begin_all(races);
    cs_races_begin(races, 0);
    assert_false(uses(races, 0, CS_USE_REPLACES));
    cs_races_begin(races, 0);
    cs_races_after(races, 1, (struct cs_race_round){0, 1}, CS_RACE_BEFORE);
    cs_races_begin(races, 1);
    assert_true(uses(races, 1, CS_USE_SENDS));
    cs_races_free(races);
}

/* From lane 0 of party 0 to lane 2 of party 1, and back to lane 1 of party 0. */
TEST(messages_carry_the_clock_of_their_sender)
{
    struct cs_races *races = open_races();

    begin_all(races);
    assert_false(uses(races, 0, CS_USE_REPLACES));
    cs_races_begin(races, 0);
    cs_races_after(races, 2, (struct cs_race_round){0, 1}, CS_RACE_BEFORE);
    cs_races_begin(races, 2);
    cs_races_after(races, 1, (struct cs_race_round){2, 1}, CS_RACE_BEFORE);
    cs_races_begin(races, 1);
    assert_false(uses(races, 1, CS_USE_REPLACES));
    cs_races_free(races);
}

/* The round that sent it need not be over: but what it sent is sent. */
TEST(a_message_that_has_come_is_sent)
{
    struct cs_races *races = open_races();

    begin_all(races);
    assert_false(uses(races, 0, CS_USE_SENDS));
    cs_races_after(races, 1, (struct cs_race_round){0, 0}, CS_RACE_SENT);
    cs_races_begin(races, 1);
    assert_false(uses(races, 1, CS_USE_REPLACES));
    assert_true(uses(races, 0, CS_USE_READS));
    cs_races_free(races);
}

/* Lane 2 of party 1 sent what lane 1 of party 0 receives, after it had a message
 * of lane 0: a receive writes when it has come, another op at once. */
TEST(a_receive_uses_its_block_when_the_message_has_come)
{
    const struct cs_race_round cause = {2, 1};
    struct cs_race_use use = {1, CS_USE_REPLACES, 5, NULL};
    struct cs_races *races = open_races();
    struct cs_race_round other;

    begin_all(races);
    assert_false(uses(races, 0, CS_USE_SENDS));
    cs_races_after(races, 2, (struct cs_race_round){0, 0}, CS_RACE_SENT);
    cs_races_begin(races, 2);
    assert_true(cs_races_use(races, use, &other));
    use.cause = &cause;
    assert_false(cs_races_use(races, use, &other));
    cs_races_free(races);
}

/* Once round 0 of lane 0 is over its round 1 may start, or not yet. */
TEST(who_shares_a_connection_needs_an_order_of_starts)
{
    const struct cs_race_end end = {0, 1, 3, true};
    const struct cs_race_end other_end = {0, 1, 3, false};
    struct cs_races *races = open_races();
    struct cs_race_round other;

    begin_all(races);
    cs_races_begin(races, 0);
    assert_false(cs_races_connect(races, 0, end, &other));
    cs_races_after(races, 1, (struct cs_race_round){0, 1}, CS_RACE_BEFORE);
    cs_races_begin(races, 1);
    assert_false(cs_races_connect(races, 1, other_end, &other));
    assert_true(cs_races_connect(races, 1, end, &other));
    assert_int_equal(other.lane, 0);
    assert_int_equal(other.round, 1);
    cs_races_free(races);
}

TEST(who_knows_that_a_round_has_begun_comes_after_it)
{
    const struct cs_race_end end = {0, 1, 3, true};
    struct cs_races *races = open_races();
    struct cs_race_round other;

    begin_all(races);
    assert_false(cs_races_connect(races, 0, end, &other));
    cs_races_after(races, 1, (struct cs_race_round){0, 0}, CS_RACE_BEGUN);
    cs_races_begin(races, 1);
    assert_false(cs_races_connect(races, 1, end, &other));
    cs_races_free(races);
}

TEST(many_connections_are_reported_apart)
{
    struct cs_races *races = open_races();
    struct cs_race_round other;

    begin_all(races);
    for (uint32_t lane = 0; lane < 2; lane++)
        for (uint32_t channel = 0; channel < 1000; channel++) {
            struct cs_race_end end = {0, 1, channel, true};

            assert_int_equal(cs_races_connect(races, lane, end, &other), lane == 1);
        }
    cs_races_free(races);
}
