/*
 * Max-min fair rates: how fast each flow goes when flows share servers.
 *
 * A flow takes `weight` times its rate of every server on its way (once more for
 * each time it crosses it), and never goes faster than its limit: what it could
 * have alone, or less if the caller says so.  Rates are max-min fair: no flow can
 * go faster unless one that is no faster goes slower.  There is one such
 * allocation.
 *
 * A server that could carry all of its flows at their limits is `roomy`: it
 * holds nobody back.  A flow that never met another server is `free`: it goes at
 * its limit, and nothing is solved for it.  Every other flow is held by one
 * server, its bottleneck, and goes at the `level` of that, as all do that it
 * holds.  Flows of one limit have a holder of their own for when nothing else
 * holds them.  So a change of level is one number, however many flows it
 * concerns; flows are looked at one by one only when their holder changes.
 *
 * For each server and holder there is a group: the flows that cross the one and
 * are held by the other.
 *
 *     level of a server = (capacity - what flows of other holders take of it)
 *                         / weights of those that it holds
 *
 * When flows come and go, the servers on their way are set right, the lowest
 * level first: a server takes over flows whose level is higher than its own,
 * the fastest first, and each server that is crossed by flows whose level has
 * become another is set right in turn, until nothing changes.  This is how
 * switches find fair rates among themselves (Charny, Clark, Jain, "Congestion
 * control with explicit rate indication", ICC 1995), in the order of
 * progressive filling.
 *
 *     add, remove   O(servers on the way)
 *     solve         O(groups of the servers whose level changes, and servers on
 *                   the way of flows whose holder changes)
 *
 * Order of calls: open; add and remove, resize; solve whenever cs_maxmin_stale() says
 * so and rates are wanted; free.  Flows are numbers of the caller's, who should
 * use small ones: memory is O(largest number x longest way + flows of a server
 * at the most), and is kept, so that nothing is allocated in the stride.
 *
 * Rates differ from the exact ones by 1e-12 of themselves for each server that
 * one of them hangs on, or by up to 1e-9 where rounding keeps a solve from ending
 * sooner; flows of one holder have the same rate.
 */
#ifndef CS_SIM_MODELS_FLUID_MAXMIN_H
#define CS_SIM_MODELS_FLUID_MAXMIN_H

#include "sim/base/collections/heap.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_MAXMIN_FREE = UINT32_MAX
};

/* A server on the way of a flow. */
struct cs_maxmin_use {
    uint32_t resource;
    double weight;
};

struct cs_maxmin_resource;
struct cs_maxmin_share;
struct cs_maxmin_flow;
struct cs_maxmin_group;

struct cs_maxmin {
    struct cs_maxmin_resource *resources; /* then one for each limit */
    uint32_t resource_count, holder_count, holder_room;
    struct cs_maxmin_flow *flows;
    struct cs_maxmin_share *shares; /* of each flow, `stride` apart */
    uint32_t flow_room, stride;
    struct cs_maxmin_group *groups;
    uint32_t group_count, group_room, unused_group;
    uint32_t *group_buckets; /* a hash table over server and holder */
    uint32_t *limit_buckets; /* and one over limits, twice holder_room */
    uint64_t added;          /* flows, so far */
    uint32_t *fresh;         /* flows that have no rate yet */
    uint32_t fresh_count;
    struct cs_heap stale; /* servers to set right, by where their level is */
    struct cs_heap
        above;    /* groups that a server may take over, fastest first */
    double slack; /* levels that differ by less of themselves are the same */
    uint32_t
        tolerance;   /* times that each server is looked at until it doubles */
    uint64_t looked; /* times a server was set right, so far */
    /* What the last solve changed: flows' holders and holders' levels. */
    uint32_t *moved;
    uint32_t moved_count;
    uint32_t *changed;
    uint32_t changed_count;
};

/* Servers of these capacities, which are positive (those of servers that no
 * flow will use do not matter), in bytes per second. */
void cs_maxmin_open(struct cs_maxmin *maxmin, const double *capacity_Bps,
                    uint32_t resources);
void cs_maxmin_free(struct cs_maxmin *maxmin);

/* The server, which no flow uses now, has another capacity. */
void cs_maxmin_resize(struct cs_maxmin *maxmin, uint32_t resource,
                      double capacity_Bps);

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
    return maxmin->stale.count > 0 || maxmin->fresh_count > 0;
}

/* Sets the rates right; lists the flows whose holder is another, also those
 * that have become free, and the holders whose level is.  False where they do
 * not settle within 1e-9 of themselves, which is an internal error: the rates
 * are of no use then, and stay stale. */
bool cs_maxmin_solve(struct cs_maxmin *maxmin);

/* The flow's holder, or CS_MAXMIN_FREE; and what those that it holds go at. */
uint32_t cs_maxmin_holder(const struct cs_maxmin *maxmin, uint32_t number);
double cs_maxmin_level_Bps(const struct cs_maxmin *maxmin, uint32_t holder);

/* The flow's rate, 0 before it was solved; and what it never exceeds. */
double cs_maxmin_rate_Bps(const struct cs_maxmin *maxmin, uint32_t number);
double cs_maxmin_limit_Bps(const struct cs_maxmin *maxmin, uint32_t number);

#endif
