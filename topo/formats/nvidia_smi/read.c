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
 * which then follows from other cells or from equal CPU affinity.
 *
 *     PIX              PXB                  NODE
 *     a   b            a     b              a     b
 *      \ /             |     |              |     |
 *      plx             plx   plx            hb    hb
 *       |                \  /                 \  /
 *                        plx                  cpu
 *
 * The matrix does not distinguish an NVSwitch from direct links.  An NVSwitch
 * is assumed if all pairs of more than two GPUs have the same NVn, with n at
 * least 6 and equal to the number of links of the GPU.
 *
 * --gpu selects the rates; without --gpu the GPU is guessed from the number of
 * NVLinks, with a note.
 */
#include "sim/base/text.h"
#include "topo/formats/matrix.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <stdlib.h>
#include <string.h>

enum level {
    PIX,
    PXB,
    PHB,
    NODE,
    LEVELS, /* where groups are made */
    SYS = LEVELS,
    NVLINK,
    UNKNOWN,
};

struct relation {
    uint8_t level;
    uint32_t links; /* of NVLINK */
};

enum {
    SWITCH_LINKS_MIN = 6, /* above the links per pair of every known mesh */
    NVLINKS_MAX = 1000,
};

struct smi_reader {
    struct cs_matrix matrix;
    struct cs_graph *graph;
    struct cs_err *err;
    const struct cs_gpu_kind *gpu;
    struct relation *relations; /* row by row, symmetric */
    uint32_t *group[LEVELS];    /* device -> first device of its group */
    uint32_t gpu_count;
};

static struct relation *smi_at(const struct smi_reader *reader, uint32_t a,
                               uint32_t b)
{
    return &reader->relations[a * reader->matrix.columns + b];
}

static bool smi_is_gpu(const struct smi_reader *reader, uint32_t i)
{
    return cs_matrix_is_gpu(reader->matrix.names[i]);
}

static int smi_complain(const struct smi_reader *reader, uint32_t row,
                        const char *cell)
{
    return cs_err_at(reader->err, CS_EINPUT, reader->graph->file,
                     reader->matrix.lines[row],
                     "cell '%.20s' in row %s; expected X, NV1 to NV18, PIX, "
                     "PXB, PHB, NODE or SYS%s",
                     cell, reader->matrix.names[row],
                     cs_same(cell, "OK") || cs_same(cell, "CNS")
                         ? " ('topo -p2p' prints no links; use 'topo -m')"
                         : "");
}

/* ---- cells ---- */

static int read_cell(const struct smi_reader *reader, uint32_t row,
                     uint32_t column, struct relation *relation)
{
    static const struct {
        const char *text;
        enum level level;
    } words[] = {{"PIX", PIX}, {"PXB", PXB}, {"PHB", PHB},  {"NODE", NODE},
                 {"SYS", SYS}, {"SOC", SYS}, {"X", UNKNOWN}};
    const char *cell = cs_matrix_cell(&reader->matrix, row, column);
    char *end;

    *relation = (struct relation){UNKNOWN, 0};
    if (!cell)
        return 0;
    if (cs_same(cell, "X") != (row == column))
        return smi_complain(reader, row, cell);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (cs_same(cell, words[i].text)) {
            relation->level = (uint8_t)words[i].level;
            return 0;
        }
    }
    if (strncmp(cell, "NV", 2) != 0 || cell[2] < '1' || cell[2] > '9' ||
        strlen(cell) > 5)
        return smi_complain(reader, row, cell);
    relation->level = NVLINK;
    relation->links = (uint32_t)strtoul(cell + 2, &end, 10);
    if (*end || relation->links > NVLINKS_MAX || !smi_is_gpu(reader, row) ||
        !smi_is_gpu(reader, column))
        return smi_complain(reader, row, cell);
    return 0;
}

/* Reads a pair from both cells, or from the only cell. */
static int smi_read_pair(struct smi_reader *reader, uint32_t a, uint32_t b,
                         uint32_t *missing)
{
    struct relation there;
    struct relation back;
    int rc = read_cell(reader, a, b, &there);

    if (!rc)
        rc = read_cell(reader, b, a, &back);
    if (rc)
        return rc;
    if (there.level == UNKNOWN)
        there = back;
    if (back.level == UNKNOWN)
        back = there;
    if (there.level != back.level || there.links != back.links)
        return cs_err_at(
            reader->err, CS_EINPUT, reader->graph->file,
            reader->matrix.lines[b], "row %s has %s for %s, but line %u has %s",
            reader->matrix.names[b], cs_matrix_cell(&reader->matrix, b, a),
            reader->matrix.names[a], reader->matrix.lines[a],
            cs_matrix_cell(&reader->matrix, a, b));
    *missing += a != b && there.level == UNKNOWN;
    *smi_at(reader, a, b) = *smi_at(reader, b, a) = there;
    return 0;
}

