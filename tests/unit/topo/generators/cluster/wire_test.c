#include "topo/generators/cluster/wire.h"

#include "tests/fixture.h"

#include <unistd.h>

/* A cluster of files, which a test writes into a folder of its own. */
struct cluster {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_err err;
};

#define HEAD                                             \
    "<system version='1'><cpu numaid='0' arch='x86_64' " \
    "vendor='GenuineIntel' familyid='6' modelid='143'>"
#define GPU(id, dev)                                                        \
    "<pci busid='0000:0" id ":00.0' class='0x030200' link_speed='32 GT/s' " \
    "link_width='16'><gpu dev='" dev "' sm='90'/></pci>"
#define NIC(id, net)                                                        \
    "<pci busid='0000:0" id ":00.0' class='0x020000' link_speed='32 GT/s' " \
    "link_width='16'><nic>" net "</nic></pci>"
#define NET(name, speed) "<net name='" name "' speed='" speed "'/>"
#define TAIL             "</cpu></system>"

static int try_cluster(struct cluster *c, const char *a, const char *b, const char *parameters)
{
    char folder[] = "/tmp/cluster_wire_XXXXXX";
    char spec[256], paths[2][64];
    const char *texts[2] = {a, b};
    int rc;

    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        FILE *file;

        (void)snprintf(paths[i], sizeof(paths[i]), "%s/%c.xml", folder, "ab"[i]);
        file = fopen(paths[i], "w");
        assert_non_null(file);
        fputs(texts[i] ? texts[i] : "", file);
        (void)fclose(file);
    }
    (void)snprintf(spec, sizeof(spec), "cluster:node=%s%s%s,%s", paths[0], b ? "+" : "",
                   b ? paths[1] : "", parameters);
    *c = (struct cluster){0};
    rc = cs_topo_open(&(struct cs_topo_request){.spec = spec}, &c->graph, &c->arena, &c->err);
    for (int i = 0; i < 2; i++)
        (void)unlink(paths[i]);
    (void)rmdir(folder);
    return rc;
}

static const struct cs_wire *network_wire(const struct cluster *c)
{
    for (uint32_t w = 0; w < c->graph.wire_count; w++)
        if (c->graph.devices[c->graph.wires[w].a].kind == CS_DEVICE_NIC &&
            c->graph.devices[c->graph.wires[w].b].host == CS_NO_HOST)
            return &c->graph.wires[w];
    return NULL;
}

static bool has_note(const struct cluster *c, const char *part)
{
    for (uint32_t i = 0; i < c->graph.note_count; i++)
        if (strstr(c->graph.notes[i], part))
            return true;
    return false;
}

TEST(ports_have_the_rate_of_the_file)
{
    struct cluster c;

    assert_int_equal(try_cluster(&c,
                                 HEAD GPU("1", "0")
                                     NIC("2", NET("mlx5_0", "200000") NET("mlx5_1", "200000"))
                                         NIC("3", NET("mlx5_2", "25000")) TAIL,
                                 NULL, "nodes=2,fabric=rail"),
                     0);
    assert_string_equal(network_wire(&c)->class_name, "200gbe-roce x2");
    assert_true(has_note(&c, "1 of the 2 NICs of a a join no fabric: slower than 200gbe-roce x2"));
    assert_false(has_note(&c, "is unknown"));
    cs_arena_free(&c.arena);
}

TEST(an_unknown_rate_is_reported_as_assumed)
{
    static const char file[] = HEAD GPU("1", "0") GPU("4", "1") NIC("2", "") TAIL;
    struct cluster c;

    assert_int_equal(try_cluster(&c, file, NULL, "nodes=2"), 0);
    assert_true(network_wire(&c)->rate_Bps == 50e9); /* behind PCIe 5.0 x16 */
    assert_string_equal(network_wire(&c)->source, "assumed: a port of 400 Gb/s");
    assert_true(has_note(&c, "the rate of the NICs of a is unknown"));
    assert_true(has_note(&c, "the file has no links between GPUs"));
    cs_arena_free(&c.arena);
    assert_int_equal(try_cluster(&c, file, NULL, "nodes=2,bandwidth=1GB/s,latency=1us"), 0);
    assert_string_equal(network_wire(&c)->source, "given by the user");
    assert_false(has_note(&c, "is unknown"));
    cs_arena_free(&c.arena);
    assert_int_equal(try_cluster(&c, file, NULL, "nodes=2,link=ib-ndr"), 0);
    assert_true(network_wire(&c)->rate_Bps == 50e9);
    cs_arena_free(&c.arena);
}

TEST(notes_of_several_files_name_the_file)
{
    static const char fast[] =
        HEAD GPU("1", "0") GPU("4", "1") NIC("2", NET("mlx5_0", "100000")) TAIL;
    static const char slow[] = HEAD GPU("1", "0") NIC("2", NET("mlx5_0", "25000")) TAIL;
    struct cluster c;

    assert_int_equal(try_cluster(&c, fast, slow, "nodes=1+1"), CS_EINPUT);
    assert_string_equal(
        c.err.text,
        "ports of 100gbe-roce and of 25gbe-roce on one fabric; select the class with link=");
    cs_arena_free(&c.arena);
    assert_int_equal(try_cluster(&c, fast, slow, "nodes=1+1,link=25gbe-roce"), 0);
    assert_true(has_note(&c, "a: the file has no links between GPUs"));
    cs_arena_free(&c.arena);
}
