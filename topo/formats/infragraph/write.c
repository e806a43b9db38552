/*
 * A machine as InfraGraph (version 3.1, YAML), for ASTRA-sim 3.0 and other
 * readers; read.c reads it back as the same devices and links, without stated routes.
 *
 * A node is an instance of a device; nodes that are equal are one device with a
 * count.  A switch between nodes is an instance of its own.  A link's bandwidth
 * is the payload rate; what InfraGraph has no key for (efficiency, class,
 * duplex, GPU model) is in descriptions.
 */
#include "topo/formats/infragraph/write_edges.h"
#include "topo/formats/writer.h"
#include "topo/formats/yaml/write_values.h"
#include "topo/kinds/gpu_kind.h"

#include <ctype.h>
#include <string.h>

/* The name of a device in its node: "gpu3" of "n0.gpu3". */
static const char *own_name(struct cs_infragraph_writer *writer, uint32_t device)
{
    const struct cs_device *of = &writer->graph->devices[device];
    const char *prefix = cs_arena_printf(writer->arena, "n%u.", of->host);
    size_t length = strlen(prefix);

    return strncmp(of->name, prefix, length) == 0 ? of->name + length : of->name;
}

static size_t stem_length(const char *name)
{
    size_t length = strlen(name);

    while (length > 1 && isdigit((unsigned char)name[length - 1]))
        length--;
    return length;
}

/* ---- components ---- */

static const char *choice_of(enum cs_device_kind kind)
{
    static const char *const choices[CS_DEVICE_KINDS] = {
        [CS_DEVICE_GPU] = "choice: xpu",
        [CS_DEVICE_HOST] = "choice: xpu",
        [CS_DEVICE_CPU] = "choice: cpu",
        [CS_DEVICE_NIC] = "choice: nic",
        [CS_DEVICE_SWITCH] = "choice: switch",
        [CS_DEVICE_BUS] = "choice: custom, custom: {type: bus}"};

    return choices[kind];
}

static const char *device_about(struct cs_infragraph_writer *writer, uint32_t device)
{
    const struct cs_device *of = &writer->graph->devices[device];
    struct cs_text about = {0};
    bool is_plain =
        of->kind == CS_DEVICE_GPU || of->kind == CS_DEVICE_SWITCH ||
        (of->host != CS_NO_HOST && (of->kind == CS_DEVICE_CPU || of->kind == CS_DEVICE_NIC));

    if (!is_plain)
        cs_infragraph_add_kept(&about, "kind", cs_device_kind_name(of->kind));
    if (of->model)
        cs_infragraph_add_kept(&about, "model", of->model->name);
    if (of->peers != CS_PEERS_BY_MODEL)
        cs_infragraph_add_kept(&about, "peer-access", of->peers == CS_PEERS_YES ? "yes" : "no");
    if (of->vendor != CS_CPU_UNKNOWN)
        cs_infragraph_add_kept(&about, "vendor", cs_cpu_vendor_name(of->vendor));
    if (of->reduces)
        cs_infragraph_add_kept(&about, "reduces", "yes");
    if (of->reduce_Bps > 0) {
        cs_infragraph_add_kept(&about, "reduce", "");
        cs_yaml_add_rate(&about, of->reduce_Bps);
    }
    if (of->reduce_overhead_ps) {
        cs_infragraph_add_kept(&about, "overhead", "");
        cs_yaml_add_time(&about, of->reduce_overhead_ps);
    }
    if (of->port)
        cs_infragraph_add_kept(&about, "port",
                               cs_infragraph_link_in(writer, &writer->outer, of->port));
    return cs_infragraph_taken(writer, &about);
}

/* Devices whose names count up, and which are equal otherwise: a component. */
static uint32_t run_from(struct cs_infragraph_writer *writer, uint32_t first, const char *about)
{
    const struct cs_graph *graph = writer->graph;
    const struct cs_device *of = &graph->devices[first];
    const char *name = own_name(writer, first);
    size_t stem = stem_length(name);
    uint32_t count = 1;

    while (name[stem] && first + count < graph->device_count) {
        const struct cs_device *next = &graph->devices[first + count];
        const char *other = own_name(writer, first + count);

        if (next->kind != of->kind || next->host != of->host || stem_length(other) != stem ||
            strncmp(name, other, stem) != 0 || !cs_same(device_about(writer, first + count), about))
            break;
        count++;
    }
    return count;
}

