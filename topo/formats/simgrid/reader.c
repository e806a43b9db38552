#include "topo/formats/simgrid/reader.h"

#include "sim/base/collections/vector.h"
#include "sim/base/text.h"
#include "topo/documents/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- units ---- */

struct simgrid_unit {
    const char *name;
    double factor;
};

/* A number with an optional exponent and one of the units; the default is
 * the first unit. */
static int simgrid_quantity(const struct cs_simgrid_reader *reader, uint32_t element,
                            const char *name, const struct simgrid_unit *units, double *value)
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
    return cs_doc_err(
        reader->doc, element, reader->err,
        "%s=\"%.40s\"; expected a number and a unit of SimGrid, such as 125MBps or 50us", name,
        text);
}

/* A required attribute that is a rate in units of SimGrid; 1 B/s to 1e18 B/s. */
static int simgrid_rate(const struct cs_simgrid_reader *reader, uint32_t element, const char *name,
                        double *rate_Bps)
{
    static const struct simgrid_unit units[] = {
        {"Bps", 1},        {"kBps", 1e3},     {"MBps", 1e6},     {"GBps", 1e9},
        {"TBps", 1e12},    {"KiBps", 0x1p10}, {"MiBps", 0x1p20}, {"GiBps", 0x1p30},
        {"TiBps", 0x1p40}, {"bps", 0.125},    {"kbps", 125},     {"Mbps", 125e3},
        {"Gbps", 125e6},   {"Tbps", 125e9},   {"Kibps", 0x1p7},  {"Mibps", 0x1p17},
        {"Gibps", 0x1p27}, {"Tibps", 0x1p37}, {NULL, 0},
    };
    int rc = simgrid_quantity(reader, element, name, units, rate_Bps);

    if (rc || (*rate_Bps >= 1 && *rate_Bps <= 1e18))
        return rc;
    return cs_doc_err(reader->doc, element, reader->err,
                      "%s: expected a rate from 1 B/s to 1e18 B/s", name);
}

/* The same for a latency, up to 1e6 s. */
static int simgrid_latency(const struct cs_simgrid_reader *reader, uint32_t element,
                           const char *name, uint64_t *latency_ps)
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
        return cs_doc_err(reader->doc, element, reader->err, "%s: expected at most 1e6 s", name);
    *latency_ps = (uint64_t)llround(seconds * 1e12);
    return 0;
}

/* ---- sharing ---- */

static int read_policy(struct cs_simgrid_reader *reader, uint32_t element, const char *name,
                       const char *typical, enum cs_duplex *to)
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
                          "%s=\"%.40s\"; expected SHARED, SPLITDUPLEX or FATPIPE", name, text);
    return 0;
}

int cs_simgrid_read_wire(struct cs_simgrid_reader *reader, uint32_t element,
                         const char *const names[3], const char *policy, struct cs_wire *wire)
{
    int rc;

    *wire = (struct cs_wire){.class_name = "link",
                             .efficiency = 1,
                             .source = reader->graph->file,
                             .line = reader->doc->nodes[element].line};
    rc = simgrid_rate(reader, element, names[0], &wire->rate_Bps);
    if (!rc && cs_doc_attribute(reader->doc, element, names[1]))
        rc = simgrid_latency(reader, element, names[1], &wire->latency_ps);
    return rc ? rc : read_policy(reader, element, names[2], policy, &wire->duplex);
}

uint32_t cs_simgrid_add_device(const struct cs_simgrid_reader *reader, const char *name,
                               enum cs_device_kind kind, uint32_t element)
{
    return cs_graph_add_device(reader->graph,
                               (struct cs_device){.name = name,
                                                  .kind = kind,
                                                  .host = kind == CS_DEVICE_HOST
                                                              ? reader->graph->device_count
                                                              : CS_NO_HOST,
                                                  .line = reader->doc->nodes[element].line});
}

/* ---- hosts and links ---- */

