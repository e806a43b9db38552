#include "scenarios/train/calibrate/run_log.h"

#include "sim/base/collections/vector.h"
#include "sim/base/file.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum shape_side {
    SHAPE_RIGHT,
    SHAPE_LEFT
};

struct run_shape {
    const char *framework, *behind, *key;
    enum shape_side side;
    enum cs_run_quantity quantity;
    double unit;
};

static const struct run_shape shapes[] = {
#define SHAPE(framework, behind, key, side, quantity, unit) \
    {framework, behind, key, SHAPE_##side, CS_RUN_##quantity, unit},
#include "scenarios/train/calibrate/run_log_shapes.def"
#undef SHAPE
};

enum {
    SHAPES = sizeof(shapes) / sizeof(*shapes),
    NUMBER_TEXT = 32,
};

/* What a step, its rate or its batch can be; other numbers are not taken. */
static const double run_least = 1e-9, run_most = 1e15;

/* ---- numbers ---- */

/* Digits with commas between thousands, as "7,200.5" has them; 0 without a number. */
static double number_of(const char *at, const char **end)
{
    char digits[NUMBER_TEXT];
    size_t count = 0;
    double number;

    for (*end = at;
         isdigit((unsigned char)**end) || **end == '.' || **end == ',' ||
         (count && (**end == 'e' || ((**end == '-' || **end == '+') && digits[count - 1] == 'e')));
         ++*end)
        if (**end != ',' && count + 1 < sizeof(digits))
            digits[count++] = **end;
    digits[count] = '\0';
    number = strtod(digits, NULL);
    return isfinite(number) && number > 0 ? number : 0;
}

/* "42.6K", as nanotron has it. */
static double number_prefix(char prefix)
{
    return prefix == 'K' ? 1e3 : prefix == 'M' ? 1e6 : prefix == 'G' || prefix == 'B' ? 1e9 : 1;
}

static double number_right(const char *at)
{
    const char *end;
    double number;

    at += strspn(at, " \t=:\"'");
    number = number_of(at, &end);
    return number * number_prefix(*end);
}

static double number_left(const char *text, const char *at)
{
    const char *end, *first = at;

    while (first > text && (isdigit((unsigned char)first[-1]) || first[-1] == '.'))
        --first;
    return number_of(first, &end);
}

/* ---- places ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The key as a word of its own: "tps:" is not the end of "https:". */
static const char *next_key(const char *text, const char *at, const struct run_shape *shape)
{
    bool word = shape->side == SHAPE_RIGHT && is_word(shape->key[0]);

    while ((at = strstr(at, shape->key)) && word && at > text && is_word(at[-1]))
        ++at;
    return at;
}

/* From `at` on; NULL: no more. */
static const char *next_place(const char *text, const char *at, const struct run_shape *shape)
{
    if (*shape->behind && (at = strstr(at, shape->behind)))
        at += strlen(shape->behind);
    return at ? next_key(text, at, shape) : NULL;
}

static uint32_t line_of(const char *text, const char *place)
{
    uint32_t line = 1;

    for (const char *at = text; (at = memchr(at, '\n', (size_t)(place - at))); ++at)
        line++;
    return line;
}

/* ---- log ---- */

/* A duration and its rate: both, so that a shape of the one serves the other. */
static void take_shape(const char *text, const struct run_shape *shape, struct cs_arena *arena,
                       struct cs_run_log *log)
{
    uint32_t room = 0;

    *log = (struct cs_run_log){
        .framework = shape->framework, .key = shape->key, .quantity = shape->quantity};
    for (const char *at = text; (at = next_place(text, at, shape)); at += strlen(shape->key)) {
        double number = shape->side == SHAPE_LEFT ? number_left(text, at)
                                                  : number_right(at + strlen(shape->key));

        number *= shape->unit;
        if (!(number >= run_least && number <= run_most))
            continue;
        if (!log->count)
            log->line = line_of(text, at);
        *CS_VECTOR_NEXT_IN(arena, log->values, log->count, room) = number;
    }
}

/* Colours of terminals, ESC [ ... letter, and zero bytes, which no text has. */
static void blank_controls(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool colour = text[i] == '\033' && text[i + 1] == '[';

        if (!text[i] || colour)
            text[i] = ' ';
        while (colour && i + 1 < length) {
            colour = !isalpha((unsigned char)text[++i]);
            text[i] = ' ';
        }
    }
}

static int refuse_text(const char *file, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text known = {0};

    for (int s = 0; s < SHAPES && *shapes[s].framework; s++)
        if (!s || !cs_same(shapes[s].framework, shapes[s - 1].framework))
            cs_text_printf(&known, "%s'%s' (%s)", s ? ", " : "", shapes[s].key,
                           shapes[s].framework);
    return cs_err_set(err, CS_EINPUT,
                      "%s: no step's time, and no rate; expected a number at one of %s", file,
                      cs_text_str(&known));
}

int cs_run_log_parse(const char *file, char *text, size_t length, struct cs_arena *arena,
                     struct cs_run_log *log, struct cs_err *err)
{
    struct cs_run_log stated = {0};

    *log = stated;
    blank_controls(text, length);
    for (int s = 0; s < SHAPES; s++) {
        if (shapes[s].quantity < CS_RUN_TIMES && !log->count)
            take_shape(text, &shapes[s], arena, log);
        if (shapes[s].quantity == CS_RUN_BATCH && !stated.count)
            take_shape(text, &shapes[s], arena, &stated);
    }
    if (!log->count)
        return refuse_text(file, err);
    if (stated.count) {
        log->batch = stated.values[stated.count - 1];
        log->batch_line = stated.line;
    }
    return 0;
}

int cs_run_log_read(const char *path, struct cs_arena *arena, struct cs_run_log *log,
                    struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read(path, CS_RUN_LOG_BYTES_MAX, &text, err);

    if (!code && !text.length)
        code = cs_err_set(err, CS_EINPUT, "%s is empty; expected the log of a run", path);
    if (!code)
        code = cs_run_log_parse(path, text.data, text.length, arena, log, err);
    return code;
}
