/* Rings inside a node of a site, by hand. */
#include "algorithms/libraries/site/parts.h"

#include "tests/site.h"

#define GB 1e9

/* Six rings of 20 GB/s; a DGX-1's graph in NCCL's logs has as many. */
TEST(rings_of_a_cube_mesh_carry_what_the_search_finds)
{
    struct cs_site site = site_of("dgx-1", 0);

    assert_false(site.has_switch || site.has_nvls);
    assert_int_equal(site.generation, 70);
    assert_int_equal(site.gpu_path, CS_PATH_LINKS);
    assert_within(site.ring_Bps, 120 * GB, 1);
    assert_within(site.socket_Bps, 6 * GB, 1);
    /* GPUs 0 to 3 keep four of the six links. */
    site = site_of("dgx-1", 4);
    assert_int_equal(site.node_ranks, 4);
    assert_within(site.link_Bps, 80 * GB, 1);
    assert_within(site.ring_Bps, 80 * GB, 1);
}

/* By hand: 24 messages between unlinked GPUs of a cube mesh pass a GPU between;
 * bridged pairs exchange with the other GPUs over PCIe and 22 GB/s of sockets,
 * 16 messages in each direction. */
TEST(exchanges_use_relays_and_the_link_between_sockets)
{
    struct cs_site mesh = site_of("dgx-1", 0);
    struct cs_site pairs = site_of("h100-pcie", 0);
    struct cs_site full = site_of("mi300x", 0);

    assert_true(mesh.exchange_Bps > 20 * GB);
    assert_true(mesh.exchange_Bps < mesh.link_Bps * 7 / 10);
    assert_within(pairs.exchange_Bps, 22 * GB * 7 / 16, 1);
    assert_within(pairs.next_Bps, 22 * GB, 1);
    assert_within(full.exchange_Bps, full.link_Bps, 1);
    assert_within(full.root_Bps, full.link_Bps, 1);
    assert_within(full.next_Bps, full.link_Bps / 7, 1);
}

/* Two bridged pairs: a ring and its reverse leave a pair by different GPUs, of 24 GB/s each. */
TEST(bridged_pairs_have_a_ring_in_each_direction)
{
    struct cs_site site = site_of("node:gpu=a100pcie-80gb,gpus=4,links=pairs", 0);

    assert_true(site.gpu_path > CS_PATH_RELAY);
    assert_within(site.ring_Bps, 48 * GB, 1);
}

/* Seven circuits of a full mesh of eight, 48 GB/s each. */
TEST(a_full_mesh_of_xgmi_has_a_ring_for_each_link)
{
    struct cs_site site = site_of("mi300x", 0);

    assert_int_equal(site.maker, CS_MAKER_AMD);
    assert_int_equal(site.generation, 942);
    assert_within(site.ring_Bps, 336 * GB, 1);
    /* The link between the sockets is AMD's. */
    assert_true(site.cpu_is_amd);
}

/* Two switches, a socket each: the ring crosses UPI once in each direction. */
TEST(a_ring_over_pcie_has_the_rate_between_the_sockets)
{
    struct cs_site site = site_of("pcie-4gpu", 0);

    assert_int_equal(site.generation, 0);
    assert_null(site.gpu);
    assert_int_equal(site.gpu_path, CS_PATH_SOCKET);
    assert_within(site.link_Bps, 0, 0);
    assert_within(site.ring_Bps, 10 * GB, 1);
    assert_within(site.pcie_Bps, 24 * GB, 1);
    /* Three bytes for each byte that the CPU adds at 68 GB/s. */
    assert_within(site.host_Bps, 204 * GB, 1);
    site = site_of("pcie-4gpu", 2);
    assert_int_equal(site.gpu_path, CS_PATH_SWITCH);
    assert_within(site.ring_Bps, 24 * GB, 1);
}

/* A bridge joins GPUs 0 and 1; a ring of all eight leaves the bridges. */
TEST(bridges_of_pairs_carry_rings_of_a_pair_only)
{
    struct cs_site pair = site_of("h100-pcie", 2);
    struct cs_site all = site_of("h100-pcie", 0);

    assert_int_equal(pair.gpu_path, CS_PATH_LINKS);
    assert_within(pair.ring_Bps, 12 * 20.6 * GB, 1000);
    assert_int_equal(all.gpu_path, CS_PATH_SOCKET);
    assert_within(all.ring_Bps, 22 * GB, 1000);
}
