#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "topo/formats/infragraph/reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- endpoints ---- */

enum {
    BOUND_DIGITS = 9,
    SLICE_PARTS = 3, /* start, stop, step */
};

static int infragraph_add_leaf(struct cs_infra_reader *reader, uint32_t node,
                               struct cs_infra_leaves *leaves, uint64_t leaf)
{
    if (leaves->count >= CS_INFRA_LEAVES_MAX)
        return cs_doc_err(reader->doc, node, reader->err, "an endpoint of over %d components",
                          CS_INFRA_LEAVES_MAX);
    *CS_VECTOR_NEXT(leaves->at, leaves->count, leaves->capacity) = (uint32_t)leaf;
    return 0;
}

/* A whole number up to ':' or ']', or none. */
static bool read_bound(const char **text, long *bound, bool *is_given)
{
    const char *digits = *text + (**text == '-');
    size_t count = strspn(digits, "0123456789");

    *is_given = count > 0;
    if (count > BOUND_DIGITS || (digits > *text && count == 0))
        return false;
    *bound = count ? strtol(*text, NULL, 10) : 0;
    *text = digits + count;
    return **text == ':' || **text == ']';
}

/* A bound as Python has it: negative ones count from the end. */
static long clip(long bound, long count, long low, long high)
{
    if (bound < 0)
        bound += count;
    return bound < low ? low : bound > high ? high : bound;
}

static int slice_err(struct cs_infra_reader *reader, uint32_t node, const char *text)
{
    return cs_doc_err(reader->doc, node, reader->err,
                      "'%.60s' is no slice; expected NAME[3], NAME[0:4], NAME[0:8:2] or NAME",
                      text);
}

static int add_range(struct cs_infra_reader *reader, uint32_t node, const long bounds[SLICE_PARTS],
                     const bool given[SLICE_PARTS], long count, struct cs_infra_leaves *indices)
{
    long step = given[2] ? bounds[2] : 1;
    long low = step > 0 ? 0 : -1;
    long high = step > 0 ? count : count - 1;
    long start = given[0] ? clip(bounds[0], count, low, high) : (step > 0 ? low : high);
    long stop = given[1] ? clip(bounds[1], count, low, high) : (step > 0 ? high : low);
    int rc = 0;

    if (step == 0)
        return cs_doc_err(reader->doc, node, reader->err,
                          "the step of a slice is 0; expected another number");
    for (long i = start; !rc && (step > 0 ? i < stop : i > stop); i += step)
        rc = infragraph_add_leaf(reader, node, indices, (uint64_t)i);
    return rc;
}

/* The indices of "[1:4]" behind a name, by the rules of slices of Python;
 * without brackets all. */
static int read_slice(struct cs_infra_reader *reader, uint32_t node, const char *text,
                      uint32_t count, struct cs_infra_leaves *indices)
{
    const char *at = strchr(text, '[');
    long bounds[SLICE_PARTS] = {0};
    bool given[SLICE_PARTS] = {false};
    int parts = 0;

    indices->count = 0;
    if (!at || at[1] == ']')
        return add_range(reader, node, bounds, given, count, indices);
    do {
        at++;
        if (parts == SLICE_PARTS || !read_bound(&at, &bounds[parts], &given[parts]))
            return slice_err(reader, node, text);
        parts++;
    } while (*at == ':');
    if (at[1])
        return slice_err(reader, node, text);
    if (parts > 1)
        return add_range(reader, node, bounds, given, count, indices);
    if (bounds[0] < 0)
        bounds[0] += count;
    if (bounds[0] < 0 || bounds[0] >= (long)count)
        return cs_doc_err(reader->doc, node, reader->err, "'%.60s' is outside: there are %u", text,
                          count);
    return infragraph_add_leaf(reader, node, indices, (uint64_t)bounds[0]);
}

static int no_component(struct cs_infra_reader *reader, uint32_t node,
                        const struct cs_infra_device *device, const char *name)
{
    const char **names = cs_arena_alloc(reader->graph->arena, device->count, sizeof(*names));

    for (uint32_t c = 0; c < device->count; c++)
        names[c] = device->components[c].name;
    return cs_doc_err(reader->doc, node, reader->err,
                      "no component called '%.40s' in device '%.40s'%s", name, device->name,
                      cs_hint_all(name, names, device->count).text);
}

