/*
 * Service log: in which order the resources of a net serve the messages of a run.
 *
 * With the routes and the order of every resource given, each time of a run is a
 * maximum of sums of services and latencies: faster links, shorter latencies and
 * fewer bytes cannot lengthen it.  Queues serve in the order of arrival, and a faster
 * machine can change that order for the worse, as in Graham's anomalies of list
 * schedules (1966).  Two logs of one program show the change that delays the first
 * message of a slower run:
 *
 *     route   messages take other links
 *     order   a message waits behind one that it preceded before; or a party
 *             reduces messages in another order
 *     share   a flow shares a link with another one (models without queues, in which
 *             a flow that begins sooner takes its share from others), or the answers of
 *             one share the link of the other
 *     store   a packet is stored in front of a link that is faster than the link before it,
 *             and was not as much so
 *
 * Order of calls: open, the log's watch given to the executor, find, free.
 *
 *     carried   O(hops)
 *     find      O(n log n) and O(n) for each link of the first flow that is late; where answers
 *               share links, with two routes each; sorts both logs
 *     memory    96 bytes a message and link
 */
#pragma once

#include "sim/engine/exec_request.h"

/* A message at a link, or at a party that takes time to reduce. */
struct cs_service_entry {
    uint32_t resource; /* from resource_count on: parties */
    uint32_t link;     /* or CS_NONE at a party */
    uint32_t src, dst, lane, op, part;
    uint64_t round; /* with src, lane, op and part: the message */
    uint32_t hop;
    bool shares;                           /* with others at once */
    uint64_t start_ps, turn;               /* of the service; of two at one time the order */
    uint64_t end_ps;                       /* the message is delivered */
    uint64_t was_ps, was_turn, was_end_ps; /* in the log before */
};

struct cs_service_log {
    const struct cs_net *net;
    const struct cs_link_model *model;
    struct cs_service_entry *entries;
    uint32_t *back; /* room for a route */
    uint32_t count, capacity;
};

void cs_service_log_open(struct cs_service_log *log, const struct cs_net *net,
                         const struct cs_link_model *model);
void cs_service_log_free(struct cs_service_log *log);

/* A struct cs_exec_watch's function `carried`; ctx is the log. */
void cs_service_log_carried(void *ctx, const struct cs_message *message, const uint32_t *route,
                            const struct cs_service *services, uint64_t at_ps);

enum cs_service_changed {
    CS_SERVICE_SAME,
    CS_SERVICE_ROUTE,
    CS_SERVICE_ORDER,
    CS_SERVICE_SHARE,
    CS_SERVICE_STORE,
    CS_SERVICE_CHANGES
};

struct cs_service_change {
    enum cs_service_changed what;
    struct cs_service_entry late;   /* the delayed message, where it is delayed */
    struct cs_service_entry before; /* the message that it waits for; of a route: as
                                       in the log before; of a store: at the link before */
};

/* The change by which the run of the log `after` is slower, in spite of a machine
 * that is no slower and messages that are no longer.  CS_SERVICE_SAME: no such change;
 * the logs are not of such runs, or of different programs. */
struct cs_service_change cs_service_log_find(struct cs_service_log *before,
                                             struct cs_service_log *after);
