#include "reports/explain/canvas.h"

#include <string.h>

/* As LaTeX reads it. */
static void tikz_writer_add(struct cs_text *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("<>|", *text))
            cs_text_printf(out, "$%c$", *text);
        else if (strchr("\\^~", *text))
            cs_text_printf(out, "\\char%d{}", *text);
        else
            cs_text_printf(out, "%s%c", strchr("{}$&#_%", *text) ? "\\" : "", *text);
    }
}

/* 12 cm wide; the sheet's points are a unit. */
static void tikz_writer_begin(const char *title, struct cs_text *out)
{
    cs_text_printf(out,
                   "%% %s\n"
                   "%% \\usepackage{tikz}, then \\input this file; \\resizebox makes it fit.\n"
                   "\\begin{tikzpicture}[x=.0075cm, y=-.0075cm, font=\\sffamily\\tiny, "
                   "inner sep=.5pt]\n"
                   "\\definecolor{csadd}{HTML}{B8410B}\\definecolor{csput}{HTML}{0B5FA5}\n"
                   "\\definecolor{cssum}{HTML}{009E73}\\definecolor{csrow}{HTML}{8A93A0}\n"
                   "\\useasboundingbox (0,0) rectangle (%d,%d);\n",
                   title, CS_CANVAS_WIDTH, CS_CANVAS_HEIGHT);
}

static void tikz_writer_line(enum cs_stroke stroke, struct cs_spot from, struct cs_spot to,
                             struct cs_text *out)
{
    static const char *const strokes[CS_STROKES] = {
        [CS_STROKE_ADD] = "csadd, line width=.7pt, -latex",
        [CS_STROKE_PUT] = "csput, line width=.7pt, densely dashed, -latex",
        [CS_STROKE_WAIT] = "line width=.9pt, line cap=round, dash pattern=on 0pt off 2pt",
        [CS_STROKE_ROW] = "csrow, line width=.4pt",
        [CS_STROKE_TICK] = "black!10, line width=.3pt",
        [CS_STROKE_MARK] = "line width=.4pt, densely dotted",
    };

    cs_text_printf(out, "\\draw[%s] (%.1f,%.1f) -- (%.1f,%.1f);\n", strokes[stroke], from.x, from.y,
                   to.x, to.y);
}

static void tikz_writer_bar(struct cs_spot from, double width, double height, struct cs_text *out)
{
    cs_text_printf(out, "\\fill[cssum] (%.1f,%.1f) rectangle +(%.1f,%.1f);\n", from.x,
                   from.y - height / 2, width, height);
}

static void tikz_writer_text(enum cs_letters letters, enum cs_anchor anchor, struct cs_spot at,
                             const char *text, struct cs_text *out)
{
    static const char *const anchors[CS_ANCHORS] = {"base west", "base", "base east"};
    static const char *const kinds[CS_LETTERS_KINDS] = {
        [CS_LETTERS_PLAIN] = "",
        [CS_LETTERS_SMALL] = "",
        [CS_LETTERS_SOFT] = ", text=black!60",
        [CS_LETTERS_TAG] = ", fill=white, font=\\sffamily\\bfseries\\tiny",
        [CS_LETTERS_BOLD] = ", font=\\sffamily\\bfseries\\tiny",
        [CS_LETTERS_TITLE] = ", font=\\sffamily\\bfseries\\scriptsize",
    };

    cs_text_printf(out, "\\node[anchor=%s%s] at (%.1f,%.1f) {", anchors[anchor], kinds[letters],
                   at.x, at.y);
    tikz_writer_add(out, text);
    cs_text_add(out, "};\n");
}

static void tikz_writer_end(struct cs_text *out)
{
    cs_text_add(out, "\\end{tikzpicture}\n");
}

const struct cs_canvas cs_canvas_tikz = {
    .begin = tikz_writer_begin,
    .line = tikz_writer_line,
    .bar = tikz_writer_bar,
    .text = tikz_writer_text,
    .end = tikz_writer_end,
};
