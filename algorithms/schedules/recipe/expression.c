/*
 * Expressions: from words to the terms of a stack machine (E. W. Dijkstra's shunting
 * yard, 1961), and their values.
 */
#include "algorithms/schedules/recipe/words.h"

#include "sim/base/collections/vector.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

enum term {
    TERM_NUMBER,
    TERM_NAME,
    TERM_OPEN, /* a parenthesis; not in the result */
    TERM_OR,
    TERM_AND,
    TERM_NOT,
    TERM_EQUAL,
    TERM_UNEQUAL,
    TERM_LESS,
    TERM_AT_MOST,
    TERM_MORE,
    TERM_AT_LEAST,
    TERM_BIT_OR,
    TERM_BIT_XOR,
    TERM_BIT_AND,
    TERM_LEFT,
    TERM_RIGHT,
    TERM_PLUS,
    TERM_MINUS,
    TERM_TIMES,
    TERM_OVER,
    TERM_MODULO,
    TERM_NEGATIVE,
    TERM_POWER,
    TERM_MIN,
    TERM_MAX,
    TERM_ABS,
    TERM_LOG2,
    TERMS
};

struct term_type {
    const char *text;
    uint8_t binds; /* more tightly for greater numbers */
    uint8_t takes; /* values */
};

static const struct term_type term_types[TERMS] = {
    [TERM_NUMBER] = {"", 0, 0},    [TERM_NAME] = {"", 0, 0},       [TERM_OPEN] = {"", 0, 0},
    [TERM_OR] = {"or", 1, 2},      [TERM_AND] = {"and", 2, 2},     [TERM_NOT] = {"not", 3, 1},
    [TERM_EQUAL] = {"==", 4, 2},   [TERM_UNEQUAL] = {"!=", 4, 2},  [TERM_LESS] = {"<", 4, 2},
    [TERM_AT_MOST] = {"<=", 4, 2}, [TERM_MORE] = {">", 4, 2},      [TERM_AT_LEAST] = {">=", 4, 2},
    [TERM_BIT_OR] = {"|", 5, 2},   [TERM_BIT_XOR] = {"^", 6, 2},   [TERM_BIT_AND] = {"&", 7, 2},
    [TERM_LEFT] = {"<<", 8, 2},    [TERM_RIGHT] = {">>", 8, 2},    [TERM_PLUS] = {"+", 9, 2},
    [TERM_MINUS] = {"-", 9, 2},    [TERM_TIMES] = {"*", 10, 2},    [TERM_OVER] = {"/", 10, 2},
    [TERM_MODULO] = {"%", 10, 2},  [TERM_NEGATIVE] = {"-", 11, 1}, [TERM_POWER] = {"**", 12, 2},
    [TERM_MIN] = {"min", 0, 2},    [TERM_MAX] = {"max", 0, 2},     [TERM_ABS] = {"abs", 0, 1},
    [TERM_LOG2] = {"log2", 0, 1},
};
_Static_assert(sizeof(term_types) / sizeof(*term_types) == TERMS, "a type for each term");

/* Operators and open parentheses that wait for values. */
struct yard {
    struct cs_word_reader *reader;
    uint8_t waiting[CS_RECIPE_TERMS_MAX];
    uint8_t commas[CS_RECIPE_TERMS_MAX]; /* of an open parenthesis */
    uint32_t depth, first, parentheses;
    uint32_t height; /* of the values of the result so far */
};

static int yard_put(struct yard *yard, uint8_t what, int64_t value)
{
    struct cs_word_reader *reader = yard->reader;

    if (reader->term_count - yard->first == CS_RECIPE_TERMS_MAX)
        return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line,
                         "an expression of more than %d terms", CS_RECIPE_TERMS_MAX);
    yard->height += 1U - term_types[what].takes;
    if (yard->height > CS_RECIPE_STACK_MAX)
        return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line,
                         "more than %d parentheses in parentheses", CS_RECIPE_STACK_MAX);
    *CS_VECTOR_NEXT_IN(reader->arena, reader->terms, reader->term_count, reader->term_room) =
        (struct cs_recipe_term){what, value};
    return 0;
}

static int yard_wait(struct yard *yard, uint8_t what)
{
    if (yard->depth == CS_RECIPE_TERMS_MAX)
        return cs_err_at(yard->reader->err, CS_EINPUT, yard->reader->file, yard->reader->line,
                         "an expression of more than %d terms", CS_RECIPE_TERMS_MAX);
    yard->commas[yard->depth] = 0;
    yard->waiting[yard->depth++] = what;
    return 0;
}

