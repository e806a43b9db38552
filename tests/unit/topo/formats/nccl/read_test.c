#include "tests/unit/topo/machine.h"

#include "topo/graph/link_family.h"
#include "topo/kinds/gpu_kind.h"

#define CPU(id, inside)                                                     \
    "<cpu numaid='" id "' arch='x86_64' vendor='GenuineIntel' familyid='6'" \
    " modelid='85'>" inside "</cpu>"
#define PCI(id, class, speed, width, inside)                                                      \
    "<pci busid='" id "' class='" class "' link_speed='" speed "' link_width='" width "'>" inside \
                                        "</pci>"
#define V100(id, dev, inside) \
    PCI(id, "0x030200", "8.0 GT/s PCIe", "16", "<gpu dev='" dev "' sm='70'>" inside "</gpu>")
#define NVLINK(to, count) "<nvlink target='" to "' count='" count "'/>"

static const struct cs_topo_request any = {.spec = "m"};

MACHINE_TEST(gpus_are_ordered_by_dev_and_links_of_both_ends_are_one)
{
    machine_open(
        m, any,
        "<!-- words --> <system version='1'>" CPU(
            "0", V100("0000:1B:00.0", "1", NVLINK("0000:1a:00.0", "1") NVLINK("0000:1a:00.0", "1"))
                     V100("0000:1a:00.0", "0", NVLINK("0000:1b:00.0", "2"))) "</system>");
    assert_int_equal(m->graph.rank_count, 2);
    assert_string_equal(m->graph.devices[m->graph.rank_device[0]].name, "gpu0");
    machine_route(m, 0, 1, 40, 1);
    assert_int_equal(m->graph.note_count, 0);
}

MACHINE_TEST(all_nvswitches_are_one)
{
    machine_open(m, any,
                 "<system>" CPU("0",
                                PCI("0000:1a:00.0", "0x030200", "32.0 GT/s PCIe", "16",
                                    "<gpu dev='0' sm='90'><nvlink target='0000:03:00.0' count='9' "
                                    "tclass='0x068000'/><nvlink target='0000:04:00.0' count='9' "
                                    "tclass='0x068000'/></gpu>")
                                    PCI("0000:1b:00.0", "0x030200", "32.0 GT/s PCIe", "16",
                                        "<gpu dev='1' sm='90'><nvlink target='fffffff:ffff:ff' "
                                        "count='18'/></gpu>")) "</system>");
    machine_route(m, 0, 1, 18 * 20.6, 2);
}

MACHINE_TEST(sockets_are_joined_as_nccl_counts_them)
{
    machine_open(m, any,
                 "<system>" CPU("0", V100("0000:1a:00.0", "0", ""))
                     CPU("1", V100("0000:8a:00.0", "1", "")) "</system>");
    machine_route(m, 0, 1, 10, 3);
    assert_int_equal(machine_notes(m, "no links between GPUs"), 1);
}

MACHINE_TEST(a_bridge_with_one_device_limits_the_rate_of_the_device)
{
    machine_open(m, any,
                 "<system>" CPU("0", PCI("0000:18:00.0", "0x060400", "2.5 GT/s PCIe", "8",
                                         V100("0000:1a:00.0", "0", ""))
                                         PCI("0000:28:00.0", "0x060400", "8.0 GT/s PCIe", "16",
                                             V100("0000:2a:00.0", "1", "")
                                                 V100("0000:2b:00.0", "2", ""))) "</system>");
    machine_route(m, 0, 1, 1.5, 3);
    machine_route(m, 1, 2, 12, 2);
}

MACHINE_TEST(two_levels_of_a_broadcom_switch_are_one)
{
#define BROADCOM(id, inside)                                               \
    "<pci busid='" id "' class='0x060400' vendor='0x1000' device='0xc010'" \
    " link_speed='16.0 GT/s PCIe' link_width='16'>" inside "</pci>"

    machine_open(
        m, any,
        "<system>" CPU("0", BROADCOM("0000:18:00.0",
                                     BROADCOM("0000:19:00.0", V100("0000:1a:00.0", "0", ""))
                                         BROADCOM("0000:1c:00.0",
                                                  V100("0000:1d:00.0", "1", "")))) "</system>");
    machine_route(m, 0, 1, 12, 2);
}

