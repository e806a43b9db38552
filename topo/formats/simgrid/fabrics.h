/*
 * The fabrics FAT_TREE and DRAGONFLY of SimGrid, which differ from the
 * generators of similar name.  The parameters are the fabric's dims.  Source:
 * SimGrid's manual, "Cluster" in "Platform examples".
 */
#ifndef CS_TOPO_FORMATS_SIMGRID_FABRICS_H
#define CS_TOPO_FORMATS_SIMGRID_FABRICS_H

#include "topo/graph/fabric.h"

enum {
    CS_PGFT_LEVELS_MAX = 6,
    CS_CASCADE_DIMS = 7,
};

/*
 * A parallel ports generalised fat tree, PGFT(h; m; w; p): E. Zahavi,
 * D-Mod-K routing providing non-blocking traffic for shift permutations on
 * real life fat trees, CCIT report 776, Technion, 2010.
 *
 * dims: per level (h of them) m, the children of a switch; then w, the parents
 * of a child; then p, the cables to a parent.  A host or switch is a number of
 * h digits: digits below its level count parents, digits above count children.
 * Routes go up by D-mod-k; the source's number selects the cable down.
 */
extern const struct cs_fabric_kind cs_fabric_pgft;

/*
 * A dragonfly as in Cray's Cascade (G. Faanes et al., SC 2012): a group is a
 * grid of chassis and blades.  Routers of a chassis are joined pairwise
 * (green), also routers of a blade number in a group (black), and groups by
 * routers of the first chassis: towards group g from blade g (blue).
 *
 * dims: groups, cables per blue link; chassis, cables per black link; blades,
 * cables per green link; hosts per router.  Parallel cables are a single link
 * with the sum of the rates.
 * Minimal routes, green before black.
 */
extern const struct cs_fabric_kind cs_fabric_cascade;

#endif
