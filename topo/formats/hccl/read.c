/*
 * hccl: rank tables of Huawei's HCCL (rank_table.json), all generations.
 *
 *     {"server_list": [{"server_id": ..., "device": [{"device_id": "0",
 *       "device_ip": ..., "rank_id": "0"}, ...]}], "status": "completed"}
 *
 *     {"group_list": [{"instance_list": [{"devices": [{"device_id": "0", ...}],
 *       "rank_id": "0", "server_id": ...}]}], "status": "completed"}
 *
 * A table assigns ranks to NPUs of servers and has no links.  The links are
 * those of an Ascend 910, or of a 910B with --gpu ascend910b:
 *
 *     npu0 ... npu3   HCCS, pairwise       npu4 ... npu7   HCCS, pairwise
 *         |  PCIe                               |  PCIe
 *        cpu0 ------------- PCIe ------------- cpu1
 *
 * Every NPU has a 100 Gb/s RoCE port in a subnet of NPUs i and i + 4 of all
 * servers (ascend-deployer, NPU NIC subnets); an Ascend 910B has a single group
 * of eight and a single subnet.
 *
 * A table of version 1.2 is of an Atlas A3 (or --gpu ascend910c):
 *
 *     {"server_list": [{"server_id": "a", "device": [{..., "super_device_id": "0"}]}],
 *      "super_pod_list": [{"super_pod_id": "0", "server_list": [{"server_id": "a"}]}]}
 *
 * A server has 16 NPUs, two dies to a package, which SIO joins; HCCS joins all NPUs of a
 * super pod over switches that never block, and 200 Gb/s RoCE the super pods
 * (hiascend.com, hcclug: rank table of A3; arXiv 2506.12708, section 3).
 *
 * HCCL's rules for the 910 are checked: 1, 2, 4 or 8 NPUs in a single server or
 * 8 in each of several; 2 and 4 NPUs in a single group of four.
 *
 * Addresses may be masked ("10.*.*.*"), so servers may look equal: a repeated
 * device number starts a new server in the first generation.
 */
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

enum {
    HCCL_RANKS_MAX = 65536, /* above the largest known cluster */
    HCCL_NPUS = 8,          /* of a server */
    HCCL_A3_NPUS = 16,      /* of a server of an Atlas A3 */
    HCCL_GROUP = 4,         /* NPUs below a CPU */
};

struct hccl_npu {
    uint32_t node; /* in the document; CS_DOC_NONE: not yet read */
    uint32_t server, device;
    uint32_t graph_device;
};

struct hccl_server {
    const char *id;
    uint32_t node;
    uint32_t npus[HCCL_A3_NPUS]; /* rank + 1; 0: not in the job */
    uint32_t count;
    uint32_t pod; /* from 1 on; 0: none listed */
};

struct hccl_reader {
    const struct cs_doc *doc;
    const struct cs_doc_node *nodes; /* of the document */
    struct cs_graph *graph;
    struct cs_err *err;
    const struct cs_gpu_kind *gpu;
    bool named; /* by --gpu */
    bool is_a3;
    uint32_t room; /* NPUs of a server */
    uint32_t pods;
    struct hccl_npu *npus; /* by rank */
    uint32_t count;
    struct hccl_server *servers;
    uint32_t server_count;
};

/* ---- the document ---- */

/* A whole number in quotes or without. */
static int hccl_number(const struct hccl_reader *reader, uint32_t map, const char *key,
                       uint32_t below, uint32_t *value)
{
    struct cs_err why = {0};
    uint32_t node;
    const char *text;
    uint64_t count;

    if (cs_doc_need(reader->doc, map, key, &node, reader->err) ||
        cs_doc_want_text(reader->doc, node, key, &text, reader->err))
        return CS_EINPUT;
    if (cs_units_count(text, 0, below - 1, &count, &why))
        return cs_doc_err(reader->doc, node, reader->err, "'%s': %s", key, why.text);
    *value = (uint32_t)count;
    return 0;
}

