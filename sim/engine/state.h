/*
 * The state of an execution, for the modules of the executor alone:
 *
 *     exec.c      opens, runs the events, closes
 *     round.c     lanes: starts the ops of a round
 *     message.c   sending: from the op to the network
 *     paths.c     records of messages, and their routes
 *     packed.c    messages of rounds with fan-in, between their links
 *     fan_in.c     receives of rounds with fan-in
 *     receive.c   receiving: matching, reductions, copies, computation
 *     held.c      memory held by parties in addition to their vectors
 *     change.c    faults: the net becomes another one
 *     deadlock.c  the error message when nothing moves any more
 */
#pragma once

#include "sim/base/collections/min_set.h"
#include "sim/base/collections/pool.h"
#include "sim/engine/exec_request.h"
#include "sim/engine/routing.h"
#include "sim/program/lanes.h"
#include "sim/program/matching.h"

enum {
    CS_KEPT_HOPS = 13,      /* links of a route that is kept */
    CS_KEPT_ROOM = 1 << 16, /* most routes that are kept; a power of two */
};

/* Posted receives, or a piece of work of the reducer.  Receives of one round of a lane
 * that expect the same share a struct until their messages come: a round of p receives
 * needs one, not p. */
struct receive {
    uint64_t bytes;
    struct cs_path path;
    union {
        struct {
            uint32_t src, channel; /* of the message, until it is known */
        };
        uint64_t take_ps; /* of the reduction, once the processor is free */
    };
    union {
        uint32_t lane; /* number of the lane */
        uint32_t next; /* list of unused receives */
    };
    uint32_t sharers; /* receives that are not done; 1 at work and where posted late */
    bool reduces;
    bool holds; /* the message has arrived, and is not reduced yet */
};

_Static_assert(sizeof(struct receive) == 64, "a receive is one cache line");

struct party {
    uint64_t sent_bytes;
    uint64_t extra_bytes;
    uint64_t filling_bytes; /* by messages that arrive, if memory is watched */
    uint64_t reducer_free_ps;
    struct cs_tie tie; /* of arrivals, in a folded run */
};

/* The route of a lane to a destination, for all its messages: one cache line. */
struct kept_route {
    uint32_t lane, to;
    uint32_t hops; /* 0: none */
    uint32_t links[CS_KEPT_HOPS];
};

/* A SEND of an agent that begins after the rounds of its time. */
struct deferred {
    uint32_t lane;
    uint32_t number; /* among the ops of the round */
    struct cs_op op;
};

/* Where differences between packed messages stand. */
struct cs_packed_place {
    uint64_t at_ps, order, own_ps, latency_ps;
    uint64_t launch, dst, op;
};

/* The packed messages behind a link. */
struct cs_packed_queue {
    struct cs_packed_place added, taken; /* of the last message */
    uint32_t first;                      /* 1 + the number of a chunk; 0: empty */
    uint32_t last;
    uint32_t read; /* bytes of the first chunk */
};

struct cs_packed {
    bool is_on;
    bool is_used;      /* a round had fan-in */
    uint32_t launched; /* the last launch of the round that begins, or CS_NONE */
    struct cs_packed_launch *launches;
    struct cs_pool launch_pool;
    struct cs_packed_chunk **slabs; /* which do not move: no copies of all chunks */
    uint32_t slab_room;
    uint32_t chunk_count;
    uint32_t unused;                /* chunks: 1 + the number of the first; 0: none */
    struct cs_packed_queue *queues; /* by link; NULL: none yet */
    struct cs_arena *arena;
};

/* The receives of a round with fan-in that wait, all of one struct. */
struct cs_fan_in {
    uint64_t *sources; /* a bit for each party */
    uint32_t receive;
    uint32_t left; /* bits */
};

