#include "topo/formats/simgrid/reader.h"

#include "sim/base/text.h"
#include "topo/documents/xml.h"

#include <stdlib.h>
#include <string.h>

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

static int property_refuse(const struct cs_simgrid_reader *reader, uint32_t element,
                           const char *value)
{
    return cs_doc_err(reader->doc, element, reader->err,
                      "value=\"%.40s\"; expected the kind of a device and the number of its node, "
                      "such as 'gpu 0'",
                      value);
}

/* "gpu 0" or "switch". */
static int property_device(const struct cs_simgrid_reader *reader, uint32_t element,
                           struct cs_device *device)
{
    const char *value;
    char *end;
    size_t length;
    unsigned long node;
    int kind = 0;
    int rc = cs_xml_want_text(reader->doc, element, "value", &value, reader->err);

    if (rc)
        return rc;
    length = strcspn(value, " ");
    while (kind < CS_DEVICE_KINDS && (strlen(cs_device_kind_name(kind)) != length ||
                                      strncmp(cs_device_kind_name(kind), value, length) != 0))
        kind++;
    if (kind == CS_DEVICE_KINDS || kind == CS_DEVICE_BUS)
        return property_refuse(reader, element, value);
    device->kind = (enum cs_device_kind)kind;
    if (value[length] == '\0')
        return 0;
    node = strtoul(value + length + 1, &end, 10);
    if (end == value + length + 1 || *end || node >= CS_SIMGRID_HOSTS_MAX)
        return property_refuse(reader, element, value);
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
        rc = cs_simgrid_rate(reader, at, "value", &own->reduce_Bps);
    at = property_after(reader, element, CS_DOC_NONE, CS_SIMGRID_OVERHEAD);
    if (!rc && at != CS_DOC_NONE)
        rc = cs_simgrid_latency(reader, at, "value", &own->reduce_overhead_ps);
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