/* Writes the operators that bind at least so tightly, up to a parenthesis. */
static int yard_settle(struct yard *yard, uint8_t binds)
{
    int code = 0;

    while (yard->depth && !code) {
        uint8_t what = yard->waiting[yard->depth - 1];

        if (what == TERM_OPEN || term_types[what].binds < binds)
            break;
        yard->depth--;
        code = yard_put(yard, what, 0);
    }
    return code;
}

/* The term with a text, from `first` on and of so many values; TERMS: none. */
static uint8_t term_of(const char *text, uint8_t first, uint8_t end)
{
    uint8_t what = first;

    while (what < end && !cs_same(term_types[what].text, text))
        what++;
    return what < end ? what : TERMS;
}

static int yard_name(struct yard *yard, const struct cs_word *word)
{
    struct cs_word_reader *reader = yard->reader;
    uint32_t slot = cs_name_find(reader, word->text);

    reader->reads_bytes |= slot == CS_RECIPE_V;
    if (slot < reader->name_count)
        return yard_put(yard, TERM_NAME, slot);
    return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line,
                     "no name called '%s' so far%s", word->text,
                     cs_hint_all(word->text, reader->names, reader->name_count).text);
}

/* A value, or what may stand in front of one: sets whether it was one. */
static int yard_take_value(struct yard *yard, bool *is_value)
{
    struct cs_word_reader *reader = yard->reader;
    const struct cs_word *word = cs_word_next(reader);
    uint8_t function = term_of(word->text, TERM_MIN, TERMS);
    bool calls = function != TERMS && cs_same(word[1].text, "(");
    int code;

    *is_value = false;
    reader->at++;
    if (cs_same(word->text, "+"))
        return 0;
    if (cs_same(word->text, "-"))
        return yard_wait(yard, TERM_NEGATIVE);
    if (cs_same(word->text, "not"))
        return yard_wait(yard, TERM_NOT);
    if (calls || cs_same(word->text, "(")) {
        reader->at += calls;
        yard->parentheses++;
        code = calls ? yard_wait(yard, function) : 0;
        return code ? code : yard_wait(yard, TERM_OPEN);
    }
    *is_value = true;
    if (word->kind == CS_WORD_NUMBER)
        return yard_put(yard, TERM_NUMBER, word->number);
    if (word->kind == CS_WORD_NAME)
        return yard_name(yard, word);
    reader->at--;
    return cs_word_complain(reader, "a number, a name or '('");
}

/* A parenthesis closes, of a function with the values that it takes. */
static int yard_close(struct yard *yard)
{
    int code = yard_settle(yard, 0);
    uint32_t commas;

    if (code)
        return code;
    yard->parentheses--;
    commas = yard->commas[--yard->depth];
    if (yard->depth && yard->waiting[yard->depth - 1] >= TERM_MIN) {
        uint8_t function = yard->waiting[--yard->depth];

        if (commas + 1 == term_types[function].takes)
            return yard_put(yard, function, 0);
        return cs_err_at(yard->reader->err, CS_EINPUT, yard->reader->file, yard->reader->line,
                         "%u values for %s; expected %u", commas + 1, term_types[function].text,
                         term_types[function].takes);
    }
    if (!commas)
        return 0;
    return cs_err_at(yard->reader->err, CS_EINPUT, yard->reader->file, yard->reader->line,
                     "',' outside min() and max(); expected ')'");
}

/* An operator behind a value; `ends` where the expression is over. */
static int yard_take_operator(struct yard *yard, bool *is_value, bool *ends)
{
    struct cs_word_reader *reader = yard->reader;
    const char *text = cs_word_next(reader)->text;
    uint8_t what = term_of(text, TERM_OR, TERM_MIN);
    int code;

    if (cs_same(text, ")") && yard->parentheses) {
        reader->at++;
        return yard_close(yard);
    }
    if (cs_same(text, ",") && yard->parentheses) {
        reader->at++;
        code = yard_settle(yard, 0);
        if (yard->commas[yard->depth - 1] < UINT8_MAX)
            yard->commas[yard->depth - 1]++;
        *is_value = false;
        return code;
    }
    if (what == TERM_NOT || what == TERMS || cs_word_next(reader)->kind == CS_WORD_END) {
        *ends = true;
        return yard->parentheses ? cs_word_complain(reader, "')' or an operator") : 0;
    }
    reader->at++;
    *is_value = false;
    code = yard_settle(yard, (uint8_t)(term_types[what].binds + (what == TERM_POWER)));
    return code ? code : yard_wait(yard, what);
}

int cs_expression_read(struct cs_word_reader *reader, struct cs_recipe_expression *x)
{
    struct yard yard = {.reader = reader, .first = reader->term_count};
    bool is_value = false;
    bool ends = false;
    int code = 0;

    while (!ends && !code)
        code = is_value ? yard_take_operator(&yard, &is_value, &ends)
                        : yard_take_value(&yard, &is_value);
    if (!code)
        code = yard_settle(&yard, 0);
    *x = (struct cs_recipe_expression){yard.first, reader->term_count - yard.first};
    return code;
}

