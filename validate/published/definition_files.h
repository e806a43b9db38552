/*
 * Definition files of estimates: parameters and intervals of
 * algorithms/libraries (nccl/parameters.def, nccl/intervals.def) with new numbers,
 * all other text as in the program's own files.
 *
 *     write   O(bytes of the file)
 */
#ifndef CS_VALIDATE_PUBLISHED_DEFINITION_FILES_H
#define CS_VALIDATE_PUBLISHED_DEFINITION_FILES_H

#include "algorithms/libraries/nccl/interval.h"
#include "algorithms/libraries/parameters.h"
#include "sim/base/text.h"

/* Appends the definition file of the set with the values, rounded to three
 * digits. */
void cs_definition_parameters(const struct cs_parameters *set, const double *values,
                              struct cs_text *text);

/* Appends nccl/intervals.def, rounded up to hundredths; a width that is not a
 * number leaves that of the program. */
void cs_definition_intervals(const struct cs_nccl_intervals *intervals, struct cs_text *text);

#endif
