/*
 * The tuner of a network plugin: what runs in place of NCCL's own choice.
 *
 * Amazon's plugin (aws-ofi-nccl) holds polygons over bytes and ranks for its instances,
 * measured by Amazon (plugin_regions.def), from three nodes on; the first region that
 * holds the call names engine and protocol, if NCCL offers the pair.  Elsewhere NCCL
 * chooses by itself.  Assumed: a plugin of 2025 or newer; NCCL loads tuners from 2.19 on.
 *
 * Pure, O(regions), no allocation.
 */
#pragma once

#include "algorithms/libraries/nccl/tuning.h"

/* The tuner of a communicator of the site. */
enum cs_nccl_tuner cs_nccl_tuner_of(const struct cs_site *site, uint32_t version);

struct cs_nccl_decision {
    bool is_made; /* false: NCCL chooses by itself */
    enum cs_nccl_engine engine;
    enum cs_nccl_protocol protocol;
};

/* What the tuner decides for a call of so many bytes, of all ranks for all-gather and
 * reduce-scatter; INFINITY among NCCL's estimates is a pair that is not offered. */
struct cs_nccl_decision cs_nccl_tuner_decide(
    const struct cs_nccl_comm *comm, enum cs_nccl_func func, uint64_t bytes,
    const double times_s[CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS]);
