#include "scenarios/options/value.h"

#include "sim/base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- integers of either width ---- */

static void *value_at(const struct cs_option *option, void *target)
{
    return (char *)target + option->place;
}

static const void *value_in(const struct cs_option *option, const void *target)
{
    return (const char *)target + option->place;
}

static void value_put(const struct cs_option *option, void *target, uint64_t number)
{
    uint32_t narrow = (uint32_t)number;
    uint8_t flag = (uint8_t)number;

    if (option->size == sizeof(number))
        memcpy(value_at(option, target), &number, sizeof(number));
    else if (option->size == sizeof(narrow))
        memcpy(value_at(option, target), &narrow, sizeof(narrow));
    else
        memcpy(value_at(option, target), &flag, sizeof(flag));
}

static uint64_t value_get(const struct cs_option *option, const void *target)
{
    uint64_t number = 0;
    uint32_t narrow = 0;
    uint8_t flag = 0;

    if (option->size == sizeof(number)) {
        memcpy(&number, value_in(option, target), sizeof(number));
        return number;
    }
    if (option->size == sizeof(narrow)) {
        memcpy(&narrow, value_in(option, target), sizeof(narrow));
        return narrow;
    }
    memcpy(&flag, value_in(option, target), sizeof(flag));
    return flag;
}

static size_t value_word_count(const struct cs_option *option)
{
    size_t count = 0;

    while (option->words[count])
        count++;
    return count;
}

/* ---- reading ---- */

static int value_read_choice(const struct cs_option *option, void *target, const char *text,
                             struct cs_err *err)
{
    const struct cs_option_alias *alias = option->aliases;
    size_t count = value_word_count(option);
    const char *word = text;

    for (; alias && alias->other; alias++)
        if (!strcasecmp(text, alias->other))
            word = alias->word;
    for (size_t i = 0; i < count; i++)
        if (!strcasecmp(word, option->words[i])) {
            value_put(option, target, option->least + i);
            return 0;
        }
    return cs_options_refuse((struct cs_option_names){option->name, option->words, count}, text,
                             err);
}

static int value_refuse_bytes(const struct cs_option *option, const char *text, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT, "'%.40s' is out of range; expected %s to %s", text,
                      cs_show_bytes(option->least).text, cs_show_bytes(option->most).text);
}

/* Whether the text is one of the words that stand for the largest numbers. */
static bool value_read_word(const struct cs_option *option, void *target, const char *text)
{
    for (uint64_t i = 0; option->words && option->words[i]; i++)
        if (cs_same(text, option->words[i])) {
            value_put(option, target, UINT64_MAX - i);
            return true;
        }
    return false;
}

/* "0" needs no unit where it is allowed. */
static int value_read_bytes(const struct cs_option *option, void *target, const char *text,
                            struct cs_err *err)
{
    uint64_t bytes = 0;
    int code =
        option->least == 0 && cs_same(text, "0") ? 0 : cs_units_nccl_bytes(text, &bytes, err);

    if (code)
        return code;
    if (option->most && (bytes < option->least || bytes > option->most))
        return value_refuse_bytes(option, text, err);
    value_put(option, target, bytes);
    return 0;
}

static int value_read_time(const struct cs_option *option, void *target, const char *text,
                           struct cs_err *err)
{
    uint64_t time_ps = 0;
    int code = cs_units_time(text, &time_ps, err);

    if (!code && time_ps < option->least)
        return cs_err_set(err, CS_EINPUT, "'%.40s' is too short; expected at least %s", text,
                          cs_show_time(option->least).text);
    if (!code)
        value_put(option, target, time_ps);
    return code;
}

static int value_read_seconds(const struct cs_option *option, void *target, const char *text,
                              struct cs_err *err)
{
    struct cs_option in_ps = *option;
    uint64_t time_ps = 0;
    double time_s;
    int code;

    in_ps.place = 0;
    in_ps.size = sizeof(time_ps);
    code = value_read_time(&in_ps, &time_ps, text, err);
    time_s = (double)time_ps * 1e-12;
    if (!code)
        memcpy(value_at(option, target), &time_s, sizeof(time_s));
    return code;
}

/* The bounds, or a text that is no number. */
static int value_refuse_number(const struct cs_option *option, const char *text, struct cs_err *err)
{
    if (option->positive)
        return cs_err_set(err, CS_EINPUT, "'%.40s' is not a number above 0, at most %llu", text,
                          (unsigned long long)option->most);
    return cs_err_set(err, CS_EINPUT, "'%.40s' is not a number from %llu to %llu", text,
                      (unsigned long long)option->least, (unsigned long long)option->most);
}

