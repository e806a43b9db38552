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

#include "algorithms/libraries/nccl/choice.h"

/* The tuner of a communicator of the site. */
enum cs_nccl_tuner cs_nccl_tuner_of(const struct cs_site *site, uint32_t version);

/* Sets engine, protocol and time of the choice to those of the plugin, where its tuner
 * decides; INFINITY among NCCL's estimates is a pair that is not offered. */
void cs_nccl_tuner_choose(const struct cs_nccl_comm *comm, const struct cs_nccl_call *call,
                          const double times_s[CS_NCCL_ENGINES][CS_NCCL_PROTOCOLS],
                          struct cs_nccl_choice *choice);
