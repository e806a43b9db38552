/*
 * infragraph: machines as InfraGraph describes them (version 3.1, YAML or JSON;
 * github.com/Keysight/infragraph), as ASTRA-sim 3.0 reads them.
 *
 *     devices:    [{name, components: [{name, choice: xpu, count: 8}, ...],
 *                   links: [{name, physical: {bandwidth, latency}}],
 *                   edges: [{ep1: {component: "xpu[0:8]"}, ep2: ..., link,
 *                            scheme: many2many}]}]
 *     instances:  [{name, device, count}]
 *     links, edges: the same between instances
 *
 * xpu are ranks; nic, cpu and switch are what they say.  Instances without an
 * xpu are switches: their ports and chips, joined by links without a rate
 * ("integrated circuitry", "serdes"), are one device.  So are the parts of a
 * NIC that is a device of a device.  Two components have one edge; the last
 * counts, as in InfraGraph's service.
 *
 * A link without a bandwidth is what its name or description says: PCIe of a
 * generation, NVLink of a GPU model, a link of sockets.  What is assumed is a
 * note; what neither states is an error.
 */
#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/formats/infragraph/reader.h"
#include "topo/formats/source.h"
#include "topo/kinds/gpu_kind.h"

#include <stdlib.h>
#include <string.h>

/* ---- components ---- */

static uint32_t infra_device(const struct cs_infra_reader *reader, const char *name)
{
    for (uint32_t d = 0; d < reader->device_count; d++)
        if (cs_same(reader->devices[d].name, name))
            return d;
    return CS_DOC_NONE;
}

/* The value of a key that `what` has to have. */
static int infra_want(const struct cs_infra_reader *reader, uint32_t node, const char *what,
                      const char *key, uint32_t *value)
{
    *value = cs_doc_get(reader->doc, node, key);
    return *value == CS_DOC_NONE
               ? cs_doc_err(reader->doc, node, reader->err, "%s has no '%s'", what, key)
               : 0;
}

static int infra_name(const struct cs_infra_reader *reader, uint32_t node, const char *what,
                      const char **name)
{
    uint32_t value;

    return cs_doc_want_map(reader->doc, node, what, reader->err) ||
                   infra_want(reader, node, what, "name", &value)
               ? CS_EINPUT
               : cs_doc_want_text(reader->doc, value, "'name'", name, reader->err);
}

static int infra_count(const struct cs_infra_reader *reader, uint32_t node, const char *what,
                       uint32_t *count)
{
    uint32_t value;
    int rc = infra_want(reader, node, what, "count", &value);

    return rc ? rc
              : cs_doc_want_count(reader->doc, value, "'count'", CS_INFRA_LEAVES_MAX, count,
                                  reader->err);
}

static int read_choice(const struct cs_infra_reader *reader, uint32_t node,
                       struct cs_infra_component *component)
{
    static const char *const names[CS_INFRA_CHOICES] = {"custom", "device", "cpu",  "xpu",
                                                        "nic",    "memory", "port", "switch"};
    uint32_t value;
    const char *text;

    if (infra_want(reader, node,
                   cs_arena_printf(reader->graph->arena, "component '%s'", component->name),
                   "choice", &value) ||
        cs_doc_want_text(reader->doc, value, "'choice'", &text, reader->err))
        return CS_EINPUT;
    for (int i = 0; i < CS_INFRA_CHOICES; i++) {
        component->choice = (enum cs_infra_choice)i;
        if (cs_same(text, names[i]))
            return 0;
    }
    return cs_doc_err(reader->doc, value, reader->err, "no kind of component called '%.40s'%s",
                      text, cs_hint_all(text, names, CS_INFRA_CHOICES).text);
}

static int read_component(const struct cs_infra_reader *reader, struct cs_infra_device *device,
                          uint32_t node)
{
    struct cs_infra_component *component = &device->components[device->count];

    *component = (struct cs_infra_component){.node = node, .device = CS_DOC_NONE, .each = 1};
    if (infra_name(reader, node, "a component", &component->name) ||
        infra_count(reader, node, "a component", &component->count) ||
        read_choice(reader, node, component))
        return CS_EINPUT;
    component->about = cs_doc_text_or(reader->doc, node, "description", "");
    for (uint32_t c = 0; c < device->count; c++)
        if (cs_same(device->components[c].name, component->name))
            return cs_doc_err(reader->doc, node, reader->err,
                              "component '%s' is a duplicate of line %u", component->name,
                              reader->doc->nodes[device->components[c].node].line);
    device->count++;
    return 0;
}

static int read_device(struct cs_infra_reader *reader, uint32_t node)
{
    const struct cs_doc *doc = reader->doc;
    struct cs_infra_device *device = &reader->devices[reader->device_count];
    uint32_t list;
    int rc = infra_name(reader, node, "a device", &device->name);

    if (rc)
        return rc;
    if (infra_device(reader, device->name) != CS_DOC_NONE)
        return cs_doc_err(doc, node, reader->err, "device '%s' is a duplicate", device->name);
    device->node = node;
    reader->device_count++;
    if (infra_want(reader, node, cs_arena_printf(reader->graph->arena, "device '%s'", device->name),
                   "components", &list) ||
        cs_doc_want_list(doc, list, "'components'", reader->err))
        return CS_EINPUT;
    device->components =
        cs_arena_alloc(reader->graph->arena, doc->nodes[list].count, sizeof(*device->components));
    for (uint32_t i = doc->nodes[list].first; i != CS_DOC_NONE && !rc; i = doc->nodes[i].next)
        rc = read_component(reader, device, i);
    return rc;
}

