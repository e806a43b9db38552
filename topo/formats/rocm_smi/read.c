/*
 * rocm-smi: the output of `rocm-smi --showtopo`; amd-smi: of `amd-smi topology`, with
 * `--json` too: a list of GPUs with a list of links each.
 *
 * The block of link types lists pairs of GPUs joined by xGMI, "Hops" the direct
 * pairs, and "Numa Node" the CPU of a GPU.  Other traffic uses PCIe and the
 * sockets.  amd-smi states no NUMA nodes: PCIe pairs with the least weight share
 * a CPU, and without such pairs one CPU is assumed.  Its table of bandwidths
 * ("50000-100000") has the rate of one link and of all; otherwise the number of
 * links per pair is unknown and assumed to be 1.  The GPU is guessed unless
 * --gpu names it.
 */
#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/documents/yaml.h"
#include "topo/formats/matrix.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/socket.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NUMA_TITLE "(Topology) Numa Node:"

enum {
    NUMA_MAX = 256,
    LINKS_MAX = 16, /* between two GPUs; the most seen are 4 */
};

/* Titles of tables, and the cell of a GPU and itself. */
struct rocm_tool {
    const char *name, *link_type, *hops, *weight, *bandwidth, *self;
};

static const struct rocm_tool tools[] = {
    {"rocm-smi", "Link Type between two GPUs", "Hops between two GPUs", "Weight between two GPUs",
     "Bandwidth between two GPUs", "0"},
    {"amd-smi", "LINK TYPE TABLE:", "HOPS TABLE:", "WEIGHT TABLE:", "NUMA BW TABLE:", "SELF"},
};

struct rocm_reader {
    const struct rocm_tool *tool;
    struct cs_matrix types, hops, weights, rates;
    struct cs_graph *graph;
    struct cs_err *err;
    const struct cs_gpu_kind *gpu;
    bool named; /* by --gpu, not a guess */
    bool has_hops, has_weights, has_rates;
};

/* The tool whose table of link types is in the text, or NULL. */
static const struct rocm_tool *tool_of(struct cs_doc_text text)
{
    for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
        if (memmem(text.text, text.length, tools[i].link_type, strlen(tools[i].link_type)))
            return &tools[i];
    return NULL;
}

/* A table that may be missing; false for a table of other columns, too. */
static bool read_more(const struct rocm_reader *reader, struct cs_doc_text text, const char *title,
                      struct cs_matrix *matrix)
{
    return cs_matrix_read(text, title, matrix, reader->graph->arena, NULL) == 0 &&
           matrix->columns == reader->types.columns;
}

static int read_blocks(struct rocm_reader *reader, struct cs_doc_text text)
{
    const struct rocm_tool *tool = tool_of(text);
    int rc;

    reader->tool = tool = tool ? tool : tools;
    rc = cs_matrix_read(text, tool->link_type, &reader->types, reader->graph->arena, reader->err);
    if (rc)
        return rc;
    reader->has_hops = read_more(reader, text, tool->hops, &reader->hops);
    reader->has_weights = read_more(reader, text, tool->weight, &reader->weights);
    reader->has_rates = read_more(reader, text, tool->bandwidth, &reader->rates);
    return 0;
}

/* The row of a GPU that a link leads to, by its number; `otherwise` without one. */
static uint32_t json_row(const struct cs_doc *doc, uint32_t link, uint32_t otherwise)
{
    const char *gpu = cs_doc_text_or(doc, link, "gpu", NULL);
    uint32_t row = 0;

    for (uint32_t i = doc->nodes[0].first; gpu && i != CS_DOC_NONE; i = doc->nodes[i].next, row++)
        if (cs_same(cs_doc_text_or(doc, i, "gpu", ""), gpu))
            return row;
    return otherwise;
}

