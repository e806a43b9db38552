/*
 * Figures of a report as a reader takes them: a number, its unit, three digits or more.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *unit;
    double factor;
} shown_units[] = {
    {"us", 1e-6}, {"ms", 1e-3}, {"s", 1},         {"min", 60},  {"h", 3600},
    {"d", 86400}, {"%", 1e-2},  {"billion", 1e9}, {"M", 1e6},   {"kW", 1e3},
    {"MW", 1e6},  {"GW", 1e9},  {"kWh", 1},       {"Wh", 1e-3},
};

/* "4.07 s", "$1.2 M", "$33,500": the value, and what follows it. */
static inline double shown_figure(const char *text, const char **end)
{
    char digits[40];
    size_t n = 0;
    double value;

    text += *text == '$';
    for (; *text && strchr("0123456789.,e+-", *text) && n < sizeof(digits) - 1; text++)
        if (*text != ',')
            digits[n++] = *text;
    digits[n] = 0;
    value = strtod(digits, NULL);
    for (size_t u = 0; u < sizeof(shown_units) / sizeof(*shown_units); u++) {
        size_t length = strlen(shown_units[u].unit);

        if (*text == ' ' && !strncmp(text + 1, shown_units[u].unit, length) &&
            strchr(" )", text[1 + length])) {
            *end = text + 1 + length;
            return value * shown_units[u].factor;
        }
    }
    *end = text;
    return value;
}

static inline bool shown_near(double shown, double value)
{
    return fabs(shown / value - 1) < 0.006; /* three digits are shown */
}
