#include "topo/kinds/relation.h"

#include "tests/unit/topo/machine.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "topo/formats/matrix.h"

#include <ftw.h>

static const struct cs_topo_request any = {.spec = "m"};

/* Two NUMA nodes; NVLinks, one PCIe switch, two in a row, host bridges. */
#define BOX                                            \
    "\tGPU0\tGPU1\tGPU2\tGPU3\tmlx5_0\tCPU Affinity\n" \
    "GPU0\tX\tNV4\tNODE\tSYS\tPIX\t0-31\n"             \
    "GPU1\tNV4\tX\tNODE\tSYS\tPXB\t0-31\n"             \
    "GPU2\tNODE\tNODE\tX\tSYS\tNODE\t0-31\n"           \
    "GPU3\tSYS\tSYS\tSYS\tX\tSYS\t32-63\n"             \
    "mlx5_0\tPIX\tPXB\tNODE\tSYS\tX\t\n"

/* Cells that say the same; the driver called SYS SOC once.  SYS inside a NUMA
 * node comes out as NODE, or as PHB below a Grace. */
static bool is_same(const char *cell, const char *text)
{
    return cs_same(cell, text) || (cs_same(cell, "SOC") && cs_same(text, "SYS")) ||
           (cs_same(cell, "SYS") && (cs_same(text, "NODE") || cs_same(text, "PHB")));
}

/* How many cells of the matrix are not those of the machine read from it. */
static uint32_t count_others(struct machine *m, const char *file, const char *text)
{
    struct cs_matrix matrix;
    struct cs_doc_text source = {file, text, strlen(text)};
    uint32_t *columns;
    uint32_t others = 0;

    assert_int_equal(cs_matrix_read(source, NULL, &matrix, &m->arena, NULL), 0);
    columns = cs_arena_alloc(&m->arena, matrix.columns, sizeof(*columns));
    for (uint32_t i = 0; i < matrix.columns; i++)
        columns[i] = i;
    for (uint32_t i = 0; i < matrix.columns; i++) {
        char(*texts)[CS_RELATION_TEXT] = cs_arena_alloc(&m->arena, matrix.columns, sizeof(*texts));

        cs_relation_row(&m->graph, i, columns, matrix.columns, texts);
        for (uint32_t k = 0; k < matrix.columns; k++) {
            const char *cell = cs_matrix_cell(&matrix, i, k);

            if (!cell || is_same(cell, texts[k]))
                continue;
            print_message("%s: %s to %s is %s, and comes out as %s\n", file, matrix.names[i],
                          matrix.names[k], cell, texts[k]);
            others++;
        }
    }
    return others;
}

MACHINE_TEST(a_matrix_is_equal_to_the_relations_of_its_machine)
{
    machine_open(m, any, BOX);
    assert_int_equal(count_others(m, "m", BOX), 0);
}

static void expect_relation(const char *spec, const char *a, const char *b, const char *text)
{
    struct cs_topo_request request = {.spec = spec};
    CS_AT_END(machine_close) struct machine m = {0};
    char found[1][CS_RELATION_TEXT];
    uint32_t to;

    assert_int_equal(cs_topo_open(&request, &m.graph, &m.arena, &m.err), 0);
    to = cs_graph_find(&m.graph, b);
    assert_int_not_equal(to, UINT32_MAX);
    cs_relation_row(&m.graph, cs_graph_find(&m.graph, a), &to, 1, found);
    if (!cs_same(found[0], text))
        fail_msg("%s: %s to %s is %s, expected %s", spec, a, b, found[0], text);
}

TEST(machines_of_the_library_have_the_relations_they_should)
{
    expect_relation("dgx", "gpu0", "gpu7", "NV12");
    expect_relation("dgx", "gpu0", "nic1", "PIX");
    expect_relation("dgx", "gpu0", "nic2", "PHB");
    expect_relation("dgx", "gpu0", "nic7", "SYS");
    expect_relation("dgx", "gpu3", "gpu3", "X");
    expect_relation("dgx-1", "gpu0", "gpu1", "NV1");
    expect_relation("dgx-1", "gpu0", "gpu7", "SYS");
    expect_relation("mi300x", "gpu0", "gpu7", "XGMI");
    /* A NIC on a GPU, a CPU by NVLink-C2C, trays that a network joins. */
    expect_relation("mi250x", "nic0", "gpu1", "PIX");
    expect_relation("mi250x", "nic0", "gpu7", "PHB");
    expect_relation("ascend910", "npu0", "npu3", "HCCS");
    expect_relation("ascend910", "npu0", "npu4", "SYS");
    expect_relation("ascend910", "nic0", "npu0", "PIX");
    expect_relation("gb200-nvl72", "gpu0", "gpu71", "NV18");
    expect_relation("gb200-nvl72", "gpu0", "nic1", "PHB");
    expect_relation("gb200-nvl72", "gpu0", "nic2", "NET");
    expect_relation("cluster:node=dgx,nodes=2", "n0.gpu0", "n1.gpu0", "NET");
}

/* ---- samples ---- */

static uint32_t samples, strange;

static int visit(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    CS_AT_END(machine_close) struct machine m = {0};
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    (void)status;
    (void)walk;
    if (type != FTW_F || !strstr(path, "/topo_m/") || strstr(path, "/topo_m/mi"))
        return 0;
    assert_int_equal(cs_file_read(path, 1 << 20, &text, NULL), 0);
    machine_open(&m, any, cs_text_str(&text));
    samples++;
    strange += count_others(&m, strrchr(path, '/') + 1, cs_text_str(&text)) > 0;
    return 0;
}

TEST(samples_are_equal_to_the_relations_of_their_machines)
{
    const char *named = getenv("COLLSIM_SAMPLES");

    assert_int_equal(nftw(named ? named : "tests/samples", visit, 16, FTW_PHYS), 0);
    print_message("%u matrices, %u not as they were\n", samples, strange);
    assert_true(samples > 0);
    assert_int_equal(strange, 0);
}
