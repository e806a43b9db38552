/*
 * Bars: values of a few cases side by side, or a curve of them over a number, with
 * measured values beside the computed ones.
 */
#pragma once

#include "sim/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct cs_bar {
    const char *label;
    const char *note; /* above the bar; NULL: none */
    double at;        /* of a curve: place on the x axis */
    double value;
    double measured; /* 0: not measured */
};

struct cs_bars {
    const char *title;
    const char *what; /* "samples/s": title of the y axis */
    const char *x;    /* title of the x axis; NULL: none */
    const struct cs_bar *bars;
    size_t count;
    bool curve;
};

/* Appends a gnuplot script for the picture `name`: SVG for a name in .svg, otherwise
 * PNG. */
void cs_bars_script(const struct cs_bars *bars, const char *name, struct cs_text *out);
