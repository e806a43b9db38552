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
    UNIT_MAX = 15,   /* no unit is longer */
    NAMES_MAX = 80,  /* prefixes x units of one kind */
    MICROBITS_PER_BYTE = 8000000,
};

/* ------------------------------------------------------------ the units */

struct unit {
    const char *name;
    uint64_t factor;
};

static const struct unit no_prefix[] = {{"", 1}};

static const struct unit prefixes[] = {
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

static const struct unit byte_units[] = {{"B", 1}};

/* In millionths of a bit per second. */
static const struct unit rate_units[] = {
    {"B/s", MICROBITS_PER_BYTE},
    {"b/s", MICROBITS_PER_BYTE / 8},
    {"bit/s", MICROBITS_PER_BYTE / 8},
    {"Bps", MICROBITS_PER_BYTE},
    {"bps", MICROBITS_PER_BYTE / 8},
};

/* The micro sign and the Greek mu look alike; both are typed. */
static const struct unit time_units[] = {
    {"ps", 1},
    {"ns", UINT64_C(1000)},
    {"us", UINT64_C(1000000)},
    {"\xc2\xb5s", UINT64_C(1000000)},
    {"\xce\xbcs", UINT64_C(1000000)},
    {"ms", UINT64_C(1000000000)},
    {"s", UINT64_C(1000000000000)},
};

/* In units of 1e-15. */
static const struct unit fraction_units[] = {
    {"", UINT64_C(1000000000000000)},
    {"%", UINT64_C(10000000000000)},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What is being read, and what to advise when it cannot be. */
struct kind {
    const char *noun;
    const char *advice[3]; /* units that a bare number may have meant */
    const struct unit *prefixes;
    size_t prefix_count;
    const struct unit *units;
    size_t unit_count;
};

static const struct kind kind_bytes = {
    "size",           {"B", "MB", "MiB"}, prefixes,
    COUNT_OF(prefixes), byte_units,         COUNT_OF(byte_units)};
static const struct kind kind_rate = {
    "rate",           {"GB/s", "Gb/s", NULL}, prefixes,
    COUNT_OF(prefixes), rate_units,             COUNT_OF(rate_units)};
static const struct kind kind_time = {
    "time",            {"ns", "us", "ms"}, no_prefix,
    COUNT_OF(no_prefix), time_units,         COUNT_OF(time_units)};
static const struct kind kind_fraction = {
    "fraction",        {"%", NULL, NULL}, no_prefix,
    COUNT_OF(no_prefix), fraction_units,    COUNT_OF(fraction_units)};

/* ------------------------------------------------------------- messages */

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

static struct quoted quote(const char *word)
{
    return quote_n(word, strlen(word));
}

/* -------------------------------------------------------------- numbers */

/* A text cut into its parts; they point into it. */
struct number {
    const char *text; /* all of it, for messages */
    const char *whole;
    size_t whole_digits;
    const char *fraction;
    size_t fraction_digits;
    const char *unit;
    size_t unit_length;
};

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

static const char *skip_blanks(const char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

static const char *skip_digits(const char *at)
{
    while (is_digit(*at))
        at++;
    return at;
}

static int no_number(const char *text, const char *at, const struct kind *kind,
                     struct cs_err *err)
{
    const char *word = quote(text).text;
    struct quoted quoted = quote(text);

    (void)word;
    if (*at == '-')
        return cs_err_set(err, CS_EINPUT, "'%s' is negative; a %s is not",
                          quoted.text, kind->noun);
    return cs_err_set(err, CS_EINPUT,
                      "'%s' is not a %s; write digits and a unit, "
                      "such as 1.5 %s",
                      quoted.text, kind->noun, kind->advice[1]);
}

/* Cuts the text into number and unit.  What follows the number is the unit,
 * whatever it is. */
static int cut(const char *text, const struct kind *kind,
               struct number *number, struct cs_err *err)
{
    const char *at = skip_blanks(text);

    *number = (struct number){.text = text, .whole = at, .fraction = ""};
    at = skip_digits(at);
    number->whole_digits = (size_t)(at - number->whole);
    if (number->whole_digits == 0)
        return no_number(text, at, kind, err);
    if (at[0] == '.' && is_digit(at[1])) {
        number->fraction = at + 1;
        at = skip_digits(at + 1);
        number->fraction_digits = (size_t)(at - number->fraction);
    }
    number->unit = skip_blanks(at);
    number->unit_length = strlen(number->unit);
    while (number->unit_length > 0 &&
           is_blank(number->unit[number->unit_length - 1]))
        number->unit_length--;
    return CS_OK;
}
