#include "topo/formats/simgrid/reader.h"

#include "sim/base/text.h"
#include "topo/documents/xml.h"

#include <assert.h>
#include <strings.h>

int cs_simgrid_read_link(struct cs_simgrid_reader *reader, uint32_t element)
{
    static const char *const names[] = {"bandwidth", "latency", "sharing_policy"};
    struct cs_simgrid_link *own = &reader->link[reader->link_count];
    bool is_split;
    const char *id;

    if (cs_simgrid_want_id(reader, element, &id))
        return CS_EINPUT;
    if (reader->link_count == CS_SIMGRID_LINKS_MAX)
        return cs_doc_err(reader->doc, element, reader->err, "over %d links", CS_SIMGRID_LINKS_MAX);
    if (cs_simgrid_add_name(reader, element, &reader->links, id, reader->link_count) ||
        cs_simgrid_read_wire(reader, element, names, "SHARED", &own->wire) ||
        cs_simgrid_add_wire(reader, element, own->wire, &own->joined))
        return CS_EINPUT;
    is_split = own->wire.duplex == CS_DUPLEX_FULL;
    own->wire.duplex = CS_DUPLEX_BUS;
    reader->link_count++;
    if (own->joined != CS_NO_NAME)
        return 0;
    own->bus[0] = own->bus[1] = cs_simgrid_add_device(
        reader, cs_arena_printf(reader->graph->arena, "link %s", id), CS_DEVICE_BUS, element);
    if (is_split)
        own->bus[1] =
            cs_simgrid_add_device(reader, cs_arena_printf(reader->graph->arena, "link %s down", id),
                                  CS_DEVICE_BUS, element);
    return 0;
}

/* ---- routes ---- */

/* A <link_ctn>: the link, and the bus of the direction. */
struct simgrid_hop {
    uint32_t link;
    uint32_t bus;
    bool down;
};

/* The wire from a bus to a device; added on first use. */
static uint32_t wire_from(struct cs_simgrid_reader *reader, uint32_t device,
                          const struct simgrid_hop *hop)
{
    const char *key = cs_arena_printf(reader->graph->arena, "%u-%u", device, hop->bus);
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

/* The same wire, also used towards the bus. */
static uint32_t wire_to(struct cs_simgrid_reader *reader, uint32_t device,
                        const struct simgrid_hop *hop)
{
    uint32_t wire = wire_from(reader, device, hop);

    reader->graph->wires[wire].backwards = false;
    return wire;
}

/* The device between two buses; added on first use. */
static uint32_t simgrid_joint(struct cs_simgrid_reader *reader, uint32_t a, uint32_t b,
                              uint32_t element)
{
    const char *key = cs_arena_printf(reader->graph->arena, "%u|%u", a < b ? a : b, a < b ? b : a);
    uint32_t device = cs_names_find(&reader->joints, key);

    if (device != CS_NO_NAME)
        return device;
    device = cs_simgrid_add_device(reader, cs_arena_printf(reader->graph->arena, "joint %s", key),
                                   CS_DEVICE_SWITCH, element);
    (void)cs_names_add(&reader->joints, key, device);
    return device;
}

static int read_hop(const struct cs_simgrid_reader *reader, uint32_t element, bool backwards,
                    struct simgrid_hop *hop)
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
        return cs_doc_err(reader->doc, element, reader->err, "no <link> called '%.40s'", id);
    if (direction && cs_same(direction, "DOWN"))
        down = !backwards;
    hop->link = index;
    hop->down = down;
    hop->bus = reader->link[index].bus[down];
    return 0;
}

static int simgrid_add_step(struct cs_simgrid_reader *reader, uint32_t element, uint32_t step)
{
    if (reader->tree.link_count == CS_SIMGRID_STEPS_MAX)
        return cs_doc_err(reader->doc, element, reader->err, "routes of over %d links in all",
                          CS_SIMGRID_STEPS_MAX);
    cs_zones_add_link(&reader->tree, step);
    return 0;
}

/* A route in one direction over the <link_ctn> elements, in reverse order
 * for `back`. */
