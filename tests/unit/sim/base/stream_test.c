/* Streams: windows, early ends, and errors of the source. */
#include "sim/base/stream.h"

#include "tests/fixture.h"

enum {
    LONG = 3 * CS_STREAM_WINDOW + 7
};

/* Byte i of the source is a function of i. */
struct source {
    uint64_t at, length;
    size_t piece;
};

static char byte_at(uint64_t i)
{
    return (char)(i * 31 % 127 + 1);
}

static int fill_source(void *ctx, char *to, size_t room, size_t *got, struct cs_err *err)
{
    struct source *source = ctx;

    (void)err;
    for (*got = 0; *got < room && *got < source->piece && source->at < source->length; (*got)++)
        to[*got] = byte_at(source->at++);
    return 0;
}

static int fill_nothing(void *ctx, char *to, size_t room, size_t *got, struct cs_err *err)
{
    (void)ctx;
    if (room > 0)
        to[0] = 'x';
    *got = 0;
    return cs_err_set(err, CS_EINPUT, "the disk is gone");
}

TEST(every_byte_passes_once)
{
    static const size_t pieces[] = {1, 1000, LONG};

    for (size_t p = 0; p < 3; p++) {
        struct source source = {.length = LONG, .piece = pieces[p]};
        CS_AT_END(cs_stream_close) struct cs_stream stream;
        uint64_t i;

        cs_stream_open(&stream, "x", fill_source, &source);
        for (i = 0; i < LONG; i++) {
            if (stream.at == stream.end)
                assert_done(cs_stream_more(&stream, 1, &err));
            assert_int_equal(cs_stream_offset(&stream), i);
            assert_int_equal(*stream.at, byte_at(i));
            stream.at++;
            assert_true(stream.at < stream.end || *stream.end == '\0');
        }
        assert_done(cs_stream_more(&stream, 1, &err));
        assert_ptr_equal(stream.at, stream.end);
    }
}

TEST(unread_bytes_stay_in_the_window)
{
    struct source source = {.length = LONG, .piece = 10};
    CS_AT_END(cs_stream_close) struct cs_stream stream;

    cs_stream_open(&stream, "x", fill_source, &source);
    assert_done(cs_stream_more(&stream, CS_STREAM_WINDOW, &err));
    stream.at += CS_STREAM_WINDOW - 3;
    assert_done(cs_stream_more(&stream, CS_STREAM_WINDOW, &err));
    assert_int_equal(*stream.at, byte_at(CS_STREAM_WINDOW - 3));
    assert_int_equal(stream.end - stream.at, CS_STREAM_WINDOW);
}

TEST(bytes_are_taken_and_skipped)
{
    static char bytes[2 * CS_STREAM_WINDOW];
    struct source source = {.length = LONG, .piece = LONG};
    CS_AT_END(cs_stream_close) struct cs_stream stream;

    cs_stream_open(&stream, "x", fill_source, &source);
    assert_done(cs_stream_skip(&stream, CS_STREAM_WINDOW + 1, &err));
    assert_done(cs_stream_take(&stream, bytes, sizeof(bytes), &err));
    assert_int_equal(bytes[0], byte_at(CS_STREAM_WINDOW + 1));
    assert_int_equal(bytes[sizeof(bytes) - 1], byte_at(CS_STREAM_WINDOW + sizeof(bytes)));
    assert_refused(cs_stream_skip(&stream, 7, &err), CS_EINPUT,
                   "x: the file ends at byte 786439; expected at least 1 more");
}

TEST(an_error_of_the_source_is_passed_on)
{
    CS_AT_END(cs_stream_close) struct cs_stream stream;

    cs_stream_open(&stream, "x", fill_nothing, NULL);
    assert_refused(cs_stream_more(&stream, 1, &err), CS_EINPUT, "the disk is gone");
}