static int value_read_number(const struct cs_option *option, void *target, const char *text,
                             struct cs_err *err)
{
    const struct cs_number_kind *kind = option->kind ? option->kind : &cs_number_count;
    double number;
    int code = cs_number_read(text, kind, &number, kind->example ? err : NULL);

    if (code)
        return kind->example ? code : value_refuse_number(option, text, err);
    if (option->positive && !(number > 0) && kind->example)
        return cs_err_set(err, CS_EINPUT, "'%.40s' is not above 0", text);
    if (number < (double)option->least || (option->positive && !(number > 0)) ||
        (option->most && number > (double)option->most))
        return value_refuse_number(option, text, err);
    memcpy(value_at(option, target), &number, sizeof(number));
    return 0;
}

static int value_read_percent(const struct cs_option *option, void *target, const char *text,
                              struct cs_err *err)
{
    size_t length = strlen(text);
    char digits[24];
    uint64_t hundredths = 0;
    double share;
    int code;

    if (length && length < sizeof(digits) && text[length - 1] == '%')
        length--;
    snprintf(digits, sizeof(digits), "%.*s", (int)length, text);
    code = cs_units_count(digits, option->least, option->most, &hundredths, err);
    share = (double)hundredths / 100.;
    if (!code)
        memcpy(value_at(option, target), &share, sizeof(share));
    return code;
}

int cs_option_count(const struct cs_option *option, const char *text, uint64_t *count,
                    struct cs_err *err)
{
    const struct cs_number_kind *kind = option->kind ? option->kind : &cs_number_count;
    size_t length = strlen(text);
    char digits[32];
    double number;

    if (length && strchr("kKMGTi", text[length - 1]) &&
        !cs_number_read(text, kind, &number, NULL) && number < 0x1p53 && number == floor(number)) {
        snprintf(digits, sizeof(digits), "%.0f", number);
        text = digits;
    }
    return cs_units_count(text, option->least, option->most, count, err);
}

static int value_read_count(const struct cs_option *option, void *target, const char *text,
                            struct cs_err *err)
{
    uint64_t count = 0;
    int code = cs_option_count(option, text, &count, err);

    if (!code)
        value_put(option, target, count);
    return code;
}

/* ---- lists ---- */

struct value_list {
    const struct cs_option *option;
    void *list;
};

static int value_refuse_more(const struct cs_option *option, uint64_t most, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT, "more than %llu values of --%s", (unsigned long long)most,
                      option->name);
}

/* A cs_option_fn, as the next one. */
static int value_add_word(void *target, const char *word, struct cs_err *err)
{
    const struct value_list *list = target;
    struct cs_option_words *words = list->list;
    uint64_t most = list->option->most ? list->option->most : CS_OPTION_LIST_MAX;

    for (uint32_t w = 0; w < words->count; w++)
        if (cs_same(words->item[w], word)) {
            words->repeated = word;
            return 0;
        }
    if (words->count == most)
        return value_refuse_more(list->option, most, err);
    words->item[words->count++] = word;
    return 0;
}

static int value_add_count(void *target, const char *word, struct cs_err *err)
{
    const struct value_list *list = target;
    struct cs_option_counts *counts = list->list;
    uint64_t count = 0;
    int code = cs_option_count(list->option, word, &count, err);

    for (uint32_t c = 0; c < counts->count && !code; c++)
        if (counts->item[c] == count) {
            counts->repeated = word;
            return 0;
        }
    if (!code && counts->count == CS_OPTION_LIST_MAX)
        code = value_refuse_more(list->option, CS_OPTION_LIST_MAX, err);
    if (!code)
        counts->item[counts->count++] = (uint32_t)count;
    return code;
}

/* The list replaces the one before. */
static int value_read_list(const struct cs_option *option, void *target, const char *text,
                           cs_option_fn *add, struct cs_err *err)
{
    const struct cs_option_log *log = target;
    struct value_list list = {option, value_at(option, target)};

    memset(list.list, 0, option->size);
    return cs_options_each((struct cs_option_list){log->arena, add, &list}, text, err);
}

