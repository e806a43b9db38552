#include "topo/formats/nvidia_smi/pcie.h"

#include "sim/base/text.h"
#include "topo/formats/nvidia_smi/reader.h"
#include "topo/graph/graph.h"
#include "topo/kinds/link_kind.h"

#include <string.h>

/* ---- PCIe ---- */

/* Joins two groups; the first device names the group. */
static void smi_unite(const struct cs_smi_reader *reader, uint32_t level,
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
static bool are_apart(const struct cs_smi_reader *reader, uint32_t a,
                      uint32_t b)
{
    const uint32_t *group = reader->group[CS_SMI_NODE];

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        for (uint32_t j = 0; j < reader->matrix.columns; j++)
            if (group[i] == group[a] && group[j] == group[b] &&
                cs_smi_at(reader, i, j)->level == CS_SMI_SYS)
                return true;
    return false;
}

static bool same_affinity(const struct cs_smi_reader *reader, uint32_t a,
                          uint32_t b)
{
    const char *left = reader->matrix.tails[a];
    const char *right = reader->matrix.tails[b];

    return left && right && cs_same(left, right) &&
           strspn(left, "0123456789-,") == strlen(left);
}

void cs_smi_make_groups(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;

    for (uint32_t level = 0; level < CS_SMI_LEVELS; level++) {
        reader->group[level] =
            cs_arena_alloc(reader->graph->arena, n, sizeof(uint32_t));
        for (uint32_t i = 0; i < n; i++)
            reader->group[level][i] = i;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = a + 1; b < n; b++)
                if (cs_smi_at(reader, a, b)->level <= level)
                    smi_unite(reader, level, a, b);
    }
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            if (reader->group[CS_SMI_NODE][a] !=
                    reader->group[CS_SMI_NODE][b] &&
                cs_smi_at(reader, a, b)->level == CS_SMI_NVLINK &&
                same_affinity(reader, a, b) && !are_apart(reader, a, b))
                smi_unite(reader, CS_SMI_NODE, a, b);
}

/* The number of groups of level `lower` in group `first` of level `upper`. */
static uint32_t smi_parts(const struct cs_smi_reader *reader, uint32_t lower,
                          uint32_t upper, uint32_t first)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        count +=
            reader->group[upper][i] == first && reader->group[lower][i] == i;
    return count;
}

static uint32_t smi_members(const struct cs_smi_reader *reader, uint32_t level,
                            uint32_t first)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->matrix.columns; i++)
        count += reader->group[level][i] == first;
    return count;
}

static void smi_join_pcie(const struct cs_smi_reader *reader, uint32_t a,
                          uint32_t b)
{
    struct cs_wire wire = {.a = a, .b = b};

    (void)cs_link_kind_find(reader->gpu->pcie, &wire, NULL);
    wire.class_name = reader->gpu->pcie;
    (void)cs_graph_add_wire(reader->graph, wire);
}

static uint32_t smi_add_part(const struct cs_smi_reader *reader,
                             const char *stem, uint32_t number,
                             enum cs_device_kind kind)
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
    uint32_t *place[CS_SMI_LEVELS];
    uint32_t bridges, switches;
};

/* A NUMA node with several host bridges gets a device per bridge. */
static void place_bridge(const struct cs_smi_reader *reader,
                         struct smi_tree *tree, uint32_t i)
{
    uint32_t cpu = tree->place[CS_SMI_NODE][reader->group[CS_SMI_NODE][i]];

    tree->place[CS_SMI_PHB][i] = cpu;
    if (smi_parts(reader, CS_SMI_PHB, CS_SMI_NODE,
                  reader->group[CS_SMI_NODE][i]) == 1)
        return;
    tree->place[CS_SMI_PHB][i] =
        smi_add_part(reader, "hb", tree->bridges++, CS_DEVICE_CPU);
    cs_link_kind_join(reader->graph, tree->place[CS_SMI_PHB][i], cpu, "local",
                      0);
}

/* A group gets a switch if the switch has several children. */
static void place_switch(const struct cs_smi_reader *reader,
                         struct smi_tree *tree, uint32_t level, uint32_t i)
{
    uint32_t above = tree->place[level + 1][reader->group[level + 1][i]];
    bool needed = level == CS_SMI_PXB
                      ? smi_parts(reader, CS_SMI_PIX, CS_SMI_PXB, i) > 1
                      : smi_members(reader, CS_SMI_PIX, i) > 1 ||
                            smi_parts(reader, CS_SMI_PIX, CS_SMI_PXB,
                                      reader->group[CS_SMI_PXB][i]) > 1;

    tree->place[level][i] = above;
    if (!needed)
        return;
    tree->place[level][i] =
        smi_add_part(reader, "plx", tree->switches++, CS_DEVICE_SWITCH);
    smi_join_pcie(reader, tree->place[level][i], above);
}

static void place_cpus(const struct cs_smi_reader *reader,
                       struct smi_tree *tree)
{
    uint32_t first = reader->graph->device_count;
    uint32_t n = reader->matrix.columns;

    for (uint32_t i = 0; i < n; i++)
        if (reader->group[CS_SMI_NODE][i] == i)
            tree->place[CS_SMI_NODE][i] =
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

void cs_smi_join_tree(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    struct smi_tree tree = {0};

    for (uint32_t level = 0; level < CS_SMI_LEVELS; level++)
        tree.place[level] =
            cs_arena_alloc(reader->graph->arena, n, sizeof(uint32_t));
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
        smi_join_pcie(reader, i,
                      tree.place[CS_SMI_PIX][reader->group[CS_SMI_PIX][i]]);
    }
}
