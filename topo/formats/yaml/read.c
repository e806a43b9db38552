/*
 * Machines in YAML.
 *
 *     name: two-boxes
 *     about: two nodes of 4 GPUs, one switch between
 *     classes:                          # optional: own link classes
 *       cable: {rate: 25 GB/s, latency: 1 us, efficiency: 0.9, duplex: full, network: roce,
 *               source: "data sheet of the cable"}
 *     nodes: 2                          # optional: number of equal nodes
 *     node:                             # a node
 *       devices:
 *         gpu: {kind: gpu, count: 4, model: a100}   # gpu0 .. gpu3
 *         plx: {kind: switch}           # plx
 *         cpu: {kind: cpu, reduce: 60 GB/s, overhead: 1 us}
 *         nic: {kind: nic}
 *       links:
 *         - {from: "gpu[0-3]", to: plx, class: pcie4 x16}
 *         - {from: [cpu, nic], to: plx, class: pcie4 x16}
 *     fabric:                           # inter-node network; needs nodes:
 *       devices: {leaf: {kind: switch}}
 *       links:
 *         - {from: "n[*].nic", to: leaf, class: cable}
 *     ranks: [gpu0, gpu2, gpu1, gpu3]   # optional: order of ranks
 *     servers: [cpu]                    # optional: places of parameter servers
 *     port: ib-hdr                      # optional: the class of a NIC's port,
 *                                       # for cluster: (cluster.h)
 *     forward: ranks                    # optional: ranks forward messages, as
 *                                       # in a ring or torus
 *     routes:                           # optional: other paths than the cheapest
 *       - {from: n0.gpu0, to: "n1.gpu[0-3]", over: [n0.plx, n0.nic, leaf, n1.nic, n1.plx]}
 *
 * `generator: "fat-tree:ranks=1024"` stands in place of all these but name and about: the
 * machine of that generator, with its routes for every --routing and its parameter servers.
 *
 * With `nodes:` the devices of a node are called n0.gpu0, n1.gpu0 ... outside
 * of `node:`, even with `nodes: 1`; otherwise gpu0.  A machine with a single
 * list of devices and a single list of links may omit `node:`.
 *
 * A device with a `count` is numbered from 0; without a `count` the name is
 * used as written.  Sets of names are described in name_set.h; a list of sets
 * is their union, in order.
 *
 * `reduces: yes` marks a switch with in-network reduction (SHARP).  `model: h100`
 * is the model of a GPU (gpu_kind.h); `peer-access: yes` or no is for a GPU whose
 * driver differs from the model's.  `vendor: amd` is the maker of a CPU: intel,
 * amd, arm, ibm, zhaoxin.  `port: ib-ndr` of a NIC is the class of its link to a
 * network; at the top of the file, of all NICs without one.  `bond: [nic0, nic1]` of a
 * NIC names the NICs that it stands for, itself first: one port of all (stripe.h).
 *
 * Without `node:` names may have every character except '[' and ']', and
 * `host: 3` (or none) sets the host of a device.
 *
 * A link joins many devices to one, one to many, or two lists of equal length
 * in pairs.  The class is from `classes` or link_kinds.def; "x12" behind the
 * class multiplies the rate; link_kind.h describes packet sizes.  Two devices
 * may be joined by links of different class or width.  A repeated class and
 * width is refused as a probable mistake: write the sum as width.  `direction: back`
 * is for links from `to` to `from` only.
 *
 * A route names the devices between each device of `from` and each of `to`, with the
 * names of the fabric, and takes the cheapest link between two, or link 1 of several,
 * in order, by `nth: [0, 1, 0, 0, 0, 0]`; pairs without a route
 * have a cheapest path (route.h), and so have all with a routing other than static.
 *
 * Ranks and servers: a name of a node selects that device in every node, node
 * by node; names with a node's prefix and names of the fabric follow.  By
 * default every GPU and host is a rank, except devices in `servers`, and
 * parameter servers are placed on the CPUs.
 */
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"
#include "topo/formats/yaml/reader.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <string.h>
#include <strings.h>

