/*
 * The capacity report of a plan, as a document, and its answer in short.
 */
#pragma once

#include "reports/document/document.h"
#include "scenarios/plan/cases/cases.h"

/* Question and answer, a line each. */
void cs_plan_answer(const struct cs_plan *plan, struct cs_text *out);

/* {"answer": {...}, "cases": [...]}: the lines of the answer with the places of the
 * recommended, fastest and cheapest case, and every figure of each case. */
void cs_plan_json(const struct cs_plan *plan, struct cs_text *out);

/* The whole report; the document is zeroed before, and the caller frees it. */
void cs_plan_document(const struct cs_plan *plan, const char *command_line,
                      struct cs_document *document);

/* Parts of the report, in files of their names. */
void cs_plan_add_answer(const struct cs_plan *plan, struct cs_document *document);
void cs_plan_add_headlines(const struct cs_plan *plan, struct cs_document *document);
void cs_plan_add_charts(const struct cs_plan *plan, struct cs_document *document);
void cs_plan_add_diagram(const struct cs_plan *plan, struct cs_document *document);
void cs_plan_add_sizes(const struct cs_plan *plan, struct cs_document *document);
void cs_plan_add_variants(const struct cs_plan *plan, struct cs_document *document);
void cs_plan_add_sensitivity(const struct cs_plan *plan, struct cs_document *document);
void cs_plan_add_sources(const struct cs_plan *plan, const char *command_line,
                         struct cs_document *document);

/* Cables of the advised case by length; and all, as ibnetdiscover lists a fabric:
 * CS_ECANNOT for a mesh. */
void cs_plan_add_cables(const struct cs_plan *plan, struct cs_document *document);
int cs_plan_cabling(const struct cs_plan *plan, struct cs_text *out, struct cs_err *err);

/* Tables: every figure of a case, for programs; for people time and efficiency, price and
 * power, boxes and cables, goodput by number of GPUs. */
void cs_plan_sheet(const struct cs_plan *plan, struct cs_sheet *sheet);
void cs_plan_sizing(const struct cs_plan *plan, struct cs_sheet *sheet);
void cs_plan_prices(const struct cs_plan *plan, struct cs_sheet *sheet);
void cs_plan_network(const struct cs_plan *plan, struct cs_sheet *sheet);
void cs_plan_goodput(const struct cs_plan *plan, struct cs_sheet *sheet);
