/*
 * simgrid: platform files of SimGrid, version 4: a zone of hosts with routes
 * written out, or one cluster.
 *
 *     <platform version="4.1"> <zone id="z" routing="Full">
 *       <host id="a" speed="1Gf"/> <host id="b" speed="1Gf"/>
 *       <link id="l" bandwidth="125MBps" latency="50us"/>
 *       <route src="a" dst="b"> <link_ctn id="l"/> </route>
 *
 *     <cluster id="c" prefix="n-" suffix="" radical="0-99" speed="1Gf"
 *              bw="125MBps" lat="50us" [bb_bw="2GBps" bb_lat="500us"]/>
 *
 * A link is shared by all that crosses it, in both directions: a bus; a
 * SPLITDUPLEX link is two.  Routes are taken as they are written, backwards
 * too unless symmetrical="NO".  A cluster's hosts have full-duplex links to a
 * switch, or to a backbone that is shared by all (a bus).
 *
 * Zones in zones, other routings and other topologies of clusters are refused
 * by name.  A host's speed says nothing of bytes: reducing is free.
 */
#include "sim/base/text.h"
#include "topo/link_kind.h"
#include "topo/names.h"
#include "topo/source.h"
#include "topo/xml.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    HOSTS_MAX = 2048, /* with routes: there is one for each pair */
    CLUSTER_MAX = 1 << 17,
    LINKS_MAX = 1 << 16,
    STEPS_MAX = 1 << 22, /* links of all routes together */
};

struct link {
    struct cs_wire wire; /* its numbers */
    uint32_t bus[2];     /* devices: up or both, down */
};

/* Routes of all pairs: links of `steps` from begin[pair], count[pair] of them.
 */
struct routes {
    uint32_t hosts;
    uint32_t *begin;
    uint32_t *count;
    uint32_t *steps;
};

struct reader {
    const struct cs_xml *xml;
    struct cs_graph *graph;
    struct cs_err *err;
    struct cs_names hosts, links; /* id -> number */
    struct cs_names joints;       /* "3|7" -> device; "3-7" -> wire */
    struct link *link;
    uint32_t host_count, link_count;
    struct routes *routes;
    uint32_t step_count, step_capacity;
    bool has_fatpipe;
};

static const char *get(const struct reader *reader, uint32_t element,
                       const char *name)
{
    return cs_xml_get(reader->xml, element, name);
}

static bool is(const struct reader *reader, uint32_t element, const char *name)
{
    return cs_same(cs_xml_name(reader->xml, element), name);
}

static unsigned line(const struct reader *reader, uint32_t element)
{
    return reader->xml->nodes[element].line;
}

/* ---- units ---- */

struct unit {
    const char *name;
    double factor;
};

/* A number, maybe with an exponent, and one of the units; the first is meant
 * where there is none. */
static int quantity(const struct reader *reader, uint32_t element,
                    const char *name, const struct unit *units, double *value)
{
    const char *text;
    char *end;
    int rc = cs_xml_want_text(reader->xml, element, name, &text, reader->err);

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
    return cs_xml_err(reader->xml, element, reader->err,
                      "%s=\"%.40s\"; expected a number and a unit of SimGrid, "
                      "such as 125MBps or 50us",
                      name, text);
}

static int rate(const struct reader *reader, uint32_t element, const char *name,
                double *rate_Bps)
{
    static const struct unit units[] = {
        {"Bps", 1},        {"kBps", 1e3},     {"MBps", 1e6},
        {"GBps", 1e9},     {"TBps", 1e12},    {"KiBps", 0x1p10},
        {"MiBps", 0x1p20}, {"GiBps", 0x1p30}, {"TiBps", 0x1p40},
        {"bps", 0.125},    {"kbps", 125},     {"Mbps", 125e3},
        {"Gbps", 125e6},   {"Tbps", 125e9},   {"Kibps", 0x1p7},
        {"Mibps", 0x1p17}, {"Gibps", 0x1p27}, {"Tibps", 0x1p37},
        {NULL, 0},
    };
    int rc = quantity(reader, element, name, units, rate_Bps);

    if (rc || (*rate_Bps >= 1 && *rate_Bps <= 1e18))
        return rc;
    return cs_xml_err(reader->xml, element, reader->err,
                      "%s: a rate from 1 B/s to 1e18 B/s is expected", name);
}