/* Devices and links of a map, the node's, the fabric's or the file's. */
static int read_section(struct cs_yaml_reader *reader, uint32_t map)
{
    uint32_t devices = cs_doc_get(reader->doc, map, "devices");
    uint32_t links = cs_doc_get(reader->doc, map, "links");
    int rc = 0;

    if (devices != CS_DOC_NONE)
        rc = cs_yaml_read_devices(reader, devices);
    if (!rc && links != CS_DOC_NONE)
        rc = cs_yaml_read_links(reader, links);
    return rc;
}

/* ---- nodes ---- */

static int check_copies(const struct cs_yaml_reader *reader, uint32_t node)
{
    const struct cs_graph *graph = reader->graph;
    uint64_t devices = (uint64_t)graph->device_count * reader->nodes;
    uint64_t wires = (uint64_t)graph->wire_count * reader->nodes;

    if (devices > CS_YAML_DEVICES_MAX)
        return cs_doc_err(reader->doc, node, reader->err,
                          "%u nodes of %u devices exceed %d devices", reader->nodes,
                          graph->device_count, CS_YAML_DEVICES_MAX);
    if (wires > CS_YAML_WIRES_MAX)
        return cs_doc_err(reader->doc, node, reader->err, "%u nodes of %u links exceed %d links",
                          reader->nodes, graph->wire_count, CS_YAML_WIRES_MAX);
    return 0;
}

/* Copies node 0 to node k, with shifted device numbers. */
static void yaml_copy_node(struct cs_yaml_reader *reader, uint32_t k, uint32_t wires)
{
    struct cs_graph *graph = reader->graph;
    uint32_t devices = reader->node_devices;

    for (uint32_t i = 0; i < devices; i++) {
        struct cs_device device = graph->devices[i];
        uint32_t index;

        device.name = cs_arena_printf(graph->arena, "n%u.%s", k, device.name + strlen("n0."));
        device.host = k;
        index = cs_graph_add_device(graph, device);
        (void)cs_names_add(&reader->devices, device.name, index);
    }
    for (uint32_t w = 0; w < wires; w++) {
        struct cs_wire wire = graph->wires[w];

        wire.a += k * devices;
        wire.b += k * devices;
        (void)cs_graph_add_wire(graph, wire);
    }
}

static int copy_nodes(struct cs_yaml_reader *reader, uint32_t nodes_node)
{
    struct cs_graph *graph = reader->graph;
    uint32_t wires = graph->wire_count;
    int rc;

    reader->node_devices = graph->device_count;
    if (!reader->nodes)
        return 0;
    rc = check_copies(reader, nodes_node);
    if (rc)
        return rc;
    cs_graph_reserve(graph, (reader->nodes - 1) * graph->device_count,
                     (reader->nodes - 1) * graph->wire_count);
    for (uint32_t k = 1; k < reader->nodes; k++)
        yaml_copy_node(reader, k, wires);
    graph->identical = (struct cs_graph_replicas){
        .count = reader->nodes, .devices = reader->node_devices, .wires = wires};
    return 0;
}

