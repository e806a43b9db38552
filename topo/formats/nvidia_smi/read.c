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
 * The matrix does not distinguish an NVSwitch from direct links; nvlinks.h has
 * the rule.  --gpu selects the rates; without --gpu the GPU is guessed from the
 * number of NVLinks, with a note.
 */
#include "topo/formats/matrix.h"
#include "topo/formats/nvidia_smi/nvlinks.h"
#include "topo/formats/nvidia_smi/pcie.h"
#include "topo/formats/nvidia_smi/reader.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"

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

static int smi_read(const struct cs_topo_request *request, struct cs_doc_text text,
                    struct cs_graph *graph, struct cs_err *err)
{
    struct cs_smi_reader reader = {.graph = graph, .err = err};
    int rc = cs_matrix_read(text, NULL, &reader.matrix, graph->arena, err);

    if (!rc)
        rc = cs_smi_read_cells(&reader);
    if (!rc)
        rc = cs_smi_choose_gpu(&reader, request->gpu);
    if (rc)
        return rc;
    smi_add_devices(&reader);
    cs_smi_join_nvlinks(&reader);
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
