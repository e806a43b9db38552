/* A host of GPUs that needs no file: its tree, its links, its words. */
#include "tests/fixture.h"
#include "topo/kinds/gpu_kind.h"

static uint32_t find(const struct machine *machine, const char *name)
{
    uint32_t device = cs_graph_find(&machine->graph, name);

    assert_int_not_equal(device, UINT32_MAX);
    return device;
}

/* The wire between two devices, or NULL. */
static const struct cs_wire *between(const struct machine *machine, const char *a, const char *b)
{
    uint32_t one = find(machine, a);
    uint32_t other = find(machine, b);

    for (uint32_t w = 0; w < machine->graph.wire_count; w++) {
        const struct cs_wire *wire = &machine->graph.wires[w];

        if ((wire->a == one && wire->b == other) || (wire->a == other && wire->b == one))
            return wire;
    }
    return NULL;
}

/* Of each machine, as often as it has rows: the class of the wire between two devices; NULL:
 * there is none. */
static const struct {
    const char *spec, *a, *b, *class_name;
} joined[] = {
    {"node:gpu=l40s,gpus=8,switches=4,nics=2,port=100gbe-roce", "gpu1", "plx0", "pcie4 x16"},
    {"", "gpu2", "plx1", "pcie4 x16"},
    {"", "gpu7", "plx3", "pcie4 x16"},
    {"", "plx1", "cpu0", "pcie4 x16"},
    {"", "plx2", "cpu1", "pcie4 x16"},
    {"", "nic0", "plx0", "pcie4 x16"},
    {"", "nic1", "plx2", "pcie4 x16"},
    {"", "cpu0", "cpu1", "upi2"},
    {"node:gpu=h100,gpus=8,links=switch", "gpu7", "nvswitch", "nvlink4 x18"},
    {"node:gpu=h100,gpus=4,links=mesh", "gpu0", "gpu3", "nvlink4 x6"},
    {"node:gpu=a40,gpus=4,links=pairs", "gpu2", "gpu3", "nvlink3-bridge x4"},
    {"", "gpu1", "gpu2", NULL},
    {"node:gpu=h200,gpus=8,links=fours", "gpu4", "gpu7", "nvlink4 x6"},
    {"", "gpu3", "gpu4", NULL},
    {"", "cpu0", "cpu1", "upi2-20g x2"},
    {"node:gpu=a40,gpus=2,links=none", "gpu0", "gpu1", NULL},
    {"node:gpu=rtx2080ti,gpus=8,links=none", "gpu3", "plx1", "pcie3 x16"}, /* 144 lanes of 96 */
    {"", "plx2", "cpu1", "pcie3 x16"},
    {"node:gpu=rtx2080ti,gpus=8,links=none,cpu=amd", "gpu7", "cpu1", "pcie3 x16"},
    {"node:gpu=rtx2080ti,gpus=4,links=none", "gpu3", "cpu0", "pcie3 x16"},
    {"node:gpu=rtx4090,gpus=2,sockets=2,cpu=amd,pcie=pcie3 x8,peer-access=yes", "gpu0", "cpu0",
     "pcie3 x8"},
    {"", "cpu0", "cpu1", "xgmi-socket"},
    {"node:gpu=h200,gpus=2,links=pairs,sockets=2,cpu=amd", "cpu0", "cpu1", "xgmi-socket-32g"},
    {"node:gpu=t4,gpus=2,sockets=2,socket-link=qpi", "cpu0", "cpu1", "qpi"},
};

TEST(devices_are_joined_as_said)
{
    struct machine machine = {0};

    for (int i = 0; i < COUNT(joined); i++) {
        const struct cs_wire *wire;

        if (*joined[i].spec) {
            machine_close(&machine);
            machine_open(&machine, joined[i].spec, 0, 0);
        }
        wire = between(&machine, joined[i].a, joined[i].b);
        if (!wire != !joined[i].class_name ||
            (wire && strcmp(wire->class_name, joined[i].class_name) != 0))
            fail_msg("%s: %s between %s and %s", machine.graph.name,
                     wire ? wire->class_name : "nothing", joined[i].a, joined[i].b);
    }
    machine_close(&machine);
}