/* The relation of every known pair of GPUs if equal NVLinks; otherwise
 * UNKNOWN. */
static struct relation common_relation(const struct smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    struct relation common = {UNKNOWN, 0};

    for (uint32_t i = 0; i < n * n; i++) {
        const struct relation *pair = &reader->relations[i];

        if (pair->level == UNKNOWN || !smi_is_gpu(reader, i / n) ||
            !smi_is_gpu(reader, i % n))
            continue;
        if (common.level == UNKNOWN)
            common = *pair;
        if (pair->level != NVLINK || pair->links != common.links)
            return (struct relation){UNKNOWN, 0};
    }
    return common;
}

/* A missing pair of GPUs gets the relation common to the known pairs,
 * otherwise SYS. */
static void fill_gaps(struct smi_reader *reader, uint32_t missing)
{
    uint32_t n = reader->matrix.columns;
    struct relation common = common_relation(reader);
    bool same = common.level != UNKNOWN;

    for (uint32_t i = 0; i < n * n; i++)
        if (i / n != i % n && reader->relations[i].level == UNKNOWN)
            reader->relations[i] =
                same && smi_is_gpu(reader, i / n) && smi_is_gpu(reader, i % n)
                    ? common
                    : (struct relation){SYS, 0};
    if (missing)
        cs_graph_note(reader->graph, "%u pairs are missing: %sSYS assumed",
                      missing,
                      same ? cs_arena_printf(reader->graph->arena,
                                             "NV%u between GPUs, otherwise ",
                                             common.links)
                           : "");
}

static int read_cells(struct smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    uint32_t missing = 0;
    int rc = 0;

    reader->relations = cs_arena_alloc(reader->graph->arena, (size_t)n * n,
                                       sizeof(*reader->relations));
    for (uint32_t a = 0; a < n; a++) {
        reader->gpu_count += smi_is_gpu(reader, a);
        for (uint32_t b = a; b < n && !rc; b++)
            rc = smi_read_pair(reader, a, b, &missing);
    }
    if (!rc)
        fill_gaps(reader, missing);
    return rc;
}

/* ---- NVLinks ---- */

/* The number of NVLinks in a GPU's row. */
static uint32_t row_links(const struct smi_reader *reader, uint32_t a)
{
    uint32_t sum = 0;

    for (uint32_t b = 0; b < reader->matrix.columns; b++)
        if (a != b)
            sum += smi_at(reader, a, b)->links;
    return sum;
}

/* The number of NVLinks of every pair of GPUs; 0 if pairs differ, or with
 * two GPUs. */
static uint32_t links_of_all_pairs(const struct smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    uint32_t links = 0;

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            if (!smi_is_gpu(reader, a) || !smi_is_gpu(reader, b))
                continue;
            if (links && smi_at(reader, a, b)->links != links)
                return 0;
            links = smi_at(reader, a, b)->links;
            if (!links)
                return 0;
        }
    return reader->gpu_count > 2 ? links : 0;
}

/* Links of the GPU with the most. */
static uint32_t most_links(const struct smi_reader *reader)
{
    uint32_t most = 0;

    for (uint32_t a = 0; a < reader->matrix.columns; a++)
        if (row_links(reader, a) > most)
            most = row_links(reader, a);
    return most;
}

static void guess_gpu(struct smi_reader *reader)
{
    uint32_t each = links_of_all_pairs(reader);
    uint32_t links = each >= SWITCH_LINKS_MIN ? each : most_links(reader);

    reader->gpu = cs_gpu_kind_guess("NV", links);
    if (!links) {
        (void)cs_gpu_kind_find("l40s", &reader->gpu, NULL);
        cs_graph_note(reader->graph,
                      "the GPU model is unknown; guessed %s, because the "
                      "matrix has no NVLink; --gpu NAME sets it",
                      reader->gpu->pcie);
        return;
    }
    if (!reader->gpu)
        (void)cs_gpu_kind_find("a100", &reader->gpu, NULL);
    cs_graph_note(reader->graph,
                  "the GPU model is unknown; guessed %s with %s and %s from %u "
                  "NVLinks; --gpu NAME sets it",
                  reader->gpu->name, reader->gpu->link, reader->gpu->pcie,
                  links);
}

