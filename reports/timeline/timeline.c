#include "reports/timeline/timeline.h"

#include "sim/base/order.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FIRST_ROOM = 64,
    NOTE_TEXT = 240
};

/* An array with room for an item more. */
static void *timeline_room(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : FIRST_ROOM;
    return cs_grow(items, *room, size);
}

uint32_t cs_timeline_process(struct cs_timeline *timeline, const char *name)
{
    timeline->processes = timeline_room(timeline->processes, timeline->count.processes,
                                        &timeline->room.processes, sizeof(*timeline->processes));
    timeline->processes[timeline->count.processes] = cs_arena_text(&timeline->arena, name);
    return (uint32_t)timeline->count.processes++;
}

uint32_t cs_timeline_thread(struct cs_timeline *timeline, uint32_t process, const char *name)
{
    assert(process < timeline->count.processes);
    timeline->threads = timeline_room(timeline->threads, timeline->count.threads,
                                      &timeline->room.threads, sizeof(*timeline->threads));
    timeline->threads[timeline->count.threads] =
        (struct cs_timeline_thread){cs_arena_text(&timeline->arena, name), process};
    return (uint32_t)timeline->count.threads++;
}

uint32_t cs_timeline_name(struct cs_timeline *timeline, const char *category, const char *text)
{
    timeline->names = timeline_room(timeline->names, timeline->count.names, &timeline->room.names,
                                    sizeof(*timeline->names));
    timeline->names[timeline->count.names] = (struct cs_timeline_name){
        cs_arena_text(&timeline->arena, category), cs_arena_text(&timeline->arena, text)};
    return (uint32_t)timeline->count.names++;
}

static int timeline_compare(const void *left, const void *right)
{
    const struct cs_timeline_span *a = left;
    const struct cs_timeline_span *b = right;

    return CS_ORDER({a->thread, b->thread}, {a->from_ps, b->from_ps}, {a->order, b->order});
}

void cs_timeline_sort(struct cs_timeline *timeline)
{
    if (timeline->count.spans)
        qsort(timeline->spans, timeline->count.spans, sizeof(*timeline->spans), timeline_compare);
}

/* Spans of one thread; the first gives the name. */
static void merge_into(struct cs_timeline_span *into, const struct cs_timeline_span *span)
{
    if (span->to_ps > into->to_ps)
        into->to_ps = span->to_ps;
    into->bytes += span->bytes;
    into->wait_ps += span->wait_ps;
    into->count += span->count;
    into->end = CS_TIMELINE_NO_ARROW;
}

/* Merges spans that begin in the same interval of a thread; sorted. */
static void merge_spans(struct cs_timeline *timeline)
{
    struct cs_timeline_span *spans = timeline->spans;
    uint64_t width_ps = timeline->interval_ps;
    size_t kept = 0;

    for (size_t i = 1; i < timeline->count.spans; i++) {
        if (spans[i].thread == spans[kept].thread &&
            spans[i].from_ps / width_ps == spans[kept].from_ps / width_ps)
            merge_into(&spans[kept], &spans[i]);
        else
            spans[++kept] = spans[i];
    }
    timeline->count.spans = kept + 1;
}

/* Numbers the arrows with both ends again, from 0; the others are dropped. */
static void renumber_arrows(struct cs_timeline *timeline)
{
    unsigned char *ends = cs_grow(NULL, timeline->arrows + (size_t)1, 1);
    uint32_t *number = cs_grow(NULL, timeline->arrows + (size_t)1, sizeof(*number));
    uint32_t next = 0;

    for (size_t i = 0; i <= timeline->arrows; i++)
        ends[i] = 0;
    for (size_t i = 0; i < timeline->count.spans; i++)
        if (timeline->spans[i].end != CS_TIMELINE_NO_ARROW)
            ends[timeline->spans[i].arrow]++;
    for (size_t i = 0; i < timeline->arrows; i++)
        number[i] = ends[i] == 2 ? next++ : UINT32_MAX;
    for (size_t i = 0; i < timeline->count.spans; i++) {
        struct cs_timeline_span *span = &timeline->spans[i];

        if (span->end == CS_TIMELINE_NO_ARROW)
            continue;
        span->arrow = number[span->arrow];
        if (span->arrow == UINT32_MAX)
            span->end = CS_TIMELINE_NO_ARROW;
    }
    timeline->arrows = next;
    free(ends);
    free(number);
}

