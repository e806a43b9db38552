/*
 * NCCL and RCCL as libraries of cost models: choice, time and interval of a
 * call with parameters of the caller, for estimates of parameters.  The
 * registered libraries (libraries.def) take the parameters of
 * nccl/parameters.h.
 *
 * NCCL chooses engine and protocol by its own tuner (nccl/choice.h) within what
 * the network plugin allows (nccl/network.h).
 *
 * No allocation; a preparation is O(engines x protocols), a time O(1).
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "algorithms/libraries/nccl/call.h"
#include "algorithms/libraries/nccl/choice.h"

/* Engines and protocols that the network plugin allows (nccl/network.h).  A forced
 * protocol beyond them can lose data. */
struct cs_nccl_allowed cs_nccl_plugin_allowed(const struct cs_site *site);