/* What is not said is noted. */
MACHINE_TEST(devices_and_notes_are_as_said)
{
    machine_open(machine, joined[0].spec, 0, 0);
    assert_int_equal(machine->graph.rank_count, 8);
    assert_string_equal(machine->graph.port_class, "100gbe-roce");
    assert_int_equal(machine->graph.note_count, 1);
    machine_close(machine);
    machine_open(machine, joined[COUNT(joined) - 4].spec, 0, 0);
    assert_int_equal(machine->graph.devices[0].peers, CS_PEERS_YES);
    assert_int_equal(machine->graph.note_count, 0);
    machine_close(machine);
    machine_open(machine, joined[COUNT(joined) - 1].spec, 0, 0);
    assert_int_equal(machine->graph.note_count, 0);
}

/* A value with commas is in brackets. */
MACHINE_TEST(a_cluster_takes_a_node_in_brackets)
{
    machine_open(machine, "cluster:node=[node:gpu=l4,gpus=4,port=25gbe],nodes=3", 0, 0);
    assert_int_equal(machine->graph.rank_count, 12);
}

MACHINE_TEST(kinds_of_nodes_in_brackets_are_added)
{
    machine_open(machine,
                 "cluster:node=[node:gpu=l4,gpus=4,port=25gbe]+dgx+[node:gpu=l40s,gpus=2,port="
                 "25gbe],nodes=2+1+3,link=25gbe",
                 0, 0);
    assert_int_equal(machine->graph.rank_count, 22);
}

static void refused(const char *spec, const char *sentence)
{
    struct cs_topo_request request = {.spec = spec};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;

    assert_refused(cs_topo_open(&request, &graph, &arena, &err), CS_EINPUT, sentence);
}

TEST(contradictions_are_refused)
{
    refused("node:gpus=4", "'node:gpus=4' names no GPU; expected gpu=MODEL, as in "
                           "node:gpu=l4,gpus=4 ('collsim list gpus')");
    refused("node:gpu=h100", "node: 8 h100, each with 18 links of nvlink4: nothing says how they "
                             "join; expected links=switch, mesh, pairs, fours or none");
    refused("node:gpu=v100,links=mesh",
            "node: 8 v100, each with 6 links of nvlink2: fewer links than peers; expected "
            "links=switch, mesh, pairs, fours or none");
    refused("node:gpu=a40,gpus=3,links=pairs",
            "node: 3 a40, each with 4 links of nvlink3-bridge: no multiple of two for pairs, or of "
            "four for fours; expected links=switch, mesh, pairs, fours or none");
    refused("node:gpu=t4,links=mesh", "node:links=mesh: this GPU has no links but PCIe");
    refused("node:gpu=h100,gpus=1,links=switch", "node:links=switch: a single GPU has no peer");
    refused("node:gpu=t4,nics=2",
            "node:nics=2: port= is missing, as in port=100gbe-roce ('collsim list links')");
    refused("node:gpu=t4,pcie=ib-hdr",
            "node:pcie=: 'ib-hdr' is no such link; expected PCIe, as in 'pcie4 x8'");
    refused("node:gpu=h100,links=swich",
            "node:links=: 'swich' is not known; did you mean 'switch'?");
    refused("node:gpu=t4,port=upi2", "node:port=: 'upi2' is no such link; expected a network's, as "
                                     "in '100gbe-roce' or 'ib-ndr'");
    refused("node:gpu=t4,port=ndr",
            "node:port=: no link class called 'ndr'; did you mean 'ib-ndr'?");
}

TEST(brackets_match)
{
    refused("node:gpu=t4,gpus=[4",
            "brackets of 'node:gpu=t4,gpus=[4' do not match; expected a ']' for each '['");
    refused("node:gpu=t4],gpus=4",
            "brackets of 'node:gpu=t4],gpus=4' do not match; expected a ']' for each '['");
    refused("cluster:node=[cluster:node=[node:gpu=t4,port=gbe],nodes=2],nodes=3",
            "'cluster:node=[node:gpu=t4,port=gbe],nodes=2' is a cluster, not a node; leave --nodes "
            "and --gpus out, or give one of its nodes");
    refused("node:gpu=t4,gpus=[]4[]", "node:gpus=: '[]4[]' is not a whole number");
}
