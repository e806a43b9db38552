#include "topo/kinds/stripe.h"

#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

#define MACHINE(links)                                            \
    "devices: {gpu: {kind: gpu, count: 2}, plx: {kind: switch}, " \
    "sw: {kind: switch}, nic: {kind: nic, count: 4}}\nlinks:\n"   \
    "  - {from: [\"gpu[0-1]\", sw], to: plx, class: pcie4 x16}\n" links
#define TO(nics, device, class) "  - {from: \"" nics "\", to: " device ", class: " class "}\n"

MACHINE_TEST(identical_nics_become_a_single_nic)
{
    uint32_t width = 0;

    machine_open(m, any,
                 MACHINE(TO("nic[0-1]", "plx", "pcie4 x8") TO("nic[2-3]", "sw", "pcie4 x4")));
    assert_int_equal(cs_stripe_nics(&m->graph, &width, NULL), 0);
    assert_int_equal(width, 2);
    assert_int_equal(m->graph.device_count, 2 + 2 + 2);
    assert_int_equal(m->graph.wire_count, 3 + 2);
    assert_int_equal(cs_graph_find(&m->graph, "nic1"), UINT32_MAX);
    for (uint32_t d = 0; d < 6; d++) {
        const struct cs_device *device = &m->graph.devices[d];

        if (device->kind != CS_DEVICE_NIC) {
            assert_null(device->bond);
            continue;
        }
        assert_int_equal(device->bond->count, 2);
        assert_string_equal(device->bond->names[0], device->name);
        assert_string_equal(device->bond->names[1], strcmp(device->name, "nic0") ? "nic3" : "nic1");
    }
    for (uint32_t w = 0; w < m->graph.wire_count; w++) {
        const struct cs_wire *wire = &m->graph.wires[w];

        assert_true(wire->a < 6 && wire->b < 6);
        if (m->graph.devices[wire->a].kind == CS_DEVICE_NIC)
            assert_int_equal(strncmp(wire->class_name, "2 of ", 5), 0);
    }
}

MACHINE_TEST(nics_of_different_rates_stay)
{
    uint32_t width = 0;

    machine_open(m, any,
                 MACHINE(TO("nic0", "plx", "pcie4 x8") TO("nic1", "plx", "pcie4 x16")
                             TO("nic2", "sw", "pcie4 x8") TO("nic3", "sw", "pcie4 x16")));
    assert_int_equal(cs_stripe_nics(&m->graph, &width, NULL), 0);
    assert_int_equal(width, 1);
    assert_int_equal(m->graph.device_count, 8);
}

MACHINE_TEST(stripes_of_different_widths_are_rejected)
{
    uint32_t width = 0;

    machine_open(m, any, MACHINE(TO("nic[0-2]", "plx", "pcie4 x8") TO("nic3", "sw", "pcie4 x8")));
    assert_refused(cs_stripe_nics(&m->graph, &width, &err), CS_EINPUT,
                   "of the NICs of 'm' 3 hang on one device and 1 on another; "
                   "stripe=on needs as many on each");
}
