/*
 * Memory of ranks over time, as sheets and drawings: buffers in addition to the
 * vectors during any run (sim/engine/memory_curve.h), and contents of the vectors
 * after each step of a small run (sim/proof/steps.h).
 */
#ifndef CS_REPORTS_FIGURES_MEMORY_H
#define CS_REPORTS_FIGURES_MEMORY_H

#include "reports/results/sheet.h"
#include "sim/engine/memory_curve.h"
#include "sim/proof/steps.h"

/* A row for each point: the start of its interval, and the peak in the interval
 * of all ranks and of the peak rank.  The caller ends it with cs_sheet_free. */
void cs_memory_sheet(const struct cs_memory_curve *curve,
                     struct cs_sheet *sheet);

/* Appends a gnuplot script that draws the picture `name`, SVG where the name
 * ends in .svg, else PNG, with the title. */
void cs_memory_script(const struct cs_memory_curve *curve, const char *title,
                      const char *name, struct cs_text *out);

/* The same for the vectors: a row for each step; step 0 is the start. */
void cs_memory_steps_sheet(const struct cs_steps *steps,
                           struct cs_sheet *sheet);
void cs_memory_steps_script(const struct cs_steps *steps, const char *title,
                            const char *name, struct cs_text *out);

#endif
