/*
 * Explain as a drawing in time: see explain.h.
 *
 *     rank 0 ---\------\--------
 *     rank 1 ----\------\-------   a message line starts when the first byte
 *     rank 2 -----\------\------   leaves the sender, and ends when the
 *            0   10     20   us    last byte arrives
 */
#include "reports/explain/explain.h"
#include "reports/results/html.h"
#include "sim/base/units.h"

#include <math.h>

enum {
    WIDTH = 1600,
    HEIGHT = 900,
    LEFT = 130,
    RIGHT = 60,
    TOP = 170,
    BOTTOM = 110,
    TICKS = 10,       /* approximate number on the axis */
    LABELS_MAX = 160, /* above this number, no labels */
    SUM_HEIGHT = 14,  /* of the bar of a reduction */
};

#define ADD_COLOUR "#b8410b"
#define PUT_COLOUR "#0b5fa5"
#define SUM_COLOUR "#009e73"

struct svg_writer_drawing {
    const struct cs_story *story;
    const struct cs_steps *steps;
    struct cs_text *out;
    double end_us; /* of the axis */
};

static double svg_writer_us(uint64_t time_ps)
{
    return (double)time_ps * 1e-6;
}

/* Time is linear from the left margin to the right margin. */
static double svg_writer_x_of(const struct svg_writer_drawing *drawing, double time_us)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * time_us / drawing->end_us;
}

/* Parties are evenly spaced; a single party is in the middle. */
static double svg_writer_y_of(const struct svg_writer_drawing *drawing, uint32_t party)
{
    double room = HEIGHT - TOP - BOTTOM;
    uint32_t gaps = drawing->steps->parties - 1;

    return gaps ? TOP + room * party / gaps : TOP + room / 2;
}

/* 1, 2 or 5 times a power of ten, for about TICKS ticks. */
static double svg_writer_tick_us(double span_us)
{
    double rough = span_us / TICKS;
    double power = pow(10, floor(log10(rough)));
    double digit = rough / power;

    if (digit <= 1)
        return power;
    if (digit <= 2)
        return 2 * power;
    return digit <= 5 ? 5 * power : 10 * power;
}

/* ---- head, axis, rows ---- */

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

static void svg_writer_add_head(const struct svg_writer_drawing *drawing)
{
    struct cs_text *out = drawing->out;
    struct cs_text title = {0};

    cs_explain_title(drawing->story, &title);
    cs_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                   "height=\"%d\" role=\"img\" font-family=\"Helvetica, Arial, 'DejaVu Sans', "
                   "sans-serif\" font-size=\"20\" fill=\"#1d2430\">\n"
                   "<title>",
                   WIDTH, HEIGHT, WIDTH, HEIGHT);
    cs_html_add(out, title.data);
    cs_text_add(out, "</title>\n<defs>\n");
    svg_writer_add_marker("add", ADD_COLOUR, out);
    svg_writer_add_marker("put", PUT_COLOUR, out);
    cs_text_add(out, "</defs>\n<style>.add{stroke:" ADD_COLOUR "}.put{stroke:" PUT_COLOUR
                     ";stroke-dasharray:9 "
                     "5}.tag{font-size:16px;font-weight:700;stroke:#fff;stroke-width:5px;paint-"
                     "order:stroke}</style>\n");
    cs_text_printf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, HEIGHT);
    cs_text_printf(out, "<text x=\"%d\" y=\"48\" font-size=\"28\" font-weight=\"700\">", LEFT);
    cs_html_add(out, title.data);
    cs_text_add(out, "</text>\n");
    cs_text_free(&title);
}

