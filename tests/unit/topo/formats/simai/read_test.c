#include "tests/unit/topo/machine.h"

#include "topo/graph/link_family.h"
#include "topo/kinds/gpu_kind.h"

static const struct cs_topo_request any = {.spec = "m"};

/* Two servers of two GPUs: NVSwitches 4 and 5, a switch a rail, a spine. */
#define HEAD "9 2 2 3 10 A100\n4 5 6 7 8\n"
#define SERVERS                                              \
    "0 4 2400Gbps 0.000025ms 0\n1 4 2400Gbps 0.000025ms 0\n" \
    "2 5 2400Gbps 0.000025ms 0\n3 5 2400Gbps 0.000025ms 0\n"
#define RAILS                                          \
    "0 6 200Gbps 0.0005ms 0\n2 6 200Gbps 0.0005ms 0\n" \
    "1 7 200Gbps 0.0005ms 0\n3 7 200Gbps 0.0005ms 0\n" \
    "6 8 400Gbps 500ns 0\n"

MACHINE_TEST(servers_rails_and_a_spine)
{
    machine_open(m, any, HEAD SERVERS RAILS "7 8 400Gbps 500ns 0\n");
    assert_int_equal(m->graph.rank_count, 4);
    assert_int_equal(m->graph.devices[3].host, 1);
    assert_int_equal(m->graph.devices[5].host, 1);
    assert_int_equal(m->graph.devices[6].host, CS_NO_HOST);
    assert_string_equal(m->graph.devices[0].model->name, "a100");
    assert_int_equal(m->graph.wires[0].family, CS_LINK_NVLINK);
    machine_route(m, 0, 1, 300, 2);
    machine_route(m, 0, 2, 25, 2);
    machine_route(m, 0, 3, 25, 4);
}

MACHINE_TEST(what_a_file_has_beyond_links_is_noted)
{
    machine_open(m, any, "3 2 1 0 2 XPU9\n2\n0 2 8Gbps 1us 0\n1 2 8Gbps 1us 0.01\n");
    machine_route(m, 0, 1, 1, 2);
    assert_int_equal(machine_notes(m, "no GPU called 'XPU9'"), 1);
    assert_int_equal(machine_notes(m, "error rates"), 1);
}

TEST(wrong_files_are_reported_by_line)
{
    machine_refused(HEAD SERVERS RAILS, "m:12: the file ends before the source of a link");
    machine_refused(HEAD SERVERS RAILS "7 9 400Gbps 500ns 0\n",
                    "m:12: the destination of a link: '9' is out of range; expected 0 to 8");
    machine_refused(HEAD SERVERS RAILS "7 7 400Gbps 500ns 0\n",
                    "m:12: the destination of a link is '7'; expected another node");
    machine_refused(
        HEAD SERVERS RAILS "7 8 fastGbps 500ns 0\n",
        "m:12: the rate of a link: 'fastGbps' is not a rate such as 25 GB/s or 400 Gb/s");
    machine_refused(
        HEAD SERVERS RAILS "7 8 1Gbps 500ns 2\n",
        "m:12: the error rate of a link is '2'; expected a number from 0 to 1, 0 mostly");
    machine_refused(HEAD SERVERS RAILS "7 8 1Gbps 5ns 0\n1",
                    "m:13: '1' behind the last of 10 links");
    machine_refused("3 2 1 2 2 A100\n2\n0 2 8Gbps 1us 0\n",
                    "m:1: 1 NVSwitches and 2 switches of 3 nodes: no node is a GPU");
    machine_refused("4 2 1 1 2 A100\n2 2\n0 2 8Gbps 1us 0\n",
                    "m:2: a switch is '2'; expected each number once");
}
