#include "topo/formats/yaml/reader.h"

#include "sim/base/text.h"

#include <string.h>

enum {
    FORMER_KEYS = 3
};

static const struct former_key {
    const char *former, *present;
} former_keys[FORMER_KEYS] = {
    {"adds", "reduces"},
    {"computer", "host"},
    {"way", "direction"},
};

/* The row of a former key, or FORMER_KEYS.  Only scalars have such keys: a map
 * of that name is a device. */
static size_t former_key_of(const struct cs_doc_node *node)
{
    size_t i = 0;

    if (node->kind != CS_DOC_SCALAR || !node->key)
        return FORMER_KEYS;
    while (i < FORMER_KEYS && !cs_same(node->key, former_keys[i].former))
        i++;
    return i;
}

struct cs_doc cs_yaml_present_keys(const struct cs_doc *doc, struct cs_graph *graph)
{
    struct cs_doc present = *doc;
    struct cs_doc_node *nodes = NULL;
    bool noted[FORMER_KEYS] = {false};

    for (uint32_t i = 0; i < doc->count; i++) {
        size_t row = former_key_of(&doc->nodes[i]);

        if (row == FORMER_KEYS)
            continue;
        if (!nodes) {
            nodes = cs_arena_copy(graph->arena, doc->nodes, doc->count, sizeof(*nodes));
            present.nodes = nodes;
        }
        nodes[i].key = former_keys[row].present;
        if (!noted[row])
            cs_graph_note(graph, "line %u: the key '%s' is now called '%s'", doc->nodes[i].key_line,
                          former_keys[row].former, former_keys[row].present);
        noted[row] = true;
    }
    return present;
}
