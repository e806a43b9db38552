#include "topo/kinds/node.h"

#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

/*     cpu0 ------------ cpu1
 *    /  |  \              \
 *  gpu2 |  nic2           gpu3
 *      top
 *     /   \
 *   low   nic1
 *   / \
 * gpu0 nic0       gpu1 on top
 */
#define TREE(nics)                                                            \
    "devices: {gpu: {kind: gpu, count: 4}, cpu: {kind: cpu, count: 2}, "      \
    "top: {kind: switch}, low: {kind: switch}, nic: {kind: nic, count: 3}}\n" \
    "links:\n  - {from: cpu0, to: cpu1, class: upi}\n"                        \
    "  - {from: top, to: cpu0, class: pcie4 x16}\n"                           \
    "  - {from: low, to: top, class: pcie4 x16}\n"                            \
    "  - {from: gpu0, to: low, class: pcie4 x16}\n"                           \
    "  - {from: gpu1, to: top, class: pcie4 x16}\n"                           \
    "  - {from: gpu2, to: cpu0, class: pcie4 x16}\n"                          \
    "  - {from: gpu3, to: cpu1, class: pcie4 x16}\n" nics
#define NIC(n, at) "  - {from: nic" n ", to: " at ", class: pcie4 x16}\n"

static void made(struct machine *m, struct cs_node *node, const char *text)
{
    machine_open(m, any, text);
    *node = (struct cs_node){.graph = m->graph};
    assert_int_equal(cs_node_make(node, &m->err), 0);
}

/* PIX before PXB before PHB before SYS. */
MACHINE_TEST(a_gpu_uses_the_nearest_nic)
{
    struct cs_node node;

    made(m, &node, TREE(NIC("0", "low") NIC("1", "top") NIC("2", "cpu0")));
    assert_int_equal(node.ports, 3);
    assert_int_equal(node.port_of[0], 0);
    assert_int_equal(node.port_of[1], 1);
    assert_int_equal(node.port_of[2], 2);
    assert_int_equal(node.port_of[3], 2); /* SYS: over the sockets' link */
}

MACHINE_TEST(a_nic_under_its_socket_is_nearer_than_one_over_the_link)
{
    struct cs_node node;

    made(m, &node, TREE(NIC("0", "low") NIC("1", "cpu1") NIC("2", "top")));
    assert_int_equal(node.port_of[0], 0);
    assert_int_equal(node.port_of[1], 2);
    assert_int_equal(node.port_of[2], 2);
    assert_int_equal(node.port_of[3], 1);
}

MACHINE_TEST(a_machine_without_a_nic_is_rejected)
{
    struct cs_node node = {0};

    machine_open(m, any,
                 "devices: {gpu: {kind: gpu, count: 2}}\nlinks:\n"
                 "  - {from: gpu0, to: gpu1, class: nvlink3}\n");
    node.graph = m->graph;
    assert_int_equal(cs_node_make(&node, &m->err), CS_EINPUT);
    assert_string_equal(
        m->err.text, "'m' has no NIC that a fabric could join; node: takes them as in port=100gbe");
}
