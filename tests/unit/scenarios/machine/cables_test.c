#include "scenarios/machine/oddities.h"

#include "sim/base/text.h"
#include "tests/unit/topo/machine.h"

enum {
    ROOM = 8,
    LEAVES = 3,
    SPINES = 2,
    SPINE = 16, /* identifiers of spines begin there, of hosts at 32 */
};

/* Cables of each leaf to each spine. */
typedef uint32_t cabling[LEAVES][SPINES];

/* A host on each leaf; the first cable of the first leaf has `width` lanes. */
static uint32_t find(struct machine *m, const cabling cables, unsigned width,
                     struct cs_oddity *list)
{
    CS_AT_END(cs_text_free) struct cs_text nodes = {0}, ports = {0}, links = {0};

    for (unsigned s = 0; s < SPINES; s++)
        cs_text_printf(&nodes, "\"MF0;spine%u:x/U1\",2,%u\n", s, SPINE + s);
    for (unsigned l = 0; l < LEAVES; l++) {
        unsigned port = 0;

        cs_text_printf(&nodes, "\"MF0;leaf%u:x/U1\",2,%u\n\"node%u mlx5_0\",1,%u\n", l, l, l,
                       32 + l);
        cs_text_printf(&ports, "%u,1,2,2048\n", 32 + l);
        cs_text_printf(&links, "%u,1,%u,99\n", 32 + l, l);
        for (unsigned s = 0; s < SPINES; s++)
            for (unsigned c = 0; c < cables[l][s]; c++) {
                port++;
                cs_text_printf(&ports, "%u,%u,%u,2048\n", l, port, l || port > 1 ? 2 : width);
                cs_text_printf(&links, "%u,%u,%u,9%u\n", l, port, SPINE + s, port);
            }
    }
    cs_text_add(&nodes, "END_NODES\nSTART_PORTS\nNodeGuid,PortNum,LinkWidthActv,LinkSpeedActv\n");
    cs_text_printf(&nodes, "%sEND_PORTS\nSTART_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n",
                   cs_text_str(&ports));
    cs_text_printf(&nodes, "%sEND_LINKS\n", cs_text_str(&links));
    cs_text_free(&ports);
    cs_text_free(&links);
    ports = (struct cs_text){0};
    cs_text_printf(&ports, "START_NODES\nNodeDesc,NodeType,NodeGUID\n%s", cs_text_str(&nodes));
    machine_open(m, (struct cs_topo_request){.spec = "m"}, cs_text_str(&ports));
    cs_text_free(&ports);
    return cs_cable_oddities_find(&m->graph, &m->arena, list, ROOM);
}

static void expect_one(const cabling cables, unsigned width, const char *where, const char *words)
{
    struct cs_oddity list[ROOM];
    CS_AT_END(machine_close) struct machine m = {0};

    assert_int_equal(find(&m, cables, width, list), 1);
    assert_string_equal(list[0].where, where);
    assert_string_equal(list[0].words, words);
}

/* Five cables over two spines: pairs of two and of three. */
MACHINE_TEST(an_uneven_plan_is_not_odd)
{
    struct cs_oddity list[ROOM];

    assert_int_equal(find(m, (cabling){{2, 3}, {3, 2}, {2, 3}}, 2, list), 0);
}

TEST(fewer_cables_upwards_are_odd)
{
    expect_one((cabling){{2, 2}, {3, 2}, {2, 3}}, 2, "leaf0",
               "4 cables upwards, most switches of its level have 5");
    expect_one((cabling){{2, 1}, {2, 2}, {2, 2}}, 2, "leaf0", "1 of 2 cables to spine1");
}

TEST(a_slow_cable_is_odd)
{
    expect_one((cabling){{2, 2}, {2, 2}, {2, 2}}, 1, "leaf0",
               "a cable of 100 Gb/s to spine0, most upwards have 400 Gb/s");
}
