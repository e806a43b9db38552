/*
 * nvidia-smi: the matrix of `nvidia-smi topo -m`.
 *
 *     NV4       four NVLinks side by side
 *     PIX       one PCIe switch between
 *     PXB       several of them
 *     PHB       a host bridge: the CPU
 *     NODE      two host bridges of one NUMA node
 *     SYS, SOC  two NUMA nodes
 *
 * Close devices join low in the PCIe tree: devices with a relation PIX share a
 * switch, and so on upwards.  An NVLink hides the PCIe path between two GPUs,
 * which then follows from other cells.  GPUs of one NUMA node, or else of one
 * CPU affinity, share a CPU even where the cell is SYS.  GPUs of Grace, known by
 * their own NUMA nodes, hang on the CPU by C2C.
 *
 *     PIX              PXB                  NODE
 *     a   b            a     b              a     b
 *      \ /             |     |              |     |
 *      plx             plx   plx            hb    hb
 *       |                \  /                 \  /
 *                        plx                  cpu
 *
 * The matrix does not distinguish an NVSwitch from direct links: NVn between two GPUs
 * is n direct links, or n links of each to a switch.  GPUs that NVLinks join have a
 * switch if there are more than two, all pairs have links, at least 6 and as many as
 * the GPU with fewer has in any pair, and the links of a row are more than the GPU has:
 * through a switch the same links reach all peers.  A GPU without NVLinks, of a machine
 * where others have some, keeps PCIe alone, with a note.
 *
 * --gpu selects the rates; without --gpu the GPU is guessed from the number of NVLinks,
 * with a note.
 */
#include "topo/formats/nvidia_smi/reader.h"

#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

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
    struct cs_smi_relation there, back;
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

/* Reads all cells.  Of two numbers of NVLinks the smaller is used, and missing pairs
 * are filled, with notes.  CS_EINPUT for unknown cells, and for pairs whose cells state
 * two relations of PCIe. */