static void add_component(struct cs_text *out, const char *name, const char *choice,
                          const char *about, uint32_t count)
{
    cs_text_printf(out, "  - {name: \"%s\", %s, count: %u", name, choice, count);
    if (*about) {
        cs_text_add(out, ", description: ");
        cs_yaml_add_quoted(out, about);
    }
    cs_text_add(out, "}\n");
}

/* Devices from `first` on that are a component; returns how many. */
static uint32_t add_devices(struct cs_infragraph_writer *writer, struct cs_names *taken,
                            uint32_t first, struct cs_text *out)
{
    const struct cs_device *of = &writer->graph->devices[first];
    const char *about = device_about(writer, first);
    const char *own = own_name(writer, first);
    uint32_t count = run_from(writer, first, about);
    const char *name = cs_infragraph_name_in(writer, taken, own, stem_length(own));

    for (uint32_t i = 0; i < count; i++) {
        writer->places[first + i].component = name;
        writer->places[first + i].index = i;
        writer->places[first + i].count = count;
        if (cs_device_computes(of->kind))
            writer->order[writer->order_count++] = first + i;
    }
    add_component(out, name, choice_of(of->kind), about, count);
    return count;
}

/* ---- instances ---- */

static void end_instance(struct cs_infragraph_writer *writer)
{
    if (writer->last_instance)
        cs_text_printf(&writer->instances, "  - {name: \"%s\", device: \"%s\", count: %u}\n",
                       writer->last_instance, writer->last_body, writer->last_count);
    writer->last_instance = NULL;
}

/* The instance of a body, a device of the inventory. */
static void begin_instance(struct cs_infragraph_writer *writer, const char *stem, const char *body)
{
    const char *device, *key;
    uint32_t at;

    if (writer->last_instance && cs_same(cs_text_str(&writer->last_text), body)) {
        writer->last_count++;
        return;
    }
    end_instance(writer);
    writer->last_text.length = 0;
    cs_text_add(&writer->last_text, body);
    key = cs_arena_text(writer->arena, body);
    at = cs_names_find(&writer->bodies, key);

    if (at == CS_NO_NAME) {
        device = cs_infragraph_name_in(writer, &writer->device_names, stem, strlen(stem));
        cs_names_add(&writer->bodies, key, (uint32_t)writer->devices.length);
        cs_text_printf(&writer->devices, "- name: \"%s\"\n%s", device, body);
    } else {
        const char *start = cs_text_str(&writer->devices) + at + strlen("- name: \"");

        device = cs_arena_text_n(writer->arena, start, strcspn(start, "\""));
    }
    writer->last_body = device;
    writer->last_instance =
        cs_infragraph_name_in(writer, &writer->instance_names, stem, strlen(stem));
    writer->last_count = 1;
}

static void add_body(struct cs_text *body, const char *about, const struct cs_text *components,
                     const struct cs_infragraph_scope *scope)
{
    cs_text_printf(body, "%s  components:\n%s", about, cs_text_str(components));
    cs_text_printf(body, "  links:%s\n%s", scope->links.length ? "" : " []",
                   cs_text_str(&scope->links));
    cs_text_printf(body, "  edges:%s\n%s", scope->edges.length ? "" : " []",
                   cs_text_str(&scope->edges));
}

