/*
 * simgrid: platform files of SimGrid, version 4.
 *
 *     <platform version="4.1"> <zone id="z" routing="Full">
 *       <host id="a" speed="1Gf"/> <router id="r"/>
 *       <link id="l" bandwidth="125MBps" latency="50us"/>
 *       <route src="a" dst="r"> <link_ctn id="l"/> </route>
 *
 *     <cluster id="c" prefix="n-" suffix="" radical="0-99" speed="1Gf"
 *              bw="125MBps" lat="50us" [bb_bw="2GBps" bb_lat="500us"]/>
 *
 *     <zoneRoute src="z" dst="c" gw_src="r" gw_dst="n-c_router"> ...
 *
 * Zones may stand in zones (zones.h): with routing Full their ways are as
 * written, with Floyd and Dijkstra the chains of fewest links, Cluster is a
 * star of cabinets.  A way goes backwards too, unless symmetrical="NO".
 *
 * A link is shared by all that crosses it, in both directions: a bus; a
 * SPLITDUPLEX link is two.  A cluster's hosts have full-duplex links to a
 * router, or to a backbone that is shared by all (a bus).  Clusters with
 * topology= are taken where they are the whole platform: TORUS as torus:,
 * FAT_TREE and DRAGONFLY as fabrics.h says.  Of equal ways round a
 * torus the one upwards is taken, in SimGrid it depends on the source.
 *
 * Coordinates (Vivaldi), bypasses and what is not about the network are refused
 * by name.  A host's speed says nothing of bytes: reducing is free.
 */
#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "topo/documents/xml.h"
#include "topo/formats/simgrid/fabrics.h"
#include "topo/formats/simgrid/zones.h"
#include "topo/formats/source.h"
#include "topo/kinds/link_kind.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    HOSTS_MAX = 1 << 17,
    LINKS_MAX = 1 << 16,
    ZONES_MAX = 4096,
    PAIRS_MAX = 1 << 22,    /* of points: there is a way for each, at most */
    SHORTEST_MAX = 1 << 27, /* steps of Floyd: 512 points in a zone */
    STEPS_MAX = 1 << 22,    /* links of all routes as written */
    VISITS_MAX = 1 << 26,   /* links of all ways that are looked at */
};

struct link {
    struct cs_wire wire; /* its numbers */
    uint32_t bus[2];     /* devices: up or both, down */
};

/* What is in the middle of a star. */
struct hub {
    uint32_t router;         /* device */
    struct cs_wire backbone; /* rate 0: there is none */
};

struct simgrid_reader {
    const struct cs_doc *doc;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_names points, zones, links; /* id -> number */
    struct cs_names joints;               /* "3|7" -> device; "3-7" -> wire */
    struct link *link;
    uint32_t link_count;
    struct cs_zones tree;
    uint32_t *zone_of;    /* element -> the zone it is in; CS_ZONES_NONE */
    uint32_t *element_of; /* zone -> element */
    struct hub *hub;      /* of a zone that is a star */
    uint32_t *host_point; /* host, which is the rank -> point */
    uint32_t host_count, host_capacity;
    uint32_t fabric_element; /* a cluster with topology=; 0: none */
    struct cs_fabric *fabric;
    bool has_fatpipe;
};

/* ---- units ---- */

struct simgrid_unit {
    const char *name;
    double factor;
};

/* A number, maybe with an exponent, and one of the units; the first is meant
 * where there is none. */
static int simgrid_quantity(const struct simgrid_reader *reader,
                            uint32_t element, const char *name,
                            const struct simgrid_unit *units, double *value)
{
    const char *text;
    char *end;
    int rc = cs_xml_want_text(reader->doc, element, name, &text, reader->err);

    if (rc)
        return rc;
    *value = strtod(text, &end);
    if (*text >= '0' && *text <= '9' && !strchr(text, 'x')) {
        if (*end == '\0')
            return 0;
        for (; units->name; units++) {
            if (cs_same(end, units->name)) {
                *value *= units->factor;
                return 0;
            }
        }
    }
    return cs_doc_err(reader->doc, element, reader->err,
                      "%s=\"%.40s\"; expected a number and a unit of SimGrid, "
                      "such as 125MBps or 50us",
                      name, text);
}

static int simgrid_rate(const struct simgrid_reader *reader, uint32_t element,
                        const char *name, double *rate_Bps)
{
    static const struct simgrid_unit units[] = {
        {"Bps", 1},        {"kBps", 1e3},     {"MBps", 1e6},
        {"GBps", 1e9},     {"TBps", 1e12},    {"KiBps", 0x1p10},
        {"MiBps", 0x1p20}, {"GiBps", 0x1p30}, {"TiBps", 0x1p40},
        {"bps", 0.125},    {"kbps", 125},     {"Mbps", 125e3},
        {"Gbps", 125e6},   {"Tbps", 125e9},   {"Kibps", 0x1p7},
        {"Mibps", 0x1p17}, {"Gibps", 0x1p27}, {"Tibps", 0x1p37},
        {NULL, 0},
    };
    int rc = simgrid_quantity(reader, element, name, units, rate_Bps);

    if (rc || (*rate_Bps >= 1 && *rate_Bps <= 1e18))
        return rc;
    return cs_doc_err(reader->doc, element, reader->err,
                      "%s: a rate from 1 B/s to 1e18 B/s is expected", name);
}

