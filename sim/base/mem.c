#include "sim/base/mem.h"

#include <errno.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#    include <sys/mman.h>
#endif

enum {
    ALIGNMENT = 16,
    LINE_BYTES = 64,         /* of a cache line */
    FIRST_BYTES = 4 * 1024,  /* what the small pieces of an arena share at first, */
    CHUNK_BYTES = 64 * 1024, /* and later: many arenas have few pieces, and zeroes take time */
    PAGE_BYTES = 2 << 20,    /* of a large page of Linux on x86-64 and aarch64 */
    PAGES_FROM = 256 * 1024, /* smaller pieces are soon in the caches */
    EXIT_CANNOT = 3,
};

struct cs_arena_chunk {
    struct cs_arena_chunk *next;
    size_t used;
    size_t size;
    alignas(ALIGNMENT) unsigned char bytes[];
};

/* The one variable of the program: an allocation has no place for an error. */
static _Thread_local struct cs_mem_leave mem_leave = {NULL, NULL};

struct cs_mem_leave cs_mem_on_exhaustion(struct cs_mem_leave leave)
{
    struct cs_mem_leave before = mem_leave;

    mem_leave = leave;
    return before;
}

/* The one place where running out of memory is dealt with. */
_Noreturn static void out_of_memory(void)
{
    if (mem_leave.leave)
        mem_leave.leave(mem_leave.ctx);
    fputs("collsim: out of memory\n", stderr);
    exit(EXIT_CANNOT);
}

static size_t checked_product(size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes) ||
        bytes > PTRDIFF_MAX - sizeof(struct cs_arena_chunk) - LINE_BYTES)
        out_of_memory();
    return bytes;
}

#ifdef __linux__
/* What fails is no advice, and leaves no error. */
static void advise(void *memory, size_t bytes, int advice)
{
    int number = errno;

    (void)madvise(memory, bytes, advice);
    errno = number;
}
#endif

/* Large memory is read in no order, and where its pages are large the processor finds it by
 * fewer entries of its tables: runs of many lanes take a tenth to a third less.  Advice, for
 * all pages that the memory has a part of; a system without large pages ignores it. */
static void ask_for_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    size_t before = (uintptr_t)memory % PAGE_BYTES;

    if (bytes >= PAGES_FROM)
        advise((char *)memory - before, before + bytes, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}

/* calloc zeroes, and a piece is handed out once, so pieces are not zeroed
 * again. */
static struct cs_arena_chunk *chunk_new(size_t size)
{
    struct cs_arena_chunk *chunk = calloc(1, sizeof(*chunk) + size);

    if (!chunk)
        out_of_memory();
    ask_for_large_pages(chunk, size);
    chunk->size = size;
    return chunk;
}

/* A large piece gets a chunk of its own behind the head, so that the rest of
 * the head still serves small pieces. */
static void *alloc_big(struct cs_arena *arena, size_t bytes)
{
    struct cs_arena_chunk *chunk = chunk_new(bytes + LINE_BYTES - ALIGNMENT);
    size_t ahead = (size_t) - (uintptr_t)chunk->bytes % LINE_BYTES;

    chunk->used = chunk->size;
    if (arena->head) {
        chunk->next = arena->head->next;
        arena->head->next = chunk;
    } else {
        arena->head = chunk;
    }
    return chunk->bytes + ahead;
}

/* The size of the chunk behind `head` with room for a small piece. */
static size_t next_size(const struct cs_arena_chunk *head, size_t bytes)
{
    size_t size = head ? head->size : FIRST_BYTES / 2;

    do
        size *= 2;
    while (size < bytes);
    return size < CHUNK_BYTES ? size : CHUNK_BYTES;
}

void *cs_arena_alloc(struct cs_arena *arena, size_t count, size_t size)
{
    size_t bytes = checked_product(count, size);
    struct cs_arena_chunk *head = arena->head;
    void *piece;

    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT; /* distinct pointers, even to nothing */
    if (bytes > CHUNK_BYTES / 4)
        return alloc_big(arena, bytes);
    if (!head || head->size - head->used < bytes) {
        head = chunk_new(next_size(head, bytes));
        head->next = arena->head;
        arena->head = head;
    }
    piece = head->bytes + head->used;
    head->used += bytes;
    return piece;
}

char *cs_arena_text_n(struct cs_arena *arena, const char *text, size_t length)
{
    char *copy = cs_arena_alloc(arena, length + 1, 1);

    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}

void *cs_arena_copy(struct cs_arena *arena, const void *from, size_t count, size_t size)
{
    void *to = cs_arena_alloc(arena, count, size);

    return count ? memcpy(to, from, count * size) : to;
}

char *cs_arena_text(struct cs_arena *arena, const char *text)
{
    return cs_arena_text_n(arena, text, strlen(text));
}

char *cs_arena_printf(struct cs_arena *arena, const char *format, ...)
{
    va_list args;
    char *text;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        out_of_memory();
    text = cs_arena_alloc(arena, (size_t)length + 1, 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

void cs_arena_join(struct cs_arena *arena, struct cs_arena *other)
{
    struct cs_arena_chunk **last = &arena->head;

    while (*last)
        last = &(*last)->next;
    *last = other->head;
    other->head = NULL;
}

void cs_arena_free(struct cs_arena *arena)
{
    struct cs_arena_chunk *chunk = arena->head;

    while (chunk) {
        struct cs_arena_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
    arena->head = NULL;
}

void *cs_grow(void *old, size_t count, size_t size)
{
    size_t bytes = checked_product(count, size);
    void *grown = realloc(old, bytes ? bytes : 1);

    if (!grown)
        out_of_memory();
    ask_for_large_pages(grown, bytes);
    return grown;
}

/* Copies large arrays a page at a time, and gives back what has been copied: two whole copies
 * were the most memory of long runs.  Of the last page of `from`, nothing is given back. */
static void move_items(char *to, char *from, size_t bytes)
{
    size_t done = 0;

#ifdef MADV_DONTNEED
    size_t ahead = (size_t) - (uintptr_t)from % PAGE_BYTES;

    if (ahead < bytes) {
        memcpy(to, from, ahead);
        for (done = ahead; bytes - done >= PAGE_BYTES; done += PAGE_BYTES) {
            memcpy(to + done, from + done, PAGE_BYTES);
            advise(from + done, PAGE_BYTES, MADV_DONTNEED);
        }
    }
#endif
    memcpy(to + done, from + done, bytes - done);
}

void *cs_grow_lines(void *old, size_t count, size_t more, size_t size)
{
    size_t bytes = checked_product(more, size);
    void *grown = aligned_alloc(LINE_BYTES, bytes / LINE_BYTES * LINE_BYTES + LINE_BYTES);

    if (!grown)
        out_of_memory();
    ask_for_large_pages(grown, bytes);
    if (old)
        move_items(grown, old, count * size);
    free(old);
    return grown;
}
