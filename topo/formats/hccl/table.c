#include "topo/formats/hccl/table.h"

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/doc.h"
#include "topo/graph/graph.h"

const struct cs_doc_node *cs_hccl_at(const struct cs_hccl_reader *reader, uint32_t node)
{
    return &reader->doc->nodes[node];
}

/* ---- the document ---- */

/* A whole number in quotes or without. */
static int hccl_number(const struct cs_hccl_reader *reader, uint32_t map, const char *key,
                       uint32_t below, uint32_t *value)
{
    uint32_t node = cs_doc_get(reader->doc, map, key);
    struct cs_err why = {0};
    const char *text;
    uint64_t count;
    int rc;

    if (node == CS_DOC_NONE)
        return cs_doc_err(reader->doc, map, reader->err, "'%s' is missing", key);
    rc = cs_doc_want_text(reader->doc, node, key, &text, reader->err);
    if (rc)
        return rc;
    if (cs_units_count(text, 0, below - 1, &count, &why))
        return cs_doc_err(reader->doc, node, reader->err, "'%s': %s", key, why.text);
    *value = (uint32_t)count;
    return 0;
}

static int hccl_list(const struct cs_hccl_reader *reader, uint32_t map, const char *key,
                     uint32_t *node)
{
    *node = cs_doc_get(reader->doc, map, key);
    if (*node == CS_DOC_NONE)
        return cs_doc_err(reader->doc, map, reader->err, "'%s' is missing", key);
    return cs_doc_want_list(reader->doc, *node, key, reader->err);
}

/* Adds a device of a server as `rank`. */
static int add_npu(struct cs_hccl_reader *reader, uint32_t node, uint32_t server, uint32_t rank)
{
    struct cs_hccl_server *own = &reader->servers[server];
    uint32_t device = 0;
    int rc = cs_doc_want_map(reader->doc, node, "a device", reader->err);

    if (!rc)
        rc = hccl_number(reader, node, "device_id", CS_HCCL_NPUS, &device);
    if (rc)
        return rc;
    if (own->npus[device])
        return cs_doc_err(reader->doc, node, reader->err,
                          "device %u of this server is a duplicate of line %u", device,
                          cs_hccl_at(reader, reader->npus[own->npus[device] - 1].node)->line);
    if (reader->npus[rank].node != CS_DOC_NONE)
        return cs_doc_err(reader->doc, node, reader->err, "rank %u is a duplicate of line %u", rank,
                          cs_hccl_at(reader, reader->npus[rank].node)->line);
    own->npus[device] = rank + 1;
    own->count++;
    reader->npus[rank].node = node;
    reader->npus[rank].server = server;
    reader->npus[rank].device = device;
    return 0;
}

static uint32_t add_server(struct cs_hccl_reader *reader, const char *id, uint32_t node)
{
    reader->servers[reader->server_count] = (struct cs_hccl_server){.id = id, .node = node};
    return reader->server_count++;
}

/* Allocates `count` ranks. */
static int hccl_make_room(struct cs_hccl_reader *reader, uint32_t node, uint64_t count)
{
    struct cs_arena *arena = reader->graph->arena;

    if (count > CS_HCCL_RANKS_MAX)
        return cs_doc_err(reader->doc, node, reader->err, "over %d ranks", CS_HCCL_RANKS_MAX);
    reader->count = (uint32_t)count;
    reader->npus = cs_arena_alloc(arena, count, sizeof(*reader->npus));
    for (uint32_t i = 0; i < count; i++)
        reader->npus[i].node = CS_DOC_NONE;
    return 0;
}

static void make_servers(struct cs_hccl_reader *reader, uint32_t most)
{
    reader->servers = cs_arena_alloc(reader->graph->arena, most, sizeof(*reader->servers));
}

/* ---- server_list ---- */

/* The list of devices of a server; an official sample spells the key
 * 'deivce'. */
static int hccl_devices_of(struct cs_hccl_reader *reader, uint32_t server, uint32_t *node)
{
    int rc = cs_doc_want_map(reader->doc, server, "a server", reader->err);

    if (rc)
        return rc;
    *node = cs_doc_get(reader->doc, server, "deivce");
    if (*node == CS_DOC_NONE)
        return hccl_list(reader, server, "device", node);
    cs_graph_note(reader->graph, "line %u: 'deivce' is read as 'device'",
                  cs_hccl_at(reader, *node)->key_line);
    return cs_doc_want_list(reader->doc, *node, "'deivce'", reader->err);
}

static int hccl_count_devices(struct cs_hccl_reader *reader, uint32_t servers)
{
    uint64_t count = 0;
    int rc = 0;

    for (uint32_t s = cs_hccl_at(reader, servers)->first; s != CS_DOC_NONE && !rc;
         s = cs_hccl_at(reader, s)->next) {
        uint32_t devices = CS_DOC_NONE;

        rc = hccl_devices_of(reader, s, &devices);
        if (!rc)
            count += cs_hccl_at(reader, devices)->count;
    }
    return rc ? rc : hccl_make_room(reader, servers, count);
}

static int read_server(struct cs_hccl_reader *reader, uint32_t node)
{
    uint32_t devices = cs_doc_get(reader->doc, node, "device");
    uint32_t server = add_server(reader, "", node);
    int rc = 0;

    if (devices == CS_DOC_NONE)
        devices = cs_doc_get(reader->doc, node, "deivce");
    for (uint32_t d = cs_hccl_at(reader, devices)->first; d != CS_DOC_NONE && !rc;
         d = cs_hccl_at(reader, d)->next) {
        uint32_t rank = 0;

        rc = cs_doc_want_map(reader->doc, d, "a device", reader->err);
        if (!rc)
            rc = hccl_number(reader, d, "rank_id", reader->count, &rank);
        if (!rc)
            rc = add_npu(reader, d, server, rank);
    }
    return rc;
}

