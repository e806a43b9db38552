/*
 * The state of the walk through the lanes of a fold, and what its parts do, for
 * pace.c, due.c, flow.c and settle.c alone.
 */
#pragma once

#include "sim/base/collections/pool.h"
#include "sim/fold/state.h"
#include "sim/fold/sum.h"
#include "sim/program/matching.h"

enum {
    CS_FLOWS_MAX = 1 << 10
};

/* A completion time: its bounds, and its value in the run of the longest
 * blocks. Until the bounds differ (`apart`), both are `low`. */
struct due {
    struct cs_sum low, high;
    uint64_t longest_ps;
    bool apart;
};

/* A message on an idle machine. */
struct trip {
    struct cs_path path;
    uint64_t *busy_ps; /* by link of its route */
};

/* Messages of a lane to one rank, all of the same parts of pieces. */
struct pace_flow {
    uint32_t lane;
    uint32_t to;
    struct cs_blocks parts; /* of piece 0 */
    uint32_t hops;
    uint32_t *links;      /* classes */
    uint32_t *resources;  /* of the links; CS_NONE for infinite rate */
    struct shift *copies; /* of its links */
    struct shift *resource_copies;
    uint64_t bytes[2]; /* of a short, of a long message */
    struct trip trip[2];
    uint64_t round; /* + 1, of the last message */
    /* Messages of each piece; after settling, of all earlier pieces. */
    uint32_t *count;
    uint32_t next; /* of the lane, or CS_NONE */
};

struct walker {
    uint64_t round, rounds;
    struct due start, end;
    uint32_t pending, ended;  /* ops of the round */
    uint32_t flow, last_flow; /* or CS_NONE */
    uint64_t sums;            /* + 1, the last round with a reduction */
};

/* A pending message, or a posted receive. */
struct pace_parcel {
    struct due due;
    uint32_t lane;
    uint32_t piece;
    struct shift from; /* a receive: which copy sends */
    /* Of the reduction of a short, a long, the longest piece. */
    uint64_t take_ps[3];
    uint32_t next; /* list of unused parcels */
};

struct user {
    uint32_t lane; /* + 1; 0: none */
    struct shift copy;
    uint64_t round;
};

struct pace {
    struct cs_fold *fold;
    const struct quotient *quotient;
    const struct cs_fold_run *run;
    struct cs_circle_of_pieces circle;
    struct cs_arena arena;
    struct cs_mailbox box;
    struct cs_ops ops, folded;
    struct walker *walkers;
    struct pace_flow *flows;
    uint32_t flow_count;
    struct user *users; /* by resource */
    uint32_t *reducers; /* rank -> lane + 1; 0: none */
    uint32_t *ready;    /* lanes ready to continue */
    uint32_t ready_count;
    struct pace_parcel *parcels;
    struct cs_pool pool;
    struct cs_progress progress;
    bool stopped;
};

/* ---- due.c: bounds of the time at which something is done, in every copy */

/* Adds a message of the flow, of a block of that piece. */
void cs_due_add_trip(const struct pace *pace, struct due *due, const struct pace_flow *flow,
                     uint32_t piece);
/* Adds the reduction of a parcel. */
void cs_due_add_take(const struct pace *pace, struct due *due, const struct pace_parcel *parcel);
/* *due becomes the later of both. */
void cs_due_wait_for(const struct pace *pace, struct due *due, const struct due *other);

/* ---- flow.c: a flow is opened at its first message, with the time of a short and of a
 * long message on an idle machine; its resources must not serve a second lane */

/* The flow of a SEND, or NULL: too many, or a resource is shared. */
struct pace_flow *cs_flow_of(struct pace *pace, uint32_t lane, const struct cs_op *op);
/* No other message of the round has used a resource of the flow. */
bool cs_flow_is_first(struct pace *pace, const struct pace_flow *flow);

/* ---- settle.c: time, bytes and links of the whole, as they really are */

/* False where bounds do not meet, or bytes exceed 64 bits. */
bool cs_pace_settle(struct pace *pace, struct cs_exec_result *result);
