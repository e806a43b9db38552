#include "sim/watch/service_log.h"

#include "sim/base/collections/vector.h"
#include "sim/base/order.h"
#include "sim/program/matching.h"

#include <stdlib.h>

/* Rates of flows are doubles, and their ends are rounded anew at every change. */
static const uint64_t flow_rounding_ps = 1000;

void cs_service_log_open(struct cs_service_log *log, const struct cs_net *net,
                         const struct cs_link_model *model)
{
    *log = (struct cs_service_log){.net = net, .model = model};
    if (model->shares_back)
        log->back = cs_grow(NULL, net->max_hops, sizeof(*log->back));
}

void cs_service_log_free(struct cs_service_log *log)
{
    free(log->entries);
    free(log->back);
    *log = (struct cs_service_log){0};
}

static void service_log_add(struct cs_service_log *log, struct cs_service_entry entry)
{
    *CS_VECTOR_NEXT(log->entries, log->count, log->capacity) = entry;
}

static bool service_log_reduces(const struct cs_net *net, uint32_t party)
{
    struct cs_net_party is = cs_net_party_at(net, party);

    return is.reduce_ps_per_byte > 0 || is.reduce_overhead_ps > 0;
}

void cs_service_log_carried(void *ctx, const struct cs_message *message, const uint32_t *route,
                            const struct cs_service *services, uint64_t at_ps)
{
    struct cs_service_log *log = ctx;
    struct cs_service_entry entry = {.src = message->src,
                                     .dst = message->dst,
                                     .lane = message->lane,
                                     .op = message->op,
                                     .part = message->part,
                                     .round = message->round,
                                     .shares = !services,
                                     .end_ps = at_ps};
    /* Packets cross links one after another; flows take them all at once. */
    uint64_t flows_ps = message->sent_ps + (log->model->has_packets ? 0 : message->latency_ps);

    for (; entry.hop < message->hops; entry.hop++) {
        const struct cs_service *service = services ? &services[entry.hop] : NULL;

        if (service && !service->in_line)
            continue;
        entry.link = route[entry.hop];
        entry.resource = cs_net_link_at(log->net, entry.link).resource;
        entry.start_ps = service ? service->start_ps : flows_ps;
        entry.turn = service ? service->turn : 0;
        service_log_add(log, entry);
    }
    if (!service_log_reduces(log->net, message->dst))
        return;
    entry.link = CS_NONE;
    entry.resource = log->net->resource_count + message->dst;
    entry.start_ps = at_ps;
    entry.turn = log->count;
    entry.shares = false;
    service_log_add(log, entry);
}

/* ---- the messages of both logs, one by one ---- */

static int compare_messages(const void *x, const void *y)
{
    const struct cs_service_entry *a = x, *b = y;

    return CS_ORDER({a->src, b->src}, {a->lane, b->lane}, {a->round, b->round}, {a->op, b->op},
                    {a->part, b->part}, {a->hop, b->hop});
}

/* Copies the times before, or finds the first message on another route. */
static struct cs_service_change service_log_match(struct cs_service_log *before,
                                                  struct cs_service_log *after)
{
    uint32_t count = before->count < after->count ? before->count : after->count;

    qsort(before->entries, before->count, sizeof(*before->entries), compare_messages);
    qsort(after->entries, after->count, sizeof(*after->entries), compare_messages);
    for (uint32_t i = 0; i < count; i++) {
        const struct cs_service_entry *was = &before->entries[i];
        struct cs_service_entry *is = &after->entries[i];

        if (was->resource != is->resource || compare_messages(was, is))
            return (struct cs_service_change){CS_SERVICE_ROUTE, *is, *was};
        is->was_ps = was->start_ps;
        is->was_turn = was->turn;
        is->was_end_ps = was->end_ps;
    }
    return (struct cs_service_change){.what = CS_SERVICE_SAME};
}

/* ---- the order of each resource ---- */

static int compare_services(const void *x, const void *y)
{
    const struct cs_service_entry *a = x, *b = y;
    int order =
        CS_ORDER({a->resource, b->resource}, {a->start_ps, b->start_ps}, {a->turn, b->turn});

    return order ? order : compare_messages(a, b);
}

/* Whether the later of two services at a resource was the earlier one. */
static bool is_overtaken(const struct cs_service_entry *first, const struct cs_service_entry *late)
{
    if (first->resource != late->resource)
        return false;
    return late->was_ps < first->was_ps ||
           (late->was_ps == first->was_ps && late->was_turn < first->was_turn);
}

static bool is_sooner(const struct cs_service_entry *entry, const struct cs_service_entry *than)
{
    return !than || entry->start_ps < than->start_ps ||
           (entry->start_ps == than->start_ps && entry->turn < than->turn);
}

/* The first late service of a queue: what it depends on is not late. */
static const struct cs_service_entry *first_late(const struct cs_service_log *log)
{
    const struct cs_service_entry *late = NULL;

    for (uint32_t i = 0; i < log->count; i++) {
        const struct cs_service_entry *entry = &log->entries[i];

        if (!entry->shares && entry->link != CS_NONE && entry->start_ps > entry->was_ps &&
            is_sooner(entry, late))
            late = entry;
    }
    return late;
}

/* The first change of order at a party that reduces; `until`: before that service
 * of a message of the party, or NULL. */
