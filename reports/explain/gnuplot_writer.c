/*
 * Explain as an animation, by gnuplot: see explain.h.
 *
 * A frame per step, in pixels: boxes on a circle, with a bar per chunk and a
 * cell per contributing rank.
 */
#include "reports/explain/explain.h"
#include "sim/base/roots.h"
#include "sim/base/units.h"

#include <math.h>

enum {
    WIDTH = 900,
    HEIGHT = 780,
    RADIUS = 275,
    CENTRE_X = WIDTH / 2,
    CENTRE_Y = 345,
    TITLE_Y = HEIGHT - 28,
    BOX_MAX = 150,
    LABEL_HEIGHT = 22,
    PAD = 6,
    DELAY = 130, /* of a frame, in hundredths of a second */
    LAST_FRAMES = 3,
    NUMBER_MIN = 13,  /* pixels of a cell with a number */
    HEAD_LENGTH = 17, /* of an arrow */
    HEAD_ASIDE = 6,
};

#define HALF_WIDTH 1.2  /* of an arrow's shaft */
#define LABEL_AT   0.36 /* of the length: away from the crossing of arrows */

/* Okabe and Ito's colours, with grey for black. */
static const char *const colours[] = {"0xE69F00", "0x56B4E9", "0x009E73", "0xF0E442",
                                      "0x0072B2", "0xD55E00", "0xCC79A7", "0x999999"};

struct film {
    const struct cs_story *story;
    const struct cs_steps *steps;
    struct cs_shape shape;
    double size; /* width of a box */
    double height;
    double bar;
    struct cs_text *out;
};

struct film_spot {
    double x;
    double y;
};

/* ---- where things are ---- */

/* Hubs are not on the circle, so positions count the other parties only. */
static uint32_t film_hubs_before(const struct film *film, uint32_t party)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < party; i++)
        count += film->shape.hub[i];
    return count;
}

/* Hubs in a row in the centre, the others clockwise on an ellipse from the top:
 * the frame is wider than high. */
static struct film_spot film_spot_of(const struct film *film, uint32_t party)
{
    uint32_t hubs = film_hubs_before(film, film->steps->parties);
    uint32_t before = film_hubs_before(film, party);
    double angle = 2 * M_PI * (party - before) / (film->steps->parties - hubs);

    if (film->shape.hub[party])
        return (struct film_spot){CENTRE_X + (before - (hubs - 1) / 2.0) * (film->size + 2 * PAD),
                                  CENTRE_Y};
    return (struct film_spot){CENTRE_X + RADIUS * 1.3 * sin(angle), CENTRE_Y + RADIUS * cos(angle)};
}

/* Boxes shrink with the number of parties, bars with the number of blocks. */
static void film_set_sizes(struct film *film)
{
    double room = 2 * M_PI * RADIUS / film->steps->parties * 0.66;

    film->size = room < BOX_MAX ? room : BOX_MAX;
    film->bar = (film->size - LABEL_HEIGHT - PAD) / film->steps->blocks;
    if (film->bar > LABEL_HEIGHT)
        film->bar = LABEL_HEIGHT;
    film->height = LABEL_HEIGHT + film->bar * film->steps->blocks + PAD;
}

/* ---- a frame ---- */

static void film_add_box(const struct film *film, uint32_t party)
{
    struct film_spot at = film_spot_of(film, party);
    double left = at.x - film->size / 2;
    double top = at.y + film->height / 2;

    cs_text_printf(
        film->out,
        "set object rect from %.1f,%.1f to %.1f,%.1f fs empty border lc rgb \"#8a93a0\" lw 1.5\n",
        left, top - film->height, left + film->size, top);
    cs_text_printf(film->out, "set label \"");
    cs_explain_party(film->story, party, film->out);
    cs_text_printf(film->out, "\" at %.1f,%.1f center\n", at.x, top - LABEL_HEIGHT / 2.0);
}

/* An arrow as an area: the GIF terminal of gnuplot draws lines of equal width
 * in the colour of the first line. */