int cs_simgrid_want_id(const struct cs_simgrid_reader *reader, uint32_t element, const char **id)
{
    int rc = cs_xml_want_text(reader->doc, element, "id", id, reader->err);

    if (!rc)
        *id = cs_arena_text(reader->graph->arena, *id);
    return rc;
}

int cs_simgrid_add_name(const struct cs_simgrid_reader *reader, uint32_t element,
                        struct cs_names *names, const char *id, uint32_t number)
{
    if (cs_names_add(names, id, number) == CS_NO_NAME)
        return 0;
    return cs_doc_err(reader->doc, element, reader->err, "<%s> '%.40s' is a duplicate",
                      reader->doc->nodes[element].key, id);
}

int cs_simgrid_add_point(struct cs_simgrid_reader *reader, uint32_t element, uint32_t zone,
                         const char *id, enum cs_device_kind kind)
{
    uint32_t device = cs_simgrid_add_device(reader, id, kind, element);
    uint32_t point = cs_zones_add_point(&reader->tree, zone, device);

    if (kind == CS_DEVICE_HOST) {
        if (reader->host_count == CS_SIMGRID_HOSTS_MAX)
            return cs_doc_err(reader->doc, element, reader->err, "over %d hosts",
                              CS_SIMGRID_HOSTS_MAX);
        *CS_VECTOR_NEXT_IN(reader->graph->arena, reader->host_point, reader->host_count,
                           reader->host_capacity) = point;
    }
    return cs_simgrid_add_name(reader, element, &reader->points, id, point);
}

/* ---- properties ---- */

/* The next <prop> of the element with that id, after `at`, or CS_DOC_NONE. */
static uint32_t property_after(const struct cs_simgrid_reader *reader, uint32_t element,
                               uint32_t at, const char *id)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    uint32_t i = at == CS_DOC_NONE ? nodes[element].first : nodes[at].next;

    for (; i != CS_DOC_NONE; i = nodes[i].next) {
        const char *own = cs_doc_attribute(reader->doc, i, "id");

        if (cs_doc_is(reader->doc, i, "prop") && own && cs_same(own, id))
            return i;
    }
    return CS_DOC_NONE;
}

/* "gpu 0" or "switch". */
static int property_device(const struct cs_simgrid_reader *reader, uint32_t element,
                           struct cs_device *device)
{
    const char *value;
    char *end;
    size_t length;
    unsigned long node = device->host;
    int kind = 0;
    int rc = cs_xml_want_text(reader->doc, element, "value", &value, reader->err);

    if (rc)
        return rc;
    length = strcspn(value, " ");
    end = (char *)value + length;
    if (*end)
        node = strtoul(value + length + 1, &end, 10);
    while (kind < CS_DEVICE_KINDS && (strlen(cs_device_kind_name(kind)) != length ||
                                      strncmp(cs_device_kind_name(kind), value, length) != 0))
        kind++;
    if (kind == CS_DEVICE_KINDS || kind == CS_DEVICE_BUS || *end || end == value + length + 1 ||
        (value[length] && node >= CS_SIMGRID_HOSTS_MAX))
        return cs_doc_err(reader->doc, element, reader->err,
                          "value=\"%.40s\"; expected the kind of a device and the number of its "
                          "node, such as 'gpu 0'",
                          value);
    device->kind = (enum cs_device_kind)kind;
    device->host = (uint32_t)node;
    return 0;
}

/* Hosts and devices of zones have names in common. */
static int property_name_is_new(const struct cs_simgrid_reader *reader, uint32_t element,
                                const struct cs_names *names, const char *name)
{
    if (cs_names_find(names, name) == CS_NO_NAME)
        return 0;
    return cs_doc_err(reader->doc, element, reader->err, "<%.40s> '%.40s' is a duplicate",
                      reader->doc->nodes[element].key, name);
}

