/*
 * What ranks hold over time, as sheets and drawings: beside their vectors at any
 * moment of any run (sim/engine/memory_curve.h), and in their vectors after each step
 * of a small one (sim/proof/steps.h).
 */
#ifndef CS_REPORTS_FIGURES_MEMORY_H
#define CS_REPORTS_FIGURES_MEMORY_H

#include "reports/results/sheet.h"
#include "sim/engine/memory_curve.h"
#include "sim/proof/steps.h"

/* A row for each point: when its interval begins, and the most in it, of all
 * ranks and of the fullest.  Ended by cs_sheet_free. */
void cs_memory_sheet(const struct cs_memory_curve *curve,
                     struct cs_sheet *sheet);

/* Appends a gnuplot script that draws the picture `name`, SVG where its name
 * ends so, else PNG, under the title. */
void cs_memory_script(const struct cs_memory_curve *curve, const char *title,
                      const char *name, struct cs_text *out);

/* The same of the vectors: a row for each step, from 0, the start. */
void cs_memory_steps_sheet(const struct cs_steps *steps,
                           struct cs_sheet *sheet);
void cs_memory_steps_script(const struct cs_steps *steps, const char *title,
                            const char *name, struct cs_text *out);

#endif
