#include "topo/formats/infragraph/reader.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <string.h>

static const char *const choice_names[CS_INFRAGRAPH_CHOICES] = {
    "custom", "device", "cpu", "xpu", "nic", "memory", "port", "switch"};

const char *cs_infragraph_about(const struct cs_infragraph_reader *reader, uint32_t node)
{
    return cs_doc_text_or(reader->doc, node, "description", "");
}

const char *cs_infragraph_kept(const struct cs_infragraph_reader *reader, const char *about,
                               const char *key)
{
    size_t length = strlen(key);

    while (about && *about) {
        about += strspn(about, "; ");
        if (strncmp(about, key, length) == 0 && about[length] == '=')
            return cs_arena_text_n(reader->graph->arena, about + length + 1,
                                   strcspn(about + length + 1, ";"));
        about = strchr(about, ';');
    }
    return NULL;
}

uint32_t cs_infragraph_device(const struct cs_infragraph_reader *reader, const char *name)
{
    for (uint32_t d = 0; d < reader->device_count; d++)
        if (cs_same(reader->devices[d].name, name))
            return d;
    return CS_DOC_NONE;
}

/* ---- components ---- */

static int read_name(const struct cs_infragraph_reader *reader, uint32_t node, const char *what,
                     const char **name)
{
    uint32_t value;
    int rc = cs_doc_want_map(reader->doc, node, what, reader->err);

    if (rc)
        return rc;
    value = cs_doc_get(reader->doc, node, "name");
    if (value == CS_DOC_NONE)
        return cs_doc_err(reader->doc, node, reader->err, "%s has no 'name'", what);
    return cs_doc_want_text(reader->doc, value, "'name'", name, reader->err);
}

static int infragraph_count(const struct cs_infragraph_reader *reader, uint32_t node,
                            const char *what, uint32_t *count)
{
    uint32_t value = cs_doc_get(reader->doc, node, "count");

    if (value == CS_DOC_NONE)
        return cs_doc_err(reader->doc, node, reader->err, "%s has no 'count'", what);
    return cs_doc_want_count(reader->doc, value, "'count'", CS_INFRAGRAPH_LEAVES_MAX, count,
                             reader->err);
}

static int read_choice(const struct cs_infragraph_reader *reader, uint32_t node,
                       struct cs_infragraph_component *component)
{
    uint32_t value = cs_doc_get(reader->doc, node, "choice");
    uint32_t custom = cs_doc_get(reader->doc, node, "custom");
    const char *text;

    if (value == CS_DOC_NONE)
        return cs_doc_err(reader->doc, node, reader->err, "component '%s' has no 'choice'",
                          component->name);
    if (cs_doc_want_text(reader->doc, value, "'choice'", &text, reader->err))
        return CS_EINPUT;
    component->type = custom == CS_DOC_NONE ? "" : cs_doc_text_or(reader->doc, custom, "type", "");
    for (int i = 0; i < CS_INFRAGRAPH_CHOICES; i++)
        if (cs_same(text, choice_names[i])) {
            component->choice = (enum cs_infragraph_choice)i;
            return 0;
        }
    return cs_doc_err(reader->doc, value, reader->err, "no kind of component called '%.40s'%s",
                      text, cs_hint_all(text, choice_names, CS_INFRAGRAPH_CHOICES).text);
}

static int read_component(const struct cs_infragraph_reader *reader,
                          struct cs_infragraph_device *device, uint32_t node)
{
    struct cs_infragraph_component *component = &device->components[device->count];
    int rc = read_name(reader, node, "a component", &component->name);

    component->node = node;
    component->device = CS_DOC_NONE;
    component->about = rc ? "" : cs_infragraph_about(reader, node);
    if (!rc)
        rc = infragraph_count(reader, node, "a component", &component->count);
    if (!rc)
        rc = read_choice(reader, node, component);
    for (uint32_t c = 0; c < device->count && !rc; c++)
        if (cs_same(device->components[c].name, component->name))
            rc = cs_doc_err(reader->doc, node, reader->err,
                            "component '%s' is a duplicate of line %u", component->name,
                            reader->doc->nodes[device->components[c].node].line);
    device->count++;
    return rc;
}

static int read_device(struct cs_infragraph_reader *reader, uint32_t node)
{
    const struct cs_doc *doc = reader->doc;
    struct cs_infragraph_device *device = &reader->devices[reader->device_count];
    uint32_t list;
    int rc = read_name(reader, node, "a device", &device->name);

    if (rc)
        return rc;
    if (cs_infragraph_device(reader, device->name) != CS_DOC_NONE)
        return cs_doc_err(doc, node, reader->err, "device '%s' is a duplicate", device->name);
    device->node = node;
    device->about = cs_infragraph_about(reader, node);
    reader->device_count++;
    list = cs_doc_get(doc, node, "components");
    if (list == CS_DOC_NONE)
        return cs_doc_err(doc, node, reader->err, "device '%s' has no 'components'", device->name);
    rc = cs_doc_want_list(doc, list, "'components'", reader->err);
    if (rc)
        return rc;
    device->components =
        cs_arena_alloc(reader->graph->arena, doc->nodes[list].count, sizeof(*device->components));
    for (uint32_t i = doc->nodes[list].first; i != CS_DOC_NONE && !rc; i = doc->nodes[i].next)
        rc = read_component(reader, device, i);
    return rc;
}

/* ---- leaves ---- */