static void film_add_arrow_shape(const struct film *film, struct film_spot from,
                                 struct film_spot to, const char *colour)
{
    double dx = to.x - from.x;
    double dy = to.y - from.y;
    double length = fmax(cs_length(dx, dy), 1e-9);
    double head = fmin(HEAD_LENGTH, length / 2) / length;
    const struct {
        double along, aside; /* shares of the length, pixels */
    } corners[] = {{0, HALF_WIDTH},  {1 - head, HALF_WIDTH},  {1 - head, HEAD_ASIDE},
                   {1, 0},           {1 - head, -HEAD_ASIDE}, {1 - head, -HALF_WIDTH},
                   {0, -HALF_WIDTH}, {0, HALF_WIDTH}};

    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        double aside = corners[i].aside / length;

        cs_text_printf(film->out, "%s%.1f,%.1f", i ? " to " : "set object polygon from ",
                       from.x + dx * corners[i].along - dy * aside,
                       from.y + dy * corners[i].along + dx * aside);
    }
    cs_text_printf(film->out, " fc rgb \"%s\" fs solid 1 noborder\n", colour);
}

/* From edge to edge of the boxes. */
static void film_add_arrow(const struct film *film, const struct cs_step_message *message)
{
    struct film_spot a = film_spot_of(film, message->src);
    struct film_spot b = film_spot_of(film, message->dst);
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double cut_x = (film->size / 2 + PAD) / fmax(fabs(dx), 1e-9);
    double cut_y = (film->height / 2 + PAD) / fmax(fabs(dy), 1e-9);
    double cut = fmin(fmin(cut_x, cut_y), 0.45);

    film_add_arrow_shape(film, (struct film_spot){a.x + dx * cut, a.y + dy * cut},
                         (struct film_spot){b.x - dx * cut, b.y - dy * cut},
                         message->adds ? "#b8410b" : "#0b5fa5");
    if (film->steps->parties > 8 || film->steps->blocks < 2)
        return;
    cs_text_printf(film->out, "set label \"%s", message->adds ? "+" : "=");
    cs_explain_blocks(film->steps, message->from, film->out);
    cs_text_printf(film->out, "\" at %.1f,%.1f center front\n", a.x + dx * LABEL_AT - dy * 0.05,
                   a.y + dy * LABEL_AT + dx * 0.05);
}

/* A line for boxxyerror: centre, corners and colour, with a gap to the next
 * cell. */
static void film_add_cell(const struct film *film, double x, double y, double width,
                          const char *colour)
{
    cs_text_printf(film->out, "%.1f %.1f %.1f %.1f %.1f %.1f %s\n", x + width / 2,
                   y + film->bar / 2, x, x + width * 0.94, y, y + film->bar * 0.92, colour);
}

/* The bars of a party, as data of a plot with boxxyerror. */
static void film_add_cells(const struct film *film, uint32_t after, uint32_t party)
{
    const struct cs_steps *steps = film->steps;
    struct film_spot at = film_spot_of(film, party);
    uint32_t columns = steps->sums ? steps->ranks : 1;
    double width = (film->size - 2 * PAD) / columns;
    double left = at.x - film->size / 2 + PAD;
    double top = at.y + film->height / 2 - LABEL_HEIGHT;

    for (uint32_t block = 0; block < steps->blocks; block++) {
        uint64_t ranks = cs_steps_holding(steps, after, party, block)->ranks;
        double y = top - (block + 1) * film->bar;

        for (uint32_t rank = 0; rank < columns; rank++)
            film_add_cell(film, left + rank * width, y, width, "0xEEF0F3");
        for (uint32_t rank = 0; rank < steps->ranks; rank++)
            if (ranks >> rank & 1)
                film_add_cell(film, left + (steps->sums ? rank * width : 0), y, width,
                              colours[rank % 8]);
    }
}

