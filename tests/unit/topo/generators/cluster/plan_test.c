/* Parameters of a cluster. */
#include "topo/generators/cluster/plan.h"

#include "tests/test.h"

struct reading {
    struct cs_arena arena;
    struct cs_cluster_plan plan;
    struct cs_err err;
};

static int reading_of(struct reading *reading, const char *parameters)
{
    *reading = (struct reading){0};
    reading->plan.arena = &reading->arena;
    return cs_cluster_plan_read(&reading->plan, "cluster", parameters, &reading->err);
}

static void reading_free(struct reading *reading)
{
    cs_arena_free(&reading->arena);
}

TEST(numbers_of_nodes_are_read_by_kind)
{
    CS_AT_END(reading_free) struct reading reading;

    assert_int_equal(reading_of(&reading, "node=dgx-a100+dgx-h100,nodes=4+2,gpus=4"), 0);
    assert_string_equal(reading.plan.node, "dgx-a100+dgx-h100");
    assert_int_equal(reading.plan.node_kinds, 2);
    assert_int_equal(reading.plan.nodes[0], 4);
    assert_int_equal(reading.plan.nodes[1], 2);
    assert_int_equal(reading.plan.gpus, 4);
}

TEST(an_oversubscription_is_an_exact_quotient)
{
    const struct {
        const char *text;
        uint32_t down, up;
    } cases[] = {{"oversubscription=3", 3, 1},
                 {"oversubscription=6:4", 3, 2},
                 {"oversubscription=1.1:1", 11, 10},
                 {"oversubscription=1.5:2.5", 3, 5}};
    struct reading reading;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_int_equal(reading_of(&reading, cases[i].text), 0);
        assert_int_equal(reading.plan.fabric.leaf.down, cases[i].down);
        assert_int_equal(reading.plan.fabric.leaf.up, cases[i].up);
        reading_free(&reading);
    }
}

TEST(a_latency_of_zero_differs_from_no_latency)
{
    struct reading reading;

    assert_int_equal(reading_of(&reading, "ranks=8"), 0);
    assert_false(reading.plan.has_latency);
    reading_free(&reading);
    assert_int_equal(reading_of(&reading, "ranks=8,latency=0s"), 0);
    assert_true(reading.plan.has_latency);
    assert_int_equal(reading.plan.latency_ps, 0);
    reading_free(&reading);
}

TEST(an_invalid_value_is_refused_with_the_expected_form)
{
    const struct {
        const char *text, *message;
    } cases[] = {
        {"oversubscription=0", "expected 3, 1.5, 3:2 or 1.5:1"},
        {"oversubscription=2:", "expected 3, 1.5, 3:2 or 1.5:1"},
        {"pxn=maybe", "'maybe' is not 'on' or 'off'"},
        {"routing=random", "'random' is not 'static' or 'ecmp'"},
        {"nodes=1+1+1+1+1+1+1+1+1", "up to 8 numbers with '+' between"},
        {"fabrik=rail", "did you mean 'fabric'?"},
    };
    struct reading reading;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        assert_int_equal(reading_of(&reading, cases[i].text), CS_EINPUT);
        if (!strstr(reading.err.text, cases[i].message))
            fail_msg("%s: %s", cases[i].text, reading.err.text);
        reading_free(&reading);
    }
}