/* Replaces every start of a device by the starts of a component in it. */
static int enter(struct cs_infra_reader *reader, uint32_t node,
                 const struct cs_infra_component *component, const char *element,
                 struct cs_infra_leaves *leaves)
{
    struct cs_infra_leaves indices = {0}, swap = reader->spare;
    int rc = read_slice(reader, node, element, component->count, &indices);

    swap.count = 0;
    for (uint32_t i = 0; i < leaves->count && !rc; i++)
        for (uint32_t n = 0; n < indices.count && !rc; n++)
            rc = infragraph_add_leaf(reader, node, &swap,
                                     (uint64_t)leaves->at[i] + component->first +
                                         (uint64_t)indices.at[n] * component->each);
    free(indices.at);
    reader->spare = *leaves;
    *leaves = swap;
    return rc;
}

/* Appends the leaves of an endpoint of the device, "cx7[0:8].port[0]", from 0 on. */
static int expand(struct cs_infra_reader *reader, uint32_t device, uint32_t node, const char *text,
                  struct cs_infra_leaves *leaves)
{
    bool entered = false;
    int rc;

    leaves->count = 0;
    rc = infragraph_add_leaf(reader, node, leaves, 0);
    while (*text && !rc) {
        const struct cs_infra_device *in = &reader->devices[device];
        size_t length = strcspn(text, ".");
        const char *element = cs_arena_text_n(reader->graph->arena, text, length);
        const char *name = cs_arena_text_n(reader->graph->arena, element, strcspn(element, "["));
        uint32_t c = 0;

        text += length + (text[length] == '.');
        while (c < in->count && !cs_same(in->components[c].name, name))
            c++;
        if (c == in->count && cs_same(name, in->name))
            continue; /* the device before its component */
        if (c == in->count)
            return no_component(reader, node, in, name);
        rc = enter(reader, node, &in->components[c], element, leaves);
        entered = in->components[c].device == CS_DOC_NONE;
        if (entered && *text)
            return cs_doc_err(reader->doc, node, reader->err,
                              "'%s' is no device, so nothing is in it", name);
        if (!entered)
            device = in->components[c].device;
    }
    if (!rc && !entered)
        rc = cs_doc_err(reader->doc, node, reader->err,
                        "the endpoint is a device; expected a component of '%.40s'",
                        reader->devices[device].name);
    return rc;
}

/* ---- edges ---- */

/* Lists of leaves that an edge joins, and how. */
struct edge_reader {
    struct cs_infra_reader *reader;
    struct cs_infra_edges *into;
    uint32_t node, link;
    bool all_pairs;
};

static int add_edge(const struct edge_reader *edge, uint32_t a, uint32_t b)
{
    struct cs_infra_edges *into = edge->into;

    if (a == b)
        return 0;
    if (into->count >= CS_INFRA_EDGES_MAX)
        return cs_doc_err(edge->reader->doc, edge->node, edge->reader->err, "over %d edges",
                          CS_INFRA_EDGES_MAX);
    *CS_VECTOR_NEXT(into->at, into->count, into->capacity) =
        (struct cs_infra_edge){a, b, edge->node, edge->link};
    return 0;
}

