#include "topo/graph/equal_wires.h"

#include <string.h>

/* The name without its node and its number: "nic" of "n3.nic12". */
static size_t equal_stem(const char *name, const char **begin)
{
    const char *dot = strrchr(name, '.');

    *begin = dot ? dot + 1 : name;
    return strcspn(*begin, "0123456789");
}

static bool has_same_stem(const char *a, const char *b)
{
    const char *x, *y;
    size_t length = equal_stem(a, &x);

    return length == equal_stem(b, &y) && !strncmp(x, y, length);
}

bool cs_wires_are_equal(const struct cs_graph *graph, uint32_t v, uint32_t w)
{
    struct cs_wire x = cs_graph_wire(graph, v), y = cs_graph_wire(graph, w);
    struct cs_device xa = cs_graph_device(graph, x.a);
    struct cs_device xb = cs_graph_device(graph, x.b);
    struct cs_device ya = cs_graph_device(graph, y.a);
    struct cs_device yb = cs_graph_device(graph, y.b);

    return xa.kind == ya.kind && xb.kind == yb.kind && has_same_stem(xa.name, ya.name) &&
           has_same_stem(xb.name, yb.name);
}
