#include "reports/document/chart.h"

#include <string.h>

enum {
    DIAGRAM_BOX = 26,   /* height */
    DIAGRAM_GAP = 52,   /* between rows */
    DIAGRAM_ARCS = 44,  /* below a row with links inside it */
    DIAGRAM_MOST = 150, /* width of a box */
    DIAGRAM_EDGE = 12,  /* between frame and boxes */
    DIAGRAM_LETTER = 7, /* width of a letter, about */
    DIAGRAM_NAME = 16,  /* height of a row's name */
    DIAGRAM_SIDE = 2,
};

/* Lowest shares of the classes u0, u1 ... of the page's style. */
static const double use_steps[] = {0, 0.01, 0.25, 0.5, 0.75};
static const char *const use_names[] = {"below 1 %", "1 to 25 %", "25 to 50 %", "50 to 75 %",
                                        "above 75 %"};

enum {
    USES = sizeof(use_steps) / sizeof(*use_steps)
};

static int use_class(double use)
{
    int step = USES - 1;

    while (step > 0 && !(use >= use_steps[step]))
        --step;
    return step;
}

void cs_diagram_key(struct cs_text *out)
{
    cs_text_add(out, "<ul class=\"key\">\n");
    for (int step = 0; step < USES; ++step)
        cs_text_printf(out,
                       "<li><svg viewBox=\"0 0 26 14\" aria-hidden=\"true\"><path d=\"M0 7L26 7\" "
                       "class=\"u u%d\"/></svg>%s</li>\n",
                       step, use_names[step]);
    cs_text_add(out, "</ul>\n");
}

/* ---- places ---- */

struct diagram_places {
    double width;
    double top[CS_DIAGRAM_ROWS]; /* of the boxes */
    bool has_arcs[CS_DIAGRAM_ROWS];
    double height;
};

static struct diagram_places diagram_place(const struct cs_diagram *diagram, uint32_t width)
{
    struct diagram_places places = {.width = width};
    double y = DIAGRAM_NAME + 4;
    bool inside = false;

    for (uint32_t l = 0; l < diagram->link_count; ++l)
        if (diagram->links[l].row == diagram->links[l].to_row)
            places.has_arcs[diagram->links[l].row] = true;
    for (uint32_t r = 0; r < diagram->row_count; ++r) {
        if (diagram->rows[r].is_inside != inside)
            y += DIAGRAM_EDGE;
        inside = diagram->rows[r].is_inside;
        places.top[r] = y;
        y += DIAGRAM_BOX + DIAGRAM_GAP;
        y += places.has_arcs[r] ? DIAGRAM_ARCS : 0;
    }
    places.height = y - DIAGRAM_GAP + DIAGRAM_EDGE + DIAGRAM_NAME + DIAGRAM_SIDE;
    return places;
}

/* Room of a box with the gap to its neighbour. */
static double box_step(const struct cs_diagram *diagram, const struct diagram_places *places,
                       uint32_t row)
{
    return (places->width - 2 * (DIAGRAM_EDGE + DIAGRAM_SIDE)) / diagram->rows[row].count;
}

static double box_width(const struct cs_diagram *diagram, const struct diagram_places *places,
                        uint32_t row)
{
    double step = box_step(diagram, places, row);
    double width = step - (step > 40 ? 8 : 3);

    return width < DIAGRAM_MOST ? width : DIAGRAM_MOST;
}

static double box_middle(const struct cs_diagram *diagram, const struct diagram_places *places,
                         uint32_t row, uint32_t box)
{
    return DIAGRAM_EDGE + DIAGRAM_SIDE + box_step(diagram, places, row) * (box + 0.5);
}

/* ---- elements ---- */

static void put_link(const struct cs_diagram *diagram, const struct diagram_places *places,
                     const struct cs_diagram_link *link, struct cs_text *out)
{
    double x = box_middle(diagram, places, link->row, link->box);
    double to_x = box_middle(diagram, places, link->to_row, link->to_box);
    double y = places->top[link->row] + DIAGRAM_BOX;
    double to_y = places->top[link->to_row];

    if (link->row == link->to_row) {
        double share = (to_x > x ? to_x - x : x - to_x) / places->width;
        double low = y + DIAGRAM_ARCS * (0.5 + 1.5 * share);

        cs_text_printf(out, "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\"", x, y, (x + to_x) / 2, low,
                       to_x, y);
    } else {
        cs_text_printf(out, "<path d=\"M%.1f %.1fL%.1f %.1f\"", x, y, to_x, to_y);
    }
    cs_text_printf(out, " class=\"u u%d\"/>\n", use_class(link->use));
}

/* The name, or its number, or nothing: what fits. */
static const char *box_text(const char *name, double width)
{
    size_t length = strlen(name), digits = 0;

    if ((double)length * DIAGRAM_LETTER <= width)
        return name;
    while (digits < length && name[length - digits - 1] >= '0' && name[length - digits - 1] <= '9')
        ++digits;
    return (double)digits * DIAGRAM_LETTER <= width ? name + length - digits : "";
}

static void put_row(const struct cs_diagram *diagram, const struct diagram_places *places,
                    uint32_t r, struct cs_text *out)
{
    const struct cs_diagram_row *row = &diagram->rows[r];
    double width = box_width(diagram, places, r);

    for (uint32_t b = 0; b < row->count; ++b) {
        double middle = box_middle(diagram, places, r, b);

        cs_text_printf(
            out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"3\" class=\"o\"/>\n",
            middle - width / 2, places->top[r], width, DIAGRAM_BOX);
        cs_svg_text(out, middle, places->top[r] + 17, "t n", box_text(row->boxes[b], width));
    }
    cs_svg_text(out, DIAGRAM_EDGE + DIAGRAM_SIDE, places->top[r] - 5, "n h", row->name);
}

/* Around the rows inside, with the name below. */
static void put_frame(const struct cs_diagram *diagram, const struct diagram_places *places,
                      struct cs_text *out)
{
    double top = 0, bottom = 0;

    for (uint32_t r = 0; r < diagram->row_count; ++r)
        if (diagram->rows[r].is_inside) {
            top = bottom > 0 ? top : places->top[r] - DIAGRAM_NAME - DIAGRAM_EDGE;
            bottom = places->top[r] + DIAGRAM_BOX + DIAGRAM_EDGE +
                     (places->has_arcs[r] ? DIAGRAM_ARCS : 0);
        }
    if (!(bottom > 0))
        return;
    cs_text_printf(
        out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\" class=\"w\"/>\n",
        DIAGRAM_SIDE, top, places->width - 2 * DIAGRAM_SIDE, bottom - top);
    cs_svg_text(out, places->width - DIAGRAM_EDGE - DIAGRAM_SIDE, bottom + DIAGRAM_NAME - 2,
                "e n h", diagram->frame);
}

void cs_diagram_svg(const struct cs_diagram *diagram, const char *id, uint32_t width,
                    struct cs_text *out)
{
    struct diagram_places places = diagram_place(diagram, width);

    cs_svg_begin(out, id, diagram->caption, width, places.height);
    for (uint32_t l = 0; l < diagram->link_count; ++l)
        put_link(diagram, &places, &diagram->links[l], out);
    put_frame(diagram, &places, out);
    for (uint32_t r = 0; r < diagram->row_count; ++r)
        put_row(diagram, &places, r, out);
    cs_text_add(out, "</svg>\n");
}
