#include "topo/formats/nvidia_smi/reader.h"

#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/socket.h"

#include <string.h>

/* ---- PCIe ---- */

/* Joins two groups; the first device names the group. */
static void smi_unite(const struct cs_smi_reader *reader, uint32_t level, uint32_t a, uint32_t b)
{
    uint32_t *group = reader->group[level];
    uint32_t keep = group[a] < group[b] ? group[a] : group[b];
    uint32_t lose = group[a] < group[b] ? group[b] : group[a];

    for (uint32_t i = 0; i < reader->matrix.columns && keep != lose; i++)
        if (group[i] == lose)
            group[i] = keep;
}

/* Marks, by first device, the NUMA nodes with a cell SYS to a node.
 * O(columns^2). */
static void mark_apart(const struct cs_smi_reader *reader, uint32_t first, bool *is_apart)
{
    const uint32_t *group = reader->group[CS_SMI_NODE];
    uint32_t n = reader->matrix.columns;

    memset(is_apart, 0, n * sizeof(*is_apart));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; group[i] == first && j < n; j++)
            if (cs_smi_at(reader, i, j)->level == CS_SMI_SYS && !cs_smi_at(reader, i, j)->assumed)
                is_apart[group[j]] = true;
}

/* "0-23,48-71" */
static bool is_list(const char *text)
{
    return text && *text && strspn(text, "0123456789-,") == strlen(text) &&
           strpbrk(text, "0123456789");
}

/* Whether the matrix names the NUMA node or the CPUs of a device. */
static bool has_affinity(const struct cs_smi_reader *reader, uint32_t i)
{
    return is_list(reader->matrix.numa[i]) || is_list(reader->matrix.cpus[i]);
}

/* Whether two devices have the same NUMA nodes, or else the same CPUs. */
static bool same_affinity(const struct cs_smi_reader *reader, uint32_t a, uint32_t b)
{
    const struct cs_matrix *matrix = &reader->matrix;

    if (is_list(matrix->numa[a]) && is_list(matrix->numa[b]))
        return cs_same(matrix->numa[a], matrix->numa[b]);
    return is_list(matrix->cpus[a]) && is_list(matrix->cpus[b]) &&
           cs_same(matrix->cpus[a], matrix->cpus[b]);
}

/* ---- NUMA nodes ---- */

/* Properties of a NUMA node, by the first device. */
struct node_census {
    uint32_t gpus;
    bool placed; /* has a device with an affinity */
};

static struct node_census census_of(const struct cs_smi_reader *reader, uint32_t first)
{
    struct node_census census = {0};

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        if (reader->group[CS_SMI_NODE][i] == first) {
            census.gpus += cs_smi_is_gpu(reader, i);
            census.placed = census.placed || has_affinity(reader, i);
        }
    return census;
}

/* Whether SYS between two nodes outweighs one affinity: a machine without
 * affinities has the same CPUs, or several NUMA nodes, for all GPUs. */
static bool is_sys_certain(const struct cs_smi_reader *reader, uint32_t a, uint32_t b,
                           bool *is_apart)
{
    const char *numa = reader->matrix.numa[a];
    const uint32_t *group = reader->group[CS_SMI_NODE];

    if (is_list(numa) && !strpbrk(numa, ",-") && is_list(reader->matrix.numa[b]))
        return false;
    if (census_of(reader, group[a]).gpus < 2 || census_of(reader, group[b]).gpus < 2)
        return false;
    mark_apart(reader, group[a], is_apart);
    return is_apart[group[b]];
}

static void unite_by_affinity(const struct cs_smi_reader *reader, bool *is_apart)
{
    const uint32_t *group = reader->group[CS_SMI_NODE];

    for (uint32_t a = 0; a < reader->matrix.columns; a++)
        for (uint32_t b = a + 1; b < reader->matrix.columns; b++)
            if (group[a] != group[b] && same_affinity(reader, a, b) &&
                !is_sys_certain(reader, a, b, is_apart))
                smi_unite(reader, CS_SMI_NODE, a, b);
}

static bool is_first(const struct cs_smi_reader *reader, uint32_t i)
{
    return reader->group[CS_SMI_NODE][i] == i;
}

/* The NUMA node of an affinity with the fewest GPUs that is not apart from a
 * node, or UINT32_MAX. */
static uint32_t node_beside(const struct cs_smi_reader *reader, uint32_t first, bool *is_apart)
{
    uint32_t best = UINT32_MAX, least = UINT32_MAX;

    mark_apart(reader, first, is_apart);
    for (uint32_t i = 0; i < reader->matrix.columns; i++) {
        struct node_census census;

        if (i == first || !is_first(reader, i) || is_apart[i])
            continue;
        census = census_of(reader, i);
        if (census.placed && census.gpus < least) {
            least = census.gpus;
            best = i;
        }
    }
    return best;
}

