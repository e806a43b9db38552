/*
 * NVLinks of a matrix of nvidia-smi: direct links, or an NVSwitch.
 *
 * NVn between two GPUs is n direct links, or n links of each to a switch.  GPUs
 * that NVLinks join have a switch if there are more than two, all pairs have
 * links, at least 6 and as many as the GPU with fewer has in any pair, and the
 * links of a row are more than the GPU has: through a switch the same links
 * reach all peers.  A GPU without NVLinks, of a machine where others have some,
 * keeps PCIe alone, with a note.
 */
#ifndef CS_TOPO_FORMATS_NVIDIA_SMI_NVLINKS_H
#define CS_TOPO_FORMATS_NVIDIA_SMI_NVLINKS_H

#include "topo/formats/nvidia_smi/reader.h"

/* Sets reader->gpu by the name, or by a guess with a note for NULL, and
 * reader->links.  CS_EINPUT for a GPU with fewer links than the matrix. */
int cs_smi_choose_gpu(struct cs_smi_reader *reader, const char *name);

/* Adds the links, and a switch for each set of GPUs with one. */
void cs_smi_join_nvlinks(struct cs_smi_reader *reader);

#endif
