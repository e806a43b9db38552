#include "reports/figures/bars.h"

#include "reports/figures/plot/plot.h"

#include <math.h>

static bool bars_have_measured(const struct cs_bars *bars)
{
    for (size_t i = 0; i < bars->count; i++)
        if (bars->bars[i].measured > 0)
            return true;
    return false;
}

/* Place, value, measured value. */
static void bars_add_data(const struct cs_bars *bars, struct cs_text *out)
{
    cs_text_add(out, "$bars << END\n");
    for (size_t i = 0; i < bars->count; i++) {
        const struct cs_bar *bar = &bars->bars[i];

        cs_plot_add_real(out, bars->curve ? bar->at : (double)i);
        cs_text_add(out, " ");
        cs_plot_add_real(out, bar->value);
        cs_text_add(out, " ");
        if (bar->measured > 0)
            cs_plot_add_real(out, bar->measured);
        else
            cs_text_add(out, "NaN");
        cs_text_add(out, "\n");
    }
    cs_text_add(out, "END\n");
}

static void bars_add_head(const struct cs_bars *bars, const char *name, struct cs_text *out)
{
    cs_plot_add_output(out, name);
    cs_plot_add_quoted(out, "set title ", bars->title, "\n");
    cs_text_add(out, "set border 3 linecolor rgb '" CS_PLOT_GREY_TEXT "'\n"
                     "set tics nomirror out\n"
                     "set grid ytics linewidth 1 linetype 1 linecolor rgb '#dddddd'\n"
                     "set yrange [0:*]\nset offsets graph 0, graph 0, graph 0.08, graph 0\n"
                     "set datafile missing 'NaN'\n");
    cs_plot_add_quoted(out, "set ylabel ", bars->what, "\n");
    if (bars->x)
        cs_plot_add_quoted(out, "set xlabel ", bars->x, "\n");
    cs_text_add(out, bars_have_measured(bars) ? "set key tmargin right horizontal Left reverse\n"
                                              : "unset key\n");
}

/* Labels of many bars would overlap at the size of the axes. */
static int bars_text_size(const struct cs_bars *bars)
{
    return bars->count > 5 ? 14 : 17;
}

/* The labels below the bars, and the notes above. */
static void bars_add_texts(const struct cs_bars *bars, struct cs_text *out)
{
    for (size_t i = 0; i < bars->count; i++) {
        cs_text_add(out, i ? ", " : "set xtics (");
        cs_plot_quote(bars->bars[i].label, out);
        cs_text_printf(out, " %zu", i);
    }
    cs_text_printf(out, ") font ',%d'\n", bars_text_size(bars));
    for (size_t i = 0; i < bars->count; i++) {
        if (!bars->bars[i].note)
            continue;
        cs_plot_add_quoted(out, "set label ", bars->bars[i].note, "");
        cs_text_printf(out, " at %zu,", i);
        cs_plot_add_real(out, fmax(bars->bars[i].value, bars->bars[i].measured));
        cs_text_printf(out, " center offset 0,1 font ',%d'\n", bars_text_size(bars));
    }
}

void cs_bars_script(const struct cs_bars *bars, const char *name, struct cs_text *out)
{
    bars_add_data(bars, out);
    bars_add_head(bars, name, out);
    if (!bars->curve)
        bars_add_texts(bars, out);
    if (bars->curve)
        cs_text_add(out, "plot $bars using 1:2 with linespoints linewidth 3 pointtype 7 linecolor "
                         "rgb '#0072b2' title 'computed'");
    else
        cs_text_printf(out,
                       "set boxwidth 0.6\nset style fill solid 1 noborder\n"
                       "set xrange [-0.6:%zu.6]\n"
                       "plot $bars using 1:2 with boxes linecolor rgb '#99c7e0' title 'computed'",
                       bars->count - 1);
    if (bars_have_measured(bars))
        cs_text_add(out, ", \\\n    $bars using 1:3 with points pointtype 13 pointsize 2 linecolor "
                         "rgb '#d55e00' title 'measured'");
    cs_text_add(out, "\nunset output\n");
}
