#include "reports/document/svg.h"

#include "reports/results/html.h"

void cs_svg_begin(struct cs_text *out, const char *id, const char *title, uint32_t width,
                  double height)
{
    cs_text_printf(
        out, "<svg viewBox=\"0 0 %u %.0f\" role=\"img\" aria-labelledby=\"%s\">\n<title id=\"%s\">",
        width, height, id, id);
    cs_html_add(out, title);
    cs_text_add(out, "</title>\n");
}

void cs_svg_text(struct cs_text *out, double x, double y, const char *class_name, const char *text)
{
    cs_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class_name);
    cs_html_add(out, text);
    cs_text_add(out, "</text>\n");
}