/* ---- leaves ---- */

/* Numbers the leaves of a device, unless a device in it has none so far. */
static int number_leaves(const struct cs_infra_reader *reader, struct cs_infra_device *device)
{
    uint64_t leaves = 0;
    bool is_open = false;

    for (uint32_t c = 0; c < device->count; c++) {
        struct cs_infra_component *component = &device->components[c];

        device->has_xpu |= component->choice == CS_INFRA_XPU;
        if (component->choice == CS_INFRA_DEVICE) {
            component->device = infra_device(reader, component->name);
            if (component->device == CS_DOC_NONE)
                return cs_doc_err(reader->doc, component->node, reader->err,
                                  "component '%s' is a device, but no device has that name",
                                  component->name);
            component->each = reader->devices[component->device].leaves;
            device->has_xpu |= reader->devices[component->device].has_xpu;
            is_open |= !component->each;
        }
        component->first = (uint32_t)leaves;
        leaves += (uint64_t)component->count * component->each;
        if (leaves > CS_INFRA_LEAVES_MAX)
            return cs_doc_err(reader->doc, component->node, reader->err, "over %d components",
                              CS_INFRA_LEAVES_MAX);
    }
    if (!device->count)
        return cs_doc_err(reader->doc, device->node, reader->err, "device '%s' has no components",
                          device->name);
    device->leaves = is_open ? 0 : (uint32_t)leaves;
    return 0;
}

/* Devices of devices first: a pass for each level of nesting. */
static int number_devices(struct cs_infra_reader *reader)
{
    const struct cs_infra_device *open = NULL;

    for (uint32_t pass = 0; pass < CS_INFRA_NESTING_MAX; pass++) {
        open = NULL;
        for (uint32_t d = 0; d < reader->device_count; d++) {
            struct cs_infra_device *device = &reader->devices[d];

            if (!device->leaves && number_leaves(reader, device))
                return CS_EINPUT;
            if (!device->leaves && !open)
                open = device;
        }
        if (!open)
            return 0;
    }
    return cs_doc_err(reader->doc, open->node, reader->err,
                      "device '%s' is a component of itself, or is nested over %d deep", open->name,
                      CS_INFRA_NESTING_MAX);
}

/* A device whose components are being laid out. */
struct layout {
    struct cs_infra_leaf leaf;
    uint32_t component, index;
};

static struct layout place(struct cs_infra_reader *reader, struct cs_infra_leaf leaf)
{
    *CS_VECTOR_NEXT_IN(reader->graph->arena, reader->placed, reader->placed_count,
                       reader->placed_capacity) =
        (struct cs_infra_placed){leaf.device, reader->leaf_count};
    return (struct layout){.leaf = leaf};
}

static void lay_out(struct cs_infra_reader *reader, struct cs_infra_leaf leaf)
{
    struct layout stack[CS_INFRA_NESTING_MAX + 1] = {place(reader, leaf)};
    uint32_t depth = 1;

    while (depth) {
        struct layout *top = &stack[depth - 1];
        const struct cs_infra_device *device = &reader->devices[top->leaf.device];
        const struct cs_infra_component *component = &device->components[top->component];
        struct cs_infra_leaf next = top->leaf;

        if (top->component == device->count) {
            depth--;
            continue;
        }
        next.component = top->component;
        next.index = top->index;
        top->index++;
        if (top->index == component->count) {
            top->component++;
            top->index = 0;
        }
        if (component->device == CS_DOC_NONE) {
            reader->leaves[reader->leaf_count++] = next;
            continue;
        }
        next.prefix = cs_arena_printf(reader->graph->arena, "%s%s_%u.", next.prefix,
                                      component->name, next.index);
        next.device = component->device;
        stack[depth++] = place(reader, next);
    }
}

/* ---- instances ---- */