struct exec {
    const struct cs_program *program;
    const struct cs_net *net;
    const struct cs_net *routes;    /* the net as far as faults are known */
    const struct cs_paths *routing; /* NULL: the routes of the net */
    uint64_t *load_bytes;           /* by resource, of messages in flight; or NULL */
    const struct cs_link_model *model;
    const struct cs_exec_watch *watch;
    bool watches_memory; /* watch->held is called */
    bool keeps_services; /* for changes of the net, or watch->carried */
    const struct cs_noise *noise;
    const struct cs_net_change *changes;
    uint32_t change_count;
    uint32_t changes_left; /* to happen or to become known */
    uint64_t failover_ps;
    uint32_t stalled_first, stalled_last; /* messages without a route */
    const struct cs_monitor *monitor;
    struct cs_progress progress; /* rounds always, the rest at an update */
    uint64_t next_update;        /* events added until then; or UINT64_MAX */
    struct cs_exec_result *result;
    struct cs_err *err;
    struct cs_cut cut;
    struct cs_traffic traffic;
    struct cs_mailbox box;
    struct cs_ops ops;
    uint32_t *route; /* room for one of max_hops */
    /* Most lanes send to one peer many times. The first peer's by number of the
     * lane, others' by a hash, modulo kept_room, as long as there is room; NULL
     * where routes are short, or change. */
    struct kept_route *kept;
    struct cs_origin *kept_origins; /* CS_KEPT_HOPS + 1 apart */
    uint32_t kept_room;
    struct cs_lanes lanes;
    /* Of a program with turns, else NULL: cs_exec_place() by lane, and the lane
     * at each place. */
    uint32_t *places, *lane_at;
    struct party *parties;
    struct receive *receives;
    struct cs_pool receive_pool;
    uint32_t joined; /* the last receive of the round that begins, for more like it; or CS_NONE */
    struct cs_pool message_pool;
    struct cs_packed packed;
    struct cs_fan_in *fan_ins; /* by lane; NULL: none yet */
    bool sends_pack;           /* of the round that begins (packed.h) */
    bool receives_fan_in;      /* (fan_in.h) */
    uint64_t unfinished;       /* lanes */
    uint64_t delivered;        /* messages */
    bool too_many_bytes;       /* for 64 bits */
    struct cs_min_set beginning[2];
    struct cs_min_set *ready; /* lanes at a new round, by cs_exec_place() */
    struct cs_min_set *batch; /* of these, the lanes that begin now */
    struct cs_min_set_taken batch_taken;
    /* Of a program whose agents serve: the sends of the batch, the places of their
     * receivers' lanes, and by place the send. */
    struct deferred *deferred;
    uint32_t deferred_count, deferred_room;
    struct cs_min_set served;
    uint32_t *deferred_at;
};

/* More room for messages or receives: about one for each lane, in the end. */
static inline size_t cs_exec_enlarge(const struct exec *exec, struct cs_pool *pool)
{
    if (pool->capacity == 0)
        pool->capacity = exec->lanes.count / 2;
    return cs_pool_enlarge(pool);
}

/* The place of a lane in the order of simultaneous rounds: by the turn of the
 * lane within its party and then by the order of the parties: their numbers, mostly. */
static inline uint32_t cs_exec_place(const struct exec *exec, uint32_t lane)
{
    uint32_t each = exec->lanes.each;

    if (each == 1)
        return lane;
    if (exec->places)
        return exec->places[lane];
    return lane % each * exec->net->party_count + lane / each;
}

static inline uint32_t cs_exec_lane_at(const struct exec *exec, uint32_t place)
{
    uint32_t each = exec->lanes.each;
    uint32_t parties = exec->net->party_count;

    if (each == 1)
        return place;
    if (exec->lane_at)
        return exec->lane_at[place];
    return place % parties * each + place / parties;
}