/* ---- ranks ---- */

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

        cs_name_set_nth(&sets->at[i].names, 0, name);
        is_local[i] = !reader->nodes || cs_yaml_find_device(reader, name) != CS_NO_NAME;
        if (is_local[i])
            rc = cs_yaml_append_set(reader, &sets->at[i], &local);
    }
    reader->in_node = false;
    if (!rc && local.count > reader->node_devices)
        rc = cs_doc_err(reader->doc, sets->at[0].node, reader->err, "%u devices, but a node has %u",
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
            rc = cs_yaml_append_set(reader, &sets->at[i], list);
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

/* Sets ranks and agents of the graph by `ranks:` and `servers:`, or the defaults.
 * CS_EINPUT with fewer servers than the request has agents. */
static int place_ranks(struct cs_yaml_reader *reader, const struct cs_topo_request *request)
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

/* ---- the file ---- */

/* The class of NIC ports must be a built-in class. */
static int read_port(const struct cs_value *as, const char *text, void *member, struct cs_err *err)
{
    struct cs_wire wire;

    (void)as;
    *(const char **)member = text;
    return cs_link_kind_find(text, &wire, err);
}

/* Ranks that forward messages: a direct network, with cycles in the channel
 * dependencies. */
static int read_forward(const struct cs_value *as, const char *text, void *target,
                        struct cs_err *err)
{
    struct cs_graph *graph = target;

    (void)as;
    if (!cs_same(text, "ranks"))
        return cs_err_set(err, CS_EINPUT,
                          "'forward' is '%.40s'; expected ranks, for ranks that forward messages",
                          text);
    graph->direct = graph->circles = true;
    return 0;
}

#define VALUE(name, form, member, ...) CS_VALUE(name, form, struct cs_graph, member, __VA_ARGS__)

static const struct cs_value machine_values[] = {
    VALUE("name", cs_value_text, name),
    VALUE("about", cs_value_text, about),
    {.name = "classes"},
    {.name = "node"},
    {.name = "nodes"},
    {.name = "fabric"},
    {.name = "devices"},
    {.name = "links"},
    {.name = "ranks"},
    {.name = "servers"},
    VALUE("port", read_port, port_class, .is_complete = true),
    {.name = "forward", .read = read_forward, .is_complete = true},
    {.name = "routes"},
    {.name = "generator"},
};

/* The machine of a generator: what else describes devices or links is refused. */
static int read_generator(const struct cs_yaml_reader *reader, uint32_t generator,
                          const struct cs_topo_request *request)
{
    static const char *const keys[] = {"name", "about", "generator", NULL};
    struct cs_topo_request generated = *request;
    struct cs_graph *graph = reader->graph;
    const char *name = graph->name, *about = graph->about;
    struct cs_err why = {0};

    if (cs_doc_want_keys(reader->doc, 0, "a machine of a generator", keys, reader->err) ||
        cs_doc_want_text(reader->doc, generator, "'generator'", &generated.spec, reader->err))
        return CS_EINPUT;
    graph->is_of_file = false; /* the words say all */
    if (cs_topo_generate(&generated, graph, &why))
        return cs_doc_err(reader->doc, generator, reader->err, "%s", why.text);
    graph->name = name;
    graph->about = *about ? about : graph->about;
    return 0;
}

/* Either `node:`, or `devices:` and `links:` at top level. */
static int check_layout(const struct cs_yaml_reader *reader)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t node = cs_doc_get(doc, 0, "node");
    uint32_t nodes = cs_doc_get(doc, 0, "nodes");
    uint32_t fabric = cs_doc_get(doc, 0, "fabric");
    uint32_t devices = cs_doc_get(doc, 0, "devices");
    uint32_t links = cs_doc_get(doc, 0, "links");

    if (devices == CS_DOC_NONE && node == CS_DOC_NONE)
        return cs_doc_err(doc, 0, reader->err,
                          "neither 'devices' nor 'node': the machine is empty");
    if (node == CS_DOC_NONE && nodes != CS_DOC_NONE)
        return cs_doc_err(doc, nodes, reader->err,
                          "'nodes' requires 'node', the description of one node");
    if (nodes == CS_DOC_NONE && fabric != CS_DOC_NONE)
        return cs_doc_err(doc, fabric, reader->err,
                          "'fabric' requires 'nodes', the number of nodes");
    if (node != CS_DOC_NONE && devices != CS_DOC_NONE)
        return cs_doc_err(doc, devices, reader->err,
                          "'devices' next to 'node'; move it into 'node' or 'fabric'");
    if (node != CS_DOC_NONE && links != CS_DOC_NONE)
        return cs_doc_err(doc, links, reader->err,
                          "'links' next to 'node'; move it into 'node' or 'fabric'");
    return 0;
}

