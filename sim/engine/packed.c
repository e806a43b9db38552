#include "sim/engine/message.h"

#include "sim/base/collections/varint.h"
#include "sim/base/collections/vector.h"
#include "sim/engine/paths.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 80,          /* bytes of a packed message: nine numbers */
    SLAB_CHUNKS = 1 << 13, /* 1 MiB */
};

/* What the messages of a lane's round have in common. */
struct cs_packed_launch {
    struct cs_path path; /* of the sender up to sent_ps */
    uint64_t sent_ps, bytes, round;
    uint32_t src, lane;
    uint32_t in_flight; /* messages */
    uint32_t next;      /* list of unused launches */
    /* The route of the last message. */
    uint32_t to, hops;
    uint32_t links[CS_KEPT_HOPS];
};

struct cs_packed_chunk {
    uint32_t next; /* 1 + the number; 0: none */
    uint32_t used;
    uint8_t bytes[120];
};

_Static_assert(sizeof(struct cs_packed_chunk) == 128, "two cache lines");
_Static_assert(LONGEST < sizeof((struct cs_packed_chunk *)0)->bytes, "a message fits");

/* ---- differences ---- */

/* Differences modulo 2^64: small ones of both signs are short. */
static inline uint8_t *put_change(uint8_t *at, uint64_t value, uint64_t *before)
{
    uint64_t change = value - *before;

    *before = value;
    return cs_varint_put(at, cs_varint_of_signed(change));
}

static inline uint64_t get_change(const uint8_t **at, uint64_t *before)
{
    return *before += cs_varint_to_signed(cs_varint_get(at));
}

/* ---- launches ---- */

void cs_packed_open(struct exec *exec, bool jumps, struct cs_arena *arena)
{
    struct cs_packed *packed = &exec->packed;

    packed->is_on = exec->model->packs_messages && !jumps && !exec->traffic.stores &&
                    !exec->traffic.eager && !exec->watch && !exec->noise && !exec->change_count &&
                    !exec->routing && !exec->program->folded && !exec->program->handshake &&
                    !exec->program->served;
    packed->arena = arena;
}

void cs_packed_close(struct exec *exec)
{
    free(exec->packed.launches);
    for (uint32_t i = 0; i * SLAB_CHUNKS < exec->packed.chunk_count; i++)
        free(exec->packed.slabs[i]);
    free(exec->packed.slabs);
}

static uint32_t new_launch(struct cs_packed *packed)
{
    if (cs_pool_is_full(&packed->launch_pool))
        packed->launches = cs_grow(packed->launches, cs_pool_enlarge(&packed->launch_pool),
                                   sizeof(*packed->launches));
    return cs_pool_take(&packed->launch_pool, &packed->launches->next, sizeof(*packed->launches));
}

uint32_t cs_packed_launch(struct exec *exec, uint32_t lane, uint64_t bytes)
{
    struct cs_packed *packed = &exec->packed;
    const struct cs_lane *sender = &exec->lanes.lane[lane];
    struct cs_packed_launch *launch = &packed->launches[packed->launched];

    if (packed->launched != CS_NONE && launch->bytes == bytes &&
        cs_path_equals(&launch->path, &sender->path)) {
        launch->in_flight++;
        return packed->launched;
    }
    packed->launched = new_launch(packed);
    packed->launches[packed->launched] = (struct cs_packed_launch){
        .path = sender->path,
        .sent_ps = exec->traffic.events.now_ps,
        .bytes = bytes,
        .round = sender->round,
        .src = lane / exec->lanes.each,
        .lane = lane % exec->lanes.each,
        .in_flight = 1,
        .to = CS_NONE,
    };
    return packed->launched;
}

void cs_packed_landed(struct exec *exec, uint32_t number)
{
    struct cs_packed *packed = &exec->packed;
    uint32_t i = exec->traffic.messages[number].launch;

    if (--packed->launches[i].in_flight == 0)
        cs_pool_give(&packed->launch_pool, i, &packed->launches[i].next);
}

