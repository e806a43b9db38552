/*
 * hccl: rank tables of Huawei's HCCL (rank_table.json), both generations.
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
 * HCCL's rules for the 910 are checked: 1, 2, 4 or 8 NPUs in a single server or
 * 8 in each of several; 2 and 4 NPUs in a single group of four.
 *
 * Addresses may be masked ("10.*.*.*"), so servers may look equal: a repeated
 * device number starts a new server in the first generation.
 */
#include "topo/documents/doc.h"
#include "topo/documents/yaml.h"
#include "topo/formats/hccl/table.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <string.h>

/* ---- HCCL's rules ---- */

static bool has_one_group(const struct cs_hccl_reader *reader)
{
    return reader->gpu->links == CS_HCCL_NPUS - 1;
}

static int check_server(const struct cs_hccl_reader *reader, const struct cs_hccl_server *server)
{
    uint32_t low = 0;

    if (reader->server_count > 1 && server->count != CS_HCCL_NPUS)
        return cs_doc_err(reader->doc, server->node, reader->err,
                          "%u NPUs in one of %u servers; HCCL on Ascend 910 requires 1, 2, 4 or 8 "
                          "in one server, or 8 in each of several",
                          server->count, reader->server_count);
    if (server->count == 0 || (server->count & (server->count - 1)))
        return cs_doc_err(reader->doc, server->node, reader->err,
                          "%u NPUs in a server; HCCL on Ascend 910 requires 1, 2, 4 or 8",
                          server->count);
    for (uint32_t i = 0; i < CS_HCCL_GROUP; i++)
        low += server->npus[i] != 0;
    if (server->count < CS_HCCL_NPUS && low && low < server->count)
        return cs_doc_err(reader->doc, server->node, reader->err,
                          "%u NPUs in both groups of four; HCCL on Ascend 910 requires 2 or 4 of 0 "
                          "to 3, or of 4 to 7",
                          server->count);
    return 0;
}

static int check_rules(const struct cs_hccl_reader *reader)
{
    int rc = 0;

    for (uint32_t s = 0; s < reader->server_count && !rc; s++)
        rc = has_one_group(reader) ? 0 : check_server(reader, &reader->servers[s]);
    return rc;
}

/* ---- the machine ---- */

static const char *hccl_prefix(const struct cs_hccl_reader *reader, uint32_t server)
{
    return reader->server_count > 1 ? cs_arena_printf(reader->graph->arena, "n%u.", server) : "";
}

static uint32_t hccl_add_device(const struct cs_hccl_reader *reader, uint32_t server,
                                const char *stem, uint32_t n, enum cs_device_kind kind)
{
    return cs_graph_add_device(
        reader->graph,
        (struct cs_device){.name = cs_arena_printf(reader->graph->arena, "%s%s%u",
                                                   hccl_prefix(reader, server), stem, n),
                           .kind = kind,
                           .host = server});
}

static void join_hccs(const struct cs_hccl_reader *reader, const struct cs_hccl_server *server)
{
    uint32_t group = has_one_group(reader) ? CS_HCCL_NPUS : CS_HCCL_GROUP;

    for (uint32_t a = 0; a < CS_HCCL_NPUS; a++)
        for (uint32_t b = a + 1; b < CS_HCCL_NPUS; b++)
            if (server->npus[a] && server->npus[b] && a / group == b / group)
                cs_link_kind_join(reader->graph, reader->npus[server->npus[a] - 1].graph_device,
                                  reader->npus[server->npus[b] - 1].graph_device, reader->gpu->link,
                                  0);
}

static void build_server(struct cs_hccl_reader *reader, uint32_t s)
{
    struct cs_hccl_server *server = &reader->servers[s];
    uint32_t cpus[CS_HCCL_NPUS / CS_HCCL_GROUP];

    for (uint32_t g = 0; g < CS_HCCL_NPUS / CS_HCCL_GROUP; g++)
        cpus[g] = hccl_add_device(reader, s, "cpu", g, CS_DEVICE_CPU);
    cs_link_kind_join(reader->graph, cpus[0], cpus[1], "pcie4", 16);
    for (uint32_t d = 0; d < CS_HCCL_NPUS; d++) {
        struct cs_hccl_npu *npu;

        if (!server->npus[d])
            continue;
        npu = &reader->npus[server->npus[d] - 1];
        npu->graph_device = hccl_add_device(reader, s, "npu", d, CS_DEVICE_GPU);
        reader->graph->devices[npu->graph_device].model = reader->gpu;
        reader->graph->devices[npu->graph_device].line = cs_hccl_at(reader, npu->node)->line;
        cs_link_kind_join(reader->graph, npu->graph_device, cpus[d / CS_HCCL_GROUP], "pcie4", 16);
    }
    join_hccs(reader, server);
}

