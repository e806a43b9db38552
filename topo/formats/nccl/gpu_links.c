#include "topo/formats/nccl/reader.h"

#include "topo/documents/xml.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- GPUs ---- */

static int by_dev(const void *a, const void *b)
{
    const struct cs_nccl_gpu *left = a, *right = b;

    if (left->host != right->host)
        return left->host < right->host ? -1 : 1;
    if (left->dev != right->dev)
        return left->dev < right->dev ? -1 : 1;
    return left->element < right->element ? -1 : left->element > right->element;
}

/* The machine of the library with whose name the file's begins: "p5.48xl-topo.xml" of Amazon
 * lists no GPUs.  The longest name; NULL: none. */
static const char *nccl_machine_of_file(const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *found = NULL;
    size_t longest = 0;

    for (size_t i = 0; i < cs_machine_file_count; i++) {
        const char *name = cs_machine_files[i].name;
        size_t length = strlen(name);

        if (length > longest && cs_nccl_begins(base, name) &&
            ispunct((unsigned char)base[length])) {
            found = name;
            longest = length;
        }
    }
    return found;
}

static int no_gpus(const struct cs_nccl_reader *reader)
{
    const char *machine = nccl_machine_of_file(reader->graph->file);

    if (reader->classless == CS_DOC_NONE)
        return cs_doc_err(reader->doc, 0, reader->err,
                          "no GPU in this file; expected <gpu> or a PCI device of class 0x03");
    return cs_doc_err(reader->doc, reader->classless, reader->err,
                      "a PCI device without a class, which could be a GPU or a NIC; expected a "
                      "file written by NCCL_TOPO_DUMP_FILE on the machine itself%s%s",
                      machine ? ", or the library's machine of that name: --topo " : "",
                      machine ? machine : "");
}

static int nccl_check_twice(const struct cs_nccl_reader *reader, uint32_t i)
{
    const struct cs_nccl_gpu *gpu = &reader->gpus[i];

    if (i > 0 && gpu[-1].host == gpu->host && gpu[-1].dev == gpu->dev)
        return cs_doc_err(reader->doc, gpu->element, reader->err,
                          "GPU dev %lld is a duplicate of line %u", (long long)gpu->dev,
                          reader->doc->nodes[gpu[-1].element].line);
    for (uint32_t j = 0; j < i; j++)
        if (reader->gpus[j].busid == gpu->busid && reader->gpus[j].host == gpu->host)
            return cs_doc_err(reader->doc, gpu->element, reader->err,
                              "busid '%.40s' is a duplicate of line %u",
                              cs_doc_attribute(reader->doc, gpu->element, "busid"),
                              reader->doc->nodes[reader->gpus[j].element].line);
    return 0;
}

/* The links that a GPU's element counts. */
static uint32_t nccl_links_of(const struct cs_nccl_reader *reader, uint32_t gpu)
{
    uint32_t links = 0;

    for (uint32_t i = reader->doc->nodes[gpu].first; i != CS_DOC_NONE;
         i = reader->doc->nodes[i].next) {
        const char *count = cs_doc_attribute(reader->doc, i, "count");

        if (cs_doc_is(reader->doc, i, "nvlink") || cs_doc_is(reader->doc, i, "xgmi"))
            links += count ? (uint32_t)strtoul(count, NULL, 10) : 1;
    }
    return links;
}

static uint32_t nccl_pci_number(const struct cs_nccl_reader *reader, uint32_t element,
                                const char *attribute)
{
    const char *text = cs_doc_attribute(reader->doc, element, attribute);

    return text ? (uint32_t)strtoul(text, NULL, 16) : 0;
}

/* "gfx90a" and, in older files, "910" are generation 910; "gfx942" is 942. */
static uint32_t nccl_amd_generation(const char *gcn)
{
    if (cs_nccl_begins(gcn, "gfx"))
        gcn += strlen("gfx");
    if (cs_nccl_begins(gcn, "90a"))
        return 910;
    return (uint32_t)strtoul(gcn, NULL, 10);
}