static int latency(const struct reader *reader, uint32_t element,
                   const char *name, uint64_t *latency_ps)
{
    static const struct unit units[] = {
        {"s", 1},  {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},  {"ps", 1e-12},
        {"m", 60}, {"h", 3600},  {"d", 86400}, {"w", 604800}, {NULL, 0},
    };
    double seconds;
    int rc = quantity(reader, element, name, units, &seconds);

    if (rc)
        return rc;
    if (!(seconds <= 1e6))
        return cs_xml_err(reader->xml, element, reader->err,
                          "%s: at most 1e6 s is expected", name);
    *latency_ps = (uint64_t)llround(seconds * 1e12);
    return 0;
}

/* ---- sharing ---- */

static int read_policy(struct reader *reader, uint32_t element,
                       const char *name, const char *usual, enum cs_duplex *to)
{
    const char *text = get(reader, element, name);

    if (!text)
        text = usual;
    *to = CS_DUPLEX_HALF;
    if (cs_same(text, "SPLITDUPLEX") || cs_same(text, "FULLDUPLEX"))
        *to = CS_DUPLEX_FULL;
    else if (cs_same(text, "FATPIPE"))
        reader->has_fatpipe = true;
    else if (!cs_same(text, "SHARED"))
        return cs_xml_err(reader->xml, element, reader->err,
                          "%s=\"%.40s\"; expected SHARED, SPLITDUPLEX or "
                          "FATPIPE",
                          name, text);
    return 0;
}

static struct cs_wire numbers(const struct reader *reader, uint32_t element)
{
    return (struct cs_wire){.class_name = "link",
                            .efficiency = 1,
                            .source = reader->graph->file,
                            .line = line(reader, element)};
}

static uint32_t add_device(const struct reader *reader, const char *name,
                           enum cs_device_kind kind, uint32_t element)
{
    return cs_graph_add_device(
        reader->graph,
        (struct cs_device){.name = name,
                           .kind = kind,
                           .host = kind == CS_DEVICE_HOST
                                       ? reader->graph->device_count
                                       : CS_NO_HOST,
                           .line = line(reader, element)});
}

/* ---- hosts and links ---- */

static int want_id(const struct reader *reader, uint32_t element,
                   struct cs_names *names, uint32_t count, uint32_t most,
                   const char **id)
{
    int rc = cs_xml_want_text(reader->xml, element, "id", id, reader->err);

    if (rc)
        return rc;
    if (count == most)
        return cs_xml_err(reader->xml, element, reader->err,
                          "over %u <%s> elements", most,
                          cs_xml_name(reader->xml, element));
    *id = cs_arena_text(reader->graph->arena, *id);
    if (cs_names_add(names, *id, count) == CS_NO_NAME)
        return 0;
    return cs_xml_err(reader->xml, element, reader->err,
                      "<%s> '%.40s' is there twice",
                      cs_xml_name(reader->xml, element), *id);
}

/* Host number i is device i: all hosts come first. */
static int read_host(struct reader *reader, uint32_t element)
{
    const char *id;
    int rc = want_id(reader, element, &reader->hosts, reader->host_count,
                     HOSTS_MAX, &id);

    if (rc)
        return rc;
    reader->host_count++;
    (void)add_device(reader, id, CS_DEVICE_HOST, element);
    return 0;
}

