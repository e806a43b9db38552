#include "topo/formats/nvidia_smi/nvlinks.h"

#include "sim/base/text.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <string.h>

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
    uint32_t one = reader->links[a].mesh;
    uint32_t other = reader->links[b].mesh;
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

int cs_smi_choose_gpu(struct cs_smi_reader *reader, const char *name)
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
    uint32_t nvswitch = cs_graph_add_device(
        reader->graph,
        (struct cs_device){.name = name, .kind = CS_DEVICE_SWITCH, .host = CS_NO_HOST});

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

void cs_smi_join_nvlinks(struct cs_smi_reader *reader)
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
