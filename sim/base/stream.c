#include "sim/base/stream.h"

#include "sim/base/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void cs_stream_open(struct cs_stream *stream, const char *file, cs_stream_fn *fill, void *ctx)
{
    *stream = (struct cs_stream){.file = file, .fill = fill, .ctx = ctx};
    stream->window = cs_grow(NULL, CS_STREAM_WINDOW + 1, 1);
    stream->window[0] = '\0';
    stream->at = stream->end = stream->window;
}

void cs_stream_close(struct cs_stream *stream)
{
    free(stream->window);
    *stream = (struct cs_stream){0};
}

int cs_stream_text(void *ctx, char *to, size_t room, size_t *got, struct cs_err *err)
{
    struct cs_stream_text *left = ctx;

    (void)err;
    *got = left->length < room ? left->length : room;
    if (*got)
        memcpy(to, left->text, *got);
    left->text += *got;
    left->length -= *got;
    return 0;
}

/* Moves the unread bytes to the start of the window. */
static void stream_shift(struct cs_stream *stream)
{
    size_t unread = (size_t)(stream->end - stream->at);

    stream->passed += (uint64_t)(stream->at - stream->window);
    memmove(stream->window, stream->at, unread);
    stream->at = stream->window;
    stream->end = stream->window + unread;
}

int cs_stream_more(struct cs_stream *stream, size_t want, struct cs_err *err)
{
    int code = 0;

    assert(want <= CS_STREAM_WINDOW);
    if ((size_t)(stream->end - stream->at) >= want || stream->ended)
        return 0;
    stream_shift(stream);
    while (!code && !stream->ended && (size_t)(stream->end - stream->at) < want) {
        size_t used = (size_t)(stream->end - stream->window);
        size_t got = 0;

        code = stream->fill(stream->ctx, stream->window + used, CS_STREAM_WINDOW - used, &got, err);
        stream->ended = got == 0;
        stream->end += got;
        stream->window[used + got] = '\0';
    }
    return code;
}

static int stream_cut(const struct cs_stream *stream, uint64_t missing, struct cs_err *err)
{
    uint64_t length = stream->passed + (uint64_t)(stream->end - stream->window);

    return cs_err_at(err, CS_EINPUT, stream->file, 0,
                     "the file ends at byte %" PRIu64 "; expected at least %" PRIu64 " more",
                     length, missing);
}

/* Consumes bytes, into `to` unless NULL. */
static int stream_pass(struct cs_stream *stream, char *to, uint64_t length, struct cs_err *err)
{
    while (length > 0) {
        size_t piece = length < CS_STREAM_WINDOW ? (size_t)length : CS_STREAM_WINDOW;
        int code = cs_stream_more(stream, piece, err);

        if (!code && (size_t)(stream->end - stream->at) < piece)
            code = stream_cut(stream, length - (uint64_t)(stream->end - stream->at), err);
        if (code)
            return code;
        if (to) {
            memcpy(to, stream->at, piece);
            to += piece;
        }
        stream->at += piece;
        length -= piece;
    }
    return 0;
}

int cs_stream_take(struct cs_stream *stream, void *to, size_t length, struct cs_err *err)
{
    return stream_pass(stream, to, length, err);
}

int cs_stream_skip(struct cs_stream *stream, uint64_t length, struct cs_err *err)
{
    return stream_pass(stream, NULL, length, err);
}
