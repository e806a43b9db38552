#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/formats/yaml/reader.h"
#include "topo/graph/route.h"
#include "topo/kinds/link_kind.h"

#include <string.h>

/* ---- classes ---- */

static int yaml_read_duplex(const struct cs_value *as, const char *text, void *member,
                            struct cs_err *err)
{
    enum cs_duplex *duplex = member;

    (void)as;
    for (unsigned i = 0; i < CS_DUPLEX_KINDS; i++) {
        *duplex = (enum cs_duplex)i;
        if (cs_same(text, cs_duplex_name(*duplex)))
            return 0;
    }
    return cs_err_set(err, CS_EINPUT, "'duplex: %s' is not one of full, half, bus", text);
}

static int yaml_read_network(const struct cs_value *as, const char *text, void *member,
                             struct cs_err *err)
{
    enum cs_network_id network;
    int code = cs_network_find(text, &network, err);

    (void)as;
    *(uint8_t *)member = (uint8_t)network;
    return code;
}

#define VALUE(name, form, member, ...) CS_VALUE(name, form, struct cs_wire, member, __VA_ARGS__)

static const struct cs_value class_values[] = {
    VALUE("rate", cs_value_rate, rate_Bps, .is_needed = true),
    VALUE("latency", cs_value_time, latency_ps, .is_needed = true),
    VALUE("efficiency", cs_value_fraction, efficiency),
    VALUE("duplex", yaml_read_duplex, duplex, .is_complete = true),
    VALUE("network", yaml_read_network, network, .is_complete = true),
    VALUE("source", cs_value_text, source),
    {.name = "about"},
};

static int read_class(struct cs_yaml_reader *reader, uint32_t node, struct cs_yaml_class *own)
{
    const struct cs_doc *doc = reader->doc;

    own->name = doc->nodes[node].key;
    own->numbers = (struct cs_wire){.efficiency = 1, .source = doc->file};
    cs_link_kind_belong(own->name, &own->numbers);
    if (cs_yaml_check_name(reader, node, false) ||
        cs_doc_read_values(doc, node, "a class", CS_VALUES(class_values), &own->numbers,
                           reader->err))
        return CS_EINPUT;
    if (cs_link_kind_get(own->name))
        return cs_err_at(reader->err, CS_EINPUT, doc->file, doc->nodes[node].key_line,
                         "'%s' is a built-in class; choose another name", own->name);
    return 0;
}

int cs_yaml_read_classes(struct cs_yaml_reader *reader, uint32_t map)
{
    const struct cs_doc_node *nodes = reader->doc->nodes;
    int rc = cs_doc_want_map(reader->doc, map, "'classes'", reader->err);

    reader->classes =
        cs_arena_alloc(reader->graph->arena, nodes[map].count, sizeof(*reader->classes));
    for (uint32_t i = nodes[map].first; i != CS_DOC_NONE && !rc; i = nodes[i].next)
        rc = read_class(reader, i, &reader->classes[reader->class_count++]);
    return rc;
}

static int no_such_class(const struct cs_yaml_reader *reader, const char *name, struct cs_err *err)
{
    size_t count = reader->class_count + cs_link_kind_count;
    const char **names = cs_arena_alloc(reader->graph->arena, count, sizeof(*names));

    for (uint32_t i = 0; i < reader->class_count; i++)
        names[i] = reader->classes[i].name;
    for (size_t i = 0; i < cs_link_kind_count; i++)
        names[reader->class_count + i] = cs_link_kinds[i].name;
    return cs_err_set(
        err, CS_EINPUT, "no link class called '%s'%s", name,
        cs_hint(name, names, count, "'collsim list links' shows all, 'classes' defines more").text);
}

int cs_yaml_find_class(const struct cs_yaml_reader *reader, const char *text, struct cs_wire *wire,
                       struct cs_err *err)
{
    struct cs_link_class cut;
    const struct cs_link_kind *kind;

    if (cs_link_class_cut(text, &cut, err))
        return CS_EINPUT;
    kind = cs_link_kind_get(cut.name);
    if (kind && cs_link_kind_apply(kind, &cut, wire, err))
        return CS_EINPUT;
    if (!kind) {
        uint32_t i = 0;

        while (i < reader->class_count && !cs_same(reader->classes[i].name, cut.name))
            i++;
        if (i == reader->class_count)
            return no_such_class(reader, cut.name, err);
        if (*cut.option)
            return cs_err_set(err, CS_EINPUT,
                              "class '%s' takes no '%s'; define the efficiency instead", cut.name,
                              cut.option);
        *wire = reader->classes[i].numbers;
        wire->rate_Bps *= cut.width ? cut.width : 1;
    }
    wire->class_name = cs_link_class_text(&cut, reader->graph->arena);
    return 0;
}