/* Explains colours and dots; reductions are explained only if drawn. */
static void svg_writer_add_key(const struct svg_writer_drawing *drawing)
{
    static const struct {
        const char *kind;
        const char *text;
        int x;
    } keys[] = {{"add", "reduced on arrival", LEFT}, {"put", "stored on arrival", LEFT + 280}};

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        cs_text_printf(drawing->out,
                       "<line x1=\"%d\" y1=\"82\" x2=\"%d\" y2=\"82\" class=\"%s\" "
                       "stroke-width=\"3\" marker-end=\"url(#%s)\"/>\n"
                       "<text x=\"%d\" y=\"89\">%s</text>\n",
                       keys[i].x, keys[i].x + 54, keys[i].kind, keys[i].kind, keys[i].x + 66,
                       keys[i].text);
    if (drawing->steps->work_count)
        cs_text_printf(drawing->out,
                       "<rect x=\"%d\" y=\"%d\" width=\"54\" height=\"%d\" fill=\"" SUM_COLOUR
                       "\"/>\n"
                       "<text x=\"%d\" y=\"89\">reducing</text>\n",
                       LEFT + 520, 82 - SUM_HEIGHT / 2, SUM_HEIGHT, LEFT + 586);
    cs_text_printf(
        drawing->out,
        "<text x=\"%d\" y=\"89\" fill=\"#5a6473\">%sdots: waiting for a busy link</text>\n",
        LEFT + (drawing->steps->work_count ? 720 : 520),
        drawing->steps->blocks > 1 ? "numbers: chunks; " : "");
}

static void svg_writer_add_tick(const struct svg_writer_drawing *drawing, double time_us)
{
    double x = svg_writer_x_of(drawing, time_us);

    cs_text_printf(drawing->out,
                   "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#e4e6ea\"/>\n"
                   "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                   x, TOP - 24, x, HEIGHT - BOTTOM + 24, x, HEIGHT - BOTTOM + 50, time_us);
}

static void svg_writer_add_axis(const struct svg_writer_drawing *drawing)
{
    double tick = svg_writer_tick_us(drawing->end_us);

    for (int i = 0; i * tick <= drawing->end_us * (1 + 1e-9); i++)
        svg_writer_add_tick(drawing, i * tick);
    cs_text_printf(drawing->out,
                   "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">simulated time, us</text>\n",
                   WIDTH - RIGHT, HEIGHT - BOTTOM + 82);
}

/* A line per party, over the whole time. */
static void svg_writer_add_rows(const struct svg_writer_drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->steps->parties; i++) {
        double y = svg_writer_y_of(drawing, i);

        cs_text_printf(drawing->out,
                       "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#8a93a0\" "
                       "stroke-width=\"1.5\"/>\n"
                       "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" font-weight=\"700\">",
                       LEFT, y, WIDTH - RIGHT, y, LEFT - 14, y + 7);
        cs_explain_party(drawing->story, i, drawing->out);
        cs_text_add(drawing->out, "</text>\n");
    }
}

/* A line with a label across the rows, at a time. */
static void svg_writer_add_mark(const struct svg_writer_drawing *drawing, double time_s,
                                const char *name, int y)
{
    char text[CS_UNITS_TEXT];
    double x = svg_writer_x_of(drawing, time_s * 1e6);
    bool left = x < WIDTH / 2.0;

    if (!isfinite(time_s) || time_s <= 0 || time_s * 1e6 > drawing->end_us)
        return;
    cs_text_printf(drawing->out,
                   "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#1d2430\" "
                   "stroke-width=\"1.5\" stroke-dasharray=\"2 4\"/>\n"
                   "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" font-size=\"18\">%s %s</text>\n",
                   x, y - 14, x, HEIGHT - BOTTOM + 24, left ? x + 6 : x - 6, y,
                   left ? "start" : "end", name, cs_units_show_seconds(text, time_s));
}

/* ---- reductions ---- */

/* A bar on the row of the party for the duration of a reduction or
 * computation. */
static void svg_writer_add_sums(const struct svg_writer_drawing *drawing)
{
    const struct cs_steps *steps = drawing->steps;

    for (uint32_t i = 0; i < steps->work_count; i++) {
        const struct cs_step_work *work = &steps->works[i];
        double from = svg_writer_x_of(drawing, svg_writer_us(work->from_ps));
        double width = svg_writer_x_of(drawing, svg_writer_us(work->to_ps)) - from;

        cs_text_printf(drawing->out,
                       "<rect class=\"sum\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" "
                       "fill=\"" SUM_COLOUR "\"/>\n",
                       from, svg_writer_y_of(drawing, work->party) - SUM_HEIGHT / 2.0,
                       fmax(width, 0.5), SUM_HEIGHT);
    }
}