static int smi_choose_gpu(struct smi_reader *reader, const char *name)
{
    uint32_t most = most_links(reader);
    uint32_t each = links_of_all_pairs(reader);
    uint32_t needed = each >= SWITCH_LINKS_MIN ? each : most;
    int rc;

    if (!name) {
        guess_gpu(reader);
        return 0;
    }
    rc = cs_gpu_kind_find(name, &reader->gpu, reader->err);
    if (rc)
        return rc;
    if (needed == 0 || (cs_gpu_kind_has_links(reader->gpu, "NV") &&
                        needed <= reader->gpu->links))
        return 0;
    return cs_err_at(
        reader->err, CS_EINPUT, reader->graph->file, reader->matrix.line,
        "--gpu %s has %u NVLinks; a GPU of this matrix has %u",
        reader->gpu->name,
        cs_gpu_kind_has_links(reader->gpu, "NV") ? reader->gpu->links : 0,
        needed);
}

static void smi_join_nvlinks(struct smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    uint32_t each = links_of_all_pairs(reader);
    bool is_switch = each >= SWITCH_LINKS_MIN && each == reader->gpu->links;
    uint32_t nvswitch = 0;

    if (is_switch)
        nvswitch = cs_graph_add_device(
            reader->graph, (struct cs_device){.name = "nvswitch",
                                              .kind = CS_DEVICE_SWITCH,
                                              .host = CS_NO_HOST});
    for (uint32_t a = 0; a < n; a++) {
        if (is_switch && smi_is_gpu(reader, a))
            cs_link_kind_join(reader->graph, a, nvswitch, reader->gpu->link,
                              each)
                ->line = reader->matrix.lines[a];
        for (uint32_t b = a + 1; b < n && !is_switch; b++)
            if (smi_at(reader, a, b)->links)
                cs_link_kind_join(reader->graph, a, b, reader->gpu->link,
                                  smi_at(reader, a, b)->links)
                    ->line = reader->matrix.lines[a];
    }
}

/* ---- PCIe ---- */

/* Joins two groups; the first device names the group. */
static void smi_unite(const struct smi_reader *reader, uint32_t level,
                      uint32_t a, uint32_t b)
{
    uint32_t *group = reader->group[level];
    uint32_t keep = group[a] < group[b] ? group[a] : group[b];
    uint32_t lose = group[a] < group[b] ? group[b] : group[a];

    for (uint32_t i = 0; i < reader->matrix.columns && keep != lose; i++)
        if (group[i] == lose)
            group[i] = keep;
}

/* Whether a cell between the NUMA nodes of two devices is SYS. */
static bool are_apart(const struct smi_reader *reader, uint32_t a, uint32_t b)
{
    const uint32_t *group = reader->group[NODE];

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        for (uint32_t j = 0; j < reader->matrix.columns; j++)
            if (group[i] == group[a] && group[j] == group[b] &&
                smi_at(reader, i, j)->level == SYS)
                return true;
    return false;
}

static bool same_affinity(const struct smi_reader *reader, uint32_t a,
                          uint32_t b)
{
    const char *left = reader->matrix.tails[a];
    const char *right = reader->matrix.tails[b];

    return left && right && cs_same(left, right) &&
           strspn(left, "0123456789-,") == strlen(left);
}

static void make_groups(struct smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;

    for (uint32_t level = 0; level < LEVELS; level++) {
        reader->group[level] =
            cs_arena_alloc(reader->graph->arena, n, sizeof(uint32_t));
        for (uint32_t i = 0; i < n; i++)
            reader->group[level][i] = i;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = a + 1; b < n; b++)
                if (smi_at(reader, a, b)->level <= level)
                    smi_unite(reader, level, a, b);
    }
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            if (reader->group[NODE][a] != reader->group[NODE][b] &&
                smi_at(reader, a, b)->level == NVLINK &&
                same_affinity(reader, a, b) && !are_apart(reader, a, b))
                smi_unite(reader, NODE, a, b);
}

/* The number of groups of level `lower` in group `first` of level `upper`. */
static uint32_t smi_parts(const struct smi_reader *reader, uint32_t lower,
                          uint32_t upper, uint32_t first)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        count +=
            reader->group[upper][i] == first && reader->group[lower][i] == i;
    return count;
}

static uint32_t smi_members(const struct smi_reader *reader, uint32_t level,
                            uint32_t first)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        count += reader->group[level][i] == first;
    return count;
}

static void smi_join_pcie(const struct smi_reader *reader, uint32_t a,
                          uint32_t b)
{
    struct cs_wire wire = {.a = a, .b = b};

    (void)cs_link_kind_find(reader->gpu->pcie, &wire, NULL);
    wire.class_name = reader->gpu->pcie;
    (void)cs_graph_add_wire(reader->graph, wire);
}

static uint32_t smi_add_part(const struct smi_reader *reader, const char *stem,
                             uint32_t number, enum cs_device_kind kind)
{
    return cs_graph_add_device(
        reader->graph,
        (struct cs_device){
            .name = cs_arena_printf(reader->graph->arena, "%s%u", stem, number),
            .kind = kind});
}

