#include "sim/engine/snapshot.h"

#include "sim/base/collections/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- hash ---- */

struct events_hash {
    uint64_t now_ps, sum;
};

static void hash_event(void *ctx, const struct cs_event *event)
{
    struct events_hash *hash = ctx;

    hash->sum += cs_hash_mix(event->kind, event->at_ps - hash->now_ps);
}

uint64_t cs_snapshot_hash(const struct exec *exec)
{
    struct events_hash hash = {.now_ps = exec->traffic.events.now_ps};
    uint32_t i;

    cs_events_each(&exec->traffic.events, hash_event, &hash);
    for (i = 0; i < exec->lanes.count; i++)
        hash.sum += cs_hash_mix(i, exec->lanes.lane[i].pending);
    return hash.sum;
}

/* ---- state ---- */

static void snapshot_word(struct cs_snapshot *snapshot, uint64_t word)
{
    snapshot->words = cs_vector_room(snapshot->words, snapshot->count + 1,
                                     &snapshot->room, sizeof(*snapshot->words));
    snapshot->words[snapshot->count++] = word;
}

static void snapshot_pair(struct cs_snapshot *snapshot, uint32_t a, uint32_t b)
{
    snapshot_word(snapshot, (uint64_t)a << 32 | b);
}

static void snapshot_path(struct cs_snapshot *snapshot, uint32_t number,
                          enum cs_snapshot_owner of, const struct cs_path *path)
{
    snapshot->paths =
        cs_vector_room(snapshot->paths, snapshot->path_count + 1,
                       &snapshot->path_room, sizeof(*snapshot->paths));
    snapshot->paths[snapshot->path_count++] =
        (struct cs_snapshot_path){*path, number, of};
}

static void snapshot_receive(struct cs_snapshot *snapshot,
                             const struct exec *exec, uint32_t number)
{
    const struct receive *receive = &exec->receives[number];

    snapshot_pair(snapshot, receive->lane, receive->reduces);
    snapshot_word(snapshot, receive->bytes);
    snapshot_word(snapshot, receive->holds);
}

/* Times of a message that the sender or the receiver still waits for. */
static void snapshot_flight(struct cs_snapshot *snapshot,
                            const struct exec *exec, uint32_t number)
{
    const struct cs_message *message = &exec->traffic.messages[number];
    uint64_t now_ps = exec->traffic.events.now_ps;

    snapshot_pair(snapshot, message->hop, message->hops);
    snapshot_word(snapshot, message->sent_ps - now_ps);
    snapshot_word(snapshot, message->head_ps - now_ps);
    snapshot_word(snapshot, message->tail_ps - now_ps);
    snapshot_word(snapshot,
                  exec->traffic.eager ? message->left_ps - now_ps : 0);
    snapshot_word(snapshot, message->latency_ps);
    snapshot_word(snapshot, message->wait_ps);
    snapshot_word(snapshot, message->own_ps);
    snapshot_path(snapshot, number, CS_PATH_OF_MESSAGE, &message->path);
}

static void snapshot_message(struct cs_snapshot *snapshot,
                             const struct exec *exec, uint32_t number)
{
    const struct cs_message *message = &exec->traffic.messages[number];
    uint32_t lane = message->src * exec->lanes.each + message->lane;

    snapshot_pair(snapshot, lane, message->dst);
    snapshot_pair(snapshot, message->to, message->channel);
    snapshot_pair(snapshot, message->op, message->starter);
    snapshot_word(snapshot, message->bytes);
    if (exec->routing) {
        snapshot_pair(snapshot, message->part, message->is_split);
        snapshot_pair(snapshot, message->parts_here, message->parts_there);
    }
    snapshot_word(snapshot, message->in_flight
                                ? exec->lanes.lane[lane].round - message->round
                                : 0);
    snapshot_word(
        snapshot,
        (uint64_t)message->handshake | (uint64_t)message->met << 1 |
            (uint64_t)message->in_order << 2 | (uint64_t)message->arrived << 3 |
            (uint64_t)message->left << 4 | (uint64_t)message->in_flight << 5 |
            (uint64_t)(message->receive == CS_NONE) << 6);
    if (message->in_flight)
        snapshot_flight(snapshot, exec, number);
    if (message->receive != CS_NONE && !message->arrived)
        snapshot_receive(snapshot, exec, message->receive);
}

/* ---- events ---- */

