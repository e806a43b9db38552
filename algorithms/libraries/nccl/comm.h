/*
 * A communicator of NCCL on a machine: the inputs of the tuning model.
 *
 * Graphs come from the search (nccl/graph.h); the number of channels from the
 * ring's graph and from the rules by version and generation.
 * Source: NVIDIA/nccl src/init.cc, src/graph/connect.cc (ncclTopoPostset),
 * src/transport/nvls.cc.
 */
#ifndef CS_ALGORITHMS_LIBRARIES_NCCL_COMM_H
#define CS_ALGORITHMS_LIBRARIES_NCCL_COMM_H

#include "algorithms/collective.h"
#include "algorithms/libraries/nccl/tuning.h"

/* CS_ECANNOT for a site without GPUs of NVIDIA or AMD. Allocates nothing. */
int cs_nccl_comm_read(const struct cs_site *site, uint32_t version, struct cs_nccl_comm *comm,
                      struct cs_err *err);

/* A communicator with a collective network, as NCCL_COLLNET_ENABLE=1 with a
 * plugin of SHARP gives: adds the graphs of CollNet. */
void cs_nccl_comm_add_collnet(const struct cs_site *site, struct cs_nccl_comm *comm);

/* The tuned function of a collective; CS_NCCL_FUNCS for a collective that NCCL
 * sends from rank to rank without tuning. */
enum cs_nccl_func cs_nccl_func_of(const struct cs_collective *collective);

#endif
