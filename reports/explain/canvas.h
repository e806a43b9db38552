/*
 * Canvas: a drawing in time as lines, bars and texts, for SVG and TikZ.
 *
 * Coordinates are points of a sheet of CS_CANVAS_WIDTH by CS_CANVAS_HEIGHT, from its top
 * left corner; a text stands on its y.  The functions append to `out`, in order: what comes
 * later covers what came before.
 */
#pragma once

#include "sim/base/text.h"

enum {
    CS_CANVAS_WIDTH = 1600,
    CS_CANVAS_HEIGHT = 900,
};

enum cs_stroke {
    CS_STROKE_ADD,  /* an arrow: a message that is reduced */
    CS_STROKE_PUT,  /* an arrow: a message that is stored */
    CS_STROKE_WAIT, /* dots: a message waits */
    CS_STROKE_ROW,
    CS_STROKE_TICK,
    CS_STROKE_MARK,
    CS_STROKES
};

enum cs_letters {
    CS_LETTERS_PLAIN,
    CS_LETTERS_SMALL,
    CS_LETTERS_SOFT, /* of a remark */
    CS_LETTERS_TAG,  /* readable on lines */
    CS_LETTERS_BOLD,
    CS_LETTERS_TITLE,
    CS_LETTERS_KINDS
};

enum cs_anchor {
    CS_ANCHOR_START,
    CS_ANCHOR_MIDDLE,
    CS_ANCHOR_END,
    CS_ANCHORS,
};

struct cs_spot {
    double x, y;
};

struct cs_canvas {
    void (*begin)(const char *title, struct cs_text *out);
    void (*line)(enum cs_stroke stroke, struct cs_spot from, struct cs_spot to,
                 struct cs_text *out);
    /* A reduction: from the left end of its middle. */
    void (*bar)(struct cs_spot from, double width, double height, struct cs_text *out);
    void (*text)(enum cs_letters letters, enum cs_anchor anchor, struct cs_spot at,
                 const char *text, struct cs_text *out);
    void (*end)(struct cs_text *out);
};

extern const struct cs_canvas cs_canvas_svg;
/* A tikzpicture for \input in a document with the package tikz. */
extern const struct cs_canvas cs_canvas_tikz;
