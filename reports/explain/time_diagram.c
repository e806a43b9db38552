/*
 * Explain as a drawing in time: see explain.h.
 *
 *     rank 0 ---\------\--------
 *     rank 1 ----\------\-------   a message line starts when the first byte
 *     rank 2 -----\------\------   leaves the sender, and ends when the
 *            0   10     20   us    last byte arrives
 */
#include "reports/explain/canvas.h"
#include "reports/explain/explain.h"
#include "sim/base/units.h"

#include <math.h>

enum {
    WIDTH = CS_CANVAS_WIDTH,
    HEIGHT = CS_CANVAS_HEIGHT,
    LEFT = 130,
    RIGHT = 60,
    TOP = 170,
    BOTTOM = 110,
    TICKS = 10,       /* approximate number on the axis */
    LABELS_MAX = 160, /* above this number, no labels */
    SUM_HEIGHT = 14,  /* of the bar of a reduction */
};

struct time_diagram {
    const struct cs_story *story;
    const struct cs_steps *steps;
    const struct cs_canvas *canvas;
    struct cs_text *out;
    double end_us; /* of the axis */
};

static double time_diagram_us(uint64_t time_ps)
{
    return (double)time_ps * 1e-6;
}

/* Time is linear from the left margin to the right margin. */
static double time_diagram_x_of(const struct time_diagram *drawing, double time_us)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * time_us / drawing->end_us;
}

/* Parties are evenly spaced; a single party is in the middle. */
static double time_diagram_y_of(const struct time_diagram *drawing, uint32_t party)
{
    double room = HEIGHT - TOP - BOTTOM;
    uint32_t gaps = drawing->steps->parties - 1;

    return gaps ? TOP + room * party / gaps : TOP + room / 2;
}

/* A time on the row of a party. */
static struct cs_spot time_diagram_at(const struct time_diagram *drawing, uint64_t time_ps,
                                      uint32_t party)
{
    return (struct cs_spot){time_diagram_x_of(drawing, time_diagram_us(time_ps)),
                            time_diagram_y_of(drawing, party)};
}

/* 1, 2 or 5 times a power of ten, for about TICKS ticks. */
static double time_diagram_tick_us(double span_us)
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

static void time_diagram_line(const struct time_diagram *drawing, enum cs_stroke stroke,
                              struct cs_spot from, struct cs_spot to)
{
    drawing->canvas->line(stroke, from, to, drawing->out);
}

static void time_diagram_text(const struct time_diagram *drawing, enum cs_letters letters,
                              enum cs_anchor anchor, struct cs_spot at, const char *text)
{
    drawing->canvas->text(letters, anchor, at, text, drawing->out);
}

/* ---- head, axis, rows ---- */

static void time_diagram_add_head(const struct time_diagram *drawing)
{
    CS_AT_END(cs_text_free) struct cs_text title = {0};

    cs_explain_title(drawing->story, &title);
    drawing->canvas->begin(title.data, drawing->out);
    time_diagram_text(drawing, CS_LETTERS_TITLE, CS_ANCHOR_START, (struct cs_spot){LEFT, 48},
                      title.data);
}

/* Explains colours and dots; reductions are explained only if drawn. */
static void time_diagram_add_key(const struct time_diagram *drawing)
{
    const struct cs_steps *steps = drawing->steps;
    static const struct {
        enum cs_stroke stroke;
        const char *text;
        int x;
    } keys[] = {{CS_STROKE_ADD, "reduced on arrival", LEFT},
                {CS_STROKE_PUT, "stored on arrival", LEFT + 280}};

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        time_diagram_line(drawing, keys[i].stroke, (struct cs_spot){keys[i].x, 82},
                          (struct cs_spot){keys[i].x + 54, 82});
        time_diagram_text(drawing, CS_LETTERS_PLAIN, CS_ANCHOR_START,
                          (struct cs_spot){keys[i].x + 66, 89}, keys[i].text);
    }
    if (steps->work_count) {
        drawing->canvas->bar((struct cs_spot){LEFT + 520, 82}, 54, SUM_HEIGHT, drawing->out);
        time_diagram_text(drawing, CS_LETTERS_PLAIN, CS_ANCHOR_START,
                          (struct cs_spot){LEFT + 586, 89}, "reducing");
    }
    time_diagram_text(drawing, CS_LETTERS_SOFT, CS_ANCHOR_START,
                      (struct cs_spot){LEFT + (steps->work_count ? 720 : 520), 89},
                      steps->blocks > 1 ? "numbers: chunks; dots: waiting for a busy link"
                                        : "dots: waiting for a busy link");
}

static void time_diagram_add_axis(const struct time_diagram *drawing)
{
    double tick = time_diagram_tick_us(drawing->end_us);

    for (int i = 0; i * tick <= drawing->end_us * (1 + 1e-9); i++) {
        double x = time_diagram_x_of(drawing, i * tick);
        CS_AT_END(cs_text_free) struct cs_text number = {0};

        cs_text_printf(&number, "%g", i * tick);
        time_diagram_line(drawing, CS_STROKE_TICK, (struct cs_spot){x, TOP - 24},
                          (struct cs_spot){x, HEIGHT - BOTTOM + 24});
        time_diagram_text(drawing, CS_LETTERS_PLAIN, CS_ANCHOR_MIDDLE,
                          (struct cs_spot){x, HEIGHT - BOTTOM + 50}, number.data);
    }
    time_diagram_text(drawing, CS_LETTERS_PLAIN, CS_ANCHOR_END,
                      (struct cs_spot){WIDTH - RIGHT, HEIGHT - BOTTOM + 82}, "simulated time, us");
}

