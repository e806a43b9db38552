/*
 * Advice: the error message for a unit that is missing, unknown or ambiguous.  For
 * units.c alone.
 */
#ifndef CS_SIM_BASE_UNITS_ADVICE_H
#define CS_SIM_BASE_UNITS_ADVICE_H

#include "sim/base/units_number.h"

/* Refuses the unit `word` of a number: CS_EINPUT. */
int cs_units_refuse(const char *word, const struct units_number *number,
                    const struct units_kind *kind, struct cs_err *err);

#endif