static int simgrid_latency(const struct simgrid_reader *reader,
                           uint32_t element, const char *name,
                           uint64_t *latency_ps)
{
    static const struct simgrid_unit units[] = {
        {"s", 1},  {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},  {"ps", 1e-12},
        {"m", 60}, {"h", 3600},  {"d", 86400}, {"w", 604800}, {NULL, 0},
    };
    double seconds;
    int rc = simgrid_quantity(reader, element, name, units, &seconds);

    if (rc)
        return rc;
    if (!(seconds <= 1e6))
        return cs_doc_err(reader->doc, element, reader->err,
                          "%s: at most 1e6 s is expected", name);
    *latency_ps = (uint64_t)llround(seconds * 1e12);
    return 0;
}

/* ---- sharing ---- */

static int read_policy(struct simgrid_reader *reader, uint32_t element,
                       const char *name, const char *typical,
                       enum cs_duplex *to)
{
    const char *text = cs_doc_attribute(reader->doc, element, name);

    if (!text)
        text = typical;
    *to = CS_DUPLEX_HALF;
    if (cs_same(text, "SPLITDUPLEX") || cs_same(text, "FULLDUPLEX"))
        *to = CS_DUPLEX_FULL;
    else if (cs_same(text, "FATPIPE"))
        reader->has_fatpipe = true;
    else if (!cs_same(text, "SHARED"))
        return cs_doc_err(reader->doc, element, reader->err,
                          "%s=\"%.40s\"; expected SHARED, SPLITDUPLEX or "
                          "FATPIPE",
                          name, text);
    return 0;
}

static struct cs_wire simgrid_numbers(const struct simgrid_reader *reader,
                                      uint32_t element)
{
    return (struct cs_wire){.class_name = "link",
                            .efficiency = 1,
                            .source = reader->graph->file,
                            .line = reader->doc->nodes[element].line};
}

static uint32_t simgrid_add_device(const struct simgrid_reader *reader,
                                   const char *name, enum cs_device_kind kind,
                                   uint32_t element)
{
    return cs_graph_add_device(
        reader->graph,
        (struct cs_device){.name = name,
                           .kind = kind,
                           .host = kind == CS_DEVICE_HOST
                                       ? reader->graph->device_count
                                       : CS_NO_HOST,
                           .line = reader->doc->nodes[element].line});
}

/* ---- hosts and links ---- */

static int want_id(const struct simgrid_reader *reader, uint32_t element,
                   const char **id)
{
    int rc = cs_xml_want_text(reader->doc, element, "id", id, reader->err);

    if (!rc)
        *id = cs_arena_text(reader->graph->arena, *id);
    return rc;
}

static int simgrid_add_name(const struct simgrid_reader *reader,
                            uint32_t element, struct cs_names *names,
                            const char *id, uint32_t number)
{
    if (cs_names_add(names, id, number) == CS_NO_NAME)
        return 0;
    return cs_doc_err(reader->doc, element, reader->err,
                      "<%s> '%.40s' is there twice",
                      reader->doc->nodes[element].key, id);
}

/* A host or router of a zone. */
static int simgrid_add_point(struct simgrid_reader *reader, uint32_t element,
                             uint32_t zone, const char *id,
                             enum cs_device_kind kind)
{
    uint32_t device = simgrid_add_device(reader, id, kind, element);
    uint32_t point = cs_zones_add_point(&reader->tree, zone, device);

    if (kind == CS_DEVICE_HOST) {
        if (reader->host_count == HOSTS_MAX)
            return cs_doc_err(reader->doc, element, reader->err,
                              "over %d hosts", HOSTS_MAX);
        if (reader->host_count == reader->host_capacity) {
            uint32_t *old = reader->host_point;

            reader->host_capacity = 2 * reader->host_capacity + 64;
            reader->host_point = cs_arena_alloc(
                reader->graph->arena, reader->host_capacity, sizeof(*old));
            if (old)
                memcpy(reader->host_point, old,
                       reader->host_count * sizeof(*old));
        }
        reader->host_point[reader->host_count++] = point;
    }
    return simgrid_add_name(reader, element, &reader->points, id, point);
}

static bool simgrid_is_star(const struct simgrid_reader *reader, uint32_t zone)
{
    return reader->tree.zones[zone].kind == CS_ZONE_STAR;
}

static int read_point(struct simgrid_reader *reader, uint32_t element,
                      enum cs_device_kind kind)
{
    uint32_t zone = reader->zone_of[element];
    const char *id;
    int rc = want_id(reader, element, &id);

    return rc ? rc : simgrid_add_point(reader, element, zone, id, kind);
}

static int read_host(struct simgrid_reader *reader, uint32_t element)
{
    if (simgrid_is_star(reader, reader->zone_of[element]))
        return cs_doc_err(reader->doc, element, reader->err,
                          "<host> in a zone with routing=\"Cluster\" is not "
                          "read; expected <cabinet>");
    return read_point(reader, element, CS_DEVICE_HOST);
}

/* That of a star is there already. */
static int read_router(struct simgrid_reader *reader, uint32_t element)
{
    if (simgrid_is_star(reader, reader->zone_of[element]))
        return 0;
    return read_point(reader, element, CS_DEVICE_SWITCH);
}

