/* Sites of the groups of a job. */
#include "scenarios/train/stages/group.h"

#include "tests/site.h"

/* 16 nodes of eight GPUs behind a switch, eight adapters of 50 GB/s. */
static const struct cs_site cluster = {.ranks = 128,
                                       .nodes = 16,
                                       .node_ranks = 8,
                                       .maker = CS_MAKER_NVIDIA,
                                       .has_switch = true,
                                       .gpu_path = CS_PATH_LINKS,
                                       .link_Bps = 400e9,
                                       .ring_Bps = 370e9,
                                       .net = CS_NET_IB,
                                       .net_path = CS_PATH_BRIDGE,
                                       .adapters = 8,
                                       .adapter_Bps = 50e9,
                                       .node_Bps = 400e9};

TEST(a_group_inside_a_node_has_no_network)
{
    struct cs_site site = cs_train_group_site(&cluster, (struct cs_train_group){1, 8});

    assert_int_equal(site.ranks, 8);
    assert_int_equal(site.nodes, 1);
    assert_int_equal(site.net, CS_NET_NONE);
    assert_true(site.ring_Bps == cluster.ring_Bps);
}

/* Eight groups with a rank in each node have an adapter each. */
TEST(groups_across_nodes_divide_the_adapters)
{
    struct cs_site one = cs_train_group_site(&cluster, (struct cs_train_group){8, 16});
    struct cs_site two = cs_train_group_site(&cluster, (struct cs_train_group){4, 16});
    struct cs_site all = cs_train_group_site(&cluster, (struct cs_train_group){1, 128});

    assert_int_equal(one.nodes, 16);
    assert_int_equal(one.node_ranks, 1);
    assert_int_equal(one.adapters, 1);
    assert_true(one.node_Bps == 50e9);
    assert_int_equal(two.nodes, 8);
    assert_int_equal(two.node_ranks, 2);
    assert_true(two.node_Bps == 100e9);
    assert_true(all.node_Bps == cluster.node_Bps);
    assert_int_equal(all.node_ranks, 8);
}

/* A DGX-1 has six links of a GPU in rings of eight, four in a quad, two in a
 * pair. */
TEST(direct_links_are_fewer_between_fewer_peers)
{
    struct cs_site mesh = cluster;

    mesh.has_switch = false;
    mesh.ranks = 8;
    mesh.nodes = 1;
    mesh.ring_Bps = 6;
    assert_true(cs_train_group_site(&mesh, (struct cs_train_group){1, 4}).ring_Bps > 3.9);
    assert_true(cs_train_group_site(&mesh, (struct cs_train_group){1, 2}).ring_Bps < 2.1);
    /* As the machine has them, among neighbours. */
    mesh.parts[0] = (struct cs_site_part){1, 1, CS_PATH_LINKS};
    assert_true(cs_train_group_site(&mesh, (struct cs_train_group){1, 2}).ring_Bps == 1);
    assert_true(cs_train_group_site(&mesh, (struct cs_train_group){4, 2}).ring_Bps > 1);
}

/* Parts of 2, 4 and 8 ranks as the machine has them, for neighbours. */
TEST(a_group_of_neighbours_has_the_links_of_its_part)
{
    struct cs_site mesh = cluster;

    mesh.has_switch = false;
    for (uint32_t p = 0; p < CS_SITE_PARTS; p++)
        mesh.parts[p] =
            (struct cs_site_part){10. + p, 20. + p, p == 1 ? CS_PATH_SOCKET : CS_PATH_SWITCH};
    for (uint32_t p = 0; p < 2; p++) {
        struct cs_site site =
            cs_train_group_site(&mesh, (struct cs_train_group){1, UINT32_C(2) << p});

        assert_true(site.link_Bps == mesh.parts[p].link_Bps);
        assert_true(site.ring_Bps == mesh.parts[p].ring_Bps);
        assert_int_equal(site.gpu_path, mesh.parts[p].gpu_path);
    }
    /* All of a node, and three: by the node's own. */
    assert_true(cs_train_group_site(&mesh, (struct cs_train_group){1, 8}).link_Bps ==
                cluster.link_Bps);
    assert_int_equal(cs_train_group_site(&mesh, (struct cs_train_group){1, 3}).gpu_path,
                     cluster.gpu_path);
}

