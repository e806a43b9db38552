#include "sim/engine/queue.h"

#include "sim/base/collections/vector.h"

#include <stdlib.h>

void cs_queue_open(struct cs_queue *queue, uint32_t lines, struct cs_arena *arena)
{
    queue->lines = cs_arena_alloc(arena, lines, sizeof(*queue->lines));
    queue->count = lines;
    for (uint32_t i = 0; i < lines; i++)
        queue->lines[i].first = UINT64_MAX;
}

void cs_queue_close(struct cs_queue *queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        free(queue->lines[i].asleep.items);
}

static void sleep_in(struct cs_line *line, uint64_t order, uint32_t number)
{
    struct cs_heap *asleep = &line->asleep;

    asleep->items =
        cs_vector_room(asleep->items, asleep->count + 1, &line->capacity, sizeof(*asleep->items));
    cs_heap_add(asleep, (struct cs_heap_item){.key = order, .number = number});
}

void cs_queue_wait(struct cs_line *line, struct cs_events *events, struct cs_event event)
{
    if (events->fired > line->first) {
        sleep_in(line, events->fired, event.number);
        return;
    }
    line->first = events->fired;
    event.order = events->fired;
    cs_events_put_off(events, event);
}

void cs_queue_taken(struct cs_line *line, struct cs_events *events, uint32_t kind, uint64_t free_ps)
{
    struct cs_heap_item next;

    if (events->fired != line->first)
        return;
    line->first = UINT64_MAX;
    if (line->asleep.count == 0)
        return;
    next = line->asleep.items[0];
    cs_heap_remove(&line->asleep, 0);
    line->first = next.key;
    if (free_ps < events->now_ps)
        free_ps = events->now_ps;
    cs_events_put_off(events, (struct cs_event){free_ps, next.key, kind, next.number});
}
