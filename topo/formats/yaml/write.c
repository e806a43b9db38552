/*
 * yaml: collsim's own format (yaml/read.c), a list of devices and a list of
 * links, and routes where they are not the cheapest paths.  A reader gets the same graph.
 *
 * Consecutive devices of a kind are a single device with a count, consecutive
 * wires of a class a single link between lists.  A wire whose numbers differ
 * from its kind, or a second wire of a class between two devices, gets a class
 * with a new name.
 *
 * A generated machine of more ranks than routes are written of (write_values.h) is what
 * generates it, in a line: its routes follow from that alone.
 */
#include "sim/base/collections/name_index.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"
#include "topo/formats/writer.h"
#include "topo/formats/yaml/reader.h"
#include "topo/formats/yaml/write_values.h"
#include "topo/graph/graph.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/port.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Link classes of a YAML file.
 *
 * A wire with the numbers of a built-in kind has the class of the kind.  A wire
 * with other numbers, or a second wire of a class between two devices, has a
 * class with a new name, defined in the file.  The same holds for the ports of
 * NICs.
 */

enum {
    RUN_MAX = 256, /* wires in a link, for readable lines */
};

struct yaml_writer {
    const struct cs_graph *graph;
    struct cs_arena arena;
    const char **names;    /* of devices */
    struct cs_names used;  /* set of the names */
    struct cs_names taken; /* names of classes */
    struct cs_names known; /* numbers of a class -> index of `defined` */
    const char **defined;
    uint32_t class_count;
    const char **classes; /* of wires */
    const char **ports;   /* by device: classes of ports */
    uint32_t next_host;   /* host number that a reader assigns by default */
    struct cs_text *out;
};

/* Whether the name of the class gives the wire's numbers. */
static bool is_built_in(const struct cs_wire *wire)
{
    struct cs_wire as;

    return !cs_link_kind_find(wire->class_name, &as, NULL) && as.rate_Bps == wire->rate_Bps &&
           as.efficiency == wire->efficiency && as.latency_ps == wire->latency_ps &&
           as.duplex == wire->duplex;
}

/* The number of earlier wires of the class between the same devices: a reader
 * refuses a second link of a class, so a twin needs another class. */
static uint32_t count_twins(struct yaml_writer *writer, struct cs_names *seen,
                            const struct cs_wire *wire)
{
    uint32_t low = wire->a < wire->b ? wire->a : wire->b;
    uint32_t high = wire->a ^ wire->b ^ low, twins = 0;

    while (cs_names_add(
               seen,
               cs_arena_printf(&writer->arena, "%u %u %u %s", low, high, twins, wire->class_name),
               0) != CS_NO_NAME)
        twins++;
    return twins;
}

/* A new name for a class of the file, similar to the kind: "4 of pcie4 x8", of NICs
 * in a stripe, begins with the kind too, which names the family. */
static const char *own_name(struct yaml_writer *writer, const char *class_name)
{
    const char *of = strstr(class_name, " of ");
    char stem[CS_LINK_NAME_MAX - 8];
    const char *name;
    uint32_t i = 1;
    size_t length = 0;

    if (of && strspn(class_name, "0123456789") == (size_t)(of - class_name))
        class_name = of + strlen(" of ");
    for (; class_name[length] && length + 1 < sizeof(stem); length++)
        stem[length] = isalnum((unsigned char)class_name[length]) || class_name[length] == '-'
                           ? class_name[length]
                           : '_';
    stem[length] = '\0';
    name = cs_arena_printf(&writer->arena, "%s", length ? stem : "link");
    while (cs_link_kind_get(name) || cs_names_add(&writer->taken, name, 0) != CS_NO_NAME)
        name = cs_arena_printf(&writer->arena, "%s_%u", stem, ++i);
    return name;
}

static void yaml_classes_define(struct yaml_writer *writer, const char *name,
                                const struct cs_wire *wire)
{
    struct cs_text *out = writer->out;
    struct cs_wire as_named = {0};

    cs_link_kind_belong(name, &as_named);
    cs_yaml_add_name(out, writer->class_count ? "  " : "classes:\n  ", name);
    cs_yaml_add_rate(out, ": {rate: ", wire->rate_Bps);
    cs_yaml_add_time(out, ", latency: ", wire->latency_ps);
    if (wire->efficiency != 1)
        cs_yaml_add_fraction(out, ", efficiency: ", wire->efficiency);
    if (wire->duplex != CS_DUPLEX_FULL)
        cs_text_printf(out, ", duplex: %s", cs_duplex_name(wire->duplex));
    if (wire->network != as_named.network)
        cs_text_printf(out, ", network: %s", cs_networks[wire->network].name);
    if (wire->source && *wire->source)
        cs_yaml_add_quoted(out, ", source: ", wire->source);
    cs_text_add(out, "}\n");
}

