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
#include "topo/formats/matrix.h"
#include "topo/formats/nvidia_smi/pcie.h"
#include "topo/formats/nvidia_smi/reader.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

/* ---- NVLinks ---- */

/* The number of NVLinks in a GPU's row. */
static uint32_t row_links(const struct cs_smi_reader *reader, uint32_t a)
{
    uint32_t sum = 0;

    for (uint32_t b = 0; b < reader->matrix.columns; b++)
        if (a != b)
            sum += cs_smi_at(reader, a, b)->links;
    return sum;
}

/* The number of NVLinks of every pair of GPUs; 0 if pairs differ, or with
 * two GPUs. */
static uint32_t links_of_all_pairs(const struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    uint32_t links = 0;

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            if (!cs_smi_is_gpu(reader, a) || !cs_smi_is_gpu(reader, b))
                continue;
            if (links && cs_smi_at(reader, a, b)->links != links)
                return 0;
            links = cs_smi_at(reader, a, b)->links;
            if (!links)
                return 0;
        }
    return reader->gpu_count > 2 ? links : 0;
}

/* Links of the GPU with the most. */
static uint32_t most_links(const struct cs_smi_reader *reader)
{
    uint32_t most = 0;

    for (uint32_t a = 0; a < reader->matrix.columns; a++)
        if (row_links(reader, a) > most)
            most = row_links(reader, a);
    return most;
}

static void guess_gpu(struct cs_smi_reader *reader)
{
    uint32_t each = links_of_all_pairs(reader);
    uint32_t links =
        each >= CS_SMI_SWITCH_LINKS_MIN ? each : most_links(reader);

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

static int smi_choose_gpu(struct cs_smi_reader *reader, const char *name)
{
    uint32_t most = most_links(reader);
    uint32_t each = links_of_all_pairs(reader);
    uint32_t needed = each >= CS_SMI_SWITCH_LINKS_MIN ? each : most;
    int rc;

    if (!name) {
        guess_gpu(reader);
        return 0;
    }
    reader->named = true;
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

static void smi_join_nvlinks(struct cs_smi_reader *reader)
{
    uint32_t n = reader->matrix.columns;
    uint32_t each = links_of_all_pairs(reader);
    bool is_switch =
        each >= CS_SMI_SWITCH_LINKS_MIN && each == reader->gpu->links;
    uint32_t nvswitch = 0;

    if (is_switch)
        nvswitch = cs_graph_add_device(
            reader->graph, (struct cs_device){.name = "nvswitch",
                                              .kind = CS_DEVICE_SWITCH,
                                              .host = CS_NO_HOST});
    for (uint32_t a = 0; a < n; a++) {
        if (is_switch && cs_smi_is_gpu(reader, a))
            cs_link_kind_join(reader->graph, a, nvswitch, reader->gpu->link,
                              each)
                ->line = reader->matrix.lines[a];
        for (uint32_t b = a + 1; b < n && !is_switch; b++)
            if (cs_smi_at(reader, a, b)->links)
                cs_link_kind_join(reader->graph, a, b, reader->gpu->link,
                                  cs_smi_at(reader, a, b)->links)
                    ->line = reader->matrix.lines[a];
    }
}

/* ---- the source ---- */

/* Device i is column i. */
static void smi_add_devices(struct cs_smi_reader *reader)
{
    for (uint32_t i = 0; i < reader->matrix.columns; i++) {
        char *name =
            cs_arena_text(reader->graph->arena, reader->matrix.names[i]);
        bool is_gpu = cs_smi_is_gpu(reader, i);

        for (char *letter = name; *letter; letter++)
            if (*letter >= 'A' && *letter <= 'Z')
                *letter = (char)(*letter | 0x20);
        cs_graph_add_device(
            reader->graph,
            (struct cs_device){.name = name,
                               .kind = is_gpu ? CS_DEVICE_GPU : CS_DEVICE_NIC,
                               .model =
                                   is_gpu && reader->named ? reader->gpu : NULL,
                               .line = reader->matrix.lines[i]});
    }
}

static int smi_read(const struct cs_topo_request *request,
                    struct cs_doc_text text, struct cs_graph *graph,
                    struct cs_err *err)
{
    struct cs_smi_reader reader = {.graph = graph, .err = err};
    int rc = cs_matrix_read(text, NULL, &reader.matrix, graph->arena, err);

    if (!rc)
        rc = cs_smi_read_cells(&reader);
    if (!rc)
        rc = smi_choose_gpu(&reader, request->gpu);
    if (rc)
        return rc;
    smi_add_devices(&reader);
    smi_join_nvlinks(&reader);
    cs_smi_make_groups(&reader);
    cs_smi_join_tree(&reader);
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
