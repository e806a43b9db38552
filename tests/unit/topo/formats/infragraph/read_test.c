#include "tests/unit/topo/machine.h"

#include "topo/kinds/gpu_kind.h"

static const struct cs_topo_request any = {.spec = "m"};

#define EFFICIENCY (4096.0 / 4178)

/* A chip with ports: what is no node is a switch. */
#define SWITCH                                                                \
    "- {name: tor, components: [{name: asic, choice: cpu, count: 1}, {name: " \
    "port, choice: port, count: 4}], links: [{name: ic, description: "        \
    "Integrated circuitry}], edges: [{ep1: {component: asic}, ep2: "          \
    "{component: port}, scheme: many2many, link: ic}]}\n"

#define RATE(value)                                        \
    "physical: {bandwidth: {choice: gigabits_per_second, " \
    "gigabits_per_second: " value "}, latency: {choice: ns, ns: 700}}"

/* Two GPUs and a NIC below a PCIe switch. */
#define NODE(gpu, link)                                                         \
    "devices:\n- {name: box, components: [{name: xpu, choice: xpu, count: 2, "  \
    "description: " gpu "}, {name: sw, choice: switch, count: 1}, {name: nic, " \
    "choice: nic, count: 1}], links: [{name: " link                             \
    "}, {name: pci, description: PCI Express Gen 4 x16}], edges: [{ep1: "       \
    "{component: 'xpu[0]'}, ep2: {component: 'xpu[1]'}, scheme: one2one, "      \
    "link: fast}, {ep1: {component: xpu}, ep2: {component: sw}, scheme: "       \
    "many2many, link: pci}, {ep1: {component: nic}, ep2: {component: sw}, "     \
    "scheme: one2one, link: pci}]}\n"

#define TWO_NODES                                                           \
    "instances: [{name: n, device: box, count: 2}, {name: s, device: tor, " \
    "count: 1}]\n"

#define WIRED(a, b)                                                                      \
    "links: [{name: eth, " RATE(                                                         \
        "100") "}]\n"                                                                    \
               "edges: [{ep1: {instance: 'n[0]', component: " a "}, ep2: {instance: s, " \
               "component: 'port[0]'}, scheme: one2one, link: eth}, {ep1: "              \
               "{instance: "                                                             \
               "'n[1]', component: " b "}, ep2: {instance: s, component: 'port[-1]'}, "  \
               "scheme: one2one, link: eth}]\n"

#define FAST "fast, " RATE("800")

MACHINE_TEST(nodes_join_over_a_switch_of_chip_and_ports)
{
    machine_open(m, any, NODE("GPU", FAST) SWITCH TWO_NODES WIRED("nic", "nic"));
    assert_int_equal(m->graph.rank_count, 4);
    assert_int_equal(m->graph.device_count, 2 * 4 + 1);
    assert_string_equal(m->graph.devices[8].name, "s");
    assert_int_equal(m->graph.devices[8].kind, CS_DEVICE_SWITCH);
    assert_string_equal(m->graph.devices[5].name, "n1.xpu1");
    machine_route(m, 0, 1, 100 * EFFICIENCY, 1);
    machine_route(m, 0, 2, 12.5 * EFFICIENCY, 6);
    assert_int_equal(machine_notes(m, "efficiency and latency"), 2);
}

MACHINE_TEST(a_link_without_a_rate_is_what_it_is_called)
{
    machine_open(m, any,
                 NODE("'Some A100 SXM4'", "fast, description: nvlink_3")
                     SWITCH TWO_NODES WIRED("nic", "nic"));
    assert_string_equal(m->graph.devices[0].model->name, "a100");
    machine_route(m, 0, 1, 12 * 20, 1);
    assert_int_equal(machine_notes(m, "the GPU model a100 is taken from"), 1);
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "h100"},
                 NODE("GPU", "fast, description: NVLink") SWITCH TWO_NODES WIRED("nic", "nic"));
    machine_route(m, 0, 1, 18 * 20.6, 1);
}