/* Without the link the route is over the sockets. */
MACHINE_TEST(switches_that_name_each_other_are_joined)
{
    machine_open(
        m, any,
        "<system version='1'><cpu numaid='0' arch='x86_64' vendor='AuthenticAMD'><pci "
        "busid='0000:01:00.0' class='0x060400' link_speed='16 GT/s' link_width='16'><pcilink "
        "target='0000:41:00.0'/><pcilink target='0000:99:00.0'/><pci busid='0000:02:00.0' "
        "class='0x030200' link_speed='16 GT/s' link_width='16'><gpu dev='0' sm='80' "
        "rank='0'/></pci><pci busid='0000:03:00.0' class='0x020700' link_speed='16 GT/s' "
        "link_width='16'/></pci></cpu><cpu numaid='1' arch='x86_64' vendor='AuthenticAMD'><pci "
        "busid='0000:41:00.0' class='0x060400' link_speed='16 GT/s' link_width='16'><pcilink "
        "target='0000:01:00.0'/><pci busid='0000:42:00.0' class='0x030200' link_speed='16 GT/s' "
        "link_width='16'><gpu dev='1' sm='80' rank='1'/></pci><pci busid='0000:43:00.0' "
        "class='0x020700' link_speed='16 GT/s' link_width='16'/></pci></cpu></system>");
    machine_route(m, 0, 1, 24, 3);
    assert_int_equal(
        machine_notes(m, "line 1: pcilink to '0000:99:00.0' is ignored: no such PCI switch"), 1);
}

MACHINE_TEST(xgmi_of_an_mi300x_has_the_effective_rate_of_rccl)
{
#define MI300X(id, dev, to)                     \
    PCI(id, "0x120000", "32.0 GT/s PCIe", "16", \
        "<gpu dev='" dev "' sm='304' gcn='gfx942'><xgmi target='" to "' count='1'/></gpu>")

    machine_open(m, any,
                 "<system version='2'>" CPU(
                     "0", MI300X("0000:0c:00.0", "0", "0000:0d:00.0")
                              MI300X("0000:0d:00.0", "1", "0000:0c:00.0")) "</system>");
    machine_route(m, 0, 1, 48, 1);
}

MACHINE_TEST(nodes_are_reported_apart_by_their_hash)
{
#define HOST(hash, dev)                                                        \
    "<cpu numaid='0' host_hash='" hash "' arch='x86_64' vendor='AuthenticAMD'" \
    " familyid='143' modelid='49'>" V100("0000:1a:00.0", dev, "")              \
        PCI("0000:1b:00.0", "0x020700", "16.0 GT/s PCIe", "16",                \
            "<nic><net name='mlx5_0' dev='0' speed='25000' port='1'/>"         \
            "<net name='mlx5_1' dev='1' speed='25000' port='2'/></nic>") "</cpu>"

    machine_open(m, any, "<system>" HOST("0xa", "0") HOST("0xb", "0") "</system>");
    assert_int_equal(m->graph.rank_count, 2);
    assert_string_equal(m->graph.devices[m->graph.rank_device[1]].name, "n1.gpu0");
    machine_route(m, 0, 1, 50.0 / 8 * 0.993, 6);
    assert_int_equal(machine_notes(m, "one switch is assumed"), 1);
}

#define CLOUD                                                                \
    "<system>" CPU("0", PCI("0001:00:00.0", "0x030200", "16 GT/s", "16", "") \
                            PCI("0002:00:00.0", "0x030200", "16 GT/s", "16", "")) "</system>"

MACHINE_TEST(a_file_of_a_cloud_is_completed_by_a_platform)
{
    CS_AT_END(machine_close) struct machine wrong = {0};

    machine_open(m, any, CLOUD);
    machine_route(m, 0, 1, 24, 2);
    assert_int_equal(
        machine_try(&wrong, (struct cs_topo_request){.spec = "m", .platform = "dgx"}, CLOUD),
        CS_EINPUT);
    assert_string_equal(wrong.err.text, "m: --platform dgx-a100 has 8 GPUs, the file has 2");
}

