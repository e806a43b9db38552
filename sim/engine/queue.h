/*
 * Turns: who waits in lines for something that serves one at a time.
 *
 * An event asks when it fires, and who asked first - by the event's order, not
 * by when it came - comes first.  In a line all wait for the same time, which
 * is never set back.  An event that finds somebody before it in its line sleeps;
 * the first of the line has its event in the queue, so that all happens as if
 * each came back whenever the time was over that it had been told.
 *
 *     wait, taken   O(log n) for n that wait
 *
 * Memory grows to the most that ever waited in a line, and is kept.
 */
#ifndef CS_SIM_ENGINE_QUEUE_H
#define CS_SIM_ENGINE_QUEUE_H

#include "sim/base/collections/heap.h"
#include "sim/base/mem.h"
#include "sim/engine/events.h"

struct cs_line {
    uint64_t first; /* order of who is awake; UINT64_MAX: nobody waits */
    struct cs_heap asleep;
    uint32_t capacity;
};

struct cs_queue {
    struct cs_line *lines;
    uint32_t count;
};

/* The lines are in the arena, who sleeps in them is not. */
void cs_queue_open(struct cs_queue *queue, uint32_t lines,
                   struct cs_arena *arena);
void cs_queue_close(struct cs_queue *queue);

/* The event that fires now has to wait until event.at_ps, after now; its order
 * is known. */
void cs_queue_wait(struct cs_line *line, struct cs_events *events,
                   struct cs_event event);

/* The event that fires now, of that kind as all of the line, had its turn; the
 * next one's is at `free_ps` or now. */
void cs_queue_taken(struct cs_line *line, struct cs_events *events,
                    uint32_t kind, uint64_t free_ps);

#endif