static int read_link(struct reader *reader, uint32_t element)
{
    struct link *own = &reader->link[reader->link_count];
    enum cs_duplex duplex = CS_DUPLEX_HALF;
    const char *id;
    int rc = want_id(reader, element, &reader->links, reader->link_count,
                     LINKS_MAX, &id);

    own->wire = numbers(reader, element);
    own->wire.duplex = CS_DUPLEX_BUS;
    if (!rc)
        rc = rate(reader, element, "bandwidth", &own->wire.rate_Bps);
    if (!rc && get(reader, element, "latency"))
        rc = latency(reader, element, "latency", &own->wire.latency_ps);
    if (!rc)
        rc = read_policy(reader, element, "sharing_policy", "SHARED", &duplex);
    if (rc)
        return rc;
    reader->link_count++;
    own->bus[0] = own->bus[1] =
        add_device(reader, cs_arena_printf(reader->graph->arena, "link %s", id),
                   CS_DEVICE_BUS, element);
    if (duplex == CS_DUPLEX_FULL)
        own->bus[1] = add_device(
            reader, cs_arena_printf(reader->graph->arena, "link %s down", id),
            CS_DEVICE_BUS, element);
    return 0;
}

/* ---- routes ---- */

/* One link_ctn: which link, and which of its buses. */
struct hop {
    uint32_t link;
    uint32_t bus;
};

/* The wire from a host or joint to a bus, made when first asked for. */
static uint32_t wire_to(struct reader *reader, uint32_t device,
                        const struct hop *hop)
{
    const char *key =
        cs_arena_printf(reader->graph->arena, "%u-%u", device, hop->bus);
    uint32_t wire = cs_names_find(&reader->joints, key);
    struct cs_wire own = reader->link[hop->link].wire;

    if (wire != CS_NO_NAME)
        return wire;
    own.a = device;
    own.b = hop->bus;
    wire = cs_graph_add_wire(reader->graph, own);
    (void)cs_names_add(&reader->joints, key, wire);
    return wire;
}

/* The device between two buses. */
static uint32_t joint(struct reader *reader, uint32_t a, uint32_t b,
                      uint32_t element)
{
    const char *key = cs_arena_printf(reader->graph->arena, "%u|%u",
                                      a < b ? a : b, a < b ? b : a);
    uint32_t device = cs_names_find(&reader->joints, key);

    if (device != CS_NO_NAME)
        return device;
    device = add_device(reader,
                        cs_arena_printf(reader->graph->arena, "joint %s", key),
                        CS_DEVICE_SWITCH, element);
    (void)cs_names_add(&reader->joints, key, device);
    return device;
}

static int read_hop(const struct reader *reader, uint32_t element,
                    bool backwards, struct hop *hop)
{
    const char *direction = get(reader, element, "direction");
    const char *id;
    uint32_t index;
    bool down = backwards;
    int rc = cs_xml_want_text(reader->xml, element, "id", &id, reader->err);

    if (rc)
        return rc;
    index = cs_names_find(&reader->links, id);
    if (index == CS_NO_NAME)
        return cs_xml_err(reader->xml, element, reader->err,
                          "no <link> called '%.40s' before this route", id);
    if (direction && cs_same(direction, "DOWN"))
        down = !backwards;
    hop->link = index;
    hop->bus = reader->link[index].bus[down];
    return 0;
}

static int add_step(struct reader *reader, uint32_t element, uint32_t step)
{
    struct routes *routes = reader->routes;

    if (reader->step_count == STEPS_MAX)
        return cs_xml_err(reader->xml, element, reader->err,
                          "routes of over %d links in all", STEPS_MAX);
    if (reader->step_count == reader->step_capacity) {
        uint32_t *old = routes->steps;

        reader->step_capacity = 2 * reader->step_capacity + 64;
        routes->steps = cs_arena_alloc(reader->graph->arena,
                                       reader->step_capacity, sizeof(*old));
        if (old)
            memcpy(routes->steps, old, reader->step_count * sizeof(*old));
    }
    routes->steps[reader->step_count++] = step;
    return 0;
}

