#include "scenarios/machine/oddities.h"

#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

enum {
    ROOM = 8
};

static uint32_t find(struct machine *m, const char *text, struct cs_oddity *list)
{
    machine_open(m, any, text);
    return cs_oddities_find(&m->graph, &m->arena, list, ROOM);
}

static void expect(const struct cs_oddity *odd, const char *where, const char *words)
{
    assert_string_equal(odd->where, where);
    assert_string_equal(odd->words, words);
}

MACHINE_TEST(a_gpu_without_links_is_odd)
{
    struct cs_oddity list[ROOM];

    assert_int_equal(find(m,
                          "devices:\n  gpu: {kind: gpu, count: 4, model: h100}\n"
                          "  nvswitch: {kind: switch}\n  cpu: {kind: cpu}\nlinks:\n"
                          "  - {from: \"gpu[0-1]\", to: nvswitch, class: nvlink4 x18}\n"
                          "  - {from: gpu3, to: nvswitch, class: nvlink4 x18}\n"
                          "  - {from: \"gpu[0-3]\", to: cpu, class: pcie5 x16}\n",
                          list),
                     1);
    expect(&list[0], "gpu2",
           "no links to other GPUs, which 3 GPUs have: PCIe carries all its traffic");
}

MACHINE_TEST(slow_slots_and_lone_nics_are_odd)
{
    struct cs_oddity list[ROOM];

    assert_int_equal(find(m,
                          "devices:\n  gpu: {kind: gpu, count: 2, model: a100}\n"
                          "  cpu: {kind: cpu}\n  fast: {kind: nic, port: ib-ndr}\n"
                          "  slow: {kind: nic, port: 25gbe}\nlinks:\n"
                          "  - {from: \"gpu[0-1]\", to: cpu, class: pcie4 x8}\n"
                          "  - {from: [fast, slow], to: cpu, class: pcie4 x16}\n",
                          list),
                     3);
    expect(&list[0], "gpu0 and 1 more", "on pcie4 x8, where a100 has pcie4 x16");
    expect(&list[1], "fast", "on pcie4 x16, which carries less than its port of ib-ndr");
    expect(&list[2], "slow", "a port of 25gbe beside 1 of ib-ndr: joins no fabric");
}

MACHINE_TEST(uneven_sockets_and_models_are_odd)
{
    struct cs_oddity list[ROOM];

    assert_int_equal(find(m,
                          "devices:\n  gpu: {kind: gpu, count: 2, model: l20}\n"
                          "  other: {kind: gpu, model: t4}\n  cpu: {kind: cpu, count: 2}\n"
                          "  nic: {kind: nic, count: 2}\nlinks:\n"
                          "  - {from: \"gpu[0-1]\", to: cpu0, class: pcie4 x16}\n"
                          "  - {from: other, to: cpu1, class: pcie4 x16}\n"
                          "  - {from: \"nic[0-1]\", to: cpu0, class: pcie4 x16}\n"
                          "  - {from: cpu0, to: cpu1, class: upi}\n",
                          list),
                     3);
    expect(&list[0], "cpu1", "1 GPUs, cpu0 has 2");
    expect(&list[1], "cpu1", "no NIC for its 1 GPUs, cpu0 has 2 NICs");
    expect(&list[2], "other", "t4 beside l20");
}

MACHINE_TEST(a_regular_machine_has_none)
{
    struct cs_oddity list[ROOM];
    struct cs_topo_request request = {.spec = "dgx-h100"};

    assert_int_equal(cs_topo_open(&request, &m->graph, &m->arena, &m->err), 0);
    assert_int_equal(cs_oddities_find(&m->graph, &m->arena, list, ROOM), 0);
}
