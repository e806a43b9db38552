/*
 * Diagram: rows of boxes from top to bottom with links between them, drawn as
 * inline SVG; the colour and the width of a link say how much of it is in use.
 *
 * Neighbouring rows that are inside stand in one frame.  A link of two boxes in one
 * row is an arc below the row.  Boxes too narrow for a name show its number, or
 * nothing.
 */
#ifndef CS_REPORTS_DOCUMENT_DIAGRAM_H
#define CS_REPORTS_DOCUMENT_DIAGRAM_H

#include "sim/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_DIAGRAM_ROWS = 8,
};

struct cs_diagram_row {
    const char *name; /* "GPUs" */
    const char *const *boxes;
    uint32_t count;
    bool is_inside;
};

struct cs_diagram_link {
    uint32_t row, box;       /* the upper end */
    uint32_t to_row, to_box; /* to_row >= row */
    double use;              /* share, 0 to 1 */
};

struct cs_diagram {
    const char *caption; /* a sentence */
    const char *frame;   /* name of the frame */
    struct cs_diagram_row rows[CS_DIAGRAM_ROWS];
    uint32_t row_count;
    const struct cs_diagram_link *links;
    uint32_t link_count;
};

/* Appends the diagram as an SVG element with a title, `width` pixels wide; `id` is
 * unique in a page. */
void cs_diagram_svg(const struct cs_diagram *diagram, const char *id, uint32_t width,
                    struct cs_text *out);

/* Appends the colours and their shares, as a list of HTML. */
void cs_diagram_key(struct cs_text *out);

#endif
