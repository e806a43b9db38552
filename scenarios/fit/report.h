/*
 * A fit as a table, a JSON document and the profile that --library reads.
 */
#ifndef CS_SCENARIOS_FIT_REPORT_H
#define CS_SCENARIOS_FIT_REPORT_H

#include "algorithms/libraries/profile.h"
#include "scenarios/fit/inputs.h"

struct cs_fit_report {
    const struct cs_fit *fit;
    const struct cs_fit_inputs *inputs;
    const struct cs_scenario *scenario;
    const char *out; /* NULL: no profile is written */
};

/* "identified", "partly" or "not identified". */
const char *cs_fit_verdict(const struct cs_fit_parameter *parameter);

void cs_fit_print(const struct cs_cli *cli, const struct cs_fit_report *report);

/* The calls of the rows, with room for CS_PROFILE_CALLS_MAX; their number. */
uint32_t cs_fit_calls(const struct cs_fit *fit, struct cs_profile_calls *calls);

/* Appends the profile (algorithms/libraries/profile.h). */
void cs_fit_put_profile(const struct cs_fit_report *report, struct cs_text *out);

#endif