/* A route in one direction: from `src` over its link_ctn elements to `dst`, the
 * other way round for `back`. */
struct way {
    uint32_t element;
    const uint32_t *parts;
    uint32_t count;
    uint32_t src, dst;
    bool back;
};

static int read_hops(struct reader *reader, const struct way *way)
{
    uint32_t device = way->src;
    struct hop hop = {0, 0};
    int rc = 0;

    assert(way->count > 0);
    for (uint32_t i = 0; i < way->count && !rc; i++) {
        uint32_t part = way->parts[way->back ? way->count - 1 - i : i];
        uint32_t before = hop.bus;

        rc = read_hop(reader, part, way->back, &hop);
        if (rc)
            return rc;
        if (i > 0 && before == hop.bus)
            return cs_xml_err(reader->xml, part, reader->err,
                              "the same link twice in a row");
        if (i > 0)
            device = joint(reader, before, hop.bus, part);
        rc = add_step(reader, part, 2 * wire_to(reader, device, &hop));
    }
    if (!rc)
        (void)wire_to(reader, way->dst, &hop);
    return rc;
}

static int read_way(struct reader *reader, const struct way *way)
{
    struct routes *routes = reader->routes;
    uint32_t pair = way->src * routes->hosts + way->dst;

    if (routes->count[pair])
        return cs_xml_err(reader->xml, way->element, reader->err,
                          "a route from '%.40s' to '%.40s' is there already",
                          reader->graph->devices[way->src].name,
                          reader->graph->devices[way->dst].name);
    routes->begin[pair] = reader->step_count;
    routes->count[pair] = way->count;
    if (way->count > reader->graph->route_max_hops)
        reader->graph->route_max_hops = way->count;
    return read_hops(reader, way);
}

static int want_host(const struct reader *reader, uint32_t element,
                     const char *name, uint32_t *host)
{
    const char *id;
    int rc = cs_xml_want_text(reader->xml, element, name, &id, reader->err);

    if (rc)
        return rc;
    *host = cs_names_find(&reader->hosts, id);
    if (*host != CS_NO_NAME)
        return 0;
    return cs_xml_err(reader->xml, element, reader->err,
                      "%s=\"%.40s\" is no <host>", name, id);
}

/* The link_ctn elements of a route. */
static int read_parts(const struct reader *reader, struct way *way)
{
    const struct cs_xml_node *nodes = reader->xml->nodes;
    uint32_t *parts;

    for (uint32_t i = nodes[way->element].first; i != CS_XML_NONE;
         i = nodes[i].next)
        way->count += is(reader, i, "link_ctn");
    if (way->count == 0)
        return cs_xml_err(reader->xml, way->element, reader->err,
                          "a route without <link_ctn>");
    way->parts = parts =
        cs_arena_alloc(reader->graph->arena, way->count, sizeof(*parts));
    for (uint32_t i = nodes[way->element].first; i != CS_XML_NONE;
         i = nodes[i].next)
        if (is(reader, i, "link_ctn"))
            *parts++ = i;
    return 0;
}

static int read_route(struct reader *reader, uint32_t element)
{
    const char *symmetrical = get(reader, element, "symmetrical");
    struct way way = {.element = element};
    uint32_t swap;
    int rc = want_host(reader, element, "src", &way.src);

    if (!rc)
        rc = want_host(reader, element, "dst", &way.dst);
    if (rc || way.src == way.dst) /* loopback: nobody sends to himself */
        return rc;
    rc = read_parts(reader, &way);
    if (!rc)
        rc = read_way(reader, &way);
    if (rc || (symmetrical && strcasecmp(symmetrical, "no") == 0))
        return rc;
    swap = way.src;
    way.src = way.dst;
    way.dst = swap;
    way.back = true;
    return read_way(reader, &way);
}