static void join_port(struct cs_hccl_reader *reader, uint32_t a, uint32_t b, uint32_t ports)
{
    struct cs_wire *wire = cs_link_kind_join(reader->graph, a, b, "ib-edr", ports);

    wire->class_name = "100gbe roce";
    wire->efficiency = 0.98;
    wire->source =
        "rate: 100 Gb/s, Hermes (USENIX ATC 2025, appendix A), secondary source; efficiency: "
        "RoCEv2 at an MTU of 4096, by arithmetic; latency: unverified, as ib-edr";
}

/* A switch per subnet, and a spine above the subnets. */
static void build_planes(struct cs_hccl_reader *reader)
{
    uint32_t count = has_one_group(reader) ? 1 : CS_HCCL_GROUP;
    uint32_t planes[CS_HCCL_GROUP];
    uint32_t spine = 0;

    for (uint32_t p = 0; p < count; p++) {
        planes[p] = cs_graph_add_device(
            reader->graph,
            (struct cs_device){.name = cs_arena_printf(reader->graph->arena, "plane%u", p),
                               .kind = CS_DEVICE_SWITCH,
                               .host = CS_NO_HOST});
        if (p == 0 && count > 1)
            spine = cs_graph_add_device(
                reader->graph,
                (struct cs_device){.name = "spine", .kind = CS_DEVICE_SWITCH, .host = CS_NO_HOST});
        if (count > 1)
            join_port(reader, planes[p], spine, reader->server_count);
    }
    for (uint32_t i = 0; i < reader->count; i++)
        join_port(reader, reader->npus[i].graph_device, planes[reader->npus[i].device % count], 1);
    cs_graph_note(
        reader->graph, "the network between servers is assumed: one 100 Gb/s RoCE port per NPU%s",
        count > 1 ? ", four subnets, and a switch of full rate between subnets" : ", one subnet");
}

static int hccl_build(struct cs_hccl_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    int rc = check_rules(reader);

    if (rc)
        return rc;
    for (uint32_t s = 0; s < reader->server_count; s++)
        build_server(reader, s);
    if (reader->server_count > 1)
        build_planes(reader);
    cs_graph_note(graph,
                  "the links inside servers are assumed as in %s: HCCS in groups of %u, PCIe "
                  "between groups%s",
                  reader->gpu->name, has_one_group(reader) ? CS_HCCL_NPUS : CS_HCCL_GROUP,
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

static int hccl_choose_gpu(struct cs_hccl_reader *reader, const char *name)
{
    int rc = cs_gpu_kind_find(name ? name : "ascend910", &reader->gpu, reader->err);

    reader->named = name;
    if (rc || cs_gpu_kind_has_links(reader->gpu, "HCCS"))
        return rc;
    return cs_err_set(reader->err, CS_EINPUT,
                      "--gpu %s is not an NPU; expected ascend910 or ascend910b",
                      reader->gpu->name);
}

static int hccl_read(const struct cs_topo_request *request, struct cs_doc_text text,
                     struct cs_graph *graph, struct cs_err *err)
{
    struct cs_doc doc;
    struct cs_hccl_reader reader = {.doc = &doc, .graph = graph, .err = err};
    int rc = cs_yaml_read_text(text, &doc, graph->arena, err);

    if (!rc)
        rc = cs_doc_want_map(&doc, 0, "a rank table", err);
    if (!rc)
        rc = hccl_choose_gpu(&reader, request->gpu);
    if (!rc)
        rc = cs_hccl_read_table(&reader);
    return rc ? rc : hccl_build(&reader);
}

static bool hccl_has(struct cs_doc_text text, const char *key)
{
    return memmem(text.text, text.length, key, strlen(key));
}

static bool hccl_recognises(struct cs_doc_text text)
{
    return hccl_has(text, "\"server_list\"") || hccl_has(text, "\"group_list\"");
}

const struct cs_source cs_source_hccl = {
    .name = "hccl",
    .usage = "hccl:FILE.json",
    .about = "a rank table of HCCL: servers of Ascend 910, or 910B by --gpu",
    .read = hccl_read,
    .takes_gpu = true,
    .recognises = hccl_recognises,
};
