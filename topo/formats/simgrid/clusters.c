#include "topo/formats/simgrid/reader.h"

#include "sim/base/text.h"
#include "topo/documents/xml.h"

#include <stdlib.h>
#include <string.h>

/* ---- clusters ---- */

static int simgrid_add_member(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone,
                              struct cs_wire wire, const char *name)
{
    const struct cs_simgrid_hub *hub = &reader->hub[zone];
    int rc = cs_simgrid_add_point(reader, element, zone, name, CS_DEVICE_HOST);

    if (rc || reader->fabric)
        return rc;
    wire.a = reader->graph->device_count - 1;
    wire.b = hub->router;
    if (hub->backbone.rate_Bps > 0) {
        struct cs_wire second = hub->backbone;

        wire.b = second.a =
            cs_simgrid_add_device(reader, cs_arena_printf(reader->graph->arena, "port %s", name),
                                  CS_DEVICE_SWITCH, element);
        cs_graph_add_wire(reader->graph, wire);
        wire = second;
    }
    cs_graph_add_wire(reader->graph, wire);
    return 0;
}

/* Parses "5" or "0-7"; returns the rest of the text, or NULL. */
static const char *simgrid_read_range(const char *text, uint64_t *low, uint64_t *high)
{
    char *end;

    if (*text < '0' || *text > '9')
        return NULL;
    *low = *high = strtoull(text, &end, 10);
    if (*end == '-') {
        text = end + 1;
        if (*text < '0' || *text > '9')
            return NULL;
        *high = strtoull(text, &end, 10);
    }
    return *high >= *low && *high < UINT32_MAX ? end : NULL;
}

/* Adds the hosts of radical="0-7,9", in order. */
static int read_members(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone,
                        struct cs_wire wire)
{
    const char *prefix = cs_doc_attribute(reader->doc, element, "prefix");
    const char *suffix = cs_doc_attribute(reader->doc, element, "suffix");
    const char *text;
    int rc = cs_xml_want_text(reader->doc, element, "radical", &text, reader->err);

    if (cs_doc_attribute(reader->doc, element, "limiter_link"))
        cs_graph_note(reader->graph, "line %u: limiter_link is ignored",
                      reader->doc->nodes[element].line);
    while (!rc) {
        uint64_t low, high;
        const char *end = simgrid_read_range(text, &low, &high);

        if (!end || (*end && *end != ','))
            return cs_doc_err(reader->doc, element, reader->err,
                              "radical=\"%.40s\"; expected numbers such as 0-7,9",
                              cs_doc_attribute(reader->doc, element, "radical"));
        for (; low <= high && !rc; low++)
            rc = simgrid_add_member(reader, element, zone, wire,
                                    cs_arena_printf(reader->graph->arena, "%s%llu%s",
                                                    prefix ? prefix : "", (unsigned long long)low,
                                                    suffix ? suffix : ""));
        if (!*end)
            break;
        text = end + 1;
    }
    return rc;
}

int cs_simgrid_want_star(struct cs_simgrid_reader *reader, uint32_t element)
{
    if (cs_simgrid_is_star(reader, reader->zone_of[element]))
        return 0;
    return cs_doc_err(reader->doc, element, reader->err,
                      "<%s> needs a zone with routing=\"Cluster\"",
                      reader->doc->nodes[element].key);
}

int cs_simgrid_read_cabinet(struct cs_simgrid_reader *reader, uint32_t element)
{
    static const char *const names[] = {"bw", "lat", "sharing_policy"};
    struct cs_wire wire;

    return cs_simgrid_want_star(reader, element) ||
                   cs_simgrid_read_wire(reader, element, names, "SPLITDUPLEX", &wire)
               ? CS_EINPUT
               : read_members(reader, element, reader->zone_of[element], wire);
}

