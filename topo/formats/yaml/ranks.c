#include "topo/documents/doc.h"
#include "topo/formats/yaml/reader.h"

/* ------------------------------------------------------------ ranks */

/* Expands sets to devices: a set whose first name is in node 0 is repeated
 * for every node. */
static int yaml_expand_sets(struct cs_yaml_reader *reader, const struct cs_yaml_sets *sets,
                            struct cs_yaml_list *list)
{
    uint32_t nodes = reader->nodes ? reader->nodes : 1;
    bool *is_local = cs_arena_alloc(reader->graph->arena, sets->count, sizeof(bool));
    struct cs_yaml_list local = {0};
    int rc = 0;

    local.items = cs_arena_alloc(reader->graph->arena, sets->names, sizeof(*local.items));
    reader->in_node = true;
    for (uint32_t i = 0; i < sets->count && !rc; i++) {
        char name[CS_NAME_MAX];

        cs_name_set_nth(&sets->sets[i], 0, name);
        is_local[i] = !reader->nodes || cs_yaml_find_device(reader, name) != CS_NO_NAME;
        if (is_local[i])
            rc = cs_yaml_append_set(reader, sets->nodes[i], &sets->sets[i], &local);
    }
    reader->in_node = false;
    if (!rc && local.count > reader->node_devices)
        rc = cs_doc_err(reader->doc, sets->nodes[0], reader->err, "%u devices, but a node has %u",
                        local.count, reader->node_devices);
    if (rc)
        return rc;
    list->items = cs_arena_alloc(reader->graph->arena, sets->names + (uint64_t)local.count * nodes,
                                 sizeof(*list->items));
    for (uint32_t k = 0; k < nodes; k++)
        for (uint32_t i = 0; i < local.count; i++)
            list->items[list->count++] = local.items[i] + k * reader->node_devices;
    for (uint32_t i = 0; i < sets->count && !rc; i++)
        if (!is_local[i])
            rc = cs_yaml_append_set(reader, sets->nodes[i], &sets->sets[i], list);
    return rc;
}

/* Reads `ranks:` or `servers:`; at most one entry per device. */
static int yaml_read_places(struct cs_yaml_reader *reader, uint32_t node, const char *what,
                            struct cs_yaml_list *list)
{
    struct cs_yaml_sets sets;
    int rc;

    *list = (struct cs_yaml_list){0};
    rc = cs_yaml_read_sets(reader, node, what, reader->graph->device_count, &sets);
    return rc ? rc : yaml_expand_sets(reader, &sets, list);
}

/* Every device whose kind passes `is_meant`, except the devices of a list. */
static struct cs_yaml_list all_devices(const struct cs_yaml_reader *reader,
                                       bool (*is_meant)(enum cs_device_kind),
                                       const struct cs_yaml_list *except)
{
    const struct cs_graph *graph = reader->graph;
    bool *out = cs_arena_alloc(reader->graph->arena, graph->device_count, sizeof(bool));
    struct cs_yaml_list list = {
        .items = cs_arena_alloc(reader->graph->arena, graph->device_count, sizeof(*list.items))};

    for (uint32_t i = 0; i < except->count; i++)
        out[except->items[i]] = true;
    for (uint32_t i = 0; i < graph->device_count; i++)
        if (is_meant(graph->devices[i].kind) && !out[i])
            list.items[list.count++] = i;
    return list;
}

int cs_yaml_place_ranks(struct cs_yaml_reader *reader, const struct cs_topo_request *request)
{
    struct cs_graph *graph = reader->graph;
    uint32_t ranks_node = cs_doc_get(reader->doc, 0, "ranks");
    uint32_t servers_node = cs_doc_get(reader->doc, 0, "servers");
    struct cs_yaml_list none = {0}, ranks, servers = {0};
    int rc = 0;

    if (servers_node != CS_DOC_NONE)
        rc = yaml_read_places(reader, servers_node, "'servers'", &servers);
    if (rc)
        return rc;
    if (ranks_node != CS_DOC_NONE)
        rc = yaml_read_places(reader, ranks_node, "'ranks'", &ranks);
    else
        ranks = all_devices(reader, cs_device_computes, &servers);
    if (rc)
        return rc;
    if (servers_node == CS_DOC_NONE)
        servers = all_devices(reader, cs_device_is_cpu, &none);
    if (request->agents > servers.count)
        return cs_err_at(
            reader->err, CS_EINPUT, reader->doc->file, 0,
            "%u parameter servers requested, room for %u; list more devices under 'servers'",
            request->agents, servers.count);
    graph->rank_device = ranks.items;
    graph->rank_count = ranks.count;
    graph->agent_device = servers.items;
    graph->agent_count = servers.count; /* source.c keeps the requested number */
    return 0;
}