MACHINE_TEST(a_platform_gives_its_nvlinks)
{
#define FOUR(bus)                                             \
    PCI("0001:" bus ":00.0", "0x030200", "16 GT/s", "16", "") \
    PCI("0002:" bus ":00.0", "0x030200", "16 GT/s", "16", "") \
    PCI("0003:" bus ":00.0", "0x030200", "16 GT/s", "16", "") \
    PCI("0004:" bus ":00.0", "0x030200", "16 GT/s", "16", "")

    machine_open(m, (struct cs_topo_request){.spec = "m", .platform = "dgx"},
                 "<system>" CPU("0", FOUR("00")) CPU("1", FOUR("01")) "</system>");
    machine_route(m, 0, 7, 240, 2);
    assert_int_equal(machine_notes(m, "are taken from 'dgx-a100'"), 1);
}

MACHINE_TEST(assumptions_of_nccl_are_reported_as_notes)
{
    machine_open(
        m, any,
        "<system>" CPU(
            "0",
            PCI("0001:00:00.0", "0x030200", "", "0",
                "<gpu dev='0' sm='80'>" NVLINK("0001:00:00.0", "12")
                    NVLINK("0007:00:00.0", "1") "</gpu>")
                PCI("0002:00:00.0", "0x020000", "16 GT/s", "8",
                    "<nic><net name='eth0' speed='200000000'/></nic>") "<nic><net name='veth1' "
                                                                       "speed='0'/></nic>") "</"
                                                                                            "system"
                                                                                            ">");
    assert_int_equal(machine_notes(m, "8 GT/s assumed"), 1);
    assert_int_equal(machine_notes(m, "from a GPU to itself"), 1);
    assert_int_equal(machine_notes(m, "no such GPU in this file"), 1);
}

TEST(wrong_files_are_reported_by_line)
{
    machine_refused("<system>" CPU("0", "") "</system>",
                    "m:1: no GPU in this file; expected <gpu> or a PCI device of class 0x03");
    machine_refused("<system>\n<cpu numaid='0'>\n<pci busid='0000:00:16.0'/></cpu></system>",
                    "m:3: a PCI device without a class, which could be a GPU or a NIC; expected a "
                    "file written by NCCL_TOPO_DUMP_FILE on the machine itself");
    machine_refused("<system><pci busid='0'/></system>",
                    "m:1: <pci> inside <system>; expected system > cpu > pci");
    machine_refused("<system>" CPU("0", V100("0000:1a:00.0", "0", "") "\n" V100("0000:1b:00.0", "0",
                                                                                "")) "</system>",
                    "m:2: GPU dev 0 is a duplicate of line 1");
    machine_refused("<system>" CPU("0", V100("0000:1a:00.0", "0", "") "\n" V100("0000:1A:00.0", "1",
                                                                                "")) "</system>",
                    "m:2: busid '0000:1A:00.0' is a duplicate of line 1");
    machine_refused("<system>" CPU("0", V100("cat", "0", "")) "</system>",
                    "m:1: busid=\"cat\"; expected one like 0000:1b:00.0");
    machine_refused(
        "<system>" CPU("0", V100("0000:1a:00.0", "0", NVLINK("0000:1b:00.0", "-3"))) "</system>",
        "m:1: count=\"-3\"; expected a whole number from 1 to 128");
    machine_refused(
        "<system>" CPU("0", PCI("0000:1a:00.0", "0x030200", "8 GT/s", "1000000", "")) "</system>",
        "m:1: link_width=\"1000000\"; expected a whole number from 0 to 64");
}

