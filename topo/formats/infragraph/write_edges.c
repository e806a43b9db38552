#include "topo/formats/infragraph/write_edges.h"

#include "sim/base/collections/vector.h"
#include "sim/base/units.h"
#include "topo/formats/writer.h"
#include "topo/formats/yaml/write_values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_TEXT = 64,
    NAME_TRIES = 16,
};

/* An edge that waits for the next: "gpu[0:4]" to "switch". */
struct row {
    const char *link;
    uint32_t a, b; /* first devices */
    uint32_t a_count, b_count;
    bool all_pairs;
};

/* ---- texts ---- */

/* Without ';' and characters that no file accepts. */
const char *cs_infragraph_plain(struct cs_infragraph_writer *writer, const char *text)
{
    struct cs_text out = {0};
    char letter[CS_WRITER_LETTER];

    while (cs_writer_letter(&text, letter))
        cs_text_add(&out, *letter == ';' ? "," : letter);
    return cs_text_keep(&out, writer->arena);
}

/* A name of letters, digits, '_' and '-', not known so far. */
const char *cs_infragraph_name_in(struct cs_infragraph_writer *writer, struct cs_names *taken,
                                  const char *text, size_t length)
{
    char *stem = cs_arena_text_n(writer->arena, text,
                                 length < CS_WRITER_NAME_MAX ? length : CS_WRITER_NAME_MAX);
    const char *name = stem;

    for (char *at = stem; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '-')
            *at = '_';
    if (!*stem)
        name = stem = cs_arena_text(writer->arena, "part");
    /* After a few tries a number that no name has, so that many equal stems
     * take linear time. */
    for (uint32_t i = 2; cs_names_add(taken, name, 0) != CS_NO_NAME; i++)
        name = cs_arena_printf(writer->arena, "%s_%u", stem,
                               i < NAME_TRIES ? i : NAME_TRIES + writer->serial++);
    return name;
}

void cs_infragraph_add_kept(struct cs_text *out, const char *key, const char *value)
{
    cs_text_printf(out, "%s%s=%s", out->length ? "; " : "", key, value);
}

const char *cs_infragraph_taken(struct cs_infragraph_writer *writer, struct cs_text *text)
{
    const char *copy = cs_arena_text(writer->arena, cs_text_str(text));

    cs_text_free(text);
    return copy;
}

/* ---- links ---- */

static void add_physical(struct cs_text *out, const struct cs_wire *wire)
{
    char rate[NUMBER_TEXT], text[NUMBER_TEXT + 8];
    const char *unit = "gigabytes_per_second";
    double back_Bps = 0;

    (void)snprintf(rate, sizeof(rate), "%.12g", wire->rate_Bps / 1e9);
    (void)snprintf(text, sizeof(text), "%s GB/s", rate);
    if (cs_units_rate(text, &back_Bps, NULL) || back_Bps != wire->rate_Bps) {
        unit = "gigabits_per_second";
        (void)snprintf(rate, sizeof(rate), "%.15f", wire->rate_Bps * 8 / 1e9);
    }
    cs_text_printf(
        out, "physical: {bandwidth: {choice: %s, %s: %s}, latency: {choice: ns, ns: %llu.%03llu}}",
        unit, unit, rate, (unsigned long long)(wire->latency_ps / 1000),
        (unsigned long long)(wire->latency_ps % 1000));
}

static const char *link_about(struct cs_infragraph_writer *writer, const struct cs_wire *wire)
{
    struct cs_text about = {0};

    cs_infragraph_add_kept(&about, "class", cs_infragraph_plain(writer, wire->class_name));
    if (wire->efficiency != 1) {
        cs_text_add(&about, "; efficiency=");
        cs_yaml_add_fraction(&about, wire->efficiency);
    }
    if (wire->duplex != CS_DUPLEX_FULL)
        cs_infragraph_add_kept(&about, "duplex", cs_duplex_name(wire->duplex));
    if (wire->backwards)
        cs_infragraph_add_kept(&about, "direction", "back");
    if (wire->source && *wire->source)
        cs_infragraph_add_kept(&about, "source", cs_infragraph_plain(writer, wire->source));
    return cs_infragraph_taken(writer, &about);
}