static void add_host(struct cs_infragraph_writer *writer, uint32_t host)
{
    const struct cs_graph *graph = writer->graph;
    const struct cs_infragraph_part *parts = writer->host_devices;
    uint32_t start = cs_infragraph_parts_of(parts, graph->device_count, host);
    uint32_t i = start, computing = writer->order_count;
    struct cs_text components = {0}, body = {0};
    struct cs_infragraph_scope scope;
    struct cs_names taken;

    cs_infragraph_scope_open(writer, &scope);
    cs_names_init(&taken, writer->arena, CS_INFRAGRAPH_NAMES);
    while (i < graph->device_count && parts[i].host == host)
        i += add_devices(writer, &taken, parts[i].number, &components);
    cs_infragraph_add_edges(writer, &scope, host);
    if (scope.twins)
        add_component(&components, CS_INFRAGRAPH_TWIN,
                      "choice: custom, custom: {type: " CS_INFRAGRAPH_TWIN "}", "", scope.twins);
    add_body(&body, writer->order_count == computing ? "  description: host=yes\n" : "",
             &components, &scope);
    begin_instance(writer, "node", cs_text_str(&body));
    for (i = start; i < graph->device_count && parts[i].host == host; i++) {
        writer->places[parts[i].number].instance = writer->last_instance;
        writer->places[parts[i].number].instance_index = writer->last_count - 1;
    }
    cs_text_free(&components);
    cs_text_free(&body);
    cs_infragraph_scope_close(&scope);
}

/* Devices outside of nodes: an instance of a device of one component. */
static uint32_t add_outside(struct cs_infragraph_writer *writer, uint32_t first)
{
    const char *name = own_name(writer, first);
    struct cs_text components = {0}, body = {0};
    struct cs_infragraph_scope none = {0};
    struct cs_names taken;
    const char *about = device_about(writer, first);
    uint32_t count = run_from(writer, first, about);

    cs_names_init(&taken, writer->arena, CS_INFRAGRAPH_NAMES);
    add_component(&components, "chip", choice_of(writer->graph->devices[first].kind), about, 1);
    add_body(&body, "", &components, &none);
    end_instance(writer);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0)
            begin_instance(
                writer,
                cs_arena_text_n(writer->arena, name, count > 1 ? stem_length(name) : strlen(name)),
                cs_text_str(&body));
        writer->last_count = i + 1;
        writer->places[first + i] =
            (struct cs_infragraph_place){"chip", 0, 1, writer->last_instance, i};
        if (cs_device_computes(writer->graph->devices[first].kind))
            writer->order[writer->order_count++] = first + i;
    }
    end_instance(writer);
    cs_text_free(&components);
    cs_text_free(&body);
    return count;
}

static void add_inventory(struct cs_infragraph_writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t d = 0; d < graph->device_count;) {
        uint32_t host = graph->devices[d].host;

        if (host == CS_NO_HOST) {
            d += add_outside(writer, d);
            continue;
        }
        if (!writer->places[d].instance)
            add_host(writer, host);
        d++;
    }
    end_instance(writer);
    cs_infragraph_add_edges(writer, &writer->outer, CS_NO_HOST);
    if (writer->outer.twins) {
        cs_text_printf(&writer->devices, "- name: \"%s\"\n  components:\n", CS_INFRAGRAPH_TWIN);
        add_component(&writer->devices, CS_INFRAGRAPH_TWIN,
                      "choice: custom, custom: {type: " CS_INFRAGRAPH_TWIN "}", "", 1);
        cs_text_add(&writer->devices, "  links: []\n  edges: []\n");
        cs_text_printf(&writer->instances,
                       "  - {name: \"" CS_INFRAGRAPH_TWIN "\", device: \"" CS_INFRAGRAPH_TWIN
                       "\", count: %u}\n",
                       writer->outer.twins);
    }
}

/* ---- the file ---- */

static void add_title(struct cs_infragraph_writer *writer, struct cs_text *out)
{
    const struct cs_graph *graph = writer->graph;
    struct cs_text about = {0};
    bool same = graph->rank_count == writer->order_count;

    cs_infragraph_add_kept(&about, "about", cs_infragraph_plain(writer, graph->about));
    if (graph->direct)
        cs_infragraph_add_kept(&about, "forward", "ranks");
    if (graph->port_class)
        cs_infragraph_add_kept(&about, "port", cs_infragraph_plain(writer, graph->port_class));
    for (uint32_t r = 0; r < graph->rank_count && same; r++)
        same = graph->rank_device[r] == writer->order[r];
    if (!same) {
        uint32_t *ordinal = cs_arena_alloc(writer->arena, graph->device_count, sizeof(*ordinal));

        for (uint32_t i = 0; i < writer->order_count; i++)
            ordinal[writer->order[i]] = i;
        cs_infragraph_add_kept(&about, "ranks", "");
        for (uint32_t r = 0; r < graph->rank_count; r++)
            cs_text_printf(&about, "%s%u", r ? " " : "", ordinal[graph->rank_device[r]]);
    }
    cs_text_add(out, "name: ");
    cs_yaml_add_quoted(out, cs_infragraph_plain(writer, graph->name));
    cs_text_add(out, "\ndescription: ");
    cs_yaml_add_quoted(out, cs_text_str(&about));
    cs_text_add(out, "\n");
    cs_text_free(&about);
}