/* Compares an optional count of the table with the number of entries. */
static int hccl_check_count(const struct cs_hccl_reader *reader, uint32_t map, const char *key,
                            uint32_t count)
{
    uint32_t said = count;
    int rc = 0;

    if (cs_doc_get(reader->doc, map, key) != CS_DOC_NONE)
        rc = hccl_number(reader, map, key, CS_HCCL_RANKS_MAX + 1, &said);
    if (rc || said == count)
        return rc;
    return cs_doc_err(reader->doc, cs_doc_get(reader->doc, map, key), reader->err,
                      "'%s' is %u, but the table lists %u", key, said, count);
}

static int read_server_list(struct cs_hccl_reader *reader)
{
    uint32_t servers = CS_DOC_NONE;
    int rc = hccl_list(reader, 0, "server_list", &servers);

    if (!rc)
        rc = hccl_count_devices(reader, servers);
    if (rc)
        return rc;
    make_servers(reader, cs_hccl_at(reader, servers)->count);
    for (uint32_t s = cs_hccl_at(reader, servers)->first; s != CS_DOC_NONE && !rc;
         s = cs_hccl_at(reader, s)->next)
        rc = read_server(reader, s);
    return rc ? rc : hccl_check_count(reader, 0, "server_count", reader->server_count);
}

/* ---- group_list ---- */

/* The latest server with that name; a new server if the latest already has
 * the device, because masked addresses make servers look equal. */
static uint32_t hccl_server_of(struct cs_hccl_reader *reader, const char *id, uint32_t device,
                               uint32_t node)
{
    for (uint32_t s = reader->server_count; s-- > 0;)
        if (cs_same(reader->servers[s].id, id))
            return reader->servers[s].npus[device] ? add_server(reader, id, node) : s;
    return add_server(reader, id, node);
}

static int read_instance(struct cs_hccl_reader *reader, uint32_t node)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t devices = CS_DOC_NONE;
    uint32_t device = 0;
    uint32_t rank = 0;
    uint32_t id;
    const char *name = "";
    int rc = cs_doc_want_map(doc, node, "an instance", reader->err);

    if (!rc)
        rc = hccl_number(reader, node, "rank_id", reader->count, &rank);
    if (!rc)
        rc = hccl_list(reader, node, "devices", &devices);
    if (rc)
        return rc;
    if (cs_hccl_at(reader, devices)->count != 1)
        return cs_doc_err(doc, devices, reader->err, "%u devices for one rank; HCCL requires 1",
                          cs_hccl_at(reader, devices)->count);
    devices = cs_hccl_at(reader, devices)->first;
    id = cs_doc_get(doc, node, "server_id");
    rc = cs_doc_want_map(doc, devices, "a device", reader->err);
    if (!rc)
        rc = hccl_number(reader, devices, "device_id", CS_HCCL_NPUS, &device);
    if (!rc && id != CS_DOC_NONE)
        rc = cs_doc_want_text(doc, id, "'server_id'", &name, reader->err);
    return rc ? rc : add_npu(reader, devices, hccl_server_of(reader, name, device, node), rank);
}

static int read_group_list(struct cs_hccl_reader *reader)
{
    uint32_t groups = CS_DOC_NONE;
    uint32_t instances = CS_DOC_NONE;
    uint32_t group;
    int rc = hccl_list(reader, 0, "group_list", &groups);

    if (rc)
        return rc;
    group = cs_hccl_at(reader, groups)->first;
    if (cs_hccl_at(reader, groups)->count != 1)
        return cs_doc_err(reader->doc, groups, reader->err, "%u groups; expected 1",
                          cs_hccl_at(reader, groups)->count);
    rc = cs_doc_want_map(reader->doc, group, "a group", reader->err);
    if (!rc)
        rc = hccl_list(reader, group, "instance_list", &instances);
    if (!rc)
        rc = hccl_make_room(reader, instances, cs_hccl_at(reader, instances)->count);
    if (rc)
        return rc;
    make_servers(reader, reader->count);
    for (uint32_t i = cs_hccl_at(reader, instances)->first; i != CS_DOC_NONE && !rc;
         i = cs_hccl_at(reader, i)->next)
        rc = read_instance(reader, i);
    if (!rc)
        rc = hccl_check_count(reader, group, "instance_count", reader->count);
    if (!rc)
        rc = hccl_check_count(reader, group, "server_num", reader->server_count);
    return rc;
}

int cs_hccl_read_table(struct cs_hccl_reader *reader)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t status = cs_doc_get(doc, 0, "status");
    const char *text;
    int rc;

    if (cs_doc_get(doc, 0, "super_pod_list") != CS_DOC_NONE)
        return cs_doc_err(doc, 0, reader->err,
                          "Atlas A3 super pods are not supported; expected Ascend 910 servers");
    if (status == CS_DOC_NONE)
        return cs_doc_err(doc, 0, reader->err, "'status' is missing");
    rc = cs_doc_want_text(doc, status, "'status'", &text, reader->err);
    if (rc)
        return rc;
    if (!cs_same(text, "completed"))
        return cs_doc_err(doc, status, reader->err, "'status' is '%.40s'; expected 'completed'",
                          text);
    rc = cs_doc_get(doc, 0, "group_list") == CS_DOC_NONE ? read_server_list(reader)
                                                         : read_group_list(reader);
    if (cs_doc_get(doc, 0, "cluster_list") != CS_DOC_NONE)
        cs_graph_note(reader->graph, "'cluster_list' is ignored: one network connects all servers");
    if (!rc && reader->count == 0)
        rc = cs_doc_err(doc, 0, reader->err, "no devices in this table");
    return rc;
}
