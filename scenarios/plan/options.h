/*
 * Options of `collsim plan`; the target is a struct cs_plan_options.
 */
#pragma once

#include "scenarios/plan/cases/cases.h"

extern const struct cs_option cs_plan_option_table[];

/* The words of --format, of formats from CS_PLAN_HTML on, up to a NULL. */
extern const char *const cs_plan_page_names[];

/* The defaults. */
void cs_plan_options_init(struct cs_plan_options *options, struct cs_arena *arena);

/* Checks the options together; CS_EINPUT. */
int cs_plan_options_check(struct cs_plan_options *options, struct cs_err *err);

/* Notes on given options without effect: every case is computed again without each. */
void cs_plan_unused_notes(const struct cs_plan *plan, struct cs_text *notes);

/* ---- frameworks: how people train language models on the GPUs that are bought ---- */

/* Fills options->as behind the reading of the command line, without --framework and
 * --system. */
void cs_plan_read_frameworks(struct cs_plan_options *options);

/* Fills plan->faster where experts as DeepSeek trains them take less time. */
void cs_plan_try_framework(struct cs_plan *plan);
