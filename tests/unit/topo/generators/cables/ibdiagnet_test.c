#include "tests/unit/topo/machine.h"

#include "sim/base/text.h"

#define NODES(rows) "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID\n" rows "END_NODES\n"
#define PORTS(rows)                                                                   \
    "\nSTART_PORTS\r\nNodeGuid,PortGuid,PortNum,LinkWidthActv,LinkSpeedActv\r\n" rows \
    "END_PORTS\nSTART_TEXT\nfree \"text\nEND_TEXT\n"
#define LINKS(rows) "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n" rows "END_LINKS\n"
#define THREE                                                                    \
    NODES("\"MF0;leaf:MQM9700/U1\",65,2,0xa,0xa\n\"node2 mlx5_0\",1,1,0xb,0xb\n" \
          "\"node10 mlx5_0\",1,1,0xc,0xc\n\"Mellanox Aggregation Node\",1,1,0xd,0xd\n")

MACHINE_TEST(cables_have_the_speed_of_their_ports)
{
    machine_open(m, (struct cs_topo_request){.spec = "m"},
                 THREE PORTS("0xb,0xb,1,2,2048\n0xa,0xa,2,2,0x400\n0xd,0xd,1,2,2048\n")
                     LINKS("0xa,1,0xb,1\n0xc,1,0xa,2\n0xd,1,0xa,3\n"));
    assert_int_equal(m->graph.rank_count, 2);
    assert_int_equal(m->graph.wire_count, 2);
    assert_true(cs_graph_wire(&m->graph, 0).rate_Bps == 50e9);
    assert_true(cs_graph_wire(&m->graph, 1).rate_Bps == 25e9);
    assert_int_equal(machine_notes(m, "1 aggregation nodes of switches are left out"), 1);
    machine_open(m, (struct cs_topo_request){.spec = "m"},
                 THREE PORTS("0xb,0xb,1,1,2048\n0xa,0xa,1,2,2048\n0xc,0xc,1,2,2048\n")
                     LINKS("0xa,1,0xb,1\n0xc,1,0xa,2\n"));
    assert_true(cs_graph_wire(&m->graph, 0).rate_Bps == 12.5e9); /* of its slower end */
}

TEST(wrong_tables_are_named_with_the_line)
{
    machine_refused("START_NODES\nNodeDesc,NodeGUID\nEND_NODES\nSTART_LINKS\n",
                    "m:2: no column NodeType in the table NODES of ibdiagnet");
    machine_refused(THREE LINKS("0xa,1,0xb,1\n"),
                    "m:10: a cable between ports without LinkSpeedActv in START_PORTS");
    machine_refused(THREE, "m: no START_LINKS in a db_csv of ibdiagnet; expected its tables of "
                           "nodes, ports and links");
    machine_refused(THREE LINKS("0xa,1,0xe,1\n"), "m:10: a cable to no node of START_NODES");
    machine_refused(NODES("a,1,2,0xa,0\nb,1,2,0xa,0\n") LINKS(""), "m:4: '0xa' occurs twice");
}

/* Neither 65 adapters nor any other number are those of most hosts. */
TEXT_TEST(hosts_of_too_many_adapters_are_refused)
{
    cs_text_add(out, "START_NODES\nNodeDesc,NodeType,NodeGUID\n");
    for (int a = 0; a < 65; a++)
        cs_text_printf(out, "\"node1 mlx5_%d\",1,%d\n", a, a);
    cs_text_add(out, "END_NODES\n" LINKS(""));
    machine_refused(cs_text_str(out), "m:3: over 64 adapters of each host; expected fewer");
}
