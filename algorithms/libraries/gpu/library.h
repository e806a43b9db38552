/*
 * NCCL and RCCL as libraries (libraries.def): their tuner (nccl/choice.h) chooses engine and
 * protocol within what the network plugin of the site allows.
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "algorithms/libraries/nccl/choice.h"

/* Engines and protocols that the network plugin allows (nccl/network.h).  A forced
 * protocol beyond them can lose data. */
struct cs_nccl_allowed cs_nccl_plugin_allowed(const struct cs_site *site);