/* ---- queues ---- */

static inline struct cs_packed_chunk *chunk_at(const struct cs_packed *packed, uint32_t number)
{
    return &packed->slabs[number / SLAB_CHUNKS][number % SLAB_CHUNKS];
}

static void add_slab(struct cs_packed *packed)
{
    uint32_t slab = packed->chunk_count / SLAB_CHUNKS;

    packed->slabs =
        cs_vector_room(packed->slabs, slab + 1, &packed->slab_room, sizeof(*packed->slabs));
    packed->slabs[slab] = cs_grow_lines(NULL, 0, SLAB_CHUNKS, sizeof(**packed->slabs));
}

static uint32_t new_chunk(struct cs_packed *packed)
{
    uint32_t number = packed->unused - 1;

    if (packed->unused) {
        packed->unused = chunk_at(packed, number)->next;
    } else {
        if (packed->chunk_count % SLAB_CHUNKS == 0)
            add_slab(packed);
        number = packed->chunk_count++;
    }
    chunk_at(packed, number)->next = chunk_at(packed, number)->used = 0;
    return number;
}

static void drop_chunk(struct cs_packed *packed, uint32_t number)
{
    chunk_at(packed, number)->next = packed->unused;
    packed->unused = number + 1;
}

/* Appends a packed message to the queue. */
static void append(struct cs_packed *packed, struct cs_packed_queue *queue, const uint8_t *bytes,
                   uint32_t count)
{
    struct cs_packed_chunk *chunk = queue->first ? chunk_at(packed, queue->last) : NULL;
    uint32_t number;

    if (!chunk || chunk->used + count > sizeof(chunk->bytes)) {
        number = new_chunk(packed);
        if (chunk)
            chunk->next = number + 1;
        else
            queue->first = number + 1;
        queue->last = number;
        chunk = chunk_at(packed, number);
    }
    memcpy(&chunk->bytes[chunk->used], bytes, count);
    chunk->used += count;
}

/* The message is over: its chunk, too, where it was the last one there. */
static void step_to(struct cs_packed *packed, struct cs_packed_queue *queue, const uint8_t *end)
{
    uint32_t number = queue->first - 1;
    const struct cs_packed_chunk *chunk = chunk_at(packed, number);

    queue->read = (uint32_t)(end - chunk->bytes);
    if (queue->read < chunk->used)
        return;
    queue->read = 0;
    queue->first = chunk->next;
    drop_chunk(packed, number);
}

/* The event of the first message that is left. */
static void await_first(struct exec *exec, uint32_t link)
{
    const struct cs_packed_queue *queue = &exec->packed.queues[link];
    const uint8_t *at = &chunk_at(&exec->packed, queue->first - 1)->bytes[queue->read];
    struct cs_event event = {.kind = CS_EVENT_PACKED, .number = link};

    event.at_ps = queue->taken.at_ps + cs_varint_get(&at);
    event.order = queue->taken.order + cs_varint_get(&at);
    cs_events_put_off(&exec->traffic.events, event);
}

static struct cs_packed_queue *queue_of(struct exec *exec, uint32_t link)
{
    struct cs_packed *packed = &exec->packed;

    if (!packed->queues)
        packed->queues =
            cs_arena_alloc(packed->arena, exec->net->link_count, sizeof(*packed->queues));
    return &packed->queues[link];
}

