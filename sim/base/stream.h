/*
 * Streams: a file, a pipe or a text of any length, read through a window.
 *
 * `at` up to `end` are the unread bytes in the window; a zero byte follows the
 * last of them, so that a scanner may stop there and call cs_stream_more().
 * The reader consumes bytes by advancing `at`.  Pointers into the window hold
 * until the next call.
 *
 *     more, take, skip   amortised O(bytes), memory CS_STREAM_WINDOW
 */
#pragma once

#include "sim/base/err.h"

#include <stddef.h>
#include <stdint.h>

enum {
    CS_STREAM_WINDOW = 1 << 18 /* bytes that are unread at most */
};

/* Fills up to `room` bytes and sets the number; 0 is the end. */
typedef int cs_stream_fn(void *ctx, char *to, size_t room, size_t *got, struct cs_err *err);

struct cs_stream {
    const char *file; /* for messages */
    cs_stream_fn *fill;
    void *ctx;
    char *window;
    const char *at, *end;
    uint64_t passed; /* bytes in front of the window */
    int ended;
};

/* Opens a stream over a source, which must outlive the stream. */
void cs_stream_open(struct cs_stream *stream, const char *file, cs_stream_fn *fill, void *ctx);
void cs_stream_close(struct cs_stream *stream);

/* A source over a text: cs_stream_open(&stream, file, cs_stream_text, &text). */
struct cs_stream_text {
    const char *text;
    size_t length;
};
cs_stream_fn cs_stream_text;

/* Reads until at least `want` bytes, up to CS_STREAM_WINDOW, are unread or the
 * source has ended. */
int cs_stream_more(struct cs_stream *stream, size_t want, struct cs_err *err);

/* Consumes `length` bytes into `to`; CS_EINPUT at an early end. */
int cs_stream_take(struct cs_stream *stream, void *to, size_t length, struct cs_err *err);

/* Consumes `length` bytes; CS_EINPUT at an early end. */
int cs_stream_skip(struct cs_stream *stream, uint64_t length, struct cs_err *err);

/* The position of `at` from the start of the source, in bytes. */
static inline uint64_t cs_stream_offset(const struct cs_stream *stream)
{
    return stream->passed + (uint64_t)(stream->at - stream->window);
}
