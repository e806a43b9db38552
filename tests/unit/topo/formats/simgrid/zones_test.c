#include "topo/formats/simgrid/zones.h"

#include "tests/test.h"

static struct cs_zones_route route(uint32_t from, uint32_t to, uint32_t links)
{
    return (struct cs_zones_route){
        .from = from, .to = to, .gate_from = from, .gate_to = to, .links = links};
}

/* Two points more in the outermost zone: 1 and 2. */
static void begin(struct cs_zones *zones, struct cs_arena *arena, enum cs_zone_kind kind)
{
    *zones = (struct cs_zones){.arena = arena};
    assert_int_equal(cs_zones_add(zones, CS_ZONES_NONE, kind), 0);
    assert_int_equal(cs_zones_add_point(zones, 0, 10), 1);
    assert_int_equal(cs_zones_add_point(zones, 0, 11), 2);
}

ARENA_TEST(a_listed_route_is_used_unchanged)
{
    struct cs_zones zones;
    uint32_t links[2];

    begin(&zones, arena, CS_ZONE_WRITTEN);
    assert_true(cs_zones_prepare(&zones, 4, 0));
    cs_zones_add_link(&zones, 7);
    cs_zones_add_link(&zones, 5);
    assert_true(cs_zones_add_route(&zones, route(1, 2, 2)));
    assert_false(cs_zones_add_route(&zones, route(1, 2, 2)));
    assert_int_equal(cs_zones_find(&zones, 1, 2, links), 2);
    assert_int_equal(links[0], 7);
    assert_int_equal(links[1], 5);
    assert_int_equal(cs_zones_find(&zones, 2, 1, links), CS_ZONES_NONE);
}

ARENA_TEST(memory_limits_are_checked_before_allocation)
{
    struct cs_zones zones;

    begin(&zones, arena, CS_ZONE_SHORTEST);
    assert_false(cs_zones_prepare(&zones, 3, 8));
    begin(&zones, arena, CS_ZONE_SHORTEST);
    assert_false(cs_zones_prepare(&zones, 4, 7));
    begin(&zones, arena, CS_ZONE_SHORTEST);
    assert_true(cs_zones_prepare(&zones, 4, 8));
}

/* 1 - (zone with 4 and 5) - 2: in at 4, on from 5. */
ARENA_TEST(a_zone_on_the_route_is_crossed_between_its_gateways)
{
    struct cs_zones zones;
    struct cs_zones_route in = route(1, 3, 1);
    struct cs_zones_route out = route(3, 2, 1);
    uint32_t links[3];

    begin(&zones, arena, CS_ZONE_SHORTEST);
    assert_int_equal(cs_zones_add(&zones, 0, CS_ZONE_WRITTEN), 1);
    assert_int_equal(cs_zones_add_point(&zones, 1, 12), 4);
    assert_int_equal(cs_zones_add_point(&zones, 1, 13), 5);
    assert_true(cs_zones_holds(&zones, 1, 4));
    assert_true(cs_zones_holds(&zones, 0, 4));
    assert_false(cs_zones_holds(&zones, 1, 2));
    assert_true(cs_zones_prepare(&zones, 100, 100));
    in.gate_to = 4;
    out.gate_from = 5;
    cs_zones_add_link(&zones, 100);
    assert_true(cs_zones_add_route(&zones, in));
    cs_zones_add_link(&zones, 300);
    assert_true(cs_zones_add_route(&zones, out));
    cs_zones_add_link(&zones, 200);
    assert_true(cs_zones_add_route(&zones, route(4, 5, 1)));
    cs_zones_shortest(&zones);
    assert_int_equal(cs_zones_find(&zones, 1, 2, NULL), 3);
    assert_int_equal(cs_zones_find(&zones, 1, 2, links), 3);
    assert_int_equal(links[0], 100);
    assert_int_equal(links[1], 200);
    assert_int_equal(links[2], 300);
    assert_int_equal(cs_zones_find(&zones, 5, 2, links), 1);
    assert_int_equal(cs_zones_meeting(&zones, 4, 5), 1);
    assert_int_equal(cs_zones_meeting(&zones, 4, 2), 0);
}

ARENA_TEST(members_of_a_star_meet_in_the_middle)
{
    struct cs_zones zones;
    uint32_t links[3];

    begin(&zones, arena, CS_ZONE_STAR);
    assert_int_equal(cs_zones_add_point(&zones, 0, 12), 3);
    zones.zones[0].star = (struct cs_zone_star){1, 2, 0};
    assert_int_equal(cs_zones_find(&zones, 2, 3, links), 3);
    assert_int_equal(links[0], 2 * 1);
    assert_int_equal(links[1], 2 * 2);
    assert_int_equal(links[2], 2 * 3 + 1);
    assert_int_equal(cs_zones_find(&zones, 1, 3, links), 2);
    assert_int_equal(links[0], 0);
    assert_int_equal(cs_zones_find(&zones, 3, 1, links), 2);
    zones.zones[0].star = (struct cs_zone_star){0, 1, CS_ZONES_NONE};
    assert_int_equal(cs_zones_find(&zones, 2, 3, links), 2);
    assert_int_equal(cs_zones_find(&zones, 1, 3, links), 1);
    assert_int_equal(links[0], 2 * 1 + 1);
}
