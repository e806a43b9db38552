#include "topo/placement/ring_order.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GRAPH "graph:"
#define TREE  "tree:"

enum {
    WORD_MAX = 16,
    REPORTED_MAX = 16, /* devices in a note */
};

/* NCCL_TOPO_PATTERN_...: balanced tree, split tree and tree are 1 to 3. */
static const struct {
    const char *name, *expected;
    int64_t first, last;
} shapes[CS_ORDER_SHAPES] = {
    [CS_ORDER_RING] = {"ring", "a graph of pattern 4", 4, 4},
    [CS_ORDER_TREE] = {"tree", "a graph of pattern 1 to 3", 1, 3},
};

/* ---- lists ---- */

/* "0,3,2,1"; `count` is the number of ranks read. */
static int read_list(const char *list, uint32_t ranks, uint32_t *order, uint32_t *count,
                     struct cs_err *err)
{
    const char *at = list;
    uint64_t rank;
    char word[WORD_MAX];
    int code = 0;

    for (*count = 0; !code; at++) {
        size_t length = strcspn(at, ",");

        if (length >= WORD_MAX || *count == ranks)
            return cs_err_set(
                err, CS_EINPUT,
                "ring order '%.60s'; expected %u numbers with commas, graph:FILE or tree:FILE",
                list, ranks);
        memcpy(word, at, length);
        word[length] = '\0';
        code = cs_units_count(word, 0, ranks - 1, &rank, err);
        if (code)
            return cs_err_prefix(err, "ring order"), code;
        order[(*count)++] = (uint32_t)rank;
        at += length;
        if (*at == '\0')
            break;
    }
    return code;
}

/* The first duplicate rank, or `ranks`. */
static uint32_t ring_order_first_twice(const uint32_t *order, uint32_t count, uint32_t ranks)
{
    bool *seen = cs_grow(NULL, ranks, sizeof(*seen));
    uint32_t found = ranks;

    memset(seen, 0, ranks * sizeof(*seen));
    for (uint32_t i = 0; i < count && found == ranks; i++) {
        if (seen[order[i]])
            found = order[i];
        seen[order[i]] = true;
    }
    free(seen);
    return found;
}

static int check_list(const char *list, const uint32_t *order, uint32_t count, uint32_t ranks,
                      struct cs_err *err)
{
    uint32_t twice = ring_order_first_twice(order, count, ranks);

    if (twice < ranks)
        return cs_err_set(err, CS_EINPUT, "ring order '%.60s' has %u twice", list, twice);
    if (count == ranks)
        return 0;
    return cs_err_set(err, CS_EINPUT, "ring order '%.60s' is for %u ranks, not %u", list, count,
                      ranks);
}

/* ---- graphs ---- */

/* The first graph of a shape with channels: NCCL dumps graphs of unavailable
 * patterns without channels. */
static int find_graph(const struct cs_doc *xml, enum cs_order_shape shape, uint32_t *graph,
                      struct cs_err *err)
{
    const struct cs_doc_node *nodes = xml->nodes;
    int64_t pattern;
    int code = cs_xml_want_name(xml, 0, "graphs", err);

    for (uint32_t node = nodes[0].first; node != CS_DOC_NONE && !code; node = nodes[node].next) {
        code = cs_xml_want_name(xml, node, "graph", err);
        if (!code)
            code = cs_xml_want_number(xml, node, &(struct cs_xml_number){"pattern", 0, 64},
                                      &pattern, err);
        if (code || pattern < shapes[shape].first || pattern > shapes[shape].last ||
            nodes[node].first == CS_DOC_NONE)
            continue;
        *graph = node;
        return 0;
    }
    if (code)
        return code;
    return cs_doc_err(xml, 0, err, "no %s in this file; expected %s with a channel",
                      shapes[shape].name, shapes[shape].expected);
}

static int ring_order_read_gpu(const struct cs_doc *xml, uint32_t node, uint32_t ranks,
                               uint32_t *rank, struct cs_err *err)
{
    const char *text = cs_doc_attribute(xml, node, "rank");
    int base = text ? 10 : 16;
    unsigned long number;
    char *end;
    int code = 0;

    if (!text)
        code = cs_xml_want_text(xml, node, "dev", &text, err);
    if (code)
        return code;
    number = strtoul(text, &end, base);
    if (*text < '0' || *text > 'f' || *end || number >= ranks)
        return cs_doc_err(xml, node, err, "GPU '%.20s'; expected one of the run's %u ranks, from 0",
                          text, ranks);
    *rank = (uint32_t)number;
    return 0;
}

/* The number of GPUs in a channel; elements other than GPUs and NICs are
 * CS_EINPUT. */
static int ring_order_count_gpus(const struct cs_doc *xml, uint32_t channel, uint32_t *count,
                                 struct cs_err *err)
{
    uint32_t node = xml->nodes[channel].first;
    int code = 0;

    for (*count = 0; node != CS_DOC_NONE && !code; node = xml->nodes[node].next) {
        if (cs_doc_is(xml, node, "net"))
            continue;
        code = cs_xml_want_name(xml, node, "gpu", err);
        (*count)++;
    }
    return code;
}