bool cs_packed_add(struct exec *exec, uint32_t number, enum cs_event_kind kind, uint64_t at_ps)
{
    struct cs_events *events = &exec->traffic.events;
    struct cs_message *message = &exec->traffic.messages[number];
    uint32_t link = message->route[message->hop - 1];
    struct cs_packed_queue *queue = queue_of(exec, link);
    struct cs_packed_place *last = &queue->added;
    uint8_t bytes[LONGEST];
    uint8_t *end;

    if (at_ps < last->at_ps || at_ps > CS_TIME_MAX_PS)
        return false;
    end = cs_varint_put(bytes, at_ps - last->at_ps);
    end = cs_varint_put(end, events->added - last->order);
    end = cs_varint_put(end, (uint64_t)message->hop << 1 | (kind == CS_EVENT_DELIVER));
    end = cs_varint_put(end, message->tail_ps - message->head_ps);
    end = put_change(end, message->own_ps, &last->own_ps);
    end = put_change(end, message->latency_ps, &last->latency_ps);
    end = put_change(end, message->launch, &last->launch);
    end = put_change(end, message->dst, &last->dst);
    end = put_change(end, message->op, &last->op);
    last->at_ps = at_ps;
    last->order = events->added;
    if (queue->first)
        events->added++;
    else
        cs_events_add(events, at_ps, CS_EVENT_PACKED, link);
    append(&exec->packed, queue, bytes, (uint32_t)(end - bytes));
    cs_pool_give(&exec->message_pool, number, &message->next);
    return true;
}

/* The route of an unpacked message: mostly that of the last one of its launch. */
static void find_route(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    struct cs_packed_launch *launch = &exec->packed.launches[message->launch];

    if (launch->to == message->dst) {
        message->hops = launch->hops;
        cs_exec_copy_route(exec, number, launch->links, launch->hops);
        return;
    }
    message->hops = cs_exec_find_route(exec, number);
    if (message->hops > CS_KEPT_HOPS)
        return;
    launch->to = message->dst;
    launch->hops = message->hops;
    memcpy(launch->links, message->route, message->hops * sizeof(*launch->links));
}

/* What the launch knows of its message. */
static void recall(const struct exec *exec, struct cs_message *message, uint32_t number)
{
    const struct cs_packed_launch *launch = &exec->packed.launches[number];

    message->launch = number;
    message->bytes = launch->bytes;
    message->path = launch->path;
    message->sent_ps = launch->sent_ps;
    message->round = launch->round;
    message->src = launch->src;
    message->lane = message->starter = message->channel = launch->lane;
    message->receive = message->whole = CS_NONE;
    message->part = message->parts_here = message->parts_there = 0;
    message->flags = 0;
    message->packs = message->in_flight = true;
}

struct cs_event cs_packed_take(struct exec *exec, uint32_t link)
{
    uint32_t number = cs_exec_new_message(exec);
    struct cs_message *message = &exec->traffic.messages[number];
    struct cs_packed_queue *queue = &exec->packed.queues[link];
    struct cs_packed_place *last = &queue->taken;
    const uint8_t *at = &chunk_at(&exec->packed, queue->first - 1)->bytes[queue->read];
    uint64_t hop, lag_ps;

    last->at_ps += cs_varint_get(&at);
    last->order += cs_varint_get(&at);
    hop = cs_varint_get(&at);
    lag_ps = cs_varint_get(&at);
    message->own_ps = get_change(&at, &last->own_ps);
    message->latency_ps = get_change(&at, &last->latency_ps);
    recall(exec, message, (uint32_t)get_change(&at, &last->launch));
    message->to = message->dst = (uint32_t)get_change(&at, &last->dst);
    message->op = (uint32_t)get_change(&at, &last->op);
    message->hop = (uint32_t)(hop >> 1);
    message->head_ps = hop & 1 ? last->at_ps - lag_ps : last->at_ps;
    message->tail_ps = message->head_ps + lag_ps;
    message->wait_ps = message->head_ps - message->sent_ps - message->latency_ps;
    step_to(&exec->packed, queue, at);
    if (queue->first)
        await_first(exec, link);
    if (!(hop & 1))
        find_route(exec, number);
    return (struct cs_event){
        .at_ps = last->at_ps, .kind = hop & 1 ? CS_EVENT_DELIVER : CS_EVENT_MOVE, .number = number};
}