/* The name of a link in a scope, which describes it once. */
const char *cs_infragraph_link_in(struct cs_infragraph_writer *writer,
                                  struct cs_infragraph_scope *scope, const struct cs_wire *wire)
{
    const char *about = link_about(writer, wire);
    const char *key = cs_arena_printf(writer->arena, "%a %llu %s", wire->rate_Bps,
                                      (unsigned long long)wire->latency_ps, about);
    uint32_t known = cs_names_add(&scope->known, key, scope->count);
    const char *name;

    if (known != CS_NO_NAME)
        return scope->names[known];
    scope->names = cs_vector_room_in(writer->arena, scope->names, scope->count + 1,
                                     &scope->capacity, sizeof(*scope->names));
    name = cs_infragraph_name_in(writer, &scope->taken, wire->class_name, strlen(wire->class_name));
    scope->names[scope->count++] = name;
    cs_text_printf(&scope->links, "  - {name: \"%s\", description: ", name);
    cs_yaml_add_quoted(&scope->links, about);
    cs_text_add(&scope->links, ", ");
    add_physical(&scope->links, wire);
    cs_text_add(&scope->links, "}\n");
    return name;
}

void cs_infragraph_scope_open(struct cs_infragraph_writer *writer,
                              struct cs_infragraph_scope *scope)
{
    *scope = (struct cs_infragraph_scope){0};
    cs_names_init(&scope->known, writer->arena, CS_INFRAGRAPH_NAMES);
    cs_names_init(&scope->taken, writer->arena, CS_INFRAGRAPH_NAMES);
}

void cs_infragraph_scope_close(struct cs_infragraph_scope *scope)
{
    cs_text_free(&scope->links);
    cs_text_free(&scope->edges);
}

/* ---- edges ---- */

static void add_end(const struct cs_infragraph_writer *writer, struct cs_infragraph_scope *scope,
                    const char *key, uint32_t device, uint32_t count)
{
    const struct cs_infragraph_place *place = &writer->places[device];

    cs_text_printf(&scope->edges, "%s: {", key);
    if (scope == &writer->outer)
        cs_text_printf(&scope->edges, "instance: \"%s[%u]\", ", place->instance,
                       place->instance_index);
    if (place->count == 1)
        cs_text_printf(&scope->edges, "component: \"%s\"}", place->component);
    else if (count == 1)
        cs_text_printf(&scope->edges, "component: \"%s[%u]\"}", place->component, place->index);
    else
        cs_text_printf(&scope->edges, "component: \"%s[%u:%u]\"}", place->component, place->index,
                       place->index + count);
}

static void add_row(const struct cs_infragraph_writer *writer, struct cs_infragraph_scope *scope,
                    const struct row *row)
{
    if (!row->link)
        return;
    cs_text_add(&scope->edges, "  - {");
    add_end(writer, scope, "ep1", row->a, row->a_count);
    cs_text_add(&scope->edges, ", ");
    add_end(writer, scope, "ep2", row->b, row->b_count);
    cs_text_printf(&scope->edges, ", scheme: %s, link: \"%s\"}\n",
                   row->all_pairs ? "many2many" : "one2one", row->link);
}

/* Whether the device follows `count` devices of a component. */
static bool follows(const struct cs_infragraph_writer *writer, uint32_t first, uint32_t count,
                    uint32_t device)
{
    const struct cs_infragraph_place *a = &writer->places[first], *b = &writer->places[device];

    return a->component == b->component && a->instance == b->instance &&
           a->instance_index == b->instance_index && b->index == a->index + count;
}

/* Adds a wire to the row, which is written where the wire does not fit. */
static void extend(const struct cs_infragraph_writer *writer, struct cs_infragraph_scope *scope,
                   struct row *row, const struct cs_wire *wire, const char *link)
{
    bool same = row->link == link;
    bool a_next = same && follows(writer, row->a, row->a_count, wire->a);
    bool b_next = same && follows(writer, row->b, row->b_count, wire->b);
    bool is_new = row->a_count == 1 && row->b_count == 1;

