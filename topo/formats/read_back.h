/*
 * Writes a machine and reads the file back: what a file cannot hold is found by
 * its own reader, for every format.
 *
 * A file that the reader refuses, because it is too large or has too many links,
 * is refused here.  Where routes between ranks have other rates, latencies or
 * common links than those of the machine, a note has the largest differences.
 *
 *     O(file), and up to CS_READ_BACK_RANKS_MAX ranks O(ranks^2 x hops + ranks x links)
 */
#pragma once

#include "topo/formats/writer.h"

enum {
    CS_READ_BACK_RANKS_MAX = 512, /* of which all routes are compared */
};

/* As cs_writer.write, with the check for formats that have a reader. */
int cs_read_back_write(const struct cs_writer *writer, const struct cs_graph *graph,
                       struct cs_text *out, struct cs_text *notes, struct cs_err *err);
