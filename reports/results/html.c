#include "reports/results/html.h"

#include "sim/base/utf8.h"

#include <string.h>

/* > ends "]]>", which XML refuses in text: pictures are XML, too. */
static void html_add_char(struct cs_text *out, struct cs_utf8_char c, const char *text)
{
    if (!c.valid || cs_utf8_is_control(c.code))
        cs_text_add(out, "\xEF\xBF\xBD"); /* U+FFFD */
    else if (c.code == '<')
        cs_text_add(out, "&lt;");
    else if (c.code == '>')
        cs_text_add(out, "&gt;");
    else if (c.code == '&')
        cs_text_add(out, "&amp;");
    else if (c.code == '"')
        cs_text_add(out, "&quot;");
    else
        cs_text_add_n(out, text, c.length);
}

void cs_html_add(struct cs_text *out, const char *text)
{
    struct cs_utf8_char c;

    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        html_add_char(out, c, text);
        text += c.length;
    }
}

void cs_html_add_lines(struct cs_text *out, const char *text)
{
    struct cs_utf8_char c;

    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        if (c.code == '\n')
            cs_text_add(out, "\n");
        else
            html_add_char(out, c, text);
        text += c.length;
    }
}

/* Escapes <, > and & too: "</script>" inside a string would end the script
 * element. */
void cs_html_add_json(struct cs_text *out, const char *text)
{
    struct cs_utf8_char c;

    cs_text_add(out, "\"");
    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        if (!c.valid)
            cs_text_add(out, "\\ufffd");
        else if (c.code < 128 && (cs_utf8_is_control(c.code) || strchr("\"\\<>&", (int)c.code)))
            cs_text_printf(out, "\\u%04x", c.code);
        else
            cs_text_add_n(out, text, c.length);
        text += c.length;
    }
    cs_text_add(out, "\"");
}
