#include "sim/base/units.h"

#include "sim/base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Products of a number and a unit, exactly; 2^128 is far above every limit. */
__extension__ typedef unsigned __int128 wide;

#define LIMIT_BYTES (UINT64_C(1) << 62)
#define LIMIT_PS    (UINT64_C(1) << 62)

enum {
    QUOTED_MAX = 40, /* bytes of the user's word that a message repeats */
    AMOUNT_MAX = 20, /* digits that a message repeats as advice */
    UNIT_MAX = 15,   /* no unit is longer */
    NAMES_MAX = 80,  /* prefixes x units of one kind */
    ADVICE_MAX = 3,
    MICROBITS_PER_BYTE = 8000000,
    FRACTION_DECIMALS = 15, /* 1e15 < 2^53: both sides of the division exact */
};

/* ------------------------------------------------------------- the units */

struct units_unit {
    const char *name;
    uint64_t factor;
};

static const struct units_unit no_prefix[] = {{"", 1}};

static const struct units_unit prefixes[] = {
    {"", 1},
    {"k", UINT64_C(1000)},
    {"M", UINT64_C(1000000)},
    {"G", UINT64_C(1000000000)},
    {"T", UINT64_C(1000000000000)},
    {"P", UINT64_C(1000000000000000)},
    {"E", UINT64_C(1000000000000000000)},
    {"Ki", UINT64_C(1) << 10},
    {"Mi", UINT64_C(1) << 20},
    {"Gi", UINT64_C(1) << 30},
    {"Ti", UINT64_C(1) << 40},
    {"Pi", UINT64_C(1) << 50},
    {"Ei", UINT64_C(1) << 60},
};

static const struct units_unit byte_units[] = {{"B", 1}};

/* In millionths of a bit per second. */
static const struct units_unit rate_units[] = {
    {"B/s", MICROBITS_PER_BYTE},       {"b/s", MICROBITS_PER_BYTE / 8},
    {"bit/s", MICROBITS_PER_BYTE / 8}, {"Bps", MICROBITS_PER_BYTE},
    {"bps", MICROBITS_PER_BYTE / 8},
};

/* In picoseconds.  The micro sign and the Greek mu look alike; both are
 * typed. */
static const struct units_unit time_units[] = {
    {"ps", 1},
    {"ns", UINT64_C(1000)},
    {"us", UINT64_C(1000000)},
    {"\xc2\xb5s", UINT64_C(1000000)},
    {"\xce\xbcs", UINT64_C(1000000)},
    {"ms", UINT64_C(1000000000)},
    {"s", UINT64_C(1000000000000)},
};

