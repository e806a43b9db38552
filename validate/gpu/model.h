/*
 * A model of ranks on GPUs, calibrated by microbenchmarks alone.
 *
 * Ranks of a GPU exchange data through slots (validate/cuda/slot.h).  A thread
 * block copies slices of a vector into a slot (put), from a slot into a vector
 * (get), or adds a slot to a vector (add), in sequence.  Microbenchmarks
 * give the rates of puts, gets and adds by the number of thread blocks at work
 * and by the size of the vectors, which decides between L2 and HBM; slots are
 * small and stay in L2.  A message thus costs HBM a read (put) and a write
 * (get), and a sum a second read: in a step of a ring's reduce-scatter a rank
 * reads two blocks and writes a block, in a step of the all-gather a rank reads
 * a block and writes a block.
 *
 * The simulated network (machine.h) consists of:
 *
 *   port     a rank's thread blocks: half duplex, out at the rate of a put, in
 *            at the rate of a get, with the rank's number of blocks
 *   memory   a medium per GPU: the rate of puts and gets of the GPU's blocks
 *            together
 *   PCIe     a medium per direction, at the rate of blocks (or copy engines)
 *            with both directions busy.  Copy engines take slices in the order
 *            of readiness (model fifo), and a slice leaves host memory after
 *            complete arrival: the second hop of a slice is a latency of every
 *            message.  Only the last slice's sum is visible; earlier sums
 *            overlap with copies
 *   server   a parameter server in host memory: the vector is in host memory
 *            and the thread blocks are on the GPU.  A reduced byte comes down
 *            twice, slot and vector, and goes up twice, from the rank and as
 *            the sum; a sent byte comes down twice, vector and slot, and goes
 *            up once. The port has the rate of blocks with the work in
 *            isolation; contention on PCIe lowers the rate further
 *   link     a GPU's connection to peers, out and in: the rate of all blocks'
 *            puts to the slowest peer, or around a ring of as many GPUs if
 *            lower.  Memory carries the put at the near end, the get at the far
 *            end.  Ranks are in contiguous blocks on GPUs; the GPU with most
 *            ranks sets the rates of every GPU
 *
 * with the costs (costs.c):
 *
 *   alpha    the one-direction time of a ping-pong message of a single slice,
 *            between ranks of a GPU or of two, without put and get, simulated
 *            by the ports. At a port that only receives in a round, put and get
 *            of the message are serial, while the simulation overlaps two
 *            ports: alpha includes the shorter of the two.  With copy engines
 *            alpha is the latency of two dependent copies of a graph, without
 *            the occupation of the engine (the copy's cost at the engine); a
 *            reducing kernel is a further node
 *   start    the time of a run beyond the messages: extrapolated to none from
 *            ping-pongs of 4 and of 64 rounds.  With copy engines a run is a
 *            single graph: the graph's time beyond the copies, from launch to
 *            end
 *   sync     the time of a slice beyond the copy: flag, fence and barriers.
 *            From ping-pongs of many slices: the time of a further slice less
 *            the copy.  A thread block moves a slice of every ready op of a round
 *            in a pass, so sends and receives of a round pay once; alpha has
 *            the first pass
 *   queue    the wait of each further message of a round at a port: the time of
 *            a short slice, put or get, beyond the bytes.  Short messages of
 *            the ranks to a server queue at the port
 *   delay    the late start of a rank, by the query: the simulation decides how
 *            much of the delay reaches the ranks
 *   gamma    the time of an add beyond a get: of a rank's blocks, or of the
 *            reducing ranks' blocks where shared memory limits: the larger
 *            time
 *
 * Measured collectives do not enter: the query has no field for a measured
 * time.
 *
 *     predict   a simulation of the program (sim/engine/exec.h)
 */
#pragma once

#include "validate/gpu/calibrated.h"
#include "validate/gpu/query.h"

struct cs_gpu_prediction {
    double time_s;        /* by the simulator, model fluid or fifo */
    double closed_form_s; /* of the textbook, with equal costs */
    double bound_s;       /* every rank's vector is read and written once, and
                         not before a late rank starts */
    double copies_s;      /* of plain copies on the GPU with the same traffic to
                        and from vectors; 0: not calibrated, not on one GPU, or
                        with a late rank */
};

/* Predicts a run.  CS_EINPUT for fewer ranks than GPUs; CS_ECANNOT, with the
 * reason, where the calibration does not cover the query, or where the measured
 * op table differs from this version's. */
int cs_gpu_predict(const struct cs_gpu_model *model, const struct cs_gpu_query *query,
                   struct cs_gpu_prediction *answer, struct cs_err *err);

/* The same, with the end of each rank in `ends_s`, which has room for the ranks
 * of the query. */
int cs_gpu_predict_ends(const struct cs_gpu_model *model, const struct cs_gpu_query *query,
                        struct cs_gpu_prediction *answer, double *ends_s, struct cs_err *err);
