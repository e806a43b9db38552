/*
 * astra-sim: network files of ASTRA-sim's analytical backends.
 *
 *     topology: [ Ring, Switch ]        also FullyConnected; one per dimension
 *     npus_count: [ 4, 2 ]              8 NPUs, first dimension innermost
 *     bandwidth: [ 100.0, 50.0 ]        GB/s of 2^30 bytes
 *     latency: [ 500, 1000 ]            ns per link; a switch is two links
 *
 * Version 1 has JSON with other keys (astra-network-analytical, README and
 * src/topology/HierarchicalTopology.cc, Topology.cc):
 *
 *     "topologies-per-dim": ["Ring", "Switch"]    "units-count": [4, 2]
 *     "link-bandwidth": [100, 50]       GB/s of 10^9 bytes, of one link
 *     "link-latency": [500, 1000]       ns
 *     "links-count": [2, 1]             of an NPU: half of a ring's to each side
 *     "nic-latency", "router-latency"   ns; two NICs a message, and a router
 *
 * NPU i has the coordinates i mod 4, i / 4 mod 2, ...; NPUs that differ in a
 * single coordinate are connected by the topology of that dimension, with links
 * of that rate in each direction.  If messages pass through other NPUs, every
 * NPU has a router behind a link of latency 0.
 */
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/kinds/link_kind.h"

enum {
    DIMS_MAX = 16,    /* invented; 3 are common */
    NPUS_MAX = 65536, /* of the machine */
    WIRES_MAX = 1 << 20,
};

enum shape {
    RING,
    FULLY_CONNECTED,
    SWITCH,
    SHAPES,
};

static const char *const shape_names[SHAPES] = {"Ring", "FullyConnected", "Switch"};

struct dim {
    enum shape shape;
    uint32_t size;
    uint32_t stride; /* between neighbours in the dimension */
    struct cs_wire wire;
    uint32_t links; /* of an NPU, version 1; 0: as many as neighbours */
    uint64_t nic_ps, router_ps;
};

struct astra_reader {
    bool is_first_version;
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct dim dims[DIMS_MAX];
    uint32_t dim_count;
    uint32_t npus;
    uint32_t first_router; /* router of NPU 0; without routers NPU 0 */
};

/* ---- the document ---- */

static int read_shape(const struct astra_reader *reader, uint32_t node, struct dim *dim)
{
    const char *text;
    int rc = cs_doc_want_text(reader->doc, node, "'topology'", &text, reader->err);

    if (rc)
        return rc;
    if (reader->is_first_version && cs_same(text, "AllToAll"))
        text = shape_names[FULLY_CONNECTED];
    for (int i = 0; i < SHAPES; i++)
        if (cs_same(text, shape_names[i])) {
            dim->shape = (enum shape)i;
            return 0;
        }
    return cs_doc_err(reader->doc, node, reader->err, "no topology called '%.40s'%s", text,
                      cs_hint_all(text, shape_names, SHAPES).text);
}

/* A number of the file with the unit that ASTRA-sim defines for the key. */
static int with_unit(const struct astra_reader *reader, uint32_t node, const char *what,
                     const char *unit, const char **text)
{
    int rc = cs_doc_want_text(reader->doc, node, what, text, reader->err);

    if (!rc)
        *text = cs_arena_printf(reader->graph->arena, "%.60s %s", *text, unit);
    return rc;
}

static int astra_read_bandwidth(const struct astra_reader *reader, uint32_t node, double *rate_Bps)
{
    struct cs_err why = {0};
    const char *text;
    bool first = reader->is_first_version;
    int rc = with_unit(reader, node, "'bandwidth'", first ? "GB/s" : "GiB/s", &text);

    if (!rc && cs_units_rate(text, rate_Bps, &why))
        rc = cs_doc_err(reader->doc, node, reader->err,
                        "'bandwidth', a number of GB/s of %s bytes: %s", first ? "10^9" : "2^30",
                        why.text);
    return rc;
}

static int astra_read_ns(const struct astra_reader *reader, uint32_t node, uint64_t *time_ps)
{
    struct cs_err why = {0};
    const char *text;
    int rc = with_unit(reader, node, "'latency'", "ns", &text);

    if (!rc && cs_units_time(text, time_ps, &why))
        rc = cs_doc_err(reader->doc, node, reader->err, "'latency', a number of ns: %s", why.text);
    return rc;
}

enum column {
    SHAPE,
    SIZE,
    BANDWIDTH,
    LATENCY,
    LINKS,
    NIC_LATENCY,
    ROUTER_LATENCY,
    COLUMNS,
    NEEDED = LINKS, /* the others may be missing */
};

/* The keys of the columns, by version. */
static const char *const column_keys[2][COLUMNS] = {
    {"topology", "npus_count", "bandwidth", "latency"},
    {"topologies-per-dim", "units-count", "link-bandwidth", "link-latency", "links-count",
     "nic-latency", "router-latency"},
};

