#include "reports/explain/explain.h"

#include "tests/test.h"

enum {
    MESSAGES_MAX = 32
};

/* Steps of which only the messages count. */
struct sketch {
    struct cs_step_message messages[MESSAGES_MAX];
    struct cs_steps steps;
};

static void sketch_open(struct sketch *sketch, uint32_t ranks, uint32_t agents)
{
    *sketch = (struct sketch){.steps = {.ranks = ranks, .parties = ranks + agents}};
    sketch->steps.messages = sketch->messages;
}

static void send(struct sketch *sketch, uint32_t src, uint32_t dst)
{
    struct cs_step_message *message = &sketch->messages[sketch->steps.message_count++];

    message->src = src;
    message->dst = dst;
}

static const char *shape(const struct sketch *sketch)
{
    return cs_shape_name(cs_shape_of(&sketch->steps).kind);
}

TEST(sends_to_the_next_all_round_are_a_ring)
{
    struct sketch sketch;

    sketch_open(&sketch, 5, 0);
    for (uint32_t i = 0; i < 5; i++)
        send(&sketch, i, (i + 1) % 5);
    assert_string_equal(shape(&sketch), "ring");
}

TEST(a_chain_is_a_line_from_its_root)
{
    struct sketch sketch;
    struct cs_shape found;

    sketch_open(&sketch, 4, 0);
    for (uint32_t i = 3; i > 0; i--)
        send(&sketch, i, i - 1);
    sketch.steps.root = 3;
    found = cs_shape_of(&sketch.steps);
    assert_string_equal(cs_shape_name(found.kind), "line");
    assert_int_equal(found.order[0], 3);
    assert_int_equal(found.order[3], 0);
}

TEST(one_route_between_any_two_is_a_tree)
{
    struct sketch sketch;
    struct cs_shape found;

    sketch_open(&sketch, 6, 0);
    send(&sketch, 1, 0);
    send(&sketch, 3, 2);
    send(&sketch, 5, 4);
    send(&sketch, 2, 0);
    send(&sketch, 4, 0);
    found = cs_shape_of(&sketch.steps);
    assert_string_equal(cs_shape_name(found.kind), "tree");
    assert_int_equal(found.parent[5], 4);
    assert_int_equal(found.parent[0], CS_SHAPE_NO_PARENT);
}

TEST(a_server_is_the_hub_of_a_star)
{
    struct sketch sketch;
    struct cs_shape found;

    sketch_open(&sketch, 4, 1);
    for (uint32_t i = 0; i < 4; i++)
        send(&sketch, i, 4);
    found = cs_shape_of(&sketch.steps);
    assert_string_equal(cs_shape_name(found.kind), "star");
    assert_true(found.hub[4]);
    assert_false(found.hub[0]);
}

TEST(partners_that_differ_in_a_bit_are_a_hypercube)
{
    struct sketch sketch;
    uint32_t bit, i;

    sketch_open(&sketch, 8, 0);
    for (bit = 1; bit < 8; bit *= 2)
        for (i = 0; i < 8; i++)
            send(&sketch, i, i ^ bit);
    assert_string_equal(shape(&sketch), "hypercube");
}

TEST(anything_else_is_a_circle)
{
    struct sketch sketch;

    sketch_open(&sketch, 5, 0);
    for (uint32_t i = 0; i < 5; i++)
        send(&sketch, i, (i + 1) % 5);
    for (uint32_t i = 0; i < 5; i++)
        send(&sketch, i, (i + 2) % 5);
    assert_string_equal(shape(&sketch), "circle");
}

TEST(parties_that_send_nothing_have_a_shape)
{
    struct sketch sketch;

    sketch_open(&sketch, 2, 0);
    assert_string_equal(shape(&sketch), "circle");
    sketch_open(&sketch, 1, 0);
    cs_shape_of(&sketch.steps);
}
