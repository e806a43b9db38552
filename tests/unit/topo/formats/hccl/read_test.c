#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

#define DEVICE(id, rank) "{device_id: '" id "', device_ip: x, rank_id: '" rank "'}"
#define TABLE(servers)   "{\"server_list\": [" servers "], version: '1.0', status: completed}"
#define SERVER(devices)  "{server_id: '10.*.*.*', device: [" devices "]}"
#define EIGHT                                                                  \
    DEVICE("0", "0")                                                           \
    "," DEVICE("1", "1") "," DEVICE("2", "2") "," DEVICE("3", "3") "," DEVICE( \
        "4", "4") "," DEVICE("5", "5") "," DEVICE("6", "6") "," DEVICE("7", "7")
#define NEXT_EIGHT                                                               \
    DEVICE("0", "8")                                                             \
    "," DEVICE("1", "9") "," DEVICE("2", "10") "," DEVICE("3", "11") "," DEVICE( \
        "4", "12") "," DEVICE("5", "13") "," DEVICE("6", "14") "," DEVICE("7", "15")

MACHINE_TEST(a_server_has_two_groups_of_four)
{
    machine_open(m, any, TABLE(SERVER(EIGHT)));
    machine_route(m, 0, 3, 30, 1);
    machine_route(m, 0, 4, 24, 3);
}

MACHINE_TEST(an_ascend910b_has_one_group_of_eight)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .gpu = "Ascend910B"},
                 TABLE(SERVER(EIGHT)));
    machine_route(m, 0, 4, 30, 1);
}

MACHINE_TEST(masked_servers_are_reported_apart_by_their_devices)
{
    machine_open(m, any, TABLE(SERVER(EIGHT) "," SERVER(NEXT_EIGHT)));
    assert_int_equal(m->graph.rank_count, 16);
    assert_string_equal(m->graph.devices[m->graph.rank_device[9]].name, "n1.npu1");
    machine_route(m, 1, 13, 12.25, 2); /* one subnet */
    machine_route(m, 7, 8, 12.25, 4);  /* two */
}

#define PAIR(server, one, two) \
    "{server_id: " server ", device: [" DEVICE("0", one) "," DEVICE("1", two) "]}"
#define A3(pods)                                                                \
    "{\"server_list\": [" PAIR("a", "0", "1") "," PAIR("b", "2", "3") "," PAIR( \
        "c", "4", "5") "], version: '1.2', status: completed, super_pod_list: [" pods "]}"
#define POD(servers) "{super_pod_id: x, server_list: [" servers "]}"

MACHINE_TEST(super_pods_of_an_atlas_a3_are_joined_by_hccs)
{
    machine_open(m, any, A3(POD("{server_id: a}, {server_id: c}") "," POD("{server_id: b}")));
    machine_route(m, 0, 1, 270, 1); /* dies of a package */
    machine_route(m, 1, 4, 196, 2); /* servers of a super pod */
    machine_route(m, 0, 2, 25 * 4096.0 / 4178, 2);
    machine_open(m, any,
                 "{\"server_list\": [" PAIR("a", "0", "1") "], version: '1.2', status: completed}");
    assert_int_equal(m->graph.rank_count, 2);
    machine_refused(A3(POD("{server_id: a}, {server_id: d}")),
                    "m:1: server 'd' is not in 'server_list', or in two super pods");
    machine_refused(A3(POD("{server_id: a}")), "m:1: a server in none of the 1 super pods");
}

#define INSTANCE(server, id, rank) \
    "{devices: [{device_id: '" id "'}], rank_id: '" rank "', server_id: '" server "'}"
#define GROUP(count, servers, instances)                                    \
    "{\"group_list\": [{instance_count: '" count "', server_num: '" servers \
    "', instance_list: [" instances "]}], status: completed}"

MACHINE_TEST(the_first_generation_is_read_too)
{
    machine_open(m, any, GROUP("2", "1", INSTANCE("a", "5", "1") "," INSTANCE("a", "6", "0")));
    assert_string_equal(m->graph.devices[m->graph.rank_device[0]].name, "npu6");
    machine_route(m, 0, 1, 30, 1);
    machine_refused(GROUP("2", "1", INSTANCE("a", "5", "0") ",\n" INSTANCE("a", "5", "1")),
                    "m:1: 'server_num' is 1, but the table lists 2");
}

MACHINE_TEST(a_known_slip_of_the_pen_is_taken_with_a_note)
{
    machine_open(m, any, TABLE("{server_id: a, deivce: [" DEVICE("0", "0") "]}"));
    assert_int_equal(machine_notes(m, "'deivce' is read as 'device'"), 1);
}

TEST(the_rules_of_hccl_are_reported)
{
    machine_refused(TABLE(SERVER(DEVICE("0", "0") "," DEVICE("1", "1") "," DEVICE("2", "2"))),
                    "m:1: 3 NPUs in a server; HCCL on Ascend 910 requires 1, 2, 4 or 8");
    machine_refused(TABLE(SERVER(DEVICE("3", "0") "," DEVICE("4", "1"))),
                    "m:1: 2 NPUs in both groups of four; HCCL on Ascend 910 requires 2 or 4 of 0 "
                    "to 3, or of 4 to 7");
    machine_refused(TABLE(SERVER(DEVICE("0", "0")) ",\n" SERVER(DEVICE("0", "1"))),
                    "m:1: 1 NPUs in one of 2 servers; HCCL on Ascend 910 requires 1, 2, 4 or 8 in "
                    "one server, or 8 in each of several");
}

MACHINE_TEST(wrong_tables_are_reported_by_line)
{
    machine_refused("{server_group_list: [{group_id: \"0\", \"server_list\": []}]}",
                    "m:1: 'server_group_list': several jobs; expected 'server_list' of one");
    machine_refused(TABLE(SERVER(DEVICE("8", "0"))),
                    "m:1: 'device_id': '8' is out of range; expected 0 to 7");
    machine_refused(TABLE(SERVER(DEVICE("0", "0") ",\n" DEVICE("0", "1"))),
                    "m:2: device 0 of this server is a duplicate of line 1");
    machine_refused(TABLE(SERVER(DEVICE("0", "0") ",\n" DEVICE("1", "0"))),
                    "m:2: rank 0 is a duplicate of line 1");
    machine_refused("{\"server_list\": []}", "m:1: 'status' is missing");
    machine_refused("{\"server_list\": [], status: initializing}",
                    "m:1: 'status' is 'initializing'; expected 'completed'");
    machine_refused(TABLE(""), "m:1: no devices in this table");
    assert_int_equal(
        machine_try(m, (struct cs_topo_request){.spec = "m", .gpu = "a100"}, TABLE(SERVER(EIGHT))),
        CS_EINPUT);
    assert_string_equal(m->err.text,
                        "--gpu a100 is not an NPU; expected ascend910, ascend910b or ascend910c");
}
