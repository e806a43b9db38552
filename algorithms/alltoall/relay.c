/*
 * Relay all-to-all, for machines with wires between some pairs of ranks only, such as DGX-1 or
 * MI250X: a block takes the pair's own route or goes through a third rank.
 */
#include "algorithms/shared/relayed.h"

const struct cs_algo cs_algo_alltoall_relay = {
    .collective = &cs_collective_alltoall,
    .name = "relay",
    .about = "pairs without a wire of their own through a third rank",
    .formula = "none: follows from the wires",
    .exactness = CS_COST_ROUGHLY,
    .moves_blocks = true,
    .takes_relays = true,
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
