#include "reports/explain/canvas.h"
#include "reports/results/html.h"

#define ADD_COLOUR "#b8410b"
#define PUT_COLOUR "#0b5fa5"
#define DARK       "stroke=\"#1d2430\""
#define ROUND      "stroke-linecap=\"round\""

/* An arrow head: markers do not inherit the colour of the line, so every colour
 * needs a marker. */
static void svg_writer_add_marker(const char *name, const char *colour, struct cs_text *out)
{
    cs_text_printf(
        out,
        "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"6\" "
        "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 1 L10 5 L0 9 z\" fill=\"%s\"/></marker>\n",
        name, colour);
}

static void svg_writer_begin(const char *title, struct cs_text *out)
{
    cs_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                   "height=\"%d\" role=\"img\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
                   "sans-serif\" font-size=\"20\" fill=\"#1d2430\">\n"
                   "<title>",
                   CS_CANVAS_WIDTH, CS_CANVAS_HEIGHT, CS_CANVAS_WIDTH, CS_CANVAS_HEIGHT);
    cs_html_add(out, title);
    cs_text_add(out, "</title>\n<defs>\n");
    svg_writer_add_marker("add", ADD_COLOUR, out);
    svg_writer_add_marker("put", PUT_COLOUR, out);
    cs_text_add(out, "</defs>\n<style>.add{stroke:" ADD_COLOUR "}.put{stroke:" PUT_COLOUR
                     ";stroke-dasharray:9 "
                     "5}.tag{font-size:16px;font-weight:700;stroke:#fff;stroke-width:5px;paint-"
                     "order:stroke}</style>\n");
    cs_text_printf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", CS_CANVAS_WIDTH,
                   CS_CANVAS_HEIGHT);
}

static void svg_writer_line(enum cs_stroke stroke, struct cs_spot from, struct cs_spot to,
                            struct cs_text *out)
{
    static const char *const strokes[CS_STROKES] = {
        [CS_STROKE_ADD] = "class=\"add\" stroke-width=\"2.5\" marker-end=\"url(#add)\"",
        [CS_STROKE_PUT] = "class=\"put\" stroke-width=\"2.5\" marker-end=\"url(#put)\"",
        [CS_STROKE_WAIT] = DARK " stroke-width=\"3\" stroke-dasharray=\"1 6\" " ROUND,
        [CS_STROKE_ROW] = "stroke=\"#8a93a0\" stroke-width=\"1.5\"",
        [CS_STROKE_TICK] = "stroke=\"#e4e6ea\"",
        [CS_STROKE_MARK] = DARK " stroke-width=\"1.5\" stroke-dasharray=\"2 4\"",
    };

    cs_text_printf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", from.x,
                   from.y, to.x, to.y, strokes[stroke]);
}

static void svg_writer_bar(struct cs_spot from, double width, double height, struct cs_text *out)
{
    cs_text_printf(out,
                   "<rect class=\"sum\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" "
                   "fill=\"#009e73\"/>\n",
                   from.x, from.y - height / 2, width, height);
}

static void svg_writer_text(enum cs_letters letters, enum cs_anchor anchor, struct cs_spot at,
                            const char *text, struct cs_text *out)
{
    static const char *const anchors[CS_ANCHORS] = {"start", "middle", "end"};
    static const char *const kinds[CS_LETTERS_KINDS] = {
        [CS_LETTERS_PLAIN] = "",
        [CS_LETTERS_SMALL] = " font-size=\"18\"",
        [CS_LETTERS_SOFT] = " fill=\"#5a6473\"",
        [CS_LETTERS_TAG] = " class=\"tag\"",
        [CS_LETTERS_BOLD] = " font-weight=\"700\"",
        [CS_LETTERS_TITLE] = " font-size=\"28\" font-weight=\"700\"",
    };

    cs_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", at.x, at.y,
                   anchors[anchor], kinds[letters]);
    cs_html_add(out, text);
    cs_text_add(out, "</text>\n");
}

static void svg_writer_end(struct cs_text *out)
{
    cs_text_add(out, "</svg>\n");
}

const struct cs_canvas cs_canvas_svg = {
    .begin = svg_writer_begin,
    .line = svg_writer_line,
    .bar = svg_writer_bar,
    .text = svg_writer_text,
    .end = svg_writer_end,
};
