#include "topo/documents/yaml.h"
#include "topo/formats/yaml/reader.h"

#include "tests/test.h"
#include "topo/graph/check.h"
#include "topo/graph/lower.h"
#include "topo/kinds/gpu_kind.h"

/* Two GPUs and a switch, without links: what most tests add to. */
#define PARTS "devices: {g: {kind: gpu, count: 2}, s: {kind: switch}}\n"

/* The same, linked: what is whole but for what a test adds. */
#define WHOLE PARTS "links: [{from: \"g[*]\", to: s, class: gbe}]\n"

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_err err;
};

static void fixture_free(struct fixture *fixture)
{
    cs_arena_free(&fixture->arena);
}

/* In place of what was open, if anything. */
static int parse(struct fixture *f, const char *text, uint32_t agents)
{
    struct cs_doc_text document = {"m.yaml", text, strlen(text)};
    struct cs_topo_request request = {.spec = "m.yaml", .agents = agents};
    struct cs_doc doc;
    int rc;

    fixture_free(f);
    memset(f, 0, sizeof(*f));
    cs_graph_init(&f->graph, &f->arena);
    rc = cs_yaml_read_text(document, &doc, &f->arena, &f->err);
    if (!rc)
        rc = cs_yaml_build(&doc, &request, &f->graph, &f->err);
    return rc ? rc : cs_graph_check(&f->graph, &f->err);
}

static void opened(struct fixture *f, const char *text, uint32_t agents)
{
    if (parse(f, text, agents))
        fail_msg("%s", f->err.text);
}

/* The sentence is what follows the name of the file. */
static void refused(const char *text, const char *sentence)
{
    CS_AT_END(fixture_free) struct fixture f = {0};

    assert_int_equal(parse(&f, text, 0), CS_EINPUT);
    assert_memory_equal(f.err.text, "m.yaml:", 7);
    assert_string_equal(f.err.text + 7, sentence);
}

/* Of a link behind the parts, in line 2. */
#define LINK_REFUSED(link, sentence) refused(PARTS "links: [{" link "}]\n", "2: " sentence)

static const char *rank_name(const struct fixture *f, uint32_t rank)
{
    return f->graph.devices[f->graph.rank_device[rank]].name;
}

/* ------------------------------------------------------------ what is read */

#define FIXTURE_TEST(name) TEST_OF(struct fixture, f, fixture_free, name)

FIXTURE_TEST(a_machine_may_be_one_device)
{
    opened(f, "devices: {a: {kind: host}}", 0);
    assert_int_equal(f->graph.rank_count, 1);
    assert_string_equal(rank_name(f, 0), "a");
}

FIXTURE_TEST(devices_with_a_count_are_numbered_and_others_are_not)
{
    opened(f, WHOLE, 0);
    assert_int_equal(f->graph.device_count, 3);
    assert_string_equal(f->graph.devices[0].name, "g0");
    assert_string_equal(f->graph.devices[1].name, "g1");
    assert_string_equal(f->graph.devices[2].name, "s");
    assert_int_equal(f->graph.devices[2].line, 1);
}

FIXTURE_TEST(classes_of_ones_own_have_all_their_numbers)
{
    const struct cs_wire *wire;

    opened(f,
           "classes:\n"
           "  c: {rate: 8 Gb/s, latency: 2 us, efficiency: 50 %, duplex: half, source: a "
           "sheet}\n" PARTS
           "links: [{from: g0, to: s, class: c x3}, {from: g1, to: s, class: c}]\n",
           0);
    wire = &f->graph.wires[0];
    assert_true(wire->rate_Bps == 3e9 && wire->efficiency == 0.5);
    assert_true(f->graph.wires[1].rate_Bps == 1e9);
    assert_int_equal(wire->latency_ps, 2000000);
    assert_int_equal(wire->duplex, CS_DUPLEX_HALF);
    assert_string_equal(wire->class_name, "c x3");
    assert_string_equal(wire->source, "a sheet");
    assert_int_equal(wire->line, 4);
}

FIXTURE_TEST(lists_of_one_length_are_joined_pair_by_pair)
{
    opened(f,
           "devices: {g: {kind: gpu, count: 2}, p: {kind: switch, count: 2}}\n"
           "links:\n"
           "  - {from: \"g[0-1]\", to: [p1, p0], class: gbe}\n"
           "  - {from: p0, to: p1, class: gbe}\n",
           0);
    assert_int_equal(f->graph.wire_count, 3);
    assert_int_equal(f->graph.wires[0].a, 0);
    assert_int_equal(f->graph.wires[0].b, 3);
    assert_int_equal(f->graph.wires[1].a, 1);
    assert_int_equal(f->graph.wires[1].b, 2);
}