static int astra_read_value(const struct astra_reader *reader, enum column column, uint32_t node,
                            struct dim *dim)
{
    switch (column) {
    case SHAPE:
        return read_shape(reader, node, dim);
    case SIZE:
        return cs_doc_want_count(reader->doc, node, "'npus_count'", NPUS_MAX, &dim->size,
                                 reader->err);
    case BANDWIDTH:
        return astra_read_bandwidth(reader, node, &dim->wire.rate_Bps);
    case LATENCY:
        return astra_read_ns(reader, node, &dim->wire.latency_ps);
    case LINKS:
        return cs_doc_want_count(reader->doc, node, "'links-count'", NPUS_MAX, &dim->links,
                                 reader->err);
    default:
        return astra_read_ns(reader, node, column == NIC_LATENCY ? &dim->nic_ps : &dim->router_ps);
    }
}

/* A list with a value per dimension. */
static int read_column(struct astra_reader *reader, enum column column)
{
    const struct cs_doc *doc = reader->doc;
    const char *key = column_keys[reader->is_first_version][column];
    uint32_t list = key ? cs_doc_get(doc, 0, key) : CS_DOC_NONE;
    uint32_t count;
    int rc;

    if (list == CS_DOC_NONE && column >= NEEDED)
        return 0;
    if (list == CS_DOC_NONE)
        return cs_doc_err(doc, 0, reader->err, "'%s' is missing", key);
    rc = cs_doc_want_list(doc, list, key, reader->err);
    if (rc)
        return rc;
    count = doc->nodes[list].count;
    if (count == 0 || count > DIMS_MAX)
        return cs_doc_err(doc, list, reader->err, "%u dimensions; expected 1 to %d", count,
                          DIMS_MAX);
    if (reader->dim_count && reader->dim_count != count)
        return cs_doc_err(doc, list, reader->err, "'%s' has %u values, but there are %u dimensions",
                          key, count, reader->dim_count);
    reader->dim_count = count;
    count = 0;
    for (uint32_t i = doc->nodes[list].first; i != CS_DOC_NONE && !rc; i = doc->nodes[i].next)
        rc = astra_read_value(reader, column, i, &reader->dims[count++]);
    return rc;
}

/* Links of an NPU to a neighbour, and what NICs and routers add to a link. */
static int astra_first_version_links(struct astra_reader *reader)
{
    for (uint32_t d = 0; d < reader->dim_count; d++) {
        struct dim *dim = &reader->dims[d];
        uint32_t neighbours = dim->shape == SWITCH                  ? 1
                              : dim->shape == RING && dim->size > 2 ? 2
                                                                    : dim->size - 1;
        uint32_t each = dim->links && neighbours ? dim->links / neighbours : 1;

        if (each == 0)
            return cs_doc_err(
                reader->doc, cs_doc_get(reader->doc, 0, "links-count"), reader->err,
                "%u links of an NPU for %u neighbours in dimension %u; expected at least as many",
                dim->links, neighbours, d + 1);
        if (dim->links > each * neighbours)
            cs_graph_note(reader->graph,
                          "dimension %u: %u of %u links of an NPU are left out, as they do not "
                          "divide among %u neighbours",
                          d + 1, dim->links - each * neighbours, dim->links, neighbours);
        dim->wire.rate_Bps *= each;
        dim->wire.latency_ps +=
            dim->shape == SWITCH ? dim->nic_ps + dim->router_ps / 2 : 2 * dim->nic_ps;
    }
    return 0;
}

static int astra_read_file(struct astra_reader *reader)
{
    static const char *const first_keys[] = {
        "topology-name",  "dimensions-count", "topologies-per-dim", "units-count",
        "link-bandwidth", "link-latency",     "links-count",        "nic-latency",
        "router-latency", "hbm-latency",      "hbm-bandwidth",      "hbm-scale",
        "link-failure",   "dimension-type",   "use-fast-version",   NULL};
    static const char *const keys[] = {"topology", "npus_count", "bandwidth", "latency", NULL};
    int rc;

    reader->is_first_version = cs_doc_get(reader->doc, 0, "topologies-per-dim") != CS_DOC_NONE;
    rc = cs_doc_want_keys(reader->doc, 0, "a network of ASTRA-sim",
                          reader->is_first_version ? first_keys : keys, reader->err);
    for (int c = 0; c < COLUMNS && !rc; c++)
        rc = read_column(reader, (enum column)c);
    if (rc || !reader->is_first_version)
        return rc;
    if (cs_doc_get(reader->doc, 0, "hbm-scale") != CS_DOC_NONE)
        cs_graph_note(reader->graph,
                      "the memory of NPUs (hbm-latency, hbm-bandwidth, hbm-scale) is left out");
    return astra_first_version_links(reader);
}

