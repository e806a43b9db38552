#include "tests/test.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/formats/writer.h"

/* A file for NCCL, made of a machine in YAML. */
struct file {
    struct cs_text text, notes;
    struct cs_err err;
};

static int write(struct file *file, const char *yaml)
{
    struct cs_doc_text text = {"m.yaml", yaml, strlen(yaml)};
    struct cs_topo_request request = {.spec = "yaml:"};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_writer *writer;
    struct cs_graph graph;

    *file = (struct file){0};
    assert_int_equal(cs_writer_find("nccl", &writer, NULL), 0);
    assert_ok(cs_topo_read(&request, text, &graph, &arena, &file->err), &file->err);
    return writer->write(&graph, &file->text, &file->notes, &file->err);
}

static void file_free(struct file *file)
{
    cs_text_free(&file->text);
    cs_text_free(&file->notes);
}

/* The machine as a file that has `line`, with a remark that has `remark`. */
static void expect(const char *yaml, const char *line, const char *note)
{
    CS_AT_END(file_free) struct file file;

    if (write(&file, yaml))
        fail_msg("%s", file.err.text);
    if (!strstr(cs_text_str(&file.text), line))
        fail_msg("no %s in\n%s", line, cs_text_str(&file.text));
    if (note && !strstr(cs_text_str(&file.notes), note))
        fail_msg("no %s in\n%s", note, cs_text_str(&file.notes));
    if (!note)
        assert_string_equal(cs_text_str(&file.notes),
                            "latencies and efficiencies are omitted: NCCL has its own\n");
}

static void expect_refused(const char *yaml, const char *why)
{
    CS_AT_END(file_free) struct file file;

    assert_int_equal(write(&file, yaml), CS_EINPUT);
    assert_string_equal(file.err.text, why);
}

#define PAIR                                                \
    "devices: {g: {kind: gpu, count: 2}, c: {kind: cpu}}\n" \
    "links:\n"                                              \
    "  - {from: \"g[0-1]\", to: c, class: pcie4 x16}\n"     \
    "  - {from: g0, to: g1, class: "

TEST(links_of_gpus_are_counted_by_their_rate)
{
    expect(PAIR "nvlink4 x18}\n",
           "sm=\"90\" rank=\"0\" gdr=\"1\">\n"
           "        <nvlink target=\"0000:01:00.0\" count=\"18\" tclass=\"0x030200\"/>",
           NULL);
    expect("classes: {nvlink3_own: {rate: 100 GB/s, latency: 1 us}}\n" PAIR "nvlink3_own}\n",
           "sm=\"80\" rank=\"0\" gdr=\"1\">\n"
           "        <nvlink target=\"0000:01:00.0\" count=\"4\"",
           NULL);
    expect("classes: {nvlink3-slow: {rate: 30 GB/s, latency: 1 us}}\n" PAIR "nvlink3-slow}\n",
           "count=\"1\"", "some rates differ by over 1 %");
    expect(PAIR "xgmi-mi300 x1}\n",
           "gcn=\"gfx942\" rank=\"0\" gdr=\"1\">\n"
           "        <xgmi target=\"0000:01:00.0\" count=\"1\"",
           NULL);
}

TEST(omitted_parts_are_reported_as_notes)
{
    expect(PAIR "hccs x1}\n", "<gpu dev=\"0\"",
           "1 links are omitted that are neither in the PCIe tree nor NVLink, xGMI or C2C; the "
           "first is g0 -> g1 (hccs x1)");
    expect("devices: {g: {kind: gpu}, c: {kind: cpu}, n: {kind: nic}}\n"
           "links: [{from: g, to: c, class: pcie4 x16},\n"
           "        {from: n, to: g, class: local}]\n",
           "<gpu dev=\"0\"", "1 NICs without a path to a CPU are omitted");
    expect("devices: {g: {kind: gpu}, c: {kind: cpu, count: 3}}\n"
           "links: [{from: g, to: c0, class: pcie4 x16},\n"
           "        {from: c0, to: \"c[1-2]\", class: upi}]\n",
           "modelid=\"85\"", "NCCL connects all sockets of a node");
}

