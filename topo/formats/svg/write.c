/*
 * svg: a picture of the machine, without other programs.
 *
 *     CPUs                      row 0     a box around each host
 *     PCIe switches             row 1
 *     GPUs, hosts and NICs      row 2
 *     NVSwitches                row 3
 *     switches of the network   row 4 and on, a row per hop
 *
 * Within a row devices are in the order of the mean position of linked devices
 * above.  A class of links has a colour, a dash pattern and a line width, so
 * that classes differ in print and without colour; the legend has the rates.
 */
#include "sim/base/units.h"
#include "topo/formats/writer.h"
#include "topo/graph/link_family.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEVICES_MAX = 1024, /* a larger picture is not readable */
    CLASSES_MAX = 12,
    CELL = 92, /* pixels from device to device */
    ROW = 104,
    BOX_WIDTH = 78,
    BOX_HEIGHT = 30,
    MARGIN = 24,
    LEGEND_LINE = 20,
    FABRIC_ROW = 4,
    ROWS_MAX = 64,
};

struct svg_writer_spot {
    double x, y;
    uint32_t row;
    uint32_t host; /* CS_NO_HOST: of the fabric */
};

struct picture {
    const struct cs_graph *graph;
    struct cs_arena arena;
    struct svg_writer_spot *spots;
    uint32_t *order; /* devices of the current row */
    uint32_t rows;
    double width, height;
    const struct cs_wire *classes[CLASSES_MAX];
    uint32_t counts[CLASSES_MAX];
    uint32_t class_count;
    struct cs_text *out;
};

/* ---- rows ---- */

/* A switch with direct links of GPUs. */
static bool svg_writer_is_nvswitch(const struct cs_graph *graph, uint32_t d)
{
    if (graph->devices[d].kind != CS_DEVICE_SWITCH)
        return false;
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (cs_wire_has_end(&graph->wires[w], d) && cs_link_families[graph->wires[w].family].word)
            return true;
    return false;
}

static uint32_t inner_row(const struct cs_graph *graph, uint32_t d)
{
    if (svg_writer_is_nvswitch(graph, d))
        return 3;
    switch (graph->devices[d].kind) {
    case CS_DEVICE_CPU:
        return 0;
    case CS_DEVICE_SWITCH:
    case CS_DEVICE_BUS:
        return graph->devices[d].host == CS_NO_HOST ? UINT32_MAX : 1;
    default:
        return 2;
    }
}

/* Sets rows of the fabric: one below the nearest device with a row. */
static void set_rows(struct picture *picture)
{
    const struct cs_graph *graph = picture->graph;
    bool changed = true;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        picture->spots[d].row = inner_row(graph, d);
        picture->spots[d].host = graph->devices[d].host;
    }
    picture->rows = FABRIC_ROW;
    for (uint32_t row = FABRIC_ROW; changed && row < ROWS_MAX; row++) {
        changed = false;
        for (uint32_t w = 0; w < graph->wire_count; w++)
            for (int side = 0; side < 2; side++) {
                uint32_t d = side ? graph->wires[w].b : graph->wires[w].a;
                uint32_t from = picture->spots[cs_wire_far_end(&graph->wires[w], d)].row;

                if (picture->spots[d].row != UINT32_MAX || from >= row)
                    continue;
                picture->spots[d].row = row;
                picture->rows = row + 1;
                changed = true;
            }
    }
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (picture->spots[d].row == UINT32_MAX)
            picture->spots[d].row = FABRIC_ROW;
}

/* ---- places ---- */

/* The mean position of linked devices in rows above. */
static double svg_writer_pull(const struct picture *picture, uint32_t d)
{
    const struct cs_graph *graph = picture->graph;
    double sum = 0;
    uint32_t count = 0;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        uint32_t to;

        if (!cs_wire_has_end(&graph->wires[w], d))
            continue;
        to = cs_wire_far_end(&graph->wires[w], d);
        if (picture->spots[to].row >= picture->spots[d].row)
            continue;
        sum += picture->spots[to].x;
        count++;
    }
    return count ? sum / count : 0;
}

static int svg_writer_compare(const void *a, const void *b, void *ctx)
{
    const struct picture *picture = ctx;
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    double left = picture->spots[x].x, right = picture->spots[y].x;

    if (left != right)
        return left < right ? -1 : 1;
    return (x > y) - (x < y);
}

static bool svg_writer_is_of(const struct picture *picture, uint32_t d, uint32_t host, uint32_t row)
{
    const struct svg_writer_spot *spot = &picture->spots[d];

    if (row >= FABRIC_ROW)
        return spot->row == row;
    return spot->row == row && spot->host == host;
}

