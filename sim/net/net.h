/*
 * The network as the simulator sees it: links with numbers, and routes.
 *
 * A link is a direction of a wire and has a resource that serves messages: a
 * full-duplex wire has a resource per direction, the directions of a
 * half-duplex wire and the links of a shared bus share a single resource.
 * Parties (ranks, then agents) are numbers, and a route is the list of links
 * from party to party; links without cost may be left out of routes. Parameters
 * of network models are not part of the net (sim/models/params/params.h).
 *
 * Invariant after cs_net_finish: every link's resource exists; ahead_ps
 * is set.  The arrays belong to the builder of the net (an arena).
 */
#pragma once

#include "sim/base/mem.h"
#include "sim/net/route.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_net_link {
    double ps_per_byte; /* of effective rate, 1e12 / rate_Bps */
    double rate_Bps;
    uint64_t latency_ps;
    uint32_t resource;
    uint32_t from; /* nodes, any numbering; only equality matters */
    uint32_t to;
    bool down; /* messages are lost; rate_Bps is the rate of the link when up */
    /* A message entering the network later than now cannot reach the link
     * sooner than now + ahead_ps; see sim/models/fifo.c. */
    uint64_t ahead_ps;
    /* A token bucket: after an idle time, bytes of that much time at the rate
     * pass at peak_ps_per_byte each; 0: none.  Model fifo alone reads both. */
    uint64_t burst_ps;
    double peak_ps_per_byte;
};

struct cs_net_party {
    uint32_t node;
    double reduce_ps_per_byte; /* gamma; 0: reduces at the speed of arrival */
    uint64_t reduce_overhead_ps;
    double slow; /* the share added to the time of operations; 0: no slowdown */
};

/* A choice among the shortest routes of a pair: set before a request for a
 * route, read by the function that knows the alternatives, and reset after. */
enum cs_route_choosing {
    CS_CHOOSE_NOTHING, /* the machine's own route */
    CS_CHOOSE_HASHED,  /* by a hash of seed, ends of the route and `number` */
    CS_CHOOSE_NUMBER,  /* route `number`, modulo the count */
};

struct cs_route_choice {
    enum cs_route_choosing by;
    uint64_t seed;
    uint64_t number; /* CS_CHOOSE_HASHED: 0 for the hash of the ends alone */
    uint32_t paths;  /* answer to CS_CHOOSE_NUMBER: the count, if above 1 */
};

/* The hash of CS_CHOOSE_HASHED for a hash of the ends: splitmix64's finaliser
 * over seed xor ends, and again over the sum with a number above 0. */
uint64_t cs_route_choice_hash(const struct cs_route_choice *choice, uint64_t ends);

/* Sender and receiver of a message as a resource sees them: each as the party
 * that would be in this place if the resource were the first of its orbit. */
struct cs_origin {
    uint32_t sender, receiver;
};

/* Of a folded net: writes the origins for the resources of the route from `src`
 * to `dst`, and for the receiving party: hops + 1 entries. */
typedef void cs_origins_fn(void *ctx, uint32_t src, uint32_t dst, struct cs_origin *origins);

/*
 * A replicated net: links and parties are computed on request.  Every link has
 * a resource.  Links 0 .. each - 1 belong to the first of `copies`
 * identical nodes, and the links of further nodes follow.
 */
struct cs_net_replicas {
    struct cs_net_link (*link)(const void *ctx, uint32_t link);
    struct cs_net_party (*party)(const void *ctx, uint32_t party);
    const void *ctx;
    uint32_t each, copies;
    /* A route function that knows nodes by their insides alone: with its two ends moved
     * to other nodes, of `ranks` ranks each (two of one node to one node), a route has
     * the links of the new nodes in the place of the old ones, and it has no others.
     * NULL: none. */
    cs_route_fn *moving_route;
    uint32_t ranks;
};

/* Names of links, for messages; zeroed: their numbers. */
struct cs_net_names {
    const char *(*link)(const void *ctx, uint32_t link);
    const void *ctx;
};

struct cs_monitor; /* sim/engine/progress.h */

struct cs_net {
    struct cs_net_link *links; /* NULL: replicated */
    uint32_t link_count;
    uint32_t resource_count;
    struct cs_net_party *parties; /* NULL: replicated */
    uint32_t party_count;
    struct cs_net_replicas replicated;
    uint32_t node_count;
    cs_route_fn *route;
    void *route_ctx;
    struct cs_route_choice *choice; /* NULL: no alternatives are offered */
    cs_origins_fn *origins;         /* with route_ctx; NULL: every party is simulated */
    uint32_t origin_columns;        /* with origins: struct cs_tie */
    uint32_t max_hops;
    struct cs_net_names names;
    /* Called by long searches of rings and trees, which end where it stops, with
     * what they have found; NULL: none. */
    const struct cs_monitor *monitor;
};

/* Sets the derived fields (ahead_ps, ps_per_byte).  O(links + nodes).  Not for
 * replicated nets, which can be read but not run. */
void cs_net_finish(struct cs_net *net);

/* Disables look-ahead, for nets that change: new routes can be shorter.  After
 * cs_net_finish. */
void cs_net_forget_ahead(struct cs_net *net);

/* Of any net, replicated or not. */
static inline struct cs_net_link cs_net_link_at(const struct cs_net *net, uint32_t link)
{
    return net->links ? net->links[link] : net->replicated.link(net->replicated.ctx, link);
}

static inline struct cs_net_party cs_net_party_at(const struct cs_net *net, uint32_t party)
{
    return net->parties ? net->parties[party] : net->replicated.party(net->replicated.ctx, party);
}

/* The next link to visit, if one of identical nodes suffices; and how many
 * links a visited link represents. */
static inline uint32_t cs_net_next_link(const struct cs_net *net, uint32_t link)
{
    link++;
    return link == net->replicated.each ? link * net->replicated.copies : link;
}

static inline uint32_t cs_net_link_weight(const struct cs_net *net, uint32_t link)
{
    return link < net->replicated.each ? net->replicated.copies : 1;
}

/* Places party i where party order[i] was; `order` is a permutation of all
 * parties and must outlive the net. */
void cs_net_reorder(struct cs_net *net, const uint32_t *order, struct cs_arena *arena);

/* Keeps `count` parties alone: party i is the one that order[i] was.  The links
 * stay, with their numbers; `order` must outlive the net. */
void cs_net_select(struct cs_net *net, const uint32_t *order, uint32_t count,
                   struct cs_arena *arena);
