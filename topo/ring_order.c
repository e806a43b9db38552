#include "topo/ring_order.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GRAPH "graph:"
#define TREE  "tree:"

enum {
    WORD_MAX = 16,
    TOLD_MAX = 16, /* devices */
};

/* NCCL_TOPO_PATTERN_...: balanced tree, split tree and tree are 1 to 3. */
static const struct {
    const char *name, *expected;
    int64_t first, last;
} shapes[] = {
    [CS_ORDER_RING] = {"ring", "a graph of pattern 4", 4, 4},
    [CS_ORDER_TREE] = {"tree", "a graph of pattern 1 to 3", 1, 3},
};

/* ---- lists ---- */

/* "0,3,2,1" into `order`; how many there are in `count`. */
static int read_list(const char *list, uint32_t ranks, uint32_t *order,
                     uint32_t *count, struct cs_err *err)
{
    const char *at = list;
    uint64_t rank;
    char word[WORD_MAX];
    int code = 0;

    for (*count = 0; !code; at++) {
        size_t length = strcspn(at, ",");

        if (length >= WORD_MAX || *count == ranks)
            return cs_err_set(err, CS_EINPUT,
                              "ring order '%.60s'; expected %u numbers with "
                              "commas, graph:FILE or tree:FILE",
                              list, ranks);
        memcpy(word, at, length);
        word[length] = '\0';
        code = cs_units_count(word, 0, ranks - 1, &rank, err);
        if (!code)
            order[(*count)++] = (uint32_t)rank;
        at += length;
        if (*at == '\0')
            break;
    }
    return code;
}

/* Every rank once: the first that is there twice, or `ranks`. */
static uint32_t first_twice(const uint32_t *order, uint32_t count,
                            uint32_t ranks)
{
    bool *seen = cs_grow(NULL, ranks, sizeof(*seen));
    uint32_t found = ranks;
    uint32_t i;

    memset(seen, 0, ranks * sizeof(*seen));
    for (i = 0; i < count && found == ranks; i++) {
        if (seen[order[i]])
            found = order[i];
        seen[order[i]] = true;
    }
    free(seen);
    return found;
}

static int check_list(const char *list, const uint32_t *order, uint32_t count,
                      uint32_t ranks, struct cs_err *err)
{
    uint32_t twice = first_twice(order, count, ranks);

    if (twice < ranks)
        return cs_err_set(err, CS_EINPUT, "ring order '%.60s' has %u twice",
                          list, twice);
    if (count == ranks)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "ring order '%.60s' is for %u ranks, not %u", list, count,
                      ranks);
}

/* ---- graphs ---- */

/* The first channel of the first graph of that shape. */
static int find_channel(const struct cs_xml *xml, enum cs_order_shape shape,
                        uint32_t *channel, struct cs_err *err)
{
    const struct cs_xml_node *nodes = xml->nodes;
    uint32_t node;
    int64_t pattern;
    int code = cs_xml_want_name(xml, 0, "graphs", err);

    for (node = nodes[0].first; node != CS_XML_NONE && !code;
         node = nodes[node].next) {
        code = cs_xml_want_name(xml, node, "graph", err);
        if (!code)
            code = cs_xml_want_number(xml, node,
                                      &(struct cs_xml_number){"pattern", 0, 64},
                                      &pattern, err);
        if (code || pattern < shapes[shape].first ||
            pattern > shapes[shape].last || nodes[node].first == CS_XML_NONE)
            continue;
        *channel = nodes[node].first;
        return cs_xml_want_name(xml, *channel, "channel", err);
    }
    if (code)
        return code;
    return cs_xml_err(xml, 0, err,
                      "no %s in this file; expected %s with a channel",
                      shapes[shape].name, shapes[shape].expected);
}

static int read_gpu(const struct cs_xml *xml, uint32_t node, uint32_t ranks,
                    uint32_t *rank, struct cs_err *err)
{
    const char *text = cs_xml_get(xml, node, "rank");
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
        return cs_xml_err(xml, node, err,
                          "GPU '%.20s'; expected one of the run's %u ranks, "
                          "from 0",
                          text, ranks);
    *rank = (uint32_t)number;
    return 0;
}

