/*
 * The fabrics that SimGrid calls FAT_TREE and DRAGONFLY, where they are other
 * ones than the generators of those names.  Their numbers are the fabric's
 * dims.  Described in SimGrid's manual, "Cluster" in "Platform examples".
 */
#ifndef CS_TOPO_FORMATS_SIMGRID_FABRICS_H
#define CS_TOPO_FORMATS_SIMGRID_FABRICS_H

#include "topo/generators/fabric.h"

enum {
    CS_PGFT_LEVELS_MAX = 6,
    CS_CASCADE_DIMS = 7,
};

/*
 * A parallel ports generalised fat tree, PGFT(h; m; w; p): E. Zahavi,
 * D-Mod-K routing providing non-blocking traffic for shift permutations on
 * real life fat trees, CCIT report 776, Technion, 2010.
 *
 * dims: for each of h levels m, children of a switch; then w, parents of what
 * is below, for each; then p, cables to each of them.  A host or switch is a
 * number of h digits; those below the level count parents, those above
 * children.  Up by D-mod-k, down by the cable that the source's number says.
 */
extern const struct cs_fabric_kind cs_fabric_pgft;

/*
 * A dragonfly as in Cray's Cascade (G. Faanes et al., SC 2012): a group is a
 * grid of chassis and blades.  Routers of a chassis are all joined (green), as
 * are those of one blade number in a group (black); groups are all joined, by
 * routers of the first chassis: towards group g from blade g (blue).
 *
 * dims: groups, cables of a blue link; chassis, of a black one; blades, of a
 * green one; hosts of a router.  So many cables are one link of so much rate.
 * Minimal routes, green before black.
 */
extern const struct cs_fabric_kind cs_fabric_cascade;

#endif
