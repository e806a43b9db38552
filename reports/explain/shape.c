#include "reports/explain/explain.h"

/* ---- edges ---- */

/* A pair of parties is an edge, independent of direction and number of
 * messages. */
static void shape_read_edges(const struct cs_steps *steps, struct cs_shape *shape)
{
    for (uint32_t i = 0; i < steps->message_count; i++) {
        uint32_t src = steps->messages[i].src;
        uint32_t dst = steps->messages[i].dst;

        shape->edges += !shape->edge[src][dst];
        shape->edge[src][dst] = true;
        shape->edge[dst][src] = true;
    }
}

static uint32_t shape_degree(const struct cs_steps *steps, const struct cs_shape *shape,
                             uint32_t party)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < steps->parties; i++)
        count += shape->edge[party][i];
    return count;
}

/* The party with the most partners; the lowest number among equals. */
static uint32_t shape_widest(const struct cs_steps *steps, const struct cs_shape *shape)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < steps->parties; i++)
        if (shape_degree(steps, shape, i) > shape_degree(steps, shape, best))
            best = i;
    return best;
}

/* Sets the parents towards `root` and the order of the walk; returns the number
 * of parties reached. */
static uint32_t shape_walk(const struct cs_steps *steps, struct cs_shape *shape, uint32_t root)
{
    bool seen[CS_STEPS_PARTIES_MAX] = {false};
    uint32_t count = 1;

    shape->order[0] = root;
    shape->parent[root] = CS_SHAPE_NO_PARENT;
    seen[root] = true;
    for (uint32_t at = 0; at < count; at++) {
        uint32_t party = shape->order[at];

        for (uint32_t i = 0; i < steps->parties; i++) {
            if (!shape->edge[party][i] || seen[i])
                continue;
            seen[i] = true;
            shape->parent[i] = party;
            shape->order[count++] = i;
        }
    }
    return count;
}

/* ---- shapes ---- */

/* Neighbours in the order of numbers, as the ring algorithms number ranks; a
 * ring in a different order is not recognized. */
static bool shape_is_ring(const struct cs_steps *steps, const struct cs_shape *shape)
{
    uint32_t p = steps->parties;

    for (uint32_t i = 0; i < p; i++)
        if (!shape->edge[i][(i + 1) % p])
            return false;
    return p > 2 && shape->edges == p;
}

/* Partners differ in a power of two. Below four parties, a ring or line says
 * more. */
static bool shape_is_hypercube(const struct cs_steps *steps, const struct cs_shape *shape)
{
    for (uint32_t a = 0; a < steps->parties; a++)
        for (uint32_t b = 0; b < a; b++)
            if (shape->edge[a][b] && ((a ^ b) & ((a ^ b) - 1)))
                return false;
    return steps->parties > 3;
}

/* Hubs are the servers, or the rank with the highest degree. */
static bool shape_is_star(const struct cs_steps *steps, struct cs_shape *shape)
{
    uint32_t hub = shape_widest(steps, shape);

    for (uint32_t a = 0; a < steps->parties; a++)
        shape->hub[a] = steps->parties > steps->ranks ? a >= steps->ranks : a == hub;
    for (uint32_t a = 0; a < steps->parties; a++)
        for (uint32_t b = 0; b < steps->parties; b++)
            if (shape->edge[a][b] && !shape->hub[a] && !shape->hub[b])
                return false;
    return steps->parties > 3;
}

/* Parties - 1 edges, and connected from the root. */
static bool shape_is_tree(const struct cs_steps *steps, struct cs_shape *shape)
{
    return shape->edges + 1 == steps->parties &&
           shape_walk(steps, shape, steps->root) == steps->parties;
}

/* A tree without branches, ordered from the root if an end, or from the first
 * end. */
static bool shape_is_line(const struct cs_steps *steps, struct cs_shape *shape)
{
    uint32_t end = steps->root;

    if (shape_degree(steps, shape, shape_widest(steps, shape)) > 2)
        return false;
    for (uint32_t i = 0; shape_degree(steps, shape, end) != 1 && i < steps->parties; i++)
        end = i;
    return shape_walk(steps, shape, end) == steps->parties;
}

/* From special to general: a star is also a tree, and a line is a tree. */
struct cs_shape cs_shape_of(const struct cs_steps *steps)
{
    struct cs_shape shape = {.kind = CS_SHAPE_CIRCLE};

    shape_read_edges(steps, &shape);
    if (shape_is_star(steps, &shape))
        shape.kind = CS_SHAPE_STAR;
    else if (shape_is_ring(steps, &shape))
        shape.kind = CS_SHAPE_RING;
    else if (shape_is_tree(steps, &shape))
        shape.kind = shape_is_line(steps, &shape) ? CS_SHAPE_LINE : CS_SHAPE_TREE;
    else if (shape_is_hypercube(steps, &shape))
        shape.kind = CS_SHAPE_HYPERCUBE;
    return shape;
}

const char *cs_shape_name(enum cs_shape_kind kind)
{
    static const char *const names[CS_SHAPES] = {"circle", "ring", "line",
                                                 "tree",   "star", "hypercube"};

    return names[kind];
}