/* Adds point 0 of a star, and the backbone if the hub has a rate for one. */
static int add_hub(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone,
                   const char *router)
{
    struct cs_simgrid_hub *hub = &reader->hub[zone];
    struct cs_zone_star star = {reader->graph->wire_count, 1, CS_ZONES_NONE};
    int rc = cs_simgrid_add_point(reader, element, zone, router, CS_DEVICE_SWITCH);

    if (rc)
        return rc;
    hub->router = reader->graph->device_count - 1;
    if (hub->backbone.rate_Bps > 0) {
        struct cs_wire trunk = hub->backbone;

        hub->backbone.class_name = trunk.class_name = "backbone";
        hub->backbone.duplex = trunk.duplex = CS_DUPLEX_BUS;
        trunk.a = hub->router;
        trunk.b = hub->backbone.b = cs_simgrid_add_device(
            reader, cs_arena_printf(reader->graph->arena, "backbone of %s", router), CS_DEVICE_BUS,
            element);
        star.trunk = 2 * cs_graph_add_wire(reader->graph, trunk);
        star.first++;
        star.each = 2;
    }
    reader->tree.zones[zone].star = star;
    return 0;
}

/* ---- fabrics ---- */

/* Parses topo_parameters="2;4,4;1,2;1,2". */
static int simgrid_read_dims(const struct cs_simgrid_reader *reader, uint32_t element,
                             struct cs_fabric *fabric)
{
    const char *text;
    int rc = cs_xml_want_text(reader->doc, element, "topo_parameters", &text, reader->err);
    const char *at = text;

    while (!rc) {
        char *end;
        uint64_t number = strtoull(at, &end, 10);

        if (*at < '0' || *at > '9' || (*end && !strchr(",;", *end)) || number > UINT32_MAX ||
            fabric->dim_count == CS_FABRIC_DIMS_MAX)
            return cs_doc_err(
                reader->doc, element, reader->err,
                "topo_parameters=\"%.40s\"; expected up to %d numbers such as 2;4,4;1,2;1,2", text,
                CS_FABRIC_DIMS_MAX);
        fabric->dims[fabric->dim_count++] = (uint32_t)number;
        at = end + 1;
        if (!*end)
            break;
    }
    return rc;
}

static int want_dims(const struct cs_simgrid_reader *reader, bool are_right, const char *expected)
{
    if (are_right)
        return 0;
    return cs_doc_err(
        reader->doc, reader->fabric_element, reader->err, "topo_parameters=\"%.40s\"; expected %s",
        cs_doc_attribute(reader->doc, reader->fabric_element, "topo_parameters"), expected);
}

/* Sets the kind of the fabric and brings the numbers into the order of that
 * kind. */
static int choose_fabric(const struct cs_simgrid_reader *reader, const char *topology)
{
    struct cs_fabric *fabric = reader->fabric;
    uint32_t levels = fabric->dims[0];

    if (cs_same(topology, "TORUS")) {
        return cs_fabric_kind_find("torus", &fabric->kind, reader->err);
    }
    if (cs_same(topology, "DRAGONFLY")) {
        fabric->kind = &cs_fabric_cascade;
        return want_dims(reader, fabric->dim_count == CS_CASCADE_DIMS,
                         "seven numbers such as 3,4;4,3;5,1;2");
    }
    if (!cs_same(topology, "FAT_TREE"))
        return cs_doc_err(
            reader->doc, reader->fabric_element, reader->err,
            "topology=\"%.40s\" is not supported; expected FLAT, TORUS, FAT_TREE or DRAGONFLY",
            topology);
    fabric->kind = &cs_fabric_pgft;
    fabric->dim_count--;
    memmove(fabric->dims, fabric->dims + 1, fabric->dim_count * sizeof(*fabric->dims));
    return want_dims(reader,
                     levels >= 1 && levels <= CS_PGFT_LEVELS_MAX && fabric->dim_count == 3 * levels,
                     "levels and three numbers for each, such as 2;4,4;1,2;1,2");
}

/* Reads a <cluster> with topology=, whose hosts become the ports of a fabric. */
static int read_fabric(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone,
                       const char *topology)
{
    static const char *const names[] = {"bw", "lat", "sharing_policy"};
    int rc;

    if (reader->fabric)
        return cs_doc_err(reader->doc, element, reader->err,
                          "topology=\"%.40s\" next to another host; expected one cluster with "
                          "topology= as the whole platform",
                          topology);
    reader->fabric = cs_arena_alloc(reader->graph->arena, 1, sizeof(*reader->fabric));
    reader->fabric_element = element;
    rc = cs_simgrid_read_wire(reader, element, names, "SPLITDUPLEX", &reader->fabric->wire);
    if (!rc)
        rc = simgrid_read_dims(reader, element, reader->fabric);
    if (!rc)
        rc = choose_fabric(reader, topology);
    if (!rc)
        rc = read_members(reader, element, zone, reader->fabric->wire);
    reader->fabric->ports = reader->tree.zones[zone].points;
    return rc;
}

