/*
 * Memory: arenas with one lifetime, and growing arrays that cannot fail.
 *
 * An arena hands out zeroed, 16-byte aligned pieces (from 16 KiB on, at the begin of
 * a cache line) and gives all of them back at once; nothing in it is freed singly.
 * One arena per lifetime: a machine, a run.  Running out of memory ends the program,
 * in one place (mem.c), with exit status 3: no caller checks for NULL.  A host that must
 * not end leaves from there instead (struct cs_mem_leave).
 *
 *     alloc   O(bytes) to zero, amortised O(1) calls to malloc
 *     free    O(chunks)
 *
 * Invariant: an arena that was zeroed ({0}) is empty and valid.
 */
#pragma once

#include "sim/base/scope.h"

#include <stddef.h>

struct cs_arena_chunk;

struct cs_arena {
    struct cs_arena_chunk *head;
};

/* What a thread does where memory is exhausted, in place of ending the program: `leave` does
 * not return (siglongjmp).  What was allocated meanwhile is lost.  {NULL}: the program ends. */
struct cs_mem_leave {
    void (*leave)(void *ctx);
    void *ctx;
};

/* Of this thread, from now on; returns what was before. */
struct cs_mem_leave cs_mem_on_exhaustion(struct cs_mem_leave leave);

/* Zeroed memory for `count` items of `size` bytes.  Ends the program when the
 * product overflows or memory is exhausted.  Zero items is a valid pointer. */
void *cs_arena_alloc(struct cs_arena *arena, size_t count, size_t size);

/* A copy of the text, or of its first `length` bytes, ending in NUL. */
char *cs_arena_text(struct cs_arena *arena, const char *text);
char *cs_arena_text_n(struct cs_arena *arena, const char *text, size_t length);

/* printf into the arena. */
char *cs_arena_printf(struct cs_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A copy in the arena. */
void *cs_arena_copy(struct cs_arena *arena, const void *from, size_t count, size_t size);

/* Moves all pieces of the other arena, which is empty then, into this one.  O(chunks). */
void cs_arena_join(struct cs_arena *arena, struct cs_arena *other);

/* Gives everything back; the arena is empty and usable again. */
void cs_arena_free(struct cs_arena *arena);

/* realloc() to `count` items of `size` bytes that never returns NULL; the new
 * part is not zeroed.  `old` may be NULL.  The caller frees with free(). */
void *cs_grow(void *old, size_t count, size_t size);

/* From `count` items to `more`, the array at the begin of a cache line, for items
 * of whole lines.  Copies the items: O(count). */
void *cs_grow_lines(void *old, size_t count, size_t more, size_t size);
