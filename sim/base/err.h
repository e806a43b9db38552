/*
 * Errors: one code and one sentence, filled where the problem is seen.
 *
 * A function that the user can make fail takes a `struct cs_err *` last and
 * returns 0 or one of the negative codes.  The first error stays: a filled
 * struct is passed on, at most with a prefix (cs_err_prefix); no caller parses or
 * edits the sentence.  Style: lower case, without a full stop, the problem first,
 * the user's words in single quotes.
 *
 * Invariant: code == CS_OK exactly when text is empty.  A struct zeroed with
 * {0} holds no error.  Messages longer than the buffer end in "...";
 * control characters in them become "?".
 */
#pragma once

enum {
    CS_OK = 0,
    CS_EANSWER = -1,    /* the answer is bad: a proof or gate failed (exit 1) */
    CS_EINPUT = -2,     /* what the user gave is wrong (exit 2) */
    CS_ECANNOT = -3,    /* impossible on this system (exit 3) */
    CS_ESTOPPED = -130, /* the user asked to stop (exit 130, as shells say) */
};

enum {
    CS_ERR_TEXT_MAX = 600
};

struct cs_err {
    int code;
    char text[CS_ERR_TEXT_MAX];
};

/* Fill the error unless it is filled already; return its code. `err` may be
 * NULL when the caller does not need the sentence. */
int cs_err_set(struct cs_err *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As cs_err_set, prefixed by "file:line: "; line 0 omits the line, an empty
 * file both. */
int cs_err_at(struct cs_err *err, int code, const char *file, unsigned line, const char *format,
              ...) __attribute__((format(printf, 5, 6)));

/* Prefixes the sentence of an error with the printed text and ": ", for context
 * that the callee lacks: an option, a case. Returns its code; an empty error
 * stays empty. */
int cs_err_prefix(struct cs_err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
