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
#pragma once

#include "sim/net/net.h"
#include "sim/program/program.h"
#include "validate/gpu/calibrated.h"
#include "validate/gpu/query.h"

/*
 * Tallies: the work of a program, counted op by op, without any time.
 *
 * The GPU model turns the counts into costs: a thread block pays for each pass
 * over the ready ops and for each queued message, reducers share memory, and
 * copies read and write vectors.
 *
 *     tally_of   O(ops of the program times channels)
 */

/* The work of a party's port beyond the first slice of a message. */
struct cs_gpu_port_work {
    double passes;          /* over the ready ops of a round, beyond the first pass */
    double queued;          /* messages behind the first of a round, sent or received */
    double bytes;           /* sent and received */
    uint64_t sent, arrived; /* the last round, from 1, with a message */
};

struct cs_gpu_tally {
    double adds, adding_rounds;     /* sums; rounds with a sum */
    double reducers;                /* sums at once in an adding round, on average */
    double moved;                   /* bytes sent and received by all ports */
    double touched;                 /* bytes of vectors that are read or written */
    double largest;                 /* bytes of the largest message */
    double slices;                  /* sent, of all messages and channels */
    double sends, sending_rounds;   /* messages; rounds with a message */
    struct cs_gpu_port_work *ports; /* by party */
    /* Bytes received in rounds in which the party also sends, and in rounds
     * in which the party only receives. */
    double received, received_alone;
};

/* The tally of a program that runs with the query's channels and slices; the
 * ports are in the arena. */
struct cs_gpu_tally cs_gpu_tally_of(const struct cs_gpu_query *query,
                                    const struct cs_program *program, struct cs_arena *arena);

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