/* Spreads the devices of a row over a width from x on; returns the number. */
static uint32_t place_row(struct picture *picture, uint32_t host, uint32_t row, double x,
                          double width)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < picture->graph->device_count; d++)
        if (svg_writer_is_of(picture, d, host, row)) {
            picture->spots[d].x = svg_writer_pull(picture, d);
            picture->order[count++] = d;
        }
    qsort_r(picture->order, count, sizeof(*picture->order), svg_writer_compare, picture);
    for (uint32_t i = 0; i < count; i++) {
        struct svg_writer_spot *spot = &picture->spots[picture->order[i]];

        spot->x = x + width * (i + 0.5) / count;
        spot->y = MARGIN + ROW * (row + 0.5);
    }
    return count;
}

/* The number of devices in the longest row. */
static uint32_t svg_writer_breadth(const struct picture *picture, uint32_t host)
{
    uint32_t counts[ROWS_MAX] = {0}, most = 0;

    for (uint32_t d = 0; d < picture->graph->device_count; d++)
        if (picture->spots[d].host == host && picture->spots[d].row < FABRIC_ROW)
            counts[picture->spots[d].row]++;
    for (uint32_t row = 0; row < FABRIC_ROW; row++)
        most = counts[row] > most ? counts[row] : most;
    return most;
}

static bool is_single(const struct picture *picture, uint32_t host)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < picture->graph->device_count; d++)
        count += picture->spots[d].host == host;
    return host == CS_NO_HOST || count < 2;
}

/* A box around the devices of a host. */
static void svg_writer_add_node(struct picture *picture, uint32_t host, double x, double width)
{
    if (is_single(picture, host))
        return;
    cs_text_printf(picture->out,
                   "<rect x=\"%.0f\" y=\"%d\" width=\"%.0f\" height=\"%d\" rx=\"8\" "
                   "fill=\"#f6f6f6\" stroke=\"#bbbbbb\"/>\n",
                   x + 4, MARGIN, width - 8, ROW * FABRIC_ROW);
    cs_text_printf(picture->out, "<text x=\"%.0f\" y=\"%d\" class=\"small\">node %u</text>\n",
                   x + 12, MARGIN + 16, host);
}

/* Hosts side by side, the fabric below. */
static void svg_writer_place_all(struct picture *picture)
{
    const struct cs_graph *graph = picture->graph;
    bool *placed = cs_arena_alloc(&picture->arena, graph->device_count, sizeof(bool));
    double x = MARGIN;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        uint32_t host = picture->spots[d].host;
        double width = (double)CELL * svg_writer_breadth(picture, host);

        if (placed[d] || picture->spots[d].row >= FABRIC_ROW)
            continue;
        for (uint32_t i = d; i < graph->device_count; i++)
            placed[i] |= picture->spots[i].host == host;
        svg_writer_add_node(picture, host, x, width);
        for (uint32_t row = 0; row < FABRIC_ROW; row++)
            (void)place_row(picture, host, row, x, width);
        x += width;
    }
    picture->width = fmax(x + MARGIN, 5.0 * CELL);
    for (uint32_t row = FABRIC_ROW; row < picture->rows; row++)
        (void)place_row(picture, 0, row, MARGIN, picture->width - 2 * MARGIN);
}

/* ---- links ---- */

static const struct {
    const char *colour, *dash;
} lines[CLASSES_MAX] = {
    {"#0072b2", ""},    {"#d55e00", "6 3"}, {"#009e73", "2 2"}, {"#000000", ""},
    {"#cc79a7", "8 3"}, {"#56b4e9", "4 2"}, {"#e69f00", ""},    {"#666666", "6 3"},
    {"#882255", "2 2"}, {"#117733", "8 3"}, {"#332288", ""},    {"#aa4499", "4 2"},
};

/* The class of a wire; the last class covers the rest. */
static uint32_t svg_writer_class_of(struct picture *picture, const struct cs_wire *wire)
{
    uint32_t i = 0;

    while (i < picture->class_count &&
           (!cs_same(picture->classes[i]->class_name, wire->class_name) ||
            cs_wire_effective(picture->classes[i]) != cs_wire_effective(wire)))
        i++;
    if (i == picture->class_count && i < CLASSES_MAX)
        picture->classes[picture->class_count++] = wire;
    return i < CLASSES_MAX ? i : CLASSES_MAX - 1;
}

static double line_width(double rate_Bps)
{
    double width = log10(rate_Bps / 1e8);

    return width < 0.8 ? 0.8 : width > 5 ? 5 : width;
}