static int simgrid_read_link(struct simgrid_reader *reader, uint32_t element)
{
    struct link *own = &reader->link[reader->link_count];
    enum cs_duplex duplex = CS_DUPLEX_HALF;
    const char *id;
    int rc = want_id(reader, element, &id);

    if (!rc && reader->link_count == LINKS_MAX)
        rc = cs_doc_err(reader->doc, element, reader->err, "over %d links",
                        LINKS_MAX);
    if (!rc)
        rc = simgrid_add_name(reader, element, &reader->links, id,
                              reader->link_count);
    own->wire = simgrid_numbers(reader, element);
    own->wire.duplex = CS_DUPLEX_BUS;
    if (!rc)
        rc = simgrid_rate(reader, element, "bandwidth", &own->wire.rate_Bps);
    if (!rc && cs_doc_attribute(reader->doc, element, "latency"))
        rc = simgrid_latency(reader, element, "latency", &own->wire.latency_ps);
    if (!rc)
        rc = read_policy(reader, element, "sharing_policy", "SHARED", &duplex);
    if (rc)
        return rc;
    reader->link_count++;
    own->bus[0] = own->bus[1] = simgrid_add_device(
        reader, cs_arena_printf(reader->graph->arena, "link %s", id),
        CS_DEVICE_BUS, element);
    if (duplex == CS_DUPLEX_FULL)
        own->bus[1] = simgrid_add_device(
            reader, cs_arena_printf(reader->graph->arena, "link %s down", id),
            CS_DEVICE_BUS, element);
    return 0;
}

/* ---- routes ---- */

/* One link_ctn: which link, and which of its buses. */
struct simgrid_hop {
    uint32_t link;
    uint32_t bus;
};

/* The wire from a bus to a host or joint, made when first asked for. */
static uint32_t wire_from(struct simgrid_reader *reader, uint32_t device,
                          const struct simgrid_hop *hop)
{
    const char *key =
        cs_arena_printf(reader->graph->arena, "%u-%u", device, hop->bus);
    uint32_t wire = cs_names_find(&reader->joints, key);
    struct cs_wire own = reader->link[hop->link].wire;

    if (wire != CS_NO_NAME)
        return wire;
    own.a = device;
    own.b = hop->bus;
    own.backwards = true;
    wire = cs_graph_add_wire(reader->graph, own);
    (void)cs_names_add(&reader->joints, key, wire);
    return wire;
}

/* The same wire where it leads to the bus, too. */
static uint32_t wire_to(struct simgrid_reader *reader, uint32_t device,
                        const struct simgrid_hop *hop)
{
    uint32_t wire = wire_from(reader, device, hop);

    reader->graph->wires[wire].backwards = false;
    return wire;
}

/* The device between two buses. */
static uint32_t simgrid_joint(struct simgrid_reader *reader, uint32_t a,
                              uint32_t b, uint32_t element)
{
    const char *key = cs_arena_printf(reader->graph->arena, "%u|%u",
                                      a < b ? a : b, a < b ? b : a);
    uint32_t device = cs_names_find(&reader->joints, key);

    if (device != CS_NO_NAME)
        return device;
    device = simgrid_add_device(
        reader, cs_arena_printf(reader->graph->arena, "joint %s", key),
        CS_DEVICE_SWITCH, element);
    (void)cs_names_add(&reader->joints, key, device);
    return device;
}

static int read_hop(const struct simgrid_reader *reader, uint32_t element,
                    bool backwards, struct simgrid_hop *hop)
{
    const char *direction = cs_doc_attribute(reader->doc, element, "direction");
    const char *id;
    uint32_t index;
    bool down = backwards;
    int rc = cs_xml_want_text(reader->doc, element, "id", &id, reader->err);

    if (rc)
        return rc;
    index = cs_names_find(&reader->links, id);
    if (index == CS_NO_NAME)
        return cs_doc_err(reader->doc, element, reader->err,
                          "no <link> called '%.40s'", id);
    if (direction && cs_same(direction, "DOWN"))
        down = !backwards;
    hop->link = index;
    hop->bus = reader->link[index].bus[down];
    return 0;
}

static int simgrid_add_step(struct simgrid_reader *reader, uint32_t element,
                            uint32_t step)
{
    if (reader->tree.link_count == STEPS_MAX)
        return cs_doc_err(reader->doc, element, reader->err,
                          "routes of over %d links in all", STEPS_MAX);
    cs_zones_add_link(&reader->tree, step);
    return 0;
}

/* A route in one direction: from point to point over its link_ctn elements, the
 * other way round for `back`. */
struct simgrid_route {
    uint32_t element;
    const uint32_t *parts;
    uint32_t count;
    struct cs_zones_route ends;
    bool back;
};

static uint32_t simgrid_device_of(const struct simgrid_reader *reader,
                                  uint32_t point)
{
    return reader->tree.points[point].device;
}

static int read_hops(struct simgrid_reader *reader,
                     const struct simgrid_route *route)
{
    uint32_t device = simgrid_device_of(reader, route->ends.gate_from);
    struct simgrid_hop hop = {0, 0};
    int rc = 0;

    assert(route->count > 0);
    for (uint32_t i = 0; i < route->count && !rc; i++) {
        uint32_t part = route->parts[route->back ? route->count - 1 - i : i];
        struct simgrid_hop before = hop;

        rc = read_hop(reader, part, route->back, &hop);
        if (rc)
            return rc;
        if (i > 0 && before.bus == hop.bus)
            return cs_doc_err(reader->doc, part, reader->err,
                              "the same link twice in a row");
        if (i > 0) {
            device = simgrid_joint(reader, before.bus, hop.bus, part);
            (void)wire_from(reader, device, &before);
        }
        rc = simgrid_add_step(reader, part, 2 * wire_to(reader, device, &hop));
    }
    if (!rc)
        (void)wire_from(reader, simgrid_device_of(reader, route->ends.gate_to),
                        &hop);
    return rc;
}