/* ---- values ---- */

static int64_t floor_over(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* A power by squares; true beyond 64 bits, and for a negative exponent. */
static bool power(int64_t base, int64_t exponent, int64_t *result)
{
    bool is_beyond = exponent < 0;

    *result = 1;
    while (exponent > 0 && !is_beyond) {
        if (exponent & 1)
            is_beyond = __builtin_mul_overflow(*result, base, result);
        exponent >>= 1;
        if (exponent && !is_beyond)
            is_beyond = __builtin_mul_overflow(base, base, &base);
    }
    return is_beyond;
}

/* Where overflow is possible: true beyond 64 bits. */
static bool arithmetic(enum term what, int64_t a, int64_t b, int64_t *c)
{
    switch (what) {
    case TERM_PLUS:
        return __builtin_add_overflow(a, b, c);
    case TERM_MINUS:
        return __builtin_sub_overflow(a, b, c);
    case TERM_NEGATIVE:
        return __builtin_sub_overflow(0, a, c);
    case TERM_TIMES:
        return __builtin_mul_overflow(a, b, c);
    case TERM_POWER:
        return power(a, b, c);
    case TERM_LEFT:
        return b < 0 || b > 62 || __builtin_mul_overflow(a, (int64_t)1 << b, c);
    case TERM_ABS:
        return a < 0 ? __builtin_sub_overflow(0, a, c) : (*c = a, false);
    default:
        return b == -1 && a == INT64_MIN;
    }
}

static int64_t floor_log2(int64_t a)
{
    int64_t log = -1;

    for (; a > 0; a >>= 1)
        log++;
    return log;
}

/* Of terms whose value exists; `c` is that of arithmetic(). */
static int64_t term_value(enum term what, int64_t a, int64_t b, int64_t c)
{
    switch (what) {
    case TERM_OR:
        return a || b;
    case TERM_AND:
        return a && b;
    case TERM_NOT:
        return !a;
    case TERM_EQUAL:
        return a == b;
    case TERM_UNEQUAL:
        return a != b;
    case TERM_LESS:
        return a < b;
    case TERM_AT_MOST:
        return a <= b;
    case TERM_MORE:
        return a > b;
    case TERM_AT_LEAST:
        return a >= b;
    case TERM_BIT_OR:
        return a | b;
    case TERM_BIT_XOR:
        return a ^ b;
    case TERM_BIT_AND:
        return a & b;
    case TERM_RIGHT:
        return b > 62 ? (a < 0 ? -1 : 0) : a >> (b < 0 ? 0 : b);
    case TERM_OVER:
        return floor_over(a, b);
    case TERM_MODULO:
        return a - floor_over(a, b) * b;
    case TERM_MIN:
        return a < b ? a : b;
    case TERM_MAX:
        return a > b ? a : b;
    case TERM_LOG2:
        return floor_log2(a);
    default:
        return c;
    }
}

static const char *term_problem(enum term what, int64_t a, int64_t b, int64_t *c)
{
    if ((what == TERM_OVER || what == TERM_MODULO) && b == 0)
        return "a division by 0";
    if (what == TERM_LOG2 && a < 1)
        return "log2 of a number below 1";
    if (arithmetic(what, a, b, c))
        return "a number beyond 64 bits, or a negative power or shift";
    return NULL;
}

int64_t cs_recipe_value(const struct cs_recipe *recipe, struct cs_recipe_expression x,
                        const int64_t *values, uint32_t line, struct cs_err *err)
{
    int64_t stack[CS_RECIPE_STACK_MAX] = {0};
    uint32_t depth = 0;

    for (uint32_t i = 0; i < x.count; i++) {
        const struct cs_recipe_term *term = &recipe->terms[x.first + i];
        enum term what = term->what;
        int64_t a, b, c = 0;
        const char *problem;

        if (what == TERM_NUMBER || what == TERM_NAME) {
            stack[depth++] = what == TERM_NAME ? values[term->value] : term->value;
            continue;
        }
        b = term_types[what].takes == 2 ? stack[--depth] : 0;
        a = stack[--depth];
        problem = term_problem(what, a, b, &c);
        if (problem) {
            (void)cs_err_at(err, CS_EINPUT, recipe->file, line, "%s, for rank %lld of %lld",
                            problem, (long long)values[CS_RECIPE_R],
                            (long long)values[CS_RECIPE_P]);
            return 0;
        }
        stack[depth++] = term_value(what, a, b, c);
    }
    return depth ? stack[0] : 0;
}
