/*
 * Algorithms: the operations of each rank in each round, and the closed form.
 *
 * An algorithm is one file with one const struct, and one line in
 * algorithms.def.  All functions are pure functions of the call: no state, no
 * network, no output.
 *
 * The closed form is that of the textbooks (Hockney's model): every rank has
 * one full-duplex port, a message of n bytes takes alpha + n / beta, and a
 * reduction of n bytes takes gamma n after the arrival of the message.  A test
 * compares the closed form with the simulator on a switch; the difference is
 * rounding.
 */
#pragma once

#include "algorithms/collective.h"
#include "sim/base/err.h"
#include "sim/program/program.h"
#include "topo/graph/agent_place.h"

enum cs_server_place {
    CS_SERVER_APART,     /* a parameter server is an agent */
    CS_SERVER_COLOCATED, /* a parameter server is a rank */
};

struct cs_relays;
struct cs_rings;
struct cs_trees;

/* The machine of the textbooks. */
struct cs_hockney {
    double alpha_s;
    double beta_Bps;
    double gamma_s_per_byte;
};

/* The parameters of a collective call.  An algorithm reads only the parameters
 * of the algorithm; 0 leaves the choice to cs_algo_resolve. */
struct cs_call {
    const struct cs_collective *collective; /* set by cs_algo_resolve */
    struct cs_hockney hockney;              /* the same; and for a closed form */
    struct cs_hockney between; /* nodes, where `hockney` is within; zeroed: as `hockney` */
    uint32_t ranks;
    uint64_t elements;
    uint32_t element_bytes;
    enum cs_server_place server;
    uint32_t root;
    uint32_t chunks;      /* of a pipeline: pieces of the vector */
    uint32_t slices;      /* of a channel, channels.h */
    uint32_t channels;    /* concurrent rings, channels.h */
    uint32_t peers;       /* of a direct exchange: peers in each round */
    uint32_t radix;       /* of Bruck's algorithm */
    uint32_t shards;      /* parameter servers */
    uint32_t group;       /* ranks of a node, with consecutive numbers */
    uint32_t sharing;     /* ranks of an adapter, adapters.h; 0: one */
    uint32_t carriers;    /* of a node, mirrors/carriers.c; 0: all ranks but one */
    const uint32_t *dims; /* of a torus; the product is ranks */
    uint32_t dim_count;
    bool dims_are_wires;            /* each is a dimension of the machine's torus */
    const void *schedule;           /* of an imported algorithm, import.h */
    const struct cs_rings *rings;   /* of the machine, rings.h; or NULL */
    bool rings_by_node;             /* every ring passes node after node; node_lines.h */
    bool rings_repeat;              /* and all nodes in one order */
    const struct cs_relays *relays; /* of the machine, relays.h; or NULL */
    const struct cs_trees *trees;   /* of the machine, trees.h; or NULL */
};

/* T = rounds * alpha + bytes / beta + reduced_bytes * gamma. */
struct cs_cost {
    double rounds;
    double bytes;
    double reduced_bytes;
};

/* T of a cost, in seconds. */
double cs_cost_s(struct cs_cost cost, const struct cs_hockney *hockney);

/* Relation of the closed form to the simulation on an uncontended switch. */
enum cs_exactness {
    CS_COST_EXACT,   /* equal, except for rounding */
    CS_COST_EVEN,    /* equal for equal blocks; else an estimate */
    CS_COST_AT_MOST, /* the simulation takes at most as long */
    CS_COST_ROUGHLY, /* an estimate, and shown as an estimate */
};

/* How often a plan may be launched where its ranks do not meet in between. */
enum cs_launches {
    CS_LAUNCHES_UNKNOWN,  /* not a plan that is launched */
    CS_LAUNCHES_ONE,      /* once */
    CS_LAUNCHES_ONE_HALF, /* once; in a row with double scratch, which it lacks */
    CS_LAUNCHES_HALVES,   /* in a row, by double scratch */
    CS_LAUNCHES_ANY,      /* in a row */
    CS_LAUNCHES_COUNT,
};

