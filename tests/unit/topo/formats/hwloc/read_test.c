#include "tests/unit/topo/machine.h"

#include "topo/kinds/gpu_kind.h"

static const struct cs_topo_request any = {.spec = "m"};

#define TOPOLOGY(version, objects, matrix)                                               \
    "<?xml version='1.0'?><!DOCTYPE topology SYSTEM 'hwloc2.dtd'>"                       \
    "<topology version='" version "'><object type='Machine'>" objects "</object>" matrix \
    "</topology>"
#define PACKAGE(inside)                                          \
    "<object type='Package' gp_index='3'><info name='CPUVendor'" \
    " value='AuthenticAMD'/>" inside "</object>"
#define BRIDGE(kind, speed, inside) \
    "<object type='Bridge' bridge_type='" kind "' pci_link_speed='" speed "'>" inside "</object>"
#define PCI(index, class, speed, inside)     \
    "<object type='PCIDev' gp_index='" index \
    "' pci_type='" class " [10de:20b0] [0:0] a1' pci_link_speed='" speed "'>" inside "</object>"
#define GPU(index, nvml, speed) \
    PCI(index, "0302", speed, "<object type='OSDev' gp_index='" nvml "' name='nvml0'/>")
#define NVLINKS(count, indexes, values)                                      \
    "<distances2hetero nbobjs='" count "' kind='25' name='NVLinkBandwidth'>" \
    "<indexes>" indexes "</indexes><u64values>" values "</u64values></distances2hetero>"

MACHINE_TEST(gpus_are_below_their_packages)
{
    machine_open(m, any,
                 TOPOLOGY("2.0",
                          PACKAGE(BRIDGE("0-1", "0", GPU("10", "20", "31.507692"))) PACKAGE(BRIDGE(
                              "0-1", "0", PCI("30", "0200", "1", "") GPU("11", "21", "31.507692"))),
                          ""));
    assert_int_equal(m->graph.rank_count, 2);
    machine_route(m, 0, 1, 16, 3);
    assert_int_equal(machine_notes(m, "no NVLinks"), 1);
}

MACHINE_TEST(a_bridge_with_one_device_limits_the_rate_of_the_device)
{
    machine_open(m, any,
                 TOPOLOGY("3.0",
                          PACKAGE(BRIDGE("0-1", "0",
                                         BRIDGE("1-1", "16",
                                                BRIDGE("1-1", "2", GPU("10", "20", "16"))
                                                    BRIDGE("1-1", "16", GPU("11", "21", "16"))))),
                          ""));
    machine_route(m, 0, 1, 2 * 12 / 15.7538461538, 2);
}

MACHINE_TEST(nvlinks_are_those_of_the_matrix)
{
    machine_open(
        m, any,
        TOPOLOGY("3.0", PACKAGE(GPU("10", "20", "16") GPU("11", "21", "16") GPU("12", "22", "16")),
                 NVLINKS("4", "OSDev:20 OSDev:21\n</indexes><indexes>PCIDev:12 Package:3",
                         "0 50000 0 0 50000 0 20000 0\n"
                         "0 20000 0 0 0 0 0 0")));
    machine_route(m, 0, 1, 40, 1);
    machine_route(m, 1, 2, 18, 1);
    machine_route(m, 0, 2, 12 * 16 / 15.7538461538, 2);
}

MACHINE_TEST(all_nvswitches_are_one)
{
    machine_open(
        m, any,
        TOPOLOGY("3.0",
                 PACKAGE(GPU("10", "20", "16") GPU("11", "21", "16") PCI("30", "0680", "1", "")
                             PCI("31", "0680", "1", "")),
                 NVLINKS("4", "OSDev:20 OSDev:21 PCIDev:30 PCIDev:31",
                         "0 0 75000 75000  0 0 75000 75000 75000 75000 0 0  75000 75000 0 0")));
    machine_route(m, 0, 1, 120, 2);
}

