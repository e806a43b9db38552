/* Plot key: see plot/plot.h. */
#include "reports/figures/plot/plot.h"
#include "sim/base/utf8.h"

#include <math.h>
#include <string.h>

/* The key's type and the letters of a line. */
struct plot_key {
    int size;
    size_t letters;
};

/* The room beside the axes in type of CS_PLOT_KEY_SIZE. */
enum {
    KEY_ROWS = 13,
    KEY_LETTERS = 38,
    KEY_LINES = 3 /* of a name; longer names end in "..." */
};

/* Bytes of the first line of at most `letters` letters, up to a space if the
 * line has a space. */
static size_t plot_key_line_length(const char *text, size_t letters)
{
    struct cs_utf8_char c = cs_utf8_first(text);
    size_t length = 0;
    size_t space = 0;

    for (size_t i = 0; i < letters && c.length != 0; i++) {
        if (text[length] == ' ')
            space = length;
        length += c.length;
        c = cs_utf8_first(text + length);
    }
    return c.length == 0 || text[length] == ' ' || space == 0 ? length : space;
}

static size_t plot_key_count_lines(const char *name, size_t letters)
{
    size_t lines = 0;

    while (*name) {
        name += plot_key_line_length(name, letters);
        name += *name == ' ';
        lines++;
    }
    return lines;
}

/* Lines of names plus a line per closed form, bound and group of unnamed
 * series. */
static size_t plot_key_count_rows(const struct cs_figure *figure, size_t letters)
{
    size_t rows = cs_plot_has_models(figure) + cs_plot_count_limits(figure) +
                  (cs_plot_count_others(figure, false) > 0) +
                  (cs_plot_count_others(figure, true) > 0);

    for (size_t i = 0; i < figure->count; i++)
        if (!figure->series[i].is_other)
            rows += plot_key_count_lines(figure->series[i].name, letters);
    return rows;
}

/* The largest type with room for every row. */
static struct plot_key plot_key_set(const struct cs_figure *figure)
{
    struct plot_key key = {CS_PLOT_KEY_SIZE, KEY_LETTERS};

    while (key.size > CS_PLOT_KEY_SIZE_MIN &&
           plot_key_count_rows(figure, key.letters) * (size_t)key.size >
               (size_t)KEY_ROWS * CS_PLOT_KEY_SIZE) {
        key.size--;
        key.letters = (size_t)(KEY_LETTERS * CS_PLOT_KEY_SIZE / key.size);
    }
    return key;
}

/* White curves carry the further lines of a name. */
void cs_plot_add_name(struct cs_text *out, const struct cs_figure *figure, const char *name)
{
    const char *before = " title ";
    size_t letters = plot_key_set(figure).letters;
    size_t left = KEY_LINES;

    while (*name && left-- > 0) {
        CS_AT_END(cs_text_free) struct cs_text line = {0};
        size_t length = plot_key_line_length(name, letters);

        cs_text_add_n(&line, name, length);
        name += length;
        name += *name == ' ';
        cs_text_add(&line, *name && left == 0 ? " ..." : "");
        cs_plot_add_quoted(out, before, cs_text_str(&line), ", \\\n");
        before = "    NaN with lines linecolor rgb '#ffffff' title ";
    }
}

static void plot_key_add_limit_key(struct cs_text *out, const struct cs_figure *figure,
                                   enum cs_helper helper)
{
    CS_AT_END(cs_text_free) struct cs_text name = {0};

    cs_plot_add_limit_name(figure, helper, &name);
    cs_text_add(out, ", \\\n    NaN");
    cs_plot_add_limit_look(out, helper);
    cs_plot_add_quoted(out, " title ", cs_text_str(&name), "");
}

void cs_plot_add_key(struct cs_text *out, const struct cs_figure *figure)
{
    size_t others = cs_plot_count_others(figure, false);
    size_t hypothetical = cs_plot_count_others(figure, true);

    if (others > 0) {
        cs_text_add(out, "    NaN");
        cs_plot_add_others_look(out, false);
        cs_text_printf(out, " title '%zu other%s', \\\n", others, others == 1 ? "" : "s");
    }
    if (hypothetical > 0) {
        cs_text_add(out, "    NaN");
        cs_plot_add_others_look(out, true);
        cs_text_printf(out, " title '%zu hypothetical', \\\n", hypothetical);
    }
    if (cs_plot_has_models(figure))
        cs_text_add(
            out, "    NaN with lines linewidth 1.5 dashtype '--' linecolor rgb '" CS_PLOT_GREY_TEXT
                 "' title 'closed form'");
    else
        cs_text_add(out, "    NaN notitle");
    for (int helper = 0; helper < CS_HELPERS; helper++)
        if (cs_plot_has_limit(figure, (enum cs_helper)helper))
            plot_key_add_limit_key(out, figure, (enum cs_helper)helper);
    cs_text_add(out, "\n");
}

/* Room at the right for the longest line of the key: a letter of the largest type
 * is 13.5 pixels wide, the rest of the key 120. */
void cs_plot_add_right_margin(struct cs_text *out, const struct cs_figure *figure)
{
    struct plot_key key = plot_key_set(figure);
    size_t letters = strlen("closed form");
    double margin;

    for (size_t i = 0; i < figure->count; i++) {
        size_t width = cs_utf8_width(figure->series[i].name);

        if (width > letters && !figure->series[i].is_other)
            letters = width;
    }
    for (int helper = 0; helper < CS_HELPERS; helper++) {
        size_t width = strlen(cs_plot_bound_looks[helper].suffix);

        if (cs_plot_has_limit(figure, (enum cs_helper)helper) &&
            width + cs_utf8_width(figure->limit_name) > letters)
            letters = width + cs_utf8_width(figure->limit_name);
    }
    if (letters > key.letters)
        letters = key.letters;
    margin = 1 - (120 + 13.5 * (double)letters * key.size / CS_PLOT_KEY_SIZE) / 1280;
    cs_text_printf(out, "set rmargin at screen %.3f\n", fmax(margin, 0.5));
    if (key.size < CS_PLOT_KEY_SIZE)
        cs_text_printf(out, "set key font '" CS_PLOT_FONT ",%d'\n", key.size);
}
