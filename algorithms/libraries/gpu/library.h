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

/* Sets the case of a request: NCCL's choice, which no parameter changes.  The
 * request must outlive the case.  Symmetric kernels have no case, as their time
 * has no parameters.  CS_EINPUT for an unknown engine or protocol, CS_ECANNOT for a site or a
 * collective outside the model. */
int cs_nccl_prepare(const struct cs_library_request *request, struct cs_nccl_case *at,
                    struct cs_err *err);

/* The time of a prepared case with the parameters of the case, without an
 * interval. */
void cs_nccl_case_time(const struct cs_nccl_case *at, struct cs_library_time *time);

/* Both in one, with the interval. */
int cs_nccl_library_time(const struct cs_library_request *request, struct cs_library_time *time,
                         struct cs_err *err);
