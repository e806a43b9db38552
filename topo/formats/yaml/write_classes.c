#include "topo/formats/yaml/write_classes.h"

#include "sim/base/collections/name_index.h"
#include "topo/formats/yaml/write_values.h"
#include "topo/kinds/link_kind.h"

#include <ctype.h>
#include <string.h>

struct yaml_classes {
    struct cs_arena *arena;
    struct cs_text *definitions;
    struct cs_names taken; /* names of classes */
    struct cs_names known; /* numbers of a class -> index of `defined` */
    const char **defined;
    uint32_t count;
};

static bool same_numbers(const struct cs_wire *a, const struct cs_wire *b)
{
    return a->rate_Bps == b->rate_Bps && a->efficiency == b->efficiency &&
           a->latency_ps == b->latency_ps && a->duplex == b->duplex;
}

/* Whether the name of the class gives the wire's numbers. */
static bool is_built_in(const struct cs_wire *wire)
{
    struct cs_wire as;

    return !cs_link_kind_find(wire->class_name, &as, NULL) && same_numbers(&as, wire);
}

/* The number of earlier wires of the class between the same devices: a reader
 * refuses a second link of a class, so a twin needs another class. */
static uint32_t count_twins(struct yaml_classes *writer, struct cs_names *seen,
                            const struct cs_wire *wire)
{
    uint32_t low = wire->a < wire->b ? wire->a : wire->b;
    uint32_t high = wire->a ^ wire->b ^ low;
    uint32_t twins = 0;

    while (cs_names_add(
               seen,
               cs_arena_printf(writer->arena, "%u %u %u %s", low, high, twins, wire->class_name),
               0) != CS_NO_NAME)
        twins++;
    return twins;
}

/* A new name for a class of the file, similar to the kind: "4 of pcie4 x8", of NICs
 * in a stripe, begins with the kind too, which names the family. */
static const char *own_name(struct yaml_classes *writer, const char *class_name)
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
    name = cs_arena_printf(writer->arena, "%s", length ? stem : "link");
    while (cs_link_kind_get(name) || cs_names_add(&writer->taken, name, 0) != CS_NO_NAME)
        name = cs_arena_printf(writer->arena, "%s_%u", stem, ++i);
    return name;
}

static void yaml_classes_define(struct yaml_classes *writer, const char *name,
                                const struct cs_wire *wire)
{
    struct cs_text *out = writer->definitions;
    struct cs_wire as_named = {0};

    cs_link_kind_belong(name, &as_named);
    cs_text_add(out, "  ");
    cs_yaml_add_name(out, name);
    cs_text_add(out, ": {rate: ");
    cs_yaml_add_rate(out, wire->rate_Bps);
    cs_text_add(out, ", latency: ");
    cs_yaml_add_time(out, wire->latency_ps);
    if (wire->efficiency != 1) {
        cs_text_add(out, ", efficiency: ");
        cs_yaml_add_fraction(out, wire->efficiency);
    }
    if (wire->duplex != CS_DUPLEX_FULL)
        cs_text_printf(out, ", duplex: %s", cs_duplex_name(wire->duplex));
    if (wire->network != as_named.network)
        cs_text_printf(out, ", network: %s", cs_networks[wire->network].name);
    if (wire->source && *wire->source) {
        cs_text_add(out, ", source: ");
        cs_yaml_add_quoted(out, wire->source);
    }
    cs_text_add(out, "}\n");
}

/* The class of a link; a link with `twins` needs a class of its own. */
static const char *class_of(struct yaml_classes *writer, const struct cs_wire *wire, uint32_t twins)
{
    const char *key;

    if (!twins && is_built_in(wire))
        return wire->class_name;
    key = cs_arena_printf(writer->arena, "%s %u %a %a %llu %d %s", wire->class_name, twins,
                          wire->rate_Bps, wire->efficiency, (unsigned long long)wire->latency_ps,
                          (int)wire->duplex, wire->source ? wire->source : "");
    if (cs_names_add(&writer->known, key, writer->count) == CS_NO_NAME) {
        writer->defined[writer->count] = own_name(writer, wire->class_name);
        yaml_classes_define(writer, writer->defined[writer->count], wire);
        writer->count++;
    }
    return writer->defined[cs_names_find(&writer->known, key)];
}

void cs_yaml_name_classes(const struct cs_graph *graph, const struct cs_yaml_class_names *names,
                          struct cs_text *definitions, struct cs_arena *arena)
{
    struct yaml_classes writer = {
        .arena = arena,
        .definitions = definitions,
        .defined = cs_arena_alloc(arena, (uint64_t)graph->wire_count + graph->device_count,
                                  sizeof(*writer.defined))};
    struct cs_names seen;

    cs_names_init(&seen, arena, graph->wire_count);
    cs_names_init(&writer.taken, arena, 16);
    cs_names_init(&writer.known, arena, 16);
    for (uint32_t w = 0; w < graph->wire_count; w++)
        names->wires[w] =
            class_of(&writer, &graph->wires[w], count_twins(&writer, &seen, &graph->wires[w]));
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].port)
            names->ports[d] = class_of(&writer, graph->devices[d].port, 0);
}