/* By the PCI numbers, or else by compute capability or chip; a file without
 * both has no model.  RCCL states the number of compute units as `sm`. */
static const struct cs_gpu_kind *nccl_model_of(const struct cs_nccl_reader *reader,
                                               const struct cs_nccl_gpu *gpu)
{
    const struct cs_gpu_kind *kind =
        cs_gpu_kind_of_pci(nccl_pci_number(reader, gpu->element, "vendor"),
                           nccl_pci_number(reader, gpu->element, "device"));
    const char *sm, *gcn;
    uint32_t links;

    if (kind || gpu->gpu == CS_DOC_NONE)
        return kind;
    sm = cs_doc_attribute(reader->doc, gpu->gpu, "sm");
    gcn = cs_doc_attribute(reader->doc, gpu->gpu, "gcn");
    links = nccl_links_of(reader, gpu->gpu);
    if (gcn)
        return cs_gpu_kind_of_generation(CS_GPU_AMD, nccl_amd_generation(gcn), links);
    return sm ? cs_gpu_kind_of_generation(CS_GPU_NVIDIA, (uint32_t)strtoul(sm, NULL, 10), links)
              : NULL;
}

int cs_nccl_add_gpus(struct cs_nccl_reader *reader)
{
    if (reader->gpu_count == 0)
        return no_gpus(reader);
    qsort(reader->gpus, reader->gpu_count, sizeof(*reader->gpus), by_dev);
    for (uint32_t i = 0; i < reader->gpu_count; i++) {
        struct cs_nccl_gpu *gpu = &reader->gpus[i];
        int64_t dev = gpu->gpu == CS_DOC_NONE ? (int64_t)i : gpu->dev;
        int rc = nccl_check_twice(reader, i);

        if (rc)
            return rc;
        gpu->device = cs_nccl_add_numbered(reader, "gpu", dev, CS_DEVICE_GPU, gpu->element);
        reader->graph->devices[gpu->device].model = nccl_model_of(reader, gpu);
        rc = cs_nccl_join(reader, gpu->element, gpu->device);
        if (rc)
            return rc;
    }
    return 0;
}

/* ---- links between GPUs ---- */

/* NCCL's choice by compute capability; RCCL's by the name of the chip. */
static const char *link_kind_of(const struct cs_nccl_reader *reader, uint32_t gpu, uint32_t link)
{
    if (cs_doc_is(reader->doc, link, "xgmi"))
        return cs_nccl_xgmi_kind(cs_doc_attribute(reader->doc, gpu, "gcn"));
    return cs_nccl_nvlink_kind(cs_doc_attribute(reader->doc, gpu, "sm"));
}

/* Numbers of links from GPU `row` to GPU `column`; the last column is for
 * links to NVSwitches. */
struct nccl_matrix {
    uint32_t *links;
    uint32_t n;
    const char **kinds; /* by GPU; NULL: no links */
    uint64_t *nvswitch; /* by host: the lowest bus id of its NVSwitches */
};

static uint32_t *nccl_cell(const struct nccl_matrix *matrix, uint32_t row, uint32_t column)
{
    return &matrix->links[(size_t)row * (matrix->n + 1) + column];
}

/* The column of a target; CS_DOC_NONE, with a note, for an unknown target. */
static uint32_t target_of(const struct cs_nccl_reader *reader, const struct nccl_matrix *matrix,
                          uint32_t row, uint32_t link, const char *target)
{
    const char *tclass = cs_doc_attribute(reader->doc, link, "tclass");
    uint64_t *least = &matrix->nvswitch[reader->gpus[row].host];
    uint64_t id = cs_nccl_busid(target);
    uint32_t i = 0;

    if ((tclass && cs_nccl_begins(tclass, "0x068000")) || cs_nccl_begins(target, "fffffff")) {
        if (id < *least)
            *least = id;
        return reader->gpu_count;
    }
    while (i < reader->gpu_count &&
           (reader->gpus[i].busid != id || reader->gpus[i].host != reader->gpus[row].host))
        i++;
    if (i == row)
        cs_graph_note(reader->graph, "line %u: a link from a GPU to itself is ignored",
                      reader->doc->nodes[link].line);
    else if (i < reader->gpu_count)
        return i;
    else
        cs_graph_note(reader->graph,
                      "line %u: links to '%.40s' are ignored: no such GPU in this file",
                      reader->doc->nodes[link].line, target);
    return CS_DOC_NONE;
}

