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
 * Zones are nested (zones.h).  With routing Full routes are as listed, with
 * Floyd and Dijkstra the chains of fewest links; Cluster is a star of cabinets.
 * A route also holds in reverse, except with symmetrical="NO".
 *
 * A link is a bus: all messages share the rate, in both directions; a
 * SPLITDUPLEX link is two buses; a link whose properties name the ends is a wire.  The hosts of a cluster have full-duplex links
 * to a router, or to a shared backbone (a bus).  A cluster with topology= must
 * be the whole platform: TORUS is read as torus:, FAT_TREE and DRAGONFLY as in
 * fabrics.c.  Of two equal directions around a torus the upward direction is
 * used; in SimGrid the choice depends on the source.
 *
 * Coordinates (Vivaldi), bypasses and elements outside of the network are
 * refused by name.  A host's speed has no relation to bytes: reductions cost no
 * time unless the properties of a written machine say so (reader.h).
 */
#include "sim/base/text.h"
#include "topo/formats/simgrid/reader.h"
#include "topo/formats/source.h"

static int read_point(struct cs_simgrid_reader *reader, uint32_t element, enum cs_device_kind kind)
{
    uint32_t zone = reader->zone_of[element];
    const char *id;
    int rc = cs_simgrid_want_id(reader, element, &id);

    return rc ? rc : cs_simgrid_add_point(reader, element, zone, id, kind);
}

static int read_host(struct cs_simgrid_reader *reader, uint32_t element)
{
    int rc;

    if (cs_simgrid_is_star(reader, reader->zone_of[element]))
        return cs_doc_err(
            reader->doc, element, reader->err,
            "<host> in a zone with routing=\"Cluster\" is not supported; expected <cabinet>");
    rc = read_point(reader, element, CS_DEVICE_HOST);
    return rc ? rc : cs_simgrid_host_properties(reader, element, reader->graph->device_count - 1);
}

/* The router of a star has been added with the hub. */
static int read_router(struct cs_simgrid_reader *reader, uint32_t element)
{
    if (cs_simgrid_is_star(reader, reader->zone_of[element]))
        return 0;
    return read_point(reader, element, CS_DEVICE_SWITCH);
}

/* ---- zones ---- */

int cs_simgrid_add_zone(struct cs_simgrid_reader *reader, uint32_t element, enum cs_zone_kind kind,
                        uint32_t *zone)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    const char *id;
    int rc = cs_simgrid_want_id(reader, element, &id);

    if (rc)
        return rc;
    if (reader->tree.zone_count == CS_SIMGRID_ZONES_MAX)
        return cs_doc_err(reader->doc, element, reader->err, "over %d zones", CS_SIMGRID_ZONES_MAX);
    *zone = cs_zones_add(&reader->tree, reader->zone_of[element], kind);
    reader->element_of[*zone] = element;
    for (uint32_t i = nodes[element].first; i != CS_DOC_NONE; i = nodes[i].next)
        reader->zone_of[i] = *zone;
    return cs_simgrid_add_name(reader, element, &reader->zones, id,
                               reader->tree.zones[*zone].point);
}

/* A Vivaldi zone with a single child has no route, so the coordinates do
 * not matter. */
static int check_vivaldi(const struct cs_simgrid_reader *reader, uint32_t element)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t first = nodes[element].first;

    while (first != CS_DOC_NONE && cs_doc_is(reader->doc, first, "prop"))
        first = nodes[first].next;
    if (first == CS_DOC_NONE || nodes[first].next == CS_DOC_NONE)
        return 0;
    return cs_doc_err(reader->doc, element, reader->err,
                      "routing=\"Vivaldi\" is not supported, because latencies come from "
                      "coordinates; expected Full, Floyd, Dijkstra or Cluster");
}

static int read_zone(struct cs_simgrid_reader *reader, uint32_t element)
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
        rc = cs_doc_err(
            reader->doc, element, reader->err,
            "routing=\"%.40s\" is not supported; expected Full, Floyd, Dijkstra or Cluster",
            routing);
    if (!rc)
        rc = cs_simgrid_add_zone(reader, element, kind, &zone);
    if (rc || kind != CS_ZONE_STAR)
        return rc;
    return cs_simgrid_read_star(reader, element, zone);
}

/* ---- elements ---- */

/* Three passes, because a file may use a name before the definition. */
enum simgrid_pass {
    POINTS,
    LINKS,
    ROUTES,
    PASSES,
};

