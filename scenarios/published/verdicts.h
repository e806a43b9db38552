/*
 * validate published --verdicts: what `collsim compare` says of published tables, as
 * they are and with known causes.
 */
#ifndef CS_SCENARIOS_PUBLISHED_VERDICTS_H
#define CS_SCENARIOS_PUBLISHED_VERDICTS_H

#include "scenarios/published/report.h"
#include "validate/published/left_out.h"

/* Prints the scores, and in text the limits; gated: CS_EANSWER for a score beyond its
 * limit. */
int cs_published_verdicts(const struct cs_published_view *view, const struct cs_left_out *left,
                          bool gated, struct cs_err *err);

#endif
