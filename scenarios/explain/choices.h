/*
 * Choices: what the form in a page with the engine offers, and what it shows first.
 */
#pragma once

#include "scenarios/run/request/scenario.h"
#include "sim/base/text.h"

/* The case of the scenario, with its other options as words, as JSON.  A machine's file is
 * asked as its text: the page has no files. */
void cs_choices_asked(const struct cs_scenario *scenario, uint32_t ranks, struct cs_text *out);

/* As JSON: "collectives", "algorithms" and "machines" of the registries, and "asked". */
void cs_choices_write(const char *asked, struct cs_text *out);
