#include "topo/formats/yaml/reader.h"

#include "sim/base/units.h"
#include "topo/documents/doc.h"
#include "topo/documents/values.h"
#include "topo/graph/route.h"

#include <string.h>

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
