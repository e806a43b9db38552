/*
 * Shape: how the parties of a program stand when it is drawn.
 *
 * It is read off the messages alone: who ever sends to whom.
 */
#ifndef CS_REPORTS_EXPLAIN_SHAPE_H
#define CS_REPORTS_EXPLAIN_SHAPE_H

#include "sim/proof/steps.h"

enum cs_shape_kind {
    CS_SHAPE_CIRCLE,    /* nothing better is known */
    CS_SHAPE_RING,      /* everybody has to do with the next and last alone */
    CS_SHAPE_LINE,      /* the same, but the ends are open */
    CS_SHAPE_TREE,      /* one way only between any two */
    CS_SHAPE_STAR,      /* hubs have to do with everybody, the others not */
    CS_SHAPE_HYPERCUBE, /* partners differ in one bit */
};

enum {
    CS_SHAPE_NO_PARENT = UINT32_MAX
};

struct cs_shape {
    enum cs_shape_kind kind;
    uint32_t edges; /* pairs of parties */
    bool edge[CS_STEPS_PARTIES_MAX][CS_STEPS_PARTIES_MAX]; /* both ways */
    bool hub[CS_STEPS_PARTIES_MAX];
    uint32_t parent[CS_STEPS_PARTIES_MAX]; /* TREE */
    uint32_t order[CS_STEPS_PARTIES_MAX];  /* LINE: from end to end */
};

/* O(messages + parties^2). */
struct cs_shape cs_shape_of(const struct cs_steps *steps);

/* "circle", "ring", ... */
const char *cs_shape_name(enum cs_shape_kind kind);

#endif