/* Adds a device of a server as `rank`. */
static int add_npu(struct hccl_reader *reader, uint32_t node, uint32_t server, uint32_t rank)
{
    struct hccl_server *own = &reader->servers[server];
    uint32_t device = 0;

    if (cs_doc_want_map(reader->doc, node, "a device", reader->err) ||
        hccl_number(reader, node, "device_id", reader->room, &device))
        return CS_EINPUT;
    if (own->npus[device])
        return cs_doc_err(reader->doc, node, reader->err,
                          "device %u of this server is a duplicate of line %u", device,
                          reader->nodes[reader->npus[own->npus[device] - 1].node].line);
    if (reader->npus[rank].node != CS_DOC_NONE)
        return cs_doc_err(reader->doc, node, reader->err, "rank %u is a duplicate of line %u", rank,
                          reader->nodes[reader->npus[rank].node].line);
    own->npus[device] = rank + 1;
    own->count++;
    reader->npus[rank].node = node;
    reader->npus[rank].server = server;
    reader->npus[rank].device = device;
    return 0;
}

static uint32_t hccl_add_server(struct hccl_reader *reader, const char *id, uint32_t node)
{
    reader->servers[reader->server_count] = (struct hccl_server){.id = id, .node = node};
    return reader->server_count++;
}

/* Allocates `count` ranks. */
static int hccl_make_room(struct hccl_reader *reader, uint32_t node, uint64_t count)
{
    struct cs_arena *arena = reader->graph->arena;

    if (count > HCCL_RANKS_MAX)
        return cs_doc_err(reader->doc, node, reader->err, "over %d ranks", HCCL_RANKS_MAX);
    reader->count = (uint32_t)count;
    reader->npus = cs_arena_alloc(arena, count, sizeof(*reader->npus));
    for (uint32_t i = 0; i < count; i++)
        reader->npus[i].node = CS_DOC_NONE;
    return 0;
}

static void make_servers(struct hccl_reader *reader, uint32_t most)
{
    reader->servers = cs_arena_alloc(reader->graph->arena, most, sizeof(*reader->servers));
}

/* ---- server_list ---- */

/* The list of devices of a server; an official sample spells the key
 * 'deivce'. */
static int hccl_devices_of(struct hccl_reader *reader, uint32_t server, uint32_t *node)
{
    if (cs_doc_want_map(reader->doc, server, "a server", reader->err))
        return CS_EINPUT;
    *node = cs_doc_get(reader->doc, server, "deivce");
    if (*node == CS_DOC_NONE)
        return cs_doc_need_list(reader->doc, server, "device", node, reader->err);
    cs_graph_note(reader->graph, "line %u: 'deivce' is read as 'device'",
                  reader->nodes[*node].key_line);
    return cs_doc_want_list(reader->doc, *node, "'deivce'", reader->err);
}

static int hccl_count_devices(struct hccl_reader *reader, uint32_t servers)
{
    const struct cs_doc_node *nodes = reader->nodes;
    uint64_t count = 0;

    for (uint32_t s = nodes[servers].first; s != CS_DOC_NONE; s = nodes[s].next) {
        uint32_t devices;

        if (hccl_devices_of(reader, s, &devices))
            return CS_EINPUT;
        count += nodes[devices].count;
    }
    return hccl_make_room(reader, servers, count);
}

static int read_server(struct hccl_reader *reader, uint32_t node)
{
    const struct cs_doc_node *nodes = reader->nodes;
    uint32_t devices = cs_doc_get(reader->doc, node, "device");
    uint32_t server =
        hccl_add_server(reader, cs_doc_text_or(reader->doc, node, "server_id", ""), node);

    if (devices == CS_DOC_NONE)
        devices = cs_doc_get(reader->doc, node, "deivce");
    for (uint32_t d = nodes[devices].first; d != CS_DOC_NONE; d = nodes[d].next) {
        uint32_t rank = 0;

        if (cs_doc_want_map(reader->doc, d, "a device", reader->err) ||
            hccl_number(reader, d, "rank_id", reader->count, &rank) ||
            add_npu(reader, d, server, rank))
            return CS_EINPUT;
    }
    return 0;
}

/* Compares an optional count of the table with the number of entries. */
static int hccl_check_count(const struct hccl_reader *reader, uint32_t map, const char *key,
                            uint32_t count)
{
    uint32_t said = count;
    int rc = 0;

    if (cs_doc_get(reader->doc, map, key) != CS_DOC_NONE)
        rc = hccl_number(reader, map, key, HCCL_RANKS_MAX + 1, &said);
    if (rc || said == count)
        return rc;
    return cs_doc_err(reader->doc, cs_doc_get(reader->doc, map, key), reader->err,
                      "'%s' is %u, but the table lists %u", key, said, count);
}

