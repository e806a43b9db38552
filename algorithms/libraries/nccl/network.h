/*
 * Networks as NCCL and RCCL use them: costs beside those of verbs, and what the plugin
 * decides.  An entry is a line of topo/kinds/networks.def.
 */
#pragma once

#include "algorithms/libraries/nccl/tuning.h"
#include "algorithms/libraries/site/summary.h"

/* Parameters are of enum cs_nccl_parameter; 0, which is none of a network: without. */
struct cs_nccl_network {
    unsigned step;    /* latency of a step beyond that of verbs */
    unsigned data;    /* growth of a full step; without: PLUGIN_DATA times the step */
    unsigned rate;    /* share of the adapters' payload */
    unsigned process; /* GB/s of one that copies packets, without GPUDirect; without: no limit */
    /* Sets of enum cs_nccl_engine and cs_nccl_protocol that the plugin allows; 0: all. */
    unsigned engines, protocols;
    unsigned staged_protocols; /* without GPUDirect; 0: the same */
    double stated_us;          /* latency that the plugin states to NCCL */
    enum cs_nccl_tuner tuner;  /* of the plugin */
    uint32_t buffer_bytes;     /* NCCL_BUFFSIZE that the plugin sets; 0: none */
    /* The receiver of a Simple step reads back through its adapter before the GPU may
     * see the data, a second passage of the plugin, with GPUDirect. */
    bool flushes;
    /* The adapters of a GPU are one device for NCCL, and a message is divided among them
     * after a control message of the receiver (RDMA protocol of aws-ofi-nccl). */
    bool joins;
};

const struct cs_nccl_network *cs_nccl_network_of(const struct cs_site *site);