static int simgrid_read_route(struct simgrid_reader *reader,
                              const struct simgrid_route *route)
{
    int rc = read_hops(reader, route);

    if (rc || cs_zones_add_route(&reader->tree, route->ends))
        return rc;
    return cs_doc_err(reader->doc, route->element, reader->err,
                      "a route from '%.40s' to '%.40s' is there already",
                      cs_doc_attribute(reader->doc, route->element,
                                       route->back ? "dst" : "src"),
                      cs_doc_attribute(reader->doc, route->element,
                                       route->back ? "src" : "dst"));
}

/* The point that an attribute names, of those in `names`. */
static int want_point(const struct simgrid_reader *reader, uint32_t element,
                      const char *name, const struct cs_names *names,
                      uint32_t *point)
{
    const char *id;
    int rc = cs_xml_want_text(reader->doc, element, name, &id, reader->err);

    if (rc)
        return rc;
    *point = cs_names_find(names, id);
    if (*point != CS_NO_NAME)
        return 0;
    return cs_doc_err(
        reader->doc, element, reader->err, "%s=\"%.40s\" is no %s", name, id,
        names == &reader->zones ? "<zone> or <cluster>" : "<host> or <router>");
}

/* One end: a point of the zone that the element is in. */
static int want_end(const struct simgrid_reader *reader, uint32_t element,
                    const char *name, const struct cs_names *names,
                    uint32_t *point)
{
    int rc = want_point(reader, element, name, names, point);

    if (rc || reader->tree.points[*point].zone == reader->zone_of[element])
        return rc;
    return cs_doc_err(reader->doc, element, reader->err,
                      "%s=\"%.40s\" is not in this zone", name,
                      cs_doc_attribute(reader->doc, element, name));
}

static int want_gate(const struct simgrid_reader *reader, uint32_t element,
                     const char *name, uint32_t end, uint32_t *gate)
{
    int rc = want_point(reader, element, name, &reader->points, gate);

    if (rc ||
        cs_zones_holds(&reader->tree, reader->tree.points[end].inside, *gate))
        return rc;
    return cs_doc_err(reader->doc, element, reader->err,
                      "%s=\"%.40s\" is not in that zone", name,
                      cs_doc_attribute(reader->doc, element, name));
}

/* The link_ctn elements of a route. */
static int read_parts(const struct simgrid_reader *reader,
                      struct simgrid_route *route)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t *parts;

    route->count = cs_doc_count(reader->doc, route->element, "link_ctn");
    if (route->count == 0)
        return cs_doc_err(reader->doc, route->element, reader->err,
                          "a route without <link_ctn>");
    route->ends.links = route->count;
    route->parts = parts =
        cs_arena_alloc(reader->graph->arena, route->count, sizeof(*parts));
    for (uint32_t i = nodes[route->element].first; i != CS_DOC_NONE;
         i = nodes[i].next)
        if (cs_doc_is(reader->doc, i, "link_ctn"))
            *parts++ = i;
    return 0;
}

static int read_both_directions(struct simgrid_reader *reader,
                                struct simgrid_route *route)
{
    const char *symmetrical =
        cs_doc_attribute(reader->doc, route->element, "symmetrical");
    struct cs_zones_route ends = route->ends;
    int rc;

    if (simgrid_is_star(reader, reader->zone_of[route->element]))
        return cs_doc_err(reader->doc, route->element, reader->err,
                          "a route in a zone with routing=\"Cluster\"");
    rc = read_parts(reader, route);
    if (!rc)
        rc = simgrid_read_route(reader, route);
    if (rc || (symmetrical && strcasecmp(symmetrical, "no") == 0))
        return rc;
    route->ends.from = ends.to;
    route->ends.to = ends.from;
    route->ends.gate_from = ends.gate_to;
    route->ends.gate_to = ends.gate_from;
    route->back = true;
    return simgrid_read_route(reader, route);
}

static int read_route(struct simgrid_reader *reader, uint32_t element)
{
    struct simgrid_route route = {.element = element};
    struct cs_zones_route *ends = &route.ends;
    int rc = want_end(reader, element, "src", &reader->points, &ends->from);

    if (!rc)
        rc = want_end(reader, element, "dst", &reader->points, &ends->to);
    if (rc || ends->from == ends->to) /* nobody sends to himself */
        return rc;
    ends->gate_from = ends->from;
    ends->gate_to = ends->to;
    return read_both_directions(reader, &route);
}

static int read_zone_route(struct simgrid_reader *reader, uint32_t element)
{
    struct simgrid_route route = {.element = element};
    struct cs_zones_route *ends = &route.ends;
    int rc = want_end(reader, element, "src", &reader->zones, &ends->from);

    if (!rc)
        rc = want_end(reader, element, "dst", &reader->zones, &ends->to);
    if (!rc)
        rc = want_gate(reader, element, "gw_src", ends->from, &ends->gate_from);
    if (!rc)
        rc = want_gate(reader, element, "gw_dst", ends->to, &ends->gate_to);
    if (rc || ends->from == ends->to)
        return rc;
    return read_both_directions(reader, &route);
}

/* ---- clusters ---- */

/* The link of each host, or of all: attributes such as bw and lat. */
static int read_wire(struct simgrid_reader *reader, uint32_t element,
                     const char *const names[3], const char *policy,
                     struct cs_wire *wire)
{
    int rc = simgrid_rate(reader, element, names[0], &wire->rate_Bps);

    if (!rc && cs_doc_attribute(reader->doc, element, names[1]))
        rc = simgrid_latency(reader, element, names[1], &wire->latency_ps);
    return rc ? rc
              : read_policy(reader, element, names[2], policy, &wire->duplex);
}