FIXTURE_TEST(one_device_is_joined_to_each_of_many)
{
    opened(f, PARTS "links: [{from: s, to: [g1, g0], class: gbe}]\n", 0);
    assert_int_equal(f->graph.wires[0].a, 2);
    assert_int_equal(f->graph.wires[0].b, 1);
    assert_int_equal(f->graph.wires[1].b, 0);
}

FIXTURE_TEST(devices_reduce_at_the_rate_given)
{
    opened(f, "devices: {a: {kind: host, reduce: 400 GB/s, overhead: 1 us, about: x}}", 0);
    assert_true(f->graph.devices[0].reduce_Bps == 400e9);
    assert_int_equal(f->graph.devices[0].reduce_overhead_ps, 1000000);
}

#define CLUSTER                                                         \
    "name: cluster\n"                                                   \
    "about: three nodes\n"                                              \
    "nodes: 3\n"                                                        \
    "node:\n"                                                           \
    "  devices:\n"                                                      \
    "    gpu: {kind: gpu, count: 2}\n"                                  \
    "    cpu: {kind: cpu}\n"                                            \
    "    nic: {kind: nic}\n"                                            \
    "  links: [{from: [\"gpu[*]\", nic], to: cpu, class: pcie4 x16}]\n" \
    "fabric:\n"                                                         \
    "  devices: {leaf: {kind: switch}, store: {kind: host}}\n"          \
    "  links:\n"                                                        \
    "    - {from: \"n[*].nic\", to: leaf, class: ib-hdr}\n"             \
    "    - {from: store, to: leaf, class: ib-hdr}\n"

FIXTURE_TEST(models_and_vendors_are_those_of_the_file)
{
    opened(f,
           "devices:\n"
           "  g: {kind: gpu, count: 2, model: H100, peer-access: no}\n"
           "  h: {kind: gpu}\n"
           "  c: {kind: cpu, vendor: amd}\n"
           "links: [{from: [\"g[*]\", h], to: c, class: pcie5 x16}]\n",
           0);
    assert_string_equal(f->graph.devices[1].model->name, "h100");
    assert_int_equal(f->graph.devices[1].model->generation, 90);
    assert_int_equal(f->graph.devices[1].peers, CS_PEERS_NO);
    assert_null(f->graph.devices[2].model);
    assert_int_equal(f->graph.devices[3].vendor, CS_CPU_AMD);
    refused("devices: {g: {kind: gpu, model: h1000}}\n",
            "1: no GPU called 'h1000'; did you mean 'h100'?");
    refused("devices: {c: {kind: cpu, model: h100}}\n",
            "1: 'model' is for GPUs, and this is a cpu");
    refused("devices: {s: {kind: switch, peer-access: yes}}\n",
            "1: 'peer-access' is for GPUs, and this is a switch");
    refused("devices: {g: {kind: gpu, peer-access: on}}\n",
            "1: 'peer-access' is 'on'; expected yes or no");
    refused("devices: {g: {kind: gpu, port: ib-ndr}}\n",
            "1: 'port' is for NICs, and this is a gpu");
    refused("devices: {n: {kind: nic, port: ib-nrd}}\n",
            "1: no link class called 'ib-nrd'; did you mean 'ib-ndr'?");
    refused("devices: {g: {kind: gpu, vendor: amd}}\n",
            "1: 'vendor' is for CPUs, and this is a gpu");
    refused("devices: {c: {kind: cpu, vendor: intle}}\n",
            "1: no CPU vendor called 'intle'; did you mean 'intel'?");
}

FIXTURE_TEST(nodes_are_copies_with_names_of_their_own)
{
    opened(f, CLUSTER, 0);
    assert_string_equal(f->graph.name, "cluster");
    assert_string_equal(f->graph.about, "three nodes");
    assert_int_equal(f->graph.device_count, 3 * 4 + 2);
    assert_int_equal(f->graph.wire_count, 3 * 3 + 4);
    assert_string_equal(f->graph.devices[4].name, "n1.gpu0");
    assert_int_equal(f->graph.devices[4].host, 1);
    assert_int_equal(f->graph.devices[12].host, CS_NO_HOST);
    assert_int_equal(f->graph.devices[13].host, 3);
    assert_int_equal(f->graph.wires[8].a, 11);
    assert_int_equal(f->graph.wires[8].b, 10);
    assert_int_equal(f->graph.rank_count, 7);
    assert_string_equal(rank_name(f, 5), "n2.gpu1");
    assert_string_equal(rank_name(f, 6), "store");
}

