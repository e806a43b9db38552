/* Plot look: see plot/plot.h. */
#include "reports/figures/plot/plot.h"

#include "reports/results/endings.h"

const struct cs_plot_look cs_plot_looks[CS_FIGURE_NAMED] = {
    {"#0072b2", 7},  /* blue, disc */
    {"#d55e00", 5},  /* vermilion, square */
    {"#009e73", 9},  /* bluish green, triangle */
    {"#cc79a7", 13}, /* reddish purple, diamond */
    {"#e69f00", 11}, /* orange, triangle down */
    {"#56b4e9", 15}, /* sky blue, pentagon */
    {"#000000", 3},  /* black, star */
    {"#5d3a00", 4},  /* brown, hollow square */
};

const struct cs_plot_bound_look cs_plot_bound_looks[CS_HELPERS] = {
    [CS_HELPER_NONE] = {"#ededed", "solid", "2", ""},
    [CS_HELPER_SERVER] = {"#e0e0e0", "'.'", "2.5", " (server)"},
    [CS_HELPER_SWITCH] = {"#d6d6d6", "'_.'", "2", " (switch)"},
};

void cs_plot_add_output(struct cs_text *out, const char *name)
{
    cs_text_printf(out,
                   "set terminal %s size 1280,720 noenhanced font '" CS_PLOT_FONT
                   ",19' background rgb '#ffffff'\n",
                   cs_endings_fits(name, "svg") ? "svg dynamic" : "pngcairo");
    cs_plot_add_quoted(out, "set output ", name, "\n");
}

/* "with lines linewidth 2 dashtype solid linecolor rgb '#8c8c8c'" */
void cs_plot_add_limit_look(struct cs_text *out, enum cs_helper helper)
{
    cs_text_printf(out,
                   " with lines linewidth %s dashtype %s linecolor rgb '" CS_PLOT_GREY_LINE "'",
                   cs_plot_bound_looks[helper].width, cs_plot_bound_looks[helper].line);
}

void cs_plot_add_others_look(struct cs_text *out, bool hypothetical)
{
    cs_text_printf(out, " with lines linewidth 1%s linecolor rgb '" CS_PLOT_GREY_OTHERS "'",
                   hypothetical ? " dashtype (12,8)" : "");
}