static int read_server_list(struct hccl_reader *reader)
{
    const struct cs_doc_node *nodes = reader->nodes;
    uint32_t servers;

    if (cs_doc_need_list(reader->doc, 0, "server_list", &servers, reader->err) ||
        hccl_count_devices(reader, servers))
        return CS_EINPUT;
    make_servers(reader, nodes[servers].count);
    for (uint32_t s = nodes[servers].first; s != CS_DOC_NONE; s = nodes[s].next)
        if (read_server(reader, s))
            return CS_EINPUT;
    return hccl_check_count(reader, 0, "server_count", reader->server_count);
}

/* ---- group_list ---- */

/* The latest server with that name; a new server if the latest already has
 * the device, because masked addresses make servers look equal. */
static uint32_t hccl_server_of(struct hccl_reader *reader, const char *id, uint32_t device,
                               uint32_t node)
{
    for (uint32_t s = reader->server_count; s-- > 0;)
        if (cs_same(reader->servers[s].id, id))
            return reader->servers[s].npus[device] ? hccl_add_server(reader, id, node) : s;
    return hccl_add_server(reader, id, node);
}

static int read_instance(struct hccl_reader *reader, uint32_t node)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t devices, device = 0, rank = 0, id;
    const char *name = "";

    if (cs_doc_want_map(doc, node, "an instance", reader->err) ||
        hccl_number(reader, node, "rank_id", reader->count, &rank) ||
        cs_doc_need_list(reader->doc, node, "devices", &devices, reader->err))
        return CS_EINPUT;
    if (reader->nodes[devices].count != 1)
        return cs_doc_err(doc, devices, reader->err, "%u devices for one rank; HCCL requires 1",
                          reader->nodes[devices].count);
    devices = reader->nodes[devices].first;
    id = cs_doc_get(doc, node, "server_id");
    if (cs_doc_want_map(doc, devices, "a device", reader->err) ||
        hccl_number(reader, devices, "device_id", reader->room, &device) ||
        (id != CS_DOC_NONE && cs_doc_want_text(doc, id, "'server_id'", &name, reader->err)))
        return CS_EINPUT;
    return add_npu(reader, devices, hccl_server_of(reader, name, device, node), rank);
}

static int read_group_list(struct hccl_reader *reader)
{
    const struct cs_doc_node *nodes = reader->nodes;
    uint32_t groups, instances, group;

    if (cs_doc_need_list(reader->doc, 0, "group_list", &groups, reader->err))
        return CS_EINPUT;
    group = nodes[groups].first;
    if (nodes[groups].count != 1)
        return cs_doc_err(reader->doc, groups, reader->err, "%u groups; expected 1",
                          nodes[groups].count);
    if (cs_doc_want_map(reader->doc, group, "a group", reader->err) ||
        cs_doc_need_list(reader->doc, group, "instance_list", &instances, reader->err) ||
        hccl_make_room(reader, instances, nodes[instances].count))
        return CS_EINPUT;
    make_servers(reader, reader->count);
    for (uint32_t i = nodes[instances].first; i != CS_DOC_NONE; i = nodes[i].next)
        if (read_instance(reader, i))
            return CS_EINPUT;
    return hccl_check_count(reader, group, "instance_count", reader->count) ||
                   hccl_check_count(reader, group, "server_num", reader->server_count)
               ? CS_EINPUT
               : 0;
}

/* The first server with that name that is in no super pod; masked names look equal. */
static int read_pod_server(struct hccl_reader *reader, uint32_t node, uint32_t pod)
{
    uint32_t id, s = 0;
    const char *name;

    if (cs_doc_want_map(reader->doc, node, "a server", reader->err) ||
        cs_doc_need(reader->doc, node, "server_id", &id, reader->err) ||
        cs_doc_want_text(reader->doc, id, "'server_id'", &name, reader->err))
        return CS_EINPUT;
    while (s < reader->server_count &&
           (reader->servers[s].pod || !cs_same(reader->servers[s].id, name)))
        s++;
    if (s == reader->server_count)
        return cs_doc_err(reader->doc, id, reader->err,
                          "server '%.40s' is not in 'server_list', or in two super pods", name);
    reader->servers[s].pod = pod;
    return 0;
}