/* NVLinks of POWER9 and the chip-to-chip link of Grace lead to the socket. */
static int join_socket(struct cs_nccl_reader *reader, uint32_t row, uint32_t link, int64_t count)
{
    const struct cs_nccl_gpu *gpu = &reader->gpus[row];
    struct cs_wire *wire;
    int64_t megabytes;
    int rc;

    if (cs_doc_is(reader->doc, link, "c2c")) {
        rc = cs_xml_want_number(reader->doc, link,
                                &(struct cs_xml_number){"bw", 1, CS_NCCL_MBPS_MAX}, &megabytes,
                                reader->err);
        if (rc)
            return rc;
        wire = cs_link_kind_join(reader->graph, gpu->device, gpu->cpu, "local", 0);
        wire->rate_Bps = (double)(megabytes * count) * 1e6;
        wire->class_name = "c2c";
        wire->family = CS_LINK_C2C;
        wire->source = "rate: the file; latency: unknown, none assumed";
    } else {
        wire = cs_link_kind_join(reader->graph, gpu->device, gpu->cpu,
                                 link_kind_of(reader, gpu->gpu, link), (uint32_t)count);
    }
    wire->line = reader->doc->nodes[link].line;
    return 0;
}

static int nccl_read_link(struct cs_nccl_reader *reader, struct nccl_matrix *matrix, uint32_t row,
                          uint32_t link)
{
    const char *tclass = cs_doc_attribute(reader->doc, link, "tclass");
    const char *target;
    uint32_t column;
    int64_t count;
    int rc =
        cs_xml_number_or(reader->doc, link, &(struct cs_xml_number){"count", 1, CS_NCCL_LINKS_MAX},
                         1, &count, reader->err);

    if (rc)
        return rc;
    reader->has_links = true;
    if (cs_doc_is(reader->doc, link, "c2c") || (tclass && cs_nccl_begins(tclass, "0x068001")))
        return join_socket(reader, row, link, count);
    rc = cs_xml_want_text(reader->doc, link, "target", &target, reader->err);
    if (rc)
        return rc;
    column = target_of(reader, matrix, row, link, target);
    if (column == CS_DOC_NONE)
        return 0;
    matrix->kinds[row] = link_kind_of(reader, reader->gpus[row].gpu, link);
    *nccl_cell(matrix, row, column) += (uint32_t)count;
    if (*nccl_cell(matrix, row, column) > CS_LINK_WIDTH_MAX)
        return cs_doc_err(reader->doc, link, reader->err,
                          "over %d links from one GPU to one target", CS_LINK_WIDTH_MAX);
    return 0;
}

static int nccl_read_links(struct cs_nccl_reader *reader, struct nccl_matrix *matrix)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    int rc = 0;

    for (uint32_t g = 0; g < reader->gpu_count; g++) {
        uint32_t gpu = reader->gpus[g].gpu;

        if (gpu == CS_DOC_NONE)
            continue;
        for (uint32_t i = nodes[gpu].first; i != CS_DOC_NONE && !rc; i = nodes[i].next)
            if (cs_doc_is(reader->doc, i, "nvlink") || cs_doc_is(reader->doc, i, "xgmi") ||
                cs_doc_is(reader->doc, i, "c2c"))
                rc = nccl_read_link(reader, matrix, g, i);
    }
    return rc;
}

/* Hosts with the same lowest bus id share one NVSwitch (NVLink across
 * hosts). `devices`, by first host, is the switch plus one. */