/* The class of a link; a link with `twins` needs a class of its own. */
static const char *class_of(struct yaml_writer *writer, const struct cs_wire *wire, uint32_t twins)
{
    const char *key;

    if (!twins && is_built_in(wire))
        return wire->class_name;
    key = cs_arena_printf(&writer->arena, "%s %u %a %a %llu %d %s", wire->class_name, twins,
                          wire->rate_Bps, wire->efficiency, (unsigned long long)wire->latency_ps,
                          (int)wire->duplex, wire->source ? wire->source : "");
    if (cs_names_add(&writer->known, key, writer->class_count) == CS_NO_NAME) {
        writer->defined[writer->class_count] = own_name(writer, wire->class_name);
        yaml_classes_define(writer, writer->defined[writer->class_count], wire);
        writer->class_count++;
    }
    return writer->defined[cs_names_find(&writer->known, key)];
}

/* Sets the class of each wire and each port, and writes the definitions, a line each.
 * O(wires + devices). */
static void yaml_name_classes(struct yaml_writer *writer)
{
    const struct cs_graph *graph = writer->graph;
    struct cs_arena *arena = &writer->arena;
    struct cs_names seen;

    writer->classes = cs_arena_alloc(arena, graph->wire_count, sizeof(char *));
    writer->ports = cs_arena_alloc(arena, graph->device_count, sizeof(char *));
    writer->defined = cs_arena_alloc(arena, (uint64_t)graph->wire_count + graph->device_count,
                                     sizeof(*writer->defined));
    cs_names_init(&seen, arena, graph->wire_count);
    cs_names_init(&writer->taken, arena, 16);
    cs_names_init(&writer->known, arena, 16);
    for (uint32_t w = 0; w < graph->wire_count; w++)
        writer->classes[w] =
            class_of(writer, &graph->wires[w], count_twins(writer, &seen, &graph->wires[w]));
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].port)
            writer->ports[d] = class_of(writer, graph->devices[d].port, 0);
}

/* ---- devices ---- */

static bool yaml_writer_are_identical(const struct cs_device *a, const struct cs_device *b)
{
    return !a->bond && !b->bond && a->kind == b->kind && a->reduces == b->reduces &&
           a->reduce_Bps == b->reduce_Bps && a->reduce_overhead_ps == b->reduce_overhead_ps &&
           a->model == b->model && a->peers == b->peers && a->vendor == b->vendor &&
           cs_port_is_equal(a->port, b->port);
}

/* Whether a reader assigns the host of the device by default. */
static bool is_at_home(const struct yaml_writer *writer, const struct cs_device *device)
{
    switch (device->kind) {
    case CS_DEVICE_HOST:
        return device->host == writer->next_host;
    case CS_DEVICE_SWITCH:
    case CS_DEVICE_BUS:
        return device->host == CS_NO_HOST;
    default:
        return device->host == 0;
    }
}

/* Difference of host numbers between numbered devices. */
static uint32_t host_step(const struct yaml_writer *writer, const struct cs_device *device)
{
    return device->kind == CS_DEVICE_HOST && is_at_home(writer, device);
}

/* Whether a device has the stem as its full name. */
static bool is_stem_used(struct yaml_writer *writer, const char *name, size_t stem)
{
    return cs_names_find(&writer->used, cs_arena_text_n(&writer->arena, name, stem)) != CS_NO_NAME;
}

/* The number of devices from d on named stem0, stem1 ... with equal
 * properties. */
static uint32_t yaml_writer_numbered(struct yaml_writer *writer, uint32_t d)
{
    const struct cs_graph *graph = writer->graph;
    const struct cs_device *first = &graph->devices[d];
    uint32_t step = host_step(writer, first);
    uint32_t number = 1, count = 1;
    size_t stem = cs_yaml_stem_of(writer->names[d], &number);

    if (stem == 0 || number != 0 || first->bond || is_stem_used(writer, writer->names[d], stem))
        return 0;
    while (d + count < graph->device_count && count < CS_YAML_COUNT_MAX &&
           cs_yaml_follows(writer->names[d], writer->names[d + count], count) &&
           yaml_writer_are_identical(first, &first[count]) &&
           first[count].host == first->host + count * step)
        count++;
    return count;
}