/* Without a list, all servers are of one super pod. */
static int read_pods(struct hccl_reader *reader)
{
    const struct cs_doc_node *nodes = reader->nodes;
    uint32_t pods = cs_doc_get(reader->doc, 0, "super_pod_list");

    if (pods == CS_DOC_NONE) {
        reader->pods = 1;
        return 0;
    }
    if (cs_doc_want_list(reader->doc, pods, "'super_pod_list'", reader->err))
        return CS_EINPUT;
    for (uint32_t p = nodes[pods].first; p != CS_DOC_NONE; p = nodes[p].next) {
        uint32_t servers;

        reader->pods++;
        if (cs_doc_want_map(reader->doc, p, "a super pod", reader->err) ||
            cs_doc_need_list(reader->doc, p, "server_list", &servers, reader->err))
            return CS_EINPUT;
        for (uint32_t s = nodes[servers].first; s != CS_DOC_NONE; s = nodes[s].next)
            if (read_pod_server(reader, s, reader->pods))
                return CS_EINPUT;
    }
    for (uint32_t s = 0; s < reader->server_count; s++)
        if (!reader->servers[s].pod)
            return cs_doc_err(reader->doc, reader->servers[s].node, reader->err,
                              "a server in none of the %u super pods", reader->pods);
    return 0;
}

/* CS_EINPUT for duplicates and for counts that differ from the number of entries. */
static int hccl_read_table(struct hccl_reader *reader)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t status;
    const char *text;
    int rc;

    if (cs_doc_get(doc, 0, "server_group_list") != CS_DOC_NONE)
        return cs_doc_err(doc, 0, reader->err,
                          "'server_group_list': several jobs; expected 'server_list' of one");
    if (cs_doc_need(doc, 0, "status", &status, reader->err) ||
        cs_doc_want_text(doc, status, "'status'", &text, reader->err))
        return CS_EINPUT;
    if (!cs_same(text, "completed"))
        return cs_doc_err(doc, status, reader->err, "'status' is '%.40s'; expected 'completed'",
                          text);
    rc = cs_doc_get(doc, 0, "group_list") == CS_DOC_NONE ? read_server_list(reader)
                                                         : read_group_list(reader);
    if (cs_doc_get(doc, 0, "cluster_list") != CS_DOC_NONE)
        cs_graph_note(reader->graph, "'cluster_list' is ignored: one network connects all servers");
    if (!rc && reader->count == 0)
        rc = cs_doc_err(doc, 0, reader->err, "no devices in this table");
    return rc ? rc : read_pods(reader);
}

/* ---- HCCL's rules ---- */

static bool has_one_group(const struct hccl_reader *reader)
{
    return reader->gpu->links == HCCL_NPUS - 1;
}

static int check_server(const struct hccl_reader *reader, const struct hccl_server *server)
{
    uint32_t low = 0;

    if (reader->server_count > 1 && server->count != HCCL_NPUS)
        return cs_doc_err(reader->doc, server->node, reader->err,
                          "%u NPUs in one of %u servers; HCCL on Ascend 910 requires 1, 2, 4 or 8 "
                          "in one server, or 8 in each of several",
                          server->count, reader->server_count);
    if (server->count == 0 || (server->count & (server->count - 1)))
        return cs_doc_err(reader->doc, server->node, reader->err,
                          "%u NPUs in a server; HCCL on Ascend 910 requires 1, 2, 4 or 8",
                          server->count);
    for (uint32_t i = 0; i < HCCL_GROUP; i++)
        low += server->npus[i] != 0;
    if (server->count < HCCL_NPUS && low && low < server->count)
        return cs_doc_err(reader->doc, server->node, reader->err,
                          "%u NPUs in both groups of four; HCCL on Ascend 910 requires 2 or 4 of 0 "
                          "to 3, or of 4 to 7",
                          server->count);
    return 0;
}

static int check_rules(const struct hccl_reader *reader)
{
    int rc = 0;

    for (uint32_t s = 0; s < reader->server_count && !rc; s++)
        rc = has_one_group(reader) || reader->is_a3 ? 0 : check_server(reader, &reader->servers[s]);
    return rc;
}

/* ---- the machine ---- */

static const char *hccl_prefix(const struct hccl_reader *reader, uint32_t server)
{
    return reader->server_count > 1 ? cs_arena_printf(reader->graph->arena, "n%u.", server) : "";
}

