/*
 * Unused options: given, but without effect on the program.
 *
 * The check compares: the program is made again without the option, and a sample of
 * its rounds has to be equal.
 */
#pragma once

#include "scenarios/run/case/run.h"

/* Whether the value is a parameter of the algorithm; the root is checked with the
 * collective. */
bool cs_option_is_of_algorithm(const struct cs_option *option);

/* Appends a note for each given parameter of the algorithm without effect, if
 * the user named a single algorithm.  O(1) rounds. */
void cs_unused_note(const struct cs_run *run, const struct cs_hockney *hockney);