static struct cs_service_change reduced_otherwise(const struct cs_service_log *log,
                                                  const struct cs_service_entry *until)
{
    struct cs_service_change change = {.what = CS_SERVICE_SAME};

    for (uint32_t i = 1; i < log->count; i++) {
        const struct cs_service_entry *entry = &log->entries[i];

        if (entry->link != CS_NONE || !is_overtaken(entry - 1, entry) ||
            (until && (entry[-1].start_ps > until->start_ps || entry->dst != until->src)) ||
            (change.what && !is_sooner(entry, &change.late)))
            continue;
        change = (struct cs_service_change){CS_SERVICE_ORDER, *entry, entry[-1]};
    }
    return change;
}

static struct cs_service_change served_otherwise(const struct cs_service_log *log)
{
    const struct cs_service_entry *late = first_late(log);

    if (late && late > log->entries && is_overtaken(late - 1, late))
        return (struct cs_service_change){CS_SERVICE_ORDER, *late, late[-1]};
    return reduced_otherwise(log, late);
}

/* ---- shares of links ---- */

static bool is_of_message(const struct cs_service_entry *entry, const struct cs_service_entry *late)
{
    return entry->shares && entry->src == late->src && entry->lane == late->lane &&
           entry->round == late->round && entry->op == late->op && entry->part == late->part;
}

/* Whether answers to the message of the entry take the resource. */
static bool is_answered_over(const struct cs_service_log *log, const struct cs_service_entry *entry,
                             uint32_t resource)
{
    uint32_t hops = log->net->route(log->net->route_ctx, entry->dst, entry->src, log->back);

    while (hops > 0 && cs_net_link_at(log->net, log->back[hops - 1]).resource != resource)
        hops--;
    return hops > 0;
}

/* Whether both take a resource, or one of them that of the answers to the other. */
static bool is_on_link(const struct cs_service_log *log, const struct cs_service_entry *entry,
                       const struct cs_service_entry *other)
{
    return entry->resource == other->resource ||
           (log->model->shares_back && (is_answered_over(log, entry, other->resource) ||
                                        is_answered_over(log, other, entry->resource)));
}

static bool is_sharing(const struct cs_service_log *log, const struct cs_service_entry *entry,
                       const struct cs_service_entry *other)
{
    return other->shares && !is_of_message(other, entry) && entry->start_ps < other->end_ps &&
           other->start_ps < entry->end_ps && is_on_link(log, entry, other);
}

/* A link that the message of the entry shares while it is in flight. */
static struct cs_service_change find_sharing(const struct cs_service_log *log,
                                             const struct cs_service_entry *late)
{
    for (uint32_t i = 0; i < log->count; i++) {
        const struct cs_service_entry *entry = &log->entries[i];

        for (uint32_t k = 0; is_of_message(entry, late) && k < log->count; k++)
            if (is_sharing(log, entry, &log->entries[k]))
                return (struct cs_service_change){CS_SERVICE_SHARE, *entry, log->entries[k]};
    }
    return (struct cs_service_change){.what = CS_SERVICE_SAME};
}

static double rate_at(const struct cs_service_log *log, const struct cs_service_entry *entry)
{
    return cs_net_link_at(log->net, entry->link).rate_Bps;
}

/* A link of the message of the entry that is faster than the link before it, and was not
 * as much so. */
static struct cs_service_change find_store(const struct cs_service_log *before,
                                           const struct cs_service_log *log,
                                           const struct cs_service_entry *late)
{
    for (uint32_t i = 0; i < log->count; i++)
        for (uint32_t k = 0; is_of_message(&log->entries[i], late) && k < log->count; k++) {
            const struct cs_service_entry *slow = &log->entries[i], *fast = &log->entries[k];

            if (is_of_message(fast, late) && fast->hop == slow->hop + 1 &&
                rate_at(log, fast) > rate_at(log, slow) &&
                rate_at(log, fast) * rate_at(before, slow) >
                    rate_at(log, slow) * rate_at(before, fast))
                return (struct cs_service_change){CS_SERVICE_STORE, *fast, *slow};
        }
    return (struct cs_service_change){.what = CS_SERVICE_SAME};
}

/* Of the first flow that ends late. */
static struct cs_service_change shared_otherwise(const struct cs_service_log *before,
                                                 const struct cs_service_log *log)
{
    struct cs_service_change change = {.what = CS_SERVICE_SAME};
    const struct cs_service_entry *late = NULL;

    for (uint32_t i = 0; i < log->count; i++) {
        const struct cs_service_entry *entry = &log->entries[i];

        if (entry->shares &&
            entry->end_ps > entry->was_end_ps + (log->model->has_packets ? 0 : flow_rounding_ps) &&
            (!late || entry->end_ps < late->end_ps))
            late = entry;
    }
    if (late && log->model->has_packets)
        change = find_store(before, log, late);
    return late && !change.what ? find_sharing(log, late) : change;
}

struct cs_service_change cs_service_log_find(struct cs_service_log *before,
                                             struct cs_service_log *after)
{
    struct cs_service_change change = {.what = CS_SERVICE_SAME};

    if (!before->count || !after->count)
        return change;
    change = service_log_match(before, after);
    if (change.what)
        return change;
    qsort(after->entries, after->count, sizeof(*after->entries), compare_services);
    change = served_otherwise(after);
    return change.what ? change : shared_otherwise(before, after);
}