/* Six switches with two links of each GPU are one with twelve. */
MACHINE_TEST(switches_of_the_same_gpus_are_one)
{
    static const char text[] =
        "devices:\n- {name: box, components: [{name: gpu, choice: xpu, count: 4, description: "
        "NVIDIA A100}, {name: nvs, choice: switch, count: 6}], links: [{name: nv, description: "
        "nvlink_3}], edges: [{ep1: {component: gpu}, ep2: {component: nvs}, scheme: many2many, "
        "link: nv}]}\n"
        "instances: [{name: n, device: box, count: 1}]\n";

    machine_open(m, any, text);
    assert_int_equal(m->graph.device_count, 5);
    machine_route(m, 0, 3, 12 * 20, 2);
    assert_int_equal(machine_notes(m, "5 switches with the same GPUs"), 1);
}

/* An adapter is a device of the box: an endpoint, a chip and two ports. */
MACHINE_TEST(parts_of_an_adapter_are_one_device)
{
    static const char text[] =
        "devices:\n- {name: box, components: [{name: gpu, choice: xpu, count: 1}, {name: card, "
        "choice: device, count: 1}], links: [{name: p, description: pcie5 x16}], edges: [{ep1: "
        "{component: gpu}, ep2: {device: 'card[0]', component: slot}, scheme: one2one, link: p}]}\n"
        "- {name: card, components: [{name: slot, choice: custom, count: 1, custom: {type: edge}}, "
        "{name: asic, choice: cpu, count: 1}, {name: port, choice: port, count: 2}], links: "
        "[{name: i, description: Internal PCIe}, {name: s, description: SerDes}], edges: [{ep1: "
        "{component: slot}, ep2: {component: asic}, scheme: one2one, link: i}, {ep1: {component: "
        "asic}, ep2: {component: port}, scheme: many2many, link: s}]}\n"
        "instances: [{name: n, device: box, count: 2}]\n"
        "links: [{name: cable, " RATE(
            "400") "}]\n"
                   "edges: [{ep1: {instance: 'n[0]', component: 'card.port[0:2]'}, ep2: {instance: "
                   "'n[1]', component: 'card.port[::1]'}, scheme: one2one, link: cable}]\n";

    machine_open(m, any, text);
    assert_int_equal(m->graph.device_count, 4);
    assert_int_equal(m->graph.devices[1].kind, CS_DEVICE_NIC);
    machine_route(m, 0, 1, 48, 3);
}

/* Grace and its GPU in one package; memory is no device. */
MACHINE_TEST(memory_is_left_out_and_a_package_has_its_link)
{
    static const char text[] =
        "devices:\n- {name: box, components: [{name: gpu, choice: xpu, count: 2, description: "
        "GH200}, {name: cpu, choice: cpu, count: 1}, {name: m, choice: memory, count: 2}], links: "
        "[{name: c2c_link}, {name: ddr5}], edges: [{ep1: {component: gpu}, ep2: {component: cpu}, "
        "scheme: many2many, link: c2c_link}, {ep1: {component: m}, ep2: {component: cpu}, scheme: "
        "many2many, link: ddr5}]}\n"
        "instances: [{name: n, device: box, count: 1}]\n";

    machine_open(m, any, text);
    assert_int_equal(m->graph.device_count, 3);
    machine_route(m, 0, 1, 359, 2);
}

TEST(what_no_file_states_is_refused)
{
    machine_refused(NODE("GPU", "fast, description: NVLink") SWITCH TWO_NODES WIRED("nic", "nic"),
                    "m:2: link 'fast' has no bandwidth, and its name and description name no link "
                    "of a known GPU (--gpu h100 names the model); expected physical: {bandwidth: "
                    "{choice: gigabits_per_second, gigabits_per_second: 400}}");
    machine_refused(NODE("GPU", FAST) SWITCH TWO_NODES WIRED("nix", "nic"),
                    "m:6: no component called 'nix' in device 'box'; did you mean 'nic'?");
    machine_refused(NODE("GPU", FAST) SWITCH TWO_NODES WIRED("'nic[3]'", "nic"),
                    "m:6: 'nic[3]' is outside: there are 1");
    machine_refused(
        NODE("GPU", FAST) SWITCH TWO_NODES WIRED("'nic[0:1:2:3]'", "nic"),
        "m:6: 'nic[0:1:2:3]' is no slice; expected NAME[3], NAME[0:4], NAME[0:8:2] or NAME");
}

TEST(a_device_in_itself_is_refused)
{
    machine_refused("devices:\n- {name: a, components: [{name: b, choice: device, count: 1}]}\n- "
                    "{name: b, components: [{name: a, choice: device, count: 1}]}\ninstances: []\n",
                    "m:2: device 'a' is a component of itself, or is nested over 16 deep");
}