struct cs_algo {
    const char *name; /* "ring" */
    const struct cs_collective *collective;
    const char *about;   /* one line */
    const char *formula; /* "2(p-1) alpha + 2(p-1)/p V/beta + ..." */
    enum cs_exactness exactness;
    /* For an exactness that depends on the call; else NULL. */
    enum cs_exactness (*exactness_of)(const struct cs_call *call);
    bool moves_blocks; /* these four: see struct cs_program */
    bool handshake;
    bool output_empty;
    bool sums_race;
    bool ring_lanes; /* see struct cs_program */
    bool scatters;   /* a reduce-scatter, or one in the first half of the rounds */
    bool line_lanes;
    bool takes_rings;    /* reads call.rings */
    bool rings_of_nodes; /* with takes_rings: for call.rings_by_node only */
    bool takes_relays;   /* reads call.relays */
    bool relays_in_rows; /* with takes_relays: several on a path */
    bool takes_sharing;  /* reads call.sharing */
    bool takes_carriers; /* reads call.carriers */
    bool takes_trees;    /* reads call.trees */
    bool takes_dims;     /* reads call.dims */
    bool sliced;         /* open slices are those of the transport */
    /* Of an imported algorithm (import.h), else NULL and 0: the later
     * call.schedule, and V for a file with a fixed size. */
    const void *schedule;
    uint64_t vector_bytes;
    /* What its file states without effect on a run, a sentence; NULL: none. */
    const char *remark;
    enum cs_launches launches; /* of an imported plan */
    enum cs_agent_place agent_place;
    /* Abilities (enum cs_switch_ability) of each switch that has an agent,
     * for a run that is not hypothetical; 0: none. */
    unsigned needs;
    /* CS_EINPUT and a message for a call outside the algorithm's domain:
     * "halving needs a power of two of ranks, not 6".  NULL: no limits.  The
     * algorithm is an argument so that algorithms can share a check. */
    int (*check)(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);
    /* Sets open parameters (chunks, ...) to the values with the least closed
     * form on the machine.  NULL: no such parameters. */
    void (*settle)(struct cs_call *call);
    /* Agents in addition to the ranks; NULL: none. */
    uint32_t (*agents)(const struct cs_call *call);
    /* Lanes of each party; NULL: 1. */
    uint32_t (*lanes)(const struct cs_call *call);
    /* Blocks of the vector, parts of each piece (NULL: 1), blocks of scratch
     * (NULL: none). */
    uint32_t (*blocks)(const struct cs_call *call);
    uint32_t (*parts)(const struct cs_call *call);
    uint32_t (*scratch)(const struct cs_call *call);
    /* See struct cs_program; ctx is the call. */
    uint64_t (*rounds)(const void *call, struct cs_at at);
    void (*round)(const void *call, struct cs_at at, struct cs_ops *ops);
    uint32_t (*turn)(const void *call, struct cs_at at);
    uint32_t (*order)(const void *call, uint32_t party);
    uint32_t (*served)(const void *call, uint32_t lane, const struct cs_op *send);
    uint32_t serving;
    struct cs_place (*where)(const void *call, struct cs_at at);
    /* The terms of the critical path; call.hockney only decides between paths.
     * NULL: no closed form; NAN rounds: no closed form for this call. */
    struct cs_cost (*cost)(const struct cs_call *call);
    /* The part of the cost within nodes (call.group); NULL: unknown. */
    struct cs_cost (*local_cost)(const struct cs_call *call);
    /* The share of the bytes of one part, within nodes or between, that hide behind those
     * of the other, which take longer: on ports of their own.  NULL: none. */
    double (*overlap)(const struct cs_call *call);
};

extern const struct cs_algo *const cs_algos[];
extern const size_t cs_algo_count;

/* Libraries that run an algorithm, a set of bits. */
enum cs_run_by {
    CS_RUN_BY_NCCL = 1 << 0,
    CS_RUN_BY_RCCL = 1 << 1,
    CS_RUN_BY_MPI = 1 << 2,
    CS_RUN_BY_GLOO = 1 << 3,
    CS_RUN_BY_HCCL = 1 << 4,
    CS_RUN_BY_ANY = (1 << 5) - 1,
    CS_RUN_IN_NODE = 1 << 5,     /* by NCCL and RCCL inside a node only */
    CS_RUN_RANK_A_NODE = 1 << 6, /* by NCCL over nodes of one rank only */
};

/* The libraries that run the algorithm, by algorithms.def, with CS_RUN_IN_NODE and
 * CS_RUN_RANK_A_NODE; 0 for an imported algorithm.  O(algorithms). */
unsigned cs_algo_run_by(const struct cs_algo *algo);

/* The libraries that run the algorithm inside a node, or over several, each of one
 * rank or more. */
unsigned cs_algo_run_over(const struct cs_algo *algo, bool several_nodes, bool several_ranks);

/* Adds "MPI or Gloo" for two bits and " or ". */
struct cs_text;
void cs_algo_run_by_names(unsigned libraries, const char *joint, struct cs_text *out);

/* The algorithm of that name for that collective, or NULL. */
const struct cs_algo *cs_algo_find(const char *name, const struct cs_collective *collective);

/* The same with a message for an unknown name: the nearest name, or the list of
 * the collective's algorithms. */
int cs_algo_choose(const char *name, const struct cs_collective *collective,
                   const struct cs_algo **algo, struct cs_err *err);

/* CS_EINPUT for a root that is no rank. */
int cs_algo_check_root(const struct cs_call *call, struct cs_err *err);

/* Checks the call: the root, the algorithm's check, and equal blocks for an
 * algorithm that moves blocks. */
int cs_algo_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);

/* Sets the collective and fills open parameters; afterwards chunks, slices,
 * channels, shards and group are at least 1, and radix is at least 2. */
void cs_algo_resolve(const struct cs_algo *algo, struct cs_call *call,
                     const struct cs_hockney *hockney);

/* The program of a resolved call that passes the check, with ranks > 0.  The
 * program keeps the address of the call. */
struct cs_program cs_algo_program(const struct cs_algo *algo, const struct cs_call *call);

/* Exactness of the closed form for the call: never CS_COST_EVEN. */
enum cs_exactness cs_algo_exactness(const struct cs_algo *algo, const struct cs_call *call);

/* The closed form on a machine, in seconds: 0 for one rank, NAN without a
 * closed form. */
double cs_algo_closed_form_s(const struct cs_algo *algo, const struct cs_call *call,
                             const struct cs_hockney *hockney);

/* The same for a machine with different links within and between nodes. */
double cs_algo_closed_form_of_nodes_s(const struct cs_algo *algo, const struct cs_call *call,
                                      const struct cs_hockney *between,
                                      const struct cs_hockney *within);