static int simgrid_add_member(struct simgrid_reader *reader, uint32_t element,
                              uint32_t zone, struct cs_wire wire,
                              const char *name)
{
    const struct hub *hub = &reader->hub[zone];
    int rc = simgrid_add_point(reader, element, zone, name, CS_DEVICE_HOST);

    if (rc || reader->fabric)
        return rc;
    wire.a = reader->graph->device_count - 1;
    wire.b = hub->router;
    if (hub->backbone.rate_Bps > 0) {
        struct cs_wire second = hub->backbone;

        wire.b = second.a = simgrid_add_device(
            reader, cs_arena_printf(reader->graph->arena, "port %s", name),
            CS_DEVICE_SWITCH, element);
        cs_graph_add_wire(reader->graph, wire);
        wire = second;
    }
    cs_graph_add_wire(reader->graph, wire);
    return 0;
}

/* "5" or "0-7" at the front of a text; what follows it, or NULL. */
static const char *simgrid_read_range(const char *text, uint64_t *low,
                                      uint64_t *high)
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

/* "0-7,9": each number once, in order. */
static int read_members(struct simgrid_reader *reader, uint32_t element,
                        uint32_t zone, struct cs_wire wire)
{
    const char *prefix = cs_doc_attribute(reader->doc, element, "prefix");
    const char *suffix = cs_doc_attribute(reader->doc, element, "suffix");
    const char *text;
    int rc =
        cs_xml_want_text(reader->doc, element, "radical", &text, reader->err);

    if (cs_doc_attribute(reader->doc, element, "limiter_link"))
        cs_graph_note(reader->graph, "line %u: limiter_link is left out",
                      reader->doc->nodes[element].line);
    while (!rc) {
        uint64_t low, high;
        const char *end = simgrid_read_range(text, &low, &high);

        if (!end || (*end && *end != ','))
            return cs_doc_err(
                reader->doc, element, reader->err,
                "radical=\"%.40s\"; expected numbers such as "
                "0-7,9",
                cs_doc_attribute(reader->doc, element, "radical"));
        for (; low <= high && !rc; low++)
            rc = simgrid_add_member(
                reader, element, zone, wire,
                cs_arena_printf(reader->graph->arena, "%s%llu%s",
                                prefix ? prefix : "", (unsigned long long)low,
                                suffix ? suffix : ""));
        if (!*end)
            break;
        text = end + 1;
    }
    return rc;
}

static int want_star(struct simgrid_reader *reader, uint32_t element)
{
    if (simgrid_is_star(reader, reader->zone_of[element]))
        return 0;
    return cs_doc_err(reader->doc, element, reader->err,
                      "<%s> needs a zone with routing=\"Cluster\"",
                      reader->doc->nodes[element].key);
}

static int read_cabinet(struct simgrid_reader *reader, uint32_t element)
{
    static const char *const names[] = {"bw", "lat", "sharing_policy"};
    struct cs_wire wire = simgrid_numbers(reader, element);
    int rc = want_star(reader, element);

    if (!rc)
        rc = read_wire(reader, element, names, "SPLITDUPLEX", &wire);
    return rc ? rc
              : read_members(reader, element, reader->zone_of[element], wire);
}

/* Point 0 of a star, and the medium behind it if there is one. */
static int add_hub(struct simgrid_reader *reader, uint32_t element,
                   uint32_t zone, const char *router)
{
    struct hub *hub = &reader->hub[zone];
    struct cs_zone_star star = {reader->graph->wire_count, 1, CS_ZONES_NONE};
    int rc = simgrid_add_point(reader, element, zone, router, CS_DEVICE_SWITCH);

    if (rc)
        return rc;
    hub->router = reader->graph->device_count - 1;
    if (hub->backbone.rate_Bps > 0) {
        struct cs_wire trunk = hub->backbone;

        hub->backbone.class_name = trunk.class_name = "backbone";
        hub->backbone.duplex = trunk.duplex = CS_DUPLEX_BUS;
        trunk.a = hub->router;
        trunk.b = hub->backbone.b = simgrid_add_device(
            reader,
            cs_arena_printf(reader->graph->arena, "backbone of %s", router),
            CS_DEVICE_BUS, element);
        star.trunk = 2 * cs_graph_add_wire(reader->graph, trunk);
        star.first++;
        star.each = 2;
    }
    reader->tree.zones[zone].star = star;
    return 0;
}

/* ---- clusters that are a fabric ---- */

/* All numbers of topo_parameters="2;4,4;1,2;1,2". */
static int simgrid_read_dims(const struct simgrid_reader *reader,
                             uint32_t element, struct cs_fabric *fabric)
{
    const char *text;
    int rc = cs_xml_want_text(reader->doc, element, "topo_parameters", &text,
                              reader->err);
    const char *at = text;

    while (!rc) {
        char *end;
        uint64_t number = strtoull(at, &end, 10);

        if (*at < '0' || *at > '9' || (*end && !strchr(",;", *end)) ||
            number > UINT32_MAX || fabric->dim_count == CS_FABRIC_DIMS_MAX)
            return cs_doc_err(reader->doc, element, reader->err,
                              "topo_parameters=\"%.40s\"; expected up to %d "
                              "numbers such as 2;4,4;1,2;1,2",
                              text, CS_FABRIC_DIMS_MAX);
        fabric->dims[fabric->dim_count++] = (uint32_t)number;
        at = end + 1;
        if (!*end)
            break;
    }
    return rc;
}