/* Model, peer access and vendor, as far as known. */
static void yaml_writer_add_make(struct cs_text *out, const struct cs_device *device)
{
    if (device->model)
        cs_text_printf(out, ", model: %s", device->model->name);
    if (device->peers != CS_PEERS_BY_MODEL)
        cs_text_printf(out, ", peer-access: %s", device->peers == CS_PEERS_YES ? "yes" : "no");
    if (device->vendor != CS_CPU_UNKNOWN)
        cs_text_printf(out, ", vendor: %s", cs_cpu_vendor_name(device->vendor));
}

static void yaml_writer_add_device(struct yaml_writer *writer, uint32_t d, uint32_t count)
{
    const struct cs_device *device = &writer->graph->devices[d];
    const char *name = writer->names[d];
    struct cs_text *out = writer->out;
    uint32_t number;

    if (count)
        name = cs_arena_text_n(&writer->arena, name, cs_yaml_stem_of(name, &number));
    cs_yaml_add_name(out, "  ", name);
    cs_text_printf(out, ": {kind: %s", cs_device_kind_name(device->kind));
    if (count)
        cs_text_printf(out, ", count: %u", count);
    if (!is_at_home(writer, device) && device->host == CS_NO_HOST)
        cs_text_add(out, ", host: none");
    else if (!is_at_home(writer, device))
        cs_text_printf(out, ", host: %u", device->host);
    writer->next_host += host_step(writer, device) * (count ? count : 1);
    if (device->reduce_Bps > 0)
        cs_yaml_add_rate(out, ", reduce: ", device->reduce_Bps);
    if (device->reduce_overhead_ps)
        cs_yaml_add_time(out, ", overhead: ", device->reduce_overhead_ps);
    yaml_writer_add_make(out, device);
    if (device->port)
        cs_text_printf(out, ", port: %s", writer->ports[d]);
    for (uint32_t i = 0; device->bond && i < device->bond->count; i++)
        cs_yaml_add_name(out, i ? ", " : ", bond: [", device->bond->names[i]);
    cs_text_add(out, device->bond ? "]" : "");
    cs_text_add(out, device->reduces ? ", reduces: yes" : "");
    cs_text_add(out, "}\n");
}

static void yaml_writer_add_devices(struct yaml_writer *writer)
{
    uint32_t d = 0;

    cs_text_add(writer->out, "devices:\n");
    while (d < writer->graph->device_count) {
        uint32_t count = yaml_writer_numbered(writer, d);

        yaml_writer_add_device(writer, d, count);
        d += count ? count : 1;
    }
}

/* ---- links and ranks ---- */

/* The number of wires from w on that fit in a link; *one_end: with a common
 * end. */
static uint32_t run_of(const struct yaml_writer *writer, uint32_t w, bool *one_end)
{
    const struct cs_wire *wires = writer->graph->wires;
    uint32_t count = 1;

    *one_end = true;
    while (w + count < writer->graph->wire_count && count < RUN_MAX &&
           wires[w + count].backwards == wires[w].backwards &&
           cs_same(writer->classes[w + count], writer->classes[w])) {
        bool same = wires[w + count].b == wires[w].b;

        if (count > 1 && same != *one_end)
            break;
        *one_end = same;
        count++;
    }
    return count;
}

static void yaml_writer_add_link(struct yaml_writer *writer, uint32_t w, uint32_t count,
                                 bool one_end)
{
    uint32_t ends[RUN_MAX] = {0};

    for (uint32_t i = 0; i < count; i++)
        ends[i] = writer->graph->wires[w + i].a;
    cs_yaml_add_sets(writer->out, "  - {from: ", writer->names, ends, count);
    for (uint32_t i = 0; i < count; i++)
        ends[i] = writer->graph->wires[w + i].b;
    cs_yaml_add_sets(writer->out, ", to: ", writer->names, ends, one_end ? 1 : count);
    cs_text_printf(writer->out, ", class: %s%s}\n", writer->classes[w],
                   writer->graph->wires[w].backwards ? ", direction: back" : "");
}

static void yaml_writer_add_links(struct yaml_writer *writer)
{
    uint32_t w = 0;

    if (writer->graph->wire_count == 0)
        return;
    cs_text_add(writer->out, "links:\n");
    while (w < writer->graph->wire_count) {
        bool one_end;
        uint32_t count = run_of(writer, w, &one_end);

        yaml_writer_add_link(writer, w, count, one_end);
        w += count;
    }
}