struct simgrid_element {
    const char *name;
    int (*read)(struct cs_simgrid_reader *reader, uint32_t element); /* NULL: skipped */
    int pass;
};

static const struct simgrid_element *simgrid_kind_of(const struct cs_simgrid_reader *reader,
                                                     uint32_t i)
{
    static const struct simgrid_element kinds[] = {
        {"zone", read_zone, POINTS},
        {"AS", read_zone, POINTS},
        {"cluster", cs_simgrid_read_cluster, POINTS},
        {"cabinet", cs_simgrid_read_cabinet, POINTS},
        {"backbone", cs_simgrid_want_star, POINTS},
        {"host", read_host, POINTS},
        {"router", read_router, POINTS},
        {"prop", cs_simgrid_zone_property, POINTS},
        {"config", NULL, POINTS},
        {"trace", NULL, POINTS},
        {"trace_connect", NULL, POINTS},
        {"link", cs_simgrid_read_link, LINKS},
        {"route", cs_simgrid_read_route, ROUTES},
        {"zoneRoute", cs_simgrid_read_route, ROUTES},
        {"ASroute", cs_simgrid_read_route, ROUTES},
    };

    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
        if (cs_doc_is(reader->doc, i, kinds[k].name))
            return &kinds[k];
    return NULL;
}

/* Elements are in file order: parents before children. */
static int read_pass(struct cs_simgrid_reader *reader, int pass)
{
    int rc = 0;

    for (uint32_t i = 1; i < reader->doc->count && !rc; i++) {
        const struct simgrid_element *kind;

        if (reader->zone_of[i] == CS_ZONES_NONE)
            continue;
        kind = simgrid_kind_of(reader, i);
        if (!kind)
            return cs_doc_err(reader->doc, i, reader->err,
                              "<%.40s> is not supported; expected zones, clusters, hosts, routers, "
                              "links and routes",
                              reader->doc->nodes[i].key);
        if (kind->pass == pass && kind->read)
            rc = kind->read(reader, i);
    }
    return rc;
}

/* ---- routes ---- */

struct simgrid_routes {
    struct cs_zones tree;
    const uint32_t *point; /* by rank */
};

static uint32_t simgrid_zone_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    struct simgrid_routes *routes = ctx;

    return cs_zones_find(&routes->tree, routes->point[src], routes->point[dst], links);
}

/* Members of a star are identical, so a check of two members and of the
 * middle covers the star. */
static uint32_t list_different(const struct cs_simgrid_reader *reader, uint32_t *point)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < reader->host_count; i++) {
        const struct cs_zones_point *own = &reader->tree.points[reader->host_point[i]];

        if (!cs_simgrid_is_star(reader, own->zone) || own->index <= 2)
            point[count++] = reader->host_point[i];
    }
    return count;
}

/* Checks that a route connects every pair of hosts, and finds the longest. */
static int simgrid_check_routes(struct cs_simgrid_reader *reader)
{
    uint32_t *point = cs_arena_alloc(reader->graph->arena, reader->host_count, sizeof(*point));
    uint32_t count = list_different(reader, point);
    uint64_t visits = 0;

    for (uint32_t i = 0; i < count * (uint64_t)count; i++) {
        uint32_t from = point[i / count], to = point[i % count];
        uint32_t hops = from == to ? 0 : cs_zones_find(&reader->tree, from, to, NULL);

        if (hops == CS_ZONES_NONE)
            return cs_doc_err(reader->doc,
                              reader->element_of[cs_zones_meeting(&reader->tree, from, to)],
                              reader->err, "no route from '%.40s' to '%.40s'",
                              reader->graph->devices[reader->tree.points[from].device].name,
                              reader->graph->devices[reader->tree.points[to].device].name);
        visits += hops + 1;
        if (visits > CS_SIMGRID_VISITS_MAX)
            return cs_doc_err(reader->doc, 0, reader->err, "routes of over %d links in all",
                              CS_SIMGRID_VISITS_MAX);
        if (hops > reader->graph->route_max_hops)
            reader->graph->route_max_hops = hops;
    }
    return 0;
}