/* <cluster>: numbered hosts around a router, or a fabric with topology=. */
int cs_simgrid_read_cluster(struct cs_simgrid_reader *reader, uint32_t element)
{
    static const char *const names[] = {"bb_bw", "bb_lat", "bb_sharing_policy"};
    const char *topology = cs_doc_attribute(reader->doc, element, "topology");
    const char *prefix = cs_doc_attribute(reader->doc, element, "prefix");
    const char *suffix = cs_doc_attribute(reader->doc, element, "suffix");
    const char *router = cs_doc_attribute(reader->doc, element, "router_id");
    uint32_t zone;
    int rc = cs_simgrid_add_zone(reader, element, CS_ZONE_STAR, &zone);

    if (rc)
        return rc;
    for (uint32_t i = reader->doc->nodes[element].first; i != CS_DOC_NONE;
         i = reader->doc->nodes[i].next)
        reader->zone_of[i] = CS_ZONES_NONE; /* properties of the hosts */
    if (topology && !cs_same(topology, "FLAT"))
        return read_fabric(reader, element, zone, topology);
    if (cs_doc_attribute(reader->doc, element, "bb_bw"))
        rc = cs_simgrid_read_wire(reader, element, names, "SHARED", &reader->hub[zone].backbone);
    if (!rc && !router)
        router =
            cs_arena_printf(reader->graph->arena, "%s%s_router%s", prefix ? prefix : "",
                            cs_doc_attribute(reader->doc, element, "id"), suffix ? suffix : "");
    if (!rc)
        rc = add_hub(reader, element, zone, router);
    reader->zone_of[element] = zone; /* as a cabinet's */
    return rc ? rc : cs_simgrid_read_cabinet(reader, element);
}

/* routing="Cluster": the hub is added before the cabinets, because every
 * host is linked to the hub. */
int cs_simgrid_read_star(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone)
{
    static const char *const names[] = {"bandwidth", "latency", "sharing_policy"};
    uint32_t router = cs_doc_get(reader->doc, element, "router");
    uint32_t backbone = cs_doc_get(reader->doc, element, "backbone");
    const char *name = cs_arena_printf(reader->graph->arena, "%s_router",
                                       cs_doc_attribute(reader->doc, element, "id"));
    int rc = 0;

    if (backbone != CS_DOC_NONE)
        rc = cs_simgrid_read_wire(reader, backbone, names, "SHARED", &reader->hub[zone].backbone);
    if (!rc && router != CS_DOC_NONE)
        rc = cs_simgrid_want_id(reader, router, &name);
    return rc ? rc : add_hub(reader, element, zone, name);
}

static uint32_t route_fabric(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_fabric *fabric = ctx;

    return fabric->kind->route(fabric, src, dst, links);
}

int cs_simgrid_add_fabric(struct cs_simgrid_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    struct cs_fabric *fabric = reader->fabric;
    struct cs_err err = {0};
    uint32_t *port = cs_arena_alloc(graph->arena, reader->host_count, sizeof(*port));

    if (fabric->ports != graph->device_count)
        return cs_doc_err(reader->doc, reader->fabric_element, reader->err,
                          "topology=\"%.40s\" next to other hosts or routers; expected one cluster "
                          "as the whole platform",
                          fabric->kind->name);
    if (fabric->kind->plan(fabric, &err))
        return cs_doc_err(reader->doc, reader->fabric_element, reader->err, "%s", err.text);
    for (uint32_t i = 0; i < fabric->ports; i++)
        port[i] = i;
    cs_fabric_add(fabric, graph, port, "");
    graph->route = route_fabric;
    graph->route_ctx = fabric;
    graph->route_max_hops = fabric->max_hops;
    return 0;
}