static uint32_t hccl_add_device(const struct hccl_reader *reader, uint32_t server, const char *stem,
                                uint32_t n, enum cs_device_kind kind)
{
    return cs_graph_add(
        reader->graph, kind, server,
        cs_arena_printf(reader->graph->arena, "%s%s%u", hccl_prefix(reader, server), stem, n));
}

static void join_hccs(const struct hccl_reader *reader, const struct hccl_server *server)
{
    uint32_t group = has_one_group(reader) ? HCCL_NPUS : HCCL_GROUP;

    for (uint32_t a = 0; a < HCCL_NPUS; a++)
        for (uint32_t b = a + 1; b < HCCL_NPUS; b++)
            if (server->npus[a] && server->npus[b] && a / group == b / group)
                cs_link_kind_join(reader->graph, reader->npus[server->npus[a] - 1].graph_device,
                                  reader->npus[server->npus[b] - 1].graph_device, reader->gpu->link,
                                  0);
}

/* The two dies of a package. */
static void join_dies(const struct hccl_reader *reader, const struct hccl_server *server)
{
    for (uint32_t d = 0; d < HCCL_A3_NPUS; d += 2)
        if (server->npus[d] && server->npus[d + 1])
            cs_link_kind_join(reader->graph, reader->npus[server->npus[d] - 1].graph_device,
                              reader->npus[server->npus[d + 1] - 1].graph_device, "hccs-sio", 0);
}

static void build_server(struct hccl_reader *reader, uint32_t s)
{
    struct hccl_server *server = &reader->servers[s];
    uint32_t cpus[HCCL_A3_NPUS / HCCL_GROUP] = {0};

    for (uint32_t g = 0; g < reader->room / HCCL_GROUP; g++)
        cpus[g] = hccl_add_device(reader, s, "cpu", g, CS_DEVICE_CPU);
    for (uint32_t b = 1; b < reader->room / HCCL_GROUP; b++)
        for (uint32_t a = 0; a < b; a++)
            cs_link_kind_join(reader->graph, cpus[a], cpus[b], "pcie4", 16);
    for (uint32_t d = 0; d < reader->room; d++) {
        struct hccl_npu *npu;

        if (!server->npus[d])
            continue;
        npu = &reader->npus[server->npus[d] - 1];
        npu->graph_device = hccl_add_device(reader, s, "npu", d, CS_DEVICE_GPU);
        reader->graph->devices[npu->graph_device].model = reader->gpu;
        reader->graph->devices[npu->graph_device].line = reader->nodes[npu->node].line;
        cs_link_kind_join(reader->graph, npu->graph_device, cpus[d / HCCL_GROUP], "pcie4", 16);
    }
    if (reader->is_a3)
        join_dies(reader, server);
    else
        join_hccs(reader, server);
}

/* A switch for each super pod, and one of RoCE between several. */
static void build_pods(struct hccl_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    uint32_t first = graph->device_count, roce = first + reader->pods;

    for (uint32_t p = 0; p < reader->pods; p++)
        cs_graph_add(graph, CS_DEVICE_SWITCH, CS_NO_HOST,
                     cs_arena_printf(graph->arena, "pod%u", p));
    if (reader->pods > 1)
        cs_graph_add(graph, CS_DEVICE_SWITCH, CS_NO_HOST, "roce");
    for (uint32_t i = 0; i < reader->count; i++) {
        const struct hccl_npu *npu = &reader->npus[i];
        uint32_t pod = reader->servers[npu->server].pod;

        cs_link_kind_join(graph, npu->graph_device, first + (pod ? pod - 1 : 0), reader->gpu->link,
                          0);
        if (reader->pods > 1)
            cs_link_kind_join(graph, npu->graph_device, roce, "200gbe-roce", 0);
    }
    cs_graph_note(graph,
                  "the links are assumed as in a CloudMatrix384: HCCS over switches that "
                  "never block in a super pod, SIO between the dies of a package%s",
                  reader->pods > 1 ? ", a 200 Gb/s RoCE port per NPU between super pods" : "");
}

static void join_port(struct hccl_reader *reader, uint32_t a, uint32_t b, uint32_t ports)
{
    struct cs_wire *wire = cs_link_kind_join(reader->graph, a, b, "ib-edr", ports);

    wire->class_name = "100gbe roce";
    wire->efficiency = 0.98;
    wire->source =
        "rate: 100 Gb/s, Hermes (USENIX ATC 2025, appendix A), secondary source; efficiency: "
        "RoCEv2 at an MTU of 4096, by arithmetic; latency: unverified, as ib-edr";
}

