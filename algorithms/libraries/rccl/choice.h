/*
 * RCCL's choice of engine and protocol between nodes of MI300 and MI350.
 *
 * RCCL estimates trees and rings with factors of its own, by power of two of the
 * size, and then takes the protocol by ranges of the size, whatever protocol it
 * had estimated: LL, LL128, and Simple above.  Other GPUs, single nodes and
 * versions before 2.22 keep NCCL's rules here.
 *
 * Pure functions, no allocation.  Source: ROCm/rccl src/graph/tuning.cc
 * (tuning_model_5 and 6, ncclTopoTuneModel) and src/rccl_wrap.cc
 * (rcclUpdateCollectiveProtocol); ROCm/rocm-systems projects/rccl from
 * 2.27 on.
 */
#pragma once

#include "algorithms/libraries/nccl/choice.h"

/* Replaces engine, protocol and time of NCCL's choice, where RCCL has rules of its
 * own; `allowed` restricts both, and a restricted protocol takes no range. */
void cs_rccl_choose(const struct cs_nccl_comm *comm, const struct cs_nccl_table *table,
                    const struct cs_nccl_call *call, struct cs_nccl_allowed allowed,
                    uint32_t generation, struct cs_nccl_choice *choice);
