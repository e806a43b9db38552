/*
 * Max-min fair rates: how fast each flow goes when flows share servers.
 *
 * A flow takes `weight` times its rate of every server on its way (once more for
 * each time it crosses it), and never goes faster than its limit: what it could
 * have alone, or less if the caller says so.  Rates are max-min fair: no flow can
 * go faster unless one that is no faster goes slower.  There is one such
 * allocation; progressive filling finds it: raise all rates alike until a server
 * is full, keep the rates of its flows, go on with the others.
 *
 * Only what can have changed is solved anew.  A server that could carry all of
 * its flows at their limits is `roomy`: it holds nobody back and hands no change
 * on.  A flow all of whose servers are roomy goes at its limit, and nothing is
 * solved for it.  When a flow comes or goes, the servers on its way that are
 * not roomy are stale, and `solve` visits all flows that can be reached from
 * them over servers that are not roomy.
 *
 *     add, remove   O(servers on the way)
 *     solve         O(S log S), S the servers on the ways of the visited flows
 *
 * Order of calls: open; add and remove; solve whenever cs_maxmin_stale() says
 * so and rates are wanted; free.  Flows are numbers of the caller's, who should
 * use small ones: memory is O(largest number x longest way + flows of a server
 * at the most), and is kept, so that nothing is allocated in the stride.
 *
 * Rates differ from the exact ones by rounding only, relative 1e-16 times the
 * number of flows that are visited, in the worst case times their square.
 */
#ifndef CS_SIM_MAXMIN_H
#define CS_SIM_MAXMIN_H

#include "sim/base/mem.h"
#include "sim/heap.h"

#include <stdbool.h>
#include <stdint.h>

/* A server on the way of a flow. */
struct cs_maxmin_use {
    uint32_t server;
    double weight;
};

struct cs_maxmin_server;
struct cs_maxmin_share;
struct cs_maxmin_flow;

struct cs_maxmin {
    struct cs_maxmin_server *servers;
    uint32_t server_count;
    struct cs_maxmin_flow *flows;
    struct cs_maxmin_share *shares; /* of each flow, `stride` apart */
    uint32_t flow_room, stride;
    uint64_t added; /* flows, so far */
    uint32_t *stale;
    uint32_t stale_count;
    /* What the last solve visited and which rates it changed. */
    uint32_t *changed; /* flows */
    uint32_t changed_count;
    uint32_t *visited_servers;
    uint32_t *visited_flows;
    uint32_t visited_server_count, visited_flow_count;
    struct cs_heap full;   /* servers, by the rate at which they are full */
    struct cs_heap limits; /* flows, by their limit */
};

/* Servers of these capacities, which are positive (those of servers that no
 * flow will use do not matter), in bytes per second.  The arena must outlive
 * `maxmin`. */
void cs_maxmin_open(struct cs_maxmin *maxmin, const double *capacity_Bps,
                    uint32_t servers, struct cs_arena *arena);
void cs_maxmin_free(struct cs_maxmin *maxmin);

/* Adds flow `number` over `count` >= 1 servers, which may repeat; weights are
 * positive, `limit_Bps` may be INFINITY.  Returns its rate, or 0 if `solve`
 * must say. */
double cs_maxmin_add(struct cs_maxmin *maxmin, uint32_t number,
                     const struct cs_maxmin_use *uses, uint32_t count,
                     double limit_Bps);
void cs_maxmin_remove(struct cs_maxmin *maxmin, uint32_t number);

/* Must `solve` be called before rates are right? */
static inline bool cs_maxmin_stale(const struct cs_maxmin *maxmin)
{
    return maxmin->stale_count > 0;
}

/* Sets the rates right and lists the flows whose rate is another. */
void cs_maxmin_solve(struct cs_maxmin *maxmin);

/* The flow's rate, 0 before it was solved; and what it never exceeds. */
double cs_maxmin_rate_Bps(const struct cs_maxmin *maxmin, uint32_t number);
double cs_maxmin_limit_Bps(const struct cs_maxmin *maxmin, uint32_t number);

#endif
