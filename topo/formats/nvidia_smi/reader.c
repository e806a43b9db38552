#include "topo/formats/nvidia_smi/reader.h"

#include "sim/base/text.h"
#include "topo/formats/matrix.h"
#include "topo/graph/graph.h"

#include <stdlib.h>
#include <string.h>

struct cs_smi_relation *cs_smi_at(const struct cs_smi_reader *reader, uint32_t a, uint32_t b)
{
    return &reader->relations[a * reader->matrix.columns + b];
}

bool cs_smi_is_gpu(const struct cs_smi_reader *reader, uint32_t i)
{
    return cs_matrix_is_gpu(reader->matrix.names[i]);
}

static int smi_complain(const struct cs_smi_reader *reader, uint32_t row, const char *cell)
{
    return cs_err_at(
        reader->err, CS_EINPUT, reader->graph->file, reader->matrix.lines[row],
        "cell '%.20s' in row %s; expected X, NV1 to NV18, PIX, PXB, PHB, NODE or SYS%s", cell,
        reader->matrix.names[row],
        cs_same(cell, "OK") || cs_same(cell, "CNS")
            ? " ('topo -p2p' prints no links; use 'topo -m')"
            : "");
}

/* ---- cells ---- */

static int read_cell(const struct cs_smi_reader *reader, uint32_t row, uint32_t column,
                     struct cs_smi_relation *relation)
{
    static const struct {
        const char *text;
        enum cs_smi_level level;
    } words[] = {{"PIX", CS_SMI_PIX},   {"PXB", CS_SMI_PXB}, {"PHB", CS_SMI_PHB},
                 {"NODE", CS_SMI_NODE}, {"SYS", CS_SMI_SYS}, {"SOC", CS_SMI_SYS},
                 {"X", CS_SMI_UNKNOWN}};
    const char *cell = cs_matrix_cell(&reader->matrix, row, column);
    char *end;

    *relation = (struct cs_smi_relation){.level = CS_SMI_UNKNOWN};
    if (!cell || cs_same(cell, "N/A") || cs_same(cell, "-"))
        return 0;
    if (cs_same(cell, "X") != (row == column))
        return smi_complain(reader, row, cell);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (cs_same(cell, words[i].text)) {
            relation->level = (uint8_t)words[i].level;
            return 0;
        }
    }
    if (strncmp(cell, "NV", 2) != 0 || cell[2] < '1' || cell[2] > '9' || strlen(cell) > 5)
        return smi_complain(reader, row, cell);
    relation->level = CS_SMI_NVLINK;
    relation->links = (uint32_t)strtoul(cell + 2, &end, 10);
    if (*end || relation->links > CS_SMI_NVLINKS_MAX || !cs_smi_is_gpu(reader, row) ||
        !cs_smi_is_gpu(reader, column))
        return smi_complain(reader, row, cell);
    return 0;
}

/* Of a pair with NVLinks in one direction at least, the direction with fewer
 * counts: none, where the other cell is a relation of PCIe. */
static bool take_fewer_links(struct cs_smi_reader *reader, uint32_t a, uint32_t b,
                             struct cs_smi_relation *there, const struct cs_smi_relation *back)
{
    if (there->level != CS_SMI_NVLINK && back->level != CS_SMI_NVLINK)
        return false;
    cs_graph_note(reader->graph, "row %s has %s for %s, and row %s has %s; the smaller is used",
                  reader->matrix.names[a], cs_matrix_cell(&reader->matrix, a, b),
                  reader->matrix.names[b], reader->matrix.names[b],
                  cs_matrix_cell(&reader->matrix, b, a));
    if (back->links < there->links)
        *there = *back;
    return true;
}

/* Reads a pair from both cells, or from the only cell. */
static int smi_read_pair(struct cs_smi_reader *reader, uint32_t a, uint32_t b, uint32_t *missing)
{
    struct cs_smi_relation there;
    struct cs_smi_relation back;
    int rc = read_cell(reader, a, b, &there);

    if (!rc)
        rc = read_cell(reader, b, a, &back);
    if (rc)
        return rc;
    if (there.level == CS_SMI_UNKNOWN)
        there = back;
    if (back.level == CS_SMI_UNKNOWN)
        back = there;
    if ((there.level != back.level || there.links != back.links) &&
        !take_fewer_links(reader, a, b, &there, &back))
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->matrix.lines[b],
                         "row %s has %s for %s, but line %u has %s", reader->matrix.names[b],
                         cs_matrix_cell(&reader->matrix, b, a), reader->matrix.names[a],
                         reader->matrix.lines[a], cs_matrix_cell(&reader->matrix, a, b));
    *missing += a != b && there.level == CS_SMI_UNKNOWN;
    *cs_smi_at(reader, a, b) = *cs_smi_at(reader, b, a) = there;
    return 0;
}

/* The relation of every known pair of GPUs if equal NVLinks; otherwise
 * UNKNOWN. */
static struct cs_smi_relation common_relation(const struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    struct cs_smi_relation common = {.level = CS_SMI_UNKNOWN};

    for (uint32_t i = 0; i < n * n; i++) {
        const struct cs_smi_relation *pair = &reader->relations[i];

        if (pair->level == CS_SMI_UNKNOWN || !cs_smi_is_gpu(reader, i / n) ||
            !cs_smi_is_gpu(reader, i % n))
            continue;
        if (common.level == CS_SMI_UNKNOWN)
            common = *pair;
        if (pair->level != CS_SMI_NVLINK || pair->links != common.links)
            return (struct cs_smi_relation){.level = CS_SMI_UNKNOWN};
    }
    return common;
}

/* A missing pair of GPUs gets the relation common to the known pairs,
 * otherwise SYS. */
static void fill_gaps(struct cs_smi_reader *reader, uint32_t missing)
{
    uint32_t n = reader->matrix.columns;
    struct cs_smi_relation common = common_relation(reader);
    bool same = common.level != CS_SMI_UNKNOWN;

    for (uint32_t i = 0; i < n * n; i++)
        if (i / n != i % n && reader->relations[i].level == CS_SMI_UNKNOWN)
            reader->relations[i] =
                same && cs_smi_is_gpu(reader, i / n) && cs_smi_is_gpu(reader, i % n)
                    ? common
                    : (struct cs_smi_relation){.level = CS_SMI_SYS, .assumed = true};
    if (missing)
        cs_graph_note(reader->graph, "%u pairs are missing: %sSYS assumed", missing,
                      same ? cs_arena_printf(reader->graph->arena, "NV%u between GPUs, otherwise ",
                                             common.links)
                           : "");
}

int cs_smi_read_cells(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    uint32_t missing = 0;
    int rc = 0;

    reader->relations =
        cs_arena_alloc(reader->graph->arena, (size_t)n * n, sizeof(*reader->relations));
    for (uint32_t a = 0; a < n; a++) {
        reader->gpu_count += cs_smi_is_gpu(reader, a);
        for (uint32_t b = a; b < n && !rc; b++)
            rc = smi_read_pair(reader, a, b, &missing);
    }
    if (!rc)
        fill_gaps(reader, missing);
    return rc;
}
