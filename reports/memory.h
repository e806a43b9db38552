/*
 * What ranks hold beside their vectors over time (sim/memory_curve.h), as a
 * sheet and as a drawing.
 */
#ifndef CS_REPORTS_MEMORY_H
#define CS_REPORTS_MEMORY_H

#include "reports/sheet.h"
#include "sim/memory_curve.h"

/* A row for each point: when its interval begins, and the most in it, of all
 * ranks and of the fullest.  Ended by cs_sheet_free. */
void cs_memory_sheet(const struct cs_memory_curve *curve,
                     struct cs_sheet *sheet);

/* Appends a gnuplot script that draws the picture `name`, SVG where its name
 * ends so, else PNG, under the title. */
void cs_memory_script(const struct cs_memory_curve *curve, const char *title,
                      const char *name, struct cs_text *out);

#endif
