/*
 * NVLinks of an hwloc file: the matrix NVLinkBandwidth, MB/s per pair.
 */
#ifndef CS_TOPO_FORMATS_HWLOC_NVLINKS_H
#define CS_TOPO_FORMATS_HWLOC_NVLINKS_H

#include "topo/formats/hwloc/reader.h"

#include <stdint.h>

/* Adds the NVLinks of the matrix NVLinkBandwidth, after all PCI devices; a note
 * if the file has several GPUs and no matrix. */
int cs_hwloc_read_matrices(struct cs_hwloc_reader *reader);

#endif