/* Of amd-smi's JSON: the tables of the text, cell by cell. */
static int read_json(struct rocm_reader *reader, struct cs_doc_text text)
{
    static const char *const keys[] = {"link_type", "num_hops", "weight", "bandwidth"};
    struct cs_matrix *tables[] = {&reader->types, &reader->hops, &reader->weights, &reader->rates};
    struct cs_doc doc;
    uint32_t n, a = 0;

    if (cs_yaml_read_text(text, &doc, reader->graph->arena, reader->err) ||
        cs_doc_want_list(&doc, 0, "amd-smi's topology", reader->err))
        return CS_EINPUT;
    n = doc.nodes[0].count;
    if (!n || n > CS_MATRIX_COLUMNS_MAX)
        return cs_doc_err(&doc, 0, reader->err, "%u GPUs; expected 1 to %d", n,
                          CS_MATRIX_COLUMNS_MAX);
    for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
        cs_matrix_make(tables[k], n, reader->graph->arena);
    reader->tool = &tools[1];
    reader->has_hops = reader->has_weights = reader->has_rates = true;
    for (uint32_t gpu = doc.nodes[0].first; gpu != CS_DOC_NONE; gpu = doc.nodes[gpu].next, a++) {
        uint32_t links, b = 0;

        if (cs_doc_want_map(&doc, gpu, "a GPU", reader->err) ||
            cs_doc_need_list(&doc, gpu, "links", &links, reader->err))
            return CS_EINPUT;
        if (doc.nodes[links].count != n)
            return cs_doc_err(&doc, links, reader->err, "%u links; expected one to each of %u GPUs",
                              doc.nodes[links].count, n);
        reader->types.names[a] = cs_doc_text_or(&doc, gpu, "bdf", "a GPU");
        reader->types.lines[a] = doc.nodes[gpu].line;
        for (uint32_t l = doc.nodes[links].first; l != CS_DOC_NONE; l = doc.nodes[l].next, b++)
            for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
                tables[k]->cells[a * n + json_row(&doc, l, b)] =
                    cs_doc_text_or(&doc, l, keys[k], NULL);
    }
    return 0;
}

static bool is_json(struct cs_doc_text text)
{
    return text.length && *text.text == '[' && memmem(text.text, text.length, "\"link_type\"", 11);
}

/* Sets *direct if an xGMI link joins the GPUs without a GPU between. */
static int rocm_is_direct(const struct rocm_reader *reader, uint32_t a, uint32_t b, bool *direct)
{
    const char *type = cs_matrix_cell(&reader->types, a, b);
    const char *hops = reader->has_hops ? cs_matrix_cell(&reader->hops, a, b) : NULL;

    if (a == b && (!type || cs_same(type, reader->tool->self)))
        return 0;
    if (a == b)
        return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->types.lines[a],
                         "cell '%.20s' from %s to itself; expected %s", type,
                         reader->types.names[a], reader->tool->self);
    *direct = type && cs_same(type, "XGMI") && (!hops || cs_same(hops, "1"));
    if (!type || cs_same(type, "XGMI") || cs_same(type, "PCIE") || cs_same(type, "N/A"))
        return 0; /* N/A: no link of their own */
    return cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->types.lines[a],
                     "cell '%.20s' in row %s; expected XGMI or PCIE", type, reader->types.names[a]);
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

/* The number of links of a direct pair: "50000-100000" is the rate of one and of
 * all. */
static uint32_t links_between(const struct rocm_reader *reader, uint32_t a, uint32_t b)
{
    const char *cell = reader->has_rates ? cs_matrix_cell(&reader->rates, a, b) : NULL;
    unsigned long one, all;
    char *end;

    if (!cell)
        return 1;
    one = strtoul(cell, &end, 10);
    if (*end != '-' || one == 0)
        return 1;
    all = strtoul(end + 1, &end, 10);
    return *end == '\0' && all > one && all % one == 0 && all / one <= LINKS_MAX
               ? (uint32_t)(all / one)
               : 1;
}

