#include "topo/formats/nccl/net_port.h"

#include "tests/unit/topo/machine.h"
#include "topo/formats/writer.h"
#include "topo/kinds/network.h"

static const struct cs_topo_request any = {.spec = "m"};

#define GPU                                                       \
    "<pci busid='0000:01:00.0' class='0x030200' "                 \
    "link_speed='16 GT/s' link_width='16'><gpu dev='0' sm='80'/>" \
    "</pci>"
#define NIC(attributes, nets)                                                                  \
    "<pci busid='0000:02:00.0' " attributes " link_speed='16 GT/s' link_width='16'><nic>" nets \
    "</nic></pci>"
#define FILE_OF(below)                                   \
    "<system version='1'><cpu numaid='0' arch='x86_64' " \
    "vendor='AuthenticAMD' familyid='175' modelid='49'>" GPU below "</cpu></system>"

static const struct cs_wire *port_of(const struct machine *m)
{
    for (uint32_t d = 0; d < m->graph.device_count; d++)
        if (m->graph.devices[d].kind == CS_DEVICE_NIC)
            return m->graph.devices[d].port;
    return NULL;
}

static void expect(const char *text, const char *class_name, double GBps)
{
    CS_AT_END(machine_close) struct machine m = {0};

    machine_open(&m, any, text);
    assert_non_null(port_of(&m));
    assert_string_equal(port_of(&m)->class_name, class_name);
    assert_true(fabs(port_of(&m)->rate_Bps - GBps * 1e9) < 1);
}

/* NCCL prefers the paths of the highest rate. */
TEST(the_fastest_ports_of_one_adapter_add_up)
{
    expect(FILE_OF(NIC("class='0x020000'", "<net name='mlx5_0' speed='200000' port='1'/><net "
                                           "name='mlx5_1' speed='200000' port='2'/>")),
           "200gbe-roce x2", 50);
    expect(FILE_OF(NIC("class='0x020000'",
                       "<net name='mlx5_0' speed='100000'/><net name='mlx5_1' speed='25000'/>")),
           "100gbe-roce", 12.5);
    expect(FILE_OF(NIC("class='0x020700'",
                       "<net name='mlx5_0' speed='100000'/><net name='mlx5_1' speed='200000'/>")),
           "ib-hdr", 25);
}

TEST(class_vendor_and_name_give_the_technology)
{
    expect(FILE_OF(NIC("class='0x020700'", "<net name='mlx5_0' speed='400000'/>")), "ib-ndr", 50);
    expect(FILE_OF(NIC("class='0x020700'", "<net name='mlx4_0' speed='56000'/>")), "ib-fdr", 6.82);
    expect(FILE_OF(NIC("class='0x020000'", "<net name='eno1' speed='1000'/>")), "gbe", 0.125);
    expect(FILE_OF(NIC("class='0x020700'", "<net name='x' speed='100000' maxconn='65536'/>")),
           "100gbe", 12.5);
    expect(FILE_OF(NIC("class='0x020000' vendor='0x1d0f'", "<net name='x' speed='100000'/>")),
           "efa-100", 12.5);
    expect(FILE_OF(NIC("class='0x020000' vendor='0x1d0f' device='0xefa1'",
                       "<net name='rdmap79s0' speed='100000'/>")),
           "efa2-100", 12.5);
    expect(FILE_OF(NIC("class='0x020000' vendor='0x1d0f'", "<net name='x' speed='400000'/>")),
           "efa-400", 50);
    expect(FILE_OF(NIC("class='0x020000'", "<net name='cxi0' speed='200000'/>")), "slingshot11",
           25);
    expect(FILE_OF(NIC("class='0x020000'", "<net name='bnxt_re0' speed='180000'/>")), "180 Gb/s",
           22.5);
    expect(FILE_OF("<nic><net name='mlx5_0' speed='100000'/></nic>"), "100gbe", 12.5);
}

