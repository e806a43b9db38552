#include "topo/formats/yaml/reader.h"

#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "topo/documents/values.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ links */

/* Reads the devices at an end of a link. */
static int read_end(const struct cs_yaml_reader *reader, uint32_t link, const char *key,
                    struct cs_yaml_list *list)
{
    return cs_yaml_read_end(reader, link, key, CS_YAML_WIRES_MAX - reader->graph->wire_count, list);
}

static int yaml_join(struct cs_yaml_reader *reader, uint32_t link, struct cs_wire wire,
                     const struct cs_yaml_list *from, const struct cs_yaml_list *to)
{
    uint32_t count = from->count > to->count ? from->count : to->count;

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

    if (reader->doc->nodes[link].kind != CS_DOC_MAP)
        return 0;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        uint32_t value = cs_doc_get(reader->doc, link, keys[i]);

        if (value != CS_DOC_NONE)
            return cs_err_at(reader->err, CS_EINPUT, reader->doc->file,
                             reader->doc->nodes[value].key_line,
                             "'%s' belongs to a class; write it as 'classes: {NAME: {rate: ..., "
                             "latency: ...}}' and the link as 'class: NAME'",
                             keys[i]);
    }
    return 0;
}

/* ---- the keys of a link ---- */

struct link_entry {
    const struct cs_yaml_reader *reader;
    struct cs_wire wire;
};

static int read_link_class(const struct cs_value *as, const char *text, void *target,
                           struct cs_err *err)
{
    struct link_entry *entry = target;

    (void)as;
    return cs_yaml_find_class(entry->reader, text, &entry->wire, err);
}

/* `direction: back`: the link leads from `to` to `from` only. */
static int read_direction(const struct cs_value *as, const char *text, void *target,
                          struct cs_err *err)
{
    struct link_entry *entry = target;

    (void)as;
    entry->wire.backwards = cs_same(text, "back");
    if (entry->wire.backwards)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "'direction' is '%.40s'; expected back, for a link from 'to' to 'from' only",
                      text);
}

static const struct cs_value link_values[] = {
    {.name = "from", .is_needed = true},
    {.name = "to", .is_needed = true},
    {.name = "class", .read = read_link_class, .is_complete = true, .is_needed = true},
    {.name = "about"},
    {.name = "direction", .read = read_direction, .is_complete = true},
};

static int yaml_read_link(struct cs_yaml_reader *reader, uint32_t link)
{
    struct link_entry entry = {.reader = reader};
    struct cs_yaml_list from, to;

    if (refuse_class_keys(reader, link) ||
        cs_doc_read_values(reader->doc, link, "a link", CS_VALUES(link_values), &entry,
                           reader->err) ||
        read_end(reader, link, "from", &from) || read_end(reader, link, "to", &to))
        return CS_EINPUT;
    entry.wire.line = reader->doc->nodes[link].line;
    return yaml_join(reader, link, entry.wire, &from, &to);
}

int cs_yaml_read_links(struct cs_yaml_reader *reader, uint32_t list)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    int rc = cs_doc_want_list(reader->doc, list, "'links'", reader->err);

    for (uint32_t i = nodes[list].first; i != CS_DOC_NONE && !rc; i = nodes[i].next)
        rc = yaml_read_link(reader, i);
    return rc;
}

static int yaml_compare_wires(const void *a, const void *b, void *ctx)
{
    const struct cs_wire *wires = ctx;
    uint32_t i = *(const uint32_t *)a;
    uint32_t j = *(const uint32_t *)b;
    const struct cs_wire *x = &wires[i], *y = &wires[j];
    uint32_t x_low = x->a < x->b ? x->a : x->b;
    uint32_t y_low = y->a < y->b ? y->a : y->b;
    uint32_t x_high = x->a ^ x->b ^ x_low, y_high = y->a ^ y->b ^ y_low;
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
    const struct cs_wire *first = NULL, *again = NULL;

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof(*order), yaml_compare_wires, graph->wires);
    for (uint32_t i = 1; i < count; i++) {
        const struct cs_wire *a = &graph->wires[order[i - 1]], *b = &graph->wires[order[i]];

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
