/*
 * Lacks: what a format cannot hold of a program, so that the schedule may take another time
 * when it is read back.
 *
 *     time O(ops of the program), until all lacks of the format are found
 */
#pragma once

#include "algorithms/schedules/export.h"

/* A note of each, a line with its end, after what is in `notes`. */
void cs_export_lacks(const struct cs_exporter *exporter, const struct cs_export *what,
                     struct cs_text *notes);
