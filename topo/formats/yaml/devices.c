#include "topo/formats/yaml/devices.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/doc.h"
#include "topo/formats/yaml/classes.h"
#include "topo/formats/yaml/limits.h"
#include "topo/formats/yaml/reader.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"

/* ------------------------------------------------------------ devices */

static int yaml_read_kind(const struct cs_yaml_reader *reader, uint32_t map,
                          enum cs_device_kind *kind)
{
    const char *names[CS_DEVICE_KINDS];
    uint32_t node = cs_doc_get(reader->doc, map, "kind");
    const char *text;
    int rc;

    if (node == CS_DOC_NONE)
        return cs_doc_err(reader->doc, map, reader->err, "device '%s' has no 'kind'",
                          cs_yaml_at(reader, map)->key);
    rc = cs_doc_want_text(reader->doc, node, "'kind'", &text, reader->err);
    if (rc)
        return rc;
    for (int i = 0; i < CS_DEVICE_KINDS; i++) {
        names[i] = cs_device_kind_name((enum cs_device_kind)i);
        if (cs_same(text, names[i])) {
            *kind = (enum cs_device_kind)i;
            return 0;
        }
    }
    return cs_doc_err(reader->doc, node, reader->err, "no kind of device called '%s'%s", text,
                      cs_hint_all(text, names, CS_DEVICE_KINDS).text);
}

/* The host of a device without `host:`. In `node:` node 0; otherwise
 * every device of kind host is a separate host, switches and buses
 * belong to the network, and the rest to host 0. */
static uint32_t yaml_host_of(struct cs_yaml_reader *reader, enum cs_device_kind kind)
{
    if (reader->has_node && reader->in_node)
        return 0;
    if (kind == CS_DEVICE_HOST)
        return reader->next_host++;
    if (reader->has_node || kind == CS_DEVICE_SWITCH || kind == CS_DEVICE_BUS)
        return CS_NO_HOST;
    return 0;
}

/* `host:` takes precedence and has been read. */
static void yaml_set_host(struct cs_yaml_reader *reader, uint32_t node, struct cs_device *device)
{
    if (cs_doc_get(reader->doc, node, "host") == CS_DOC_NONE)
        device->host = yaml_host_of(reader, device->kind);
}

static int yaml_add_device(struct cs_yaml_reader *reader, struct cs_device device, uint32_t node)
{
    uint32_t index = cs_graph_add_device(reader->graph, device);
    uint32_t other = cs_names_add(&reader->devices, device.name, index);

    if (other == CS_NO_NAME)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file, cs_yaml_at(reader, node)->key_line,
                     "device '%s' is a duplicate; line %u makes it too", device.name,
                     reader->graph->devices[other].line);
}

static int yaml_add_devices(struct cs_yaml_reader *reader, struct cs_device device, uint32_t node,
                            uint32_t count)
{
    const char *name = cs_yaml_at(reader, node)->key;

    for (uint32_t i = 0; i < count; i++) {
        int rc;

        device.name =
            cs_arena_printf(cs_yaml_arena(reader), "%s%s%u", cs_yaml_prefix(reader), name, i);
        yaml_set_host(reader, node, &device);
        rc = yaml_add_device(reader, device, node);
        if (rc)
            return rc;
    }
    (void)cs_names_add(&reader->counts, name, count);
    return 0;
}

static int check_device_count(const struct cs_yaml_reader *reader, uint32_t node, uint64_t more)
{
    if (reader->graph->device_count + more <= CS_YAML_DEVICES_MAX)
        return 0;
    return cs_doc_err(reader->doc, node, reader->err, "over %d devices in one machine",
                      CS_YAML_DEVICES_MAX);
}

/* `host: 3` or `host: none`, in machines without `node:`. */
static int yaml_read_host(const struct cs_yaml_reader *reader, uint32_t node, uint32_t *host)
{
    struct cs_err why = {0};
    const char *text;
    uint64_t number = 0;
    int rc = cs_doc_want_text(reader->doc, node, "'host'", &text, reader->err);

    *host = CS_NO_HOST;
    if (rc || cs_same(text, "none"))
        return rc;
    if (reader->has_node)
        return cs_doc_err(reader->doc, node, reader->err,
                          "'host' has no effect in a machine with 'node'");
    if (cs_units_count(text, 0, CS_YAML_DEVICES_MAX, &number, &why))
        return cs_doc_err(reader->doc, node, reader->err, "'host': %s", why.text);
    *host = (uint32_t)number;
    return 0;
}

