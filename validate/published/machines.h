/*
 * Machines of published tables, read once for each description.
 *
 * Beside the site of a cost model (algorithms/libraries/site/site.h) a machine has
 * the datasheet rate of a rank's slowest port, for the ring of datasheets.
 *
 *     read    an opening of the machine per description
 */
#ifndef CS_VALIDATE_PUBLISHED_MACHINES_H
#define CS_VALIDATE_PUBLISHED_MACHINES_H

#include "algorithms/libraries/site/site.h"
#include "validate/published/published.h"

struct cs_published_machine {
    const char *topo;
    uint32_t topo_ranks;
    struct cs_site site;
    /* Bytes per second in one direction, without efficiency: the links of a GPU
     * together, or the PCIe slot without links; between nodes at most the
     * adapters of the ranks in use.  Infinite for a machine without wires. */
    double port_Bps;
    const char *unknown; /* the reason that no site is known; NULL: read */
};

/* The machine of each table, in the order of the tables.  A machine that cannot
 * be opened is not an error, but has `unknown`. */
const struct cs_published_machine *const *cs_published_machines(
    const struct cs_published *published, struct cs_arena *arena);

#endif
