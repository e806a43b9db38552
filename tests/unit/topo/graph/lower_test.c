#include "tests/test.h"
#include "topo/formats/source.h"
#include "topo/graph/lower.h"

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
};

static void fixture_free(struct fixture *fixture)
{
    cs_arena_free(&fixture->arena);
}

static void lower(struct fixture *f, const char *spec, uint32_t agents)
{
    struct cs_topo_request request = {.spec = spec, .agents = agents};

    memset(f, 0, sizeof(*f));
    assert_done(cs_topo_open(&request, &f->graph, &f->arena, &err));
    cs_lower(&f->graph, &f->net, &f->arena);
}

#define FIXTURE_TEST(name) TEST_OF(struct fixture, f, fixture_free, name)

FIXTURE_TEST(a_full_duplex_wire_has_a_resource_per_direction)
{
    lower(f, "switch:ranks=3,bandwidth=10GB/s,latency=2us", 0);
    assert_int_equal(f->net.link_count, 6);
    assert_int_equal(f->net.resource_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(f->net.links[i].resource, i);
        assert_true(f->net.links[i].rate_Bps == 10e9);
        assert_true(f->net.links[i].ps_per_byte == 100);
        assert_int_equal(f->net.links[i].latency_ps, 2000000);
    }
    assert_int_equal(f->net.links[2].from, 1);
    assert_int_equal(f->net.links[2].to, 3);
    assert_int_equal(f->net.links[3].from, 3);
    assert_int_equal(f->net.links[3].to, 1);
}

FIXTURE_TEST(a_half_duplex_wire_has_a_single_resource)
{
    lower(f, "switch:ranks=3,duplex=half", 0);
    assert_int_equal(f->net.resource_count, 3);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(f->net.links[i].resource, i / 2);
}

FIXTURE_TEST(a_bus_has_a_single_resource_and_a_free_link_out)
{
    lower(f, "bus:ranks=3,bandwidth=1GB/s,latency=5us", 0);
    /* One for the medium, and one for each link that costs nothing. */
    assert_int_equal(f->net.resource_count, 1 + 3);
    for (uint32_t i = 0; i < 6; i++) {
        if (i % 2 == 0)
            assert_int_equal(f->net.links[i].resource, 0);
        else
            assert_int_not_equal(f->net.links[i].resource, 0);
        assert_int_equal(f->net.links[i].latency_ps, i % 2 ? 0 : 5000000);
        assert_true(i % 2 ? isinf(f->net.links[i].rate_Bps) : f->net.links[i].rate_Bps == 1e9);
        assert_true(f->net.links[i].ps_per_byte == (i % 2 ? 0 : 1000));
    }
}

FIXTURE_TEST(ranks_precede_servers_and_both_reduce_equally)
{
    lower(f, "switch:ranks=2,gamma=100GB/s,overhead=3us", 1);
    assert_int_equal(f->net.party_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(f->net.parties[i].node, i);
        assert_true(f->net.parties[i].reduce_ps_per_byte == 10);
        assert_int_equal(f->net.parties[i].reduce_overhead_ps, 3000000);
    }
}

FIXTURE_TEST(without_gamma_reduction_costs_nothing)
{
    lower(f, "mesh:ranks=2", 0);
    assert_true(f->net.parties[0].reduce_ps_per_byte == 0);
    assert_int_equal(f->net.parties[0].reduce_overhead_ps, 0);
}

FIXTURE_TEST(the_rate_of_a_link_includes_the_efficiency)
{
    uint32_t links[64];

    lower(f, "dgx", 0);
    assert_int_equal(f->net.route(f->net.route_ctx, 0, 7, links), 2);
    assert_true(fabs(f->net.links[links[0]].rate_Bps - 240e9) < 1);
}

TEST(one_rank_lowers_to_a_net_without_traffic)
{
    static const char *const specs[] = {"switch:ranks=1", "ring:ranks=1", "bus:ranks=1",
                                        "mesh:ranks=1"};

    for (size_t i = 0; i < 4; i++) {
        CS_AT_END(fixture_free) struct fixture f;

        lower(&f, specs[i], 0);
        assert_int_equal(f.net.party_count, 1);
    }
}