static int read_machine(struct cs_yaml_reader *reader)
{
    static const char *const keys[] = {"devices", "links", "about", NULL};
    const struct cs_doc *doc = reader->doc;
    uint32_t node = cs_doc_get(doc, 0, "node");
    uint32_t nodes = cs_doc_get(doc, 0, "nodes");
    uint32_t fabric = cs_doc_get(doc, 0, "fabric");
    int rc = 0;

    if (nodes != CS_DOC_NONE)
        rc = cs_doc_want_count(doc, nodes, "'nodes'", CS_YAML_COUNT_MAX, &reader->nodes,
                               reader->err);
    reader->has_node = node != CS_DOC_NONE;
    reader->in_node = true;
    if (!rc && reader->has_node)
        rc = cs_doc_want_keys(doc, node, "'node'", keys, reader->err);
    if (!rc)
        rc = read_section(reader, reader->has_node ? node : 0);
    if (!rc)
        rc = copy_nodes(reader, nodes);
    reader->in_node = false;
    reader->next_host = reader->has_node ? reader->nodes : 0;
    if (!rc && fabric != CS_DOC_NONE)
        rc = cs_doc_want_keys(doc, fabric, "'fabric'", keys, reader->err);
    if (!rc && fabric != CS_DOC_NONE)
        rc = read_section(reader, fabric);
    return rc ? rc : cs_yaml_check_twice(reader);
}

int cs_yaml_build(const struct cs_doc *doc, const struct cs_topo_request *request,
                  struct cs_graph *graph, struct cs_err *err)
{
    struct cs_yaml_reader reader = {.doc = doc, .graph = graph, .err = err};
    uint32_t classes = cs_doc_get(doc, 0, "classes");
    uint32_t routes = cs_doc_get(doc, 0, "routes");
    uint32_t generator = cs_doc_get(doc, 0, "generator");

    graph->file = doc->file;
    cs_names_init(&reader.devices, graph->arena, 0);
    cs_names_init(&reader.counts, graph->arena, 0);
    if (cs_doc_read_values(doc, 0, "a machine", CS_VALUES(machine_values), graph, err))
        return CS_EINPUT;
    if (generator != CS_DOC_NONE)
        return read_generator(&reader, generator, request);
    if (check_layout(&reader) ||
        (classes != CS_DOC_NONE && cs_yaml_read_classes(&reader, classes)) ||
        read_machine(&reader) || (routes != CS_DOC_NONE && cs_yaml_read_routes(&reader, routes)))
        return CS_EINPUT;
    return place_ranks(&reader, request);
}

/* ---- the source ---- */

/* "a/dgx.yaml" -> "dgx". */
static const char *yaml_base_name(struct cs_arena *memory, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *end = strrchr(name, '.');

    if (end && end > name && (cs_same(end, ".yaml") || cs_same(end, ".yml")))
        return cs_arena_text_n(memory, name, (size_t)(end - name));
    return cs_arena_text(memory, name);
}

static const struct cs_library_file *library_file(const char *name,
                                                  const struct cs_other_name *other)
{
    if (other)
        name = other->name;
    for (size_t i = 0; i < cs_machine_file_count; i++)
        if (strcasecmp(cs_machine_files[i].name, name) == 0)
            return &cs_machine_files[i];
    return NULL;
}

