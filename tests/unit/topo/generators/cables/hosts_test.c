#include "tests/unit/topo/machine.h"

#define TREE \
    "SwitchName=a Nodes=node[1-4] \nSwitchName=b Nodes=node[5-8]\nSwitchName=c Switches=a,b\n"

/* Hops between the first two ranks of the machine with these hosts. */
static void expect(const char *hosts, uint32_t ranks, uint32_t hops)
{
    CS_AT_END(machine_close) struct machine m = {0};

    machine_open(&m, (struct cs_topo_request){.spec = "m", .hosts = hosts}, TREE);
    assert_int_equal(m.graph.rank_count, ranks);
    machine_route(&m, 0, 1, 25, hops);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void refused(const char *hosts, const char *sentence)
{
    CS_AT_END(machine_close) struct machine m = {0};

    assert_int_equal(machine_try(&m, (struct cs_topo_request){.spec = "m", .hosts = hosts}, TREE),
                     CS_EINPUT);
    assert_string_equal(m.err.text, sentence);
}

TEST(ranks_are_in_the_order_of_a_list)
{
    expect(NULL, 8, 2);
    expect("node1,node5", 2, 4);
    expect("node[4-6]", 3, 4);
    refused("node[8-9]", "--hosts: no host called 'node9' in m; did you mean 'node1'?");
    refused("node1,node1", "--hosts: 'node1' occurs twice");
    refused("", "--hosts: no names of hosts; expected a name a line of a hostfile, or a list as "
                "node[01-16]");
    refused("no/such/file", "cannot open 'no/such/file': No such file or directory");
}

TEST(a_hostfile_may_have_slots_and_comments)
{
    static const char path[] = "hosts_test.hosts";

    write_file(path, "# of the job\nnode4 slots=8\r\n\n  node8:8\nnode1 # last");
    expect(path, 3, 4);
    write_file(path, "node1\nnod2\n");
    refused(path, "hosts_test.hosts:2: no host called 'nod2' in m; did you mean 'node2'?");
    write_file(path, "# none\n");
    refused(path, "hosts_test.hosts: no names of hosts; expected a name a line of a hostfile, or a "
                  "list as node[01-16]");
    remove(path);
}