static int smi_read_cells(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns, missing = 0;
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

/* ---- rows ---- */

static void count_links(struct cs_smi_reader *reader)
{
    for (uint32_t a = 0; a < reader->matrix.columns; a++) {
        struct cs_smi_links *own = &reader->links[a];

        own->mesh = a;
        for (uint32_t b = 0; b < reader->matrix.columns; b++) {
            uint32_t links = a == b ? 0 : cs_smi_at(reader, a, b)->links;

            own->row += links;
            own->pair = links > own->pair ? links : own->pair;
        }
    }
}

static void join_meshes(struct cs_smi_reader *reader, uint32_t a, uint32_t b)
{
    uint32_t one = reader->links[a].mesh, other = reader->links[b].mesh;
    uint32_t keep = one < other ? one : other;

    for (uint32_t i = 0; one != other && i < reader->matrix.columns; i++)
        if (reader->links[i].mesh == (one ^ other ^ keep))
            reader->links[i].mesh = keep;
}

/* Whether the pairs of a mesh could be those of a switch. */
static bool looks_switched(const struct cs_smi_reader *reader, uint32_t first)
{
    const struct cs_smi_links *links = reader->links;
    uint32_t members = 0;

    for (uint32_t a = 0; a < reader->matrix.columns; a++) {
        if (links[a].mesh != first)
            continue;
        members++;
        for (uint32_t b = a + 1; b < reader->matrix.columns; b++) {
            const struct cs_smi_relation *pair = cs_smi_at(reader, a, b);
            uint32_t fewer = links[a].pair < links[b].pair ? links[a].pair : links[b].pair;

            if (links[b].mesh == first && !pair->assumed &&
                (pair->links != fewer || fewer < CS_SMI_SWITCH_LINKS_MIN))
                return false;
        }
    }
    return members > 2;
}

/* Fills reader->links. */
static void find_meshes(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;

    reader->links = cs_arena_alloc(reader->graph->arena, n, sizeof(*reader->links));
    count_links(reader);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            if (cs_smi_at(reader, a, b)->links)
                join_meshes(reader, a, b);
    for (uint32_t a = 0; a < n; a++) {
        struct cs_smi_links *first = &reader->links[reader->links[a].mesh];

        if (reader->links[a].row > first->largest_row)
            first->largest_row = reader->links[a].row;
        if (reader->links[a].mesh == a)
            first->looks_switched = looks_switched(reader, a);
    }
}

/* Whether the mesh of a GPU is a switch, with GPUs of that many links. */
static bool is_switched(const struct cs_smi_reader *reader, uint32_t gpu, uint32_t links_of_gpu)
{
    const struct cs_smi_links *first = &reader->links[reader->links[gpu].mesh];

    return first->largest_row > links_of_gpu && first->looks_switched;
}

/* The links that a GPU of the matrix has at least, with GPUs of that many
 * links. */
static uint32_t links_needed(const struct cs_smi_reader *reader, uint32_t links_of_gpu)
{
    uint32_t most = 0;

    for (uint32_t a = 0; a < reader->matrix.columns; a++) {
        uint32_t own =
            is_switched(reader, a, links_of_gpu) ? reader->links[a].pair : reader->links[a].row;

        most = own > most ? own : most;
    }
    return most;
}

/* ---- the model ---- */

/* Whether GPUs have NUMA nodes of their own, as below Grace. */
static bool has_memory_nodes(const struct cs_smi_reader *reader)
{
    for (uint32_t i = 0; i < reader->matrix.columns; i++) {
        const char *node = reader->matrix.gpu_numa[i];

        if (node && *node && strspn(node, "0123456789") == strlen(node))
            return true;
    }
    return false;
}

/* The kind with the fewest NVLinks that suffice, or NULL. */
static const struct cs_gpu_kind *smallest_kind(uint32_t links)
{
    const struct cs_gpu_kind *best = NULL;

    for (size_t i = 0; i < cs_gpu_kind_count; i++) {
        const struct cs_gpu_kind *kind = &cs_gpu_kinds[i];

        if (cs_gpu_kind_has_links(kind, "NV") && kind->links >= links &&
            (!best || kind->links < best->links))
            best = kind;
    }
    return best;
}

/* The kind whose number of links is that of a row, or of a pair where a switch
 * is possible; otherwise the smallest that has as many.  NULL: none has. */
static const struct cs_gpu_kind *guess_kind(const struct cs_smi_reader *reader)
{
    uint32_t pair = links_needed(reader, 0);
    const struct cs_gpu_kind *kind = cs_gpu_kind_guess("NV", links_needed(reader, UINT32_MAX));

    if (!kind)
        kind = cs_gpu_kind_guess("NV", pair);
    if (!kind)
        kind = smallest_kind(pair);
    if (kind && cs_same(kind->name, "h100") && has_memory_nodes(reader))
        (void)cs_gpu_kind_find(pair == kind->links ? "gb200" : "gh200", &kind, NULL);
    return kind;
}

static void guess_gpu(struct cs_smi_reader *reader)
{
    uint32_t links = links_needed(reader, 0);

    if (!links) {
        (void)cs_gpu_kind_find("l40s", &reader->gpu, NULL);
        cs_graph_note(reader->graph,
                      "the GPU model is unknown; guessed %s, because the matrix has no NVLink; "
                      "--gpu NAME sets it",
                      reader->gpu->pcie);
        return;
    }
    reader->gpu = guess_kind(reader);
    if (!reader->gpu)
        (void)cs_gpu_kind_find("a100", &reader->gpu, NULL);
    cs_graph_note(
        reader->graph,
        "the GPU model is unknown; guessed %s with %s and %s from %u NVLinks; --gpu NAME sets it",
        reader->gpu->name, reader->gpu->link, reader->gpu->pcie,
        links_needed(reader, reader->gpu->links));
}

/* By the name, or by a guess with a note for NULL.  CS_EINPUT for a GPU with fewer links
 * than the matrix. */
static int smi_choose_gpu(struct cs_smi_reader *reader, const char *name)
{
    uint32_t needed, own;
    int rc;

    find_meshes(reader);
    if (!name) {
        guess_gpu(reader);
        return 0;
    }
    reader->named = true;
    rc = cs_gpu_kind_find(name, &reader->gpu, reader->err);
    if (rc)
        return rc;
    own = cs_gpu_kind_has_links(reader->gpu, "NV") ? reader->gpu->links : 0;
    needed = links_needed(reader, own);
    if (needed <= own)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->matrix.line,
                     "--gpu %s has %u NVLinks; a GPU of this matrix has %u", reader->gpu->name, own,
                     needed);
}

/* ---- links ---- */

static void join_direct(struct cs_smi_reader *reader, uint32_t first)
{
    uint32_t n = reader->matrix.columns;

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n && reader->links[a].mesh == first; b++)
            if (cs_smi_at(reader, a, b)->links)
                cs_link_kind_join(reader->graph, a, b, reader->gpu->link,
                                  cs_smi_at(reader, a, b)->links)
                    ->line = reader->matrix.lines[a];
}

static void join_switch(struct cs_smi_reader *reader, uint32_t first, const char *name)
{
    uint32_t nvswitch = cs_graph_add(reader->graph, CS_DEVICE_SWITCH, CS_NO_HOST, name);

    for (uint32_t a = 0; a < reader->matrix.columns; a++)
        if (reader->links[a].mesh == first)
            cs_link_kind_join(reader->graph, a, nvswitch, reader->gpu->link, reader->links[a].pair)
                ->line = reader->matrix.lines[a];
}

/* GPUs with fewer links than others have in a pair. */
static void note_lost_links(struct cs_smi_reader *reader)
{
    uint32_t most = 0;

    for (uint32_t a = 0; a < reader->matrix.columns; a++)
        if (reader->links[a].pair > most)
            most = reader->links[a].pair;
    for (uint32_t a = 0; a < reader->matrix.columns; a++) {
        uint32_t own = reader->links[a].pair;

        if (!cs_smi_is_gpu(reader, a) || own == most)
            continue;
        if (own == 0)
            cs_graph_note(reader->graph,
                          "%s has no NVLinks, other GPUs have %u: PCIe carries all its traffic",
                          reader->matrix.names[a], most);
        else if (is_switched(reader, a, reader->gpu->links))
            cs_graph_note(reader->graph, "%s has %u NVLinks, other GPUs %u",
                          reader->matrix.names[a], own, most);
    }
}