static void svg_writer_add_wire(struct picture *picture, const struct cs_wire *wire)
{
    uint32_t i = svg_writer_class_of(picture, wire);
    const struct svg_writer_spot *a = &picture->spots[wire->a], *b = &picture->spots[wire->b];
    /* Links within a row bend below the devices between. */
    double bend = a->y == b->y ? 40 + fabs(a->x - b->x) / 5 : 0;

    picture->counts[i]++;
    cs_text_add(picture->out, "<path data-link=\"");
    cs_writer_xml(picture->out, picture->graph->devices[wire->a].name);
    cs_text_add(picture->out, "-");
    cs_writer_xml(picture->out, picture->graph->devices[wire->b].name);
    cs_text_printf(picture->out,
                   "\" d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" fill=\"none\" stroke=\"%s\" "
                   "stroke-width=\"%.1f\" stroke-dasharray=\"%s\" opacity=\"%s\"/>\n",
                   a->x, a->y, (a->x + b->x) / 2, (a->y + b->y) / 2 + fmin(bend, 2.0 * (ROW - 36)),
                   b->x, b->y, lines[i].colour, line_width(cs_wire_effective(wire)),
                   wire->down ? "1 5" : lines[i].dash, wire->down ? "0.5" : "0.8");
}

static void svg_writer_add_legend(struct picture *picture)
{
    double y = MARGIN + ROW * (double)picture->rows + LEGEND_LINE;

    for (uint32_t i = 0; i < picture->class_count; i++) {
        double each_Bps = cs_wire_effective(picture->classes[i]);

        cs_text_printf(picture->out,
                       "<path d=\"M%d %.0fh44\" stroke=\"%s\" stroke-width=\"%.1f\" "
                       "stroke-dasharray=\"%s\"/>\n"
                       "<text x=\"%d\" y=\"%.0f\" class=\"small\">",
                       MARGIN, y - 4, lines[i].colour, line_width(each_Bps), lines[i].dash,
                       MARGIN + 54, y);
        cs_writer_xml(picture->out, picture->classes[i]->class_name);
        cs_text_printf(picture->out, ": %u of %s each way</text>\n", picture->counts[i],
                       cs_show_rate(each_Bps).text);
        y += LEGEND_LINE;
    }
    picture->height = y + MARGIN - LEGEND_LINE;
}

/* ---- devices ---- */

static const char *const fills[CS_DEVICE_KINDS] = {
    [CS_DEVICE_GPU] = "#cfe8cf", [CS_DEVICE_HOST] = "#cfe8cf", [CS_DEVICE_CPU] = "#d9d9f3",
    [CS_DEVICE_NIC] = "#fbe3b8", [CS_DEVICE_SWITCH] = "white", [CS_DEVICE_BUS] = "#eeeeee",
};

/* The name without the prefix of the host's box. */
static const char *short_name(const struct picture *picture, uint32_t d)
{
    const char *name = picture->graph->devices[d].name;
    const char *dot = strrchr(name, '.');

    return dot && picture->spots[d].host != CS_NO_HOST ? dot + 1 : name;
}

static void svg_writer_add_device(struct picture *picture, uint32_t d)
{
    const struct svg_writer_spot *spot = &picture->spots[d];
    enum cs_device_kind kind = picture->graph->devices[d].kind;
    bool is_round = kind == CS_DEVICE_SWITCH;

    cs_text_printf(picture->out,
                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" "
                   "stroke=\"#333333\"/>\n"
                   "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                   spot->x - BOX_WIDTH / 2.0, spot->y - BOX_HEIGHT / 2.0, BOX_WIDTH, BOX_HEIGHT,
                   is_round ? BOX_HEIGHT / 2 : 3, fills[kind], spot->x, spot->y + 4);
    cs_writer_xml(picture->out, short_name(picture, d));
    cs_text_add(picture->out, "</text>\n");
}

static int svg_writer_write(const struct cs_graph *graph, struct cs_text *out,
                            struct cs_text *notes, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text inside = {0};
    struct picture picture = {.graph = graph, .out = &inside};

    (void)notes;
    if (graph->device_count > DEVICES_MAX)
        return cs_err_set(err, CS_EINPUT, "%u devices; a picture takes %d at most",
                          graph->device_count, DEVICES_MAX);
    picture.spots = cs_arena_alloc(&picture.arena, graph->device_count, sizeof(*picture.spots));
    picture.order = cs_arena_alloc(&picture.arena, graph->device_count, sizeof(*picture.order));
    set_rows(&picture);
    svg_writer_place_all(&picture);
    for (uint32_t w = 0; w < graph->wire_count; w++)
        svg_writer_add_wire(&picture, &graph->wires[w]);
    for (uint32_t d = 0; d < graph->device_count; d++)
        svg_writer_add_device(&picture, d);
    svg_writer_add_legend(&picture);
    cs_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                   "viewBox=\"0 0 %.0f %.0f\">\n"
                   "<style>text{font:12px sans-serif;fill:#222}.small{font-size:11px}</style>\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                   picture.width, picture.height, picture.width, picture.height);
    cs_text_add(out, cs_text_str(&inside));
    cs_text_add(out, "</svg>\n");
    cs_arena_free(&picture.arena);
    return 0;
}

const struct cs_writer cs_writer_svg = {
    .name = "svg",
    .about = "a picture",
    .write = svg_writer_write,
};