/* Whether a table states the number of links of a pair. */
static bool has_link_counts(const struct rocm_reader *reader)
{
    const char *cell = reader->has_rates && reader->rates.columns > 1
                           ? cs_matrix_cell(&reader->rates, 0, 1)
                           : NULL;

    return cell && strchr(cell, '-') && *cell >= '1' && *cell <= '9';
}

/* The links of the GPU with the most. */
static uint32_t rocm_most_links(const struct rocm_reader *reader, const bool *direct)
{
    uint32_t n = reader->types.columns, most = 0;

    for (uint32_t a = 0; a < n; a++) {
        uint32_t links = 0;

        for (uint32_t b = 0; b < n; b++)
            if (direct[a * n + b] || direct[b * n + a])
                links += links_between(reader, a, b);
        most = links > most ? links : most;
    }
    return most;
}

static int rocm_choose_gpu(struct rocm_reader *reader, const char *name, uint32_t links)
{
    const char *what = has_link_counts(reader) ? "links" : "peers";
    int rc;

    if (!name && !links) {
        (void)cs_gpu_kind_find("mi250x", &reader->gpu, NULL);
        cs_graph_note(
            reader->graph,
            "the GPU model is unknown; guessed %s, because no GPUs have xGMI links; --gpu "
            "NAME sets it",
            reader->gpu->pcie);
        return 0;
    }
    if (!name) {
        reader->gpu = cs_gpu_kind_guess("XGMI", links);
        if (!reader->gpu)
            (void)cs_gpu_kind_find("mi250x", &reader->gpu, NULL);
        cs_graph_note(reader->graph,
                      "the GPU model is unknown; guessed %s from %u xGMI %s; --gpu NAME sets it",
                      reader->gpu->name, links, what);
        return 0;
    }
    reader->named = true;
    rc = cs_gpu_kind_find(name, &reader->gpu, reader->err);
    if (!rc && links && (!cs_gpu_kind_has_links(reader->gpu, "XGMI") || links > reader->gpu->links))
        rc = cs_err_at(reader->err, CS_EINPUT, reader->graph->file, reader->types.line,
                       "--gpu %s; this matrix has GPUs with %u xGMI %s", reader->gpu->name, links,
                       what);
    return rc;
}

/* ---- sockets ---- */

/* The weight of a PCIe pair, or 0. */
static unsigned long pcie_weight(const struct rocm_reader *reader, uint32_t a, uint32_t b)
{
    const char *type = cs_matrix_cell(&reader->types, a, b);
    const char *weight = cs_matrix_cell(&reader->weights, a, b);

    return type && weight && cs_same(type, "PCIE") ? strtoul(weight, NULL, 10) : 0;
}

/* Numbers of CPUs by GPU from weights: the least is that of a shared CPU. */
static void rocm_weigh_nodes(const struct rocm_reader *reader, uint32_t *nodes)
{
    uint32_t n = reader->types.columns;
    unsigned long least = ULONG_MAX;
    uint32_t count = 0;

    for (uint32_t i = 0; i < n * n; i++) {
        unsigned long weight = pcie_weight(reader, i / n, i % n);

        least = weight && weight < least ? weight : least;
    }
    for (uint32_t b = 0; b < n; b++) {
        uint32_t a = 0;
        bool apart = false;

        while (a < b && pcie_weight(reader, a, b) != least) {
            apart = apart || pcie_weight(reader, a, b);
            a++;
        }
        nodes[b] = a < b ? nodes[a] : apart && count < NUMA_MAX ? count : 0;
        count += a == b && (apart || b == 0) && count < NUMA_MAX;
    }
    cs_graph_note(reader->graph,
                  least == ULONG_MAX
                      ? "the CPUs of the GPUs are unknown; one is assumed"
                      : "the CPUs of the GPUs follow from the weights of PCIe pairs");
}