TEST(wrong_files_are_reported_by_line)
{
    machine_refused("<topology><object type='System'/></topology>",
                    "m:1: version '' of hwloc's XML is not supported; expected 2 or 3");
    machine_refused(TOPOLOGY("2.0", "", ""), "m:1: no object of type Package in this topology");
    machine_refused(TOPOLOGY("2.0", PACKAGE(""), ""),
                    "m:1: no GPU in this topology; expected a PCIDev of class 0302, 0380 or 1200, "
                    "or with an OSDev of CUDA, NVML or RSMI");
    machine_refused(TOPOLOGY("2.0", PACKAGE(GPU("10", "20", "-4")), ""),
                    "m:1: pci_link_speed=\"-4\"; expected GB/s, 0 to 10000");
    machine_refused(
        TOPOLOGY("2.0", PACKAGE(GPU("10", "20", "4")), "\n" NVLINKS("1", "OSDev:7", "0")),
        "m:2: entry 1 of 1 in <indexes> is not an object of this file");
    machine_refused(TOPOLOGY("2.0", PACKAGE(GPU("10", "20", "4")), NVLINKS("1", "OSDev:20", "")),
                    "m: '' in NVLinkBandwidth; expected 1 times 1 numbers of MB/s");
}

MACHINE_TEST(model_and_vendor_are_those_of_the_file)
{
    machine_open(m, any, TOPOLOGY("3.0", PACKAGE(GPU("10", "20", "16") GPU("11", "21", "16")), ""));
    assert_string_equal(m->graph.devices[m->graph.rank_device[0]].model->name, "a100-40gb");
    for (uint32_t d = 0; d < m->graph.device_count; d++)
        if (m->graph.devices[d].kind == CS_DEVICE_CPU)
            assert_int_equal(m->graph.devices[d].vendor, CS_CPU_AMD);
}

/* NVIDIA's GeForce is of class 0300 where it drives a display. */
MACHINE_TEST(a_display_of_nvidia_is_a_gpu)
{
    machine_open(
        m, any,
        TOPOLOGY("2.0", PACKAGE(PCI("10", "0300", "16", "") PCI("11", "0300", "16", "")), ""));
    assert_int_equal(m->graph.rank_count, 2);
}

/* Where lstopo cannot read PCI's configuration, a class is missing or 0000. */
MACHINE_TEST(a_device_of_unknown_class_with_a_driver_of_gpus_is_a_gpu)
{
    machine_open(
        m, any,
        TOPOLOGY(
            "2.0",
            PACKAGE(PCI("10", "0000", "16", "<object type='OSDev' name='cuda0'/>") PCI(
                "11", "0000", "16",
                "<object type='OSDev' name='rsmi0'/>") "<object type='PCIDev'><object type='OSDev' "
                                                       "name='nvml2'/></object>" PCI("12", "0000",
                                                                                     "16", "")
                                                           PCI("13", "0000", "16",
                                                               "<object type='OSDev' "
                                                               "name='opencl0d0'/>")),
            ""));
    assert_int_equal(m->graph.rank_count, 3);
}

MACHINE_TEST(nvlinks_without_indices_of_objects_are_ignored)
{
    machine_open(m, any,
                 "<topology version='2.0'><object type='Machine'><object type='Package'><object "
                 "type='PCIDev' pci_type='0302 [10de:20b0] [0:0] a1' pci_link_speed='16'/><object "
                 "type='PCIDev' pci_type='0302 [10de:20b0] [0:0] a1' "
                 "pci_link_speed='16'/></object></object>" NVLINKS(
                     "2", "PCIDev:1 PCIDev:2", "0 50000 50000 0") "</topology>");
    assert_int_equal(m->graph.rank_count, 2);
    assert_int_equal(machine_notes(m, "objects have no gp_index"), 1);
}

MACHINE_TEST(links_are_those_of_the_model)
{
    machine_open(m, any,
                 TOPOLOGY("3.0", PACKAGE(GPU("10", "20", "16") GPU("11", "21", "16")),
                          NVLINKS("2", "OSDev:20 OSDev:21", "0 300000 300000 0")));
    assert_string_equal(m->graph.wires[m->graph.wire_count - 1].class_name, "nvlink3 x12");
}

/* `lstopo --no-io`. */
MACHINE_TEST(a_spark_without_devices_is_known_by_its_product)
{
    machine_open(
        m, (struct cs_topo_request){.spec = "m"},
        "<topology version='2.0'><object type='Machine'><info name='DMIProductName' "
        "value='NVIDIA_DGX_Spark'/><object type='Package' os_index='0'/></object></topology>");
    assert_int_equal(m->graph.rank_count, 1);
    assert_string_equal(m->graph.devices[m->graph.rank_device[0]].model->name, "gb10");
    assert_int_equal(machine_notes(m, "has no PCI devices"), 1);
}