/* GPUs without an affinity, as in a matrix that is cut. */
static void place_cut_gpus(const struct cs_smi_reader *reader, bool *is_apart)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->matrix.columns; i++) {
        struct node_census census = census_of(reader, i);
        uint32_t beside;

        if (!is_first(reader, i) || census.placed || !census.gpus)
            continue;
        beside = node_beside(reader, i, is_apart);
        if (beside == UINT32_MAX)
            continue;
        count += census.gpus;
        smi_unite(reader, CS_SMI_NODE, i, beside);
    }
    if (count)
        cs_graph_note(
            reader->graph,
            "the NUMA nodes of %u GPUs are missing; those without SYS between are assumed", count);
}

/* The number of NUMA nodes with GPUs, and the first device of each in order. */
static uint32_t list_gpu_nodes(const struct cs_smi_reader *reader, uint32_t *nodes)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        if (is_first(reader, i) && census_of(reader, i).gpus)
            nodes[count++] = i;
    return count;
}

/* NICs that share no NUMA node with a GPU.  Beside several nodes with GPUs such
 * NICs are spread over these nodes, in order; beside a single one they share a
 * node of their own. */
static void place_lone_nics(const struct cs_smi_reader *reader, bool *is_apart)
{
    uint32_t n = reader->matrix.columns;
    uint32_t *nodes = cs_arena_alloc(reader->graph->arena, n, sizeof(*nodes));
    uint32_t *lone = cs_arena_alloc(reader->graph->arena, n, sizeof(*lone));
    uint32_t gpu_nodes = list_gpu_nodes(reader, nodes);
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        if (is_first(reader, i) && !census_of(reader, i).gpus)
            lone[count++] = i;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t to = gpu_nodes > 1 ? nodes[(uint64_t)k * gpu_nodes / count] : lone[0];

        mark_apart(reader, lone[k], is_apart);
        for (uint32_t g = 0; g < gpu_nodes; g++)
            if (!is_apart[nodes[g]]) {
                to = nodes[g];
                break;
            }
        smi_unite(reader, CS_SMI_NODE, to, lone[k]);
    }
    if (count)
        cs_graph_note(reader->graph, "%u groups of NICs are SYS to all GPUs; %s is assumed", count,
                      gpu_nodes > 1 ? "a place below the CPUs of GPUs, in order," : "one more CPU");
}

void cs_smi_make_groups(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    bool *is_apart = cs_arena_alloc(reader->graph->arena, n, sizeof(*is_apart));

    for (uint32_t level = 0; level < CS_SMI_LEVELS; level++) {
        reader->group[level] = cs_arena_alloc(reader->graph->arena, n, sizeof(uint32_t));
        for (uint32_t i = 0; i < n; i++)
            reader->group[level][i] = i;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = a + 1; b < n; b++)
                if (cs_smi_at(reader, a, b)->level <= level)
                    smi_unite(reader, level, a, b);
    }
    unite_by_affinity(reader, is_apart);
    place_cut_gpus(reader, is_apart);
    place_lone_nics(reader, is_apart);
}

/* The number of groups of level `lower` in group `first` of level `upper`. */
static uint32_t smi_parts(const struct cs_smi_reader *reader, uint32_t lower, uint32_t upper,
                          uint32_t first)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        count += reader->group[upper][i] == first && reader->group[lower][i] == i;
    return count;
}

static uint32_t smi_members(const struct cs_smi_reader *reader, uint32_t level, uint32_t first)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        count += reader->group[level][i] == first;
    return count;
}

/* A GPU in the package of its CPU, as GB10, has adapters on four lanes. */
static void smi_join_pcie(const struct cs_smi_reader *reader, uint32_t a, uint32_t b)
{
    bool is_chip = cs_same(reader->gpu->pcie, "nvlink-c2c");

    cs_link_kind_join_class(reader->graph, a, b, is_chip ? "pcie5 x4" : reader->gpu->pcie);
}

static uint32_t smi_add_part(const struct cs_smi_reader *reader, const char *stem, uint32_t number,
                             enum cs_device_kind kind)
{
    return cs_graph_add(reader->graph, kind, 0,
                        cs_arena_printf(reader->graph->arena, "%s%u", stem, number));
}

/* place[level][first] is the device above the group of that level with that
 * first member. */
struct smi_tree {
    uint32_t *place[CS_SMI_LEVELS];
    uint32_t bridges, switches;
};