/* A speed that no kind has keeps the technology, in YAML by `network:`. */
TEST(ports_of_other_speeds_keep_their_network)
{
    static const struct {
        const char *file;
        enum cs_network_id network;
    } cases[] = {
        {FILE_OF(NIC("class='0x020000' vendor='0x1d0f' device='0xefa2'",
                     "<net name='rdmap0' speed='300000'/>")),
         CS_NET_EFA3},
        {FILE_OF(NIC("class='0x020000'", "<net name='cxi0' speed='150000'/>")), CS_NET_SLINGSHOT},
        {FILE_OF(NIC("class='0x020000'", "<net name='bnxt_re0' speed='180000'/>")), CS_NET_ROCE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct cs_writer *writer;
        CS_AT_END(cs_text_free) struct cs_text text = {0}, notes = {0};
        CS_AT_END(machine_close) struct machine m = {0}, back = {0};

        machine_open(&m, any, cases[i].file);
        assert_int_equal(port_of(&m)->network, cases[i].network);
        assert_int_equal(cs_writer_find("yaml", &writer, NULL), 0);
        assert_int_equal(writer->write(&m.graph, &text, &notes, NULL), 0);
        machine_open(&back, any, cs_text_str(&text));
        assert_int_equal(port_of(&back)->network, cases[i].network);
    }
}

MACHINE_TEST(a_port_without_a_speed_is_reported)
{
    machine_open(m, any, FILE_OF(NIC("class='0x020000'", "<net name='eth0'/>")));
    assert_string_equal(port_of(m)->class_name, "10gbe");
    assert_int_equal(machine_notes(m, "without a speed; 10 Gb/s assumed"), 1);
    machine_open(m, any, FILE_OF(NIC("class='0x020000'", "")));
    assert_null(port_of(m));
}

/* NCCL writes 10000 Mb/s for the eth0 of a container, whatever the wire. */
MACHINE_TEST(ten_gigabits_of_a_virtual_interface_are_reported_as_unknown)
{
    static const char note[] = "which NCCL writes where Linux states no speed";

    machine_open(m, any, FILE_OF("<nic><net name='eth0' speed='10000'/></nic>"));
    assert_int_equal(machine_notes(m, note), 1);
    machine_open(m, any, FILE_OF("<nic><net name='eth0' speed='25000'/></nic>"));
    assert_int_equal(machine_notes(m, note), 0);
    machine_open(m, any, FILE_OF(NIC("class='0x020000'", "<net name='eth0' speed='10000'/>")));
    assert_int_equal(machine_notes(m, note), 0);
}

/* Interfaces below a socket are adapters of their own; bridges of containers
 * are none. */
MACHINE_TEST(interfaces_below_a_socket_do_not_add_up)
{
    uint32_t nics = 0;

    machine_open(m, any,
                 FILE_OF("<nic><net name='eth0' speed='25000'/><net name='eth1' "
                         "speed='10000'/><net name='docker0' speed='10000'/></nic>"));
    for (uint32_t d = 0; d < m->graph.device_count; d++)
        nics += m->graph.devices[d].kind == CS_DEVICE_NIC;
    assert_int_equal(nics, 2);
    assert_string_equal(port_of(m)->class_name, "25gbe");
    assert_int_equal(
        machine_notes(m, "1 interfaces of containers, Wi-Fi or management are left out"), 1);
    expect(FILE_OF("<nic><net name='docker0' speed='10000'/></nic>"), "10gbe", 1.25);
    expect(FILE_OF(
               NIC("class='0x028000'",
                   "<net name='wlp3s0' speed='10000'/>") "<nic><net name='eno1' speed='1000'/><net "
                                                         "name='enx0a' speed='10000'/></nic>"),
           "gbe", 0.125);
}

/* Written as an NCCL file, and as YAML, and read back. */
static void round_trip(const char *class_name)
{
    static const char *const formats[] = {"nccl", "yaml"};
    char yaml[512];
    CS_AT_END(machine_close) struct machine m = {0};

    (void)snprintf(yaml, sizeof(yaml),
                   "devices:\n  gpu: {kind: gpu, model: a100}\n"
                   "  nic: {kind: nic, port: %s}\n  cpu: {kind: cpu}\n"
                   "links:\n  - {from: [gpu, nic], to: cpu, class: pcie4 x16}\n",
                   class_name);
    machine_open(&m, any, yaml);
    for (size_t i = 0; i < 2; i++) {
        const struct cs_writer *writer;
        CS_AT_END(cs_text_free) struct cs_text text = {0}, notes = {0};
        CS_AT_END(machine_close) struct machine back = {0};

        assert_int_equal(cs_writer_find(formats[i], &writer, NULL), 0);
        assert_int_equal(writer->write(&m.graph, &text, &notes, NULL), 0);
        machine_open(&back, any, cs_text_str(&text));
        assert_non_null(port_of(&back));
        assert_string_equal(port_of(&back)->class_name, class_name);
    }
}

TEST(written_ports_have_the_same_class_again)
{
    round_trip("ib-fdr");
    round_trip("ib-ndr");
    round_trip("200gbe-roce x2");
    round_trip("gbe");
    round_trip("efa-100 x4");
    round_trip("efa2-100 x4");
    round_trip("slingshot11");
    round_trip("omni-path");
}