/* Whether the ranks and servers are a reader's defaults. */
static bool are_default(const struct cs_graph *graph, const uint32_t *slots, uint32_t count,
                        bool (*is_meant)(enum cs_device_kind))
{
    uint32_t found = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        if (is_meant(graph->devices[d].kind) && (found == count || slots[found++] != d))
            return false;
    return found == count;
}

static void yaml_writer_add_slots(struct yaml_writer *writer)
{
    const struct cs_graph *graph = writer->graph;
    bool servers = graph->agent_slots &&
                   !are_default(graph, graph->agent_device, graph->agent_slots, cs_device_is_cpu);

    /* Devices listed as servers are not ranks by default. */
    if (servers || !are_default(graph, graph->rank_device, graph->rank_count, cs_device_computes)) {
        cs_yaml_add_sets(writer->out, "ranks: ", writer->names, graph->rank_device,
                         graph->rank_count);
        cs_text_add(writer->out, "\n");
    }
    if (servers) {
        cs_yaml_add_sets(writer->out, "servers: ", writer->names, graph->agent_device,
                         graph->agent_slots);
        cs_text_add(writer->out, "\n");
    }
}

/* ---- the file ---- */

static void yaml_writer_add_title(struct yaml_writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    cs_yaml_add_quoted(writer->out, "name: ", graph->name);
    if (*graph->about)
        cs_yaml_add_quoted(writer->out, "\nabout: ", graph->about);
    if (graph->port_class)
        cs_yaml_add_quoted(writer->out, "\nport: ", graph->port_class);
    cs_text_add(writer->out,
                graph->direct && !graph->neighbours_only ? "\nforward: ranks\n" : "\n");
}

static void yaml_writer_add_parts(struct yaml_writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    cs_names_init(&writer->used, &writer->arena, graph->device_count);
    for (uint32_t d = 0; d < graph->device_count; d++)
        cs_names_add(&writer->used, writer->names[d], d);
    yaml_writer_add_title(writer);
    yaml_name_classes(writer);
    yaml_writer_add_devices(writer);
    yaml_writer_add_links(writer);
    yaml_writer_add_slots(writer);
}

/* What the parts of a generated machine do not say. */
static void yaml_writer_note_routing(const struct cs_graph *graph, struct cs_text *notes)
{
    if (!graph->generator)
        return;
    cs_text_printf(notes, "the file has no parameter servers%s; --topo '%s' has them\n",
                   graph->has_choice ? ", and no routes for --routing ecmp, spray and adaptive"
                                     : "",
                   graph->generator);
    if (graph->rank_count && cs_graph_device(graph, graph->rank_device[0]).kind == CS_DEVICE_HOST &&
        !(graph->file && *graph->file))
        cs_text_add(notes, "the file's ranks are hosts, of which --algo auto compares what MPI or "
                           "Gloo runs\n");
}

static int yaml_writer_write(const struct cs_graph *graph, struct cs_text *out,
                             struct cs_text *notes, struct cs_err *err)
{
    struct yaml_writer writer = {.out = out};
    struct cs_graph up = cs_writer_up(graph, &writer.arena, notes);
    int code = 0;

    if (graph->generator && graph->rank_count > CS_YAML_ROUTED_RANKS_MAX) {
        cs_yaml_add_quoted(out, "name: ", graph->name);
        cs_yaml_add_quoted(out, "\ngenerator: ", graph->generator);
        cs_text_add(out, "\n");
    } else if (up.device_count > CS_YAML_DEVICES_MAX || up.wire_count > CS_YAML_WIRES_MAX) {
        code = cs_err_set(err, CS_EINPUT, "%u devices and %u links; a file has at most %d of each",
                          up.device_count, up.wire_count, CS_YAML_DEVICES_MAX);
    } else {
        writer.graph = &up;
        writer.names = cs_writer_names(graph, "[]", &writer.arena, notes);
        yaml_writer_add_parts(&writer);
        cs_yaml_add_routes(graph, &up, writer.names, out);
        yaml_writer_note_routing(graph, notes);
    }
    cs_arena_free(&writer.arena);
    return code;
}

const struct cs_writer cs_writer_yaml = {
    .name = "yaml",
    .prefix = "yaml:",
    .about = "collsim's own format, complete",
    .write = yaml_writer_write,
};
