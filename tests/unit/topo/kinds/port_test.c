#include "topo/kinds/port.h"

#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

#define MACHINE(devices, links)               \
    "devices:\n"                              \
    "  gpu: {kind: gpu, count: 2}\n"          \
    "  cpu: {kind: cpu}\n" devices "links:\n" \
    "  - {from: \"gpu[0-1]\", to: cpu, class: pcie4 x16}\n" links
#define BELOW(nics, class) "  - {from: " nics ", to: cpu, class: " class "}\n"

static void choose(struct machine *m, const char *text, struct cs_ports *ports)
{
    machine_open(m, any, text);
    cs_ports_choose(&m->graph, ports, &m->arena);
}

MACHINE_TEST(of_several_speeds_the_fastest_are_ports)
{
    struct cs_ports ports;

    choose(m,
           MACHINE("  slow: {kind: nic, port: 25gbe}\n"
                   "  fast: {kind: nic, count: 2, port: 200gbe-roce x2}\n"
                   "  bare: {kind: nic}\n",
                   BELOW("[slow, \"fast[0-1]\", bare]", "pcie4 x16")),
           &ports);
    assert_int_equal(ports.count, 2);
    assert_int_equal(ports.slow_count, 2);
    assert_int_equal(ports.virtual_count, 0);
    assert_false(ports.is_port[cs_graph_find(&m->graph, "slow")]);
    assert_true(ports.is_port[cs_graph_find(&m->graph, "fast1")]);
    assert_string_equal(ports.link->class_name, "200gbe-roce x2");
    assert_true(ports.link->rate_Bps == 50e9);
}

/* Eight network adapters beside the GPUs, and one of storage with two ports of the same
 * rate, or of twice the rate, at a CPU. */
MACHINE_TEST(an_adapter_of_storage_does_not_take_the_place_of_those_of_the_gpus)
{
    static const char *const storage[] = {"ib-hdr x2", "ib-hdr x4", "ib-edr x4"};
    struct cs_ports ports;
    char text[600];

    for (size_t i = 0; i < sizeof(storage) / sizeof(*storage); i++) {
        (void)snprintf(text, sizeof(text),
                       "devices:\n  gpu: {kind: gpu, count: 8}\n  cpu: {kind: cpu}\n"
                       "  plx: {kind: switch, count: 8}\n  store: {kind: nic, port: %s}\n"
                       "  nic: {kind: nic, count: 8, port: ib-hdr}\n"
                       "links:\n  - {from: \"gpu[*]\", to: \"plx[*]\", class: pcie4 x16}\n"
                       "  - {from: \"nic[*]\", to: \"plx[*]\", class: pcie4 x16}\n"
                       "  - {from: \"plx[0-7]\", to: cpu, class: pcie4 x16}\n"
                       "  - {from: store, to: cpu, class: pcie4 x16}\n",
                       storage[i]);
        choose(m, text, &ports);
        assert_int_equal(ports.count, 8);
        assert_int_equal(ports.slow_count, 1);
        assert_false(ports.is_port[cs_graph_find(&m->graph, "store")]);
        assert_string_equal(ports.link->class_name, "ib-hdr");
    }
}

MACHINE_TEST(named_nics_alone_are_ports)
{
    static const struct {
        const char *names, *ports;
    } cases[] = {{"mlx5_1", "0111"},          {"=mlx5_1", "0100"},      {"^mlx5_1", "1000"},
                 {"=mlx5_0+mlx5_10", "1010"}, {"mlx5_0:1,bad", "1000"}, {NULL, "1111"}};
    struct cs_ports ports;

    machine_open(m, any,
                 MACHINE("  mlx5_0: {kind: nic}\n  mlx5_1: {kind: nic}\n"
                         "  mlx5_10: {kind: nic}\n  mlx5_11: {kind: nic}\n",
                         BELOW("[mlx5_0, mlx5_1, mlx5_10, mlx5_11]", "pcie4 x16")));
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        m->graph.port_names = cases[i].names;
        cs_ports_choose(&m->graph, &ports, &m->arena);
        for (uint32_t k = 0; k < 4; k++) {
            static const char *const nics[] = {"mlx5_0", "mlx5_1", "mlx5_10", "mlx5_11"};

            if (ports.is_port[cs_graph_find(&m->graph, nics[k])] != (cases[i].ports[k] == '1'))
                fail_msg("nics=%s and %s", cases[i].names, nics[k]);
        }
        assert_int_equal(cs_ports_check_names(&m->graph, NULL), 0);
    }
    m->graph.port_names = "mlx6_0";
    assert_refused_with(cs_ports_check_names(&m->graph, &err), CS_EINPUT, "did you mean 'mlx5_0'");
}

MACHINE_TEST(a_virtual_nic_is_a_port_only_without_others)
{
    struct cs_ports ports;

    choose(m,
           MACHINE("  bridge: {kind: nic, port: 10gbe}\n"
                   "  card: {kind: nic, port: gbe}\n",
                   BELOW("bridge", "local") BELOW("card", "pcie3 x4")),
           &ports);
    assert_int_equal(ports.count, 1);
    assert_int_equal(ports.virtual_count, 1);
    assert_string_equal(ports.link->class_name, "gbe");
    choose(m, MACHINE("  bridge: {kind: nic, port: 10gbe}\n", BELOW("bridge", "local")), &ports);
    assert_int_equal(ports.count, 1);
    assert_int_equal(ports.virtual_count, 0);
}

MACHINE_TEST(the_class_of_the_machine_is_that_of_a_nic_without_one)
{
    struct cs_ports ports;

    choose(m,
           "port: ib-ndr\n" MACHINE("  nic: {kind: nic, count: 2}\n",
                                    BELOW("\"nic[0-1]\"", "pcie5 x16")),
           &ports);
    assert_int_equal(ports.count, 2);
    assert_string_equal(ports.link->class_name, "ib-ndr");
    choose(m, MACHINE("  nic: {kind: nic, count: 2}\n", BELOW("\"nic[0-1]\"", "pcie5 x16")),
           &ports);
    assert_int_equal(ports.count, 2);
    assert_null(ports.link);
}

TEST(equal_ports_have_equal_classes_and_numbers)
{
    struct cs_wire a = {.class_name = "x", .rate_Bps = 1, .efficiency = 1};
    struct cs_wire b = a;

    assert_true(cs_port_is_equal(&a, &b));
    assert_true(cs_port_is_equal(NULL, NULL));
    assert_false(cs_port_is_equal(&a, NULL));
    b.latency_ps = 1;
    assert_false(cs_port_is_equal(&a, &b));
}