static int join(const struct edge_reader *edge)
{
    struct cs_infra_reader *reader = edge->reader;
    const struct cs_infra_leaves *a = &reader->ends[0], *b = &reader->ends[1];
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
static int want(const struct cs_infra_reader *reader, uint32_t node, const char *key,
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

/* The link with a name in the list of an owner, which messages call `of`. */
static int find_link(struct edge_reader *edge, uint32_t owner, const char *of)
{
    const struct cs_infra_reader *reader = edge->reader;
    const struct cs_doc *doc = reader->doc;
    uint32_t list = cs_doc_get(doc, owner, "links");
    const char *name;

    edge->link = CS_DOC_NONE;
    if (want(reader, edge->node, "link", &name) ||
        (list != CS_DOC_NONE && cs_doc_want_list(doc, list, "'links'", reader->err)))
        return CS_EINPUT;
    for (uint32_t i = list == CS_DOC_NONE ? list : doc->nodes[list].first; i != CS_DOC_NONE;
         i = doc->nodes[i].next) {
        const char *has = cs_doc_text_or(doc, i, "name", NULL);

        if (has && cs_same(has, name))
            edge->link = i;
    }
    if (edge->link == CS_DOC_NONE)
        return cs_doc_err(doc, edge->node, reader->err,
                          "no link called '%.40s' in the 'links' of the same %s", name, of);
    return 0;
}

static int end_of(struct edge_reader *edge, const char *key, uint32_t *node)
{
    const struct cs_infra_reader *reader = edge->reader;
    int rc = cs_doc_need(reader->doc, edge->node, key, node, reader->err);

    return rc ? rc : cs_doc_want_map(reader->doc, *node, key, reader->err);
}

/* {device: cx7[0:8], component: port[0]} of an edge of a device. */
static int read_inner_end(struct edge_reader *edge, uint32_t device, int side)
{
    struct cs_infra_reader *reader = edge->reader;
    const char *text = "", *prefix;
    uint32_t node;

    if (end_of(edge, side ? "ep2" : "ep1", &node) || want(reader, node, "component", &text))
        return CS_EINPUT;
    prefix = cs_doc_text_or(reader->doc, node, "device", "");
    if (*prefix)
        text = cs_arena_printf(reader->graph->arena, "%s.%s", prefix, text);
    return expand(reader, device, node, text, &reader->ends[side]);
}

static const struct cs_infra_instance *instance_called(const struct cs_infra_reader *reader,
                                                       const char *name)
{
    for (uint32_t i = 0; i < reader->instance_count; i++)
        if (cs_same(reader->instances[i].name, name))
            return &reader->instances[i];
    return NULL;
}

/* {instance: server[0:2], component: cx7[0]} of the infrastructure. */
static int read_outer_end(struct edge_reader *edge, int side)
{
    struct cs_infra_reader *reader = edge->reader;
    struct cs_infra_leaves *leaves = &reader->ends[side], hosts = {0};
    const struct cs_infra_instance *instance;
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
    rc = read_slice(reader, node, text, instance->count, &hosts);
    if (!rc)
        rc = expand(reader, instance->device, node, component, leaves);
    count = leaves->count;
    if (!rc && (uint64_t)count * hosts.count > CS_INFRA_LEAVES_MAX)
        rc = cs_doc_err(reader->doc, node, reader->err, "an endpoint of over %d components",
                        CS_INFRA_LEAVES_MAX);
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
static int read_list(struct cs_infra_reader *reader, uint32_t device)
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
        edge.node = i;
        if (cs_doc_want_map(doc, i, "an edge", reader->err) || read_scheme(&edge) ||
            find_link(&edge, owner, is_outer ? "infrastructure" : "device"))
            return CS_EINPUT;
        for (int side = 0; side < 2; side++)
            if (is_outer ? read_outer_end(&edge, side) : read_inner_end(&edge, device, side))
                return CS_EINPUT;
        if (join(&edge))
            return CS_EINPUT;
    }
    return 0;
}

static int add_device_edges(struct cs_infra_reader *reader, uint32_t device, uint32_t first)
{
    const struct cs_infra_device *of = &reader->devices[device];
    int rc = 0;

    for (uint32_t e = 0; e < of->edges.count && !rc; e++)
        rc = add_edge(&(struct edge_reader){.reader = reader,
                                            .into = &reader->edges,
                                            .node = of->edges.at[e].node,
                                            .link = of->edges.at[e].link},
                      first + of->edges.at[e].a, first + of->edges.at[e].b);
    return rc;
}

int cs_infra_read_edges(struct cs_infra_reader *reader)
{
    int rc = 0;

    for (uint32_t d = 0; d < reader->device_count && !rc; d++)
        rc = read_list(reader, d);
    for (uint32_t p = 0; p < reader->placed_count && !rc; p++)
        rc = add_device_edges(reader, reader->placed[p].device, reader->placed[p].first);
    return rc ? rc : read_list(reader, CS_DOC_NONE);
}