/* Jasper on hybrid-shard makes 66 calls: those after the 64th were decided anew where a
 * job is timed by another one's decisions, and a faster PCIe made its step slower. */
ARENA_TEST(every_call_of_a_job_is_kept)
{
    enum {
        CALLS = 200
    };
    struct cs_site node = cs_train_group_site(&cluster, (struct cs_train_group){1, 8});
    struct cs_train_calls calls = {.arena = arena};
    struct cs_train_job job = {.library = site_library(&node), .calls = &calls};
    struct cs_train_call first[CALLS], call;

    for (uint32_t i = 0; i < CALLS; i++)
        assert_int_equal(cs_train_collective(&job, &node, &cs_collective_allreduce, 1e5 * (i + 1),
                                             &first[i], NULL),
                         0);
    assert_int_equal(calls.count, CALLS);
    for (uint32_t i = 0; i < CALLS; i++) {
        cs_train_collective(&job, &node, &cs_collective_allreduce, 1e5 * (i + 1), &call, NULL);
        assert_true(call.seconds == first[i].seconds);
    }
    assert_int_equal(calls.count, CALLS);
}

/* A part of 6.5 GB that was no multiple of 16 B was copied at half the rate by two channels,
 * so that a faster network, for which NCCL takes fewer, made steps longer. */
TEST(divided_data_is_padded)
{
    struct cs_train_job job = {.library = site_library(&cluster)};
    double odd = 128 * 50e6 + 512, even = odd + 512 * 3;
    struct cs_train_call a, b;

    assert_int_equal(cs_train_collective(&job, &cluster, &cs_collective_allgather, odd, &a, NULL),
                     0);
    assert_int_equal(cs_train_collective(&job, &cluster, &cs_collective_allgather, even, &b, NULL),
                     0);
    assert_true(a.seconds <= b.seconds);
}

/* 8 experts at random: 8 ranks of a node have 8 (1 - (7/8)^8) = 5.25 of a token's, of 8
 * nodes as many; 64 ranks have 7.58. */
TEST(tokens_may_travel_once)
{
    struct cs_train_model model = {.transformer = {.experts = 256, .active = 8}};
    struct cs_train_job job = {.model = &model, .site = &cluster};
    struct cs_site node = cs_train_group_site(&cluster, (struct cs_train_group){1, 8});
    struct cs_site nodes = cs_train_group_site(&cluster, (struct cs_train_group){1, 64});
    struct cs_token_copies copies = cs_train_token_copies(&job, &nodes);

    assert_true(copies.across == 1 && copies.inside == 0);
    job.framework.dispatch_once = true;
    copies = cs_train_token_copies(&job, &node);
    assert_true(fabs(copies.across - 5.2511 / 8) < 1e-4 && copies.inside == 0);
    copies = cs_train_token_copies(&job, &nodes);
    assert_true(fabs(copies.across - 5.2511 / 8) < 1e-4);
    assert_true(fabs(copies.inside - 7.5759 / 8) < 1e-4);
}

/* Of 4 of 8 groups, which are nodes, a token's 8 experts are on 4 (1 - (3/4)^8) = 3.6
 * nodes.  Neighbours are on 2 ranks of 4 experts, and on one node. */
TEST(a_gate_limits_the_nodes_of_a_token)
{
    struct cs_train_model model = {
        .transformer = {.experts = 256, .active = 8, .expert_groups = 8, .group_limit = 4}};
    struct cs_train_job job = {.model = &model, .site = &cluster, .framework.dispatch_once = true};
    struct cs_site nodes = cs_train_group_site(&cluster, (struct cs_train_group){1, 64});
    struct cs_token_copies copies = cs_train_token_copies(&job, &nodes);

    assert_int_equal(nodes.nodes, 8);
    assert_true(fabs(copies.across - 3.5995 / 8) < 1e-4);
    assert_true(fabs(copies.inside - 7.5759 / 8) < 1e-4);
    job.framework.neighbour_experts = true;
    copies = cs_train_token_copies(&job, &nodes);
    assert_true(copies.across == 1. / 8 && copies.inside == 2. / 8);
    model.transformer.experts = 768; /* 12 on a rank: two in one of three cases */
    copies = cs_train_token_copies(&job, &nodes);
    assert_true(fabs(copies.inside - (1 + 1. / 3) / 8) < 1e-12);
}
