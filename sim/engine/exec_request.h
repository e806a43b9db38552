/*
 * A request for an execution, its result and its callbacks: the types that exec.h
 * and the modules of the executor share.
 */
#pragma once

#include "sim/engine/model.h"
#include "sim/engine/noise.h"
#include "sim/engine/progress.h"
#include "sim/engine/routing.h"

/* Minimum memory of a message in flight: with its event, and packed (packed.h), in a
 * round of so many sends of a lane. */
enum {
    CS_EXEC_MESSAGE_BYTES = 216,
    CS_EXEC_PACKED_BYTES = 9,
    CS_EXEC_FAN_IN = 64,
    /* Of a lane with a posted receive, and of a link. */
    CS_EXEC_LANE_BYTES = 136,
    CS_EXEC_LINK_BYTES = 48,
};

struct cs_exec_result {
    uint64_t time_ps;       /* end of the main lanes at the last party */
    uint64_t *done_ps;      /* by party; in the arena */
    uint64_t *lane_done_ps; /* by party x lane; in the arena */
    struct cs_path path;    /* critical path of time_ps */
    uint64_t messages;
    uint64_t bytes_sent;
    uint64_t bytes_sent_max; /* by one rank */
    /* Peak memory of a rank in addition to its vectors: messages arrived but
     * not yet received or added. The same of an agent, with the vector that
     * holds its sum. */
    uint64_t extra_bytes_max;
    uint64_t agent_bytes_max;
    uint64_t resent;          /* retransmissions of lost messages */
    uint64_t packets_dropped; /* at full buffers, with retransmissions */
    uint64_t packets_resent;
    uint64_t waits; /* of messages for busy links, of sums for busy reducers */
    uint64_t events;
    uint64_t jumped;         /* messages in rounds that repeat, of `messages` */
    bool is_ambiguous;       /* of a folded run: see struct cs_tie */
    bool is_cause_open;      /* the same: see struct cs_traffic */
    bool cut_off;            /* failed for lack of a route */
    struct cs_link_use *use; /* by link; in the arena */
};

/* Callbacks, each may be NULL: for every message when its last byte arrives, the
 * same with the links of its route and, in models that queue and take changes of
 * the net, the services by these links (else NULL), for every change of the memory
 * that a party holds in addition to its vector, and for every interval in which a
 * party reduces, copies or computes. A buffer
 * is held from the first byte of its message on, so the sum may exceed
 * extra_bytes_max, which counts complete messages; with a processor (model.h)
 * from the last byte on. */
struct cs_exec_watch {
    void (*delivered)(void *ctx, const struct cs_message *message, uint64_t at_ps);
    void (*carried)(void *ctx, const struct cs_message *message, const uint32_t *route,
                    const struct cs_service *services, uint64_t at_ps);
    void (*held)(void *ctx, uint32_t party, uint64_t bytes, uint64_t at_ps);
    void (*worked)(void *ctx, uint32_t party, uint64_t from_ps, uint64_t to_ps);
    void *ctx;
};

/*
 * A change of the net at a given time: links, latencies, resources, parties and
 * max_hops are unchanged and look-ahead is absent (ahead_ps is 0); rates, links
 * that are down and routes are new.
 *
 *   - New rates hold at once: for services that begin later (fifo, postal), or
 *     for all flows (fluid).
 *   - A message on its route over a link that fails is lost completely and sent
 *     again from its sender.  Bytes that have passed the link are not lost.
 *   - New routes hold `failover_ps` later, when the failure or the return of a
 *     link is known.  Until then messages over a failed link wait at the
 *     sender, as do lost messages.
 *   - Messages without a route wait for the next change.
 *
 * Fabrics behave so whose adapters retransmit unacknowledged messages, as do the
 * reliable connections of InfiniBand and RoCE, and whose manager or routing
 * protocol finds alternate routes.  Not modelled: abort and restart of a whole
 * collective.
 */
struct cs_net_change {
    uint64_t at_ps;
    const struct cs_net *net;
};

/* A run. */
struct cs_exec_request {
    const struct cs_program *program;
    const struct cs_net *net;
    const struct cs_link_model *model;
    const struct cs_model_params *params; /* of the model; NULL: defaults */
    /* A send is done when the sender's port has sent the last byte, in models
     * with that time (takes_eager); otherwise when the receiver has it. */
    bool eager;
    const struct cs_exec_watch *watch; /* NULL: none */
    const struct cs_noise *noise;      /* NULL: none */
    const struct cs_paths *routing;    /* NULL, or no net->choice: routes of the net */
    /* In order of time; only for models that support changes. */
    const struct cs_net_change *changes;
    uint32_t change_count;
    uint64_t failover_ps;
    const struct cs_monitor *monitor; /* NULL: none */
    /* From so many rounds of all lanes on, rounds that repeat are counted and not
     * simulated (repeat.h); the result is the same. 0: never. */
    uint64_t jumps_from;
};