static int compare_events(const void *one, const void *other)
{
    const struct cs_event *a = one;
    const struct cs_event *b = other;

    if (a->at_ps != b->at_ps)
        return a->at_ps < b->at_ps ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static void snapshot_event(struct cs_snapshot *snapshot,
                           const struct exec *exec,
                           const struct cs_event *event)
{
    snapshot_word(snapshot, event->at_ps - exec->traffic.events.now_ps);
    snapshot_word(snapshot, event->kind);
    if (event->kind == CS_EVENT_COME) {
        snapshot_word(snapshot, event->number);
    } else if (event->kind == CS_EVENT_REDUCED) {
        snapshot_receive(snapshot, exec, event->number);
        snapshot_path(snapshot, event->number, CS_PATH_OF_RECEIVE,
                      &exec->receives[event->number].path);
    } else {
        snapshot_message(snapshot, exec, event->number);
        if (exec->traffic.messages[event->number].whole != CS_NONE)
            snapshot_message(snapshot, exec,
                             exec->traffic.messages[event->number].whole);
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

static void snapshot_events(struct cs_snapshot *snapshot,
                            const struct exec *exec)
{
    const struct cs_events *events = &exec->traffic.events;
    struct event_list sorted = {.count = 0};
    uint32_t i;

    sorted.items = cs_grow(NULL, (size_t)cs_events_waiting(events) + 1,
                           sizeof(*sorted.items));
    cs_events_each(events, list_event, &sorted);
    qsort(sorted.items, sorted.count, sizeof(*sorted.items), compare_events);
    for (i = 0; i < sorted.count; i++)
        snapshot_event(snapshot, exec, &sorted.items[i]);
    free(sorted.items);
}

/* ---- mail ---- */

static int compare_mail(const void *one, const void *other)
{
    const struct cs_mail *a = *(const struct cs_mail *const *)one;
    const struct cs_mail *b = *(const struct cs_mail *const *)other;

    if (a->key.dst != b->key.dst)
        return a->key.dst < b->key.dst ? -1 : 1;
    if (a->key.src != b->key.src)
        return a->key.src < b->key.src ? -1 : 1;
    return (a->key.channel > b->key.channel) -
           (a->key.channel < b->key.channel);
}

static void snapshot_waiting(struct cs_snapshot *snapshot,
                             const struct exec *exec,
                             const struct cs_mail *mail, uint32_t number)
{
    snapshot_word(snapshot, mail->kind);
    if (mail->kind == CS_MAIL_RECEIVES)
        snapshot_receive(snapshot, exec, number);
    else
        snapshot_message(snapshot, exec, number);
}

static void snapshot_mail(struct cs_snapshot *snapshot, const struct exec *exec)
{
    const struct cs_mailbox *box = &exec->box;
    const struct cs_mail **sorted =
        cs_grow(NULL, box->own_count + box->slot_count + 1, sizeof(*sorted));
    uint32_t count = 0;
    uint32_t i, at;

    for (i = 0; i < cs_mailbox_room(box); i++)
        if (cs_mailbox_at(box, i)->kind)
            sorted[count++] = cs_mailbox_at(box, i);
    qsort(sorted, count, sizeof(*sorted), compare_mail);
    for (i = 0; i < count; i++) {
        snapshot_pair(snapshot, sorted[i]->key.dst, sorted[i]->key.src);
        snapshot_word(snapshot, sorted[i]->key.channel);
        snapshot_waiting(snapshot, exec, sorted[i], sorted[i]->number);
        for (at = sorted[i]->first; at != CS_NONE; at = box->behind[at].next)
            snapshot_waiting(snapshot, exec, sorted[i], box->behind[at].number);
    }
    free(sorted);
}

/* ---- lanes, parties, resources ---- */

static void snapshot_lane(struct cs_snapshot *snapshot, const struct exec *exec,
                          uint32_t number)
{
    const struct cs_lane *lane = &exec->lanes.lane[number];
    uint32_t other = number - number % exec->lanes.each + lane->waits_for;

    snapshot_pair(snapshot, lane->pending, lane->waiters);
    snapshot_pair(snapshot, lane->waits_for, lane->round == lane->rounds);
    if (lane->waits_for != CS_NO_LANE)
        snapshot_word(snapshot,
                      lane->waits_round - exec->lanes.lane[other].round);
    if (lane->pending && cs_path_ps(&exec->lanes.lane[number].path) ==
                             exec->traffic.events.now_ps) {
        snapshot_word(snapshot, number);
        snapshot_path(snapshot, number, CS_PATH_OF_LANE,
                      &exec->lanes.lane[number].path);
    }
}

/* 0 where the time is over. */
static uint64_t time_to_come(uint64_t at_ps, uint64_t now_ps)
{
    return at_ps >= now_ps ? at_ps - now_ps + 1 : 0;
}

static void snapshot_tie(struct cs_snapshot *snapshot, const struct exec *exec,
                         const struct cs_tie *tie)
{
    uint64_t now_ps = exec->traffic.events.now_ps;

    snapshot_word(snapshot, time_to_come(tie->at_ps, now_ps));
    if (tie->at_ps < now_ps)
        return;
    snapshot_word(snapshot, tie->sent_ps - now_ps);
    snapshot_pair(snapshot, tie->lane,
                  cs_traffic_block(&exec->traffic, tie->rank));
}

/* No message reaches the resource before now, so an earlier begin of the streak
 * has the effect of a begin now. */
static void snapshot_resource(struct cs_snapshot *snapshot,
                              const struct exec *exec, uint32_t number)
{
    const struct cs_resource *resource = &exec->traffic.resources[number];
    uint64_t now_ps = exec->traffic.events.now_ps;

    snapshot_word(snapshot, time_to_come(resource->free_ps, now_ps));
    if (resource->free_ps >= now_ps) {
        snapshot_word(snapshot, time_to_come(resource->since_ps, now_ps + 1));
        snapshot_word(snapshot, resource->src);
    }
    if (exec->traffic.ties)
        snapshot_tie(snapshot, exec, &exec->traffic.ties[number]);
}

static void snapshot_party(struct cs_snapshot *snapshot,
                           const struct exec *exec, uint32_t number)
{
    const struct party *party = &exec->parties[number];

    snapshot_word(snapshot, party->extra_bytes);
    snapshot_word(snapshot, time_to_come(party->reducer_free_ps,
                                         exec->traffic.events.now_ps));
    if (exec->traffic.ties)
        snapshot_tie(snapshot, exec, &party->tie);
}

/* ---- what grows ---- */

static void snapshot_totals(struct cs_snapshot *snapshot,
                            const struct exec *exec)
{
    uint32_t parties = exec->lanes.count / exec->lanes.each;
    uint32_t i;

    if (!snapshot->rounds) {
        snapshot->rounds =
            cs_grow(NULL, exec->lanes.count, sizeof(*snapshot->rounds));
        snapshot->sent_bytes =
            cs_grow(NULL, parties, sizeof(*snapshot->sent_bytes));
        snapshot->use =
            cs_grow(NULL, exec->net->link_count, sizeof(*snapshot->use));
    }
    for (i = 0; i < exec->lanes.count; i++)
        snapshot->rounds[i] = exec->lanes.lane[i].round;
    for (i = 0; i < parties; i++)
        snapshot->sent_bytes[i] = exec->parties[i].sent_bytes;
    memcpy(snapshot->use, exec->traffic.use,
           exec->net->link_count * sizeof(*snapshot->use));
    snapshot->messages = exec->result->messages;
    snapshot->bytes_sent = exec->result->bytes_sent;
    snapshot->waits = exec->result->waits;
    snapshot->delivered = exec->delivered;
    snapshot->rounds_begun = exec->progress.rounds_begun;
}

void cs_snapshot_take(struct cs_snapshot *snapshot, const struct exec *exec)
{
    uint32_t i;

    snapshot->count = snapshot->path_count = 0;
    snapshot->now_ps = exec->traffic.events.now_ps;
    snapshot->added = exec->traffic.events.added;
    snapshot_events(snapshot, exec);
    snapshot_mail(snapshot, exec);
    for (i = 0; i < exec->lanes.count; i++)
        snapshot_lane(snapshot, exec, i);
    for (i = 0; i < exec->lanes.count / exec->lanes.each; i++)
        snapshot_party(snapshot, exec, i);
    for (i = 0; i < exec->net->resource_count; i++)
        snapshot_resource(snapshot, exec, i);
    snapshot_totals(snapshot, exec);
}

void cs_snapshot_free(struct cs_snapshot *snapshot)
{
    free(snapshot->words);
    free(snapshot->paths);
    free(snapshot->rounds);
    free(snapshot->sent_bytes);
    free(snapshot->use);
    *snapshot = (struct cs_snapshot){0};
}

bool cs_snapshot_equals(const struct cs_snapshot *a,
                        const struct cs_snapshot *b)
{
    return a->count == b->count && a->path_count == b->path_count &&
           memcmp(a->words, b->words, a->count * sizeof(*a->words)) == 0;
}
