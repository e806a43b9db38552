#include "topo/formats/yaml/links.h"

#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/formats/yaml/classes.h"
#include "topo/formats/yaml/device_names.h"
#include "topo/formats/yaml/limits.h"
#include "topo/formats/yaml/reader.h"
#include "topo/graph/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ links */

/* Reads the devices at an end of a link. */
static int read_end(const struct cs_yaml_reader *reader, uint32_t link, const char *key,
                    struct cs_yaml_list *list)
{
    uint32_t left = CS_YAML_WIRES_MAX - reader->graph->wire_count;
    uint32_t node = cs_doc_get(reader->doc, link, key);
    struct cs_yaml_sets sets;
    int rc;

    if (node == CS_DOC_NONE)
        return cs_doc_err(reader->doc, link, reader->err, "a link has no '%s'", key);
    rc = cs_yaml_read_sets(reader, node, cs_same(key, "to") ? "'to'" : "'from'", left, &sets);
    *list = (struct cs_yaml_list){0};
    if (rc)
        return rc;
    list->items = cs_arena_alloc(cs_yaml_arena(reader), sets.names, sizeof(*list->items));
    for (uint32_t i = 0; i < sets.count && !rc; i++)
        rc = cs_yaml_append_set(reader, sets.nodes[i], &sets.sets[i], list);
    return rc;
}

static int yaml_join(struct cs_yaml_reader *reader, uint32_t link, struct cs_wire wire,
                     const struct cs_yaml_list *from, const struct cs_yaml_list *to)
{
    uint32_t count = from->count > to->count ? from->count : to->count;

    assert(from->items && to->items);
    if (from->count != to->count && from->count != 1 && to->count != 1)
        return cs_doc_err(reader->doc, link, reader->err,
                          "'from' names %u devices and 'to' %u; expected equal numbers, or one "
                          "device on one side",
                          from->count, to->count);
    if (count > CS_YAML_WIRES_MAX - reader->graph->wire_count)
        return cs_doc_err(reader->doc, link, reader->err, "over %d links in one machine",
                          CS_YAML_WIRES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        wire.a = from->items[from->count == 1 ? 0 : i];
        wire.b = to->items[to->count == 1 ? 0 : i];
        if (wire.a == wire.b)
            return cs_doc_err(reader->doc, link, reader->err, "'%s' is linked to itself",
                              cs_yaml_local_name(reader, wire.a));
        (void)cs_graph_add_wire(reader->graph, wire);
    }
    return 0;
}

/* A frequent error: rate or latency in a link instead of a class. */
static int refuse_class_keys(const struct cs_yaml_reader *reader, uint32_t link)
{
    static const char *const keys[] = {"rate", "latency", "efficiency", "duplex"};

    if (cs_yaml_at(reader, link)->kind != CS_DOC_MAP)
        return 0;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        uint32_t value = cs_doc_get(reader->doc, link, keys[i]);

        if (value != CS_DOC_NONE)
            return cs_err_at(reader->err, CS_EINPUT, reader->doc->file,
                             cs_yaml_at(reader, value)->key_line,
                             "'%s' belongs to a class; write it as 'classes: {NAME: {rate: ..., "
                             "latency: ...}}' and the link as 'class: NAME'",
                             keys[i]);
    }
    return 0;
}

/* `direction: back`: the link leads from `to` to `from` only. */
static int yaml_read_direction(const struct cs_yaml_reader *reader, uint32_t link, bool *back)
{
    uint32_t direction = cs_doc_get(reader->doc, link, "direction");
    const char *text;

    *back = direction != CS_DOC_NONE;
    if (!*back)
        return 0;
    if (cs_doc_want_text(reader->doc, direction, "'direction'", &text, reader->err))
        return CS_EINPUT;
    if (cs_same(text, "back"))
        return 0;
    return cs_doc_err(reader->doc, direction, reader->err,
                      "'direction' is '%.40s'; expected back, for a link from 'to' to 'from' only",
                      text);
}

static int yaml_read_link(struct cs_yaml_reader *reader, uint32_t link)
{
    static const char *const keys[] = {"from", "to", "class", "about", "direction", NULL};
    uint32_t link_class;
    struct cs_wire wire = {0};
    struct cs_yaml_list from = {0};
    struct cs_yaml_list to = {0};
    int rc = refuse_class_keys(reader, link);

    if (!rc)
        rc = cs_doc_want_keys(reader->doc, link, "a link", keys, reader->err);
    if (rc)
        return rc;
    link_class = cs_doc_get(reader->doc, link, "class");
    if (link_class == CS_DOC_NONE)
        return cs_doc_err(reader->doc, link, reader->err, "a link has no 'class'");
    rc = cs_yaml_read_link_class(reader, link_class, &wire);
    wire.line = cs_yaml_at(reader, link)->line;
    if (!rc)
        rc = yaml_read_direction(reader, link, &wire.backwards);
    if (!rc)
        rc = read_end(reader, link, "from", &from);
    if (!rc)
        rc = read_end(reader, link, "to", &to);
    if (!rc)
        rc = yaml_join(reader, link, wire, &from, &to);
    return rc;
}

int cs_yaml_read_links(struct cs_yaml_reader *reader, uint32_t list)
{
    int rc = cs_doc_want_list(reader->doc, list, "'links'", reader->err);

    if (rc)
        return rc;
    for (uint32_t i = cs_yaml_at(reader, list)->first; i != CS_DOC_NONE;
         i = cs_yaml_at(reader, i)->next) {
        rc = yaml_read_link(reader, i);
        if (rc)
            return rc;
    }
    return 0;
}

static int yaml_compare_wires(const void *a, const void *b, void *ctx)
{
    const struct cs_wire *wires = ctx;
    uint32_t i = *(const uint32_t *)a;
    uint32_t j = *(const uint32_t *)b;
    const struct cs_wire *x = &wires[i];
    const struct cs_wire *y = &wires[j];
    uint32_t x_low = x->a < x->b ? x->a : x->b;
    uint32_t y_low = y->a < y->b ? y->a : y->b;
    uint32_t x_high = x->a ^ x->b ^ x_low;
    uint32_t y_high = y->a ^ y->b ^ y_low;
    int order;

    if (x_low != y_low)
        return x_low < y_low ? -1 : 1;
    if (x_high != y_high)
        return x_high < y_high ? -1 : 1;
    order = strcmp(x->class_name, y->class_name);
    return order ? order : (i > j) - (i < j);
}

static bool is_same_wire(const struct cs_wire *x, const struct cs_wire *y)
{
    return ((x->a == y->a && x->b == y->b) || (x->a == y->b && x->b == y->a)) &&
           cs_same(x->class_name, y->class_name);
}

int cs_yaml_check_twice(const struct cs_yaml_reader *reader)
{
    const struct cs_graph *graph = reader->graph;
    uint32_t count = graph->wire_count;
    uint32_t *order = cs_grow(NULL, (size_t)count + 1, sizeof(*order));
    const struct cs_wire *first = NULL;
    const struct cs_wire *again = NULL;

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof(*order), yaml_compare_wires, graph->wires);
    for (uint32_t i = 1; i < count; i++) {
        const struct cs_wire *a = &graph->wires[order[i - 1]];
        const struct cs_wire *b = &graph->wires[order[i]];

        if (is_same_wire(a, b) && (!again || b < again)) {
            first = a;
            again = b;
        }
    }
    free(order);
    if (!again)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file, again->line,
                     "'%s' and '%s' are already linked by '%s' in line %u; write one link with the "
                     "sum of the widths",
                     graph->devices[again->a].name, graph->devices[again->b].name,
                     again->class_name, first->line);
}
