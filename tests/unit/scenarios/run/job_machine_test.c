#include "tests/unit/scenarios/run/opened.h"

OPENED_TEST(a_job_has_its_ranks_of_the_machine_of_all_jobs)
{
    const struct cs_run *run = &opened->run;

    opened_run(opened, WORDS("--topo", "switch:ranks=32", "--ranks", "16", "--algo", "ring",
                             "--with", "alltoall:ranks=20-27"));
    assert_int_equal(run->all_ranks, 28);
    assert_int_equal(run->all_net.party_count, 28);
    assert_int_equal(run->net.party_count, 16);
    assert_int_equal(run->graph.rank_count, 16);
    assert_int_equal(run->net.link_count, run->all_net.link_count);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(run->graph.rank_device[i], run->all_net.parties[i].node);
}

/* Agents have numbers behind the ranks of their own network. */
OPENED_TEST(routes_to_servers_are_equal_in_both_networks)
{
    const struct cs_run *run = &opened->run;
    uint32_t own[16], all[16], hops;

    opened_run(opened, WORDS("--topo", "switch:ranks=8", "--ranks", "4", "--algo", "ps", "--with",
                             "alltoall:ranks=4-7"));
    assert_int_equal(run->program.agents, 1);
    assert_int_equal(run->net.party_count, 5);
    assert_int_equal(run->all_net.party_count, 9);
    for (uint32_t r = 0; r < 4; r++) {
        hops = run->net.route(run->net.route_ctx, r, 4, own);
        assert_int_equal(run->all_net.route(run->all_net.route_ctx, r, 8, all), hops);
        assert_memory_equal(own, all, hops * sizeof(*own));
    }
}

OPENED_TEST(placement_holds_for_the_ranks_of_all_jobs)
{
    const struct cs_run *run = &opened->run;

    opened_run(opened, WORDS("--topo", "ib-2xdgx", "--ranks", "8", "--algo", "ring", "--placement",
                             "round-robin", "--with", "alltoall:ranks=8-15"));
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t device = run->net.parties[i].node;

        assert_int_equal(device, run->graph.rank_device[i]);
        /* Every second rank is on the other node. */
        assert_int_equal(cs_graph_device(&run->graph, device).host, i % 2);
    }
}
