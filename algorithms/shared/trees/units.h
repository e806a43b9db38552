/*
 * Trees in whole units: a mixture whose shares are whole numbers.
 *
 * For a number of units the rows carry whole units as well, which makes most shares of
 * a mixture whole.  The others are rounded down, the remaining units go one by one to
 * the cheapest tree by prices that grow steeply with the load of a row, and units of the
 * busiest row are taken out and put back likewise while that lowers the load.
 *
 * The number of units of a source is the one whose load is the least, with the time that
 * a pipeline of its chunks takes to fill.
 */
#pragma once

#include "algorithms/shared/trees/mixture.h"

/* What more units cost: a vector is cut into at most `blocks` blocks, and a unit of
 * each source is `copies` units of the vector; few blocks a unit are few chunks. */
struct cs_units_request {
    struct cs_tree_search *search;
    const struct cs_monitor *monitor;
    double enough_s; /* no shapes where none take less, for a byte of each source; or 0 */
    uint32_t most;   /* units of a source */
    uint32_t copies, blocks;
};

struct cs_units {
    struct cs_tree_shape *shape; /* with units */
    uint32_t count;
    uint32_t each;     /* units of a source */
    double s_per_byte; /* of the busiest row, for a byte of each source */
    double limit_s;    /* no trees over the branches take less */
};

/* No shapes and no limit where branches do not connect the vertices, or where the monitor
 * stops. */
struct cs_units cs_units_of(const struct cs_units_request *request, struct cs_arena *arena);