static int want_dims(const struct simgrid_reader *reader, bool are_right,
                     const char *expected)
{
    if (are_right)
        return 0;
    return cs_doc_err(reader->doc, reader->fabric_element, reader->err,
                      "topo_parameters=\"%.40s\"; expected %s",
                      cs_doc_attribute(reader->doc, reader->fabric_element,
                                       "topo_parameters"),
                      expected);
}

/* Which fabric it is, and its numbers as that has them. */
static int choose_fabric(const struct simgrid_reader *reader,
                         const char *topology)
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
        return cs_doc_err(reader->doc, reader->fabric_element, reader->err,
                          "topology=\"%.40s\" is not read; expected FLAT, "
                          "TORUS, FAT_TREE or DRAGONFLY",
                          topology);
    fabric->kind = &cs_fabric_pgft;
    fabric->dim_count--;
    memmove(fabric->dims, fabric->dims + 1,
            fabric->dim_count * sizeof(*fabric->dims));
    return want_dims(reader,
                     levels >= 1 && levels <= CS_PGFT_LEVELS_MAX &&
                         fabric->dim_count == 3 * levels,
                     "levels and three numbers for each, such as "
                     "2;4,4;1,2;1,2");
}

static int simgrid_read_fabric(struct simgrid_reader *reader, uint32_t element,
                               uint32_t zone, const char *topology)
{
    static const char *const names[] = {"bw", "lat", "sharing_policy"};
    struct cs_wire wire = simgrid_numbers(reader, element);
    int rc;

    if (reader->fabric)
        return cs_doc_err(reader->doc, element, reader->err,
                          "topology=\"%.40s\" beside another; expected one "
                          "cluster with topology=, and no other host",
                          topology);
    reader->fabric =
        cs_arena_alloc(reader->graph->arena, 1, sizeof(*reader->fabric));
    reader->fabric_element = element;
    rc = read_wire(reader, element, names, "SPLITDUPLEX", &wire);
    reader->fabric->wire = wire;
    if (!rc)
        rc = simgrid_read_dims(reader, element, reader->fabric);
    if (!rc)
        rc = choose_fabric(reader, topology);
    if (!rc)
        rc = read_members(reader, element, zone, wire);
    reader->fabric->ports = reader->tree.zones[zone].points;
    return rc;
}

static uint32_t route_fabric(void *ctx, uint32_t src, uint32_t dst,
                             uint32_t *links)
{
    const struct cs_fabric *fabric = ctx;

    return fabric->kind->route(fabric, src, dst, links);
}

/* Its hosts are devices 0, 1 ... */
static int simgrid_add_fabric(struct simgrid_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    struct cs_fabric *fabric = reader->fabric;
    struct cs_err err = {0};
    uint32_t *port =
        cs_arena_alloc(graph->arena, reader->host_count, sizeof(*port));

    if (fabric->ports != graph->device_count)
        return cs_doc_err(reader->doc, reader->fabric_element, reader->err,
                          "topology=\"%.40s\" beside other hosts or routers; "
                          "expected it to be the whole platform",
                          fabric->kind->name);
    if (fabric->kind->plan(fabric, &err))
        return cs_doc_err(reader->doc, reader->fabric_element, reader->err,
                          "%s", err.text);
    for (uint32_t i = 0; i < fabric->ports; i++)
        port[i] = i;
    cs_fabric_add(fabric, graph, port, "");
    graph->route = route_fabric;
    graph->route_ctx = fabric;
    graph->route_max_hops = fabric->max_hops;
    return 0;
}

/* ---- zones ---- */

/* A zone in the zone that the element is in; its children are in it. */
static int simgrid_add_zone(struct simgrid_reader *reader, uint32_t element,
                            enum cs_zone_kind kind, uint32_t *zone)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    const char *id;
    int rc = want_id(reader, element, &id);

    if (rc)
        return rc;
    if (reader->tree.zone_count == ZONES_MAX)
        return cs_doc_err(reader->doc, element, reader->err, "over %d zones",
                          ZONES_MAX);
    *zone = cs_zones_add(&reader->tree, reader->zone_of[element], kind);
    reader->element_of[*zone] = element;
    for (uint32_t i = nodes[element].first; i != CS_DOC_NONE; i = nodes[i].next)
        reader->zone_of[i] = *zone;
    return simgrid_add_name(reader, element, &reader->zones, id,
                            reader->tree.zones[*zone].point);
}

static int read_cluster(struct simgrid_reader *reader, uint32_t element)
{
    static const char *const names[] = {"bb_bw", "bb_lat", "bb_sharing_policy"};
    const char *topology = cs_doc_attribute(reader->doc, element, "topology");
    const char *prefix = cs_doc_attribute(reader->doc, element, "prefix");
    const char *suffix = cs_doc_attribute(reader->doc, element, "suffix");
    const char *router = cs_doc_attribute(reader->doc, element, "router_id");
    uint32_t zone;
    int rc = simgrid_add_zone(reader, element, CS_ZONE_STAR, &zone);

    if (rc)
        return rc;
    for (uint32_t i = reader->doc->nodes[element].first; i != CS_DOC_NONE;
         i = reader->doc->nodes[i].next)
        reader->zone_of[i] = CS_ZONES_NONE; /* words about its hosts */
    if (topology && !cs_same(topology, "FLAT"))
        return simgrid_read_fabric(reader, element, zone, topology);
    reader->hub[zone].backbone = simgrid_numbers(reader, element);
    if (cs_doc_attribute(reader->doc, element, "bb_bw"))
        rc = read_wire(reader, element, names, "SHARED",
                       &reader->hub[zone].backbone);
    if (!rc && !router)
        router = cs_arena_printf(
            reader->graph->arena, "%s%s_router%s", prefix ? prefix : "",
            cs_doc_attribute(reader->doc, element, "id"), suffix ? suffix : "");
    if (!rc)
        rc = add_hub(reader, element, zone, router);
    reader->zone_of[element] = zone; /* as a cabinet's */
    return rc ? rc : read_cabinet(reader, element);
}

