/*
 * A call of NCCL with round figures, for times by hand.
 *
 * Nodes of eight Hopper GPUs: links of 450 GB/s, rings of 400, adapters of 8 x 25 GB/s.
 * Every parameter is 1 until a test sets it; no effects.
 */
#pragma once

#include "algorithms/libraries/nccl/rates.h"

#include "tests/fixture.h"

#include <math.h>

struct round_nccl {
    struct cs_site site;
    struct cs_library_request request;
    double parameters[CS_NCCL_PARAMETERS];
    struct cs_nccl_case at;
};

static inline void round_nccl_open(struct round_nccl *nccl, uint32_t nodes)
{
    *nccl = (struct round_nccl){.site = {.ranks = 8 * nodes,
                                         .nodes = nodes,
                                         .node_ranks = 8,
                                         .maker = CS_MAKER_NVIDIA,
                                         .generation = 90,
                                         .has_switch = true,
                                         .peer_access = true,
                                         .gdr = true,
                                         .gpu_path = CS_PATH_LINKS,
                                         .link_Bps = 450e9,
                                         .ring_Bps = 400e9,
                                         .adapters = 8,
                                         .adapter_Bps = 25e9,
                                         .node_Bps = 200e9,
                                         .net = CS_NET_IB}};
    for (size_t i = 0; i < CS_NCCL_PARAMETERS; i++)
        nccl->parameters[i] = 1;
    nccl->request = (struct cs_library_request){
        .site = &nccl->site, .collective = &cs_collective_allreduce, .version = 22000};
    nccl->at = (struct cs_nccl_case){.request = &nccl->request,
                                     .parameters = nccl->parameters,
                                     .func = CS_NCCL_ALL_REDUCE,
                                     .engine = CS_NCCL_RING,
                                     .protocol = CS_NCCL_SIMPLE,
                                     .ring_channels = 8,
                                     .channels = 8,
                                     .tuner_s = NAN};
}

static inline void round_nccl_close(struct round_nccl *nccl)
{
    (void)nccl; /* which holds nothing */
}

#define NCCL_TEST(name) TEST_OF(struct round_nccl, nccl, round_nccl_close, name)

static inline void round_nccl_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g, expected %.12g", got, expected);
}
