/* Defaults of a plan are those that its help names. */
#include "scenarios/plan/options.h"

#include "tests/fixture.h"
#include "tests/planned.h"

TEST(defaults_are_those_of_the_help)
{
    static const char mix[] = "--gpus 16 --mix all-reduce:1GiB";
    CS_AT_END(planned_free) struct planned named = {0}, unnamed = {0};
    char line[200];

    (void)snprintf(line, sizeof line,
                   "%s --pue 1.2 --lifetime 4y --restart 10min --checkpoint 10s --repair 1d", mix);
    plan_of(&named, line);
    plan_of(&unnamed, mix);
    assert_true(named.options.prices.pue == unnamed.options.prices.pue);
    assert_true(named.options.prices.lifetime_s == unnamed.options.prices.lifetime_s);
    assert_true(named.options.failures.restart_s == unnamed.options.failures.restart_s);
    assert_true(named.options.failures.checkpoint_s == unnamed.options.failures.checkpoint_s);
    assert_true(named.options.failures.repair_s == unnamed.options.failures.repair_s);
}

/* A word with '=' is a parameter of the node before. */
PLANNED_TEST(nodes_with_parameters_stand_beside_others)
{
    plan_of(planned, "--gpus 16 --mix all-reduce:1GiB --node "
                     "node:gpu=h100,links=switch,port=ib-ndr,h100,[node:gpu=l4,port=gbe]");
    assert_int_equal(planned->options.nodes.count, 3);
    assert_string_equal(planned->options.nodes.item[0], "node:gpu=h100,links=switch,port=ib-ndr");
    assert_string_equal(planned->options.nodes.item[1], "dgx-h100");
    assert_string_equal(planned->options.nodes.item[2], "node:gpu=l4,port=gbe");
}

TEST(wrong_machines_and_links_are_refused)
{
    static const char *const wrong[][2] = {
        {"--node cluster:node=dgx,nodes=2", "'cluster:node=dgx' is a cluster; expected its node"},
        {"--link ib-ndr,ib-ndx", "--link: no link class called 'ib-ndx'; did you mean 'ib-ndr'?"},
    };

    for (size_t w = 0; w < sizeof(wrong) / sizeof(*wrong); ++w) {
        CS_AT_END(planned_free) struct planned planned = {0};
        char line[200];

        (void)snprintf(line, sizeof line, "--gpus 16 --mix all-reduce:1GiB %s", wrong[w][0]);
        assert_int_equal(plan_line(&planned, line), CS_EINPUT);
        assert_non_null(strstr(planned.err.text, wrong[w][1]));
    }
}
