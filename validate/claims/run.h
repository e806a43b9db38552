/*
 * Claim runs: an algorithm on a medium, proved and simulated once.
 *
 *     open, run   one opening of the machine, one proof, one simulation (model
 *                 fifo)
 */
#pragma once

#include "algorithms/algo.h"
#include "sim/net/net.h"
#include "topo/graph/graph.h"

/*
 * Media: the six machines on which claims are measured.
 *
 * Every medium has bandwidth CS_MEDIUM_BPS and no latency, so that times are
 * multiples of V/beta.
 */

#define CS_MEDIUM_BPS 1e10

enum cs_medium {
    CS_MEDIUM_BUS,
    CS_MEDIUM_HALF,
    CS_MEDIUM_FULL,
    CS_MEDIUM_MESH,
    CS_MEDIUM_BROADCAST,
    CS_MEDIUM_SHARP,
    CS_MEDIA,
};

/* The title of a column, "one-port full duplex", and a description. */
const char *cs_medium_name(enum cs_medium medium);
const char *cs_medium_about(enum cs_medium medium);

/* The machine of a medium, with "%u" for the number of ranks. */
const char *cs_medium_spec(enum cs_medium medium);

/* An all-reduce that the medium favours and that bounds of unicasts do not
 * cover, or NULL. */
const char *cs_medium_rival(enum cs_medium medium);

/* 2^4 3^2 5 7 11 13 elements: every p up to 16 divides. */
#define CS_CLAIM_ELEMENTS 720720u

/* Measured quantities in bytes; times in bytes at beta. */
struct cs_claim_measured {
    double sent_by_all;
    double sent;
    double sent_by_one;
    double time;
    double redundant_scattered;
    double redundant;
    double least; /* the lower bound of the time */
};

/* The caller sets elements, group and beta_Bps before open, and frees the arena
 * afterwards, also after an error. */
struct cs_claim_run {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    struct cs_call call;
    struct cs_program program;
    uint64_t elements;
    uint32_t group; /* ranks of a node, for hierarchies */
    double beta_Bps;
};

/* Opens the machine `spec` and settles the algorithm's program on it.  CS_EINPUT
 * for a machine or a number of ranks that the algorithm refuses. */
int cs_claim_run_open(struct cs_claim_run *run, const struct cs_algo *algo, const char *spec,
                      struct cs_err *err);

/* The same on a medium with p ranks. */
int cs_claim_run_open_medium(struct cs_claim_run *run, const struct cs_algo *algo,
                             enum cs_medium medium, uint32_t p, struct cs_err *err);

/* Proves and simulates the program. */
int cs_claim_run_measure(struct cs_claim_run *run, const struct cs_collective *collective,
                         struct cs_claim_measured *measured, struct cs_err *err);

double cs_claim_run_vector_bytes(const struct cs_claim_run *run);

/* The slowest link of the routes from any rank to the next. */
double cs_claim_run_neighbour_Bps(struct cs_claim_run *run);
