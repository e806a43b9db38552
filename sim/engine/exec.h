/*
 * Execution: a program on a network, in simulated time.
 *
 * Every lane of every party goes through its rounds as program.h says; the
 * model says when messages arrive; a party reduces one received message at a
 * time, at its own rate (net.h), or in turn with all of its work where the
 * model gives it a processor (model.h).  The program is not stored: memory is
 * O(parties x lanes + messages in flight), kept, so that nothing is allocated
 * in the long run.
 *
 * The critical path is carried along: each lane knows where the time up to now
 * went on the chain of sends, transfers and reductions that led to it, so no
 * history is kept and the four parts add up to the total exactly.
 *
 * The same program, network and model give the same result, bit for bit.
 */
#ifndef CS_SIM_ENGINE_EXEC_H
#define CS_SIM_ENGINE_EXEC_H

#include "sim/base/err.h"
#include "sim/engine/model.h"
#include "sim/engine/noise.h"
#include "sim/engine/progress.h"

/* Least memory of a message in flight, with its receive and its event. */
enum {
    CS_EXEC_MESSAGE_BYTES = 256
};

struct cs_exec_result {
    uint64_t time_ps;       /* the last party is done with the main lanes */
    uint64_t *done_ps;      /* by party; in the arena */
    uint64_t *lane_done_ps; /* by party x lane; in the arena */
    struct cs_path path;    /* that led there */
    uint64_t messages;
    uint64_t bytes_sent;
    uint64_t bytes_sent_max; /* by one rank */
    /* The most that one rank held beside its vectors: messages that had
     * arrived and were not yet received or added up.  The same of an agent,
     * with the vector in which it keeps the sum. */
    uint64_t extra_bytes_max;
    uint64_t agent_bytes_max;
    uint64_t resent;          /* times that a message was lost and sent again */
    uint64_t packets_dropped; /* at full buffers; retransmissions too */
    uint64_t packets_resent;
    uint64_t waits; /* of messages for busy links, of sums for busy reducers */
    uint64_t events;
    bool cut_off;            /* it failed for lack of a route */
    struct cs_link_use *use; /* by link; in the arena */
};

/* Called for every message when its last byte is there, whenever changes what a
 * party holds beside its vector, and when a party begins to reduce, copy or
 * compute for a time; each may be NULL.  A buffer is held
 * from its message's first byte on, so this may exceed extra_bytes_max, which
 * counts messages that are there whole; with a processor (model.h), from its
 * last one. */
struct cs_exec_watch {
    void (*delivered)(void *ctx, const struct cs_message *message,
                      uint64_t at_ps);
    void (*held)(void *ctx, uint32_t party, uint64_t bytes, uint64_t at_ps);
    void (*worked)(void *ctx, uint32_t party, uint64_t from_ps, uint64_t to_ps);
    void *ctx;
};

/*
 * The net is another one from some time on: the same links, latencies, servers,
 * parties and max_hops, no look-ahead (ahead_ps is 0), but other rates, links that are down, and ways.
 *
 *   - Rates are the new ones at once: of what a link begins to serve (fifo,
 *     postal), or of all that flows (fluid).
 *   - A message that is on its way over a link when that goes down is lost, all
 *     of it, and sent again from its sender.  What is through that link is not.
 *   - Ways are the new ones `failover_ps` later: so long it takes until the
 *     loss, or the return, of a link is known.  Until then what would go over
 *     a link that is down waits at its sender, and so does what was lost.
 *   - Who has no way waits for the next change.
 *
 * This is what fabrics do whose adapters repeat what is not acknowledged, as
 * the reliable connections of InfiniBand and RoCE, and whose manager or routing
 * protocol finds other ways.  Not modelled: that a whole collective is aborted
 * and begun anew.
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
    /* A send is done when the sender's port has the last byte, in models that
     * know (takes_eager); else when the receiver has it. */
    bool eager;
    const struct cs_exec_watch *watch; /* NULL: none */
    const struct cs_noise *noise;      /* NULL: none */
    /* In order of time; only for models that take them. */
    const struct cs_net_change *changes;
    uint32_t change_count;
    uint64_t failover_ps;
    const struct cs_monitor *monitor; /* NULL: none */
};

/*
 * Runs the program.  The net's parties are the program's, in order.  Fails
 * with CS_EANSWER when parties wait for ever or a message is never received,
 * naming who and what, and with CS_EINPUT when there is no route or time
 * passes CS_TIME_MAX_PS.  With a monitor that stops it: CS_ESTOPPED, and
 * the result so far.
 */
int cs_exec_run(const struct cs_program *program, const struct cs_net *net,
                const struct cs_link_model *model, struct cs_arena *arena,
                struct cs_exec_result *result, struct cs_err *err);

/* The same with all options; a watch does not change the result. */
int cs_exec_run_watched(const struct cs_exec_request *request,
                        struct cs_arena *arena, struct cs_exec_result *result,
                        struct cs_err *err);

#endif