/* ---- links ---- */

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
    uint32_t room = CS_YAML_WIRES_MAX - reader->graph->wire_count;

    if (refuse_class_keys(reader, link) ||
        cs_doc_read_values(reader->doc, link, "a link", CS_VALUES(link_values), &entry,
                           reader->err) ||
        cs_yaml_read_end(reader, link, "from", room, &from) ||
        cs_yaml_read_end(reader, link, "to", room, &to))
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

int cs_yaml_check_twice(const struct cs_yaml_reader *reader)
{
    const struct cs_graph *graph = reader->graph;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_names seen;
    uint32_t first = CS_NO_NAME, again = 0;

    cs_names_init(&seen, &scratch, graph->wire_count);
    for (; again < graph->wire_count; again++) {
        const struct cs_wire *wire = &graph->wires[again];
        uint32_t low = wire->a < wire->b ? wire->a : wire->b;

        first = cs_names_add(
            &seen,
            cs_arena_printf(&scratch, "%u %u %s", low, wire->a ^ wire->b ^ low, wire->class_name),
            again);
        if (first != CS_NO_NAME)
            break;
    }
    if (first == CS_NO_NAME)
        return 0;
    return cs_err_at(reader->err, CS_EINPUT, reader->doc->file, graph->wires[again].line,
                     "'%s' and '%s' are already linked by '%s' in line %u; write one link with the "
                     "sum of the widths",
                     graph->devices[graph->wires[again].a].name,
                     graph->devices[graph->wires[again].b].name, graph->wires[again].class_name,
                     graph->wires[first].line);
}

/* ---- routes ---- */

struct routes_reader {
    struct cs_yaml_reader *reader;
    struct cs_route_links links;
    struct cs_given_routes *routes;
    bool *met;     /* by device, of a path */
    uint32_t *nth; /* by link of a path; NULL: the cheapest */
};

/* ---- one route ---- */

/* The devices of a path from `src` to `dst`, in order. */
static uint32_t routes_path(const struct cs_yaml_list *over, uint32_t src, uint32_t dst,
                            uint32_t *path)
{
    path[0] = src;
    if (over->count)
        memcpy(path + 1, over->items, over->count * sizeof(*path));
    path[over->count + 1] = dst;
    return over->count + 2;
}

static int routes_check(struct routes_reader *routes, uint32_t node, const uint32_t *path,
                        uint32_t count)
{
    const struct cs_yaml_reader *reader = routes->reader;
    const char *twice = NULL;

    for (uint32_t i = 0; i < count; i++) {
        if (routes->met[path[i]])
            twice = reader->graph->devices[path[i]].name;
        routes->met[path[i]] = true;
    }
    for (uint32_t i = 0; i < count; i++)
        routes->met[path[i]] = false;
    return twice ? cs_doc_err(reader->doc, node, reader->err,
                              "a route passes '%s' twice; expected each device once", twice)
                 : 0;
}

static int routes_add(struct routes_reader *routes, uint32_t node, const uint32_t *path,
                      uint32_t count)
{
    const struct cs_yaml_reader *reader = routes->reader;
    const struct cs_graph *graph = reader->graph;
    uint32_t *links = cs_arena_alloc(graph->arena, count, sizeof(*links));
    struct cs_given_route route = {.src = path[0], .dst = path[count - 1], .links = links};
    int code = routes_check(routes, node, path, count);

    for (uint32_t i = 1; i < count && !code; i++) {
        uint32_t link = routes->nth ? cs_route_link_nth(&routes->links, path[i - 1], path[i],
                                                        routes->nth[i - 1])
                                    : cs_route_link(&routes->links, path[i - 1], path[i]);

        if (link == UINT32_MAX)
            code =
                cs_doc_err(reader->doc, node, reader->err,
                           "a route leads from '%s' to '%s', which no %s joins in that direction",
                           graph->devices[path[i - 1]].name, graph->devices[path[i]].name,
                           routes->nth ? "such link" : "link");
        else if (!cs_graph_link_is_free(graph, link))
            links[route.hops++] = link;
    }
    if (!code)
        cs_given_routes_add(routes->routes, route, graph->arena);
    return code;
}