/* How many GPUs are in a channel; what else is there but adapters is refused. */
static int count_gpus(const struct cs_xml *xml, uint32_t channel,
                      uint32_t *count, struct cs_err *err)
{
    uint32_t node = xml->nodes[channel].first;
    int code = 0;

    for (*count = 0; node != CS_XML_NONE && !code;
         node = xml->nodes[node].next) {
        if (cs_same(cs_xml_name(xml, node), "net"))
            continue;
        code = cs_xml_want_name(xml, node, "gpu", err);
        (*count)++;
    }
    return code;
}

int cs_ring_order_of_graph(const struct cs_xml *xml, enum cs_order_shape shape,
                           uint32_t ranks, uint32_t *order, struct cs_err *err)
{
    uint32_t channel = 0;
    uint32_t count;
    uint32_t node;
    uint32_t i = 0;
    int code = find_channel(xml, shape, &channel, err);

    if (!code)
        code = count_gpus(xml, channel, &count, err);
    if (code)
        return code;
    if (count != ranks)
        return cs_xml_err(xml, channel, err,
                          "the %s is for %u ranks; the run has %u",
                          shapes[shape].name, count, ranks);
    for (node = xml->nodes[channel].first; node != CS_XML_NONE && !code;
         node = xml->nodes[node].next)
        if (cs_same(cs_xml_name(xml, node), "gpu"))
            code = read_gpu(xml, node, ranks, &order[i++], err);
    if (!code && first_twice(order, count, ranks) < ranks)
        return cs_xml_err(xml, channel, err, "the %s has GPU %u twice",
                          shapes[shape].name, first_twice(order, count, ranks));
    return code;
}

int cs_ring_order_read(const char *spec, uint32_t ranks, uint32_t *order,
                       struct cs_err *err)
{
    bool is_tree = strncmp(spec, TREE, strlen(TREE)) == 0;
    struct cs_arena arena = {0};
    struct cs_xml xml;
    uint32_t count = 0;
    int code;

    if (!is_tree && strncmp(spec, GRAPH, strlen(GRAPH)) != 0) {
        code = read_list(spec, ranks, order, &count, err);
        return code ? code : check_list(spec, order, count, ranks, err);
    }
    code = cs_xml_read_file(spec + strlen(is_tree ? TREE : GRAPH), &xml, &arena,
                            err);
    if (!code)
        code = cs_ring_order_of_graph(
            &xml, is_tree ? CS_ORDER_TREE : CS_ORDER_RING, ranks, order, err);
    cs_arena_free(&arena);
    return code;
}

static void tell(struct cs_graph *graph, const uint32_t *order)
{
    struct cs_text text = {0};
    uint32_t i;

    for (i = 0; i < graph->rank_count && i < TOLD_MAX; i++)
        cs_text_printf(
            &text, " %s",
            cs_graph_name(graph, graph->rank_device[order[i]], graph->arena));
    cs_graph_remark(graph, "the ranks in order sit on%s%s", cs_text_str(&text),
                    i < graph->rank_count ? " ..." : "");
    cs_text_free(&text);
}

void cs_ring_order_of_devices(struct cs_graph *graph, uint32_t *order)
{
    uint32_t *rank_of =
        cs_arena_alloc(graph->arena, graph->device_count, sizeof(*rank_of));
    uint32_t *sorted =
        cs_arena_alloc(graph->arena, graph->rank_count, sizeof(*sorted));
    uint32_t count = 0;

    for (uint32_t i = 0; i < graph->rank_count; i++)
        rank_of[graph->rank_device[i]] = i + 1;
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (rank_of[d])
            sorted[count++] = rank_of[d] - 1;
    for (uint32_t i = 0; i < graph->rank_count; i++)
        order[i] = sorted[order[i]];
    tell(graph, order);
}