static uint32_t route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct routes *routes = ctx;
    uint32_t pair = src * routes->hosts + dst;

    memcpy(links, routes->steps + routes->begin[pair],
           routes->count[pair] * sizeof(*links));
    return routes->count[pair];
}

static int check_complete(const struct reader *reader, uint32_t zone)
{
    const struct routes *routes = reader->routes;

    for (uint32_t a = 0; a < routes->hosts; a++)
        for (uint32_t b = 0; b < routes->hosts; b++)
            if (a != b && !routes->count[a * routes->hosts + b])
                return cs_xml_err(reader->xml, zone, reader->err,
                                  "no route from '%.40s' to '%.40s'",
                                  reader->graph->devices[a].name,
                                  reader->graph->devices[b].name);
    return 0;
}

/* ---- a zone ---- */

typedef int read_fn(struct reader *reader, uint32_t element);

static int each(struct reader *reader, uint32_t zone, const char *name,
                read_fn *read)
{
    int rc = 0;

    for (uint32_t i = reader->xml->nodes[zone].first; i != CS_XML_NONE && !rc;
         i = reader->xml->nodes[i].next)
        if (is(reader, i, name))
            rc = read(reader, i);
    return rc;
}

static uint32_t children(const struct reader *reader, uint32_t zone)
{
    uint32_t count = 0;

    for (uint32_t i = reader->xml->nodes[zone].first; i != CS_XML_NONE;
         i = reader->xml->nodes[i].next)
        count++;
    return count;
}

/* What is not read is refused, not left out. */
static int check_children(const struct reader *reader, uint32_t zone)
{
    static const char *const known[] = {"host", "link", "route", "prop",
                                        "router"};

    for (uint32_t i = reader->xml->nodes[zone].first; i != CS_XML_NONE;
         i = reader->xml->nodes[i].next) {
        size_t k = 0;

        while (k < sizeof(known) / sizeof(*known) && !is(reader, i, known[k]))
            k++;
        if (k == sizeof(known) / sizeof(*known))
            return cs_xml_err(reader->xml, i, reader->err,
                              "<%.40s> beside others in a zone is not read; "
                              "expected one zone of hosts, links and routes, "
                              "or one cluster",
                              cs_xml_name(reader->xml, i));
    }
    return 0;
}

static int read_zone(struct reader *reader, uint32_t zone)
{
    struct cs_graph *graph = reader->graph;
    const char *routing = get(reader, zone, "routing");
    struct routes *routes = cs_arena_alloc(graph->arena, 1, sizeof(*routes));
    size_t pairs;
    int rc = check_children(reader, zone);

    if (rc)
        return rc;
    if (routing && !cs_same(routing, "Full"))
        return cs_xml_err(reader->xml, zone, reader->err,
                          "routing=\"%.40s\" is not read; expected Full",
                          routing);
    reader->routes = routes;
    reader->link = cs_arena_alloc(graph->arena, children(reader, zone),
                                  sizeof(*reader->link));
    rc = each(reader, zone, "host", read_host);
    if (!rc)
        rc = each(reader, zone, "link", read_link);
    routes->hosts = reader->host_count;
    pairs = (size_t)routes->hosts * routes->hosts;
    routes->begin = cs_arena_alloc(graph->arena, pairs, sizeof(uint32_t));
    routes->count = cs_arena_alloc(graph->arena, pairs, sizeof(uint32_t));
    if (!rc)
        rc = each(reader, zone, "route", read_route);
    if (!rc)
        rc = check_complete(reader, zone);
    graph->route = route;
    graph->route_ctx = routes;
    return rc;
}

/* ---- a cluster ---- */

struct cluster {
    uint32_t element;
    struct cs_wire link;
    struct cs_wire backbone; /* rate 0: there is none */
    uint32_t hub;            /* device */
};