/* Whether the devices of a device are measured; finds them by name. */
static int are_inner_measured(struct cs_infragraph_reader *reader,
                              struct cs_infragraph_device *device, bool *done)
{
    *done = true;
    for (uint32_t c = 0; c < device->count; c++) {
        struct cs_infragraph_component *component = &device->components[c];

        component->each = 1;
        if (component->choice != CS_INFRAGRAPH_DEVICE)
            continue;
        component->device = cs_infragraph_device(reader, component->name);
        if (component->device == CS_DOC_NONE)
            return cs_doc_err(reader->doc, component->node, reader->err,
                              "component '%s' is a device, but no device has that name",
                              component->name);
        component->each = reader->devices[component->device].leaves;
        *done &= component->each > 0;
    }
    return 0;
}

/* Numbers the leaves of a device whose devices are measured. */
static int number_leaves(const struct cs_infragraph_reader *reader,
                         struct cs_infragraph_device *device)
{
    uint64_t leaves = 0;

    for (uint32_t c = 0; c < device->count; c++) {
        struct cs_infragraph_component *component = &device->components[c];

        component->first = (uint32_t)leaves;
        leaves += (uint64_t)component->count * component->each;
        if (leaves > CS_INFRAGRAPH_LEAVES_MAX)
            return cs_doc_err(reader->doc, component->node, reader->err, "over %d components",
                              CS_INFRAGRAPH_LEAVES_MAX);
        device->has_xpu |=
            component->choice == CS_INFRAGRAPH_XPU ||
            (component->device != CS_DOC_NONE && reader->devices[component->device].has_xpu);
    }
    if (leaves == 0)
        return cs_doc_err(reader->doc, device->node, reader->err, "device '%s' has no components",
                          device->name);
    device->leaves = (uint32_t)leaves;
    return 0;
}

/* Devices of devices first: a pass for each level of nesting. */
static int measure_devices(struct cs_infragraph_reader *reader)
{
    struct cs_infragraph_device *open = NULL;
    int rc = 0;

    for (uint32_t pass = 0; pass < CS_INFRAGRAPH_NESTING_MAX; pass++) {
        open = NULL;
        for (uint32_t d = 0; d < reader->device_count && !rc; d++) {
            struct cs_infragraph_device *device = &reader->devices[d];
            bool done = false;

            if (device->leaves)
                continue;
            rc = are_inner_measured(reader, device, &done);
            if (!rc && done)
                rc = number_leaves(reader, device);
            else if (!open)
                open = device;
        }
        if (rc || !open)
            return rc;
    }
    return cs_doc_err(reader->doc, open->node, reader->err,
                      "device '%s' is a component of itself, or is nested over %d deep", open->name,
                      CS_INFRAGRAPH_NESTING_MAX);
}

/* A device whose components are being laid out. */
struct layout {
    struct cs_infragraph_leaf leaf;
    uint32_t component, index;
};

static void lay_out(struct cs_infragraph_reader *reader, struct cs_infragraph_leaf leaf)
{
    struct layout stack[CS_INFRAGRAPH_NESTING_MAX + 1] = {{.leaf = leaf}};
    uint32_t depth = 1;

    while (depth) {
        struct layout *top = &stack[depth - 1];
        const struct cs_infragraph_device *device = &reader->devices[top->leaf.device];
        const struct cs_infragraph_component *component = &device->components[top->component];
        struct cs_infragraph_leaf next = top->leaf;

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
        stack[depth++] = (struct layout){.leaf = next};
    }
}

/* ---- instances ---- */

static int read_instance(struct cs_infragraph_reader *reader, uint32_t node, uint64_t *leaves)
{
    const struct cs_doc *doc = reader->doc;
    struct cs_infragraph_instance *instance = &reader->instances[reader->instance_count];
    uint32_t value;
    const char *device;
    int rc = read_name(reader, node, "an instance", &instance->name);

    for (uint32_t i = 0; i < reader->instance_count && !rc; i++)
        if (cs_same(reader->instances[i].name, instance->name))
            rc = cs_doc_err(doc, node, reader->err, "instance '%s' is a duplicate", instance->name);
    if (!rc)
        rc = infragraph_count(reader, node, "an instance", &instance->count);
    if (rc)
        return rc;
    value = cs_doc_get(doc, node, "device");
    if (value == CS_DOC_NONE)
        return cs_doc_err(doc, node, reader->err, "instance '%s' has no 'device'", instance->name);
    rc = cs_doc_want_text(doc, value, "'device'", &device, reader->err);
    if (rc)
        return rc;
    instance->device = cs_infragraph_device(reader, device);
    if (instance->device == CS_DOC_NONE)
        return cs_doc_err(doc, value, reader->err, "no device called '%.40s' in 'devices'", device);
    instance->node = node;
    instance->first = (uint32_t)*leaves;
    instance->host = CS_NO_HOST;
    if (reader->devices[instance->device].has_xpu ||
        cs_infragraph_kept(reader, reader->devices[instance->device].about, "host")) {
        instance->host = reader->host_count;
        reader->host_count += instance->count;
    }
    *leaves += (uint64_t)instance->count * reader->devices[instance->device].leaves;
    if (*leaves > CS_INFRAGRAPH_LEAVES_MAX)
        return cs_doc_err(doc, node, reader->err, "over %d components", CS_INFRAGRAPH_LEAVES_MAX);
    reader->instance_count++;
    return 0;
}

static int read_instances(struct cs_infragraph_reader *reader)
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
            lay_out(reader, (struct cs_infragraph_leaf){.device = reader->instances[i].device,
                                                        .instance = i,
                                                        .instance_index = n,
                                                        .prefix = ""});
    return 0;
}

int cs_infragraph_read_inventory(struct cs_infragraph_reader *reader)
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
    if (!rc)
        rc = measure_devices(reader);
    return rc ? rc : read_instances(reader);
}
