#include "topo/formats/infragraph/reader.h"

#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

/* Lists of leaves that an edge joins, and how. */
struct edge_reader {
    struct cs_infragraph_reader *reader;
    struct cs_infragraph_edges *into;
    uint32_t node, link;
    bool all_pairs;
};

static int add_edge(const struct edge_reader *edge, uint32_t a, uint32_t b)
{
    struct cs_infragraph_edges *into = edge->into;

    if (a == b)
        return 0;
    if (into->count >= CS_INFRAGRAPH_EDGES_MAX)
        return cs_doc_err(edge->reader->doc, edge->node, edge->reader->err, "over %d edges",
                          CS_INFRAGRAPH_EDGES_MAX);
    into->at = cs_vector_room(into->at, into->count + 1, &into->capacity, sizeof(*into->at));
    into->at[into->count++] = (struct cs_infragraph_edge){a, b, edge->node, edge->link};
    return 0;
}

static int join(const struct edge_reader *edge)
{
    struct cs_infragraph_reader *reader = edge->reader;
    const struct cs_infragraph_leaves *a = &reader->ends[0], *b = &reader->ends[1];
    uint32_t pairs = a->count < b->count ? a->count : b->count;
    int rc = 0;

    if (edge->all_pairs) {
        for (uint32_t i = 0; i < a->count && !rc; i++)
            for (uint32_t j = 0; j < b->count && !rc; j++)
                rc = add_edge(edge, a->at[i], b->at[j]);
        return rc;
    }
    if (a->count != b->count)
        cs_graph_note(reader->graph,
                      "line %u joins %u components one to one with %u: the rest have no edge, as "
                      "in InfraGraph",
                      reader->doc->nodes[edge->node].line, a->count, b->count);
    for (uint32_t i = 0; i < pairs && !rc; i++)
        rc = add_edge(edge, a->at[i], b->at[i]);
    return rc;
}

/* The value of a key, which has to be there. */
static int want(const struct cs_infragraph_reader *reader, uint32_t node, const char *key,
                const char **text)
{
    uint32_t value;
    int rc = cs_doc_need(reader->doc, node, key, &value, reader->err);

    return rc ? rc : cs_doc_want_text(reader->doc, value, key, text, reader->err);
}

static int read_scheme(struct edge_reader *edge)
{
    static const char *const names[] = {"one2one", "many2many", "ring"};
    const struct cs_doc *doc = edge->reader->doc;
    const char *text = "";
    int rc = want(edge->reader, edge->node, "scheme", &text);

    if (rc)
        return rc;
    edge->all_pairs = cs_same(text, names[1]);
    if (edge->all_pairs || cs_same(text, names[0]))
        return 0;
    if (cs_same(text, names[2]))
        return cs_doc_err(
            doc, edge->node, edge->reader->err,
            "scheme ring: InfraGraph 3.1 does not define its edges; expected one2one or many2many");
    return cs_doc_err(doc, edge->node, edge->reader->err, "no scheme called '%.40s'%s", text,
                      cs_hint_all(text, names, 3).text);
}

int cs_infragraph_find_link(const struct cs_infragraph_reader *reader, uint32_t node,
                            const char *name, uint32_t owner, const char *of, uint32_t *link)
{
    const struct cs_doc *doc = reader->doc;
    uint32_t list = cs_doc_get(doc, owner, "links");

    *link = CS_DOC_NONE;
    if (list != CS_DOC_NONE && cs_doc_want_list(doc, list, "'links'", reader->err))
        return CS_EINPUT;
    for (uint32_t i = list == CS_DOC_NONE ? list : doc->nodes[list].first; i != CS_DOC_NONE;
         i = doc->nodes[i].next) {
        const char *has = cs_doc_text_or(doc, i, "name", NULL);

        if (has && cs_same(has, name))
            *link = i;
    }
    if (*link == CS_DOC_NONE)
        return cs_doc_err(doc, node, reader->err, "no link called '%.40s' in the 'links' of the %s",
                          name, of);
    return 0;
}

static int end_of(struct edge_reader *edge, const char *key, uint32_t *node)
{
    const struct cs_infragraph_reader *reader = edge->reader;
    int rc = cs_doc_need(reader->doc, edge->node, key, node, reader->err);

    return rc ? rc : cs_doc_want_map(reader->doc, *node, key, reader->err);
}

/* {device: cx7[0:8], component: port[0]} of an edge of a device. */
static int read_inner_end(struct edge_reader *edge, uint32_t device, int side)
{
    struct cs_infragraph_reader *reader = edge->reader;
    const char *text = "", *prefix;
    uint32_t node;

    if (end_of(edge, side ? "ep2" : "ep1", &node) || want(reader, node, "component", &text))
        return CS_EINPUT;
    prefix = cs_doc_text_or(reader->doc, node, "device", "");
    if (*prefix)
        text = cs_arena_printf(reader->graph->arena, "%s.%s", prefix, text);
    return cs_infragraph_expand(reader, device, node, text, &reader->ends[side]);
}

static const struct cs_infragraph_instance *instance_called(
    const struct cs_infragraph_reader *reader, const char *name)
{
    for (uint32_t i = 0; i < reader->instance_count; i++)
        if (cs_same(reader->instances[i].name, name))
            return &reader->instances[i];
    return NULL;
}

