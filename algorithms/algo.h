/*
 * Algorithms: what each rank does in each round, and what it should cost.
 *
 * One algorithm is one file with one const struct and one line in
 * algorithms.def.  Everything here is a pure function of the call: no state,
 * no network, no output.
 *
 * The cost is that of the textbooks: every rank has one full-duplex port, a
 * message of n bytes takes alpha + n / beta, adding up n bytes takes gamma n
 * after the message has arrived (Hockney's model).  A test holds it against
 * the simulator, which gives the same on a switch, to rounding.
 */
#ifndef CS_ALGORITHMS_ALGO_H
#define CS_ALGORITHMS_ALGO_H

#include "algorithms/collective.h"
#include "sim/base/err.h"
#include "sim/program/program.h"
#include "topo/formats/source.h"

enum cs_server_place {
    CS_SERVER_APART,     /* a parameter server is an agent of its own */
    CS_SERVER_COLOCATED, /* it is rank 0 */
};

struct cs_rings;

/* What is asked for.  What an algorithm does not use it does not look at; 0
 * leaves the choice to it (see cs_algo_resolve). */
struct cs_call {
    uint32_t ranks;
    uint64_t elements;
    uint32_t element_bytes;
    enum cs_server_place server;
    uint32_t root;
    uint32_t chunks;      /* that a pipeline cuts the vector into */
    uint32_t slices;      /* that a ring cuts its blocks into */
    uint32_t channels;    /* rings side by side */
    uint32_t radix;       /* of Bruck's algorithm */
    uint32_t shards;      /* parameter servers */
    uint32_t group;       /* ranks of a node, neighbours in number */
    const uint32_t *dims; /* of a torus; their product is ranks */
    uint32_t dim_count;
    const void *schedule;         /* of an imported one, import.h */
    const struct cs_rings *rings; /* of the machine, rings.h; NULL: none */
};

/* The machine of the textbooks. */
struct cs_hockney {
    double alpha_s;
    double beta_Bps;
    double gamma_s_per_byte;
};

/* T = rounds * alpha + bytes / beta + reduced_bytes * gamma. */
struct cs_cost {
    double rounds;
    double bytes;
    double reduced_bytes;
};

/* T of a cost, in seconds. */
double cs_cost_s(struct cs_cost cost, const struct cs_hockney *hockney);

/* How the closed form relates to the simulation on an uncontended switch. */
enum cs_exactness {
    CS_COST_EXACT,   /* equal, to rounding */
    CS_COST_EVEN,    /* equal where all blocks are; else a good guess */
    CS_COST_AT_MOST, /* the simulation takes at most as long */
    CS_COST_ROUGHLY, /* a good guess; says so where it is shown */
};

struct cs_algo {
    const char *name; /* "ring" */
    const struct cs_collective *collective;
    const char *about;   /* one line */
    const char *formula; /* "2(p-1) alpha + 2(p-1)/p V/beta + ..." */
    enum cs_exactness exactness;
    /* The same where it depends on the call; NULL: it does not. */
    enum cs_exactness (*exactness_of)(const struct cs_call *call);
    bool moves_blocks; /* see struct cs_program */
    bool handshake;    /* the same */
    bool output_empty; /* the same */
    bool takes_rings;  /* looks at call.rings */
    /* Of an imported one (import.h), else NULL and 0: what becomes
     * call.schedule, and V where the file fixes it. */
    const void *schedule;
    uint64_t vector_bytes;
    enum cs_agent_place agent_place;
    /* Abilities (enum cs_switch_ability) of each switch that has an agent,
     * without which a run is hypothetical; 0: any device will do. */
    unsigned needs;
    /* CS_EINPUT and a sentence where the algorithm does not take the call:
     * "halving needs a power of two of ranks, not 6".  NULL: takes any. */
    int (*check)(const struct cs_algo *algo, const struct cs_call *call,
                 struct cs_err *err);
    /* Sets what the call leaves open (chunks, ...), to the best there is for
     * that machine.  NULL: nothing to set. */
    void (*settle)(struct cs_call *call, const struct cs_hockney *hockney);
    /* Agents beside the ranks; NULL: none. */
    uint32_t (*agents)(const struct cs_call *call);
    /* Lanes of each party; NULL: 1. */
    uint32_t (*lanes)(const struct cs_call *call);
    /* Blocks that the vector is cut into, and the parts of each piece that
     * they are made up of (NULL: 1), blocks of scratch (NULL: none). */
    uint32_t (*blocks)(const struct cs_call *call);
    uint32_t (*parts)(const struct cs_call *call);
    uint32_t (*scratch)(const struct cs_call *call);
    /* See struct cs_program; ctx is the call. */
    uint64_t (*rounds)(const void *call, uint32_t rank, uint32_t lane);
    void (*round)(const void *call, uint32_t rank, uint32_t lane, uint64_t k,
                  struct cs_ops *ops);
    uint64_t (*reduce_scatter_rounds)(const void *call, uint32_t rank);
    struct cs_place (*where)(const void *call, uint32_t rank, uint32_t lane,
                             uint64_t k);
    /* NULL: there is no closed form; NAN rounds: there is none for this call.  The critical path's terms; the numbers of `hockney` matter only where
     * they decide which path that is. */
    struct cs_cost (*cost)(const struct cs_call *call,
                           const struct cs_hockney *hockney);
    /* What of it stays within nodes (call.group); NULL: nobody knows. */
    struct cs_cost (*local_cost)(const struct cs_call *call,
                                 const struct cs_hockney *hockney);
};

#define COLLECTIVE(identifier, title, first, last, factor, signal, text) \
    extern const struct cs_collective cs_collective_##identifier;
#include "algorithms/collectives.def"
#undef COLLECTIVE

extern const struct cs_algo *const cs_algos[];
extern const size_t cs_algo_count;

/* The algorithm of that name for that collective, or NULL. */
const struct cs_algo *cs_algo_find(const char *name,
                                   const struct cs_collective *collective);

/* The same with a message: the nearest name, or those the collective has. */
int cs_algo_choose(const char *name, const struct cs_collective *collective,
                   const struct cs_algo **algo, struct cs_err *err);

/* Does the algorithm take the call?  Its own check, and what all share: root
 * and group within the ranks, blocks of equal size where they move. */
int cs_algo_check(const struct cs_algo *algo, const struct cs_call *call,
                  struct cs_err *err);

/* Fills what the call leaves open; afterwards chunks, slices, channels,
 * shards, group are at least 1 and radix at least 2. */
void cs_algo_resolve(const struct cs_algo *algo, struct cs_call *call,
                     const struct cs_hockney *hockney);

/* The program of a settled call that passes the check; the call must outlive
 * it.  Needs ranks > 0. */
struct cs_program cs_algo_program(const struct cs_algo *algo,
                                  const struct cs_call *call);

/* What the closed form promises of that call: never CS_COST_EVEN. */
enum cs_exactness cs_algo_exactness(const struct cs_algo *algo,
                                    const struct cs_call *call);

/* Seconds; the closed form on that machine.  0 for one rank, NAN where there
 * is none. */
double cs_algo_closed_form_s(const struct cs_algo *algo,
                             const struct cs_call *call,
                             const struct cs_hockney *hockney);

/* The same where the links within nodes are others than those between them. */
double cs_algo_closed_form_of_nodes_s(const struct cs_algo *algo,
                                      const struct cs_call *call,
                                      const struct cs_hockney *between,
                                      const struct cs_hockney *within);

#endif