/* routing="Cluster": what is in the middle, before its cabinets are read. */
static int simgrid_read_star(struct simgrid_reader *reader, uint32_t element,
                             uint32_t zone)
{
    static const char *const names[] = {"bandwidth", "latency",
                                        "sharing_policy"};
    uint32_t router = cs_doc_get(reader->doc, element, "router");
    uint32_t backbone = cs_doc_get(reader->doc, element, "backbone");
    const char *name =
        cs_arena_printf(reader->graph->arena, "%s_router",
                        cs_doc_attribute(reader->doc, element, "id"));
    int rc = 0;

    reader->hub[zone].backbone = simgrid_numbers(reader, element);
    if (backbone != CS_DOC_NONE)
        rc = read_wire(reader, backbone, names, "SHARED",
                       &reader->hub[zone].backbone);
    if (!rc && router != CS_DOC_NONE)
        rc = want_id(reader, router, &name);
    return rc ? rc : add_hub(reader, element, zone, name);
}

/* Where only one thing is inside, no way of the zone's own is needed. */
static int check_vivaldi(const struct simgrid_reader *reader, uint32_t element)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t first = nodes[element].first;

    while (first != CS_DOC_NONE && cs_doc_is(reader->doc, first, "prop"))
        first = nodes[first].next;
    if (first == CS_DOC_NONE || nodes[first].next == CS_DOC_NONE)
        return 0;
    return cs_doc_err(reader->doc, element, reader->err,
                      "routing=\"Vivaldi\" is not read, as it goes by "
                      "coordinates; expected Full, Floyd, Dijkstra or Cluster");
}

static int read_zone(struct simgrid_reader *reader, uint32_t element)
{
    const char *routing = cs_doc_attribute(reader->doc, element, "routing");
    enum cs_zone_kind kind = CS_ZONE_WRITTEN;
    uint32_t zone;
    int rc = 0;

    if (!routing)
        routing = "Full";
    if (cs_same(routing, "Floyd") || cs_same(routing, "Dijkstra") ||
        cs_same(routing, "DijkstraCache"))
        kind = CS_ZONE_SHORTEST;
    else if (cs_same(routing, "Cluster"))
        kind = CS_ZONE_STAR;
    else if (cs_same(routing, "Vivaldi"))
        rc = check_vivaldi(reader, element);
    else if (!cs_same(routing, "Full") && !cs_same(routing, "None"))
        rc = cs_doc_err(reader->doc, element, reader->err,
                        "routing=\"%.40s\" is not read; expected Full, Floyd, "
                        "Dijkstra or Cluster",
                        routing);
    if (!rc)
        rc = simgrid_add_zone(reader, element, kind, &zone);
    if (rc || kind != CS_ZONE_STAR)
        return rc;
    return simgrid_read_star(reader, element, zone);
}

/* ---- all elements ---- */

static int simgrid_skip(struct simgrid_reader *reader, uint32_t element)
{
    (void)reader;
    (void)element;
    return 0;
}

/* Points, then links, then routes: in that order whatever the file's. */
enum {
    POINTS,
    LINKS,
    ROUTES,
    PASSES,
};

struct element {
    const char *name;
    int (*read)(struct simgrid_reader *reader, uint32_t element);
    int pass;
};

static const struct element *simgrid_kind_of(
    const struct simgrid_reader *reader, uint32_t i)
{
    static const struct element kinds[] = {
        {"zone", read_zone, POINTS},
        {"AS", read_zone, POINTS},
        {"cluster", read_cluster, POINTS},
        {"cabinet", read_cabinet, POINTS},
        {"backbone", want_star, POINTS},
        {"host", read_host, POINTS},
        {"router", read_router, POINTS},
        {"prop", simgrid_skip, POINTS},
        {"config", simgrid_skip, POINTS},
        {"link", simgrid_read_link, LINKS},
        {"route", read_route, ROUTES},
        {"zoneRoute", read_zone_route, ROUTES},
        {"ASroute", read_zone_route, ROUTES},
    };

    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
        if (cs_doc_is(reader->doc, i, kinds[k].name))
            return &kinds[k];
    return NULL;
}

/* Parents come before their children. */
static int read_pass(struct simgrid_reader *reader, int pass)
{
    int rc = 0;

    for (uint32_t i = 1; i < reader->doc->count && !rc; i++) {
        const struct element *kind;

        if (reader->zone_of[i] == CS_ZONES_NONE)
            continue;
        kind = simgrid_kind_of(reader, i);
        if (!kind)
            return cs_doc_err(reader->doc, i, reader->err,
                              "<%.40s> is not read; expected zones, clusters, "
                              "hosts, routers, links and routes",
                              reader->doc->nodes[i].key);
        if (kind->pass == pass)
            rc = kind->read(reader, i);
    }
    return rc;
}

/* ---- ways ---- */

struct simgrid_routes {
    struct cs_zones tree;
    const uint32_t *point; /* of each rank */
};

static uint32_t simgrid_route(void *ctx, uint32_t src, uint32_t dst,
                              uint32_t *links)
{
    struct simgrid_routes *routes = ctx;

    return cs_zones_find(&routes->tree, routes->point[src], routes->point[dst],
                         links);
}

/* Members of a star are all alike: the first stands for them, and the second
 * for how the first reaches others. */