static int read_instance(struct cs_infra_reader *reader, uint32_t node, uint64_t *leaves)
{
    const struct cs_doc *doc = reader->doc;
    struct cs_infra_instance *instance = &reader->instances[reader->instance_count];
    const struct cs_infra_device *of;
    uint32_t value;
    const char *device;
    int rc = infra_name(reader, node, "an instance", &instance->name);

    for (uint32_t i = 0; i < reader->instance_count && !rc; i++)
        if (cs_same(reader->instances[i].name, instance->name))
            rc = cs_doc_err(doc, node, reader->err, "instance '%s' is a duplicate", instance->name);
    if (rc || infra_count(reader, node, "an instance", &instance->count) ||
        infra_want(reader, node,
                   cs_arena_printf(reader->graph->arena, "instance '%s'", instance->name), "device",
                   &value) ||
        cs_doc_want_text(doc, value, "'device'", &device, reader->err))
        return CS_EINPUT;
    instance->device = infra_device(reader, device);
    if (instance->device == CS_DOC_NONE)
        return cs_doc_err(doc, value, reader->err, "no device called '%.40s' in 'devices'", device);
    of = &reader->devices[instance->device];
    instance->first = (uint32_t)*leaves;
    instance->host = of->has_xpu ? reader->host_count : CS_NO_HOST;
    reader->host_count += of->has_xpu ? instance->count : 0;
    *leaves += (uint64_t)instance->count * of->leaves;
    if (*leaves > CS_INFRA_LEAVES_MAX)
        return cs_doc_err(doc, node, reader->err, "over %d components", CS_INFRA_LEAVES_MAX);
    reader->instance_count++;
    return 0;
}

static int read_instances(struct cs_infra_reader *reader)
{
    const struct cs_doc *doc = reader->doc;
    uint64_t leaves = 0;
    uint32_t list;
    int rc = cs_doc_need_list(doc, reader->root, "instances", &list, reader->err);

    if (rc)
        return rc;
    reader->instances =
        cs_arena_alloc(reader->graph->arena, doc->nodes[list].count, sizeof(*reader->instances));
    for (uint32_t i = doc->nodes[list].first; i != CS_DOC_NONE && !rc; i = doc->nodes[i].next)
        rc = read_instance(reader, i, &leaves);
    if (rc)
        return rc;
    reader->leaves = cs_arena_alloc(reader->graph->arena, leaves, sizeof(*reader->leaves));
    for (uint32_t i = 0; i < reader->instance_count; i++)
        for (uint32_t n = 0; n < reader->instances[i].count; n++)
            lay_out(reader, (struct cs_infra_leaf){.device = reader->instances[i].device,
                                                   .instance = i,
                                                   .instance_index = n,
                                                   .prefix = ""});
    return 0;
}

static int read_inventory(struct cs_infra_reader *reader)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t list;
    int rc = cs_doc_need_list(doc, reader->root, "devices", &list, reader->err);

    if (rc)
        return rc;
    reader->devices =
        cs_arena_alloc(reader->graph->arena, doc->nodes[list].count, sizeof(*reader->devices));
    for (uint32_t i = doc->nodes[list].first; i != CS_DOC_NONE && !rc; i = doc->nodes[i].next)
        rc = read_device(reader, i);
    return rc || number_devices(reader) ? CS_EINPUT : read_instances(reader);
}

/* ---- the source ---- */

static int infragraph_finish(const struct cs_infra_reader *reader)
{
    struct cs_graph *graph = reader->graph;
    const char *about = cs_doc_text_or(reader->doc, reader->root, "description", "");
    const char *name = cs_doc_text_or(reader->doc, reader->root, "name", "");

    cs_graph_place_all(graph);
    if (graph->rank_count == 0)
        return cs_doc_err(reader->doc, reader->root, reader->err,
                          "no component of an instance is an xpu, so nothing computes");
    cs_graph_place_servers(graph);
    graph->name = *name ? name : graph->name;
    graph->about = *about ? about : "a machine of InfraGraph";
    return 0;
}

static int infragraph_read(const struct cs_topo_request *request, const struct cs_doc *doc,
                           struct cs_graph *graph, struct cs_err *err)
{
    struct cs_infra_reader reader = {.doc = doc, .graph = graph, .err = err};
    int rc;

    if (cs_doc_want_map(doc, 0, "an infrastructure", err) ||
        (request->gpu && cs_gpu_kind_find(request->gpu, &reader.gpu, err)))
        return CS_EINPUT;
    reader.root = cs_doc_get(doc, 0, "infrastructure");
    if (reader.root == CS_DOC_NONE)
        reader.root = 0;
    reader.noted = cs_arena_alloc(graph->arena, doc->count, sizeof(bool));
    rc = cs_doc_want_map(doc, reader.root, "an infrastructure", err) || read_inventory(&reader) ||
                 cs_infra_read_edges(&reader) || cs_infra_build(&reader) ||
                 infragraph_finish(&reader)
             ? CS_EINPUT
             : 0;
    free(reader.edges.at);
    free(reader.spare.at);
    for (int i = 0; i < 2; i++)
        free(reader.ends[i].at);
    for (uint32_t d = 0; d < reader.device_count; d++)
        free(reader.devices[d].edges.at);
    return rc;
}

/* The three lists that an infrastructure has to have, as keys. */
static bool infragraph_recognises(struct cs_doc_text text)
{
    static const char *const keys[] = {"instances", "components", "choice"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (!memmem(text.text, text.length, keys[i], strlen(keys[i])))
            return false;
    return true;
}

const struct cs_source cs_source_infragraph = {
    .name = "infragraph",
    .usage = "infragraph:FILE",
    .about = "a machine of InfraGraph, YAML or JSON, as for ASTRA-sim 3.0",
    .read_document = infragraph_read,
    .recognises = infragraph_recognises,
    .takes_gpu = true,
};