/* A switch per subnet, and a spine above the subnets. */
static void build_planes(struct hccl_reader *reader)
{
    uint32_t count = has_one_group(reader) ? 1 : HCCL_GROUP;
    uint32_t planes[HCCL_GROUP], spine = 0;

    for (uint32_t p = 0; p < count; p++) {
        planes[p] = cs_graph_add(reader->graph, CS_DEVICE_SWITCH, CS_NO_HOST,
                                 cs_arena_printf(reader->graph->arena, "plane%u", p));
        if (p == 0 && count > 1)
            spine = cs_graph_add(reader->graph, CS_DEVICE_SWITCH, CS_NO_HOST, "spine");
        if (count > 1)
            join_port(reader, planes[p], spine, reader->server_count);
    }
    for (uint32_t i = 0; i < reader->count; i++)
        join_port(reader, reader->npus[i].graph_device, planes[reader->npus[i].device % count], 1);
    cs_graph_note(
        reader->graph, "the network between servers is assumed: one 100 Gb/s RoCE port per NPU%s",
        count > 1 ? ", four subnets, and a switch of full rate between subnets" : ", one subnet");
}

static int hccl_build(struct hccl_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    int rc = check_rules(reader);

    if (rc)
        return rc;
    for (uint32_t s = 0; s < reader->server_count; s++)
        build_server(reader, s);
    if (reader->is_a3)
        build_pods(reader);
    else if (reader->server_count > 1)
        build_planes(reader);
    if (!reader->is_a3)
        cs_graph_note(graph,
                      "the links inside servers are assumed as in %s: HCCS in groups of %u, PCIe "
                      "between groups%s",
                      reader->gpu->name, has_one_group(reader) ? HCCL_NPUS : HCCL_GROUP,
                      reader->named ? "" : "; --gpu ascend910b is for the 910B");
    graph->about = "servers from a rank table of HCCL";
    graph->rank_device = cs_arena_alloc(graph->arena, reader->count, sizeof(*graph->rank_device));
    graph->rank_count = reader->count;
    for (uint32_t i = 0; i < reader->count; i++)
        graph->rank_device[i] = reader->npus[i].graph_device;
    cs_graph_place_servers(graph);
    return 0;
}

/* ---- the source ---- */

static int hccl_choose_gpu(struct hccl_reader *reader, const char *name)
{
    bool is_a3 = cs_same(cs_doc_text_or(reader->doc, 0, "version", ""), "1.2") ||
                 cs_doc_get(reader->doc, 0, "super_pod_list") != CS_DOC_NONE;
    int rc = cs_gpu_kind_find(name    ? name
                              : is_a3 ? "ascend910c"
                                      : "ascend910",
                              &reader->gpu, reader->err);

    reader->named = name;
    if (rc)
        return rc;
    if (!cs_gpu_kind_has_links(reader->gpu, "HCCS"))
        return cs_err_set(reader->err, CS_EINPUT,
                          "--gpu %s is not an NPU; expected ascend910, ascend910b or ascend910c",
                          reader->gpu->name);
    reader->is_a3 = cs_same(reader->gpu->name, "ascend910c");
    reader->room = reader->is_a3 ? HCCL_A3_NPUS : HCCL_NPUS;
    if (is_a3 && !reader->is_a3)
        return cs_err_set(reader->err, CS_EINPUT,
                          "--gpu %s: a rank table of version 1.2 is of an Atlas A3; expected "
                          "ascend910c",
                          reader->gpu->name);
    return 0;
}

static int hccl_read(const struct cs_topo_request *request, const struct cs_doc *doc,
                     struct cs_graph *graph, struct cs_err *err)
{
    struct hccl_reader reader = {.doc = doc, .nodes = doc->nodes, .graph = graph, .err = err};

    return cs_doc_want_map(doc, 0, "a rank table", err) || hccl_choose_gpu(&reader, request->gpu) ||
                   hccl_read_table(&reader)
               ? CS_EINPUT
               : hccl_build(&reader);
}

const struct cs_source cs_source_hccl = {
    .name = "hccl",
    .usage = "hccl:FILE.json",
    .about = "a rank table of HCCL: servers of Ascend 910, 910B by --gpu, super pods of A3",
    .read_document = hccl_read,
    .takes_gpu = true,
    .words = {"\"server_list\"", "\"group_list\""},
};
