/*
 * A model of ranks on GPUs, calibrated by microbenchmarks alone.
 *
 * Ranks that share a GPU send through slots (validate/cuda/slot.h).  A thread
 * block copies slices of its vector into a slot (put), or from a slot into its
 * vector (get), or adds them (add), one after the other.  What that costs is
 * measured by itself: rates of puts, gets and adds by the number of thread
 * blocks at work and by the size of the vectors, which decides whether these
 * are in L2 or in HBM; slots are small and stay in L2.  So of HBM a message
 * takes one read (put) and one write (get), and a sum one read more: in a step
 * of a ring's reduce-scatter a rank reads two blocks and writes one, in one of
 * its all-gather it reads one and writes one.
 *
 *     rank --port--> memory --> rank          slots on the GPU
 *     rank --port--> PCIe up, PCIe down --> rank      in memory of the host
 *     rank --port--> memory, link out --> link in, memory --> rank   on a peer
 *
 *   port     a rank's thread blocks: half duplex, out at the rate of a put, in
 *            at that of a get, by as many blocks as a rank has
 *   memory   one medium for all: the rate at which all blocks together put and
 *            get
 *   PCIe     one medium for each direction, at the rate that blocks (or copy
 *            engines) reach both ways at once.  Copy engines take slices one
 *            after the other as they are ready (model fifo), and a slice goes
 *            on when all of it is in memory of the host: one slice's second hop
 *            is a latency of every message.  What is added up behind it is the
 *            last slice; the others are while copies go on
 *   server   in memory of the host, its vector is there as well and its thread
 *            blocks are on the GPU: what it adds up comes down twice, slot and
 *            vector, and goes up twice, from the rank and as the sum; what it
 *            sends comes down twice, vector and then slot, and goes up once.
 *            Its port is as fast as blocks that do the same alone; PCIe holds
 *            that back with all else that it carries
 *   link     of a GPU to its peers, out and in: what all its blocks put one
 *            way, to the slowest peer, or around a ring of as many GPUs if
 *            that is less.  Memory at its ends takes the put here, the get
 *            there.  Ranks are in blocks on GPUs; the GPU with most of them
 *            sets the rates of all
 *   alpha    what a message of one slice takes one way, to and fro between two
 *            ranks of a GPU or of two, beyond its copies, which ports are
 *            simulated to take: put and then get.  Where a rank receives and
 *            does not send in a round, its message takes put and get one after
 *            the other, and two ports at once the longer one: the other is in
 *            alpha.  By copy engines it is that of two copies of a graph in which
 *            each waits for the one before, without the time that they keep the
 *            engines from others, which is a copy's cost at its engine; and a
 *            kernel that adds up is a node more
 *   start    of a run beyond its messages: of messages to and fro 4 times and 64
 *            times what is left at none.  By copy engines a run is one graph:
 *            what it takes beyond its copies, from launch to end
 * *   sync     what a slice takes beyond its copy: flag, fence and barriers.  By
 *            messages of many slices to and fro: the time of one more slice less
 *            that of its copy.  A thread block does what is ready of a round
 *            together, so that all its sends and receives pay once; the first
 *            slices of a round are in alpha
 *   move     each message more that a port sends, or that is sent to it, in one
 *            round waits for memory once: what less than a slice takes, put or
 *            got, beyond its bytes.  It holds up a server that short messages of
 *            all ranks reach together
 *   gamma    what an add takes longer than a get: of the blocks of one rank, or
 *            where several ranks add at once and memory holds them back of all
 *            of these together, whichever is more
 *
 * Nothing that was measured of a collective is looked at: the question has no
 * place for it.  Order: make, then predict as often as wanted; the arena has it
 * all.
 */
#ifndef CS_VALIDATE_GPU_MODEL_H
#define CS_VALIDATE_GPU_MODEL_H

#include "validate/gpu/rates.h"

#include <stdbool.h>

/* What was run, without how long it took. */
struct cs_gpu_query {
    const char *algorithm;
    const char *transport; /* device, host, copy */
    bool servers_on_host;
    uint32_t ranks, channels, gpus;
    uint64_t bytes;
    uint32_t element_bytes;
    uint64_t slice_bytes, threads, depth;
    /* The table that was run: its hash (cs_gpu_table) and how it was made. */
    const char *table;
    uint32_t chunks, shards, slices;
};

struct cs_gpu_prediction {
    double time_s;        /* by the simulator, model fluid */
    double closed_form_s; /* of the textbook, by the same numbers */
    double bound_s;  /* every rank's vector has to be read and written once */
    double copies_s; /* of plain copies within the GPU that read and write as
                        much of the vectors; 0: not told */
};

/* Bytes of the vectors of a GPU's ranks together; of the GPU with most. */
double cs_gpu_footprint(const struct cs_gpu_query *query);

/* The hash of the table that this program makes of the question, as 16 digits
 * in the arena. */
int cs_gpu_table(const struct cs_gpu_query *query, struct cs_arena *arena,
                 const char **table, struct cs_err *err);

/* What the program that this one makes of a question takes. */
struct cs_gpu_shape_of_table {
    uint32_t blocks, lanes, agents; /* lanes of all parties */
};

/* Fills in chunks, shards, slices and table, as this program settles them; the
 * table's hash is in the arena. */
int cs_gpu_settle_table(struct cs_gpu_query *query, struct cs_arena *arena,
                        struct cs_gpu_shape_of_table *shape,
                        struct cs_err *err);

/* Predicts one run.  CS_ECANNOT and the reason when this model does not tell,
 * was not calibrated for it, or would simulate another table than was run. */
int cs_gpu_predict(const struct cs_gpu_model *model,
                   const struct cs_gpu_query *query,
                   struct cs_gpu_prediction *answer, struct cs_err *err);

#endif