/* `reduces: yes`, of a switch. */
static int read_reduces(const struct cs_yaml_reader *reader, uint32_t node,
                        struct cs_device *device)
{
    uint32_t reduces = cs_doc_get(reader->doc, node, "reduces");
    const char *text;

    if (reduces == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_text(reader->doc, reduces, "'reduces'", &text, reader->err))
        return CS_EINPUT;
    device->reduces = cs_same(text, "yes");
    if (!device->reduces && !cs_same(text, "no"))
        return cs_doc_err(reader->doc, reduces, reader->err,
                          "'reduces' is '%.40s'; expected yes or no", text);
    if (device->reduces && device->kind != CS_DEVICE_SWITCH)
        return cs_doc_err(reader->doc, reduces, reader->err,
                          "only switches reduce, and this is a %s",
                          cs_device_kind_name(device->kind));
    return 0;
}

/* `model: h100`, of a GPU. */
static int yaml_read_model(const struct cs_yaml_reader *reader, uint32_t node,
                           struct cs_device *device)
{
    uint32_t model = cs_doc_get(reader->doc, node, "model");
    struct cs_err why = {0};
    const char *text;

    if (model == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_text(reader->doc, model, "'model'", &text, reader->err))
        return CS_EINPUT;
    if (device->kind != CS_DEVICE_GPU)
        return cs_doc_err(reader->doc, model, reader->err, "'model' is for GPUs, and this is a %s",
                          cs_device_kind_name(device->kind));
    if (cs_gpu_kind_find(text, &device->model, &why))
        return cs_doc_err(reader->doc, model, reader->err, "%s", why.text);
    return 0;
}

/* `peer-access: yes`, of a GPU whose driver differs from the model's. */
static int yaml_read_peers(const struct cs_yaml_reader *reader, uint32_t node,
                           struct cs_device *device)
{
    uint32_t peers = cs_doc_get(reader->doc, node, "peer-access");
    const char *text;

    if (peers == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_text(reader->doc, peers, "'peer-access'", &text, reader->err))
        return CS_EINPUT;
    if (device->kind != CS_DEVICE_GPU)
        return cs_doc_err(reader->doc, peers, reader->err,
                          "'peer-access' is for GPUs, and this is a %s",
                          cs_device_kind_name(device->kind));
    device->peers = cs_same(text, "yes") ? CS_PEERS_YES : CS_PEERS_NO;
    if (device->peers == CS_PEERS_NO && !cs_same(text, "no"))
        return cs_doc_err(reader->doc, peers, reader->err,
                          "'peer-access' is '%.40s'; expected yes or no", text);
    return 0;
}

/* `vendor: amd`, of a CPU. */
static int yaml_read_vendor(const struct cs_yaml_reader *reader, uint32_t node,
                            struct cs_device *device)
{
    uint32_t vendor = cs_doc_get(reader->doc, node, "vendor");
    const char *names[CS_CPU_VENDORS - 1];
    const char *text;

    if (vendor == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_text(reader->doc, vendor, "'vendor'", &text, reader->err))
        return CS_EINPUT;
    if (device->kind != CS_DEVICE_CPU)
        return cs_doc_err(reader->doc, vendor, reader->err,
                          "'vendor' is for CPUs, and this is a %s",
                          cs_device_kind_name(device->kind));
    for (int i = 1; i < CS_CPU_VENDORS; i++) {
        names[i - 1] = cs_cpu_vendor_name((enum cs_cpu_vendor)i);
        if (cs_same(text, names[i - 1])) {
            device->vendor = (enum cs_cpu_vendor)i;
            return 0;
        }
    }
    return cs_doc_err(reader->doc, vendor, reader->err, "no CPU vendor called '%.40s'%s", text,
                      cs_hint_all(text, names, CS_CPU_VENDORS - 1).text);
}