/* Sets strides, and checks the numbers of NPUs and wires. */
static int astra_measure(struct astra_reader *reader)
{
    uint64_t npus = 1, wires = 0;

    for (uint32_t d = 0; d < reader->dim_count; d++) {
        reader->dims[d].stride = (uint32_t)npus;
        npus *= reader->dims[d].size;
        if (npus > NPUS_MAX)
            return cs_doc_err(reader->doc, 0, reader->err, "over %d NPUs", NPUS_MAX);
    }
    for (uint32_t d = 0; d < reader->dim_count; d++)
        wires +=
            reader->dims[d].shape == FULLY_CONNECTED ? npus * (reader->dims[d].size - 1) / 2 : npus;
    reader->npus = (uint32_t)npus;
    if (wires <= WIRES_MAX)
        return 0;
    return cs_doc_err(reader->doc, 0, reader->err, "%llu links; at most %d",
                      (unsigned long long)wires, WIRES_MAX);
}

/* ---- the machine ---- */

static bool needs_routers(const struct astra_reader *reader)
{
    return reader->dim_count > 1 || reader->dims[0].shape == RING;
}

static uint32_t astra_add_devices(struct astra_reader *reader, const char *stem,
                                  enum cs_device_kind kind)
{
    uint32_t first = reader->graph->device_count;

    for (uint32_t i = 0; i < reader->npus; i++)
        cs_graph_add(reader->graph, kind, i,
                     cs_arena_printf(reader->graph->arena, "%s%u", stem, i));
    return first;
}

static void add_npus(struct astra_reader *reader)
{
    reader->first_router = astra_add_devices(reader, "npu", CS_DEVICE_HOST);
    if (!needs_routers(reader))
        return;
    reader->first_router = astra_add_devices(reader, "router", CS_DEVICE_SWITCH);
    for (uint32_t i = 0; i < reader->npus; i++)
        cs_link_kind_join(reader->graph, i, reader->first_router + i, "local", 0)->latency_ps = 0;
}

static void astra_join(const struct astra_reader *reader, const struct dim *dim, uint32_t a,
                       uint32_t b)
{
    struct cs_wire wire = dim->wire;

    wire.a = a;
    wire.b = b;
    cs_graph_add_wire(reader->graph, wire);
}

/* Connects the NPUs base, base + stride, ... of a dimension. */
static void astra_join_group(const struct astra_reader *reader, const struct dim *dim,
                             uint32_t base)
{
    uint32_t first = reader->first_router + base, n = dim->size, centre = 0;

    if (dim->shape == SWITCH)
        centre = cs_graph_add(reader->graph, CS_DEVICE_SWITCH, CS_NO_HOST,
                              cs_arena_printf(reader->graph->arena, "switch%u.%u",
                                              (uint32_t)(dim - reader->dims), base));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t here = first + i * dim->stride;
        uint32_t next = first + (i + 1) % n * dim->stride;

        if (dim->shape == SWITCH)
            astra_join(reader, dim, here, centre);
        else if (dim->shape == RING && (n > 2 || i == 0) && n > 1)
            astra_join(reader, dim, here, next);
        for (uint32_t j = i + 1; j < n && dim->shape == FULLY_CONNECTED; j++)
            astra_join(reader, dim, here, first + j * dim->stride);
    }
}

static void join_dim(const struct astra_reader *reader, struct dim *dim)
{
    dim->wire.class_name = shape_names[dim->shape];
    dim->wire.efficiency = 1;
    dim->wire.duplex = CS_DUPLEX_FULL;
    dim->wire.source = reader->graph->file;
    for (uint32_t i = 0; i < reader->npus; i++)
        if (i / dim->stride % dim->size == 0)
            astra_join_group(reader, dim, i);
}

static int astra_read(const struct cs_topo_request *request, const struct cs_doc *doc,
                      struct cs_graph *graph, struct cs_err *err)
{
    struct astra_reader reader = {.doc = doc, .graph = graph, .err = err};

    (void)request;
    if (astra_read_file(&reader) || astra_measure(&reader))
        return CS_EINPUT;
    add_npus(&reader);
    for (uint32_t d = 0; d < reader.dim_count; d++)
        join_dim(&reader, &reader.dims[d]);
    graph->about = "a network of ASTRA-sim";
    cs_graph_note(graph, reader.is_first_version
                             ? "bandwidths are GB/s of 10^9 bytes, as in version 1 of ASTRA-sim"
                             : "bandwidths are GB/s of 2^30 bytes, as in ASTRA-sim");
    return 0;
}

const struct cs_source cs_source_astra_sim = {
    .name = "astra-sim",
    .usage = "astra-sim:FILE",
    .about = "a network of ASTRA-sim's analytical backends (its GB/s is 2^30; of version 1 10^9)",
    .read_document = astra_read,
    .words = {"npus_count:", "topologies-per-dim"},
};