/* The receiver's lane at whose place a SEND begins, or CS_NONE: with its round. */
static inline uint32_t cs_exec_served(const struct exec *exec, uint32_t lane,
                                      const struct cs_op *send)
{
    const struct cs_program *program = exec->program;

    if (!program->served || lane / exec->lanes.each < program->ranks)
        return CS_NONE;
    return program->served(program->ctx, lane % exec->lanes.each, send);
}

/* Whether the path ends later than the other one, or at the same time with
 * greater parts: an order that does not depend on the order of events. */
static inline bool cs_path_is_later(const struct cs_path *path, const struct cs_path *other)
{
    uint64_t at_ps = cs_path_ps(path);
    uint64_t other_ps = cs_path_ps(other);

    if (at_ps != other_ps)
        return at_ps > other_ps;
    if (path->bandwidth_ps != other->bandwidth_ps)
        return path->bandwidth_ps > other->bandwidth_ps;
    if (path->latency_ps != other->latency_ps)
        return path->latency_ps > other->latency_ps;
    return path->reduction_ps > other->reduction_ps;
}

/* An op of the lane is done at the end of `path`: now, or at the end of the
 * work that the processor has begun. */
static inline void cs_exec_op_done(struct exec *exec, uint32_t lane, const struct cs_path *path)
{
    if (cs_path_is_later(path, &exec->lanes.lane[lane].path))
        exec->lanes.lane[lane].path = *path;
    if (cs_lane_op_done(&exec->lanes.lane[lane]))
        cs_min_set_add(exec->ready, cs_exec_place(exec, lane));
}

/* Lengthens the path to `at_ps`. */
static inline void cs_path_wait_until(struct cs_path *path, uint64_t at_ps)
{
    path->wait_ps += at_ps - cs_path_ps(path);
}

/*
 * Deadlock: the error when events run out before the program is done.
 */

/* Reports the waiting parties and their causes. */
int cs_exec_report_deadlock(const struct exec *exec);

/* Fails where a message has arrived that is never received. */
int cs_exec_check_mail(const struct exec *exec);

/*
 * Rounds: the lanes of the program, one round after the other.
 *
 * Rounds that can begin at the same time begin after all events of that time, in
 * the order of the turns of their lanes within a party, and then in the order of the
 * parties (struct cs_program); rounds that these make possible at once follow as a
 * second batch.  The order of simultaneous events then has no influence on the
 * result, and a renumbering of the parties changes the order only among lanes of
 * one number.
 */

/* The lane begins: now, or later by the program or by noise. */
void cs_exec_arrive(struct exec *exec, uint32_t lane);

/* Starts the current round of lane `number`, and following rounds while rounds
 * complete immediately. */
int cs_exec_start_rounds(struct exec *exec, uint32_t number);

/* After a batch: starts the sends of agents (struct cs_program, served), by the
 * places of their receivers. */
int cs_exec_serve(struct exec *exec);

/*
 * Receiving: messages into receives, and the work of a party.
 *
 * A message and a receive match in order (matching.h), whichever is first.
 * Arrived messages are reduced by the party's reducer, in the order of arrival,
 * or, in models with processors, by the processor of the party, which also does
 * copies, sums within a party and computation.
 */

/* Ops of a lane, of `party`, start: a receive; a copy or sum within the party; a
 * time of computation. */
int cs_exec_receive(struct exec *exec, uint32_t party, uint32_t lane, const struct cs_op *op);
void cs_exec_reduce_local(struct exec *exec, uint32_t lane, const struct cs_op *op);
void cs_exec_compute(struct exec *exec, uint32_t lane, const struct cs_op *op);

/* The last byte of message `number` has arrived, and is received at `at_ps`. */
int cs_exec_delivered(struct exec *exec, uint32_t number, uint64_t at_ps);

/* Events of a receive: the party is free to post; request of the processor; end
 * of the reduction. */
int cs_exec_post(struct exec *exec, uint32_t number);
void cs_exec_work(struct exec *exec, uint32_t number);
void cs_exec_reduced(struct exec *exec, uint32_t number);
