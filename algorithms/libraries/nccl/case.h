/*
 * A call of NCCL on a site, with the library's choice and the parameters of
 * the time.
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "algorithms/libraries/nccl/constants.h"

/* A call on a site with the choice of the library. */
struct cs_nccl_case {
    const struct cs_library_request *request;
    const double *parameters; /* by enum cs_nccl_parameter */
    enum cs_nccl_func func;   /* not read for exchanges of peers */
    enum cs_nccl_engine engine;
    enum cs_nccl_protocol protocol;
    uint32_t ring_channels;  /* of the communicator */
    uint32_t channels;       /* of the call */
    uint64_t chunk_bytes;    /* largest on a channel; 0: not known */
    bool same_order;         /* all rings of the communicator have one order */
    uint32_t most_channels;  /* that may run; 0: all */
    double message_channels; /* of a message between peers, where it is long */
    double far_channels;     /* of a message to another node */
    bool by_element;         /* copies: blocks are not aligned to 16 B */
    double tuner_s;          /* NCCL's own estimate; NAN: none */
    bool by_plugin;          /* the choice is that of a plugin's tuner */
};
