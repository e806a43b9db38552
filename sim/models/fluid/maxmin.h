/*
 * Max-min fair rates: the rate of each flow when flows share resources.
 *
 * A flow takes `weight` times the rate of every resource on the route (summed
 * over repeated crossings), and never exceeds the limit: the rate that the flow
 * could have alone, or less by choice of the caller.  Rates are max-min fair:
 * no flow can go faster unless an equally fast or slower flow loses rate. The
 * allocation is unique.
 *
 * A resource with capacity for every flow at the limit is unsaturated and holds
 * no flow back. A flow without a saturated resource so far is `free`: the flow
 * goes at the limit, and solving ignores the flow.  Every further flow is held
 * by a resource, the bottleneck, at the `level` of the resource. Flows of equal
 * limit have a separate holder, for flows without a bottleneck. So a new level
 * is a single number, however many flows the resource holds; only flows with a
 * new holder are visited singly.
 *
 * For each resource and holder a group exists: the flows across the resource
 * and held by the holder.
 *
 *     level of a resource = (capacity - rates of flows of further holders)
 *                           / weights of the flows held by the resource
 *
 * When flows are added or removed, the resources on the routes are settled, the
 * lowest level first: a resource takes over flows with a higher level, the
 * fastest first, and each resource crossed by flows with a new level is settled
 * in turn, until no level changes.  Switches find fair rates likewise (Charny,
 * Clark, Jain, "Congestion control with explicit rate indication", ICC 1995);
 * the order is as in progressive filling.
 *
 * Settling one by one ends in exact numbers.  In rounded numbers two resources
 * may take flows over from each other for ever: a resource of which its own
 * flows use a small part has a level that is uncertain by the rounding of the
 * large rest.  After `visits_max` visits per holder, all rates are filled anew
 * (maxmin_fill.h), which ends whatever the numbers.
 *
 *     add, remove   O(resources on the route)
 *     solve         O(groups of the resources with a new level, and
 *                   resources on the routes of flows with a new holder);
 *                   rarely as filling
 *
 * Order of calls: open; add and remove, resize; solve whenever
 * cs_maxmin_stale() says so and rates are needed; free.  The caller numbers the
 * flows, with small numbers: memory is O(largest number x longest route + most
 * flows of a resource), and is kept, so that a steady state allocates nothing.
 *
 * Rates differ from the exact rates by a relative 1e-12 for each resource in
 * the chain of dependence, times the capacity of the resource over the part that
 * its own flows use; flows of a holder have equal rates, and no resource carries
 * more than its capacity but for rounding.
 */
#pragma once

#include "sim/models/fluid/maxmin_problem.h"

#include <stdbool.h>

/* Resources of these capacities, in bytes per second; positive, except where no
 * flow will use the resource. */
void cs_maxmin_open(struct cs_maxmin *maxmin, const double *capacity_Bps, uint32_t resources);
void cs_maxmin_free(struct cs_maxmin *maxmin);

/* Changes the capacity of a resource without flows. */
void cs_maxmin_resize(struct cs_maxmin *maxmin, uint32_t resource, double capacity_Bps);

/* Adds flow `number` over `count` >= 1 resources, which may repeat; weights are
 * positive, `limit_Bps` may be INFINITY.  Returns the rate, or 0 if only
 * `solve` can determine the rate. */
double cs_maxmin_add(struct cs_maxmin *maxmin, uint32_t number, const struct cs_maxmin_use *uses,
                     uint32_t count, double limit_Bps);
void cs_maxmin_remove(struct cs_maxmin *maxmin, uint32_t number);

/* Must `solve` be called before rates are valid? */
static inline bool cs_maxmin_stale(const struct cs_maxmin *maxmin)
{
    return maxmin->stale.count > 0 || maxmin->fresh_count > 0;
}

/* Computes the rates; lists the flows with a new holder, including flows that
 * have become free, and the holders with a new level.  False where the monitor
 * stops: the rates are void. */
bool cs_maxmin_solve(struct cs_maxmin *maxmin);

/* The holder of the flow, or CS_MAXMIN_FREE; and the level of a holder. */
uint32_t cs_maxmin_holder(const struct cs_maxmin *maxmin, uint32_t number);
double cs_maxmin_level_Bps(const struct cs_maxmin *maxmin, uint32_t holder);

/* The rate of the flow, 0 before the first solve; and its limit. */
double cs_maxmin_rate_Bps(const struct cs_maxmin *maxmin, uint32_t number);
double cs_maxmin_limit_Bps(const struct cs_maxmin *maxmin, uint32_t number);