    if (a_next && wire->b == row->b && row->b_count == 1 && (is_new || row->all_pairs)) {
        row->a_count++;
        row->all_pairs = true;
    } else if (b_next && wire->a == row->a && row->a_count == 1 && (is_new || row->all_pairs)) {
        row->b_count++;
        row->all_pairs = true;
    } else if (a_next && b_next && !row->all_pairs) {
        row->a_count++;
        row->b_count++;
    } else {
        add_row(writer, scope, row);
        *row = (struct row){link, wire->a, wire->b, 1, 1, false};
    }
}

/* A second wire of two devices passes a component of its own, because
 * InfraGraph has one edge of two components. */
static void add_twin(struct cs_infragraph_writer *writer, struct cs_infragraph_scope *scope,
                     const struct cs_wire *wire, const char *link)
{
    uint32_t twin = scope->twins++;
    const char *place =
        scope == &writer->outer
            ? cs_arena_printf(writer->arena,
                              "{instance: \"" CS_INFRAGRAPH_TWIN
                              "[%u]\", component: " CS_INFRAGRAPH_TWIN "}",
                              twin)
            : cs_arena_printf(writer->arena, "{component: \"" CS_INFRAGRAPH_TWIN "[%u]\"}", twin);

    cs_text_add(&scope->edges, "  - {");
    add_end(writer, scope, "ep1", wire->a, 1);
    cs_text_printf(&scope->edges, ", ep2: %s, scheme: one2one, link: \"%s\"}\n  - {ep1: %s, ",
                   place, link, place);
    add_end(writer, scope, "ep2", wire->b, 1);
    cs_text_printf(&scope->edges, ", scheme: one2one, link: \"%s\"}\n", link);
}

static bool is_twin(struct cs_infragraph_writer *writer, const struct cs_wire *wire)
{
    uint32_t low = wire->a < wire->b ? wire->a : wire->b;

    return cs_names_add(&writer->pairs,
                        cs_arena_printf(writer->arena, "%u %u", low, wire->a ^ wire->b ^ low),
                        0) != CS_NO_NAME;
}

static int compare_parts(const void *a, const void *b)
{
    const struct cs_infragraph_part *x = a, *y = b;

    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

void cs_infragraph_order_parts(struct cs_infragraph_writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    writer->host_devices =
        cs_arena_alloc(writer->arena, graph->device_count, sizeof(*writer->host_devices));
    writer->host_wires =
        cs_arena_alloc(writer->arena, graph->wire_count, sizeof(*writer->host_wires));
    for (uint32_t d = 0; d < graph->device_count; d++)
        writer->host_devices[d] = (struct cs_infragraph_part){graph->devices[d].host, d};
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        uint32_t a = graph->devices[graph->wires[w].a].host;
        uint32_t b = graph->devices[graph->wires[w].b].host;

        writer->host_wires[w] = (struct cs_infragraph_part){a == b ? a : CS_NO_HOST, w};
    }
    if (graph->device_count)
        qsort(writer->host_devices, graph->device_count, sizeof(*writer->host_devices),
              compare_parts);
    if (graph->wire_count)
        qsort(writer->host_wires, graph->wire_count, sizeof(*writer->host_wires), compare_parts);
}

uint32_t cs_infragraph_parts_of(const struct cs_infragraph_part *parts, uint32_t count,
                                uint32_t host)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (parts[middle].host < host)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cs_infragraph_add_edges(struct cs_infragraph_writer *writer, struct cs_infragraph_scope *scope,
                             uint32_t host)
{
    const struct cs_graph *graph = writer->graph;
    struct row row = {0};

    for (uint32_t i = cs_infragraph_parts_of(writer->host_wires, graph->wire_count, host);
         i < graph->wire_count && writer->host_wires[i].host == host; i++) {
        const struct cs_wire *wire = &graph->wires[writer->host_wires[i].number];
        const char *link = cs_infragraph_link_in(writer, scope, wire);

        if (is_twin(writer, wire)) {
            add_row(writer, scope, &row);
            row = (struct row){0};
            add_twin(writer, scope, wire, link);
        } else {
            extend(writer, scope, &row, wire, link);
        }
    }
    add_row(writer, scope, &row);
}
