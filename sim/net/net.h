/*
 * The network as the simulator sees it: links with numbers, and routes.
 *
 * A link is one direction of a wire.  It is served by a server; a full-duplex
 * wire has a server for each direction, the directions of a half-duplex wire
 * and all links of a shared bus have one server together.  Parties (ranks,
 * then agents) are numbers, and a route is the list of links from one to
 * another; links that cost nothing need not be in it.
 *
 * Invariant after cs_net_finish: every link's server exists; ahead_ps
 * is set.  The arrays belong to whoever built the net (an arena).
 */
#ifndef CS_SIM_NET_NET_H
#define CS_SIM_NET_NET_H

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct cs_net_link {
    double ps_per_byte; /* of effective rate, 1e12 / rate_Bps */
    double rate_Bps;
    uint64_t latency_ps;
    uint32_t resource;
    uint32_t from; /* nodes, any numbering; only equality matters */
    uint32_t to;
    bool
        down; /* what goes over it is lost; the rate is that of when it is up */
    /* No message that enters the network later than now can reach this link
     * sooner than now + ahead_ps; see sim/models/fifo.c. */
    uint64_t ahead_ps;
};

struct cs_net_party {
    uint32_t node;
    double reduce_ps_per_byte; /* gamma; 0: reduces as fast as it arrives */
    uint64_t reduce_overhead_ps;
    double slow; /* by what share all that it does takes longer; 0 */
};

/* Writes the links from party `src` to party `dst` (src != dst) and returns
 * how many, at most max_hops; 0 means there is no way.  Must always answer
 * the same.  May fill a cache behind ctx. */
typedef uint32_t cs_route_fn(void *ctx, uint32_t src, uint32_t dst,
                             uint32_t *links);

/*
 * A net that is not written down: its links and parties are worked out when
 * asked for.  Every link is its own server.  Links 0 .. each - 1 are those of
 * the first of `copies` computers alike, and the others' follow.
 */
struct cs_net_replicas {
    struct cs_net_link (*link)(const void *ctx, uint32_t link);
    struct cs_net_party (*party)(const void *ctx, uint32_t party);
    const void *ctx;
    uint32_t each, copies;
};

/* What links are called, for messages; zeroed: by their numbers. */
struct cs_net_names {
    const char *(*link)(const void *ctx, uint32_t link);
    const void *ctx;
};

struct cs_net {
    struct cs_net_link *links; /* NULL: brief */
    uint32_t link_count;
    uint32_t resource_count;
    struct cs_net_party *parties; /* NULL: brief */
    uint32_t party_count;
    struct cs_net_replicas replicated;
    uint32_t node_count;
    cs_route_fn *route;
    void *route_ctx;
    uint32_t max_hops;
    struct cs_net_names names;
};

/* Sets what is derived (ahead_ps, ps_per_byte).  O(links + nodes).  Not for
 * brief nets, which can be looked at but not run. */
void cs_net_finish(struct cs_net *net);

/* No look-ahead, for nets that change: how soon a message can be at a link is not
 * known while ways do.  After cs_net_finish. */
void cs_net_forget_ahead(struct cs_net *net);

/* Of any net, brief or not. */
static inline struct cs_net_link cs_net_link_at(const struct cs_net *net,
                                                uint32_t link)
{
    return net->links ? net->links[link]
                      : net->replicated.link(net->replicated.ctx, link);
}

static inline struct cs_net_party cs_net_party_at(const struct cs_net *net,
                                                  uint32_t party)
{
    return net->parties ? net->parties[party]
                        : net->replicated.party(net->replicated.ctx, party);
}

/* The next link to look at, if of computers alike one is enough; and for how
 * many links one stands then. */
static inline uint32_t cs_net_next_link(const struct cs_net *net, uint32_t link)
{
    link++;
    return link == net->replicated.each ? link * net->replicated.copies : link;
}

static inline uint32_t cs_net_link_weight(const struct cs_net *net,
                                          uint32_t link)
{
    return link < net->replicated.each ? net->replicated.copies : 1;
}

/* Seats party i where party order[i] sat; `order` is a permutation of all
 * parties and must outlive the net. */
void cs_net_reseat(struct cs_net *net, const uint32_t *order,
                   struct cs_arena *arena);

/* Keeps `count` parties alone: party i is the one that order[i] was.  The links
 * stay, with their numbers; `order` must outlive the net. */
void cs_net_select(struct cs_net *net, const uint32_t *order, uint32_t count,
                   struct cs_arena *arena);

#endif