int cs_option_store(const struct cs_option *option, void *target, const char *text,
                    struct cs_err *err)
{
    switch (option->type) {
    case CS_OPTION_FLAG:
        value_put(option, target, option->value ? option->value : 1);
        return 0;
    case CS_OPTION_TEXT:
        memcpy(value_at(option, target), &text, sizeof(text));
        return 0;
    case CS_OPTION_COUNT:
        return value_read_count(option, target, text, err);
    case CS_OPTION_BYTES:
        return value_read_word(option, target, text) ? 0
                                                     : value_read_bytes(option, target, text, err);
    case CS_OPTION_TIME:
        return value_read_time(option, target, text, err);
    case CS_OPTION_SECONDS:
        return value_read_seconds(option, target, text, err);
    case CS_OPTION_NUMBER:
        return value_read_number(option, target, text, err);
    case CS_OPTION_PERCENT:
        return value_read_percent(option, target, text, err);
    case CS_OPTION_RATE:
        return cs_units_rate(text, value_at(option, target), err);
    case CS_OPTION_CHOICE:
        return value_read_choice(option, target, text, err);
    case CS_OPTION_WORDS:
        return value_read_list(option, target, text, value_add_word, err);
    case CS_OPTION_COUNTS:
        return value_read_list(option, target, text, value_add_count, err);
    default:
        return option->set(target, text, err);
    }
}

/* ---- printing ---- */

/* Appends the value in canonical units: equal values give equal texts.  A flag
 * has no text. */
static void option_value_show(const struct cs_option *option, const void *target,
                              struct cs_text *out)
{
    const char *text = "";
    double rate_Bps = 0;

    switch (option->type) {
    case CS_OPTION_TEXT:
        memcpy(&text, value_in(option, target), sizeof(text));
        cs_text_add(out, text ? text : "");
        break;
    case CS_OPTION_COUNT:
        cs_text_printf(out, "%llu", (unsigned long long)value_get(option, target));
        break;
    case CS_OPTION_BYTES:
        cs_text_add(out, cs_show_bytes(value_get(option, target)).text);
        break;
    case CS_OPTION_TIME:
        cs_text_add(out, cs_show_time(value_get(option, target)).text);
        break;
    case CS_OPTION_RATE:
        memcpy(&rate_Bps, value_in(option, target), sizeof(rate_Bps));
        cs_text_add(out, cs_show_rate(rate_Bps).text);
        break;
    case CS_OPTION_CHOICE:
        cs_text_add(out, option->words[value_get(option, target) - option->least]);
        break;
    default:
        break;
    }
}

void cs_option_clear(const struct cs_option *option, void *target)
{
    value_put(option, target, option->least);
}

bool cs_option_is_set(const struct cs_option *option, const void *target)
{
    return value_get(option, target) == (option->value ? option->value : 1);
}

static const char *value_text(const struct cs_option *option, const void *target)
{
    const char *text;

    memcpy(&text, value_in(option, target), sizeof(text));
    return text ? text : "";
}

bool cs_option_equal(const struct cs_option *option, const void *a, const void *b)
{
    if (option->type == CS_OPTION_TEXT)
        return cs_same(value_text(option, a), value_text(option, b));
    return memcmp(value_in(option, a), value_in(option, b), option->size) == 0;
}

void cs_option_copy(const struct cs_option *option, const void *from, void *to)
{
    memcpy(value_at(option, to), value_in(option, from), option->size);
}

/* ---- the key of a run ---- */

/* A special option prints the values of the target if the entry has a function
 * for that, else the words of the user. */
static void value_visit_special(struct cs_option_values values, const struct cs_option *option,
                                struct cs_option_visit visit)
{
    const struct cs_option_log *log = values.target;
    const char *text;

    if (option->show) {
        for (uint32_t i = 0; (text = option->show(values.target, i)); i++)
            visit.take(visit.ctx, option, text);
        return;
    }
    for (uint32_t i = 0; i < log->count; i++)
        if (log->items[i].option == option)
            visit.take(visit.ctx, option, log->items[i].value);
}

void cs_options_each_of_key(struct cs_option_values values, enum cs_option_key key,
                            struct cs_option_visit visit)
{
    const struct cs_option *option = values.table;
    struct cs_text text = {0};

    for (; !cs_option_is_end(option); option++) {
        if (option->group || option->key != key)
            continue;
        if (option->type == CS_OPTION_SPECIAL) {
            value_visit_special(values, option, visit);
        } else if (!cs_option_equal(option, values.target, values.standard)) {
            option_value_show(option, values.target, &text);
            visit.take(visit.ctx, option, cs_text_str(&text));
            cs_text_free(&text);
        }
    }
}
