/*
 * Reports of published tables, line by line: tables, worst first, and rows.
 */
#ifndef CS_SCENARIOS_PUBLISHED_ROWS_H
#define CS_SCENARIOS_PUBLISHED_ROWS_H

#include "scenarios/published/report.h"

/* The `most` worst tables from 64 KiB, then those with smaller rows only;
 * 0: all tables, with the reason for those without a prediction. */
void cs_published_print_tables(const struct cs_published_view *view, uint32_t most);

/* A line per row of every table. */
void cs_published_print_points(const struct cs_published_view *view);

#endif