/* The last end of a span, over the intervals that half of the spans would have. */
static uint64_t first_interval_ps(const struct cs_timeline *timeline)
{
    uint64_t end_ps = 0;

    for (size_t i = 0; i < timeline->count.spans; i++)
        if (timeline->spans[i].to_ps > end_ps)
            end_ps = timeline->spans[i].to_ps;
    return end_ps * timeline->count.threads / CS_TIMELINE_SPANS_MAX + 1;
}

/* Halves the spans by intervals that double.  With a span for each thread, more
 * intervals change nothing. */
static void shrink(struct cs_timeline *timeline)
{
    cs_timeline_sort(timeline);
    if (!timeline->interval_ps)
        timeline->interval_ps = first_interval_ps(timeline);
    merge_spans(timeline);
    while (timeline->count.spans > CS_TIMELINE_SPANS_MAX / 2 &&
           timeline->count.spans > timeline->count.threads) {
        timeline->interval_ps *= 2;
        merge_spans(timeline);
    }
    renumber_arrows(timeline);
}

static struct cs_timeline_span *append_span(struct cs_timeline *timeline,
                                            const struct cs_timeline_span *span)
{
    struct cs_timeline_span *copy;

    assert(span->thread < timeline->count.threads && span->name < timeline->count.names &&
           span->from_ps <= span->to_ps);
    timeline->spans = timeline_room(timeline->spans, timeline->count.spans, &timeline->room.spans,
                                    sizeof(*timeline->spans));
    copy = &timeline->spans[timeline->count.spans++];
    *copy = *span;
    copy->count = span->count ? span->count : 1;
    copy->order = timeline->added++;
    copy->end = CS_TIMELINE_NO_ARROW;
    return copy;
}

void cs_timeline_span(struct cs_timeline *timeline, const struct cs_timeline_span *span)
{
    if (timeline->count.spans + 1 > CS_TIMELINE_SPANS_MAX)
        shrink(timeline);
    (void)append_span(timeline, span);
}

void cs_timeline_message(struct cs_timeline *timeline, const struct cs_timeline_span *leaves,
                         const struct cs_timeline_span *arrives)
{
    struct cs_timeline_span *end;

    /* Both or none: merging numbers the arrows again. */
    if (timeline->count.spans + 2 > CS_TIMELINE_SPANS_MAX)
        shrink(timeline);
    end = append_span(timeline, leaves);
    end->end = CS_TIMELINE_LEAVES;
    end->arrow = timeline->arrows;
    end = append_span(timeline, arrives);
    end->end = CS_TIMELINE_ARRIVES;
    end->arrow = timeline->arrows++;
}

void cs_timeline_gauge(struct cs_timeline *timeline, const struct cs_timeline_gauge *gauge)
{
    struct cs_timeline_gauge *copy;

    timeline->gauges = timeline_room(timeline->gauges, timeline->count.gauges,
                                     &timeline->room.gauges, sizeof(*timeline->gauges));
    copy = &timeline->gauges[timeline->count.gauges++];
    *copy = *gauge;
    copy->name = cs_arena_text(&timeline->arena, gauge->name);
    copy->unit = cs_arena_text(&timeline->arena, gauge->unit);
}

void cs_timeline_note(struct cs_timeline *timeline, const char *format, ...)
{
    char text[NOTE_TEXT];
    va_list args;

    if (timeline->count.notes == CS_TIMELINE_NOTES_MAX)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    timeline->notes[timeline->count.notes++] = cs_arena_text(&timeline->arena, text);
}

void cs_timeline_free(struct cs_timeline *timeline)
{
    free(timeline->processes);
    free(timeline->threads);
    free(timeline->names);
    free(timeline->spans);
    free(timeline->gauges);
    cs_arena_free(&timeline->arena);
    *timeline = (struct cs_timeline){0};
}