static uint32_t cluster_route(void *ctx, uint32_t src, uint32_t dst,
                              uint32_t *links)
{
    (void)ctx;
    links[0] = 2 * src;
    links[1] = 2 * dst + 1;
    return 2;
}

/* A host has two wires: to its port, and from there to the backbone. */
static uint32_t backbone_route(void *ctx, uint32_t src, uint32_t dst,
                               uint32_t *links)
{
    (void)ctx;
    links[0] = 4 * src;
    links[1] = 4 * src + 2;
    links[2] = 4 * dst + 1;
    return 3;
}

static int read_cluster_links(struct reader *reader, struct cluster *cluster)
{
    uint32_t element = cluster->element;
    enum cs_duplex duplex;
    int rc;

    cluster->link = cluster->backbone = numbers(reader, element);
    rc = rate(reader, element, "bw", &cluster->link.rate_Bps);
    if (!rc)
        rc = latency(reader, element, "lat", &cluster->link.latency_ps);
    if (!rc)
        rc = read_policy(reader, element, "sharing_policy", "SPLITDUPLEX",
                         &cluster->link.duplex);
    if (rc || !get(reader, element, "bb_bw"))
        return rc;
    cluster->backbone.class_name = "backbone";
    cluster->backbone.duplex = CS_DUPLEX_BUS;
    rc = rate(reader, element, "bb_bw", &cluster->backbone.rate_Bps);
    if (!rc && get(reader, element, "bb_lat"))
        rc = latency(reader, element, "bb_lat", &cluster->backbone.latency_ps);
    return rc ? rc
              : read_policy(reader, element, "bb_sharing_policy", "SHARED",
                            &duplex);
}

static int add_member(struct reader *reader, struct cluster *cluster,
                      uint64_t number)
{
    struct cs_arena *arena = reader->graph->arena;
    const char *prefix = get(reader, cluster->element, "prefix");
    const char *suffix = get(reader, cluster->element, "suffix");
    const char *name =
        cs_arena_printf(arena, "%s%llu%s", prefix ? prefix : "",
                        (unsigned long long)number, suffix ? suffix : "");
    struct cs_wire wire = cluster->link;

    if (reader->host_count++ == CLUSTER_MAX)
        return cs_xml_err(reader->xml, cluster->element, reader->err,
                          "over %d hosts", CLUSTER_MAX);
    wire.a = add_device(reader, name, CS_DEVICE_HOST, cluster->element);
    wire.b = cluster->hub;
    if (cluster->backbone.rate_Bps > 0) {
        wire.b = add_device(reader, cs_arena_printf(arena, "port %s", name),
                            CS_DEVICE_SWITCH, cluster->element);
        cs_graph_add_wire(reader->graph, wire);
        cluster->backbone.a = wire.b;
        cluster->backbone.b = cluster->hub;
        wire = cluster->backbone;
    }
    cs_graph_add_wire(reader->graph, wire);
    return 0;
}

/* "0-7,9": each number once, in order. */
static int read_radical(struct reader *reader, struct cluster *cluster)
{
    const char *text;
    const char *at;
    int rc = cs_xml_want_text(reader->xml, cluster->element, "radical", &text,
                              reader->err);

    for (at = text; !rc; at++) {
        char *end;
        uint64_t low = strtoull(at, &end, 10);
        uint64_t high = low;

        if (*at >= '0' && *at <= '9' && *end == '-') {
            at = end + 1;
            high = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
        }
        if (*at < '0' || *at > '9' || (*end && *end != ',') || high < low ||
            high >= UINT32_MAX)
            return cs_xml_err(reader->xml, cluster->element, reader->err,
                              "radical=\"%.40s\"; expected numbers such as "
                              "0-7,9",
                              text);
        for (; low <= high && !rc; low++)
            rc = add_member(reader, cluster, low);
        at = end;
        if (!*at)
            break;
    }
    return rc;
}