struct simgrid_route {
    uint32_t element;
    const uint32_t *parts;
    uint32_t count;
    struct cs_zones_route ends;
    bool back;
};

/* Over a link of buses from a device; `before` is the link of the hop before, or
 * NULL for the first. */
static int read_bus_hop(struct cs_simgrid_reader *reader, uint32_t part,
                        const struct simgrid_hop *before, const struct simgrid_hop *hop,
                        uint32_t *device)
{
    if (before && before->bus == hop->bus)
        return cs_doc_err(reader->doc, part, reader->err, "the same link twice in a row");
    if (before) {
        *device = simgrid_joint(reader, before->bus, hop->bus, part);
        (void)wire_from(reader, *device, before);
    }
    return simgrid_add_step(reader, part, 2 * wire_to(reader, *device, hop));
}

/* Over a link with ends from a device, to the other end. */
static int read_joined_hop(struct cs_simgrid_reader *reader, uint32_t part,
                           const struct simgrid_hop *hop, uint32_t *device)
{
    uint32_t number = reader->link[hop->link].joined;
    const struct cs_wire *wire = &reader->graph->wires[number];
    bool down = wire->duplex == CS_DUPLEX_FULL ? hop->down : *device == wire->b;

    if (*device != (down ? wire->b : wire->a))
        return cs_doc_err(reader->doc, part, reader->err, "the link does not begin at '%.40s'",
                          reader->graph->devices[*device].name);
    *device = down ? wire->a : wire->b;
    return simgrid_add_step(reader, part, 2 * number + down);
}

static bool simgrid_is_joined(const struct cs_simgrid_reader *reader, const struct simgrid_hop *hop)
{
    return reader->link[hop->link].joined != CS_NO_NAME;
}

/* The last link reaches the gate. */
static int read_last_hop(struct cs_simgrid_reader *reader, const struct simgrid_route *route,
                         const struct simgrid_hop *hop, uint32_t device)
{
    uint32_t gate = reader->tree.points[route->ends.gate_to].device;

    if (!simgrid_is_joined(reader, hop)) {
        (void)wire_from(reader, gate, hop);
        return 0;
    }
    if (device == gate)
        return 0;
    return cs_doc_err(reader->doc, route->element, reader->err,
                      "the route ends at '%.40s'; expected '%.40s'",
                      reader->graph->devices[device].name, reader->graph->devices[gate].name);
}

/* The hop of a link, from the device to the next one. */
static int take_hop(struct cs_simgrid_reader *reader, uint32_t part,
                    const struct simgrid_hop *before, struct simgrid_hop *hop, uint32_t *device)
{
    bool is_joined = simgrid_is_joined(reader, hop);

    if (before && simgrid_is_joined(reader, before) != is_joined)
        return cs_doc_err(reader->doc, part, reader->err,
                          "a link with " CS_SIMGRID_ENDS
                          " next to one without; expected all or none of a route");
    return is_joined ? read_joined_hop(reader, part, hop, device)
                     : read_bus_hop(reader, part, before, hop, device);
}

static int read_hops(struct cs_simgrid_reader *reader, const struct simgrid_route *route)
{
    uint32_t device = reader->tree.points[route->ends.gate_from].device;
    struct simgrid_hop hop = {0, 0, false};
    int rc = 0;

    assert(route->count > 0);
    for (uint32_t i = 0; i < route->count && !rc; i++) {
        uint32_t part = route->parts[route->back ? route->count - 1 - i : i];
        struct simgrid_hop before = hop;

        rc = read_hop(reader, part, route->back, &hop);
        if (!rc)
            rc = take_hop(reader, part, i ? &before : NULL, &hop, &device);
        if (!rc && i + 1 < route->count && simgrid_is_joined(reader, &hop))
            reader->graph->direct |= reader->graph->devices[device].kind == CS_DEVICE_GPU ||
                                     reader->graph->devices[device].kind == CS_DEVICE_HOST;
    }
    return rc ? rc : read_last_hop(reader, route, &hop, device);
}