/* A channel lists GPUs in ring order; NICs between hosts are not ranks. */
static int read_channel(const struct cs_doc *xml, uint32_t channel, struct cs_order_request request,
                        uint32_t *order, struct cs_err *err)
{
    const char *name = shapes[request.shape].name;
    uint32_t ranks = request.ranks, count, i = 0;
    int code = ring_order_count_gpus(xml, channel, &count, err);

    if (code)
        return code;
    if (count != ranks)
        return cs_doc_err(xml, channel, err, "the %s is for %u ranks; the run has %u", name, count,
                          ranks);
    for (uint32_t node = xml->nodes[channel].first; node != CS_DOC_NONE && !code;
         node = xml->nodes[node].next)
        if (cs_doc_is(xml, node, "gpu"))
            code = ring_order_read_gpu(xml, node, ranks, &order[i++], err);
    if (!code && ring_order_first_twice(order, count, ranks) < ranks)
        return cs_doc_err(xml, channel, err, "the %s has GPU %u twice", name,
                          ring_order_first_twice(order, count, ranks));
    return code;
}

/* The number of channels; other elements of a graph are CS_EINPUT. */
static int count_channels(const struct cs_doc *xml, uint32_t graph, uint32_t *count,
                          struct cs_err *err)
{
    uint32_t node = xml->nodes[graph].first;
    int code = 0;

    for (*count = 0; node != CS_DOC_NONE && !code; node = xml->nodes[node].next, (*count)++) {
        code = cs_xml_want_name(xml, node, "channel", err);
        if (!code && *count == CS_RING_ORDERS_MAX)
            code = cs_doc_err(xml, node, err, "more than %d channels", CS_RING_ORDERS_MAX);
    }
    return code;
}

int cs_ring_orders_of_graph(const struct cs_doc *xml, struct cs_order_request request,
                            struct cs_ring_orders *orders, struct cs_arena *arena,
                            struct cs_err *err)
{
    uint32_t graph = 0, count, *order;
    int code = find_graph(xml, request.shape, &graph, err);

    if (!code)
        code = count_channels(xml, graph, &count, err);
    if (code)
        return code;
    order = cs_arena_alloc(arena, (size_t)count * request.ranks, sizeof(*order));
    *orders = (struct cs_ring_orders){request.ranks, count, order};
    for (uint32_t node = xml->nodes[graph].first; node != CS_DOC_NONE && !code;
         node = xml->nodes[node].next, order += request.ranks)
        code = read_channel(xml, node, request, order, err);
    return code;
}

/* ---- lists and graphs ---- */

bool cs_ring_orders_are_rings(const char *spec)
{
    return strncmp(spec, GRAPH, strlen(GRAPH)) == 0;
}

static bool are_trees(const char *spec)
{
    return strncmp(spec, TREE, strlen(TREE)) == 0;
}

static const char *file_of(const char *spec)
{
    return strchr(spec, ':') + 1;
}

static int ring_order_read_file(const char *spec, uint32_t ranks, struct cs_ring_orders *orders,
                                struct cs_arena *arena, struct cs_err *err)
{
    struct cs_order_request request = {are_trees(spec) ? CS_ORDER_TREE : CS_ORDER_RING, ranks};
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_doc xml;
    int code = cs_xml_read_file(file_of(spec), &xml, &scratch, err);

    if (!code)
        code = cs_ring_orders_of_graph(&xml, request, orders, arena, err);
    return code;
}

int cs_ring_orders_read(const char *spec, uint32_t ranks, struct cs_ring_orders *orders,
                        struct cs_arena *arena, struct cs_err *err)
{
    uint32_t count = 0;
    int code;

    if (cs_ring_orders_are_rings(spec) || are_trees(spec))
        return ring_order_read_file(spec, ranks, orders, arena, err);
    *orders = (struct cs_ring_orders){ranks, 1, cs_arena_alloc(arena, ranks, sizeof(uint32_t))};
    code = read_list(spec, ranks, orders->order, &count, err);
    return code ? code : check_list(spec, orders->order, count, ranks, err);
}

void cs_ring_orders_of_devices(const struct cs_graph *graph, struct cs_ring_orders *orders)
{
    uint32_t *rank_of = cs_grow(NULL, graph->device_count, sizeof(*rank_of));
    uint32_t *sorted = cs_grow(NULL, graph->rank_count, sizeof(*sorted));
    uint32_t count = 0;

    memset(rank_of, 0, graph->device_count * sizeof(*rank_of));
    for (uint32_t i = 0; i < graph->rank_count; i++)
        rank_of[graph->rank_device[i]] = i + 1;
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (rank_of[d])
            sorted[count++] = rank_of[d] - 1;
    for (size_t i = 0; i < (size_t)orders->count * orders->ranks; i++)
        orders->order[i] = sorted[orders->order[i]];
    free(rank_of);
    free(sorted);
}

void cs_ring_orders_report(struct cs_graph *graph, const char *spec,
                           const struct cs_ring_orders *orders)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    uint32_t i;

    for (i = 0; i < graph->rank_count && i < REPORTED_MAX; i++)
        cs_text_printf(&text, " %s",
                       cs_graph_name(graph, graph->rank_device[orders->order[i]], graph->arena));
    if (i < graph->rank_count)
        cs_text_printf(&text, " ...");
    if (cs_ring_orders_are_rings(spec) || are_trees(spec))
        cs_text_printf(&text, ", from %s 1 of %u in %s", shapes[are_trees(spec)].name,
                       orders->count, file_of(spec));
    cs_graph_note(graph, "the ranks in order are on%s", cs_text_str(&text));
}