static int read_cluster(struct reader *reader, uint32_t element)
{
    struct cs_graph *graph = reader->graph;
    const char *topology = get(reader, element, "topology");
    struct cluster cluster = {.element = element};
    bool has_backbone;
    int rc;

    if (topology && !cs_same(topology, "FLAT"))
        return cs_xml_err(reader->xml, element, reader->err,
                          "topology=\"%.40s\" is not read; 'collsim list "
                          "topologies' shows generators of such machines",
                          topology);
    if (get(reader, element, "limiter_link"))
        cs_graph_remark(graph, "line %u: limiter_link is left out",
                        line(reader, element));
    rc = read_cluster_links(reader, &cluster);
    if (rc)
        return rc;
    has_backbone = cluster.backbone.rate_Bps > 0;
    cluster.hub =
        add_device(reader, has_backbone ? "backbone" : "crossbar",
                   has_backbone ? CS_DEVICE_BUS : CS_DEVICE_SWITCH, element);
    graph->route = has_backbone ? backbone_route : cluster_route;
    graph->route_max_hops = 3;
    return read_radical(reader, &cluster);
}

/* ---- the source ---- */

/* The only thing in an element beside words about it, or CS_XML_NONE. */
static uint32_t only_child(const struct reader *reader, uint32_t element)
{
    const struct cs_xml_node *nodes = reader->xml->nodes;
    uint32_t only = CS_XML_NONE;

    for (uint32_t i = nodes[element].first; i != CS_XML_NONE;
         i = nodes[i].next) {
        if (is(reader, i, "config") || is(reader, i, "prop"))
            continue;
        if (only != CS_XML_NONE)
            return CS_XML_NONE;
        only = i;
    }
    return only;
}

static int read_platform(struct reader *reader)
{
    uint32_t zone = only_child(reader, 0);
    uint32_t inside;
    int rc = cs_xml_want_name(reader->xml, 0, "platform", reader->err);

    if (rc)
        return rc;
    if (zone != CS_XML_NONE && is(reader, zone, "cluster"))
        return read_cluster(reader, zone);
    if (zone == CS_XML_NONE ||
        (!is(reader, zone, "zone") && !is(reader, zone, "AS")))
        return cs_xml_err(reader->xml, 0, reader->err,
                          "expected one <zone> or <cluster> in <platform>");
    inside = only_child(reader, zone);
    if (inside != CS_XML_NONE && is(reader, inside, "cluster"))
        return read_cluster(reader, inside);
    return read_zone(reader, zone);
}

static int read(const struct cs_topo_request *request,
                struct cs_source_text text, struct cs_graph *graph,
                struct cs_err *err)
{
    struct cs_xml xml;
    struct reader reader = {.xml = &xml, .graph = graph, .err = err};
    int rc = cs_xml_read_text(
        (struct cs_xml_text){text.file, text.text, text.length}, &xml,
        graph->arena, err);

    (void)request;
    if (rc)
        return rc;
    cs_names_init(&reader.hosts, graph->arena, 0);
    cs_names_init(&reader.links, graph->arena, 0);
    cs_names_init(&reader.joints, graph->arena, 0);
    rc = read_platform(&reader);
    if (!rc && reader.host_count == 0)
        rc = cs_xml_err(&xml, 0, err, "no <host> in this platform");
    if (reader.has_fatpipe)
        cs_graph_remark(graph, "FATPIPE links are shared like others here");
    graph->about = "a platform of SimGrid";
    cs_graph_seat_all(graph);
    return rc;
}

static bool recognises(struct cs_source_text text)
{
    return cs_xml_begins_with(text.text, text.length, "platform");
}

const struct cs_source cs_source_simgrid = {
    .name = "simgrid",
    .usage = "simgrid:FILE.xml",
    .about = "a platform of SimGrid: a zone with routes written out, or one "
             "cluster",
    .read = read,
    .recognises = recognises,
};
