#include "sim/engine/repeat.h"

#include "sim/base/hash.h"
#include "sim/base/order.h"

#include <assert.h>
#include <stdlib.h>

/* ---- hash ---- */

struct events_hash {
    uint64_t now_ps, sum;
};

static void hash_event(void *ctx, const struct cs_event *event)
{
    struct events_hash *hash = ctx;

    /* A sum: containers have their events in any order. */
    hash->sum += cs_hash_mix(event->kind, event->at_ps - hash->now_ps);
}

uint64_t cs_snapshot_hash(const struct exec *exec)
{
    struct events_hash hash = {.now_ps = exec->traffic.events.now_ps};

    cs_events_each(&exec->traffic.events, hash_event, &hash);
    for (uint32_t i = 0; i < exec->lanes.count; i++)
        hash.sum += cs_hash_mix(i, exec->lanes.lane[i].pending);
    return hash.sum;
}

/* ---- state ---- */

static void snapshot_receive(struct cs_shot *shot, const struct exec *exec, uint32_t number)
{
    const struct receive *receive = &exec->receives[number];

    cs_shot_pair(shot, receive->lane, receive->reduces);
    cs_shot_word(shot, receive->bytes);
    cs_shot_word(shot, receive->holds);
}

static void snapshot_message(struct cs_shot *shot, const struct exec *exec, uint32_t number)
{
    const struct cs_message *message = &exec->traffic.messages[number];
    uint32_t lane = message->src * exec->lanes.each + message->lane;

    cs_shot_pair(shot, lane, message->dst);
    cs_shot_pair(shot, message->to, message->channel);
    cs_shot_pair(shot, message->op, message->starter);
    cs_shot_word(shot, message->bytes);
    if (exec->routing) {
        cs_shot_pair(shot, message->part, message->is_split);
        cs_shot_pair(shot, message->parts_here, message->parts_there);
    }
    cs_shot_word(shot, message->in_flight ? exec->lanes.lane[lane].round - message->round : 0);
    cs_shot_word(shot, (uint64_t)message->handshake | (uint64_t)message->met << 1 |
                           (uint64_t)message->in_order << 2 | (uint64_t)message->arrived << 3 |
                           (uint64_t)message->left << 4 | (uint64_t)message->in_flight << 5 |
                           (uint64_t)(message->receive == CS_NONE) << 6);
    if (message->in_flight)
        cs_shot_flight(shot, &exec->traffic, number);
    if (message->receive != CS_NONE && !message->arrived)
        snapshot_receive(shot, exec, message->receive);
}

/* ---- events ---- */

static int compare_events(const void *one, const void *other)
{
    const struct cs_event *a = one;
    const struct cs_event *b = other;

    return CS_ORDER({a->at_ps, b->at_ps}, {a->order, b->order});
}

static void snapshot_event(struct cs_shot *shot, const struct exec *exec,
                           const struct cs_event *event)
{
    assert(event->kind != CS_EVENT_PACKED);
    cs_shot_word(shot, event->at_ps - shot->now_ps);
    cs_shot_word(shot, event->kind);
    if (event->kind == CS_EVENT_COME) {
        cs_shot_word(shot, event->number);
    } else if (event->kind == CS_EVENT_REDUCED) {
        snapshot_receive(shot, exec, event->number);
        cs_shot_path(shot, event->number, CS_PATH_OF_RECEIVE, &exec->receives[event->number].path);
    } else {
        snapshot_message(shot, exec, event->number);
        if (exec->traffic.messages[event->number].whole != CS_NONE)
            snapshot_message(shot, exec, exec->traffic.messages[event->number].whole);
    }
}

struct event_list {
    struct cs_event *items;
    uint32_t count;
};

static void list_event(void *ctx, const struct cs_event *event)
{
    struct event_list *list = ctx;

    list->items[list->count++] = *event;
}

/* In the order in which they will fire, whatever container has them: equal shots then fire
 * equally. */
static void snapshot_events(struct cs_shot *shot, const struct exec *exec)
{
    const struct cs_events *events = &exec->traffic.events;
    struct event_list sorted = {.count = 0};

    sorted.items = cs_grow(NULL, (size_t)cs_events_waiting(events) + 1, sizeof(*sorted.items));
    cs_events_each(events, list_event, &sorted);
    qsort(sorted.items, sorted.count, sizeof(*sorted.items), compare_events);
    for (uint32_t i = 0; i < sorted.count; i++)
        snapshot_event(shot, exec, &sorted.items[i]);
    free(sorted.items);
}

/* ---- mail ---- */

