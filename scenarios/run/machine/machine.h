/*
 * Machines of a scenario: opened once, shared by the cases.
 *
 * An opening reads the machine's file or runs the generator. An opening serves
 * every case with an equal number of ranks: the network with faults, with a
 * transport's costs, with agents in switches, or expanded in full is derived
 * from the opening, and kept as well.  A generator with ports for parameter
 * servers is opened once more per number of servers.
 *
 * Order: create (or a set per run), open as often as necessary, forget the
 * machines of finished rank counts, destroy.
 *
 *     open     the first time O(machine), plus routes on request;
 *              then O(openings + derived machines)
 *     memory   a network per combination of ranks, agents and faults
 *
 * Machines keep the address until forgotten.  Networks must not be changed:
 * cases copy the struct cs_net and number ranks in the copy.
 */
#pragma once

#include "algorithms/bounds/partitions.h"
#include "algorithms/shared/relays.h"
#include "algorithms/shared/rings/machine_rings.h"
#include "algorithms/shared/trees/machine_trees.h"
#include "scenarios/run/request/scenario.h"
#include "sim/net/net.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"
#include "topo/transports/transport.h"

/* ---- plans ---- */

/*
 *     rings, trees, relays   the first time as the search (machine_rings.h, machine_trees.h,
 *                            relays.h); then O(searches of the machine)
 *
 * Results are those of the searches, NULL included, and live as long as the
 * machine.
 */

struct cs_plan_cache;

/* An empty cache, in the arena of the machine. */
struct cs_plan_cache *cs_plan_cache_new(struct cs_arena *arena);

/* The network must be that of the machine, with `ranks` ranks in order. */
const struct cs_rings *cs_plan_cache_rings(struct cs_plan_cache *cache, const struct cs_net *net,
                                           uint32_t ranks, uint32_t group);
const struct cs_trees *cs_plan_cache_trees(struct cs_plan_cache *cache, const struct cs_net *net,
                                           uint32_t ranks, const struct cs_tree_request *request);
const struct cs_relays *cs_plan_cache_relays(struct cs_plan_cache *cache, const struct cs_net *net,
                                             uint32_t ranks, enum cs_relays_kind kind);

struct cs_machines;

/* A case's requirements on the scenario's machine. */
struct cs_machine_request {
    uint32_t ranks;  /* 0: all of the machine's */
    uint32_t agents; /* with places on the machine */
    enum cs_agent_place agent_place;
    uint32_t agent_ranks;   /* served by the agents, from rank 0; 0: every rank */
    uint32_t replicas_from; /* as in struct cs_topo_request */
    enum cs_routing routing;
    bool healthy;                /* without the scenario's faults */
    const struct cs_fault *lost; /* an additional fault; or NULL */
    uint64_t at_ps;              /* includes faults up to then */
};

/* `net.names` is not set. */
struct cs_machine {
    struct cs_graph graph;
    struct cs_net net;
    /* As planners see the machine: with whole rates where a fault is not announced;
     * devices, wires and routes are equal.  Without such faults those above. */
    struct cs_graph plan_graph;
    struct cs_net plan_net;
    bool has_hidden;                  /* the two differ */
    struct cs_transport transport;    /* zeroed: none */
    struct cs_plan_cache *plans;      /* of all ranks in order */
    struct cs_partitions *partitions; /* for lower bounds */
};

/* Returns an empty set, in the arena; machines have separate memory until
 * cs_machines_destroy.  The scenario may still change, except for the machine. */
struct cs_machines *cs_machines_create(const struct cs_scenario *scenario, struct cs_arena *arena);
void cs_machines_destroy(struct cs_machines *machines);

/* As above with the machines in the arena, hence without destroy. */
struct cs_machines *cs_machines_of_run(const struct cs_scenario *scenario, struct cs_arena *arena);

/*
 * Opens or finds a machine.  A machine with `lost` is not kept: the memory is
 * in the arena.  CS_EINPUT, with an equal message every time, for a machine
 * that cannot be read or has no place for ranks or agents, and for a fault that
 * disconnects a rank at the start.
 */
int cs_machines_open(struct cs_machines *machines, const struct cs_machine_request *request,
                     struct cs_arena *arena, const struct cs_machine **machine, struct cs_err *err);

/* Frees machines of other numbers of ranks, except the largest so far, which
 * the choice of a default algorithm and concurrent jobs return to. */
void cs_machines_forget(struct cs_machines *machines, uint32_t ranks);

/* The least number of ranks for a replicated machine (topo/graph/graph.h),
 * whose runs are likely to be folded; 0 where an option refers to single
 * devices. */
uint32_t cs_machines_replicas_from(const struct cs_scenario *scenario);

/* The number of files read and generators run. */
uint32_t cs_machines_openings(const struct cs_machines *machines);