static int simgrid_read_route(struct cs_simgrid_reader *reader, const struct simgrid_route *route)
{
    int rc = read_hops(reader, route);

    if (rc || cs_zones_add_route(&reader->tree, route->ends))
        return rc;
    return cs_doc_err(reader->doc, route->element, reader->err,
                      "duplicate route from '%.40s' to '%.40s'",
                      cs_doc_attribute(reader->doc, route->element, route->back ? "dst" : "src"),
                      cs_doc_attribute(reader->doc, route->element, route->back ? "src" : "dst"));
}

/* The point named by an attribute, searched in `names`. */
static int want_point(const struct cs_simgrid_reader *reader, uint32_t element, const char *name,
                      const struct cs_names *names, uint32_t *point)
{
    const char *id;
    int rc = cs_xml_want_text(reader->doc, element, name, &id, reader->err);

    if (rc)
        return rc;
    *point = cs_names_find(names, id);
    if (*point != CS_NO_NAME)
        return 0;
    return cs_doc_err(reader->doc, element, reader->err, "%s=\"%.40s\" is not a %s", name, id,
                      names == &reader->zones ? "<zone> or <cluster>" : "<host> or <router>");
}

/* An end of a route: a point of the element's zone. */
static int want_end(const struct cs_simgrid_reader *reader, uint32_t element, const char *name,
                    const struct cs_names *names, uint32_t *point)
{
    int rc = want_point(reader, element, name, names, point);

    if (rc || reader->tree.points[*point].zone == reader->zone_of[element])
        return rc;
    return cs_doc_err(reader->doc, element, reader->err, "%s=\"%.40s\" is not in this zone", name,
                      cs_doc_attribute(reader->doc, element, name));
}

static int want_gate(const struct cs_simgrid_reader *reader, uint32_t element, const char *name,
                     uint32_t end, uint32_t *gate)
{
    int rc = want_point(reader, element, name, &reader->points, gate);

    if (rc || cs_zones_holds(&reader->tree, reader->tree.points[end].inside, *gate))
        return rc;
    return cs_doc_err(reader->doc, element, reader->err, "%s=\"%.40s\" is not in that zone", name,
                      cs_doc_attribute(reader->doc, element, name));
}

/* The link_ctn elements of a route. */
static int read_parts(const struct cs_simgrid_reader *reader, struct simgrid_route *route)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t *parts;

    route->count = cs_doc_count(reader->doc, route->element, "link_ctn");
    if (route->count == 0)
        return cs_doc_err(reader->doc, route->element, reader->err, "a route without <link_ctn>");
    route->ends.links = route->count;
    route->parts = parts = cs_arena_alloc(reader->graph->arena, route->count, sizeof(*parts));
    for (uint32_t i = nodes[route->element].first; i != CS_DOC_NONE; i = nodes[i].next)
        if (cs_doc_is(reader->doc, i, "link_ctn"))
            *parts++ = i;
    return 0;
}

static int read_both_directions(struct cs_simgrid_reader *reader, struct simgrid_route *route)
{
    const char *symmetrical = cs_doc_attribute(reader->doc, route->element, "symmetrical");
    struct cs_zones_route ends = route->ends;
    int rc;

    if (cs_simgrid_is_star(reader, reader->zone_of[route->element]))
        return cs_doc_err(reader->doc, route->element, reader->err,
                          "a route is not allowed in a zone with routing=\"Cluster\"");
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

int cs_simgrid_read_route(struct cs_simgrid_reader *reader, uint32_t element)
{
    bool is_of_zones = !cs_doc_is(reader->doc, element, "route");
    const struct cs_names *names = is_of_zones ? &reader->zones : &reader->points;
    struct simgrid_route route = {.element = element};
    struct cs_zones_route *ends = &route.ends;

    if (want_end(reader, element, "src", names, &ends->from) ||
        want_end(reader, element, "dst", names, &ends->to))
        return CS_EINPUT;
    ends->gate_from = ends->from;
    ends->gate_to = ends->to;
    if (is_of_zones && (want_gate(reader, element, "gw_src", ends->from, &ends->gate_from) ||
                        want_gate(reader, element, "gw_dst", ends->to, &ends->gate_to)))
        return CS_EINPUT;
    /* A loopback route is not used. */
    return ends->from == ends->to ? 0 : read_both_directions(reader, &route);
}
