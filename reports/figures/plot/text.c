/* Plot text: see plot/plot.h. */
#include "reports/figures/plot/plot.h"
#include "reports/results/json.h"
#include "sim/base/utf8.h"

#include <math.h>
#include <string.h>

/* gnuplot copies ]]> into SVG, where XML refuses it. */
static const char ends_data[] = "]]>";

void cs_plot_quote(const char *text, struct cs_text *out)
{
    struct cs_utf8_char c;

    cs_text_add(out, "'");
    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        if (!c.valid || cs_utf8_is_control(c.code))
            cs_text_add(out, "?");
        else if (c.code == '\'' || c.code == '`')
            cs_text_add(out, "''");
        else if (!strncmp(text, ends_data, strlen(ends_data)))
            cs_text_add(out, "] ");
        else
            cs_text_add_n(out, text, c.length);
        text += c.length;
    }
    cs_text_add(out, "'");
}

void cs_plot_add_quoted(struct cs_text *out, const char *before, const char *text,
                        const char *after)
{
    cs_text_add(out, before);
    cs_plot_quote(text, out);
    cs_text_add(out, after);
}

void cs_plot_add_real(struct cs_text *out, double number)
{
    char text[CS_JSON_REAL_TEXT];

    cs_text_add(out, isfinite(number) ? cs_json_show_real(text, number) : "NaN");
}
