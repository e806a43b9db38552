#include "sim/base/units_show.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
        if ((*at >= '0' && *at <= '9'))
            decimal.digits[i++] = *at;
    sign = at[1] == '-' ? -1 : 1; /* at is the 'e' */
    for (at += 2; (*at >= '0' && *at <= '9'); at++)
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

static const struct units_scale byte_scale = {{"B", "kB", "MB", "GB", "TB", "PB", "EB"}, 7, 0};
static const struct units_scale rate_scale = {
    {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", "EB/s"}, 7, 0};
static const struct units_scale time_scale = {{"ps", "ns", "us", "ms", "s"}, 5, -12};

/* "1.234e-20 s", for what would be mostly zeros. */
static void write_scientific(char text[CS_UNITS_TEXT], struct decimal decimal,
                             const struct units_scale *scale)
{
    bool more = decimal.digits[1] != '\0';

    snprintf(text, CS_UNITS_TEXT, "%c%s%se%d %s", decimal.digits[0], more ? "." : "",
             decimal.digits + 1, decimal.exponent, scale->names[-scale->lowest / 3]);
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
        snprintf(text, CS_UNITS_TEXT, "%.4g %ciB", (double)whole / 1024, prefix[power + 1]);
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
    int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
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
    int length =
        snprintf(text, CS_UNITS_TEXT, "%llu.%012llu", (unsigned long long)(time_ps / second_ps),
                 (unsigned long long)(time_ps % second_ps));

    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[--length] = '\0';
    return text;
}