/* ---- messages ---- */

/* Dots on the row of the sender while the head of the message waits for a busy
 * link. */
static void svg_writer_add_wait(const struct svg_writer_drawing *drawing,
                                const struct cs_step_message *message)
{
    double y = svg_writer_y_of(drawing, message->src);

    if (message->wait_ps == 0)
        return;
    cs_text_printf(drawing->out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#1d2430\" "
                   "stroke-width=\"3\" stroke-dasharray=\"1 6\" stroke-linecap=\"round\"/>\n",
                   svg_writer_x_of(drawing, svg_writer_us(message->sent_ps)), y,
                   svg_writer_x_of(drawing, svg_writer_us(message->sent_ps + message->wait_ps)), y);
}

/* The slanted line starts after the wait: the slope shows the transfer
 * alone. */
static void svg_writer_add_message(const struct svg_writer_drawing *drawing,
                                   const struct cs_step_message *message)
{
    const char *kind = message->adds ? "add" : "put";

    svg_writer_add_wait(drawing, message);
    cs_text_printf(drawing->out,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\" "
                   "stroke-width=\"2.5\" marker-end=\"url(#%s)\"/>\n",
                   svg_writer_x_of(drawing, svg_writer_us(message->sent_ps + message->wait_ps)),
                   svg_writer_y_of(drawing, message->src),
                   svg_writer_x_of(drawing, svg_writer_us(message->arrived_ps)),
                   svg_writer_y_of(drawing, message->dst), kind, kind);
}

/* At two fifths of the line: labels of opposite messages, which cross in the
 * middle, stay apart. */
static void svg_writer_add_tag(const struct svg_writer_drawing *drawing,
                               const struct cs_step_message *message)
{
    double x0 = svg_writer_x_of(drawing, svg_writer_us(message->sent_ps + message->wait_ps));
    double x1 = svg_writer_x_of(drawing, svg_writer_us(message->arrived_ps));
    double y0 = svg_writer_y_of(drawing, message->src);
    double y1 = svg_writer_y_of(drawing, message->dst);
    double at = 0.4;

    cs_text_printf(drawing->out,
                   "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" class=\"tag\">",
                   x0 + (x1 - x0) * at, y0 + (y1 - y0) * at + 6);
    cs_explain_blocks(drawing->steps, message->from, drawing->out);
    cs_text_add(drawing->out, "</text>\n");
}

/* Labels come last, so that no line is drawn over a label; many labels would be
 * unreadable and are omitted. */
static void svg_writer_add_messages(const struct svg_writer_drawing *drawing)
{
    const struct cs_steps *steps = drawing->steps;

    cs_text_add(drawing->out, "<g>\n");
    for (uint32_t i = 0; i < steps->message_count; i++)
        svg_writer_add_message(drawing, &steps->messages[i]);
    if (steps->blocks > 1 && steps->message_count <= LABELS_MAX)
        for (uint32_t i = 0; i < steps->message_count; i++)
            svg_writer_add_tag(drawing, &steps->messages[i]);
    cs_text_add(drawing->out, "</g>\n");
}

void cs_explain_svg(const struct cs_story *story, struct cs_text *out)
{
    const struct cs_record *record = story->record;
    struct svg_writer_drawing drawing = {story, story->steps, out, svg_writer_us(record->time_ps)};

    if (record->closed_form_s * 1e6 > drawing.end_us)
        drawing.end_us = record->closed_form_s * 1e6;
    if (drawing.end_us <= 0)
        drawing.end_us = 1;
    svg_writer_add_head(&drawing);
    svg_writer_add_key(&drawing);
    svg_writer_add_axis(&drawing);
    svg_writer_add_rows(&drawing);
    svg_writer_add_mark(&drawing, record->lower_bound_s, "lower bound", TOP - 28);
    svg_writer_add_mark(&drawing, record->closed_form_s, "closed form", TOP - 52);
    svg_writer_add_sums(&drawing);
    svg_writer_add_messages(&drawing);
    cs_text_add(out, "</svg>\n");
}
