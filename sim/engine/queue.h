/*
 * Queues: events that wait in lines for a resource that serves one at a time.
 *
 * An event requests the resource when it fires; requests are served in the order
 * of the events, not of their arrival in the line.  All events of a line wait
 * for the same time, which never decreases.  An event behind an earlier event of
 * its line sleeps; only the first of the line is scheduled.  The effect equals a
 * retry of each event at the end of each service, without the cost of retries.
 *
 *     wait, taken   O(log n) for n waiting events
 *
 * Memory grows to the longest queue ever, and is kept.
 */
#pragma once

#include "sim/base/collections/heap.h"
#include "sim/base/mem.h"
#include "sim/engine/events.h"

struct cs_line {
    uint64_t first; /* order of the scheduled event; UINT64_MAX: empty */
    struct cs_heap asleep;
    uint32_t capacity;
};

struct cs_queue {
    struct cs_line *lines;
    uint32_t count;
};

/* The lines are in the arena, sleeping events are not. */
void cs_queue_open(struct cs_queue *queue, uint32_t lines, struct cs_arena *arena);
void cs_queue_close(struct cs_queue *queue);

/* The event that fires now waits until event.at_ps, which is after now; its
 * order is kept. */
void cs_queue_wait(struct cs_line *line, struct cs_events *events, struct cs_event event);

/* The event that fires now, of the kind of all events of the line, was served;
 * the next event is due at `free_ps` or now. */
void cs_queue_taken(struct cs_line *line, struct cs_events *events, uint32_t kind,
                    uint64_t free_ps);