/* In 10^-FRACTION_DECIMALS. */
static const struct units_unit fraction_units[] = {
    {"", UINT64_C(1000000000000000)},
    {"%", UINT64_C(10000000000000)},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What is being read, and what to say when it cannot be. */
struct units_kind {
    const char *noun;
    const char *example;
    const char *bare[ADVICE_MAX]; /* what a bare number may have meant */
    uint64_t most;                /* that it may have meant; 0: anything */
    bool in_bytes;                /* powers of 1000 and 1024 are explained */
    const struct units_unit *prefixes;
    size_t prefix_count;
    const struct units_unit *units;
    size_t unit_count;
};

static const struct units_kind kind_bytes = {
    .noun = "size",
    .example = "256 MB or 1 GiB",
    .bare = {"B", "MB", "MiB"},
    .in_bytes = true,
    .prefixes = prefixes,
    .prefix_count = COUNT_OF(prefixes),
    .units = byte_units,
    .unit_count = COUNT_OF(byte_units),
};

static const struct units_kind kind_rate = {
    .noun = "rate",
    .example = "25 GB/s or 400 Gb/s",
    .bare = {"GB/s", "Gb/s", NULL},
    .prefixes = prefixes,
    .prefix_count = COUNT_OF(prefixes),
    .units = rate_units,
    .unit_count = COUNT_OF(rate_units),
};

static const struct units_kind kind_time = {
    .noun = "time",
    .example = "500 ns or 1.5 us",
    .bare = {"ns", "us", "ms"},
    .prefixes = no_prefix,
    .prefix_count = COUNT_OF(no_prefix),
    .units = time_units,
    .unit_count = COUNT_OF(time_units),
};

static const struct units_kind kind_fraction = {
    .noun = "fraction",
    .example = "0.8 or 80 %",
    .prefixes = no_prefix,
    .prefix_count = COUNT_OF(no_prefix),
    .units = fraction_units,
    .unit_count = COUNT_OF(fraction_units),
};

/* Prefix and unit in one word: "Gbit/s". */
struct name {
    char text[UNIT_MAX + 1];
};

static struct name units_name_of(const struct units_kind *kind, size_t prefix,
                                 size_t unit)
{
    struct name name;

    snprintf(name.text, sizeof(name.text), "%s%s", kind->prefixes[prefix].name,
             kind->units[unit].name);
    return name;
}

/* The factor of a unit by name, 0 when there is none of that name. */
static wide units_factor_of(const struct units_kind *kind, const char *word)
{
    for (size_t p = 0; p < kind->prefix_count; p++) {
        size_t length = strlen(kind->prefixes[p].name);

        if (strncmp(word, kind->prefixes[p].name, length) != 0)
            continue;
        for (size_t u = 0; u < kind->unit_count; u++)
            if (cs_same(word + length, kind->units[u].name))
                return (wide)kind->prefixes[p].factor * kind->units[u].factor;
    }
    return 0;
}

/* --------------------------------------------------------------- numbers */

struct quoted {
    char text[QUOTED_MAX + sizeof("...")];
};

/* The user's word, cut where it is long, never in half a UTF-8 letter. */
static struct quoted quote_n(const char *word, size_t length)
{
    struct quoted quoted = {{0}};
    size_t kept = length;

    if (kept > QUOTED_MAX) {
        kept = QUOTED_MAX;
        while (kept > 0 && ((unsigned char)word[kept] & 0xc0) == 0x80)
            kept--;
    }
    memcpy(quoted.text, word, kept);
    if (kept < length)
        memcpy(quoted.text + kept, "...", sizeof("..."));
    return quoted;
}

static struct quoted units_quote(const char *word)
{
    return quote_n(word, strlen(word));
}

/* A text cut into its parts, which point into it. */
struct units_number {
    const char *text; /* all of it, for messages */
    const char *whole;
    size_t whole_digits;
    const char *fraction;
    size_t fraction_digits;
    int exponent;
    const char *end; /* of the digits and the exponent */
    const char *unit;
    size_t unit_length;
};

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static bool units_is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

static const char *skip_blanks(const char *at)
{
    while (units_is_blank(*at))
        at++;
    return at;
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

static int refuse_number(const char *text, const struct units_kind *kind,
                         struct cs_err *err)
{
    char first = *skip_blanks(text);

    if (first == '-')
        return cs_err_set(err, CS_EINPUT, "'%s' is negative; a %s is not",
                          units_quote(text).text, kind->noun);
    if (first == '+')
        return cs_err_set(err, CS_EINPUT, "'%s' has a sign; a %s has none",
                          units_quote(text).text, kind->noun);
    return cs_err_set(err, CS_EINPUT, "'%s' is not a %s such as %s",
                      units_quote(text).text, kind->noun, kind->example);
}

enum {
    EXPONENT_MAX = 1000 /* beyond every limit, and more digits than matter */
};

/* "e9" or "E-3" behind the digits; where there is none, `at` itself. */
static const char *take_exponent(const char *at, struct units_number *number)
{
    const char *digits = at + 1 + (at[0] && (at[1] == '+' || at[1] == '-'));
    int exponent = 0;

    if ((*at != 'e' && *at != 'E') || !is_digit(*digits))
        return at;
    for (; is_digit(*digits); digits++)
        if (exponent < EXPONENT_MAX)
            exponent = 10 * exponent + (*digits - '0');
    number->exponent = at[1] == '-' ? -exponent : exponent;
    return digits;
}

/* Cuts the text into a number and what follows it: the unit. */
static int units_cut(const char *text, const struct units_kind *kind,
                     struct units_number *number, struct cs_err *err)
{
    const char *at = skip_blanks(text);

    *number = (struct units_number){
        .text = text, .whole = at, .fraction = "", .unit = ""};
    at = skip_digits(at);
    number->whole_digits = (size_t)(at - number->whole);
    if (number->whole_digits == 0)
        return refuse_number(text, kind, err);
    if (at[0] == '.' && is_digit(at[1])) {
        number->fraction = at + 1;
        at = skip_digits(at + 1);
        number->fraction_digits = (size_t)(at - number->fraction);
    }
    at = take_exponent(at, number);
    number->end = at;
    number->unit = skip_blanks(at);
    number->unit_length = strlen(number->unit);
    while (number->unit_length > 0 &&
           units_is_blank(number->unit[number->unit_length - 1]))
        number->unit_length--;
    return CS_OK;
}

/* number x factor: the whole part, and whether that is all of it. */
struct product {
    wide value;
    bool exact;
    bool huge; /* above 2^126; value means nothing */
};

/* Digit `i` of those that are written, from the left; zeros beside them. */
static unsigned digit_at(const struct units_number *number, ptrdiff_t i)
{
    ptrdiff_t whole = (ptrdiff_t)number->whole_digits;

    if (i < 0 || i >= whole + (ptrdiff_t)number->fraction_digits)
        return 0;
    return (
        unsigned)((i < whole ? number->whole[i] : number->fraction[i - whole]) -
                  '0');
}

/*
 * Multiplies as on paper, digit by digit from the right, so that any number of
 * digits is exact: the digits that come out behind the point must be zeros,
 * and the carry at the point belongs to the whole part.  An exponent moves the
 * point.
 */
static struct product units_multiply(const struct units_number *number,
                                     wide factor)
{
    struct product product = {.exact = true};
    wide most = ((wide)1 << 126) / factor;
    wide carry = 0, whole = 0;
    ptrdiff_t written =
        (ptrdiff_t)(number->whole_digits + number->fraction_digits);
    ptrdiff_t point = (ptrdiff_t)number->whole_digits + number->exponent;

    for (ptrdiff_t i = written - 1; i >= point; i--) {
        carry += digit_at(number, i) * factor;
        if (carry % 10 != 0)
            product.exact = false;
        carry /= 10;
    }
    for (ptrdiff_t i = 0; i < point && !product.huge; i++) {
        wide digit = digit_at(number, i);

        if (whole > (most - digit) / 10)
            product.huge = true;
        else
            whole = whole * 10 + digit;
    }
    if (!product.huge)
        product.value = whole * factor + carry;
    return product;
}

/* ---------------------------------------------------------- wrong units */

/* Units that the user may have meant. */
struct advice {
    struct name names[ADVICE_MAX];
    size_t count;
};

static void units_advise(struct advice *advice, const char *name)
{
    if (advice->count < ADVICE_MAX)
        snprintf(advice->names[advice->count++].text,
                 sizeof(advice->names[0].text), "%s", name);
}

static char units_fold(char letter)
{
    return (char)(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

static bool same_folded(const char *a, const char *b)
{
    for (; *a && units_fold(*a) == units_fold(*b); a++)
        b++;
    return units_fold(*a) == units_fold(*b);
}

/* Whether `word` becomes `name` when what is often left out is added. */
static bool units_completes(const char *word, const char *name,
                            bool (*same)(const char *, const char *))
{
    static const char *const endings[] = {"",   "B",   "iB", "s",
                                          "/s", "B/s", "b/s"};
    struct name head = {{0}};
    size_t length = strlen(word);

    if (length > strlen(name))
        return false;
    memcpy(head.text, name, length);
    if (!same(head.text, word))
        return false;
    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (cs_same(name + length, endings[i]))
            return true;
    return false;
}

static void advise_completions(struct advice *advice,
                               const struct units_kind *kind, const char *word,
                               bool (*same)(const char *, const char *))
{
    for (size_t p = 0; p < kind->prefix_count; p++)
        for (size_t u = 0; u < kind->unit_count; u++)
            if (units_completes(word, units_name_of(kind, p, u).text, same))
                units_advise(advice, units_name_of(kind, p, u).text);
}

/* "KB" is 1000 bytes to some and 1024 to others; so is a size of "k". */
static void advise_kilo(struct advice *advice, const struct units_kind *kind,
                        const char *word)
{
    const char *rest = word + 1;
    struct name kilo, kibi;

    if (kind->in_bytes && same_folded(word, "k"))
        rest = "B";
    else if (word[0] != 'K')
        return;
    snprintf(kilo.text, sizeof(kilo.text), "k%.*s", UNIT_MAX - 1, rest);
    snprintf(kibi.text, sizeof(kibi.text), "Ki%.*s", UNIT_MAX - 2, rest);
    if (units_factor_of(kind, kilo.text) && units_factor_of(kind, kibi.text)) {
        units_advise(advice, kilo.text);
        units_advise(advice, kibi.text);
    }
}

/* The digits as the user wrote them, or some others when they are many. */
static struct quoted amount_of(const struct units_number *number)
{
    size_t length = (size_t)(number->end - number->whole);

    return length <= AMOUNT_MAX ? quote_n(number->whole, length)
                                : units_quote("25");
}

/* " (1e9 bytes)", " (2^30 bytes)"; nothing for what needs no explanation. */
static void units_explain(struct cs_text *text, const struct units_kind *kind,
                          const char *name)
{
    wide factor = units_factor_of(kind, name);
    int exponent = 0;

    if (!kind->in_bytes || factor <= 1)
        return;
    if (factor % 1000 == 0) {
        for (; factor > 1; factor /= 10)
            exponent++;
        cs_text_printf(text, " (1e%d bytes)", exponent);
    } else {
        for (; factor > 1; factor /= 2)
            exponent++;
        cs_text_printf(text, " (2^%d bytes)", exponent);
    }
}

/* "1 GB (1e9 bytes) or 1 GiB (2^30 bytes)". */
static struct cs_text units_list(const struct advice *advice,
                                 const struct units_number *number,
                                 const struct units_kind *kind)
{
    struct quoted amount = amount_of(number);
    struct cs_text text = {0};

    for (size_t i = 0; i < advice->count; i++) {
        const char *name = advice->names[i].text;

        if (i > 0)
            cs_text_add(&text, i + 1 < advice->count ? ", " : " or ");
        cs_text_printf(&text, "%s %s", amount.text, name);
        if (advice->count == 2)
            units_explain(&text, kind, name);
    }
    return text;
}

static int refuse_with(const char *verdict, const struct advice *advice,
                       const struct units_number *number,
                       const struct units_kind *kind, struct cs_err *err)
{
    struct cs_text names = units_list(advice, number, kind);

    cs_err_set(err, CS_EINPUT, "'%s' %s write %s",
               units_quote(number->text).text, verdict, cs_text_str(&names));
    cs_text_free(&names);
    return CS_EINPUT;
}

/* Whether that many of the unit are no more than there can be. */
static bool is_within(const struct units_number *number,
                      const struct units_kind *kind, const char *unit)
{
    wide factor = units_factor_of(kind, unit);
    struct product product;

    if (kind->most == 0 || factor == 0)
        return true;
    product = units_multiply(number, factor);
    return !product.huge && product.value <= kind->most;
}

static int refuse_bare(const struct units_number *number,
                       const struct units_kind *kind, struct cs_err *err)
{
    struct advice advice = {0};

    for (size_t i = 0; i < ADVICE_MAX && kind->bare[i]; i++)
        if (i == 0 || is_within(number, kind, kind->bare[i]))
            units_advise(&advice, kind->bare[i]);
    return refuse_with("has no unit;", &advice, number, kind, err);
}

/* A unit that nothing completes: the nearest, if any is near. */
static int refuse_unknown(const char *word, const struct units_number *number,
                          const struct units_kind *kind, struct cs_err *err)
{
    struct name names[NAMES_MAX];
    const char *pointers[NAMES_MAX];
    size_t count = 0;
    const char *nearest;

    for (size_t p = 0; p < kind->prefix_count; p++) {
        for (size_t u = 0; u < kind->unit_count && count < NAMES_MAX; u++) {
            names[count] = units_name_of(kind, p, u);
            pointers[count] = names[count].text;
            count++;
        }
    }
    nearest = cs_nearest(word, pointers, count);
    if (nearest && *nearest)
        return cs_err_set(
            err, CS_EINPUT, "unknown unit '%s' in '%s'; did you mean '%s'?",
            units_quote(word).text, units_quote(number->text).text, nearest);
    return cs_err_set(err, CS_EINPUT,
                      "unknown unit '%s' in '%s'; write a %s such as %s",
                      units_quote(word).text, units_quote(number->text).text,
                      kind->noun, kind->example);
}

static bool units_ends_in(const char *word, const char *end)
{
    size_t length = strlen(word), end_length = strlen(end);

    return length >= end_length && cs_same(word + length - end_length, end);
}

/* What is wrong with the number rather than with the unit, or NULL. */
static const char *wrong_number(const char *word, const struct units_kind *kind)
{
    if ((*word == 'e' || *word == 'E') && (word[1] == '+' || word[1] == '-'))
        return "has an exponent without digits";
    if (*word == ',' || *word == '_' || *word == '\'')
        return "has a separator in the number; write digits and a point only";
    if (*word == '.')
        return "has a point too many";
    if (kind->in_bytes &&
        (units_ends_in(word, "b") || units_ends_in(word, "bit")))
        return "is in bits (b); a size is in bytes (B), such as 1 GB";
    if (units_ends_in(word, "T/s"))
        return "counts transfers; a rate is in bytes or bits, such as 25 GB/s";
    return NULL;
}

static int refuse_unit(const char *word, const struct units_number *number,
                       const struct units_kind *kind, struct cs_err *err)
{
    const char *wrong = wrong_number(word, kind);
    struct advice advice = {0};

    if (!*word)
        return refuse_bare(number, kind, err);
    if (wrong)
        return cs_err_set(err, CS_EINPUT, "'%s' %s",
                          units_quote(number->text).text, wrong);
    advise_kilo(&advice, kind, word);
    if (advice.count == 0)
        advise_completions(&advice, kind, word, cs_same);
    if (advice.count == 0)
        advise_completions(&advice, kind, word, same_folded);
    if (advice.count == 0)
        return refuse_unknown(word, number, kind, err);
    return refuse_with(advice.count > 1 ? "is ambiguous:"
                                        : "is not understood;",
                       &advice, number, kind, err);
}

/* --------------------------------------------------------------- readers */

static int read_product(const char *text, const struct units_kind *kind,
                        struct product *product, struct cs_err *err)
{
    struct units_number number;
    struct quoted word;
    wide factor;

    if (units_cut(text, kind, &number, err))
        return CS_EINPUT;
    word = quote_n(number.unit, number.unit_length);
    factor = units_factor_of(kind, word.text);
    if (factor == 0)
        return refuse_unit(word.text, &number, kind, err);
    *product = units_multiply(&number, factor);
    return CS_OK;
}

static int units_take_bytes(const char *text, struct product product,
                            uint64_t *bytes, struct cs_err *err)
{
    if (product.huge || product.value > LIMIT_BYTES)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is too large; a size is at most 4 EiB",
                          units_quote(text).text);
    if (!product.exact)
        return cs_err_set(err, CS_EINPUT, "'%s' is not a whole number of bytes",
                          units_quote(text).text);
    *bytes = (uint64_t)product.value;
    return CS_OK;
}

int cs_units_bytes_up_to(const char *text, uint64_t most, uint64_t *bytes,
                         struct cs_err *err)
{
    struct product product = {0};
    struct units_kind kind = kind_bytes;

    kind.most = most;
    if (read_product(text, &kind, &product, err))
        return CS_EINPUT;
    return units_take_bytes(text, product, bytes, err);
}

int cs_units_bytes(const char *text, uint64_t *bytes, struct cs_err *err)
{
    return cs_units_bytes_up_to(text, 0, bytes, err);
}

/* The power of 1024 of nccl-tests' one-letter units, 0 for another unit. */
static wide nccl_factor(const struct units_number *number)
{
    static const char letters[] = "KMGT";

    if (number->unit_length == 0)
        return 1;
    for (size_t i = 0; number->unit_length == 1 && letters[i]; i++)
        if (units_fold(number->unit[0]) == units_fold(letters[i]))
            return (wide)1 << (10 * (i + 1));
    return 0;
}

int cs_units_nccl_bytes(const char *text, uint64_t *bytes, struct cs_err *err)
{
    struct units_number number;
    wide factor;

    if (units_cut(text, &kind_bytes, &number, err))
        return CS_EINPUT;
    factor = nccl_factor(&number);
    if (factor == 0)
        return cs_units_bytes(text, bytes, err);
    return units_take_bytes(text, units_multiply(&number, factor), bytes, err);
}

int cs_units_rate(const char *text, double *rate_Bps, struct cs_err *err)
{
    struct product product = {0};

    if (read_product(text, &kind_rate, &product, err))
        return CS_EINPUT;
    if (product.huge || product.value / MICROBITS_PER_BYTE > LIMIT_BYTES)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is too large; a rate is at most 4 EiB/s",
                          units_quote(text).text);
    if (product.value == 0)
        return cs_err_set(err, CS_EINPUT, "'%s' is zero; a rate is above it",
                          units_quote(text).text);
    /* Whole bytes and the rest apart: both are exact in a double. */
    *rate_Bps = (double)(uint64_t)(product.value / MICROBITS_PER_BYTE) +
                (double)(uint64_t)(product.value % MICROBITS_PER_BYTE) /
                    MICROBITS_PER_BYTE;
    return CS_OK;
}

int cs_units_time(const char *text, uint64_t *time_ps, struct cs_err *err)
{
    struct product product = {0};

    if (read_product(text, &kind_time, &product, err))
        return CS_EINPUT;
    if (product.huge || product.value > LIMIT_PS)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is too long; a time is at most 4611686 s",
                          units_quote(text).text);
    if (!product.exact)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not a whole number of picoseconds",
                          units_quote(text).text);
    *time_ps = (uint64_t)product.value;
    return CS_OK;
}