/* The numbers in the cells, as data of a plot with labels. */
static void film_add_numbers(const struct film *film, uint32_t after, uint32_t party)
{
    const struct cs_steps *steps = film->steps;
    struct film_spot at = film_spot_of(film, party);
    double width = (film->size - 2 * PAD) / (steps->sums ? steps->ranks : 1);
    double left = at.x - film->size / 2 + PAD;
    double top = at.y + film->height / 2 - LABEL_HEIGHT;

    if (width < NUMBER_MIN || film->bar < NUMBER_MIN)
        return;
    for (uint32_t block = 0; block < steps->blocks; block++) {
        uint64_t ranks = cs_steps_holding(steps, after, party, block)->ranks;

        for (uint32_t rank = 0; rank < steps->ranks; rank++)
            if (ranks >> rank & 1)
                cs_text_printf(film->out, "%.1f %.1f %x\n",
                               left + ((steps->sums ? rank : 0) + 0.47) * width,
                               top - (block + 0.54) * film->bar, rank);
    }
}

static void film_add_words(const struct film *film, uint32_t after)
{
    char bytes[CS_UNITS_TEXT] = "0 B";
    char time[CS_UNITS_TEXT] = "0 s";

    if (after) {
        cs_units_show_bytes(bytes, film->steps->steps[after - 1].bytes);
        cs_units_show_time(time, film->steps->steps[after - 1].time_ps);
    }
    cs_text_printf(film->out,
                   "set label \"%s %s: step %u of %u, %s sent, %s\" at %d,%d center font \",16\"\n",
                   film->story->record->algorithm, film->story->record->collective, after,
                   film->steps->count, bytes, time, CENTRE_X, TITLE_Y);
}

/* Removes labels and objects of the previous frame first. Cells and numbers
 * are inline data of the plot. */
static void film_add_frame(const struct film *film, uint32_t after)
{
    const struct cs_steps *steps = film->steps;

    cs_text_add(film->out, "unset label\nunset object\n");
    film_add_words(film, after);
    for (uint32_t i = 0; i < steps->parties; i++)
        film_add_box(film, i);
    for (uint32_t i = 0; after && i < steps->steps[after - 1].count; i++)
        film_add_arrow(film, &steps->messages[steps->steps[after - 1].first + i]);
    cs_text_add(film->out, "plot '-' using 1:2:3:4:5:6:7 with boxxyerror fs solid 1 noborder lc "
                           "rgb variable notitle, '-' using 1:2:3 with labels notitle\n");
    for (uint32_t i = 0; i < steps->parties; i++)
        film_add_cells(film, after, i);
    cs_text_add(film->out, "e\n");
    cs_text_add(film->out, "-100 -100 0\n"); /* never without a line */
    for (uint32_t i = 0; i < steps->parties; i++)
        film_add_numbers(film, after, i);
    cs_text_add(film->out, "e\n");
}

/* ---- the script ---- */

/* In single quotes, where only a quote is special. */
static void gnuplot_writer_add_quoted(const char *name, struct cs_text *out)
{
    cs_text_add(out, "'");
    for (; *name; name++)
        cs_text_add_n(out, *name == '\'' ? "''" : name, *name == '\'' ? 2 : 1);
    cs_text_add(out, "'");
}

void cs_explain_gnuplot(const struct cs_story *story, const char *name, struct cs_text *out)
{
    struct film film = {
        .story = story, .steps = story->steps, .shape = cs_shape_of(story->steps), .out = out};

    if (film.shape.kind != CS_SHAPE_STAR)
        for (uint32_t i = 0; i < film.steps->ranks; i++)
            film.shape.hub[i] = false;
    film_set_sizes(&film);
    cs_text_printf(out,
                   "# gnuplot draws the steps as an animation.\n"
                   "set terminal gif animate delay %d loop 0 size %d,%d\n"
                   "set output ",
                   DELAY, WIDTH, HEIGHT);
    gnuplot_writer_add_quoted(name, out);
    cs_text_printf(out,
                   "\nunset border\nunset tics\nunset key\n"
                   "set lmargin 0\nset rmargin 0\nset tmargin 0\n"
                   "set bmargin 0\nset xrange [0:%d]\nset yrange [0:%d]\n",
                   WIDTH, HEIGHT);
    for (uint32_t i = 0; i <= film.steps->count; i++)
        film_add_frame(&film, i);
    for (uint32_t i = 0; i < LAST_FRAMES; i++)
        film_add_frame(&film, film.steps->count);
    cs_text_add(out, "unset output\n");
}
