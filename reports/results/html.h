/*
 * HTML: escaped text of unknown origin.
 */
#pragma once

#include "sim/base/text.h"

/* Appends the text with < & " escaped, for content and attributes of HTML and
 * SVG; invalid UTF-8 and control characters become U+FFFD. */
void cs_html_add(struct cs_text *out, const char *text);

/* cs_html_add, with line ends kept. */
void cs_html_add_lines(struct cs_text *out, const char *text);

/* Appends the text as a JSON string for a script element. */
void cs_html_add_json(struct cs_text *out, const char *text);