MACHINE_TEST(the_model_is_that_of_the_pci_numbers_or_the_capability)
{
    machine_open(m, any,
                 "<system><cpu numaid='0' arch='x86_64' vendor='AuthenticAMD'><pci "
                 "busid='0000:01:00.0' class='0x030000' vendor='0x10de' device='0x2684' "
                 "link_speed='16.0 GT/s PCIe' link_width='16'><gpu dev='0' sm='89'/></pci>" PCI(
                     "0000:02:00.0", "0x030200", "16.0 GT/s PCIe", "16", "<gpu dev='1' sm='89'/>")
                     PCI("0000:03:00.0", "0x038000", "16.0 GT/s PCIe", "16",
                         "<gpu dev='2' sm='104' gcn='gfx90a'/>")
                         PCI("0000:04:00.0", "0x030200", "16.0 GT/s PCIe", "16",
                             "<gpu dev='3' sm='299'/>") "</cpu></system>");
    assert_string_equal(m->graph.devices[m->graph.rank_device[0]].model->name, "rtx4090");
    /* Capability alone: a model with peer access. */
    assert_string_equal(m->graph.devices[m->graph.rank_device[1]].model->name, "l20");
    assert_int_equal(m->graph.devices[m->graph.rank_device[2]].model->generation, 910);
    assert_null(m->graph.devices[m->graph.rank_device[3]].model);
    assert_int_equal(m->graph.devices[cs_graph_find(&m->graph, "cpu0")].vendor, CS_CPU_AMD);
}

/* NCCL lists a network interface of a container below every socket. */
MACHINE_TEST(one_interface_below_two_sockets_is_one_nic)
{
#define ETH0 "<nic><net name='eth0' dev='0' speed='10000' port='0'/></nic>"
    uint32_t nics = 0;

    machine_open(m, any,
                 "<system>\n" CPU("0", V100("0000:1a:00.0", "0", "") ETH0) "\n" CPU(
                     "1", V100("0000:8a:00.0", "1", "") ETH0) "</system>");
    for (uint32_t d = 0; d < m->graph.device_count; d++)
        nics += m->graph.devices[d].kind == CS_DEVICE_NIC;
    assert_int_equal(nics, 1);
    assert_int_equal(machine_notes(m, "line 3: 'eth0' is the NIC of line 2"), 1);
    machine_route(m, 0, 1, 10, 3);
}

#define AMD(id, inside)                                        \
    "<cpu numaid='" id "' arch='x86_64' vendor='AuthenticAMD'" \
    " familyid='175' modelid='49'>" inside "</cpu>"

/* The link of a NUMA node carries all that leaves the node: two rings of
 * different order do not double the rate. */
MACHINE_TEST(numa_nodes_of_amd_meet_in_one_place)
{
    uint32_t middle;
    uint32_t wires = 0;

    machine_open(m, any,
                 "<system>" AMD("0", V100("0000:1a:00.0", "0", ""))
                     AMD("1", V100("0000:2a:00.0", "1", "")) AMD("2", V100("0000:3a:00.0", "2", ""))
                         AMD("3", V100("0000:4a:00.0", "3", "")) "</system>");
    middle = cs_graph_find(&m->graph, "cpu-fabric");
    assert_int_not_equal(middle, UINT32_MAX);
    for (uint32_t w = 0; w < m->graph.wire_count; w++)
        wires += m->graph.wires[w].family == CS_LINK_SOCKET;
    assert_int_equal(wires, 4);
    machine_route(m, 0, 3, 12, 4);
    machine_open(m, any,
                 "<system>" CPU("0", V100("0000:1a:00.0", "0", ""))
                     CPU("1", V100("0000:2a:00.0", "1", ""))
                         CPU("2", V100("0000:3a:00.0", "2", "")) "</system>");
    assert_int_equal(cs_graph_find(&m->graph, "cpu-fabric"), UINT32_MAX);
    machine_route(m, 0, 2, 10, 3);
}

MACHINE_TEST(oddities_of_a_file_are_reported)
{
    machine_open(m, any,
                 "<system><cpu numaid='0' arch='x86_64' vendor='Unheard'>" PCI(
                     "0000:1a:00.0", "0x030200", "32.0 GT/s PCIe", "16",
                     "<gpu dev='0' sm='90'><nvlink target='fffffff:ffff:ff' count='37'/></gpu><gpu "
                     "dev='1' sm='90'/>") "</cpu></system>");
    assert_int_equal(m->graph.rank_count, 1);
    assert_int_equal(machine_notes(m, "a GPU with 37 links, more than the 36"), 1);
    assert_int_equal(machine_notes(m, "2 <gpu> in one <pci>"), 1);
    assert_int_equal(machine_notes(m, "the vendor of 1 of the 1 CPUs is unknown"), 1);
}
