#include "validate/logs/log.h"

#include "validate/logs/builder.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "topo/formats/signature.h"

#include <stdlib.h>
#include <string.h>

enum {
    BEGIN_BYTES = 4096, /* by which a file of another kind is known */
    BUFFER_BYTES = 1 << 18,
    HEAD_BYTES = 1 << 14, /* enough for a format to claim a file */
};

static const struct cs_log_format *const formats[] = {
#define FORMAT(name) &cs_log_format_##name,
#include "validate/logs/formats.def"
#undef FORMAT
};

enum {
    FORMATS = sizeof(formats) / sizeof(*formats),
};

/* A stream cut into lines. */
struct log_stream {
    FILE *file;
    char *buffer; /* BUFFER_BYTES and a NUL */
    size_t start, length;
    bool ended;
    bool continues; /* the next piece belongs to the line before */
    bool is_wide;   /* UTF-16, of which ASCII is kept */
};

/* The ASCII of `count` bytes in UTF-16, in place; returns its length. */
static size_t log_narrow(char *text, size_t count)
{
    size_t length = 0;

    for (size_t i = 0; i < count; i++)
        if ((unsigned char)(text[i] - 1) < 0x7f) /* no byte 0, none of a BOM */
            text[length++] = text[i];
    return length;
}

/* Moves the rest to the front and reads behind it.  A NUL byte would end the
 * text of a line early. */
static void log_stream_fill(struct log_stream *stream)
{
    size_t kept = stream->length - stream->start;
    size_t more;

    memmove(stream->buffer, stream->buffer + stream->start, kept);
    more = fread(stream->buffer + kept, 1, BUFFER_BYTES - kept, stream->file);
    stream->ended = more < BUFFER_BYTES - kept;
    if (!kept && more > 1 &&
        (!memcmp(stream->buffer, "\xff\xfe", 2) || !memcmp(stream->buffer, "\xfe\xff", 2)))
        stream->is_wide = true;
    if (stream->is_wide)
        more = log_narrow(stream->buffer + kept, more);
    for (size_t i = kept; i < kept + more; i++)
        if (!stream->buffer[i])
            stream->buffer[i] = ' ';
    stream->start = 0;
    stream->length = kept + more;
    stream->buffer[stream->length] = '\0';
}

/* Without colours of terminals ("\033[1m") and bars of a Markdown table. */
static void log_clean(char *line)
{
    char *to = line;
    bool is_table = line[strspn(line, " \t")] == '|';

    if (!is_table && !strchr(line, '\033'))
        return;
    for (const char *at = line; *at; at++) {
        if (at[0] == '\033' && at[1] == '[') {
            at += 2 + strspn(at + 2, "0123456789;");
            if (!*at)
                break;
        } else {
            *to++ = *at;
            if (is_table && *at == '|')
                to[-1] = ' ';
        }
    }
    *to = '\0';
}

/* The next line, or the next piece of a line longer than the buffer; NULL at
 * the end. */
static char *log_stream_next(struct log_stream *stream, bool *continues)
{
    char *line;
    char *end = memchr(stream->buffer + stream->start, '\n', stream->length - stream->start);

    if (!end && !stream->ended) {
        log_stream_fill(stream);
        end = memchr(stream->buffer, '\n', stream->length);
    }
    if (stream->start == stream->length)
        return NULL;
    *continues = stream->continues;
    line = stream->buffer + stream->start;
    stream->continues = !end;
    if (end) {
        *end = '\0';
        stream->start = (size_t)(end - stream->buffer) + 1;
        if (end > line && end[-1] == '\r')
            end[-1] = '\0';
    } else {
        stream->start = stream->length;
    }
    return line;
}

static const struct cs_log_format *log_format_of(struct log_stream *stream)
{
    char head[HEAD_BYTES + 1];
    size_t length = stream->length < HEAD_BYTES ? stream->length : HEAD_BYTES;
    size_t i = 0;

    memcpy(head, stream->buffer, length);
    head[length] = '\0';
    while (i + 1 < FORMATS && !formats[i]->claims(head))
        i++;
    return formats[i];
}

/* The hosts that the tables list, where all list as many, go before the library's messages,
 * and its count of nodes before the hosts that speak of the communicator. */
static void log_settle_nodes(const struct cs_log_builder *builder)
{
    struct cs_log *log = builder->log;
    uint32_t hosts = log->table_count ? log->tables[0].setup.hosts : 0;

    for (uint32_t t = 1; t < log->table_count; t++)
        if (log->tables[t].setup.hosts != hosts)
            log->facts.nodes = hosts = 0;
    if (hosts)
        log->facts.nodes = hosts;
    else if (!log->facts.nodes && builder->caller_count > 1 &&
             log->facts.ranks % builder->caller_count == 0)
        log->facts.nodes = builder->caller_count;
}

static void log_finish(struct cs_log_builder *builder)
{
    struct cs_log *log = builder->log;
    bool is_cut = builder->table && !builder->table->is_closed;

    if (is_cut && builder->table->row_count)
        cs_log_note(builder,
                    "the file ends before the table at line %u does; its %u whole sizes count",
                    builder->table->line, builder->table->row_count);
    cs_log_end_table(builder);
    if (builder->left_out)
        cs_log_note(builder, "%llu rows are left out: more than %d tables or %d sizes of a table",
                    (unsigned long long)builder->left_out, CS_LOG_TABLES_MAX, CS_LOG_ROWS_MAX);
    log_settle_nodes(builder);
    log->lines = builder->line;
}

int cs_log_read(FILE *file, const char *name, struct cs_arena *arena, struct cs_log *log,
                struct cs_err *err)
{
    struct log_stream stream = {.file = file, .buffer = cs_grow(NULL, BUFFER_BYTES + 1, 1)};
    struct cs_log_builder builder = {.arena = arena, .log = log};
    const struct cs_log_format *format;
    bool continues;
    char begin[BEGIN_BYTES];
    size_t length;
    char *line;
    void *state;

    *log = (struct cs_log){0};
    log_stream_fill(&stream);
    length = stream.length < BEGIN_BYTES ? stream.length : BEGIN_BYTES;
    memcpy(begin, stream.buffer, length);
    format = log_format_of(&stream);
    log->format = format->name;
    state = format->open ? format->open(&builder) : NULL;
    while ((line = log_stream_next(&stream, &continues))) {
        builder.line += !continues;
        builder.is_unended = stream.continues && stream.ended && stream.start == stream.length;
        log->bytes += strlen(line) + 1;
        log_clean(line);
        format->line(&builder, state, line, continues);
    }
    if (format->close)
        format->close(&builder, state);
    log_finish(&builder);
    free(stream.buffer);
    if (ferror(file))
        return cs_file_refuse(name, "read", err);
    if (builder.rows)
        return 0;
    cs_err_set(err, CS_EINPUT,
               "no row of a table in '%s'; expected the output of nccl-tests, rccl-tests "
               "(text or -J), OSU or NCCL Inspector, or a CSV with bytes and time_us",
               name);
    cs_signature_explain((struct cs_doc_text){name, begin, length}, "a log with times",
                         "--log FILE", err);
    return CS_EINPUT;
}

int cs_log_read_file(const char *path, struct cs_arena *arena, struct cs_log *log,
                     struct cs_err *err)
{
    struct cs_file file;
    int code;

    if (cs_same(path, "-"))
        return cs_log_read(stdin, path, arena, log, err);
    code = cs_file_open(path, &file, err);
    if (code)
        return code;
    code = cs_log_read(file.stream, path, arena, log, err);
    fclose(file.stream);
    return code;
}