/* Whether the GPUs are on Grace, by model: joined to the CPU by a C2C link. */
static bool is_on_grace(const struct cs_smi_reader *reader)
{
    static const char *const models[] = {"gh200", "gb200", "gb300", "gb10"};

    for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++)
        if (cs_same(reader->gpu->name, models[i]))
            return true;
    return false;
}

/* A NUMA node with several host bridges gets a device per bridge: part of the
 * CPU, and not one itself. */
static void place_bridge(const struct cs_smi_reader *reader, struct smi_tree *tree, uint32_t i)
{
    uint32_t cpu = tree->place[CS_SMI_NODE][reader->group[CS_SMI_NODE][i]];

    tree->place[CS_SMI_PHB][i] = cpu;
    if (is_on_grace(reader) ||
        smi_parts(reader, CS_SMI_PHB, CS_SMI_NODE, reader->group[CS_SMI_NODE][i]) == 1)
        return;
    tree->place[CS_SMI_PHB][i] = smi_add_part(reader, "hb", tree->bridges++, CS_DEVICE_SWITCH);
    cs_link_kind_join(reader->graph, tree->place[CS_SMI_PHB][i], cpu, "local", 0);
}

/* A group gets a switch if the switch has several children. */
static void place_switch(const struct cs_smi_reader *reader, struct smi_tree *tree, uint32_t level,
                         uint32_t i)
{
    uint32_t above = tree->place[level + 1][reader->group[level + 1][i]];
    bool needed = level == CS_SMI_PXB ? smi_parts(reader, CS_SMI_PIX, CS_SMI_PXB, i) > 1
                                      : smi_members(reader, CS_SMI_PIX, i) > 1 ||
                                            smi_parts(reader, CS_SMI_PIX, CS_SMI_PXB,
                                                      reader->group[CS_SMI_PXB][i]) > 1;

    tree->place[level][i] = above;
    if (!needed)
        return;
    tree->place[level][i] = smi_add_part(reader, "plx", tree->switches++, CS_DEVICE_SWITCH);
    smi_join_pcie(reader, tree->place[level][i], above);
}

static void place_cpus(const struct cs_smi_reader *reader, struct smi_tree *tree)
{
    uint32_t first = reader->graph->device_count, n = reader->matrix.columns;
    uint32_t *cpus = cs_arena_alloc(reader->graph->arena, n, sizeof(*cpus));
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        if (reader->group[CS_SMI_NODE][i] == i)
            tree->place[CS_SMI_NODE][i] =
                smi_add_part(reader, "cpu", reader->graph->device_count - first, CS_DEVICE_CPU);
    for (uint32_t d = first; d < reader->graph->device_count; d++) {
        if (is_on_grace(reader))
            reader->graph->devices[d].vendor = CS_CPU_ARM;
        cpus[count++] = d;
    }
    cs_sockets_join(reader->graph, cpus, count, is_on_grace(reader) ? "arm-socket" : "upi",
                    "cpu-fabric", 0);
    if (count > 2)
        cs_graph_note(reader->graph,
                      "each of %u NUMA nodes is read as a socket; a socket may have several",
                      count);
    if (is_on_grace(reader))
        cs_graph_note(reader->graph,
                      "GPUs of %s are joined to Grace CPUs by C2C links, which the matrix omits",
                      reader->gpu->name);
    else if (count > 1)
        cs_graph_note(reader->graph, "the CPU model is unknown; UPI is assumed between NUMA nodes");
}

void cs_smi_join_tree(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    struct smi_tree tree = {0};

    for (uint32_t level = 0; level < CS_SMI_LEVELS; level++)
        tree.place[level] = cs_arena_alloc(reader->graph->arena, n, sizeof(uint32_t));
    place_cpus(reader, &tree);
    for (uint32_t i = 0; i < n; i++)
        if (reader->group[CS_SMI_PHB][i] == i)
            place_bridge(reader, &tree, i);
    for (uint32_t i = 0; i < n; i++)
        if (reader->group[CS_SMI_PXB][i] == i)
            place_switch(reader, &tree, CS_SMI_PXB, i);
    for (uint32_t i = 0; i < n; i++) {
        if (reader->group[CS_SMI_PIX][i] == i)
            place_switch(reader, &tree, CS_SMI_PIX, i);
        if (is_on_grace(reader) && cs_smi_is_gpu(reader, i))
            cs_link_kind_join(reader->graph, i,
                              tree.place[CS_SMI_NODE][reader->group[CS_SMI_NODE][i]], "nvlink-c2c",
                              0);
        else
            smi_join_pcie(reader, i, tree.place[CS_SMI_PIX][reader->group[CS_SMI_PIX][i]]);
    }
}