/* {instance: server[0:2], component: cx7[0]} of the infrastructure. */
static int read_outer_end(struct edge_reader *edge, int side)
{
    struct cs_infragraph_reader *reader = edge->reader;
    struct cs_infragraph_leaves *leaves = &reader->ends[side], hosts = {0};
    const struct cs_infragraph_instance *instance;
    const char *text = "", *component = "";
    uint32_t node, count;
    int rc;

    if (end_of(edge, side ? "ep2" : "ep1", &node) || want(reader, node, "instance", &text) ||
        want(reader, node, "component", &component))
        return CS_EINPUT;
    instance =
        instance_called(reader, cs_arena_text_n(reader->graph->arena, text, strcspn(text, "[")));
    if (!instance)
        return cs_doc_err(reader->doc, node, reader->err,
                          "no instance called '%.40s' in 'instances'", text);
    rc = cs_infragraph_slice(reader, node, text, instance->count, &hosts);
    if (!rc)
        rc = cs_infragraph_expand(reader, instance->device, node, component, leaves);
    count = leaves->count;
    if (!rc && (uint64_t)count * hosts.count > CS_INFRAGRAPH_LEAVES_MAX)
        rc = cs_doc_err(reader->doc, node, reader->err, "an endpoint of over %d components",
                        CS_INFRAGRAPH_LEAVES_MAX);
    if (!rc) {
        leaves->at = cs_vector_room(leaves->at, count * (hosts.count ? hosts.count : 1),
                                    &leaves->capacity, sizeof(*leaves->at));
        for (uint32_t h = hosts.count; h-- > 0;)
            for (uint32_t i = 0; i < count; i++)
                leaves->at[h * count + i] = leaves->at[i] + instance->first +
                                            hosts.at[h] * reader->devices[instance->device].leaves;
        leaves->count = count * hosts.count;
    }
    free(hosts.at);
    return rc;
}

/* Reads the edges of a device, or (CS_DOC_NONE) of the infrastructure. */
static int read_list(struct cs_infragraph_reader *reader, uint32_t device)
{
    const struct cs_doc *doc = reader->doc;
    bool is_outer = device == CS_DOC_NONE;
    uint32_t owner = is_outer ? reader->root : reader->devices[device].node;
    uint32_t list = cs_doc_get(doc, owner, "edges");
    struct edge_reader edge = {.reader = reader,
                               .into = is_outer ? &reader->edges : &reader->devices[device].edges};

    if (list == CS_DOC_NONE)
        return 0;
    if (cs_doc_want_list(doc, list, "'edges'", reader->err))
        return CS_EINPUT;
    for (uint32_t i = doc->nodes[list].first; i != CS_DOC_NONE; i = doc->nodes[i].next) {
        const char *link;

        edge.node = i;
        if (cs_doc_want_map(doc, i, "an edge", reader->err) || read_scheme(&edge) ||
            want(reader, i, "link", &link) ||
            cs_infragraph_find_link(reader, i, link, owner,
                                    is_outer ? "same infrastructure" : "same device", &edge.link))
            return CS_EINPUT;
        for (int side = 0; side < 2; side++)
            if (is_outer ? read_outer_end(&edge, side) : read_inner_end(&edge, device, side))
                return CS_EINPUT;
        if (join(&edge))
            return CS_EINPUT;
    }
    return 0;
}

static int add_device_edges(struct cs_infragraph_reader *reader, uint32_t device, uint32_t first)
{
    const struct cs_infragraph_device *of = &reader->devices[device];
    int rc = 0;

    for (uint32_t e = 0; e < of->edges.count && !rc; e++)
        rc = add_edge(&(struct edge_reader){.reader = reader,
                                            .into = &reader->edges,
                                            .node = of->edges.at[e].node,
                                            .link = of->edges.at[e].link},
                      first + of->edges.at[e].a, first + of->edges.at[e].b);
    return rc;
}

/* A device whose inner devices are being visited. */
struct edge_visit {
    uint32_t device, first;
    uint32_t component, index;
};

/* The edges of a device and of its inner devices, from a leaf on. */
static int add_edges(struct cs_infragraph_reader *reader, uint32_t device, uint32_t first)
{
    struct edge_visit stack[CS_INFRAGRAPH_NESTING_MAX + 1] = {{.device = device, .first = first}};
    uint32_t depth = 1;
    int rc = add_device_edges(reader, device, first);

    while (depth && !rc) {
        struct edge_visit *top = &stack[depth - 1];
        const struct cs_infragraph_device *of = &reader->devices[top->device];
        const struct cs_infragraph_component *component = &of->components[top->component];
        struct edge_visit next = {0};

        if (top->component == of->count) {
            depth--;
            continue;
        }
        if (component->device == CS_DOC_NONE || top->index == component->count) {
            top->component++;
            top->index = 0;
            continue;
        }
        next.device = component->device;
        next.first = top->first + component->first + top->index * component->each;
        top->index++;
        rc = add_device_edges(reader, next.device, next.first);
        stack[depth++] = next;
    }
    return rc;
}

int cs_infragraph_read_edges(struct cs_infragraph_reader *reader)
{
    int rc = 0;

    for (uint32_t d = 0; d < reader->device_count && !rc; d++)
        rc = read_list(reader, d);
    for (uint32_t i = 0; i < reader->instance_count && !rc; i++)
        for (uint32_t n = 0; n < reader->instances[i].count && !rc; n++)
            rc = add_edges(reader, reader->instances[i].device,
                           reader->instances[i].first +
                               n * reader->devices[reader->instances[i].device].leaves);
    return rc ? rc : read_list(reader, CS_DOC_NONE);
}