int cs_simgrid_host_properties(struct cs_simgrid_reader *reader, uint32_t element, uint32_t device)
{
    struct cs_device *own = &reader->graph->devices[device];
    uint32_t at = property_after(reader, element, CS_DOC_NONE, CS_SIMGRID_DEVICE);
    int rc = property_name_is_new(reader, element, &reader->inner, own->name);

    if (!rc && at != CS_DOC_NONE)
        rc = property_device(reader, at, own);
    if (!rc && own->kind != CS_DEVICE_GPU && own->kind != CS_DEVICE_HOST)
        rc =
            cs_doc_err(reader->doc, at, reader->err, "a <host> computes; expected a gpu or a host");
    at = property_after(reader, element, CS_DOC_NONE, CS_SIMGRID_REDUCTION);
    if (!rc && at != CS_DOC_NONE)
        rc = simgrid_rate(reader, at, "value", &own->reduce_Bps);
    at = property_after(reader, element, CS_DOC_NONE, CS_SIMGRID_OVERHEAD);
    if (!rc && at != CS_DOC_NONE)
        rc = simgrid_latency(reader, at, "value", &own->reduce_overhead_ps);
    return rc;
}

int cs_simgrid_zone_property(struct cs_simgrid_reader *reader, uint32_t element)
{
    static const char prefix[] = CS_SIMGRID_DEVICE " ";
    struct cs_device own = {.host = CS_NO_HOST, .line = reader->doc->nodes[element].line};
    const char *id = cs_doc_attribute(reader->doc, element, "id");
    int rc;

    if (!id || strncmp(id, prefix, strlen(prefix)) != 0)
        return 0;
    own.name = cs_arena_text(reader->graph->arena, id + strlen(prefix));
    rc = property_name_is_new(reader, element, &reader->points, own.name);
    if (!rc)
        rc = property_device(reader, element, &own);
    if (rc)
        return rc;
    if (own.kind == CS_DEVICE_GPU || own.kind == CS_DEVICE_HOST)
        return cs_doc_err(reader->doc, element, reader->err, "'%.40s' computes; expected a <host>",
                          own.name);
    return cs_simgrid_add_name(reader, element, &reader->inner, own.name,
                               cs_graph_add_device(reader->graph, own));
}

/* The device of an end: a host or router, or a device of a zone. */
static int property_end(const struct cs_simgrid_reader *reader, uint32_t element, uint32_t *device)
{
    const char *name;
    uint32_t number;
    int rc = cs_xml_want_text(reader->doc, element, "value", &name, reader->err);

    if (rc)
        return rc;
    number = cs_names_find(&reader->points, name);
    *device = number == CS_NO_NAME ? cs_names_find(&reader->inner, name)
                                   : reader->tree.points[number].device;
    if (*device != CS_NO_NAME)
        return 0;
    return cs_doc_err(reader->doc, element, reader->err, "no host, router or device called '%.40s'",
                      name);
}

int cs_simgrid_add_wire(struct cs_simgrid_reader *reader, uint32_t element, struct cs_wire wire,
                        uint32_t *number)
{
    uint32_t a = property_after(reader, element, CS_DOC_NONE, CS_SIMGRID_ENDS);
    uint32_t b = a == CS_DOC_NONE ? a : property_after(reader, element, a, CS_SIMGRID_ENDS);
    int rc;

    *number = CS_NO_NAME;
    if (a == CS_DOC_NONE)
        return 0;
    if (b == CS_DOC_NONE)
        return cs_doc_err(reader->doc, a, reader->err, "one end of a link; expected two");
    rc = property_end(reader, a, &wire.a);
    if (!rc)
        rc = property_end(reader, b, &wire.b);
    if (!rc && wire.a == wire.b)
        rc = cs_doc_err(reader->doc, b, reader->err, "both ends of the link are one device");
    if (!rc)
        *number = cs_graph_add_wire(reader->graph, wire);
    return rc;
}