static uint32_t list_different(const struct simgrid_reader *reader,
                               uint32_t *point)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->host_count; i++) {
        const struct cs_zones_point *own =
            &reader->tree.points[reader->host_point[i]];

        if (!simgrid_is_star(reader, own->zone) || own->index <= 2)
            point[count++] = reader->host_point[i];
    }
    return count;
}

/* There is a way for each two hosts; and how long they are. */
static int simgrid_check_routes(struct simgrid_reader *reader)
{
    uint32_t *point = cs_arena_alloc(reader->graph->arena, reader->host_count,
                                     sizeof(*point));
    uint32_t count = list_different(reader, point);
    uint64_t visits = 0;

    for (uint32_t i = 0; i < count * (uint64_t)count; i++) {
        uint32_t from = point[i / count];
        uint32_t to = point[i % count];
        uint32_t hops =
            from == to ? 0 : cs_zones_find(&reader->tree, from, to, NULL);

        if (hops == CS_ZONES_NONE)
            return cs_doc_err(
                reader->doc,
                reader->element_of[cs_zones_meeting(&reader->tree, from, to)],
                reader->err, "no route from '%.40s' to '%.40s'",
                reader->graph->devices[simgrid_device_of(reader, from)].name,
                reader->graph->devices[simgrid_device_of(reader, to)].name);
        visits += hops + 1;
        if (visits > VISITS_MAX)
            return cs_doc_err(reader->doc, 0, reader->err,
                              "routes of over %d links in all", VISITS_MAX);
        if (hops > reader->graph->route_max_hops)
            reader->graph->route_max_hops = hops;
    }
    return 0;
}

static int simgrid_find_routes(struct simgrid_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    struct simgrid_routes *routes =
        cs_arena_alloc(graph->arena, 1, sizeof(*routes));
    int rc;

    if (!cs_zones_prepare(&reader->tree, PAIRS_MAX, SHORTEST_MAX))
        return cs_doc_err(reader->doc, 0, reader->err,
                          "over %d pairs of hosts and routers in zones, or "
                          "over %d steps to find their shortest ways",
                          PAIRS_MAX, SHORTEST_MAX);
    rc = read_pass(reader, LINKS);
    if (!rc)
        rc = read_pass(reader, ROUTES);
    if (rc)
        return rc;
    cs_zones_shortest(&reader->tree);
    graph->route_max_hops = 1;
    rc = simgrid_check_routes(reader);
    *routes = (struct simgrid_routes){reader->tree, reader->host_point};
    graph->route = simgrid_route;
    graph->route_ctx = routes;
    return rc;
}

/* ---- the source ---- */

static int read_platform(struct simgrid_reader *reader)
{
    struct cs_arena *arena = reader->graph->arena;
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t count = reader->doc->count;
    int rc = cs_xml_want_name(reader->doc, 0, "platform", reader->err);

    if (rc)
        return rc;
    reader->tree.arena = arena;
    reader->zone_of = cs_arena_alloc(arena, count, sizeof(*reader->zone_of));
    for (uint32_t i = 0; i < count; i++)
        reader->zone_of[i] = CS_ZONES_NONE;
    for (uint32_t i = nodes[0].first; i != CS_DOC_NONE; i = nodes[i].next)
        reader->zone_of[i] = 0;
    for (uint32_t i = 0; i < count; i++)
        reader->link_count += cs_doc_is(reader->doc, i, "link");
    reader->link =
        cs_arena_alloc(arena, reader->link_count, sizeof(*reader->link));
    reader->link_count = 0;
    reader->element_of =
        cs_arena_alloc(arena, ZONES_MAX, sizeof(*reader->element_of));
    reader->hub = cs_arena_alloc(arena, ZONES_MAX, sizeof(*reader->hub));
    (void)cs_zones_add(&reader->tree, CS_ZONES_NONE, CS_ZONE_WRITTEN);
    rc = read_pass(reader, POINTS);
    if (!rc && reader->host_count == 0)
        rc = cs_doc_err(reader->doc, 0, reader->err,
                        "no <host> in this platform");
    if (rc)
        return rc;
    return reader->fabric ? simgrid_add_fabric(reader)
                          : simgrid_find_routes(reader);
}

static int simgrid_read(const struct cs_topo_request *request,
                        struct cs_source_text text, struct cs_graph *graph,
                        struct cs_err *err)
{
    struct cs_doc doc;
    struct simgrid_reader reader = {.doc = &doc, .graph = graph, .err = err};
    int rc = cs_xml_read_text(
        (struct cs_doc_text){text.file, text.text, text.length}, &doc,
        graph->arena, err);

    (void)request;
    if (rc)
        return rc;
    cs_names_init(&reader.points, graph->arena, 0);
    cs_names_init(&reader.zones, graph->arena, 0);
    cs_names_init(&reader.links, graph->arena, 0);
    cs_names_init(&reader.joints, graph->arena, 0);
    rc = read_platform(&reader);
    if (reader.has_fatpipe)
        cs_graph_note(graph, "FATPIPE links are shared like others here");
    graph->about = "a platform of SimGrid";
    cs_graph_place_all(graph);
    return rc;
}

static bool simgrid_recognises(struct cs_source_text text)
{
    return cs_xml_begins_with(text.text, text.length, "platform");
}

const struct cs_source cs_source_simgrid = {
    .name = "simgrid",
    .usage = "simgrid:FILE.xml",
    .about = "a platform of SimGrid: zones in zones, clusters, routes",
    .read = simgrid_read,
    .recognises = simgrid_recognises,
};