static void note_too_many_links(struct cs_smi_reader *reader)
{
    uint32_t needed = links_needed(reader, reader->gpu->links);

    if (needed > reader->gpu->links)
        cs_graph_note(reader->graph,
                      "a GPU of this matrix has %u NVLinks to peers, more than %s with %u; all are "
                      "modelled as direct links",
                      needed, reader->gpu->name, reader->gpu->links);
}

static void smi_join_nvlinks(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    uint32_t switches = 0, made = 0;

    for (uint32_t i = 0; i < n; i++)
        switches += reader->links[i].mesh == i && is_switched(reader, i, reader->gpu->links);
    for (uint32_t i = 0; i < n; i++) {
        if (reader->links[i].mesh != i)
            continue;
        if (is_switched(reader, i, reader->gpu->links))
            join_switch(reader, i,
                        switches == 1
                            ? "nvswitch"
                            : cs_arena_printf(reader->graph->arena, "nvswitch%u", made++));
        else
            join_direct(reader, i);
    }
    note_lost_links(reader);
    note_too_many_links(reader);
}

/* ---- the source ---- */

/* Device i is column i. */
static void smi_add_devices(struct cs_smi_reader *reader)
{
    for (uint32_t i = 0; i < reader->matrix.columns; i++) {
        char *name = cs_arena_text(reader->graph->arena, reader->matrix.names[i]);
        bool is_gpu = cs_smi_is_gpu(reader, i);

        for (char *letter = name; *letter; letter++)
            if (*letter >= 'A' && *letter <= 'Z')
                *letter = (char)(*letter | 0x20);
        cs_graph_add_device(
            reader->graph, (struct cs_device){.name = name,
                                              .kind = is_gpu ? CS_DEVICE_GPU : CS_DEVICE_NIC,
                                              .model = is_gpu && reader->named ? reader->gpu : NULL,
                                              .line = reader->matrix.lines[i]});
    }
}

/* The network of the first adapter of the legend, "NIC0: rdmap16s27"; CS_NET_NONE: not said. */
static enum cs_network_id smi_network(struct cs_doc_text text)
{
    const char *end = text.text + text.length;

    for (const char *line = text.text; line < end; line++) {
        char copy[64] = "", name[40];

        memcpy(copy, line,
               (size_t)(end - line) < sizeof(copy) ? (size_t)(end - line) : sizeof(copy) - 1);
        if (sscanf(copy, " NIC%*u: %39s", name) == 1)
            return cs_network_of_adapter(name);
        line = memchr(line, '\n', (size_t)(end - line));
        if (!line)
            break;
    }
    return CS_NET_NONE;
}

/* The class of the ports, where the names of adapters say the network.  Instances of Amazon have
 * a 100 Gb/s adapter or less for each GPU before PCIe 5.0, then four of 100 (P5), two of 200
 * (P5en) or one of 400 (P6). */
static void smi_choose_ports(struct cs_smi_reader *reader, struct cs_doc_text text)
{
    enum cs_network_id network = smi_network(text);
    uint32_t each = (reader->matrix.columns - reader->gpu_count) / reader->gpu_count;
    bool is_old = strncmp(reader->gpu->pcie, "pcie5", 5) < 0;

    if (network == CS_NET_NONE)
        return;
    reader->graph->port_class = network == CS_NET_SLINGSHOT   ? "slingshot11"
                                : network == CS_NET_OMNI_PATH ? "omni-path"
                                : is_old                      ? "efa-100"
                                : each >= 4                   ? "efa2-100"
                                : each >= 2                   ? "efa-200"
                                                              : "efa-400";
    network = cs_link_kind_get(reader->graph->port_class)->network;
    cs_graph_note(reader->graph, "the NICs have names of %s; ports of %s are assumed",
                  cs_networks[network].about, reader->graph->port_class);
}

static int smi_read(const struct cs_topo_request *request, struct cs_doc_text text,
                    struct cs_graph *graph, struct cs_err *err)
{
    struct cs_smi_reader reader = {.graph = graph, .err = err};

    if (cs_matrix_read(text, NULL, &reader.matrix, graph->arena, err) || smi_read_cells(&reader) ||
        smi_choose_gpu(&reader, request->gpu))
        return CS_EINPUT;
    smi_add_devices(&reader);
    smi_choose_ports(&reader, text);
    smi_join_nvlinks(&reader);
    cs_smi_make_groups(&reader);
    cs_smi_join_tree(&reader);
    graph->about = "from a matrix of nvidia-smi";
    return 0;
}

const struct cs_source cs_source_nvidia_smi = {
    .name = "nvidia-smi",
    .usage = "nvidia-smi:FILE",
    .about = "the output of 'nvidia-smi topo -m'; --gpu sets the GPU model",
    .read = smi_read,
    .takes_gpu = true,
    .recognises = cs_matrix_is_in,
};
