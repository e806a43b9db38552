/*
 * NCCL and RCCL as libraries of cost models: choice, time and interval of a
 * call with parameters of the caller, for estimates of parameters.  The
 * registered libraries (libraries.def) take the parameters of
 * nccl_parameters.h.
 *
 * NCCL chooses engine and protocol by its own tuner (nccl_choice.h) within what
 * the network plugin allows: EFA before P5 has Simple alone, EFA from P5 on
 * LL128 and Simple, since EFA does not keep the order of 8-byte stores (aws-ofi-nccl
 * sets NCCL_PROTO).
 *
 * No allocation; O(engines x protocols).
 */
#ifndef CS_ALGORITHMS_LIBRARIES_NCCL_LIBRARY_H
#define CS_ALGORITHMS_LIBRARIES_NCCL_LIBRARY_H

#include "algorithms/libraries/library.h"
#include "algorithms/libraries/nccl_choice.h"

/* CS_EINPUT for an unknown engine or protocol, CS_ECANNOT for a site or a
 * collective outside the model. */
int cs_nccl_library_time(const struct cs_library_request *request,
                         const double *parameters, struct cs_library_time *time,
                         struct cs_err *err);

/* Sets low_s and high_s: 90 % of ln(time) of sites that were left out of the
 * estimate lie within, by class of machine and size. */
void cs_nccl_set_interval(const struct cs_library_request *request,
                          struct cs_library_time *time);

#endif