/* Reads lines "GPU[3] : (Topology) Numa Node: 1"; the default is node 0. */
static void rocm_read_nodes(const struct rocm_reader *reader, struct cs_doc_text text,
                            uint32_t *nodes)
{
    const char *end = text.text + text.length, *at = text.text;

    while ((at = memmem(at, (size_t)(end - at), NUMA_TITLE, strlen(NUMA_TITLE)))) {
        const char *line = at;
        unsigned long gpu, node;

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
    uint32_t *sockets = cs_arena_alloc(graph->arena, n, sizeof(*sockets));
    uint32_t count = 0;
    uint32_t cpus[NUMA_MAX] = {0}; /* device; 0: no CPU, because device 0 is a GPU */

    if (memmem(text.text, text.length, NUMA_TITLE, strlen(NUMA_TITLE)))
        rocm_read_nodes(reader, text, nodes);
    else if (reader->has_weights)
        rocm_weigh_nodes(reader, nodes);
    for (uint32_t i = 0; i < n; i++) {
        if (!cpus[nodes[i]])
            cpus[nodes[i]] = cs_graph_add(graph, CS_DEVICE_CPU, 0,
                                          cs_arena_printf(graph->arena, "cpu%u", nodes[i]));
        cs_link_kind_join_class(graph, i, cpus[nodes[i]], reader->gpu->pcie);
    }
    for (uint32_t d = n; d < graph->device_count; d++)
        sockets[count++] = d;
    cs_sockets_join(graph, sockets, count, "xgmi-socket", "cpu-fabric", 0);
}

/* ---- the source ---- */

static void rocm_join_all(struct rocm_reader *reader, const bool *direct)
{
    uint32_t n = reader->types.columns;

    for (uint32_t i = 0; i < n; i++)
        cs_graph_add_device(
            reader->graph,
            (struct cs_device){.name = cs_arena_printf(reader->graph->arena, "gpu%u", i),
                               .kind = CS_DEVICE_GPU,
                               .model = reader->named ? reader->gpu : NULL,
                               .line = reader->types.lines[i]});
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            if (direct[a * n + b] || direct[b * n + a])
                cs_link_kind_join(reader->graph, a, b, reader->gpu->link,
                                  links_between(reader, a, b))
                    ->line = reader->types.lines[a];
}

static int rocm_read(const struct cs_topo_request *request, struct cs_doc_text text,
                     struct cs_graph *graph, struct cs_err *err)
{
    struct rocm_reader reader = {.graph = graph, .err = err};
    uint32_t links;
    bool *direct;
    int rc = is_json(text) ? read_json(&reader, text) : read_blocks(&reader, text);

    if (rc)
        return rc;
    direct = cs_arena_alloc(graph->arena, (size_t)reader.types.columns * reader.types.columns,
                            sizeof(*direct));
    rc = join_xgmi(&reader, direct);
    links = rocm_most_links(&reader, direct);
    if (!rc)
        rc = rocm_choose_gpu(&reader, request->gpu, links);
    if (rc)
        return rc;
    rocm_join_all(&reader, direct);
    rocm_join_pcie(&reader, text);
    if (links && !has_link_counts(&reader))
        cs_graph_note(graph, "the number of links between two GPUs is unknown; one is assumed");
    graph->about = cs_arena_printf(graph->arena, "from the output of %s", reader.tool->name);
    return 0;
}

static bool rocm_recognises(struct cs_doc_text text)
{
    return tool_of(text) || is_json(text);
}

const struct cs_source cs_source_rocm_smi = {
    .name = "rocm-smi",
    .usage = "rocm-smi:FILE",
    .about = "the output of 'rocm-smi --showtopo'; --gpu sets the GPU model",
    .read = rocm_read,
    .takes_gpu = true,
    .recognises = rocm_recognises,
};

const struct cs_source cs_source_amd_smi = {
    .name = "amd-smi",
    .usage = "amd-smi:FILE",
    .about = "the output of 'amd-smi topology'; --gpu sets the GPU model",
    .read = rocm_read,
    .takes_gpu = true,
    .recognises = rocm_recognises,
};
