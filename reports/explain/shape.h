/*
 * Shape: the layout of the parties of a program in a drawing.
 *
 * The shape follows from the pairs of communicating parties.
 */
#ifndef CS_REPORTS_EXPLAIN_SHAPE_H
#define CS_REPORTS_EXPLAIN_SHAPE_H

#include "sim/proof/steps.h"

enum cs_shape_kind {
    CS_SHAPE_CIRCLE,    /* otherwise */
    CS_SHAPE_RING,      /* messages between neighbours only */
    CS_SHAPE_LINE,      /* a ring with open ends */
    CS_SHAPE_TREE,      /* a single path between two parties */
    CS_SHAPE_STAR,      /* messages from and to hubs only */
    CS_SHAPE_HYPERCUBE, /* partners differ in a bit */
    CS_SHAPES
};

enum {
    CS_SHAPE_NO_PARENT = UINT32_MAX
};

struct cs_shape {
    enum cs_shape_kind kind;
    uint32_t edges;                                        /* pairs of parties */
    bool edge[CS_STEPS_PARTIES_MAX][CS_STEPS_PARTIES_MAX]; /* symmetric */
    bool hub[CS_STEPS_PARTIES_MAX];
    uint32_t parent[CS_STEPS_PARTIES_MAX]; /* TREE */
    uint32_t order[CS_STEPS_PARTIES_MAX];  /* LINE: from end to end */
};

/* O(messages + parties^2). */
struct cs_shape cs_shape_of(const struct cs_steps *steps);

/* "circle", "ring", ... */
const char *cs_shape_name(enum cs_shape_kind kind);

#endif
