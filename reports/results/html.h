/*
 * HTML: text of unknown origin, made harmless.
 */
#ifndef CS_REPORTS_RESULTS_HTML_H
#define CS_REPORTS_RESULTS_HTML_H

#include "sim/base/text.h"

/* Appends the text with < & " escaped, for content and attributes of HTML and
 * SVG; what is not UTF-8 or is a control character becomes U+FFFD. */
void cs_html_add(struct cs_text *out, const char *text);

/* The same, with line ends kept. */
void cs_html_add_lines(struct cs_text *out, const char *text);

/* Appends the text as a JSON string that is safe in a script element. */
void cs_html_add_json(struct cs_text *out, const char *text);

#endif
