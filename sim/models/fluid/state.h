/*
 * The state of model fluid, shared by fluid.c (the model), ends.c (when
 * flows end) and own_wait.c (waiting behind flows of the same sender) only.
 */
#pragma once

#include "sim/engine/model.h"
#include "sim/engine/order.h"
#include "sim/models/fluid/factors.h"
#include "sim/models/fluid/maxmin.h"

#define PS_PER_S 1e12

/* The bytes of a message in flight, numbered as the message. */
struct fluid_flow {
    double left_bytes; /* at since_ps; of a held flow, see struct holder */
    double rate_Bps;   /* from since_ps on; 0: not known yet */
    double scale;      /* from the shared rate to the rate of the flow */
    uint64_t since_ps;
    uint64_t start_ps;
    uint64_t age;    /* of the message: the number of messages sent before */
    uint32_t holder; /* whose heap contains the flow, or CS_MAXMIN_FREE */
    bool flows;      /* latencies are paid and bytes are left */
    bool takes_turn; /* the message is in order with others (program.h) */
    bool queues;     /* an earlier message in order still flows */
    bool is_ready;   /* latencies are paid */
};

/* The flows that one resource, or one limit, holds back. */
struct holder {
    double served_bytes; /* to each flow, over its scale, at since_ps */
    double rate_Bps;     /* of each flow, over its scale, from then on */
    uint64_t since_ps;
    struct cs_heap ends; /* by served_bytes at the end; `place` is shared */
    uint32_t room;
    bool touched;
};

/* The flows that cross a resource now. */
struct fluid_users {
    uint32_t flows;
    uint32_t src; /* the sender of the first flow since the resource was idle */
    bool shared;  /* a second flow has crossed the resource since then */
    bool mixed;   /* of another sender */
};

/* Pending FLUID_ENDS events, the next event last. */
struct fluid_wakes {
    uint64_t *at_ps;
    uint32_t count, room;
};

struct fluid {
    const struct cs_fluid_factors *factors;
    double flow_cap_Bps; /* 0: no limit */
    struct cs_maxmin maxmin;
    double *capacity_Bps;       /* by resource */
    struct cs_maxmin_use *uses; /* room for a route and a route back */
    uint32_t *back;             /* room for a route */
    struct cs_order order;      /* of messages that must leave in order */
    struct fluid_flow *flows;
    uint32_t flow_room;
    struct cs_heap ends; /* free flows, by the time of the end */
    struct holder *holders;
    struct cs_heap holder_ends; /* holders, by the time of the first end */
    uint32_t *touched;          /* holders */
    uint32_t holder_count, touched_count;
    struct fluid_users *users; /* by resource */
    struct cs_heap through;    /* flows that end now, by age */
    uint64_t sent;
    struct fluid_wakes wakes;
    bool solve_is_due;
};

/* The time that `bytes` take at that rate, rounded as in serve.h. */
static inline uint64_t fluid_take_ps(double bytes, double rate_Bps)
{
    return cs_time_up(bytes * (PS_PER_S / rate_Bps));
}

/*
 * Ends of flows: which flow ends next, while rates change.
 *
 * The flows that one holder (maxmin.h) holds have one rate, so these flows end
 * in the order of `served + left`, where `served` is the number of bytes that
 * each of them would have got since the resource began to hold flows: a new rate
 * changes one number.  Free flows are in a heap by the time of their end.
 *
 *     add, remove, move   O(log flows)
 *     plan                O(log holders) for each touched holder
 *
 * Order of calls: after add, remove, move, touch and collect, plan.
 */

/* Room for flow `number`, and for `count` holders. */
void cs_ends_make_room(struct fluid *fluid, uint32_t number);
void cs_ends_make_holders(struct fluid *fluid, uint32_t count);
void cs_ends_free(struct fluid *fluid);

/* The time of the next end, or UINT64_MAX. */
uint64_t cs_ends_next_ps(const struct fluid *fluid);

/* The free flow ends as its rate says. */
void cs_ends_add(struct fluid *fluid, uint32_t number);

/* Removes the flow from its heap; left_bytes is exact afterwards. */
void cs_ends_remove(struct fluid *fluid, uint32_t number, uint64_t now_ps);

/* The flow has another holder, or is free. */
void cs_ends_move(struct fluid *fluid, uint32_t number, uint64_t now_ps);

/* The holder's rate is about to change. */
void cs_ends_touch(struct fluid *fluid, uint32_t holder, uint64_t now_ps);

/* Sets the rates of all touched holders, and the times of their first ends. */
void cs_ends_plan(struct fluid *fluid);

/* Collects the held flows that end now; then removes the oldest flow that ends
 * now, if there is a flow. */
void cs_ends_collect(struct fluid *fluid, uint64_t now_ps);
bool cs_ends_take(struct fluid *fluid, uint64_t now_ps, uint32_t *number);

/*
 * Own waiting: which part of a flow's waiting is due to flows of the same
 * sender.  On a path this part is bandwidth, not contention (model.h).
 *
 * While the bottleneck of a flow carries flows of one sender only, as a sender's
 * port does, the time beyond the time at the flow's limit is own waiting.  A
 * bottleneck that flows of several senders have used since the resource was last
 * idle counts as contention, also for the sender's own share: a lower bound of
 * own waiting, for O(hops) a message.  With cross traffic (fluid.h) nothing is
 * counted: acknowledgements of other senders use the resources, too.
 */

/* Flow `number` begins, or ends, to use the resources of its route. */
void cs_own_wait_enter(struct cs_traffic *traffic, uint32_t number);
void cs_own_wait_leave(struct cs_traffic *traffic, uint32_t number);

/* The flow, as in `before`, has kept its holder until now and has left_bytes
 * left: counts own waiting of this time. */
void cs_own_wait_count(struct cs_traffic *traffic, uint32_t number, const struct fluid_flow *before,
                       double left_bytes);
