/*
 * rocm-smi: the output of `rocm-smi --showtopo`.
 *
 * The block "Link Type" lists pairs of GPUs joined by xGMI, "Hops" the direct
 * pairs, and "Numa Node" the CPU of a GPU.  Other traffic uses PCIe and the
 * sockets.  The number of links per pair is unknown and assumed to be 1; the
 * GPU is guessed unless --gpu names it.
 */
#include "sim/base/text.h"
#include "topo/formats/matrix.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <stdlib.h>
#include <string.h>

#define LINK_TITLE "Link Type between two GPUs"
#define HOPS_TITLE "Hops between two GPUs"
#define NUMA_TITLE "(Topology) Numa Node:"

enum {
    NUMA_MAX = 256
};

struct rocm_reader {
    struct cs_matrix types, hops;
    struct cs_graph *graph;
    struct cs_err *err;
    const struct cs_gpu_kind *gpu;
    bool named; /* by --gpu, not a guess */
    bool has_hops;
};

static int read_blocks(struct rocm_reader *reader, struct cs_doc_text text)
{
    struct cs_arena *arena = reader->graph->arena;
    int rc =
        cs_matrix_read(text, LINK_TITLE, &reader->types, arena, reader->err);

    if (rc)
        return rc;
    reader->has_hops =
        cs_matrix_read(text, HOPS_TITLE, &reader->hops, arena, NULL) == 0 &&
        reader->hops.columns == reader->types.columns;
    return 0;
}

/* Sets *direct if an xGMI link joins the GPUs without a GPU between. */
static int rocm_is_direct(const struct rocm_reader *reader, uint32_t a,
                          uint32_t b, bool *direct)
{
    const char *type = cs_matrix_cell(&reader->types, a, b);
    const char *hops =
        reader->has_hops ? cs_matrix_cell(&reader->hops, a, b) : NULL;

    if (a == b && (!type || cs_same(type, "0")))
        return 0;
    if (a == b)
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file,
                         reader->types.lines[a],
                         "cell '%.20s' from %s to itself; expected 0", type,
                         reader->types.names[a]);
    *direct = type && cs_same(type, "XGMI") && (!hops || cs_same(hops, "1"));
    if (!type || cs_same(type, "XGMI") || cs_same(type, "PCIE"))
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->graph->file,
                     reader->types.lines[a],
                     "cell '%.20s' in row %s; expected XGMI or PCIE", type,
                     reader->types.names[a]);
}

/* A pair is direct if either cell says so. */
static int join_xgmi(struct rocm_reader *reader, bool *direct)
{
    uint32_t n = reader->types.columns;
    int rc = 0;

    for (uint32_t a = 0; a < n && !rc; a++)
        for (uint32_t b = 0; b < n && !rc; b++)
            rc = rocm_is_direct(reader, a, b, &direct[a * n + b]);
    return rc;
}

static uint32_t most_peers(const bool *direct, uint32_t n)
{
    uint32_t most = 0;

    for (uint32_t a = 0; a < n; a++) {
        uint32_t peers = 0;

        for (uint32_t b = 0; b < n; b++)
            peers += direct[a * n + b] || direct[b * n + a];
        most = peers > most ? peers : most;
    }
    return most;
}

static int rocm_choose_gpu(struct rocm_reader *reader, const char *name,
                           uint32_t peers)
{
    int rc;

    if (!name) {
        reader->gpu = cs_gpu_kind_guess("XGMI", peers);
        if (!reader->gpu)
            (void)cs_gpu_kind_find("mi250x", &reader->gpu, NULL);
        cs_graph_note(reader->graph,
                      "the GPU model is unknown; guessed %s from %u xGMI "
                      "peers; --gpu NAME sets it",
                      reader->gpu->name, peers);
        return 0;
    }
    reader->named = true;
    rc = cs_gpu_kind_find(name, &reader->gpu, reader->err);
    if (!rc && (!cs_gpu_kind_has_links(reader->gpu, "XGMI") ||
                peers > reader->gpu->links))
        rc = cs_err_at(reader->err, CS_EINPUT, reader->graph->file,
                       reader->types.line,
                       "--gpu %s; this matrix has GPUs with %u xGMI peers",
                       reader->gpu->name, peers);
    return rc;
}

/* ---- sockets ---- */