static int out_of_range(const char *text, uint64_t min, uint64_t max,
                        struct cs_err *err)
{
    if (max == UINT64_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is out of range; expected at least %llu",
                          units_quote(text).text, (unsigned long long)min);
    return cs_err_set(err, CS_EINPUT,
                      "'%s' is out of range; expected %llu to %llu",
                      units_quote(text).text, (unsigned long long)min,
                      (unsigned long long)max);
}

int cs_units_count(const char *text, uint64_t min, uint64_t max,
                   uint64_t *count, struct cs_err *err)
{
    uint64_t value = 0;

    if (!*text || *skip_digits(text))
        return cs_err_set(err, CS_EINPUT, "'%s' is not a whole number",
                          units_quote(text).text);
    for (const char *at = text; *at; at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
            return out_of_range(text, min, max, err);
    if (value < min || value > max)
        return out_of_range(text, min, max, err);
    *count = value;
    return CS_OK;
}

int cs_units_fraction(const char *text, double *fraction, struct cs_err *err)
{
    const uint64_t one = fraction_units[0].factor;
    struct product product = {0};

    if (read_product(text, &kind_fraction, &product, err))
        return CS_EINPUT;
    if (product.huge || product.value > one || product.value == 0 ||
        (product.value == one && !product.exact))
        return cs_err_set(err, CS_EINPUT,
                          "'%s' is not above 0 and at most 1; "
                          "write a fraction such as %s",
                          units_quote(text).text, kind_fraction.example);
    *fraction = (double)(uint64_t)product.value / (double)one;
    return CS_OK;
}

/* --------------------------------------------------------------- writers */

enum {
    SHOWN_DIGITS = 4
};

/* d.ddd x 10^exponent; zeros at the end are left out, but for the first. */
struct decimal {
    char digits[SHOWN_DIGITS + 1];
    int exponent;
};

/* Rounds a finite number above 0 to four digits, half to even as printf does.
 * Whatever the locale takes for a point is stepped over. */
static struct decimal round_to_digits(double value)
{
    struct decimal decimal = {{0}, 0};
    char text[CS_UNITS_TEXT];
    const char *at = text;
    int sign, exponent = 0;

    snprintf(text, sizeof(text), "%.*e", SHOWN_DIGITS - 1, value);
    for (size_t i = 0; i < SHOWN_DIGITS; at++)
        if (is_digit(*at))
            decimal.digits[i++] = *at;
    sign = at[1] == '-' ? -1 : 1; /* at is the 'e' */
    for (at += 2; is_digit(*at); at++)
        exponent = exponent * 10 + (*at - '0');
    decimal.exponent = sign * exponent;
    for (size_t i = SHOWN_DIGITS - 1; i > 0 && decimal.digits[i] == '0'; i--)
        decimal.digits[i] = '\0';
    return decimal;
}

/* Writes digits x 10^exponent without an exponent and without zeros at the
 * end of a fraction; returns the length. */
static size_t write_plain(char *text, const char *digits, int exponent)
{
    int count = (int)strlen(digits);
    int first = exponent < 0 ? exponent : 0;
    int last = count - 1 > exponent ? count - 1 : exponent;
    size_t length = 0;

    /* Place i counts from the first digit; the point is behind `exponent`. */
    for (int i = first; i <= last; i++) {
        text[length++] = '0';
        if (i >= 0 && i < count)
            text[length - 1] = digits[i];
        if (i == exponent && i < last)
            text[length++] = '.';
    }
    text[length] = '\0';
    return length;
}

/* Names of 10^lowest, 10^(lowest + 3) and so on. */
struct units_scale {
    const char *names[7];
    int count;
    int lowest;
};

static const struct units_scale byte_scale = {
    {"B", "kB", "MB", "GB", "TB", "PB", "EB"}, 7, 0};
static const struct units_scale rate_scale = {
    {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", "EB/s"}, 7, 0};
static const struct units_scale time_scale = {
    {"ps", "ns", "us", "ms", "s"}, 5, -12};

/* "1.234e-20 s", for what would be mostly zeros. */
static void write_scientific(char text[CS_UNITS_TEXT], struct decimal decimal,
                             const struct units_scale *scale)
{
    bool more = decimal.digits[1] != '\0';

    snprintf(text, CS_UNITS_TEXT, "%c%s%se%d %s", decimal.digits[0],
             more ? "." : "", decimal.digits + 1, decimal.exponent,
             scale->names[-scale->lowest / 3]);
}

static void write_scaled(char text[CS_UNITS_TEXT], struct decimal decimal,
                         const struct units_scale *scale)
{
    int above = decimal.exponent - scale->lowest;
    int step = above < 0 ? 0 : above / 3;
    size_t length;

    if (step >= scale->count)
        step = scale->count - 1;
    above -= 3 * step;
    if (above < -6 || above > 14) {
        write_scientific(text, decimal, scale);
        return;
    }
    length = write_plain(text, decimal.digits, above);
    snprintf(text + length, CS_UNITS_TEXT - length, " %s", scale->names[step]);
}

/* value x 10^exponent in the units of the scale; zero in its base unit. */
static char *units_show(char text[CS_UNITS_TEXT], double value, int exponent,
                        const struct units_scale *scale)
{
    struct decimal decimal;

    if (value > 0) {
        decimal = round_to_digits(value);
        decimal.exponent += exponent;
        write_scaled(text, decimal, scale);
    } else {
        snprintf(text, CS_UNITS_TEXT, "0 %s", scale->names[-scale->lowest / 3]);
    }
    return text;
}

char *cs_units_show_bytes(char text[CS_UNITS_TEXT], uint64_t bytes)
{
    static const char prefix[] = " KMGTPE";
    uint64_t whole = bytes;
    size_t power = 0;

    while (whole > 0 && whole % 1024 == 0) {
        whole /= 1024;
        power++;
    }
    if (power == 0 || whole > 9999)
        return units_show(text, (double)bytes, 0, &byte_scale);
    /* 3584 MiB is 3.5 GiB; eighths are exact in four digits below ten. */
    if (whole > 1024 && whole % 128 == 0)
        snprintf(text, CS_UNITS_TEXT, "%.4g %ciB", (double)whole / 1024,
                 prefix[power + 1]);
    else
        snprintf(text, CS_UNITS_TEXT, "%d %ciB", (int)whole, prefix[power]);
    return text;
}

char *cs_units_show_rate(char text[CS_UNITS_TEXT], double rate_Bps)
{
    if (!isfinite(rate_Bps) || rate_Bps < 0) {
        snprintf(text, CS_UNITS_TEXT, "-");
        return text;
    }
    return units_show(text, rate_Bps, 0, &rate_scale);
}

char *cs_units_show_time(char text[CS_UNITS_TEXT], uint64_t time_ps)
{
    return units_show(text, (double)time_ps, -12, &time_scale);
}

char *cs_units_show_seconds(char text[CS_UNITS_TEXT], double time_s)
{
    char positive[CS_UNITS_TEXT];

    if (!isfinite(time_s)) {
        snprintf(text, CS_UNITS_TEXT, "-");
        return text;
    }
    if (!(time_s < 0))
        return units_show(text, time_s, 0, &time_scale);
    units_show(positive, -time_s, 0, &time_scale);
    snprintf(text, CS_UNITS_TEXT, "-%.*s", CS_UNITS_TEXT - 2, positive);
    return text;
}

char *cs_units_show_count(char text[CS_UNITS_TEXT], uint64_t count)
{
    char digits[CS_UNITS_TEXT];
    int length =
        snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
    char *out = text;

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

char *cs_units_show_exact(char text[CS_UNITS_TEXT], uint64_t time_ps)
{
    const uint64_t second_ps = UINT64_C(1000000000000);
    int length = snprintf(text, CS_UNITS_TEXT, "%llu.%012llu",
                          (unsigned long long)(time_ps / second_ps),
                          (unsigned long long)(time_ps % second_ps));

    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[--length] = '\0';
    return text;
}
