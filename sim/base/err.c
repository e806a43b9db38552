#include "sim/base/err.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Words of users and files may hold control sequences, which a terminal would
 * execute. */
static void err_disarm(char *text)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte < 0x20 || byte == 0x7f)
            *text = '?';
    }
}

/* Ends a text that was cut in "...", never within a UTF-8 letter. */
static void mark_cut(char text[CS_ERR_TEXT_MAX])
{
    size_t end = CS_ERR_TEXT_MAX - sizeof("...");

    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    memcpy(text + end, "...", sizeof("..."));
}

/* Writes the sentence behind the first `start` bytes of the text. */
static void err_fill(struct cs_err *err, int start, const char *format, va_list args)
{
    int length;

    if (start >= CS_ERR_TEXT_MAX)
        start = CS_ERR_TEXT_MAX - 1;
    length = vsnprintf(err->text + start, (size_t)(CS_ERR_TEXT_MAX - start), format, args);
    if (start + length >= CS_ERR_TEXT_MAX)
        mark_cut(err->text);
    err_disarm(err->text);
    if (!err->text[0])
        memcpy(err->text, "unknown error", sizeof("unknown error"));
}

int cs_err_set(struct cs_err *err, int code, const char *format, ...)
{
    va_list args;

    assert(code < 0);
    if (!err)
        return code;
    if (err->code != CS_OK)
        return err->code;
    err->code = code;
    va_start(args, format);
    err_fill(err, 0, format, args);
    va_end(args);
    return code;
}

static int err_write_place(struct cs_err *err, const char *file, unsigned line)
{
    if (!file || !*file)
        return 0;
    if (line == 0)
        return snprintf(err->text, sizeof(err->text), "%s: ", file);
    return snprintf(err->text, sizeof(err->text), "%s:%u: ", file, line);
}

int cs_err_at(struct cs_err *err, int code, const char *file, unsigned line, const char *format,
              ...)
{
    va_list args;

    assert(code < 0);
    if (!err)
        return code;
    if (err->code != CS_OK)
        return err->code;
    err->code = code;
    va_start(args, format);
    err_fill(err, err_write_place(err, file, line), format, args);
    va_end(args);
    return code;
}

int cs_err_prefix(struct cs_err *err, const char *format, ...)
{
    struct cs_err inner;
    va_list args;
    int length;

    if (!err || err->code == CS_OK)
        return CS_OK;
    inner = *err;
    va_start(args, format);
    length = vsnprintf(err->text, sizeof(err->text), format, args);
    va_end(args);
    if (length >= CS_ERR_TEXT_MAX)
        length = CS_ERR_TEXT_MAX - 1;
    length += snprintf(err->text + length, (size_t)(CS_ERR_TEXT_MAX - length), ": %s", inner.text);
    if (length >= CS_ERR_TEXT_MAX)
        mark_cut(err->text);
    err_disarm(err->text);
    return err->code;
}
