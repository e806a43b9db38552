/* Routes of a cluster: placement of ranks and agents, and hops. */
#include "topo/generators/cluster/route.h"

#include "tests/site.h"

/* Two parts: nodes of 8 ranks, then nodes of 4 ranks. */
static const struct cs_node wide = {.ranks = 8}, narrow = {.ranks = 4};

static struct cs_cluster two_parts(void)
{
    return (struct cs_cluster){
        .parts = {{.node = &wide, .nodes = 2},
                  {.node = &narrow, .nodes = 3, .first_node = 2, .first_rank = 16}},
        .part_count = 2,
        .nodes = 5,
        .ranks = 28,
        .rails = 1};
}

TEST(ranks_are_numbered_node_by_node)
{
    const struct cs_cluster cluster = two_parts();
    struct cs_cluster_slot slot = cs_cluster_slot_of_rank(&cluster, 13);

    assert_ptr_equal(slot.part, &cluster.parts[0]);
    assert_int_equal(slot.node, 1);
    assert_int_equal(slot.party, 5);
    slot = cs_cluster_slot_of_rank(&cluster, 23);
    assert_ptr_equal(slot.part, &cluster.parts[1]);
    assert_int_equal(slot.node, 1);
    assert_int_equal(slot.party, 3);
}

TEST(agents_go_to_the_nodes_in_turn)
{
    const struct cs_cluster cluster = two_parts();
    struct cs_cluster_slot slot = cs_cluster_slot_of_agent(&cluster, 1);

    assert_int_equal(slot.node, 1);
    assert_int_equal(slot.party, 8);
    slot = cs_cluster_slot_of_agent(&cluster, 3);
    assert_ptr_equal(slot.part, &cluster.parts[1]);
    assert_int_equal(slot.node, 1);
    slot = cs_cluster_slot_of_agent(&cluster, 5);
    assert_ptr_equal(slot.part, &cluster.parts[0]);
    assert_int_equal(slot.node, 0);
    assert_int_equal(slot.party, 9);
}

TEST(agents_go_to_hosts_of_servers_where_present)
{
    struct cs_cluster cluster = two_parts();
    struct cs_cluster_slot slot;

    cluster.parts[1].serves = true;
    slot = cs_cluster_slot_of_agent(&cluster, 2);
    assert_ptr_equal(slot.part, &cluster.parts[1]);
    assert_int_equal(slot.node, 2);
    assert_int_equal(slot.party, 0);
}

ARENA_TEST(a_message_inside_a_node_stays_off_the_fabric)
{
    const struct cs_topo_request request = {.spec = "cluster:node=dgx,nodes=3,fabric=rail"};
    struct cs_graph graph;
    struct cs_net net;
    uint32_t *links;
    uint32_t inside, outside;

    assert_done(cs_topo_open(&request, &graph, arena, &err));
    cs_lower(&graph, &net, arena);
    links = cs_arena_alloc(arena, net.max_hops, sizeof(*links));
    inside = net.route(net.route_ctx, 0, 7, links);
    for (uint32_t i = 0; i < inside; i++)
        assert_int_equal(graph.devices[net.links[links[i]].to].host,
                         graph.devices[net.parties[0].node].host);
    outside = net.route(net.route_ctx, 0, 8, links);
    assert_true(outside > inside);
    assert_true(outside <= net.max_hops);
}

/* Whether the route begins and ends at its ranks, without a gap, and passes over no GPU that
 * is not in the job. */
static bool is_whole(const struct machine *machine, uint32_t src, uint32_t dst)
{
    const struct cs_net *net = &machine->net;
    const struct cs_graph *graph = &machine->graph;
    uint32_t links[64], at = cs_net_party_at(net, src).node;
    uint32_t hops = net->route(net->route_ctx, src, dst, links);

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, links[i]);
        bool in_job = graph->devices[link.to].kind != CS_DEVICE_GPU;

        for (uint32_t r = 0; r < graph->rank_count; r++)
            in_job |= graph->rank_device[r] == link.to;
        if (link.from != at || !in_job)
            return false;
        at = link.to;
    }
    return at == cs_net_party_at(net, dst).node;
}

static void check_job(const char *node, const char *fabric, uint32_t left)
{
    CS_AT_END(machine_close) struct machine machine = {0};
    char spec[120];
    uint32_t ranks;

    (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=2,fabric=%s", node, fabric);
    machine_open(&machine, spec, 0, 0);
    ranks = machine.graph.rank_count;
    if (ranks <= 2 * left)
        return;
    machine_close(&machine);
    machine_open(&machine, spec, ranks - left, 0);
    for (uint32_t r = 0; r + left + 1 < ranks; r++)
        for (uint32_t to = ranks / 2; to < ranks - left; to++)
            if (r != to && (!is_whole(&machine, r, to) || !is_whole(&machine, to, r)))
                fail_msg("%s, %u ranks: between %u and %u", spec, ranks - left, r, to);
}

TEST(routes_of_a_job_pass_over_its_own_gpus)
{
    static const char *const fabrics[] = {"rail", "rail-only", "star"};

    for (size_t i = 0; i < cs_machine_file_count; i++)
        for (uint32_t left = 0; left < 8 && is_node_with_adapters(cs_machine_files[i].name);
             left = 2 * left + 1)
            check_job(cs_machine_files[i].name, fabrics[(i + left) % 3], left);
}

/* Of some nodes no PCIe leads from a GPU to the adapters of others. */
TEST(routes_without_pxn_are_whole)
{
    static const char *const nodes[] = {"mi250x", "ascend910", "atlas-900-a2", "dgx-h100"};

    for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++)
        for (uint32_t left = 0; left < 8; left = 2 * left + 1)
            check_job(nodes[i], "rail-only,pxn=off", left);
}