TEST(a_link_of_a_network_is_not_part_of_the_pcie_tree)
{
    expect("devices: {g: {kind: gpu}, c: {kind: cpu}, s: {kind: switch}}\n"
           "links: [{from: g, to: c, class: pcie4 x16},\n"
           "        {from: c, to: s, class: slingshot11}]\n",
           "<gpu dev=\"0\"", "the inter-node network is omitted");
}

TEST(other_links_are_written_as_pcie_with_the_nearest_rate)
{
    expect("classes: {own: {rate: 36 GB/s, latency: 1 us}}\n"
           "devices: {g: {kind: gpu}, c: {kind: cpu}}\n"
           "links: [{from: g, to: c, class: own}]\n",
           "link_speed=\"32.0 GT/s PCIe\" link_width=\"12\"",
           "written as the PCIe link with the nearest rate");
    expect("classes: {own: {rate: 1 TB/s, latency: 1 us}}\n"
           "devices: {g: {kind: gpu}, c: {kind: cpu}}\n"
           "links: [{from: g, to: c, class: own}]\n",
           "link_speed=\"64.0 GT/s PCIe\" link_width=\"16\"", "some rates differ by over 1 %");
}

TEST(a_gpu_with_only_c2c_is_below_its_cpu)
{
    expect("devices: {g: {kind: gpu}, c: {kind: cpu}}\n"
           "links: [{from: g, to: c, class: nvlink-c2c}]\n",
           "arch=\"arm64\" host_hash", "nearest rate");
    expect("devices: {g: {kind: gpu}, c: {kind: cpu}}\n"
           "links: [{from: g, to: c, class: nvlink-c2c}]\n",
           "<c2c bw=\"359000\" count=\"1\"/>", "nearest rate");
}

TEST(nics_are_virtual_or_have_pcie_and_the_speed_of_their_port)
{
    expect("port: ib-hdr\n"
           "devices: {g: {kind: gpu}, c: {kind: cpu}, \"a<b\": {kind: nic}}\n"
           "links: [{from: [g, \"a<b\"], to: c, class: pcie4 x16}]\n",
           "    <pci busid=\"0000:02:00.0\" class=\"0x020700\" link_speed=\"16.0 GT/s PCIe\" "
           "link_width=\"16\">\n"
           "      <nic>\n"
           "        <net name=\"a&lt;b\" dev=\"0\" speed=\"200000\" port=\"1\"/>\n",
           NULL);
    expect("devices: {g: {kind: gpu}, c: {kind: cpu}, eth0: {kind: nic}}\n"
           "links: [{from: g, to: c, class: pcie4 x16},\n"
           "        {from: eth0, to: c, class: local}]\n",
           "    <nic>\n      <net name=\"eth0\"", NULL);
}

TEST(switches_of_no_node_are_part_of_the_tree)
{
    expect("devices: {g: {kind: gpu}, p: {kind: switch}, c: {kind: cpu}}\n"
           "links: [{from: [g, c], to: p, class: pcie5 x16}]\n",
           "class=\"0x060400\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n"
           "      <pci busid=\"0000:00:00.0\" class=\"0x030200\"",
           NULL);
}

TEST(a_machine_without_cpu_or_nic_is_refused)
{
    expect_refused("devices: {g: {kind: gpu, count: 2}}\n"
                   "links: [{from: g0, to: g1, class: nvlink3 x4}]\n",
                   "'g0' has no path to a CPU; an NCCL file is a tree below CPUs");
    expect_refused("nodes: 2\n"
                   "node:\n"
                   "  devices: {g: {kind: gpu}, c: {kind: cpu}}\n"
                   "  links: [{from: g, to: c, class: pcie4 x16}]\n"
                   "fabric:\n"
                   "  devices: {s: {kind: switch}}\n"
                   "  links: [{from: \"n[*].c\", to: s, class: 100gbe}]\n",
                   "the nodes of 'n0.g' and 'n1.g' are not connected by NICs below a CPU, as an "
                   "NCCL file requires");
}