static void add_lists(const struct cs_infragraph_writer *writer, struct cs_text *out)
{
    cs_text_printf(out, "devices:\n%sinstances:\n%s", cs_text_str(&writer->devices),
                   cs_text_str(&writer->instances));
    cs_text_printf(out, "links:%s\n%s", writer->outer.links.length ? "" : " []",
                   cs_text_str(&writer->outer.links));
    cs_text_printf(out, "edges:%s\n%s", writer->outer.edges.length ? "" : " []",
                   cs_text_str(&writer->outer.edges));
}

static void note_losses(const struct cs_infragraph_writer *writer, struct cs_text *notes)
{
    const struct cs_graph *graph = writer->graph;
    bool one_way = false, shared = false;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        one_way |= graph->wires[w].backwards;
        shared |= graph->wires[w].duplex != CS_DUPLEX_FULL;
    }
    cs_text_add(notes, "bandwidths are payload rates; efficiency, class and GPU model are in "
                       "descriptions, which other readers ignore\n");
    if (one_way || shared)
        cs_text_add(notes,
                    "links in one direction, half duplex and buses are in descriptions, too\n");
}

static int infragraph_write(const struct cs_graph *graph, struct cs_text *out,
                            struct cs_text *notes, struct cs_err *err)
{
    struct cs_arena arena = {0};
    struct cs_infragraph_writer writer = {.arena = &arena};
    struct cs_graph up;

    if (graph->device_count > CS_INFRAGRAPH_LEAVES_MAX ||
        graph->wire_count > CS_INFRAGRAPH_EDGES_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%u devices and %u links; a file has at most %d and %d; "
                          "--format yaml has one line of a generated machine",
                          graph->device_count, graph->wire_count, CS_INFRAGRAPH_LEAVES_MAX,
                          CS_INFRAGRAPH_EDGES_MAX);
    up = cs_writer_up(graph, &arena, notes);
    writer.graph = &up;
    writer.places = cs_arena_alloc(&arena, up.device_count, sizeof(*writer.places));
    writer.order = cs_arena_alloc(&arena, up.device_count, sizeof(*writer.order));
    cs_names_init(&writer.device_names, &arena, CS_INFRAGRAPH_NAMES);
    cs_names_init(&writer.instance_names, &arena, CS_INFRAGRAPH_NAMES);
    cs_names_init(&writer.bodies, &arena, CS_INFRAGRAPH_NAMES);
    cs_names_init(&writer.pairs, &arena, up.wire_count);
    cs_names_add(&writer.device_names, CS_INFRAGRAPH_TWIN, 0);
    cs_names_add(&writer.instance_names, CS_INFRAGRAPH_TWIN, 0);
    cs_infragraph_order_parts(&writer);
    cs_infragraph_scope_open(&writer, &writer.outer);
    add_inventory(&writer);
    add_title(&writer, out);
    add_lists(&writer, out);
    note_losses(&writer, notes);
    cs_infragraph_scope_close(&writer.outer);
    cs_text_free(&writer.devices);
    cs_text_free(&writer.instances);
    cs_text_free(&writer.last_text);
    cs_arena_free(&arena);
    return 0;
}

const struct cs_writer cs_writer_infragraph = {
    .name = "infragraph",
    .prefix = "infragraph:",
    .about = "InfraGraph, for ASTRA-sim 3.0; routes are computed by its reader",
    .write = infragraph_write,
};
