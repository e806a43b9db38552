/*
 * Pictures of a page as inline SVG: what charts and diagrams share.
 */
#ifndef CS_REPORTS_DOCUMENT_SVG_H
#define CS_REPORTS_DOCUMENT_SVG_H

#include "sim/base/text.h"

#include <stdint.h>

/* Begins a picture of the size in pixels with a title; `id` is unique in a page. */
void cs_svg_begin(struct cs_text *out, const char *id, const char *title, uint32_t width,
                  double height);

/* Appends a line of text with classes of the page's style. */
void cs_svg_text(struct cs_text *out, double x, double y, const char *class_name, const char *text);

#endif