/* `nth: [0, 1, 0]`: which of several links between two devices, for each link. */
static int routes_read_nth(struct routes_reader *routes, uint32_t route, uint32_t count)
{
    const struct cs_yaml_reader *reader = routes->reader;
    uint32_t list = cs_doc_get(reader->doc, route, "nth");
    uint32_t at = 0;
    int code;

    routes->nth = NULL;
    if (list == CS_DOC_NONE)
        return 0;
    code = cs_doc_want_list(reader->doc, list, "'nth'", reader->err);
    if (!code && reader->doc->nodes[list].count != count)
        code = cs_doc_err(reader->doc, list, reader->err,
                          "'nth' has %u numbers; expected one for each of the %u links",
                          reader->doc->nodes[list].count, count);
    if (code)
        return code;
    routes->nth = cs_arena_alloc(reader->graph->arena, count, sizeof(*routes->nth));
    for (uint32_t i = reader->doc->nodes[list].first; i != CS_DOC_NONE && !code;
         i = reader->doc->nodes[i].next) {
        struct cs_err why = {0};
        const char *text;
        uint64_t number = 0;

        code = cs_doc_want_text(reader->doc, i, "'nth'", &text, reader->err);
        if (!code && cs_units_count(text, 0, CS_YAML_WIRES_MAX, &number, &why))
            code = cs_doc_err(reader->doc, i, reader->err, "'nth': %s", why.text);
        routes->nth[at++] = (uint32_t)number;
    }
    return code;
}

static const struct cs_value route_values[] = {
    {.name = "from", .is_needed = true},
    {.name = "to", .is_needed = true},
    {.name = "over"},
    {.name = "nth"},
};

/* From every device of `from` to every one of `to`. */
static int routes_read_route(struct routes_reader *routes, uint32_t node)
{
    const struct cs_yaml_reader *reader = routes->reader;
    struct cs_yaml_list from = {0}, to = {0}, over = {0};
    uint32_t *path;
    int code = cs_doc_read_values(reader->doc, node, "a route", CS_VALUES(route_values), NULL,
                                  reader->err);

    if (!code)
        code = cs_yaml_read_end(reader, node, "from", CS_YAML_ROUTES_MAX, &from);
    if (!code)
        code = cs_yaml_read_end(reader, node, "to", CS_YAML_ROUTES_MAX, &to);
    if (!code && cs_doc_get(reader->doc, node, "over") != CS_DOC_NONE)
        code = cs_yaml_read_end(reader, node, "over", CS_YAML_ROUTES_MAX, &over);
    if (!code)
        code = routes_read_nth(routes, node, over.count + 1);
    if (code)
        return code;
    if ((uint64_t)from.count * to.count + routes->routes->count > CS_YAML_ROUTES_MAX)
        return cs_doc_err(reader->doc, node, reader->err, "over %d routes in one machine",
                          CS_YAML_ROUTES_MAX);
    path = cs_arena_alloc(reader->graph->arena, (size_t)over.count + 2, sizeof(*path));
    for (uint32_t i = 0; i < from.count && !code; i++)
        for (uint32_t k = 0; k < to.count && !code; k++)
            code = routes_add(routes, node, path,
                              routes_path(&over, from.items[i], to.items[k], path));
    return code;
}

int cs_yaml_read_routes(struct cs_yaml_reader *reader, uint32_t list)
{
    struct cs_graph *graph = reader->graph;
    struct routes_reader routes = {
        .reader = reader,
        .links = cs_route_links_of(graph, graph->arena),
        .routes = cs_arena_alloc(graph->arena, 1, sizeof(*routes.routes)),
        .met = cs_arena_alloc(graph->arena, graph->device_count, sizeof(*routes.met))};
    const struct cs_given_route *twice;
    int code = cs_doc_want_list(reader->doc, list, "'routes'", reader->err);

    if (code)
        return code;
    for (uint32_t i = reader->doc->nodes[list].first; i != CS_DOC_NONE && !code;
         i = reader->doc->nodes[i].next)
        code = routes_read_route(&routes, i);
    if (code)
        return code;
    twice = cs_given_routes_seal(routes.routes);
    if (twice)
        return cs_doc_err(reader->doc, list, reader->err, "two routes from '%s' to '%s'",
                          graph->devices[twice->src].name, graph->devices[twice->dst].name);
    graph->given_routes = routes.routes;
    return 0;
}
