/*
 * Memory of ranks over time, as sheets and drawings: buffers in addition to the
 * vectors during a run (sim/watch/memory_curve.h), and contents of the vectors
 * after every step of a small run (sim/proof/steps.h).
 */
#pragma once

#include "reports/results/sheet.h"
#include "sim/proof/steps.h"
#include "sim/watch/memory_curve.h"

/* A row per point: the start of the interval, and the peaks in the interval of
 * the sum over ranks and of the peak rank.  The caller frees the sheet. */
void cs_memory_sheet(const struct cs_memory_curve *curve, struct cs_sheet *sheet);

/* Appends a gnuplot script for the picture `name` with the title: SVG for a name
 * in .svg, otherwise PNG. */
void cs_memory_script(const struct cs_memory_curve *curve, const char *title, const char *name,
                      struct cs_text *out);

/* Sheet and script of the vectors: a row per step; step 0 is the start. */
void cs_memory_steps_sheet(const struct cs_steps *steps, struct cs_sheet *sheet);
void cs_memory_steps_script(const struct cs_steps *steps, const char *title, const char *name,
                            struct cs_text *out);