/* `port: ib-ndr`, of a NIC: the class of its link to a network. */
static int yaml_read_device_port(const struct cs_yaml_reader *reader, uint32_t node,
                                 struct cs_device *device)
{
    uint32_t port = cs_doc_get(reader->doc, node, "port");
    struct cs_wire *link;

    if (port == CS_DOC_NONE)
        return 0;
    if (device->kind != CS_DEVICE_NIC)
        return cs_doc_err(reader->doc, port, reader->err, "'port' is for NICs, and this is a %s",
                          cs_device_kind_name(device->kind));
    link = cs_arena_alloc(cs_yaml_arena(reader), 1, sizeof(*link));
    device->port = link;
    return cs_yaml_read_link_class(reader, port, link);
}

static int read_device_properties(const struct cs_yaml_reader *reader, uint32_t node,
                                  struct cs_device *device)
{
    int rc = read_reduces(reader, node, device);

    if (!rc)
        rc = yaml_read_model(reader, node, device);
    if (!rc)
        rc = yaml_read_peers(reader, node, device);
    if (!rc)
        rc = yaml_read_device_port(reader, node, device);
    return rc ? rc : yaml_read_vendor(reader, node, device);
}

static int read_device_numbers(const struct cs_yaml_reader *reader, uint32_t node,
                               struct cs_device *device)
{
    uint32_t reduce = cs_doc_get(reader->doc, node, "reduce");
    uint32_t overhead = cs_doc_get(reader->doc, node, "overhead");
    uint32_t host = cs_doc_get(reader->doc, node, "host");
    int rc = yaml_read_kind(reader, node, &device->kind);

    if (!rc && reduce != CS_DOC_NONE)
        rc = cs_doc_want_rate(reader->doc, reduce, "'reduce'", &device->reduce_Bps, reader->err);
    if (!rc && overhead != CS_DOC_NONE)
        rc = cs_doc_want_time(reader->doc, overhead, "'overhead'", &device->reduce_overhead_ps,
                              reader->err);
    if (!rc && host != CS_DOC_NONE)
        rc = yaml_read_host(reader, host, &device->host);
    return rc ? rc : read_device_properties(reader, node, device);
}

static int read_device(struct cs_yaml_reader *reader, uint32_t node)
{
    static const char *const keys[] = {"kind",        "count",   "reduce", "overhead",
                                       "host",        "reduces", "about",  "model",
                                       "peer-access", "vendor",  "port",   NULL};
    struct cs_device device = {.line = cs_yaml_at(reader, node)->key_line};
    uint32_t count_node;
    uint32_t count = 1;
    int rc = cs_yaml_check_name(reader, node, !reader->has_node);

    if (!rc)
        rc = cs_doc_want_keys(reader->doc, node, "a device", keys, reader->err);
    if (!rc)
        rc = read_device_numbers(reader, node, &device);
    if (rc)
        return rc;
    count_node = cs_doc_get(reader->doc, node, "count");
    if (count_node != CS_DOC_NONE)
        rc = cs_doc_want_count(reader->doc, count_node, "'count'", CS_YAML_COUNT_MAX, &count,
                               reader->err);
    if (!rc)
        rc = check_device_count(reader, node, count);
    if (rc)
        return rc;
    if (count_node != CS_DOC_NONE)
        return yaml_add_devices(reader, device, node, count);
    device.name = cs_arena_printf(cs_yaml_arena(reader), "%s%s", cs_yaml_prefix(reader),
                                  cs_yaml_at(reader, node)->key);
    yaml_set_host(reader, node, &device);
    return yaml_add_device(reader, device, node);
}

int cs_yaml_read_devices(struct cs_yaml_reader *reader, uint32_t map)
{
    int rc = cs_doc_want_map(reader->doc, map, "'devices'", reader->err);

    if (rc)
        return rc;
    for (uint32_t i = cs_yaml_at(reader, map)->first; i != CS_DOC_NONE;
         i = cs_yaml_at(reader, i)->next) {
        rc = read_device(reader, i);
        if (rc)
            return rc;
    }
    return 0;
}