FIXTURE_TEST(ranks_of_a_node_are_repeated_for_every_node)
{
    static const char *const order[] = {"n0.gpu1", "n0.gpu0", "n1.gpu1",
                                        "n1.gpu0", "n2.gpu1", "n2.gpu0"};

    opened(f, CLUSTER "ranks: [gpu1, gpu0]\n", 0);
    assert_int_equal(f->graph.rank_count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_string_equal(rank_name(f, i), order[i]);
}

FIXTURE_TEST(ranks_named_with_a_node_are_single_devices)
{
    opened(f, CLUSTER "ranks: [\"n[1-2].gpu1\", store]\n", 0);
    assert_int_equal(f->graph.rank_count, 3);
    assert_string_equal(rank_name(f, 0), "n1.gpu1");
    assert_string_equal(rank_name(f, 1), "n2.gpu1");
    assert_string_equal(rank_name(f, 2), "store");
}

FIXTURE_TEST(one_node_is_called_n0_when_nodes_are_counted)
{
    opened(f, "nodes: 1\nnode: {devices: {g: {kind: gpu}}}\n", 0);
    assert_string_equal(rank_name(f, 0), "n0.g");
    opened(f, "node: {devices: {g: {kind: gpu}}}\n", 0);
    assert_string_equal(rank_name(f, 0), "g");
}

FIXTURE_TEST(servers_are_placed_on_the_cpus_in_order)
{
    opened(f, CLUSTER, 2);
    assert_int_equal(f->graph.agent_count, 3);
    assert_int_equal(f->graph.agent_device[0], 2);
    assert_int_equal(f->graph.agent_device[1], 6);
    assert_int_equal(f->graph.agent_device[2], 10);
}

FIXTURE_TEST(a_device_listed_as_server_is_not_a_rank)
{
    opened(f, CLUSTER "servers: [store]\n", 1);
    assert_int_equal(f->graph.rank_count, 6);
    assert_int_equal(f->graph.agent_device[0], 13);
}

FIXTURE_TEST(servers_without_a_slot_are_refused)
{
    assert_int_equal(parse(f, WHOLE, 1), CS_EINPUT);
    assert_string_equal(
        f->err.text,
        "m.yaml: 1 parameter servers requested, room for 0; list more devices under 'servers'");
}

FIXTURE_TEST(a_server_cannot_be_placed_on_a_rank)
{
    assert_int_equal(parse(f, WHOLE "ranks: [g0, g1]\nservers: [g0]\n", 1), CS_EINPUT);
    assert_string_equal(f->err.text, "m.yaml:1: 'g0' would be two ranks or servers at once");
}

FIXTURE_TEST(two_classes_may_join_the_same_devices)
{
    opened(f,
           PARTS "links:\n"
                 "  - {from: \"g[*]\", to: s, class: gbe}\n"
                 "  - {from: \"g[*]\", to: s, class: gbe x2}\n",
           0);
    assert_int_equal(f->graph.wire_count, 4);
}

FIXTURE_TEST(a_bus_is_a_device_with_links_of_its_own_sort)
{
    struct cs_net net;

    opened(f,
           "classes: {coax: {rate: 10 Mb/s, latency: 25 us, duplex: bus}}\n"
           "devices: {h: {kind: host, count: 3}, ether: {kind: bus}}\n"
           "links: [{from: \"h[*]\", to: ether, class: coax}]\n",
           0);
    cs_lower(&f->graph, &net, &f->arena);
    /* The resource of the medium, and a free resource for each exit. */
    assert_int_equal(net.resource_count, 1 + 3);
}

/* ------------------------------------------------------------ what is not */

TEST(wrong_keys_are_reported_with_the_right_ones)
{
    refused(PARTS "lniks: []\n", "2: no key called 'lniks' in a machine; did you mean 'links'?");
    refused("include: other.yaml\n",
            "1: no key called 'include' in a machine; expected name, about, classes, node, nodes, "
            "fabric, devices, links, ranks, servers, port, forward, routes, generator");
    LINK_REFUSED("from: g0, to: s, class: gbe, direction: on",
                 "'direction' is 'on'; expected back, for a link from 'to' to 'from' only");
    refused("devices: {g: {kind: gpu, reduces: yes}}\n",
            "1: only switches reduce, and this is a gpu");
    refused("devices: {s: {kind: switch, reduces: on}}\n",
            "1: 'reduces' is 'on'; expected yes or no");
    refused("forward: switches\ndevices: {g: {kind: gpu}}\n",
            "1: 'forward' is 'switches'; expected ranks, for ranks that forward messages");
    refused("devices: {g: {knid: gpu}}\n",
            "1: no key called 'knid' in a device; did you mean 'kind'?");
    LINK_REFUSED("form: g0, to: s, class: gbe",
                 "no key called 'form' in a link; did you mean 'from'?");
    refused("classes: {c: {rat: 1 GB/s}}\n" PARTS,
            "1: no key called 'rat' in a class; did you mean 'rate'?");
    refused("node: {devcies: {}}\n",
            "1: no key called 'devcies' in 'node'; did you mean 'devices'?");
    refused("nodes: 1\nnode: {}\nfabric: {ranks: []}\n",
            "3: no key called 'ranks' in 'fabric'; expected devices, links, about");
}

FIXTURE_TEST(a_generator_stands_for_all_parts)
{
    opened(f, "name: mine\ngenerator: 'fat-tree:ranks=6,radix=4'\n", 0);
    assert_int_equal(f->graph.rank_count, 6);
    assert_string_equal(f->graph.name, "mine");
    assert_string_equal(f->graph.generator, "fat-tree:ranks=6,radix=4");
    refused("name: mine\ngenerator: 'fat-tree:rnks=6'\n",
            "2: no parameter called 'rnks' for 'fat-tree:'; did you mean 'ranks'?");
    refused("generator: other.yaml\n",
            "1: 'other.yaml' is no generator; expected one of 'collsim list topologies' with its "
            "parameters, as fat-tree:ranks=64");
    refused(
        "generator: 'bus:ranks=2'\ndevices: {a: {kind: host}}\n",
        "2: no key called 'devices' in a machine of a generator; expected name, about, generator");
}

TEST(keys_given_twice_are_reported_with_both_lines)
{
    refused(PARTS "devices: {}\n", "2: duplicate key 'devices', first in line 1");
    refused("devices: {g: {kind: gpu, count: 2}, g1: {kind: gpu}}\n",
            "1: device 'g1' is a duplicate; line 1 makes it too");
}

TEST(numbers_without_a_unit_are_refused)
{
    refused("classes: {c: {rate: 25, latency: 1 us}}\n" PARTS,
            "1: 'rate': '25' has no unit; write 25 GB/s or 25 Gb/s");
    refused("classes: {c: {rate: 1 GB/s, latency: 5}}\n" PARTS,
            "1: 'latency': '5' has no unit; write 5 ns, 5 us or 5 ms");
    refused("devices: {g: {kind: gpu, reduce: 400}}\n",
            "1: 'reduce': '400' has no unit; write 400 GB/s or 400 Gb/s");
    refused("devices: {g: {kind: gpu, overhead: 1}}\n",
            "1: 'overhead': '1' has no unit; write 1 ns, 1 us or 1 ms");
}

FIXTURE_TEST(a_class_may_have_a_size_of_packets)
{
    const struct cs_wire *wire;

    opened(f, PARTS "links: [{from: \"g[*]\", to: s, class: pcie4  x8  mps=256}]\n", 0);
    wire = &f->graph.wires[0];
    assert_string_equal(wire->class_name, "pcie4 x8 mps=256");
    assert_true(wire->efficiency == 256.0 / 280);
    LINK_REFUSED("from: g0, to: s, class: gbe mtu=100",
                 "'mtu=100' of link class 'gbe' is out of range; expected 576 to 9216");
    refused("classes: {c: {rate: 1 GB/s, latency: 1 us}}\n" PARTS
            "links: [{from: g0, to: s, class: c mtu=1500}]\n",
            "3: class 'c' takes no 'mtu'; define the efficiency instead");
}

TEST(classes_that_are_not_whole_are_refused)
{
    refused("classes: {c: {latency: 1 us}}\n" PARTS, "1: class 'c' has no 'rate'");
    refused("classes: {c: {rate: 1 GB/s}}\n" PARTS, "1: class 'c' has no 'latency'");
    refused("classes: {c: {rate: 0 GB/s, latency: 1 us}}\n" PARTS,
            "1: 'rate': '0 GB/s' is zero; expected a rate above 0");
    refused("classes: {c: {rate: 1 GB/s, latency: 1 us, duplex: fll}}\n" PARTS,
            "1: 'duplex: fll' is not one of full, half, bus");
    refused("classes: {nvlink3: {rate: 1 GB/s, latency: 1 us}}\n" PARTS,
            "1: 'nvlink3' is a built-in class; choose another name");
}

TEST(devices_that_are_not_whole_are_refused)
{
    refused("devices: {g: {count: 3}}\n", "1: device 'g' has no 'kind'");
    refused("devices: {g: {kind: gpp}}\n",
            "1: no kind of device called 'gpp'; did you mean 'gpu'?");
    refused("devices: {g: {kind: toaster}}\n",
            "1: no kind of device called 'toaster'; expected gpu, host, cpu, nic, switch, bus");
    refused("devices: {g: gpu}\n", "1: a device is a text; expected a map of 'key: value'");
    refused("devices: {'a[b]': {kind: gpu}}\n",
            "1: 'a[b]' is not a name; expected 1 to 248 letters without '[' and ']'");
    refused("node: {devices: {a.b: {kind: gpu}}}\n",
            "1: 'a.b' is not a name; expected 1 to 39 letters, digits, '-' or '_'");
    refused("node: {devices: {a: {kind: gpu, host: 3}}}\n",
            "1: 'host' has no effect in a machine with 'node'");
    refused("devices: {a: {kind: gpu, host: x}}\n", "1: 'host': 'x' is not a whole number");
}

TEST(links_that_are_not_whole_are_refused)
{
    LINK_REFUSED("from: g0, to: s", "a link has no 'class'");
    LINK_REFUSED("to: s, class: gbe", "a link has no 'from'");
    refused(PARTS "links: {a: b}\n", "2: 'links' is a map; expected a list");
    LINK_REFUSED("from: [], to: s, class: gbe", "'from' is an empty list");
    LINK_REFUSED("from: g0, to: s, class: pcie4",
                 "'pcie4' is counted in lanes; add the number of lanes, as in 'pcie4 x16'");
    LINK_REFUSED("from: g0, to: s, class: nvlink3 12",
                 "'nvlink3 12' is not a link class; expected a name and a width from x1 to x1024, "
                 "as in 'nvlink3 x12'");
}

TEST(unknown_classes_are_reported_with_the_nearest)
{
    LINK_REFUSED("from: g0, to: s, class: nvlnk3 x12",
                 "no link class called 'nvlnk3'; did you mean 'nvlink3'?");
    refused("classes: {my-fast: {rate: 1 GB/s, latency: 1 us}}\n" PARTS
            "links: [{from: g0, to: s, class: my-fats}]\n",
            "3: no link class called 'my-fats'; did you mean 'my-fast'?");
    LINK_REFUSED(
        "from: g0, to: s, class: warpdrive",
        "no link class called 'warpdrive'; 'collsim list links' shows all, 'classes' defines more");
}

TEST(unknown_names_are_reported_with_the_existing_names)
{
    LINK_REFUSED("from: g2, to: s, class: gbe",
                 "no device called 'g2'; there are g0 to g1, and g[*] selects all");
    LINK_REFUSED("from: \"g[0-2]\", to: s, class: gbe",
                 "no device called 'g2'; there are g0 to g1, and g[*] selects all");
    LINK_REFUSED("from: g, to: s, class: gbe",
                 "no device called 'g'; there are g0 to g1, and g[*] selects all");
    refused("devices: {leaf: {kind: switch}, a: {kind: host}}\n"
            "links: [{from: laef, to: a, class: gbe}]\n",
            "2: no device called 'laef'; did you mean 'leaf'?");
    LINK_REFUSED("from: \"s[*]\", to: g0, class: gbe",
                 "nothing called 's' has a 'count', so 's[*]' names nothing");
    LINK_REFUSED("from: \"g[0\", to: s, class: gbe",
                 "'g[0' is not a set of names; expected something like gpu3, gpu[0-7], gpu[0,2-3] "
                 "or gpu[*]");
    refused(WHOLE "ranks: [g0, g5]\n",
            "3: no device called 'g5'; there are g0 to g1, and g[*] selects all");
    refused(CLUSTER "servers: [n3.cpu]\n", "15: no device called 'n3.cpu'; did you mean 'n0.cpu'?");
}

TEST(links_to_oneself_are_refused)
{
    LINK_REFUSED("from: s, to: s, class: gbe", "'s' is linked to itself");
    LINK_REFUSED("from: \"g[*]\", to: g0, class: gbe", "'g0' is linked to itself");
}

TEST(numbers_in_a_link_are_sent_to_its_class)
{
    refused(PARTS "links:\n  - {from: s, to: g0, rate: 25 GB/s}\n",
            "3: 'rate' belongs to a class; write it as 'classes: {NAME: {rate: ..., latency: "
            "...}}' and the link as 'class: NAME'");
}

TEST(lists_of_other_lengths_are_not_joined)
{
    LINK_REFUSED(
        "from: \"g[*]\", to: [s, g0, g1], class: gbe",
        "'from' names 2 devices and 'to' 3; expected equal numbers, or one device on one side");
}

TEST(the_same_link_twice_is_refused)
{
    refused(PARTS "links:\n"
                  "  - {from: \"g[*]\", to: s, class: gbe}\n"
                  "  - {from: s, to: g1, class: gbe}\n",
            "4: 's' and 'g1' are already linked by 'gbe' in line 3; write one link with the sum of "
            "the widths");
}

TEST(ranks_out_of_reach_are_reported)
{
    refused(
        PARTS "links: [{from: g0, to: s, class: gbe}]\n",
        "1: 'g1' cannot be reached from 'g0'; only a cpu, nic, switch or bus passes messages on");
    refused("nodes: 2\nnode: {devices: {g: {kind: gpu}}}\n",
            "2: 'n1.g' cannot be reached from 'n0.g'; only a cpu, nic, switch or bus passes "
            "messages on");
}

TEST(wrong_ranks_are_refused)
{
    refused(WHOLE "ranks: [g0, s]\n",
            "1: 's' is a switch and cannot be a rank; a rank is a gpu or a host");
    refused(WHOLE "ranks: [g0, g0]\n", "1: 'g0' would be two ranks or servers at once");
    refused(WHOLE "ranks: []\n", "3: 'ranks' is an empty list");
    refused("devices: {s: {kind: switch}}\n", " no rank: the machine has neither a gpu nor a host");
}

TEST(one_layout_is_used_at_a_time)
{
    refused("name: x\n", "1: neither 'devices' nor 'node': the machine is empty");
    refused("nodes: 2\n" PARTS, "1: 'nodes' requires 'node', the description of one node");
    refused("node: {}\nfabric: {}\n", "2: 'fabric' requires 'nodes', the number of nodes");
    refused("node: {}\n" PARTS, "2: 'devices' next to 'node'; move it into 'node' or 'fabric'");
    refused("node: {}\nlinks: []\n", "2: 'links' next to 'node'; move it into 'node' or 'fabric'");
    refused("[a, b]\n", "1: a machine is a list; expected a map of 'key: value'");
}

TEST(counts_have_limits)
{
    refused("devices: {g: {kind: gpu, count: 0}}\n",
            "1: 'count': '0' is out of range; expected 1 to 65536");
    refused("devices: {g: {kind: gpu, count: 1000000}}\n",
            "1: 'count': '1000000' is out of range; expected 1 to 65536");
    refused("node: {devices: {g: {kind: gpu}}}\nnodes: 1000000\n",
            "2: 'nodes': '1000000' is out of range; expected 1 to 65536");
    refused("node: {devices: {g: {kind: gpu, count: 60000}}}\nnodes: 60000\n",
            "2: 60000 nodes of 60000 devices exceed 1048576 devices");
    LINK_REFUSED("from: \"g[0-4000000000]\", to: s, class: gbe",
                 "'from' names over 1048576 devices");
    refused(
        "nodes: 65536\n"
        "node: {devices: {g: {kind: gpu}, s: {kind: switch, count: 10}},\n"
        "  links: [{from: g, to: \"s[*]\", class: gbe}, {from: g, to: \"s[*]\", class: gbe x2}]}\n",
        "1: 65536 nodes of 20 links exceed 1048576 links");
    refused(WHOLE "ranks: [\"g[*]\", \"g[*]\"]\n", "3: 'ranks' names over 3 devices");
}

TEST(buses_and_their_links_go_together)
{
    refused("devices: {g: {kind: gpu, count: 2}, b: {kind: bus}}\n"
            "links: [{from: \"g[*]\", to: b, class: gbe}]\n",
            "2: 'b' is a bus, so 'gbe' needs 'duplex: bus'");
}
