/* Nodes of a cluster: machines, numbers, and first indices. */
#include "topo/generators/cluster/nodes.h"

#include "tests/test.h"

struct nodes {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_topo_request request;
    struct cs_cluster_plan plan;
    struct cs_cluster cluster;
    struct cs_cluster_builder builder;
    struct cs_err err;
};

/* Reads the parameters and opens the machines of the nodes. */
static void nodes_open(struct nodes *nodes, const char *parameters)
{
    *nodes = (struct nodes){.cluster = {.rails = 1}};
    cs_graph_init(&nodes->graph, &nodes->arena);
    nodes->plan.arena = &nodes->arena;
    nodes->builder = (struct cs_cluster_builder){.graph = &nodes->graph,
                                                 .request = &nodes->request,
                                                 .owner = "cluster",
                                                 .plan = &nodes->plan,
                                                 .cluster = &nodes->cluster,
                                                 .err = &nodes->err};
    if (cs_cluster_plan_read(&nodes->plan, "cluster", parameters, &nodes->err) ||
        cs_cluster_open_nodes(&nodes->builder))
        fail_msg("%s: %s", parameters, nodes->err.text);
}

static void nodes_free(struct nodes *nodes)
{
    cs_arena_free(&nodes->arena);
}

#define NODES_TEST(name) TEST_OF(struct nodes, nodes, nodes_free, name)

NODES_TEST(each_kind_of_node_is_a_part)
{
    nodes_open(nodes, "node=dgx+dgx-1,nodes=2+3");
    assert_int_equal(nodes->cluster.part_count, 2);
    assert_int_equal(cs_cluster_count_nodes(&nodes->builder), 0);
    assert_int_equal(nodes->cluster.parts[0].nodes, 2);
    assert_int_equal(nodes->cluster.parts[1].nodes, 3);
}

TEST(ranks_are_rounded_up_to_whole_nodes_only_by_request)
{
    struct nodes nodes;

    nodes_open(&nodes, "node=dgx");
    nodes.request.ranks = 17;
    assert_int_equal(cs_cluster_count_nodes(&nodes.builder), 0);
    assert_int_equal(nodes.cluster.parts[0].nodes, 3);
    nodes_free(&nodes);
    nodes_open(&nodes, "node=dgx,ranks=17");
    assert_int_equal(cs_cluster_count_nodes(&nodes.builder), CS_EINPUT);
    assert_string_equal(nodes.err.text, "ranks=17 is not a multiple of the 8 of a node");
    nodes_free(&nodes);
}

TEST(several_kinds_need_numbers_of_nodes)
{
    struct nodes nodes;

    nodes_open(&nodes, "node=dgx+dgx-1");
    assert_int_equal(cs_cluster_count_nodes(&nodes.builder), CS_EINPUT);
    assert_non_null(strstr(nodes.err.text, "nodes=4+2"));
    nodes_free(&nodes);
    nodes_open(&nodes, "node=dgx+dgx-1,nodes=3");
    assert_int_equal(cs_cluster_count_nodes(&nodes.builder), CS_EINPUT);
    assert_string_equal(nodes.err.text, "2 kinds of nodes, and numbers for 1 in nodes=; expected a "
                                        "number for each kind, as in nodes=4+2");
    nodes_free(&nodes);
}

NODES_TEST(first_indices_continue_from_part_to_part)
{
    struct cs_cluster_size size;
    const struct cs_cluster_part *parts;

    nodes_open(nodes, "node=dgx+dgx-1,nodes=2+3");
    assert_int_equal(cs_cluster_count_nodes(&nodes->builder), 0);
    assert_int_equal(cs_cluster_number(&nodes->builder, &size), 0);
    parts = nodes->cluster.parts;
    assert_int_equal(parts[1].first_rank, 16);
    assert_int_equal(nodes->cluster.ranks, 40);
    assert_int_equal(parts[1].first_device, 2 * parts[0].node->graph.device_count);
    assert_int_equal(size.devices, 2 * (uint64_t)parts[0].node->graph.device_count +
                                       3 * (uint64_t)parts[1].node->graph.device_count);
    assert_int_equal(nodes->plan.fabric.ports, 2 * parts[0].node->ports + 3 * parts[1].node->ports);
}

NODES_TEST(rails_must_divide_the_adapters_of_a_node)
{
    struct cs_cluster_size size;

    nodes_open(nodes, "node=dgx,nodes=2");
    nodes->cluster.rails = 3;
    assert_int_equal(cs_fabric_kind_find("rail", &nodes->plan.fabric.kind, &nodes->err), 0);
    assert_int_equal(cs_cluster_count_nodes(&nodes->builder), 0);
    assert_int_equal(cs_cluster_number(&nodes->builder, &size), CS_EINPUT);
    assert_non_null(strstr(nodes->err.text, "cannot be split among 3 rails"));
}

NODES_TEST(servers_of_plain_hosts_get_hosts_of_their_own)
{
    nodes_open(nodes, "nodes=4");
    nodes->request.agents = 2;
    assert_int_equal(cs_cluster_count_nodes(&nodes->builder), 0);
    assert_int_equal(cs_cluster_place_agents(&nodes->builder), 0);
    assert_int_equal(nodes->cluster.part_count, 2);
    assert_true(nodes->cluster.parts[1].serves);
    assert_int_equal(nodes->cluster.parts[1].nodes, 2);
}