/* place[level][first] is the device above the group of that level with that
 * first member. */
struct smi_tree {
    uint32_t *place[LEVELS];
    uint32_t bridges, switches;
};

/* A NUMA node with several host bridges gets a device per bridge. */
static void place_bridge(const struct smi_reader *reader, struct smi_tree *tree,
                         uint32_t i)
{
    uint32_t cpu = tree->place[NODE][reader->group[NODE][i]];

    tree->place[PHB][i] = cpu;
    if (smi_parts(reader, PHB, NODE, reader->group[NODE][i]) == 1)
        return;
    tree->place[PHB][i] =
        smi_add_part(reader, "hb", tree->bridges++, CS_DEVICE_CPU);
    cs_link_kind_join(reader->graph, tree->place[PHB][i], cpu, "local", 0);
}

/* A group gets a switch if the switch has several children. */
static void place_switch(const struct smi_reader *reader, struct smi_tree *tree,
                         uint32_t level, uint32_t i)
{
    uint32_t above = tree->place[level + 1][reader->group[level + 1][i]];
    bool needed = level == PXB ? smi_parts(reader, PIX, PXB, i) > 1
                               : smi_members(reader, PIX, i) > 1 ||
                                     smi_parts(reader, PIX, PXB,
                                               reader->group[PXB][i]) > 1;

    tree->place[level][i] = above;
    if (!needed)
        return;
    tree->place[level][i] =
        smi_add_part(reader, "plx", tree->switches++, CS_DEVICE_SWITCH);
    smi_join_pcie(reader, tree->place[level][i], above);
}

static void place_cpus(const struct smi_reader *reader, struct smi_tree *tree)
{
    uint32_t first = reader->graph->device_count;
    uint32_t n = reader->matrix.columns;

    for (uint32_t i = 0; i < n; i++)
        if (reader->group[NODE][i] == i)
            tree->place[NODE][i] =
                smi_add_part(reader, "cpu", reader->graph->device_count - first,
                             CS_DEVICE_CPU);
    for (uint32_t a = first; a < reader->graph->device_count; a++)
        for (uint32_t b = a + 1; b < reader->graph->device_count; b++)
            cs_link_kind_join(reader->graph, a, b, "upi", 0);
    if (reader->graph->device_count > first + 1)
        cs_graph_note(
            reader->graph,
            "the CPU model is unknown; UPI is assumed between NUMA nodes");
}

static void join_tree(struct smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    struct smi_tree tree = {0};

    for (uint32_t level = 0; level < LEVELS; level++)
        tree.place[level] =
            cs_arena_alloc(reader->graph->arena, n, sizeof(uint32_t));
    place_cpus(reader, &tree);
    for (uint32_t i = 0; i < n; i++)
        if (reader->group[PHB][i] == i)
            place_bridge(reader, &tree, i);
    for (uint32_t i = 0; i < n; i++)
        if (reader->group[PXB][i] == i)
            place_switch(reader, &tree, PXB, i);
    for (uint32_t i = 0; i < n; i++) {
        if (reader->group[PIX][i] == i)
            place_switch(reader, &tree, PIX, i);
        smi_join_pcie(reader, i, tree.place[PIX][reader->group[PIX][i]]);
    }
}

/* ---- the source ---- */

/* Device i is column i. */
static void smi_add_devices(struct smi_reader *reader)
{
    for (uint32_t i = 0; i < reader->matrix.columns; i++) {
        char *name =
            cs_arena_text(reader->graph->arena, reader->matrix.names[i]);

        for (char *letter = name; *letter; letter++)
            if (*letter >= 'A' && *letter <= 'Z')
                *letter = (char)(*letter | 0x20);
        cs_graph_add_device(
            reader->graph,
            (struct cs_device){.name = name,
                               .kind = smi_is_gpu(reader, i) ? CS_DEVICE_GPU
                                                             : CS_DEVICE_NIC,
                               .line = reader->matrix.lines[i]});
    }
}

static int smi_read(const struct cs_topo_request *request,
                    struct cs_source_text text, struct cs_graph *graph,
                    struct cs_err *err)
{
    struct smi_reader reader = {.graph = graph, .err = err};
    int rc = cs_matrix_read(text, NULL, &reader.matrix, graph->arena, err);

    if (!rc)
        rc = read_cells(&reader);
    if (!rc)
        rc = smi_choose_gpu(&reader, request->gpu);
    if (rc)
        return rc;
    smi_add_devices(&reader);
    smi_join_nvlinks(&reader);
    make_groups(&reader);
    join_tree(&reader);
    graph->about = "from a matrix of nvidia-smi";
    cs_graph_place_all(graph);
    cs_graph_place_servers(graph);
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
