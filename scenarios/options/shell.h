/*
 * Words of a command line as a shell reads them.
 */
#ifndef CS_SCENARIOS_OPTIONS_SHELL_H
#define CS_SCENARIOS_OPTIONS_SHELL_H

#include "sim/base/text.h"

/* Appends a blank and the word, in quotes where a shell needs them. */
void cs_shell_add(struct cs_text *out, const char *word);

#endif
