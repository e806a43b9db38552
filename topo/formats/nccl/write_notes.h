/*
 * Notes of the NCCL writer: which links and NICs of the graph the file lacks,
 * and which rates differ.
 */
#ifndef CS_TOPO_FORMATS_NCCL_WRITE_NOTES_H
#define CS_TOPO_FORMATS_NCCL_WRITE_NOTES_H

#include "sim/base/text.h"
#include "topo/formats/nccl/write_tree.h"

#include <stdint.h>

/* Appends the notes, a line each; called after the file is written. */
void cs_nccl_writer_note(struct cs_nccl_writer *writer, struct cs_text *notes);

#endif