static uint32_t nvswitch_of(struct cs_nccl_reader *reader, const struct nccl_matrix *matrix,
                            uint32_t *devices, uint32_t host)
{
    uint32_t first = 0, users = 0;

    while (matrix->nvswitch[first] != matrix->nvswitch[host])
        first++;
    for (uint32_t i = 0; i < reader->host_count; i++)
        users += matrix->nvswitch[i] == matrix->nvswitch[host];
    if (devices[first] == 0)
        devices[first] = 1 + cs_graph_add(reader->graph, CS_DEVICE_SWITCH,
                                          users == 1 && reader->host_count > 1 ? first : CS_NO_HOST,
                                          users == reader->host_count
                                              ? "nvswitch"
                                              : cs_arena_printf(reader->graph->arena, "%snvswitch",
                                                                cs_nccl_prefix(reader, first)));
    return devices[first] - 1;
}

/* One wire per pair of GPUs, even where the file lists the link at one end
 * only. */
static void join_pairs(struct cs_nccl_reader *reader, const struct nccl_matrix *matrix,
                       uint32_t row)
{
    const struct cs_nccl_gpu *gpus = reader->gpus;

    for (uint32_t column = row + 1; column < matrix->n; column++) {
        uint32_t there = *nccl_cell(matrix, row, column);
        uint32_t back = *nccl_cell(matrix, column, row);
        const char *kind = there ? matrix->kinds[row] : matrix->kinds[column];

        if (there != back)
            cs_graph_note(
                reader->graph,
                "lines %u and %u count %u and %u links between two GPUs; the larger count is used",
                reader->doc->nodes[gpus[row].element].line,
                reader->doc->nodes[gpus[column].element].line, there, back);
        if (there || back)
            cs_link_kind_join(reader->graph, gpus[row].device, gpus[column].device, kind,
                              there > back ? there : back)
                ->line = reader->doc->nodes[gpus[row].element].line;
    }
}

/* No GPU has more than the 36 links of NVLink 6. */
static void note_many_links(const struct cs_nccl_reader *reader, const struct nccl_matrix *matrix,
                            uint32_t row)
{
    uint64_t sum = 0;

    for (uint32_t column = 0; column <= matrix->n; column++)
        sum += *nccl_cell(matrix, row, column);
    if (sum > CS_NCCL_GPU_LINKS_MAX)
        cs_graph_note(
            reader->graph,
            "line %u: a GPU with %llu links, more than the %d of any known GPU; all are used",
            reader->doc->nodes[reader->gpus[row].element].line, (unsigned long long)sum,
            CS_NCCL_GPU_LINKS_MAX);
}

int cs_nccl_join_gpus(struct cs_nccl_reader *reader)
{
    struct nccl_matrix matrix = {.n = reader->gpu_count};
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint32_t *nvswitches = cs_arena_alloc(&scratch, reader->host_count, sizeof(*nvswitches));
    int rc;

    matrix.nvswitch = cs_arena_alloc(&scratch, reader->host_count, sizeof(*matrix.nvswitch));
    memset(matrix.nvswitch, 0xff, reader->host_count * sizeof(*matrix.nvswitch));
    matrix.links =
        cs_arena_alloc(&scratch, (size_t)matrix.n * (matrix.n + 1), sizeof(*matrix.links));
    matrix.kinds = cs_arena_alloc(&scratch, matrix.n, sizeof(*matrix.kinds));
    rc = nccl_read_links(reader, &matrix);
    for (uint32_t row = 0; row < matrix.n && !rc; row++) {
        uint32_t links = *nccl_cell(&matrix, row, matrix.n);

        note_many_links(reader, &matrix, row);
        join_pairs(reader, &matrix, row);
        if (links)
            cs_link_kind_join(reader->graph, reader->gpus[row].device,
                              nvswitch_of(reader, &matrix, nvswitches, reader->gpus[row].host),
                              matrix.kinds[row], links)
                ->line = reader->doc->nodes[reader->gpus[row].element].line;
    }
    return rc;
}
