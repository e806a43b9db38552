#include "sim/net/net.h"

#include "tests/fixture.h"

SMALL_NET_TEST(a_rate_becomes_picoseconds_a_byte)
{
    small->links[0] = (struct cs_net_link){.rate_Bps = 25e9, .to = 1};
    small->links[1] = (struct cs_net_link){.rate_Bps = INFINITY, .from = 1, .resource = 1};
    small_net_finish(small, 2, 2, NULL, 0);
    assert_true(small->links[0].ps_per_byte == 40);
    assert_true(small->links[1].ps_per_byte == 0);
}

/*
 * 0 -> 2 -> 3 -> 1, and 1 -> 3: a link that leaves a party can be reached at
 * once, one behind a switch not sooner than the quickest link to that switch.
 */
SMALL_NET_TEST(what_is_behind_a_switch_is_reached_later)
{
    small->links[0] =
        (struct cs_net_link){.rate_Bps = 1e9, .latency_ps = 700, .resource = 0, .from = 0, .to = 2};
    small->links[1] =
        (struct cs_net_link){.rate_Bps = 1e9, .latency_ps = 500, .resource = 1, .from = 2, .to = 3};
    small->links[2] =
        (struct cs_net_link){.rate_Bps = 1e9, .latency_ps = 100, .resource = 2, .from = 3, .to = 1};
    small->links[3] =
        (struct cs_net_link){.rate_Bps = 1e9, .latency_ps = 300, .resource = 3, .from = 1, .to = 3};
    small_net_finish(small, 2, 4, NULL, 0);
    assert_int_equal(small->links[0].ahead_ps, 0);
    assert_int_equal(small->links[1].ahead_ps, 700);
    assert_int_equal(small->links[2].ahead_ps, 300);
    assert_int_equal(small->links[3].ahead_ps, 0);
}

SMALL_NET_TEST(links_of_one_resource_look_ahead_as_far_as_the_nearest)
{
    small->links[0] =
        (struct cs_net_link){.rate_Bps = 1e9, .latency_ps = 700, .resource = 0, .from = 0, .to = 2};
    small->links[1] =
        (struct cs_net_link){.rate_Bps = 1e9, .latency_ps = 500, .resource = 1, .from = 2, .to = 1};
    small->links[2] =
        (struct cs_net_link){.rate_Bps = 1e9, .latency_ps = 500, .resource = 1, .from = 1, .to = 2};
    small_net_finish(small, 2, 3, NULL, 0);
    assert_int_equal(small->links[1].ahead_ps, 0);
    assert_int_equal(small->links[2].ahead_ps, 0);
}

SMALL_NET_TEST(replaced_parties_take_routes_and_rates_of_their_slots)
{
    const struct route routes[] = {{0, 1, 1, {0}}, {1, 2, 2, {1, 2}}};
    const uint32_t order[] = {1, 2, 0};
    uint32_t links[ROUTE_HOPS];

    for (uint32_t i = 0; i < 3; i++) {
        small->links[i] =
            (struct cs_net_link){.rate_Bps = 1e9, .resource = i, .from = i, .to = (i + 1) % 3};
        small->parties[i].reduce_ps_per_byte = i;
    }
    small_net_finish(small, 3, 3, routes, 2);
    cs_net_reorder(&small->net, order, &small->arena);
    assert_int_equal(small->net.parties[0].node, 1);
    assert_int_equal(small->net.parties[1].node, 2);
    assert_int_equal(small->net.parties[2].node, 0);
    assert_true(small->net.parties[1].reduce_ps_per_byte == 2);
    assert_int_equal(small->net.route(small->net.route_ctx, 2, 0, links), 1);
    assert_int_equal(links[0], 0);
    assert_int_equal(small->net.route(small->net.route_ctx, 0, 1, links), 2);
    assert_int_equal(links[1], 2);
    assert_int_equal(small->net.route(small->net.route_ctx, 1, 0, links), 0);
}