static int simgrid_find_routes(struct cs_simgrid_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    struct simgrid_routes *routes = cs_arena_alloc(graph->arena, 1, sizeof(*routes));
    int rc;

    if (!cs_zones_prepare(&reader->tree, CS_SIMGRID_PAIRS_MAX, CS_SIMGRID_SHORTEST_MAX))
        return cs_doc_err(reader->doc, 0, reader->err,
                          "over %d pairs of hosts and routers in zones, or over %d steps to find "
                          "the shortest routes",
                          CS_SIMGRID_PAIRS_MAX, CS_SIMGRID_SHORTEST_MAX);
    rc = read_pass(reader, LINKS);
    if (!rc)
        rc = read_pass(reader, ROUTES);
    if (rc)
        return rc;
    cs_zones_shortest(&reader->tree);
    graph->route_max_hops = 1;
    rc = simgrid_check_routes(reader);
    *routes = (struct simgrid_routes){reader->tree, reader->host_point};
    graph->route = simgrid_zone_route;
    graph->route_ctx = routes;
    return rc;
}

/* ---- the source ---- */

static int read_platform(struct cs_simgrid_reader *reader)
{
    struct cs_arena *arena = reader->graph->arena;
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t count = reader->doc->count;
    int rc;

    reader->tree.arena = arena;
    reader->zone_of = cs_arena_alloc(arena, count, sizeof(*reader->zone_of));
    for (uint32_t i = 0; i < count; i++)
        reader->zone_of[i] = CS_ZONES_NONE;
    for (uint32_t i = nodes[0].first; i != CS_DOC_NONE; i = nodes[i].next)
        reader->zone_of[i] = 0;
    for (uint32_t i = 0; i < count; i++)
        reader->link_count += cs_doc_is(reader->doc, i, "link");
    reader->link = cs_arena_alloc(arena, reader->link_count, sizeof(*reader->link));
    reader->link_count = 0;
    reader->element_of = cs_arena_alloc(arena, CS_SIMGRID_ZONES_MAX, sizeof(*reader->element_of));
    reader->hub = cs_arena_alloc(arena, CS_SIMGRID_ZONES_MAX, sizeof(*reader->hub));
    (void)cs_zones_add(&reader->tree, CS_ZONES_NONE, CS_ZONE_WRITTEN);
    rc = read_pass(reader, POINTS);
    if (!rc && reader->host_count == 0)
        rc = cs_doc_err(reader->doc, 0, reader->err, "no <host> in this platform");
    if (rc)
        return rc;
    return reader->fabric ? cs_simgrid_add_fabric(reader) : simgrid_find_routes(reader);
}

/* Whether the platform changes with time. */
static bool has_traces(const struct cs_simgrid_reader *reader)
{
    static const char *const files[] = {"availability_file", "speed_file",     "state_file",
                                        "bandwidth_file",    "latency_file",   "availability-file",
                                        "state-file",        "bandwidth-file", "latency-file"};

    for (uint32_t i = 0; i < reader->doc->count; i++) {
        if (cs_doc_is(reader->doc, i, "trace") || cs_doc_is(reader->doc, i, "trace_connect"))
            return true;
        for (size_t k = 0; k < sizeof(files) / sizeof(*files); k++)
            if (cs_doc_attribute(reader->doc, i, files[k]))
                return true;
    }
    return false;
}

static int simgrid_read(const struct cs_topo_request *request, const struct cs_doc *doc,
                        struct cs_graph *graph, struct cs_err *err)
{
    struct cs_simgrid_reader reader = {.doc = doc, .graph = graph, .err = err};
    int rc;

    (void)request;
    cs_names_init(&reader.points, graph->arena, 0);
    cs_names_init(&reader.zones, graph->arena, 0);
    cs_names_init(&reader.links, graph->arena, 0);
    cs_names_init(&reader.joints, graph->arena, 0);
    cs_names_init(&reader.inner, graph->arena, 0);
    rc = read_platform(&reader);
    if (!rc && reader.has_fatpipe)
        cs_graph_note(graph, "FATPIPE links are modelled as shared links");
    if (!rc && has_traces(&reader))
        cs_graph_note(graph, "traces of hosts and links (<trace>, <trace_connect>, files of speed, "
                             "bandwidth, latency and state) are ignored: rates are constant");
    graph->about = "a platform of SimGrid";
    cs_graph_place_all(graph); /* and no parameter servers */
    return rc;
}

const struct cs_source cs_source_simgrid = {
    .name = "simgrid",
    .usage = "simgrid:FILE.xml",
    .about = "a platform file of SimGrid: nested zones, clusters, routes",
    .read_document = simgrid_read,
    .root = "platform",
};
