/*
 * The state of model fluid, shared by fluid.c (the model), ends.c (when
 * flows end) and own_wait.c (waiting behind flows of the same sender) only.
 */
#ifndef CS_SIM_MODELS_FLUID_STATE_H
#define CS_SIM_MODELS_FLUID_STATE_H

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

#endif