/* Reads lines "GPU[3] : (Topology) Numa Node: 1"; the default is node 0. */
static void rocm_read_nodes(const struct rocm_reader *reader,
                            struct cs_doc_text text, uint32_t *nodes)
{
    const char *end = text.text + text.length;
    const char *at = text.text;

    while (
        (at = memmem(at, (size_t)(end - at), NUMA_TITLE, strlen(NUMA_TITLE)))) {
        const char *line = at;
        unsigned long gpu;
        unsigned long node;

        while (line > text.text && line[-1] != '\n')
            line--;
        line += strspn(line, " \t");
        at += strlen(NUMA_TITLE);
        if (strncmp(line, "GPU[", 4) != 0)
            continue;
        gpu = strtoul(line + 4, NULL, 10);
        node = strtoul(at, NULL, 10);
        if (gpu < reader->types.columns && node < NUMA_MAX)
            nodes[gpu] = (uint32_t)node;
    }
}

static void rocm_join_pcie(struct rocm_reader *reader, struct cs_doc_text text)
{
    struct cs_graph *graph = reader->graph;
    uint32_t n = reader->types.columns;
    uint32_t *nodes = cs_arena_alloc(graph->arena, n, sizeof(*nodes));
    uint32_t cpus[NUMA_MAX] = {
        0}; /* device; 0: no CPU, because device 0 is a GPU */

    rocm_read_nodes(reader, text, nodes);
    for (uint32_t i = 0; i < n; i++) {
        struct cs_wire wire = {.a = i};

        if (!cpus[nodes[i]])
            cpus[nodes[i]] = cs_graph_add_device(
                graph, (struct cs_device){.name = cs_arena_printf(
                                              graph->arena, "cpu%u", nodes[i]),
                                          .kind = CS_DEVICE_CPU});
        (void)cs_link_kind_find(reader->gpu->pcie, &wire, NULL);
        wire.b = cpus[nodes[i]];
        wire.class_name = reader->gpu->pcie;
        cs_graph_add_wire(graph, wire);
    }
    for (uint32_t a = n; a < graph->device_count; a++)
        for (uint32_t b = a + 1; b < graph->device_count; b++)
            cs_link_kind_join(graph, a, b, "xgmi-socket", 0);
}

/* ---- the source ---- */

static void rocm_join_all(struct rocm_reader *reader, const bool *direct)
{
    uint32_t n = reader->types.columns;

    for (uint32_t i = 0; i < n; i++)
        cs_graph_add_device(
            reader->graph,
            (struct cs_device){
                .name = cs_arena_printf(reader->graph->arena, "gpu%u", i),
                .kind = CS_DEVICE_GPU,
                .model = reader->named ? reader->gpu : NULL,
                .line = reader->types.lines[i]});
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            if (direct[a * n + b] || direct[b * n + a])
                cs_link_kind_join(reader->graph, a, b, reader->gpu->link, 1)
                    ->line = reader->types.lines[a];
}

static int rocm_read(const struct cs_topo_request *request,
                     struct cs_doc_text text, struct cs_graph *graph,
                     struct cs_err *err)
{
    struct rocm_reader reader = {.graph = graph, .err = err};
    uint32_t peers;
    bool *direct;
    int rc = read_blocks(&reader, text);

    if (rc)
        return rc;
    direct = cs_arena_alloc(graph->arena,
                            (size_t)reader.types.columns * reader.types.columns,
                            sizeof(*direct));
    rc = join_xgmi(&reader, direct);
    peers = most_peers(direct, reader.types.columns);
    if (!rc)
        rc = rocm_choose_gpu(&reader, request->gpu, peers);
    if (rc)
        return rc;
    rocm_join_all(&reader, direct);
    rocm_join_pcie(&reader, text);
    if (peers)
        cs_graph_note(
            graph,
            "the number of links between two GPUs is unknown; one is assumed");
    graph->about = "from the output of rocm-smi";
    cs_graph_place_all(graph);
    cs_graph_place_servers(graph);
    return 0;
}

static bool rocm_recognises(struct cs_doc_text text)
{
    return memmem(text.text, text.length, LINK_TITLE, strlen(LINK_TITLE));
}

const struct cs_source cs_source_rocm_smi = {
    .name = "rocm-smi",
    .usage = "rocm-smi:FILE",
    .about = "the output of 'rocm-smi --showtopo'; --gpu sets the GPU model",
    .read = rocm_read,
    .takes_gpu = true,
    .recognises = rocm_recognises,
};