/* A line per party, over the whole time. */
static void time_diagram_add_rows(const struct time_diagram *drawing)
{
    for (uint32_t i = 0; i < drawing->steps->parties; i++) {
        double y = time_diagram_y_of(drawing, i);
        CS_AT_END(cs_text_free) struct cs_text name = {0};

        cs_explain_party(drawing->story, i, &name);
        time_diagram_line(drawing, CS_STROKE_ROW, (struct cs_spot){LEFT, y},
                          (struct cs_spot){WIDTH - RIGHT, y});
        time_diagram_text(drawing, CS_LETTERS_BOLD, CS_ANCHOR_END,
                          (struct cs_spot){LEFT - 14, y + 7}, name.data);
    }
}

/* A line with a label across the rows, at a time. */
static void time_diagram_add_mark(const struct time_diagram *drawing, double time_s,
                                  const char *name, int y)
{
    double x = time_diagram_x_of(drawing, time_s * 1e6);
    bool left = x < WIDTH / 2.0;
    CS_AT_END(cs_text_free) struct cs_text label = {0};

    if (!isfinite(time_s) || time_s <= 0 || time_s * 1e6 > drawing->end_us)
        return;
    cs_text_printf(&label, "%s %s", name, cs_show_seconds(time_s).text);
    time_diagram_line(drawing, CS_STROKE_MARK, (struct cs_spot){x, y - 14},
                      (struct cs_spot){x, HEIGHT - BOTTOM + 24});
    time_diagram_text(drawing, CS_LETTERS_SMALL, left ? CS_ANCHOR_START : CS_ANCHOR_END,
                      (struct cs_spot){left ? x + 6 : x - 6, y}, label.data);
}

/* ---- reductions ---- */

/* A bar on the row of the party for the duration of a reduction or
 * computation. */
static void time_diagram_add_sums(const struct time_diagram *drawing)
{
    const struct cs_steps *steps = drawing->steps;

    for (uint32_t i = 0; i < steps->work_count; i++) {
        const struct cs_step_work *work = &steps->works[i];
        struct cs_spot from = time_diagram_at(drawing, work->from_ps, work->party);
        double end = time_diagram_x_of(drawing, time_diagram_us(work->to_ps));

        drawing->canvas->bar(from, fmax(end - from.x, 0.5), SUM_HEIGHT, drawing->out);
    }
}

/* ---- messages ---- */

/* Dots on the row of the sender while the head of the message waits for a busy link.  The
 * slanted line starts after the wait: the slope shows the transfer alone. */
static void time_diagram_add_message(const struct time_diagram *drawing,
                                     const struct cs_step_message *message)
{
    struct cs_spot ready = time_diagram_at(drawing, message->sent_ps, message->src);
    struct cs_spot from =
        time_diagram_at(drawing, message->sent_ps + message->wait_ps, message->src);

    if (message->wait_ps)
        time_diagram_line(drawing, CS_STROKE_WAIT, ready, from);
    time_diagram_line(drawing, message->adds ? CS_STROKE_ADD : CS_STROKE_PUT, from,
                      time_diagram_at(drawing, message->arrived_ps, message->dst));
}

/* At two fifths of the line: labels of opposite messages, which cross in the
 * middle, stay apart. */
static void time_diagram_add_tag(const struct time_diagram *drawing,
                                 const struct cs_step_message *message)
{
    struct cs_spot from =
        time_diagram_at(drawing, message->sent_ps + message->wait_ps, message->src);
    struct cs_spot to = time_diagram_at(drawing, message->arrived_ps, message->dst);
    double at = 0.4;
    CS_AT_END(cs_text_free) struct cs_text blocks = {0};

    cs_explain_blocks(drawing->steps, message->from, &blocks);
    time_diagram_text(
        drawing, CS_LETTERS_TAG, CS_ANCHOR_MIDDLE,
        (struct cs_spot){from.x + (to.x - from.x) * at, from.y + (to.y - from.y) * at + 6},
        cs_text_str(&blocks));
}

/* Labels come last, so that no line is drawn over a label; many labels would be
 * unreadable and are omitted. */
static void time_diagram_add_messages(const struct time_diagram *drawing)
{
    const struct cs_steps *steps = drawing->steps;

    for (uint32_t i = 0; i < steps->message_count; i++)
        time_diagram_add_message(drawing, &steps->messages[i]);
    if (steps->blocks > 1 && steps->message_count <= LABELS_MAX)
        for (uint32_t i = 0; i < steps->message_count; i++)
            time_diagram_add_tag(drawing, &steps->messages[i]);
}

static void time_diagram_add(const struct cs_story *story, const struct cs_canvas *canvas,
                             struct cs_text *out)
{
    const struct cs_record *record = story->record;
    struct time_diagram drawing = {story, story->steps, canvas, out,
                                   time_diagram_us(record->time_ps)};

    if (record->closed_form_s * 1e6 > drawing.end_us)
        drawing.end_us = record->closed_form_s * 1e6;
    if (drawing.end_us <= 0)
        drawing.end_us = 1;
    time_diagram_add_head(&drawing);
    time_diagram_add_key(&drawing);
    time_diagram_add_axis(&drawing);
    time_diagram_add_rows(&drawing);
    time_diagram_add_mark(&drawing, record->lower_bound_s, "lower bound", TOP - 28);
    time_diagram_add_mark(&drawing, record->closed_form_s, "closed form", TOP - 52);
    time_diagram_add_sums(&drawing);
    time_diagram_add_messages(&drawing);
    canvas->end(out);
}

void cs_explain_svg(const struct cs_story *story, struct cs_text *out)
{
    time_diagram_add(story, &cs_canvas_svg, out);
}

void cs_explain_tikz(const struct cs_story *story, struct cs_text *out)
{
    time_diagram_add(story, &cs_canvas_tikz, out);
}
