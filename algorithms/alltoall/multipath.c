/*
 * Multipath all-to-all, for any machine of 3 to 128 ranks: shares of a block go through any
 * relays in a row.
 */
#include "algorithms/shared/relayed.h"

const struct cs_algo cs_algo_alltoall_multipath = {
    .collective = &cs_collective_alltoall,
    .name = "multipath",
    .about = "shares of every block along several paths, through any other ranks",
    .formula = "none: follows from the wires",
    .exactness = CS_COST_ROUGHLY,
    .moves_blocks = true,
    .takes_relays = true,
    .relays_in_rows = true,
    .check = cs_relayed_check,
    .settle = cs_relayed_settle,
    .lanes = cs_relayed_lanes,
    .blocks = cs_relayed_blocks,
    .parts = cs_relayed_parts,
    .scratch = cs_relayed_scratch,
    .rounds = cs_relayed_rounds,
    .round = cs_relayed_round,
    .cost = cs_relayed_cost,
};
