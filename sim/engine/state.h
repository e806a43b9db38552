/*
 * The state of an execution: exec.c moves it, fill.c counts buffers that fill,
 * deadlock.c says why nothing moves any more.  Nobody else includes this.
 */
#ifndef CS_SIM_ENGINE_STATE_H
#define CS_SIM_ENGINE_STATE_H

#include "sim/base/collections/min_set.h"
#include "sim/engine/exec.h"
#include "sim/program/matching.h"

/* One lane of one party, number party * lanes + lane. */
struct lane {
    uint64_t round;
    uint64_t rounds;
    uint32_t pending;   /* ops of this round that are not done */
    uint32_t waits_for; /* lane of the same party, or CS_NOBODY */
    uint32_t waits_round;
    struct cs_path path;
};

/* A receive that is posted or being added up. */
struct receive {
    uint64_t bytes;
    uint64_t take_ps; /* to add it up, once the processor is free */
    struct cs_path path;
    struct cs_blocks blocks;
    uint64_t held_bytes; /* of the arrived message, until it is added up */
    uint32_t lane;       /* index of struct lane */
    struct cs_mail_key key;
    uint32_t next; /* list of unused receives */
    bool reduces;
};

/* What is kept of each party. */
struct party {
    uint64_t sent_bytes;
    uint64_t extra_bytes;
    uint64_t
        filling_bytes; /* by messages that arrive, while memory is watched */
    uint64_t reducer_free_ps;
};

struct exec {
    const struct cs_program *program;
    const struct cs_net *net;
    const struct cs_net
        *routes; /* the net as it is known: whose ways are taken */
    const struct cs_link_model *model;
    const struct cs_exec_watch *watch;
    bool watches_memory; /* watch->held is called */
    const struct cs_noise *noise;
    const struct cs_net_change *changes;
    uint32_t change_count;
    uint32_t changes_left; /* to happen or to be known */
    uint64_t failover_ps;
    uint32_t stalled_first, stalled_last; /* messages that wait for a way */
    const struct cs_monitor *monitor;
    struct cs_progress progress; /* rounds are kept, the rest when it beats */
    uint64_t next_update;        /* events added until then; or UINT64_MAX */
    struct cs_exec_result *result;
    struct cs_err *err;
    struct cs_cut cut;
    struct cs_traffic traffic;
    struct cs_mailbox box;
    struct cs_ops ops;
    uint32_t *route; /* room for one of max_hops */
    struct lane *lanes;
    struct party *parties;
    struct receive *receives;
    uint32_t receive_count, receive_capacity, unused_receive;
    uint32_t message_count, message_capacity, unused_message;
    uint64_t unfinished;     /* lanes */
    uint64_t delivered;      /* messages */
    bool too_many_bytes;     /* to be counted in 64 bits */
    struct cs_min_set ready; /* lanes whose round is done */
};

/* Lanes of all parties. */
static inline uint32_t lane_count(const struct exec *exec)
{
    return cs_program_parties(exec->program) * exec->program->lanes;
}

/* Nothing happens any more and somebody is not done: fails with who waits for
 * whom. */
int cs_exec_stuck(const struct exec *exec);

/* Memory beside the vectors, for exec->watch: a message that needs a buffer
 * fills it from its first byte on (_from where the end is known, _at_soonest
 * where it is not yet), and _filled gives the buffer over to who holds it. */
void cs_exec_report_held(const struct exec *exec, uint32_t party);
void cs_exec_fill_from(struct exec *exec, uint32_t number, uint64_t at_ps);
void cs_exec_fill_at_soonest(struct exec *exec, uint32_t number);
void cs_exec_fill(struct exec *exec, uint32_t number);
void cs_exec_filled(struct exec *exec, uint32_t number);

/* Fails where a message has arrived that nobody receives. */
int cs_exec_check_mail(const struct exec *exec);

#endif
