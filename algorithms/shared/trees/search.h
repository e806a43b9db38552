/*
 * Tree search: the cheapest tree over the branches, at prices of their rows.
 *
 * Of trees that cost the same the flat ones are preferred: a branch that does not
 * leave the root costs a little more.  A tree out of any root is the cheapest of those
 * out of each; of many ranks that send up and down they cost the same, and roots take turns.
 */
#pragma once

#include "algorithms/shared/trees/branches.h"
#include "algorithms/shared/trees/spanning.h"

enum cs_tree_roots {
    CS_TREES_OF_ALL,  /* as many units out of every rank */
    CS_TREES_OF_ROOT, /* all units out of one rank */
    CS_TREES_OF_ANY,  /* roots are free */
};

/* A tree over the vertices of the branches. */
struct cs_tree_shape {
    uint32_t source;  /* the root among the roots of all, else 0 */
    uint32_t root;    /* a vertex */
    uint32_t *parent; /* by vertex; CS_SPANNING_NONE: the root */
    uint32_t units;
};

struct cs_tree_search {
    const struct cs_branches *branches;
    enum cs_tree_roots roots;
    uint32_t root; /* a vertex; where roots take turns, the last one */
    uint32_t sources;
    struct cs_spanning spanning;
    double level;  /* what a branch that does not leave the root costs more */
    double *costs; /* by branch */
    uint32_t *tried;
};

struct cs_tree_search cs_tree_search_of(const struct cs_branches *branches,
                                        enum cs_tree_roots roots, uint32_t root,
                                        struct cs_arena *arena);

/* Takes over prices >= 0 by row. */
void cs_tree_search_price(struct cs_tree_search *search, const double *price);

/* Writes a source's cheapest tree at the prices into the shape, whose parents have
 * an entry for each vertex.  Its cost, or INFINITY where no tree spans the vertices; less
 * than 2 search->level a vertex above the least cost. */
double cs_tree_search_find(struct cs_tree_search *search, uint32_t source,
                           struct cs_tree_shape *shape);

/* A shape without units, with room for the parents. */
struct cs_tree_shape cs_tree_shape_new(const struct cs_branches *branches, struct cs_arena *arena);

/* Writes the load of each row, for a byte of the shape. */
void cs_tree_shape_load(const struct cs_branches *branches, const struct cs_tree_shape *shape,
                        double *load);
