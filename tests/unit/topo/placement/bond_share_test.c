/* Shares of bonds: names and states of the NICs of one port. */
#include "topo/placement/bond_share.h"

#include "tests/fixture.h"

/* Two nodes of a p5: 16 ports of four NICs each. */
MACHINE_TEST(every_nic_has_a_name_and_a_share)
{
    struct cs_names names;
    struct cs_bond_shares shares;
    uint64_t *marked;
    uint32_t port, found, wire = 0;

    machine_open(machine, "cluster:node=p5,nodes=2,fabric=rail", 0, 0);
    marked = cs_arena_alloc(&machine->arena, machine->graph.device_count, sizeof(*marked));
    cs_bond_shares_init(&shares, &machine->graph, &names);
    assert_int_equal(shares.most, 4);
    port = cs_names_find(&names, "n1.nic4");
    found = cs_names_find(&names, "n1.nic7");
    assert_true(port < machine->graph.device_count);
    assert_true(found >= machine->graph.device_count && found != CS_NO_NAME);
    assert_int_equal(cs_names_find(&names, "n1.nic32"), CS_NO_NAME);
    cs_bond_shares_mark(&shares, found, marked);
    assert_int_equal(marked[port], 8);
    while (machine->graph.wires[wire].a != port && machine->graph.wires[wire].b != port)
        wire++;
    assert_true(cs_bond_shares_set(&shares, wire, marked, NULL, 0) == 0.75);
    cs_bond_shares_mark(&shares, port, marked);
    assert_int_equal(marked[port], 9);
    assert_true(cs_bond_shares_set(&shares, wire, marked, NULL, 0) == 0.5);
    assert_true(cs_bond_shares_set(&shares, wire, marked, NULL, 1) == 1);
    marked[port] = 0; /* the other end of the wire is marked */
    assert_true(cs_bond_shares_set(&shares, wire, marked, NULL, 0.25) == 0.25);
    cs_bond_shares_reset(&shares);
    marked[port] = 1;
    assert_true(cs_bond_shares_set(&shares, wire, marked, NULL, 0) == 0.75);
}