/* Suggests the nearest machine of the library or generator. */
static int no_such_machine(const char *path, struct cs_arena *memory, struct cs_err *err)
{
    size_t count = cs_machine_file_count + cs_source_count + cs_other_name_count;
    const char **names = cs_arena_alloc(memory, count, sizeof(*names));
    const char **others = names + cs_machine_file_count + cs_source_count;
    const char *colon = strchr(path, ':');
    const char *word = colon ? cs_arena_text_n(memory, path, (size_t)(colon + 1 - path))
                             : yaml_base_name(memory, path);

    if (!colon && strchr(path, '='))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is no machine; in a list, a machine with commas has brackets: "
                          "[node:gpu=l4,gpus=4]",
                          path);
    for (size_t i = 0; i < cs_machine_file_count; i++)
        names[i] = cs_machine_files[i].name;
    for (size_t i = 0; i < cs_source_count; i++)
        names[cs_machine_file_count + i] = cs_arena_printf(memory, "%s:", cs_sources[i]->name);
    for (size_t i = 0; i < cs_other_name_count; i++)
        others[i] = cs_other_names[i].other;
    return cs_err_set(
        err, CS_EINPUT, "no file and no library machine called '%s'%s", path,
        cs_hint(word, names, count,
                !*path || strchr(path, '/') ? NULL
                : colon ? "generators are switch:, cluster:, node:, fat-tree:, torus:, ..."
                        : "'collsim list topologies' has all")
            .text);
}

/* The first letter that is not blank; NUL for none. */
static char first_letter(struct cs_doc_text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!strchr(" \t\r\n", text.text[i]) || !text.text[i])
            return text.text[i];
    return '\0';
}

/* JSON is YAML: a machine may be JSON, but a file without devices is not one. */
static int check_json(const struct cs_doc *doc, struct cs_err *err)
{
    static const char *const keys[] = {"devices", "node", "generator"};

    for (size_t i = 0; doc->nodes[0].kind == CS_DOC_MAP && i < sizeof(keys) / sizeof(*keys); i++)
        if (cs_doc_get(doc, 0, keys[i]) != CS_DOC_NONE)
            return 0;
    return cs_doc_err(doc, 0, err,
                      "JSON of an unknown format; expected a rank table of HCCL with 'server_list' "
                      "or 'group_list', or a machine with 'devices', 'node' or 'generator'");
}

static int yaml_read(const struct cs_topo_request *request, struct cs_doc_text text,
                     struct cs_graph *graph, struct cs_err *err)
{
    char first = first_letter(text);
    struct cs_doc doc;
    int rc;

    if (first == '<')
        return cs_err_at(err, CS_EINPUT, text.file, 1,
                         "XML of an unknown format; expected a file of NCCL (<system>), SimGrid "
                         "(<platform>) or hwloc (<topology>)");
    rc = cs_yaml_read_text(text, &doc, graph->arena, err);
    if (!rc && (first == '{' || first == '['))
        rc = check_json(&doc, err);
    return rc ? rc : cs_yaml_build(&doc, request, graph, err);
}

/* A machine whose GPUs alone differ from the file's. */
static int yaml_set_gpus(const char *name, struct cs_graph *graph, struct cs_err *err)
{
    const struct cs_gpu_kind *kind;
    int rc = cs_gpu_kind_find(name, &kind, err);

    for (uint32_t d = 0; !rc && d < graph->device_count; d++)
        if (graph->devices[d].kind == CS_DEVICE_GPU)
            graph->devices[d].model = kind;
    return rc;
}

static int yaml_build(const struct cs_source *source, const struct cs_topo_request *request,
                      const char *parameters, struct cs_graph *graph, struct cs_err *err)
{
    const char *name = yaml_base_name(graph->arena, parameters);
    const struct cs_other_name *other = cs_other_name_find(name);
    const struct cs_library_file *file = strchr(parameters, '/') ? NULL : library_file(name, other);
    int rc;

    (void)source;
    graph->name = name;
    if (!file)
        return no_such_machine(parameters, graph->arena, err);
    rc = yaml_read(request,
                   (struct cs_doc_text){cs_arena_printf(graph->arena, "%s.yaml", file->name),
                                        file->text, file->length},
                   graph, err);
    return rc || !other || !other->gpu ? rc : yaml_set_gpus(other->gpu, graph, err);
}

const struct cs_source cs_source_yaml = {
    .name = "yaml",
    .usage = "FILE.yaml, or the name of a machine of the library",
    .about = "a YAML file of devices and links; latency is per link class",
    .build = yaml_build,
    .read = yaml_read,
};
