/*
 * Tree mixture: the trees, each with a share of the vector, that load the busiest
 * resource least.
 *
 * A linear program over all trees at once (bounds/rates/master.h): a tree is a
 * column, the loads of its branches are the entries, and the cheapest tree by the
 * prices of resources (search.h) is the next column.  The prices bound what any
 * trees on the routes of the machine can attain, and the search ends where the
 * mixture is as good as the bound, or stops improving.  A mixture has no more trees
 * than resources and roots together.
 */
#pragma once

#include "algorithms/shared/trees/search.h"
#include "sim/engine/progress.h"

struct cs_mixture_request {
    struct cs_tree_search *search;
    const double *capacity;           /* by row: seconds of a byte of each source count over it */
    double enough;                    /* the search may end at this load of the busiest row */
    uint32_t rounds;                  /* of the search, at most */
    const struct cs_monitor *monitor; /* or NULL */
};

struct cs_mixture {
    struct cs_tree_shape *shape;
    double *share; /* by shape; of each source 1 together */
    uint32_t count;
    double load;  /* of the busiest row, over the capacity */
    double limit; /* no trees over the branches have a lower one */
};

/* The mixture of the least load.  No shapes where rounding spoilt it, branches do not connect the
 * vertices, or where the monitor stops. */
struct cs_mixture cs_mixture_of(const struct cs_mixture_request *request, struct cs_arena *arena);