static int compare_mail(const void *one, const void *other)
{
    const struct cs_mail *a = *(const struct cs_mail *const *)one;
    const struct cs_mail *b = *(const struct cs_mail *const *)other;

    return CS_ORDER({a->key.dst, b->key.dst}, {a->key.src, b->key.src},
                    {a->key.channel, b->key.channel});
}

static void snapshot_waiting(struct cs_shot *shot, const struct exec *exec,
                             const struct cs_mail *mail, uint32_t number)
{
    cs_shot_word(shot, mail->kind);
    if (mail->kind == CS_MAIL_RECEIVES)
        snapshot_receive(shot, exec, number);
    else
        snapshot_message(shot, exec, number);
}

static void snapshot_mail(struct cs_shot *shot, const struct exec *exec)
{
    const struct cs_mailbox *box = &exec->box;
    const struct cs_mail **sorted =
        cs_grow(NULL, box->own_count + box->slot_count + 1, sizeof(*sorted));
    uint32_t count = 0;

    for (uint32_t i = 0; i < cs_mailbox_room(box); i++)
        if (cs_mailbox_at(box, i)->kind)
            sorted[count++] = cs_mailbox_at(box, i);
    qsort(sorted, count, sizeof(*sorted), compare_mail);
    for (uint32_t i = 0; i < count; i++) {
        cs_shot_pair(shot, sorted[i]->key.dst, sorted[i]->key.src);
        cs_shot_word(shot, sorted[i]->key.channel);
        snapshot_waiting(shot, exec, sorted[i], sorted[i]->number);
        for (uint32_t at = sorted[i]->first; at != CS_NONE; at = box->behind[at].next) {
            snapshot_waiting(shot, exec, sorted[i], box->behind[at].number);
            cs_shot_word(shot, box->behind[at].count);
        }
    }
    free(sorted);
}

/* ---- lanes, parties, resources ---- */

static void snapshot_lane(struct cs_shot *shot, const struct exec *exec, uint32_t number)
{
    const struct cs_lane *lane = &exec->lanes.lane[number];
    uint32_t other = number - number % exec->lanes.each + lane->waits_for;

    cs_shot_pair(shot, lane->pending, lane->waiters);
    cs_shot_pair(shot, lane->waits_for, lane->round == lane->rounds);
    if (lane->waits_for != CS_NO_LANE)
        cs_shot_word(shot, lane->waits_round - exec->lanes.lane[other].round);
    if (lane->pending && cs_path_ps(&exec->lanes.lane[number].path) == shot->now_ps) {
        cs_shot_word(shot, number);
        cs_shot_path(shot, number, CS_PATH_OF_LANE, &exec->lanes.lane[number].path);
    }
}

static void snapshot_party(struct cs_shot *shot, const struct exec *exec, uint32_t number)
{
    const struct party *party = &exec->parties[number];

    cs_shot_word(shot, party->extra_bytes);
    cs_shot_time(shot, party->reducer_free_ps);
    if (exec->traffic.ties)
        cs_shot_tie(shot, &exec->traffic, &party->tie);
}

/* ---- what grows ---- */

static void snapshot_totals(struct cs_shot *shot, const struct exec *exec)
{
    uint32_t parties = exec->lanes.count / exec->lanes.each;

    for (uint32_t i = 0; i < exec->lanes.count; i++)
        cs_shot_round(shot, exec->lanes.lane[i].round);
    for (uint32_t i = 0; i < exec->net->link_count; i++)
        cs_shot_use(shot, &exec->traffic.use[i]);
    if (!shot->sent_bytes)
        shot->sent_bytes = cs_grow(NULL, parties, sizeof(*shot->sent_bytes));
    for (uint32_t i = 0; i < parties; i++)
        shot->sent_bytes[i] = exec->parties[i].sent_bytes;
    shot->messages = exec->result->messages;
    shot->bytes_sent = exec->result->bytes_sent;
    shot->waits = exec->result->waits;
    shot->delivered = exec->delivered;
    shot->rounds_begun = exec->progress.rounds_begun;
}

void cs_snapshot_take(struct cs_shot *shot, const struct exec *exec)
{
    cs_shot_begin(shot, exec->traffic.events.now_ps);
    shot->added = exec->traffic.events.added;
    snapshot_events(shot, exec);
    snapshot_mail(shot, exec);
    for (uint32_t i = 0; i < exec->lanes.count; i++)
        snapshot_lane(shot, exec, i);
    for (uint32_t i = 0; i < exec->lanes.count / exec->lanes.each; i++)
        snapshot_party(shot, exec, i);
    for (uint32_t i = 0; i < exec->net->resource_count; i++)
        cs_shot_resource(shot, &exec->traffic, i);
    snapshot_totals(shot, exec);
}
