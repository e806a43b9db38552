/*
 * The machine of one query: GPU memory, ports, PCIe and peer links as a network.
 *
 * cs_gpu_costs_set fills in rates and latencies; build makes the network from them.
 * Links that share hardware are one resource: the two directions of a port, the
 * three uses of a GPU's memory, a PCIe direction crossed once or twice.
 *
 *     rank --port--> memory --> rank          slots on the GPU
 *     rank --port--> PCIe up, PCIe down --> rank      in host memory
 *     rank --port--> memory, link out --> link in, memory --> rank   on a peer
 *
 *     build   O(parties + GPUs)
 */
#ifndef CS_VALIDATE_GPU_MACHINE_H
#define CS_VALIDATE_GPU_MACHINE_H

#include "sim/net/net.h"
#include "validate/gpu/calibrated.h"
#include "validate/gpu/tally.h"

/* The links of a party's port. */
enum cs_gpu_port {
    CS_GPU_PORT_OUT, /* to slots of the same GPU, or of the host */
    CS_GPU_PORT_IN,
    CS_GPU_PORT_REMOTE, /* to slots of a peer GPU */
    CS_GPU_PORTS,
};

struct cs_gpu_rates {
    /* Of a rank's thread blocks; seconds a byte of a sum. */
    double out_Bps, in_Bps, remote_Bps, gamma_s;
    double put_Bps, get_Bps; /* of all thread blocks of a GPU */
    double peer_Bps;         /* of a GPU's links to peers */
    double up_Bps, down_Bps; /* of PCIe; 0: not in use */
};

/* Of a message. */
struct cs_gpu_latencies {
    double alpha_s, remote_alpha_s;
    double sync_s, remote_sync_s; /* of a pass beyond the first */
    double queue_s;               /* of a queued message */
    double hop_s;                 /* of the first slice's second hop, from host memory */
    double start_s;               /* of a run beyond the messages */
    double sum_s;                 /* of a reducing kernel, beyond the bytes */
};

struct cs_calibrated_machine {
    const struct cs_gpu_model *model;
    const struct cs_gpu_query *query;
    const struct cs_program *program;
    struct cs_gpu_tally tally;
    /* Of the simulation. */
    const char *link_model;
    bool eager;        /* a send completes when the bytes have left */
    struct cs_net net; /* party_count is set before the costs */
    struct cs_gpu_rates rates;
    struct cs_gpu_latencies latencies;
};

bool cs_gpu_machine_is_host_server(const struct cs_calibrated_machine *machine, uint32_t party);

/* The index of a port's link in the network. */
uint32_t cs_gpu_machine_port(uint32_t party, enum cs_gpu_port which);

/* Builds machine->net in the arena; the network's routes refer to `machine`. */
void cs_gpu_machine_build(struct cs_calibrated_machine *machine, struct cs_arena *arena);

/*
 * Costs: rates and latencies of a machine from the GPU's calibration.
 *
 * Only microbenchmarks enter (rates.h); the tally says how many thread blocks
 * share memory, how long messages are and how often ports pay for a slice.
 * model.h describes each cost.
 *
 *     set   O(points of the curves)
 */

/* Fills in link model, rates and latencies of a machine that has model, query,
 * program, tally and the number of parties.  CS_ECANNOT, with the reason, where
 * the calibration lacks a microbenchmark that the query needs. */
int cs_gpu_costs_set(struct cs_calibrated_machine *machine, struct cs_err *err);

#endif
